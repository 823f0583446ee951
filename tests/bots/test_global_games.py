"""Global 1940 by bots: whole rounds without a refusal, battles as they are fought there, and planes that rise."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.arena.match import Job, seated
from sandtable.bots import make
from sandtable.bots.battles import army, is_calculated, with_guns
from sandtable.bots.glance import foresee, weigh
from sandtable.engine.game import Game
from sandtable.engine.start import starting_state
from sandtable.notation import format_order
from sandtable.notation.orders import Scramble, Stay
from sandtable.world.compile import compile_world
from support.play import play_checked

SCENARIO = "global-1940"
WORLD = compile_world(SCENARIO)
START = starting_state(WORLD)


@pytest.mark.parametrize("name", ["3star", "4star", "5star-quick"])
def test_a_round_of_all_powers_by_the_rules(name: str) -> None:
    game = Game.new(SCENARIO, seed=11)
    bots = {power: make(name, f"0/{power}") for power in game.world.powers}
    asked = set()
    for _ in range(900):
        question = game.decision
        if question is None or game.state.round > 1:
            break
        asked.add((question.power, question.kind))
        play_checked(game, bots[question.power].decide(game.view(game.seat_of(question.power)), game.legal, question))
    assert game.state.round == 2
    buyers = {power for power, kind in asked if kind == "purchase"}
    assert buyers >= set(WORLD.order) - {"france"}  # whose capital may have fallen before its turn


# ---------------------------------------------------------------- the glance


@pytest.mark.parametrize(
    ("ours", "theirs", "least", "most"),
    [
        ({"fighter": 4}, {"fighter": 2}, 0.0, 0.2),  # planes strike once, and one in six hits
        ({"bomber": 7, "mechanized-infantry": 5}, {"artillery": 7}, 0.0, 0.3),
        ({"fighter": 6, "tactical-bomber": 7}, {"bomber": 7, "mechanized-infantry": 6}, 0.0, 0.1),
        ({"artillery": 5, "fighter": 4, "tactical-bomber": 5}, {"fighter": 4}, 0.8, 1.0),  # they are spent, too
        ({"carrier": 2}, {"transport": 2}, 0.0, 0.0),  # nobody who could fire
        ({"carrier": 2, "cruiser": 3, "submarine": 3}, {"fighter": 3, "submarine": 2}, 0.8, 1.0),  # boats dive
        ({"infantry": 3}, {"aa-gun": 2}, 0.95, 1.0),  # guns alone hold nothing
    ],
)
def test_a_glance_knows_who_strikes_once(
    ours: dict[str, int], theirs: dict[str, int], least: float, most: float
) -> None:
    """The chances that the engine finds when it plays these battles 40 times are within the bounds."""
    look = weigh(WORLD, START, army("germany", ours), army("uk", theirs))
    assert least <= look.win <= most


def test_artillery_helps_by_its_value() -> None:
    alone = weigh(WORLD, START, army("germany", {"infantry": 8}), army("uk", {"infantry": 5}))
    helped = weigh(WORLD, START, army("germany", {"infantry": 4, "artillery": 4}), army("uk", {"infantry": 5}))
    strong = weigh(WORLD, START, army("germany", {"artillery": 8}), army("uk", {"infantry": 5}))
    assert alone.win < helped.win
    assert helped.win == pytest.approx(strong.win, abs=0.02)


def test_guns_bring_down_as_many_planes_as_they_have_shots_for() -> None:
    planes = army("germany", {"bomber": 12, "infantry": 4})
    bare = weigh(WORLD, START, planes, army("uk", {"infantry": 4}))
    one, four = (weigh(WORLD, START, planes, army("uk", {"infantry": 4, "aa-gun": n})) for n in (1, 4))
    assert bare.attacker_loss < one.attacker_loss < four.attacker_loss


def test_guns_that_fight_are_counted_once() -> None:
    force = army("uk", {"infantry": 2, "aa-gun": 1})
    assert with_guns(force, army("uk", {"aa-gun": 1})) == force
    assert with_guns(army("uk", {"infantry": 2}), army("uk", {"aa-gun": 1})) == (
        ("uk", "infantry", 2),
        ("uk", "aa-gun", 1),
    )


def test_clear_battles_are_not_played_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is in doubt and cannot be calculated costs time."""
    forces = army("germany", {"cruiser": 6, "tactical-bomber": 3}), army("uk", {"cruiser": 1})
    monkeypatch.setattr("sandtable.bots.glance.is_calculated", lambda *_: False)
    monkeypatch.setattr("sandtable.bots.glance.expect", None)
    assert foresee(WORLD, START, *forces, kind="sea").win > 0.95


