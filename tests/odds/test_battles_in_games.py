"""Odds of battles as they stand in a game: planned, waiting, or at any question inside a round."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest
from refereed import GROUNDS, NAMES, Battle, deviation, expected_ends, reply, small_board

from sandtable.archive.position import patched_state
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import BattleEnded
from sandtable.engine.game import Game
from sandtable.engine.state import Piece, State
from sandtable.odds import OddsError, Retreat, odds, odds_of_battle, raid_odds, raid_odds_of
from sandtable.world.compile import compile_world

THIRD = compile_world("classic-1942")
ZONE = GROUNDS["classic"].zone
SECOND = compile_world("classic-1942", {"second_edition": True})
LAND_ATTACK = ["infantry", "armor", "fighter", "bomber"]
LAND_DEFENSE = ["infantry", "armor", "fighter"]
SEA_ATTACK = ["transport", "carrier", "submarine", "fighter", "battleship"]
SEA_DEFENSE = ["transport", "submarine", "carrier", "fighter", "battleship"]

OPEN = {
    "land": Battle(
        world=THIRD,
        attackers={"infantry": 2, "armor": 1, "fighter": 3, "bomber": 2},
        defenders={"infantry": 3, "fighter": 2, "aa-gun": 1},
        attacker_order=LAND_ATTACK,
        defender_order=LAND_DEFENSE,
        techs={"ussr": ["jet-power"]},
    ),
    "landing": Battle(
        world=THIRD,
        attackers={"infantry": 3, "armor": 1, "fighter": 2},
        defenders={"infantry": 3, "armor": 1, "fighter": 1},
        attacker_order=LAND_ATTACK,
        defender_order=LAND_DEFENSE,
        support={"battleship": 2},
        landed=True,
    ),
    "sea": Battle(
        world=THIRD,
        attackers={"submarine": 3, "carrier": 1, "fighter": 2, "transport": 1},
        defenders={"submarine": 2, "carrier": 1, "fighter": 1, "transport": 2},
        kind="sea",
        attacker_order=SEA_ATTACK,
        defender_order=SEA_DEFENSE,
    ),
    "sea, column by column": Battle(
        world=SECOND,
        attackers={"submarine": 2, "carrier": 1, "fighter": 3, "transport": 1, "battleship": 1},
        defenders={"submarine": 2, "carrier": 1, "fighter": 1, "transport": 2, "battleship": 1},
        kind="sea",
        attacker_order=SEA_ATTACK,
        defender_order=SEA_DEFENSE,
    ),
}


def questions(battle: Battle, seeds: int) -> dict[tuple[str, str, int], State]:
    """One state for each kind of question that comes up: (what is asked, by whose fire, round at most 2)."""
    found: dict[tuple[str, str, int], State] = {}
    for seed in range(seeds):
        game = Game(small_board(battle.world), dice=SeededDice(seed), start=battle.state())
        while (fighting := game.state.battle) is not None:
            (asked,) = game.state.questions
            step = battle.world.battles[battle.kind][fighting.step]
            found.setdefault((asked.kind, step, min(fighting.round, 2)), game.state)
            game.play(reply(battle, game))
    return found


def left(state: State, battle: Battle, side: str) -> tuple[tuple[str, int], ...]:
    """Who is in the space at the end; nobody leaves it in these battles."""
    mine = Counter[str]()
    for piece, n in state.at(battle.space).items():
        if (piece.power == "germany") == (side == "attack") and piece.type not in ("aa-gun", "industrial-complex"):
            mine[piece.type] += n
    return tuple(sorted(mine.items()))


@pytest.mark.parametrize("name", OPEN)
def test_at_every_question_the_odds_are_those_of_the_game(name: str) -> None:
    battle = OPEN[name]
    asked = questions(battle, 25)
    steps = {step for _, step, _ in asked}
    wanted = {"attackers-fire", "defenders-fire"}
    wanted |= {"submarine-fire", "submarines-withdraw"} if battle.kind == "sea" else set()
    wanted |= {"aa-fire"} if "aa-gun" in battle.defenders else set()
    wanted |= {"support-shot"} if battle.support else set()
    assert wanted <= steps, "the questions that this test is about come up"
    for key, state in asked.items():
        result = odds_of_battle(battle.world, state, battle.space)
        seen: Counter[Any] = Counter()
        for seed in range(80):
            game = Game(small_board(battle.world), dice=SeededDice(f"{key} {seed}"), start=state)
            while game.state.battle is not None:
                game.play(reply(battle, game))
            ended = next(e for e in game.events if isinstance(e, BattleEnded))
            end = (left(game.state, battle, "attack"), left(game.state, battle, "defense"))
            seen[NAMES[ended.result], *end] += 1
        assert deviation(expected_ends(result), seen) < 4, key


def test_a_planned_attack_is_the_battle_on_paper() -> None:
    battle = OPEN["land"]
    there = odds_of_battle(THIRD, battle.state(), battle.space)
    paper = odds(THIRD, battle.attackers, battle.defenders, defender_techs=["jet-power"])
    assert expected_ends(there) == pytest.approx(expected_ends(paper))
    shore = OPEN["landing"]
    there = odds_of_battle(THIRD, shore.state(), shore.space)
    assert there.win == pytest.approx(odds(THIRD, {**shore.attackers, **shore.support}, shore.defenders).win)


def _at_sea(units: dict[Piece, int], **more: dict[Piece, int]) -> State:
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    placed = {name.replace("_", "-"): stack for name, stack in more.items()}
    return msgspec.structs.replace(base, units={**base.units, ZONE: units, **placed})


def test_cargo_goes_down_with_its_transport_the_empty_one_first() -> None:
    loaded = Piece("germany", "transport", origin="north-sea", cargo=(Piece("germany", "armor"),))
    empty = Piece("germany", "transport", origin="north-sea")
    ship = Piece("germany", "battleship", origin="north-sea")
    enemy = {Piece("uk", "submarine"): 1}
    bare = odds_of_battle(THIRD, _at_sea({empty: 1, ship: 1, **enemy}), ZONE)
    full = odds_of_battle(THIRD, _at_sea({loaded: 1, ship: 1, **enemy}), ZONE)
    both = odds_of_battle(THIRD, _at_sea({loaded: 1, empty: 1, ship: 1, **enemy}), ZONE)
    lost = sum(end.chance for end in full.survivors() if "transport" not in end.attackers)
    assert full.expected_losses[0] == pytest.approx(bare.expected_losses[0] + 5 * lost)
    assert [k.worth for k in both.model.attack.kinds if k.unit == "transport"] == [8, 13]
    assert both.model.attack.order[:2] == (0, 1)


def test_a_landing_that_waits_for_its_sea_battle() -> None:
    rider = Piece("germany", "infantry", target="karelia-ssr")
    transport = Piece("germany", "transport", origin="north-sea", cargo=(rider, rider))
    gunship = Piece("germany", "battleship", origin="north-sea")
    shore = {Piece("ussr", "infantry"): 1}
    clear = _at_sea({transport: 1, gunship: 1}, karelia_ssr=shore)
    result = odds_of_battle(THIRD, clear, "karelia-ssr")
    assert result.win == pytest.approx(odds(THIRD, "2 infantry, 1 battleship", "1 infantry").win)
    contested = _at_sea({transport: 1, gunship: 1, Piece("uk", "transport"): 1}, karelia_ssr=shore)
    result = odds_of_battle(THIRD, contested, "karelia-ssr")
    assert result.win == pytest.approx(odds(THIRD, "2 infantry", "1 infantry").win)


def test_allies_defend_with_their_own_technologies() -> None:
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    stack = {
        Piece("germany", "armor", origin="eastern-europe"): 4,
        Piece("ussr", "infantry"): 1,
        Piece("uk", "fighter"): 1,
        Piece("usa", "fighter"): 1,
    }
    state = msgspec.structs.replace(
        base, units={"ukraine-ssr": stack}, techs={**base.techs, "usa": frozenset({"jet-power"})}
    )
    kinds = odds_of_battle(THIRD, state, "ukraine-ssr").model.defense.kinds
    assert [(k.power, k.unit, k.value) for k in kinds] == [
        ("ussr", "infantry", 2),
        ("uk", "fighter", 4),
        ("usa", "fighter", 5),
    ]


def test_nowhere_to_retreat_to() -> None:
    """Attackers who were there already have no way back; planes always have."""
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    for origin, expected in (("eastern-europe", True), ("", False)):
        stack = {Piece("germany", "infantry", origin=origin): 5, Piece("ussr", "infantry"): 5}
        state = msgspec.structs.replace(base, units={"ukraine-ssr": stack})
        result = odds_of_battle(THIRD, state, "ukraine-ssr", retreat=Retreat(rounds=1))
        assert (result.retreat > 0) == expected


def test_submarines_leave_only_where_the_rules_let_them() -> None:
    """In the second edition they need a free zone next to the battle, in the third they can submerge."""
    for world, free, leaves in ((SECOND, True, True), (SECOND, False, False), (THIRD, False, True)):
        base = patched_state(world, {"clear": "all", "turn": "germany", "phase": "combat-move"})
        fleet = {Piece("germany", "battleship"): 1, Piece("uk", "submarine"): 2}
        units = {ZONE: fleet} if free else {ZONE: fleet, "north-sea": {Piece("germany", "transport"): 1}}
        state = msgspec.structs.replace(base, units=units)
        result = odds_of_battle(world, state, ZONE, defender_submarines="leave")
        assert (len(result.rounds) == 1) == leaves


def test_islands_shelter_fighters() -> None:
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    fleet = {Piece("germany", "submarine"): 2, Piece("uk", "carrier"): 1, Piece("uk", "fighter"): 2}
    for zone, island in (("north-sea", True), ("baltic-sea", False)):
        assert odds_of_battle(THIRD, msgspec.structs.replace(base, units={zone: fleet}), zone).model.shelter == island


def test_places_without_a_battle() -> None:
    state = patched_state(THIRD, {"turn": "germany", "phase": "combat-move"})
    with pytest.raises(OddsError):
        odds_of_battle(THIRD, state, "germany")
    with pytest.raises(OddsError):
        raid_odds_of(THIRD, state, "united-kingdom")


def test_a_planned_raid() -> None:
    game = Game(
        THIRD,
        start=patched_state(
            THIRD,
            {
                "clear": "all",
                "turn": "germany",
                "phase": "combat-move",
                "units": {
                    "germany": {"germany": {"bomber": 2}},
                    "united-kingdom": {"uk": {"industrial-complex": 1, "aa-gun": 1}},
                },
            },
        ),
    )
    game.play("move 2 bomber: germany -> united-kingdom as raid")
    money = game.state.treasury["uk"]
    assert raid_odds_of(THIRD, game.state, "united-kingdom") == raid_odds(THIRD, {"bomber": 2}, most=money)


ANNIVERSARY = compile_world("anniversary-1941")


def drop(guns: int, orders: list[str]) -> State:
    """Britain attacks France, with troops that are going to jump."""
    patch = {
        "clear": "all",
        "units": {
            "united-kingdom": {"uk": {"fighter": 1, "bomber": 3, "infantry": 3}},
            "france": {"germany": {"infantry": 2, "aa-gun": guns}},
        },
        "turn": "uk",
        "phase": "combat-move",
        "technologies": {"uk": ["paratroopers"]},
    }
    game = Game(ANNIVERSARY, start=patched_state(ANNIVERSARY, patch), dice=SeededDice(1))
    for order in orders:
        game.play(order)
    return game.state


DROP = [
    "move 2 bomber, 2 infantry: united-kingdom -> france as paradrop",
    "move 1 bomber, 1 fighter: united-kingdom -> france",
]


def test_troops_that_will_be_dropped_count_as_attackers() -> None:
    found = odds_of_battle(ANNIVERSARY, drop(0, DROP), "france")
    paper = odds(ANNIVERSARY, "2 infantry, 1 fighter, 3 bomber", "2 infantry")
    assert found.forces == paper.forces
    assert found.win == pytest.approx(paper.win)
    assert found.take_and_hold(1) == pytest.approx(paper.take_and_hold(1)) != 0
    assert found.expected_losses == pytest.approx(paper.expected_losses)


@pytest.mark.parametrize("method", ["exact", "play"])
def test_troops_go_down_with_their_planes(method: Any) -> None:
    """Every plane has a die of its own; a bomber that is shot down takes its passenger along."""
    state = drop(1, DROP)
    found = odds_of_battle(ANNIVERSARY, state, "france", method=method, runs=1500, seconds=None)
    win = hold = 0.0
    for laden, empty, fighters in product(range(3), range(2), range(2)):
        planes = laden + empty + fighters
        share = (2 if laden == 1 else 1) * (5 / 6) ** planes * (1 / 6) ** (4 - planes)
        if planes:
            force = {"infantry": laden, "fighter": fighters, "bomber": laden + empty}
            left = odds(ANNIVERSARY, force, {"infantry": 2})
            win += share * left.win
            hold += share * left.take_and_hold(1)
    close = {"abs": 0.04} if method == "play" else {"rel": 1e-9}
    assert found.win == pytest.approx(win, **close)
    assert found.take_and_hold(1) == pytest.approx(hold, **close)


def test_dropped_troops_can_retreat_like_others() -> None:
    planned = odds_of_battle(ANNIVERSARY, drop(0, DROP), "france", retreat=Retreat(rounds=1))
    assert planned.retreat == pytest.approx(1 - planned.win - planned.draw - planned.loss)
    # nobody holds land beside France, so only planes could leave
    assert planned.model.can_retreat is False
