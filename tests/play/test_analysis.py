"""How a game came to its end: chances, luck and decisions."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.bots.registry import make
from sandtable.engine.dice import ScriptedDice
from sandtable.play import analysis
from sandtable.play.analysis import Analysis, analyse
from sandtable.world.compile import compile_world

FIGHT = {
    "clear": "all",
    "units": {
        "eastern-europe": {"germany": {"infantry": 3, "armor": 3}},
        "ukraine-ssr": {"ussr": {"infantry": 2}},
        "germany": {"germany": {"infantry": 1}},
        "western-europe": {"germany": {"infantry": 1}},
        "russia": {"ussr": {"infantry": 4}},
        "united-kingdom": {"uk": {"infantry": 9}},
    },
    "control": {"ukraine-ssr": "ussr"},
    "turn": "germany",
    "phase": "combat-move",
}


def fought(faces: list[int], *, orders: tuple[str, ...] = (), kind: str = "land") -> tuple[Game, Analysis]:
    world = compile_world("classic-1942")
    battles = {kind if name == "land" else name: of for name, of in world.battles.items()}
    world = msgspec.structs.replace(world, battles=battles)
    game = Game(world, dice=ScriptedDice([*faces, *[6] * 300]), start=patched_state(world, FIGHT))
    game.play("move 3 infantry, 3 armor: eastern-europe -> ukraine-ssr")
    game.play("end")
    for order in orders:
        game.play(order)
    return game, analyse(game)


@pytest.mark.parametrize("kind", ["land", "melee"])  # what editions call their kinds of battles tells nothing
def test_a_battle_is_told_with_what_it_promised_and_what_it_brought(kind: str) -> None:
    # infantry 1 1 6, armor 6 6 6: two hits; the defenders miss
    game, found = fought([1, 1, 6, 6, 6, 6, 6, 6], kind=kind)
    (tale,) = found.battles
    assert (tale.space, tale.attacker, tale.defenders) == ("ukraine-ssr", "germany", ("ussr",))
    assert dict(tale.attack) == {"infantry": 3, "armor": 3}
    assert dict(tale.defense) == {"infantry": 2}
    assert tale.win is not None
    assert tale.win > 0.9
    assert tale.result == "attacker"
    assert tale.taken
    assert tale.gained == 2 * 3 + 2 * game.world.spaces["ukraine-ssr"].ipc
    assert found.best == (0,)
    assert found.worst == ()


def test_luck_is_hits_beyond_expectation_on_both_sides() -> None:
    _, found = fought([6, 6, 6, 1, 6, 3, 6, 6])
    (tale,) = found.battles
    assert (tale.attack_luck.dice, tale.attack_luck.hits) == (6, 2)
    assert tale.attack_luck.expected == pytest.approx(3 * 1 / 6 + 3 * 3 / 6)
    assert tale.defense_luck.expected == pytest.approx(2 * 2 / 6)
    assert tale.luck == pytest.approx((2 - 2) - (0 - 2 / 3))
    assert found.luck["germany"].hits == 2


def test_a_bad_attack_is_among_the_worst_even_if_it_is_lucky() -> None:
    world = compile_world("classic-1942")
    patch = {**FIGHT, "units": {**FIGHT["units"], "ukraine-ssr": {"ussr": {"infantry": 9}}}}  # type: ignore[dict-item]
    game = Game(world, dice=ScriptedDice([*[1] * 6, *[6] * 9, *[1] * 3, *[6] * 300]), start=patched_state(world, patch))
    game.play("move 3 infantry, 3 armor: eastern-europe -> ukraine-ssr")
    game.play("end")
    game.play("press")
    found = analyse(game)
    (tale,) = found.battles
    assert tale.result == "attacker"
    assert tale.promised is not None
    assert tale.promised < 0 < tale.gained
    assert found.worst == (0,)
    assert tale.luck > 5


def test_chances_begin_even_and_follow_the_balance() -> None:
    game = Game.new("classic-1942", seed=5)
    bots = {power: make("3star", 5) for power in game.world.order}
    while game.decision is not None and game.state.round <= 2:
        game.play(bots[game.decision.power].decide(game.view(), game.legal, game.decision))
    found = analyse(game)
    assert found.moments[0].chance == 0.5
    assert [m.power for m in found.moments[1:6]] == list(game.world.order)
    assert all(0 < m.chance < 1 for m in found.moments)
    assert [m.at for m in found.moments] == sorted(m.at for m in found.moments)
    assert len(found.turning) <= 3
    changes = [abs(t.after - t.before) for t in found.turning]
    assert changes == sorted(changes, reverse=True)
    game.play("surrender")
    ended = analyse(game)
    assert ended.winner is not None
    assert ended.moments[-1].chance == float(ended.winner == ended.sides[0])


def test_it_takes_no_longer_than_somebody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    game, _ = fought([1, 1, 6, 6, 6, 6, 6, 6])
    monkeypatch.setattr(analysis, "PATIENCE", -1.0)
    (tale,) = analyse(game).battles
    assert tale.win is None
    assert tale.gained > 0
