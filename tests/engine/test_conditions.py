"""The language of conditions: every predicate and every combination, whether it holds, its words and its numbers."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import msgspec
import pytest

from sandtable.archive import snapshot
from sandtable.archive.position import patched_state
from sandtable.engine import conditions
from sandtable.engine.conditions.predicates import JUDGES
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import GoalLost, GoalReached, Noted, Won
from sandtable.engine.game import Game
from sandtable.engine.objectives import lacking, worth
from sandtable.engine.progress import objective_list, standings
from sandtable.engine.state import Stances, State, pair
from sandtable.errors import SaveError
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.conditions import PREDICATES, Condition, Parser, filled, leaves
from sandtable.world.fields import Report
from sandtable.world.model import Victory, World
from support.scratch import scratch_edition, scratch_world

WORLD = compile_world("anniversary-1941")
GLOBAL = compile_world("global-1940")


def parsed(world: World, raw: Any) -> Condition:
    """A condition as a data file would have it."""
    report = Report()
    condition = Parser("test.yaml", report).condition(raw, "when")
    assert not report.problems, report.problems
    members = lambda who: world.members(who) if who in world.sides else (who,)  # noqa: E731
    return filled(condition, world.spaces, members)


def at(world: World = WORLD, **position: Any) -> State:
    return patched_state(world, position)


def judged(raw: Any, state: State, world: World = WORLD, who: str = "") -> tuple[bool, list[str], tuple[int, int]]:
    condition = parsed(world, raw)
    met = conditions.holds(world, state, condition, who)
    missing = conditions.lacking(world, state, condition, who)
    assert met == (not missing)
    measure = conditions.progress(world, state, condition, who)
    assert met == measure.met
    assert conditions.described(world, condition, who)
    if met:
        assert conditions.achieved(world, state, condition, who).endswith(".")
    return met, missing, tuple(measure)


def said(raw: Any, world: World = WORLD, who: str = "") -> str:
    return conditions.described(world, parsed(world, raw), who)


# ---------------------------------------------------------------- predicates

START = at()
EGYPT = at(control={"egypt": "italy"})
TWO = at(control={"egypt": "italy", "gibraltar": "germany"})
THREE = ["egypt", "gibraltar", "trans-jordan"]


@pytest.mark.parametrize(
    ("raw", "state", "met", "missing", "measure"),
    [
        # controls
        ({"controls": "axis", "all": ["egypt"]}, EGYPT, True, [], (1, 1)),
        ({"controls": "germany", "all": ["egypt"]}, EGYPT, False, ["Egypt"], (0, 1)),
        ({"controls": "axis", "all": THREE}, TWO, False, ["Trans-Jordan in the hands of the Axis"], (2, 3)),
        ({"controls": "axis", "at_least": 2, "of": THREE}, TWO, True, [], (2, 2)),
        (
            {"controls": "axis", "at_least": 2, "of": THREE},
            EGYPT,
            False,
            ["Gibraltar or Trans-Jordan in the hands of the Axis"],
            (1, 2),
        ),
        (
            {"controls": "axis", "at_least": 2, "of": THREE},
            START,
            False,
            ["2 more of Egypt, Gibraltar or Trans-Jordan in the hands of the Axis"],
            (0, 2),
        ),
        ({"controls": "axis", "of": THREE}, EGYPT, True, [], (1, 1)),
        (
            {"controls": "axis", "other_than": "italy", "of": THREE},
            EGYPT,
            False,
            ["Egypt, Gibraltar or Trans-Jordan in the hands of the Axis"],
            (0, 1),
        ),
        ({"controls": "italy", "all": {"original": "italy"}}, START, True, [], (3, 3)),
        ({"controls": "self", "all": ["egypt"]}, EGYPT, False, ["Egypt"], (0, 1)),
        # capitals, cities, production
        (
            {"holds_capitals": "axis", "of": "allies"},
            at(control={"russia": "germany"}),
            False,
            ["United Kingdom and Eastern United States in the hands of the Axis"],
            (1, 3),
        ),
        ({"holds_capitals": "axis", "of": "allies", "at_least": 1}, at(control={"russia": "japan"}), True, [], (1, 1)),
        ({"holds_capitals": "germany"}, START, True, [], (1, 1)),
        ({"holds_capitals": "germany", "of": ["uk", "ussr"]}, START, False, ["United Kingdom and Russia"], (0, 2)),
        ({"cities": "axis", "at_least": 1}, START, True, [], (6, 1)),
        ({"cities": "axis", "at_least": 7}, START, False, ["1 more victory city"], (6, 7)),
        ({"cities": "axis", "at_least": 2, "of": ["russia", "germany"]}, START, False, ["1 more victory city"], (1, 2)),
        ({"production": "italy", "at_least": 10}, START, True, [], (10, 10)),
        ({"production": "axis", "at_least": 100}, START, False, ["42 more production"], (58, 100)),
        # units
        ({"units_of": "germany", "in": ["germany"]}, START, True, [], (8, 1)),
        (
            {"units_of": "germany", "kinds": "air", "at_least": 5, "in": ["germany"]},
            at(clear="all", units={"germany": {"germany": {"fighter": 3}}}),
            False,
            ["2 more planes of Germany in Germany"],
            (3, 5),
        ),
        (
            {"units_of": "usa", "kinds": "land", "in": ["france"]},
            START,
            False,
            ["1 land unit of the United States in France"],
            (0, 1),
        ),
        (
            {"units_of": "italy", "kinds": ["fighter", "bomber"], "in": {"islands": True}},
            START,
            False,
            ["1 fighter or bomber of Italy on an island"],
            (0, 1),
        ),
        (
            {"no_units_of": "allies", "kinds": "surface-warships", "in": ["sz-12"]},
            at(clear="all", units={"sz-12": {"uk": {"submarine": 2, "transport": 1}}}),
            True,
            [],
            (1, 1),
        ),
        (
            {"no_units_of": "allies", "kinds": "warships", "in": ["sz-12"]},
            at(clear="all", units={"sz-12": {"uk": {"submarine": 2, "transport": 1}}}),
            False,
            ["2 British submarines to leave Sea Zone 12"],
            (0, 1),
        ),
        (
            {"no_units_of": "allies", "other_than": "ussr", "in": {"held_by": "ussr"}},
            at(clear="all", units={"russia": {"uk": {"infantry": 1}, "ussr": {"infantry": 9}}}),
            False,
            ["1 British infantry to leave Russia"],
            (0, 1),
        ),
        (
            {"no_units_of": "allies", "other_than": "ussr", "in": {"original": "ussr"}},
            at(clear="all", units={"russia": {"ussr": {"infantry": 9}}}),
            True,
            [],
            (1, 1),
        ),
        (
            {"no_units_of": "uk", "kinds": ["infantry", "aa-gun"], "in": ["egypt"]},
            at(clear="all", units={"egypt": {"uk": {"armor": 2}}}),
            True,
            [],
            (1, 1),
        ),
        # rounds
        ({"from_round": 3}, at(round=2), False, ["round 3"], (2, 3)),
        ({"from_round": 3}, at(round=4), True, [], (4, 3)),
        ({"until_round": 3}, at(round=3), True, [], (1, 1)),
        ({"turn_of": "japan"}, at(turn="japan"), True, [], (1, 1)),
        ({"turn_of": "axis"}, at(turn="japan"), True, [], (1, 1)),
        ({"turn_of": "japan"}, at(turn="germany"), False, ["the turn of Japan"], (0, 1)),
        ({"until_round": 3}, at(round=4), False, ["a round before 4, which is over"], (0, 1)),
        # technologies and options
        (
            {"developed": "usa", "all": ["rockets", "radar"]},
            at(technologies={"usa": ["radar"]}),
            False,
            ["Rockets"],
            (1, 2),
        ),
        ({"developed": "allies", "of": ["rockets", "radar"]}, at(technologies={"uk": ["radar"]}), True, [], (1, 1)),
        ({"option": "national_objectives"}, START, True, [], (1, 1)),
        ({"option": "victory_cities", "is": 13}, START, False, ["another game, with victory_cities=13"], (0, 1)),
        # war and peace between fixed sides
        ({"at_war": "germany"}, START, True, [], (1, 1)),
        (
            {"at_war": "germany", "with_all": ["uk", "italy"]},
            START,
            False,
            ["war between Germany and the United Kingdom and Italy"],
            (1, 2),
        ),
        ({"at_war": "germany", "with_any": ["uk", "italy"]}, START, True, [], (1, 1)),
        ({"at_peace": "germany", "with_all": "italy"}, START, True, [], (1, 1)),
        (
            {"at_peace": "germany", "with_any": ["uk", "ussr"]},
            START,
            False,
            ["peace between Germany and the United Kingdom or the Soviet Union"],
            (0, 1),
        ),
        ({"at_peace": "germany"}, START, False, ["peace for Germany"], (2, 6)),
    ],
)
def test_predicates(raw: Any, state: State, met: bool, missing: list[str], measure: tuple[int, int]) -> None:
    assert judged(raw, state, who="uk") == (met, missing, measure)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ({"controls": "axis", "all": ["egypt", "france"]}, "the Axis control Egypt and France"),
        (
            {"controls": "germany", "at_least": 2, "of": THREE},
            "Germany controls at least 2 of Egypt, Gibraltar and Trans-Jordan",
        ),
        ({"controls": "self", "of": ["egypt", "france"]}, "the Allies control Egypt or France"),
        ({"controls": "italy", "all": {"original": "italy"}}, "Italy controls all original territory of Italy"),
        ({"controls": "italy", "all": ["egypt"], "since": "turn"}, "Italy controls Egypt since the turn began"),
        ({"holds_capitals": "allies", "of": ["germany", "japan"]}, "the Allies control Germany and Japan"),
        ({"cities": "self", "at_least": 15}, "the Allies hold 15 victory cities"),
        ({"production": "usa", "at_least": 60}, "the United States has a production of 60"),
        ({"at_war": "usa"}, "the United States is at war"),
        (
            {"at_war": "axis", "with_any": ["usa", "ussr"]},
            "the Axis are at war with the United States or the Soviet Union",
        ),
        ({"at_peace": "ussr", "with_all": ["japan"]}, "the Soviet Union is at peace with Japan"),
        (
            {"units_of": "usa", "kinds": "land", "in": ["france"]},
            "at least 1 of the land units of the United States is in France",
        ),
        (
            {"no_units_of": "allies", "other_than": "ussr", "in": {"held_by": "ussr"}},
            "none of the units of the Allies other than the Soviet Union are in land of the Soviet Union",
        ),
        (
            {"no_units_of": "axis", "kinds": "warships", "in": {"original": "usa"}},
            "none of the warships of the Axis are in original territory of the United States",
        ),
        (
            {"units_of": "usa", "kinds": ["bomber", "facility"], "at_least": 2, "in": {"islands": True}},
            "at least 2 of the bombers and facilities of the United States are in islands",
        ),
        ({"from_round": 4}, "it is round 4 or later"),
        ({"until_round": 4}, "it is round 4 or earlier"),
        ({"turn_of": "japan"}, "it is the turn of Japan"),
        ({"captured": "axis", "of": ["russia"]}, "the Axis have captured Russia"),
        ({"lost": "uk", "all": ["india", "egypt"]}, "the United Kingdom has lost India and Egypt"),
        ({"attacked": "japan", "powers": ["ussr"]}, "Japan has attacked the Soviet Union"),
        (
            {"declared_war": "japan", "on": ["uk"], "unprovoked": True},
            "Japan has declared unprovoked war on the United Kingdom",
        ),
        (
            {"provoked": "usa", "by": ["japan"]},
            "Japan did something that is an act of war against the United States",
        ),
        ({"developed": "uk", "all": ["radar"]}, "the United Kingdom has developed Radar"),
        ({"option": "national_objectives", "is": False}, "the game is played with national_objectives=false"),
        (
            {"any": [{"from_round": 2}, {"at_war": "usa"}]},
            "either it is round 2 or later or the United States is at war",
        ),
        ({"not": {"at_war": "usa"}}, "not so: the United States is at war"),
        ({"all": [{"from_round": 2}, {"at_war": "usa"}]}, "it is round 2 or later and the United States is at war"),
        (
            {"at_least": 1, "of": [{"from_round": 2}, {"at_war": "usa"}]},
            "at least 1 of these: it is round 2 or later; the United States is at war",
        ),
    ],
)
def test_words(raw: Any, words: str) -> None:
    assert said(raw, who="allies") == words


def test_every_predicate_is_judged_and_tested() -> None:
    """A predicate that can be read can be judged, and stands in the lists above."""
    heads = {key for mark in (test_predicates, test_words) for raw in _raws(mark) for key in raw}
    assert set(PREDICATES) - heads == {"ever", "leaning"}, "those have tests of their own below"
    assert {type(leaf) for raw in _raws(test_words) for leaf in leaves(parsed(WORLD, raw))} <= set(JUDGES)


def _raws(test: Any) -> list[dict[str, Any]]:
    return [case[0] for case in test.pytestmark[0].args[1]]


# ---------------------------------------------------------------- combinations

A, B, C = ({"controls": "axis", "all": [space]} for space in THREE)


@pytest.mark.parametrize(
    ("raw", "met", "missing", "measure"),
    [
        ([A, B], True, [], (2, 2)),
        ([A, B, C], False, ["Trans-Jordan"], (2, 3)),
        ({"all": [A, C]}, False, ["Trans-Jordan"], (1, 2)),
        ({"any": [C, A]}, True, [], (1, 1)),
        (
            {"any": [C, {"controls": "axis", "all": ["india", "russia"]}]},
            False,
            ["Trans-Jordan or India and Russia"],
            (0, 1),
        ),
        ({"at_least": 2, "of": [A, B, C]}, True, [], (2, 2)),
        ({"at_least": 3, "of": [A, B, C]}, False, ["Trans-Jordan"], (2, 3)),
        ({"at_least": 2, "of": [A, C, {"from_round": 3}]}, False, ["Trans-Jordan or round 3"], (1, 2)),
        ({"at_least": 3, "of": [A, C, {"from_round": 3}]}, False, ["2 of these: Trans-Jordan or round 3"], (2, 5)),
        ({"not": C}, True, [], (1, 1)),
        ({"not": A}, False, ["an end to this: the Axis control Egypt"], (0, 1)),
        ({"not": {"any": [C, {"not": A}]}}, True, [], (1, 1)),
        ([], True, [], (0, 0)),
    ],
)
def test_combinations(raw: Any, met: bool, missing: list[str], measure: tuple[int, int]) -> None:
    assert judged(raw, TWO) == (met, missing, measure)


def test_since_the_turn_began() -> None:
    before = at(control={"egypt": "italy"})
    taken = msgspec.structs.replace(before, owners={**before.owners, "gibraltar": "italy"})
    assert judged({"controls": "axis", "all": THREE[:2], "since": "turn"}, taken) == (False, ["Gibraltar"], (1, 2))


def test_achieved() -> None:
    won = conditions.achieved(WORLD, TWO, parsed(WORLD, [A, {"any": [C, B]}, {"not": C}]), "axis")
    assert won == "The Axis hold Egypt, the Axis hold Gibraltar and not so: the Axis control Trans-Jordan."


# ---------------------------------------------------------------- the past


def history_world(**conditions_: Any) -> World:
    """The scratch game with these milestones."""
    edition = scratch_edition()
    report = Report()
    parser = Parser("test.yaml", report)
    milestones = {name.replace("_", "-"): parser.condition(raw, name) for name, raw in conditions_.items()}
    assert not report.problems
    return compile_edition(msgspec.structs.replace(edition, milestones=milestones), "scratch")


def test_milestones_are_remembered() -> None:
    world = history_world(moor_taken={"controls": "red", "all": ["moor"]})
    game = Game(world, start=patched_state(world, {"turn": "red", "phase": "combat-move"}))
    assert judged({"ever": "moor-taken"}, game.state, world) == (False, ["that once Red controls the Moor"], (0, 1))
    events = game.play("move 1 infantry: redmarch -> moor")
    assert Noted("moor-taken") in events
    assert game.state.history == ("moor-taken",)
    assert judged({"ever": "moor-taken"}, game.state, world)[0]
    lost = msgspec.structs.replace(game.state, owners={**game.state.owners, "moor": "blue"})
    assert judged({"ever": "moor-taken"}, lost, world)[0], "once is for ever"
    assert said({"ever": "moor-taken"}, world) == "once it was so that Red controls the Moor"


def test_what_happens_is_remembered_where_somebody_asks() -> None:
    world = history_world(
        taken={"captured": "east", "of": ["moor", "bluemarch"]},
        hit={"attacked": "red", "powers": ["blue"]},
        gone={"lost": "blue", "all": ["bluemarch"]},
        seen={"attacked": "red", "of": ["bluemarch"]},
    )
    assert world.watched == {
        *(f"captured {p} {s}" for p in ("red", "orange") for s in ("moor", "bluemarch")),
        "attacked red blue",
        "lost blue bluemarch",
        "attacked red bluemarch",
    }
    position = {
        "clear": "all",
        "units": {"moor": {"red": {"armor": 2}}, "bluemarch": {"blue": {"infantry": 1}}},
        "control": {"moor": "red"},
        "turn": "red",
        "phase": "combat-move",
    }
    game = Game(world, start=patched_state(world, position), dice=ScriptedDice((1, 1, 6)))
    game.play("move 2 armor: moor -> bluemarch")
    assert game.state.history == ()
    game.play("end")
    assert set(game.state.history) == {
        *("attacked red blue", "attacked red bluemarch", "captured red bluemarch", "lost blue bluemarch"),
        *("taken", "hit", "gone", "seen"),
    }
    assert judged({"captured": "east", "at_least": 2, "of": ["moor", "bluemarch"]}, game.state, world) == (
        False,
        ["capture of the Moor"],
        (1, 2),
    )
    assert judged({"attacked": "red", "powers": ["west"]}, game.state, world)[0]
    assert judged({"attacked": "red", "powers": ["green"]}, game.state, world)[1] == ["attack on Green"]


def test_what_nobody_asks_for_is_not_remembered() -> None:
    world = history_world(taken={"captured": "east", "of": ["isle"]})
    game = Game(world, start=patched_state(world, {"turn": "red", "phase": "combat-move"}))
    game.play("move 1 infantry: redmarch -> moor")
    assert game.state.owners["moor"] == "red"
    assert game.state.history == ()


def test_declarations_of_war() -> None:
    unprovoked = {"declared_war": "red", "on": "blue", "unprovoked": True}
    world = history_world(x={"declared_war": "red", "on": "blue"}, y=unprovoked)
    assert world.watched == {"declared-war red blue", "unprovoked-war red blue"}
    peace = patched_state(world, {})
    assert judged({"declared_war": "red", "on": "blue"}, peace, world)[1] == ["a declaration of war by Red on Blue"]
    war = msgspec.structs.replace(peace, history=("declared-war red blue",))
    assert judged({"declared_war": "red", "on": "blue"}, war, world)[0]
    assert not judged(unprovoked, war, world)[0]


def test_the_past_is_saved_and_checked() -> None:
    world = history_world(moor_taken={"controls": "red", "all": ["moor"]})
    state = patched_state(world, {"history": ["moor-taken"]})
    assert snapshot.from_data(world, snapshot.to_data(state)) == state
    assert snapshot.fingerprint(state) != snapshot.fingerprint(patched_state(world, {}))
    data = snapshot.to_data(msgspec.structs.replace(state, history=("made-up",)))
    with pytest.raises(SaveError, match="remembers what this game does not ask for: 'made-up'"):
        snapshot.from_data(world, data)


def test_wars_of_the_state_count() -> None:
    """Where powers can be at peace, the state says who is at war."""
    world = scratch_world()
    world = msgspec.structs.replace(world, rules=msgspec.structs.replace(world.rules, relations="wars"))
    state = msgspec.structs.replace(patched_state(world, {}), stances=Stances(wars=frozenset({pair("red", "blue")})))
    assert judged({"at_war": "red", "with_all": "blue"}, state, world)[0]
    assert judged({"at_peace": "red", "with_all": ["green", "orange"]}, state, world)[0]
    assert judged({"at_peace": "orange"}, state, world)[0]
    assert judged({"at_war": "west", "with_any": "red"}, state, world)[0]
    assert judged({"at_war": "green"}, state, world)[1] == ["a war for Green"]


def test_neutrals_that_lean() -> None:
    sweden = patched_state(GLOBAL, {})
    assert judged({"leaning": "strict", "all": ["sweden"]}, sweden, GLOBAL)[0]
    assert judged({"leaning": "pro-allies", "all": ["sweden"]}, sweden, GLOBAL)[1] == ["Sweden to be pro-allies"]
    held = patched_state(GLOBAL, {"control": {"sweden": "germany"}})
    assert not judged({"leaning": "strict", "all": ["sweden"]}, held, GLOBAL)[0]
    assert said({"leaning": "pro-axis", "of": ["bulgaria", "finland"]}, GLOBAL) == "Bulgaria or Finland are pro-axis"


# ---------------------------------------------------------------- users of conditions


def with_victory(*ways: dict[str, Any]) -> World:
    world = scratch_world()
    victory = tuple(
        Victory(
            id=f"way-{i}",
            name=f"Way {i}",
            **{**way, **{k: parsed(world, way[k]) for k in ("when", "then") if k in way}},
        )
        for i, way in enumerate(ways)
    )
    return msgspec.structs.replace(world, victory=tuple(victory))


def end_turns(game: Game, number: int) -> list[Any]:
    """Pass turns without doing anything; gives what happened."""
    found = []
    turns = 0
    while turns < number and game.decision is not None:
        before = game.state.turn
        found.extend(game.play("end"))
        turns += game.state.turn != before or game.state.over
    return found


def test_a_goal_that_must_be_held_for_a_round() -> None:
    way = {
        "winner": "east",
        "when": {"controls": "east", "all": ["moor"]},
        "held": "round",
        "then": {"holds_capitals": "east", "of": ["red", "orange"], "at_least": 1},
    }
    world = with_victory(way)
    game = Game(world, start=patched_state(world, {"control": {"moor": "red"}, "turn": "red"}))
    first = end_turns(game, 1)
    assert GoalReached("way-0", "east", "red") in first
    assert game.state.goals == {"way-0 east": ("red", 1)}
    assert standings(world, game.state)[0].until == "red"
    assert snapshot.from_data(world, snapshot.to_data(game.state)) == game.state
    assert not any(isinstance(event, Won) for event in end_turns(game, 3))
    last = end_turns(game, 1)
    assert Won("east", "The East hold the Moor.", ()) in last
    assert game.state.round == 2


def test_a_round_is_over_with_the_next_turn_of_the_same_power() -> None:
    """Reached in Blue's turn: Red's turn of the next round does not end it."""
    world = with_victory({"winner": "east", "when": {"controls": "east", "all": ["moor"]}, "held": "round"})
    game = Game(world, start=patched_state(world, {"control": {"moor": "red"}, "turn": "blue"}))
    end_turns(game, 4)
    assert (game.state.round, world.order[game.state.turn], game.state.over) == (2, "blue", False)
    end_turns(game, 1)
    assert game.state.winner == "east"


def test_a_goal_that_is_lost_before_the_round_is_over() -> None:
    world = with_victory({"winner": "east", "when": {"controls": "east", "all": ["moor"]}, "held": "round"})
    game = Game(world, start=patched_state(world, {"control": {"moor": "red"}, "turn": "red"}))
    end_turns(game, 1)
    gone = msgspec.structs.replace(game.state, owners={k: v for k, v in game.state.owners.items() if k != "moor"})
    game = Game(world, start=gone)
    events = end_turns(game, 1)
    assert GoalLost("way-0", "east") in events
    assert game.state.goals == {}
    end_turns(game, 8)
    assert not game.state.over


def test_a_goal_without_what_must_hold_then() -> None:
    way = {
        "winner": "east",
        "when": {"controls": "east", "all": ["moor"]},
        "held": "round",
        "then": {"cities": "east", "at_least": 3},
    }
    world = with_victory(way)
    game = Game(world, start=patched_state(world, {"control": {"moor": "red"}, "turn": "red"}))
    end_turns(game, 8)
    assert not game.state.over


def test_at_once_and_for_one_power() -> None:
    """Each power can win alone, as soon as its condition holds; the one that acts comes first."""
    way = {"winner": "each-power", "when": {"controls": "self", "all": ["moor"]}, "checked": "at-once"}
    world = with_victory(way)
    game = Game(world, start=patched_state(world, {"turn": "red", "phase": "combat-move"}))
    assert len(standings(world, game.state)) == 4
    events = game.play("move 1 infantry: redmarch -> moor")
    assert Won("east", "Red holds the Moor.", (), "red") in events
    assert game.state.over
    assert (game.state.winner, game.state.victor) == ("east", "red")


def test_nobody_wins_by_the_clock() -> None:
    world = with_victory({"winner": "nobody", "when": {"from_round": 1}, "checked": "round"})
    game = Game(world)
    assert standings(world, game.state) == ()
    events = end_turns(game, 4)
    assert Won(None, "Round 1 was the last.", ()) in events


def with_objective(**fields: Any) -> World:
    world = scratch_world()
    conditions_ = {key: parsed(world, fields[key]) for key in ("when", "per") if key in fields}
    (objective,) = world.objectives
    return msgspec.structs.replace(world, objectives=(msgspec.structs.replace(objective, **{**fields, **conditions_}),))


def test_a_bonus_for_each() -> None:
    world = with_objective(when=[], per={"controls": "red", "of": ["moor", "bluemarch", "isle"]})
    (objective,) = world.objectives
    none = patched_state(world, {})
    assert worth(world, none, objective, "red") == 0
    assert lacking(world, none, objective, "red") == ["the Moor, Bluemarch or the Isle"]
    two = patched_state(world, {"control": {"moor": "red", "isle": "red"}})
    assert worth(world, two, objective, "red") == 4
    assert objective_list(world, two, "red")[0].bonus == 4


def test_a_bonus_for_everybody() -> None:
    world = with_objective(power="each", when={"holds_capitals": "self"})
    assert [objective_list(world, patched_state(world, {}), p)[0].met for p in world.powers] == [True] * 4
    lost = patched_state(world, {"control": {"greenfield": "red"}})
    assert [objective_list(world, lost, p)[0].met for p in world.powers] == [True, True, True, False]


def test_a_bonus_that_is_paid_once() -> None:
    world = with_objective(when={"controls": "red", "all": ["redport"]}, once=True)
    game = Game(world)
    money = [game.state.treasury["red"]]
    for _ in range(3):
        end_turns(game, 4)
        money.append(game.state.treasury["red"])
    gains = [after - before for before, after in pairwise(money)]
    assert gains == [gains[1] + 2, gains[1], gains[1]]
    assert game.state.history == ("paid red-moor",)
    assert lacking(world, game.state, world.objectives[0], "red") == ["it is paid once only"]


# ---------------------------------------------------------------- what the other books ask for


@pytest.mark.rule("G40-OBJ-21", "G40-OBJ-27", "G40-INC-05")
def test_global_objectives_are_judged() -> None:
    """Every objective of the largest book can be read and judged at the start."""
    state = patched_state(GLOBAL, {})
    found = {o.id: o for o in GLOBAL.objectives}
    for objective in GLOBAL.objectives:
        power = objective.power if objective.power != "each" else "usa"
        assert worth(GLOBAL, state, objective, power) >= 0
        assert conditions.described(GLOBAL, objective.when, power) or objective.per is not None
    bases = {p: worth(GLOBAL, state, found["island-bases"], p) for p in ("usa", "uk", "anzac", "japan", "germany")}
    assert bases == {"usa": 21, "uk": 9, "anzac": 6, "japan": 6, "germany": 0}
    damaged = msgspec.structs.replace(state, damage={"caroline-islands": {"naval-base": 3}})
    assert worth(GLOBAL, damaged, found["island-bases"], "japan") == 3
    empire = next(leaf for leaf in leaves(found["uk-empire-europe"].when) if hasattr(leaf, "places"))
    assert "india" not in empire.places.spaces
    assert "united-kingdom" in empire.places.spaces


GERMAN = {"controls": "self", "all": {"original": "self"}}
LISTED = ["karelia-ssr", "caucasus", "persia", "syria-iraq", "anglo-egypt-sudan", "italian-east-africa", "gibraltar"]
RULE_18 = {
    "any": [
        [{"holds_capitals": "self"}, {"holds_capitals": "self", "of": "allies", "at_least": 1}],
        [GERMAN, {"controls": "self", "at_least": 5, "of": LISTED}],
    ]
}


@pytest.mark.rule("MX18-02", "MX18-03")
def test_alternate_victory_can_be_said() -> None:
    world = compile_world("classic-1942")

    def germany(**control: str) -> tuple[bool, list[str], tuple[int, int]]:
        state = patched_state(world, {"control": {k.replace("_", "-"): v for k, v in control.items()}})
        return judged(RULE_18, state, world, "germany")

    assert germany(russia="germany")[0]
    assert not germany(russia="japan")[0], "an ally's conquest is not its own"
    assert not germany(russia="germany", germany="uk")[0]
    taken = {"karelia_ssr": "germany", "caucasus": "germany", "persia": "germany", "syria_iraq": "germany"}
    met, missing, measure = germany(**taken)
    assert (met, measure) == (False, (12, 13))
    assert missing == [
        "Russia, United Kingdom or Eastern U.S.A. or Anglo-Egypt Sudan, Italian East Africa or Gibraltar"
    ]
    assert germany(**taken, gibraltar="germany")[0]
    assert not germany(**taken, gibraltar="germany", algeria="usa")[0]


@pytest.mark.rule("MX20-06")
def test_world_domination_can_be_said() -> None:
    world = compile_world("classic-1942")
    rule = {"holds_capitals": "self", "of": ["allies", "axis"], "at_least": 3}
    state = patched_state(world, {"control": {"russia": "uk", "germany": "uk"}})
    assert judged(rule, state, world, "uk") == (True, [], (3, 3))
    assert judged(rule, state, world, "usa")[2] == (1, 3)


@pytest.mark.rule("G40-POL-04", "G40-POL-06", "MX18-06")
def test_politics_can_be_said() -> None:
    """A Soviet declaration is open from round four, or once an Axis power has taken London."""
    rule = {
        "any": [
            {"from_round": 4},
            {"captured": "axis", "of": ["united-kingdom"]},
            {"declared_war": "germany", "on": "ussr"},
        ]
    }
    world = GLOBAL
    assert not judged(rule, patched_state(world, {"round": 3}), world)[0]
    assert judged(rule, patched_state(world, {"round": 4}), world)[0]
    london = msgspec.structs.replace(patched_state(world, {}), history=("captured italy united-kingdom",))
    assert judged(rule, london, world)[0]