def test_sea_battles_are_calculated(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot plays none of them out."""
    fleet = {"submarine": 1, "destroyer": 1, "cruiser": 1, "carrier": 1, "fighter": 2, "transport": 1}
    forces = army("germany", {**fleet, "tactical-bomber": 2}), army("uk", {**fleet, "battleship": 1})
    assert is_calculated(WORLD, START, *forces, "sea")
    monkeypatch.setattr("sandtable.odds.solve.play_out", None)
    outlook = foresee(WORLD, START, *forces, kind="sea")
    assert 0.0 < outlook.win < 1.0


# ---------------------------------------------------------------- scrambling


def rising(fighters: int, attackers: dict[str, int]) -> Any:
    """What Britain answers when German ships attack a destroyer off its coast."""
    patch = {
        "clear": "all",
        "turn": "germany",
        "phase": "combat-move",
        "units": {
            "united-kingdom": {"uk": {"air-base": 1, "infantry": 4, **({"fighter": fighters} if fighters else {})}},
            "sz-109": {"uk": {"cruiser": 1}},
            "sz-110": {"germany": attackers},
            "germany": {"germany": {"infantry": 5}},
        },
    }
    game = Game(WORLD, start=patched_state(WORLD, patch), seed=1)
    for unit, n in attackers.items():
        game.play(f"move {n} {unit}: sz-110 -> sz-109")
    game.play("end")
    question = game.decision
    assert question is not None
    assert question.kind == "scramble"
    bot = make("3star", "uk")
    assert bot.explain(game.legal, question)
    return bot.decide(game.view(game.seat_of(question.power)), game.legal, question)


def test_planes_rise_where_they_turn_a_battle() -> None:
    order = rising(3, {"destroyer": 1})
    assert isinstance(order, Scramble), format_order(order)


def test_planes_stay_where_they_would_only_be_lost() -> None:
    assert isinstance(rising(1, {"battleship": 4, "cruiser": 6}), Stay)


# ---------------------------------------------------------------- time to think


def test_quick_and_patient_keep_their_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.bots.search import Search

    judged: list[int] = []
    usual = Search._judge
    monkeypatch.setattr(Search, "_judge", lambda self, *args: judged.append(1) or usual(self, *args))
    game = Game.new("classic-1942", seed=3)
    game.play("buy 8 infantry")
    game.play("end")
    counts = {}
    for name in ("5star-quick", "5star"):
        judged.clear()
        make(name, 1).plan(game.world, game.state)
        counts[name] = len(judged)
    assert counts["5star-quick"] <= 4 < counts["5star"] <= 16


def test_thinking_is_for_those_who_compare_plans() -> None:
    assert make("5star-bold-patient").name == "5star-bold-patient"
    assert make("5star-patient").name == "5star-patient"
    for name in ("4star-quick", "5star-quick-bold", "5star-hasty"):
        with pytest.raises(Exception, match="5star-patient"):
            make(name)


def test_the_arena_has_a_player_for_armies_without_a_side() -> None:
    job = Job(number=1, scenario=SCENARIO, bots={"axis": "5star", "allies": "4star"}, seed="1", rounds=1)
    players = seated(WORLD, job)
    assert players["japan"].name == "5star"
    assert players["china"].name == "4star"
    assert set(players) == set(WORLD.powers)
