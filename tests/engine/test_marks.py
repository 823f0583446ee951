"""Lasting marks on single units: what they change, how they last, how orders name them."""

from __future__ import annotations

import pytest

from sandtable.archive import snapshot
from sandtable.archive.cases import marked_units, unmet
from sandtable.engine.facts import type_of
from sandtable.engine.game import Game
from sandtable.engine.state import Piece
from sandtable.errors import NotationError, Refusal, SaveError
from sandtable.notation import format_order, parse_order
from sandtable.world.profiles import marks_of_new
from support.house_rules import house_game, house_world

WORLD = house_world(
    technologies={
        "jet-power": {"marks_units": True},
        "long-range-aircraft": {"marks_units": True},
        "rockets": {"marks_units": True},
    },
    marks={"leader": {"units": {"infantry": {"attack": 3, "defense": 4}, "*": {"hits": 2}}}},
)
POSITION = {
    "units": {
        "germany": {"germany": {"fighter": 3, "infantry": 2}},
        "karelia-ssr": {"ussr": {"infantry": 2}},
        "eastern-europe": {"germany": {"infantry": 1}},
    },
    "marks": {"germany": {"germany": {"fighter": [["jet-power"], ["jet-power", "long-range-aircraft"]]}}},
    "turn": "germany",
    "phase": "combat-move",
}


def fighters(game: Game, space: str) -> list[tuple[tuple[str, ...], int]]:
    return sorted((p.marks, n) for p, n in game.state.at(space).items() if p.type == "fighter")


def test_a_piece_is_what_its_marks_make_it() -> None:
    """The power has the development, but only marked planes have the advantage; each mark counts for itself."""
    state = house_game(WORLD, {**POSITION, "technologies": {"germany": ["jet-power", "long-range-aircraft"]}}, []).state
    plain, jet, both = (
        Piece("germany", "fighter", marks=m) for m in ((), ("jet-power",), ("jet-power", "long-range-aircraft"))
    )
    assert [(type_of(WORLD, state, p).defense, type_of(WORLD, state, p).move) for p in (plain, jet, both)] == [
        (4, 4),
        (5, 4),
        (5, 6),
    ]
    leader = Piece("germany", "infantry", marks=("leader",))
    assert (type_of(WORLD, state, leader).attack, type_of(WORLD, state, leader).hits) == (3, 2)


def test_without_brackets_the_least_marked_are_meant() -> None:
    game = house_game(WORLD, POSITION, [])
    game.play("move 1 fighter: germany -> karelia-ssr")
    assert fighters(game, "karelia-ssr") == [((), 1)]
    game.play("move 1 fighter: germany -> karelia-ssr")
    assert fighters(game, "karelia-ssr") == [((), 1), (("jet-power",), 1)]


def test_marks_in_brackets_name_just_that_unit() -> None:
    game = house_game(WORLD, POSITION, [])
    with pytest.raises(Refusal, match="There is no German fighter"):
        game.play("move 1 fighter[long-range-aircraft]: germany -> karelia-ssr")
    game.play("move 1 fighter[long-range-aircraft,jet-power]: germany -> karelia-ssr")
    assert fighters(game, "karelia-ssr") == [(("jet-power", "long-range-aircraft"), 1)]
    game.play("move 1 fighter[]: germany -> karelia-ssr")
    assert ((), 1) in fighters(game, "karelia-ssr")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("casualties 1 infantry[leader]", "casualties 1 infantry[leader]"),
        ("move 2 Fighter[ Long Range Aircraft , jet-power ]: germany -> ukraine-ssr",
         "move 2 fighter[jet-power,long-range-aircraft]: germany -> ukraine-ssr"),
        ("casualties 1 uk fighter[], 2 infantry", "casualties 1 uk fighter[], 2 infantry"),
        ("casualties 1 transport[leader] carrying 1 armor", "casualties 1 transport[leader] carrying 1 armor"),
    ],
)  # fmt: skip
def test_marks_are_read_and_written(text: str, written: str) -> None:
    assert format_order(parse_order(WORLD, text)) == written
    assert parse_order(WORLD, written) == parse_order(WORLD, text)


@pytest.mark.parametrize(
    "text",
    [
        "casualties 1 infantry[genius]",
        "casualties 1 infantry[leader",
        "casualties 1 infantry[leader] [leader]",
        "casualties 1 infantry[leader]x",
        "casualties 1 transport carrying 1 armor[leader]",
        f"casualties 1 infantry[{','.join(['leader'] * 21)}]",
    ],
)
def test_marks_that_make_no_sense(text: str) -> None:
    with pytest.raises(NotationError):
        parse_order(WORLD, text)


def test_marks_last() -> None:
    """Through an attack, a landing and the end of the turn."""
    game = house_game(WORLD, POSITION, [3, 6, 6, 6, 1, 6, 6])
    game.play("move 1 fighter[jet-power]: germany -> karelia-ssr")
    game.play("end")
    game.play("retreat")
    game.play("move 1 fighter: karelia-ssr -> germany")
    before = fighters(game, "germany")
    game.play("end")
    game.play("end")
    assert game.decision is not None
    assert game.decision.power != "germany"
    assert (
        fighters(game, "germany")
        == before
        == [
            ((), 1),
            (("jet-power",), 1),
            (("jet-power", "long-range-aircraft"), 1),
        ]
    )


def test_marked_casualties_are_another_choice() -> None:
    """Two infantry, one of them a leader: the owner is asked, and the leader outlives the first hit."""
    position = {**POSITION, "marks": {"karelia-ssr": {"ussr": {"infantry": [["leader"]]}}}}
    game = house_game(WORLD, position, [1, 6, 6, 6])
    game.play("move 1 infantry: eastern-europe -> karelia-ssr")
    game.play("end")
    asked = game.decision
    assert asked is not None
    assert asked.kind == "casualties"
    assert [(spec.marks, spec.count) for spec in asked.sorts] == [((), 1), (("leader",), 1)]
    assert len(list(game.legal.orders())) == 2
    unmarked = game.legal.try_out(parse_order(WORLD, "casualties 1 infantry"), game.dice)[0]
    assert {p.marks for p in unmarked.at("karelia-ssr") if p.power == "ussr"} == {("leader",)}
    game.play("casualties 1 infantry[leader]")
    assert {(p.marks, p.hits) for p in game.state.at("karelia-ssr") if p.power == "ussr"} == {((), 0), (("leader",), 1)}


def test_new_units_are_marked() -> None:
    """What is bought after the breakthrough has it, and only kinds that it is about."""
    known = frozenset({"jet-power", "rockets", "industrial-technology"})
    assert marks_of_new(WORLD, known, "fighter") == ("jet-power",)
    assert marks_of_new(WORLD, known, "infantry") == ()
    position = {
        "units": {"germany": {"germany": {"industrial-complex": 1}}},
        "technologies": {"germany": ["jet-power"]},
        "treasury": {"germany": 30},
        "turn": "germany",
        "phase": "purchase",
    }
    game = house_game(WORLD, position, [])
    for order in ("buy 1 fighter, 1 infantry", "end", "end", "end"):
        game.play(order)
    game.play("place 1 fighter, 1 infantry: germany")
    assert marked_units(game.state, "germany") == {"germany": {"fighter": [["jet-power"]]}}
    assert not unmet(game, {"marks": {"germany": {"germany": {"fighter": [["jet-power"]]}}}})
    assert unmet(game, {"marks": {"germany": {}}})


def test_only_marked_guns_fire_rockets() -> None:
    """MX17-04: an old gun stays a gun."""
    position = {
        "units": {
            "western-europe": {"germany": {"aa-gun": 1, "infantry": 1}},
            "united-kingdom": {"uk": {"industrial-complex": 1}},
        },
        "technologies": {"germany": ["rockets"]},
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(WORLD, position, [])
    game.play("end")
    assert game.decision is not None
    assert game.decision.kind == "noncombat-move"
    marked = {**position, "marks": {"western-europe": {"germany": {"aa-gun": [["rockets"]]}}}}
    game = house_game(WORLD, marked, [])
    game.play("end")
    assert game.decision is not None
    assert game.decision.kind == "rocket"


def test_marks_are_saved_and_checked() -> None:
    state = house_game(WORLD, POSITION, []).state
    data = snapshot.to_data(state)
    assert snapshot.from_data(WORLD, data) == state
    other = house_world()
    with pytest.raises(SaveError, match="names a mark that does not exist"):
        snapshot.from_data(
            other, {**data, "units": {"germany": [[1, {"power": "germany", "type": "fighter", "marks": ["genius"]}]]}}
        )


@pytest.mark.parametrize(
    "marks",
    [
        {"germany": {"germany": {"fighter": [["jet-power"]] * 4}}},
        {"germany": {"germany": {"fighter": ["jet-power"]}}},
        {"germany": {"germany": {"bomber": [["jet-power"]]}}},
        {"germany": {"germany": {"fighter": [["genius"]]}}},
    ],
)
def test_positions_with_wrong_marks(marks: object) -> None:
    with pytest.raises(NotationError):
        house_game(WORLD, {**POSITION, "marks": marks}, [])


def test_the_least_marked_go_before_those_that_have_moved() -> None:
    position = {
        "units": {"germany": {"germany": {"fighter": 1}}, "eastern-europe": {"germany": {"fighter": 1}}},
        "marks": {"eastern-europe": {"germany": {"fighter": [["jet-power"]]}}},
        "turn": "germany",
        "phase": "noncombat-move",
    }
    game = house_game(WORLD, position, [])
    game.play("move 1 fighter: eastern-europe -> germany")
    game.play("move 1 fighter: germany -> western-europe")
    assert fighters(game, "western-europe") == [((), 1)]


def test_dropped_troops_keep_their_marks() -> None:
    world = house_world("anniversary-1941", marks={"leader": {}})
    position = {
        "units": {
            "germany": {"germany": {"bomber": 1, "infantry": 1}},
            "poland": {"germany": {"armor": 1}},
            "east-poland": {"ussr": {"infantry": 1}},
        },
        "marks": {"germany": {"germany": {"infantry": [["leader"]]}}},
        "technologies": {"germany": ["paratroopers"]},
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(world, position, [1, 6, 6, 6])
    game.play("move 1 bomber, 1 infantry: germany -> east-poland as paradrop")
    game.play("move 1 armor: poland -> east-poland")
    game.play("end")
    assert marked_units(game.state, "east-poland") == {"germany": {"infantry": [["leader"]]}}


def test_submarines_that_come_up_again_keep_their_marks() -> None:
    world = house_world(technologies={"super-submarines": {"marks_units": True}})
    position = {
        "units": {"north-sea": {"uk": {"battleship": 1}}, "baltic-sea": {"germany": {"submarine": 1}}},
        "marks": {"baltic-sea": {"germany": {"submarine": [["super-submarines"]]}}},
        "turn": "uk",
        "phase": "combat-move",
    }
    game = house_game(world, position, [6, 6])
    for order in ("move 1 battleship: north-sea -> baltic-sea", "end", "submerge 1"):
        game.play(order)
    assert game.decision is not None
    assert game.decision.kind == "noncombat-move"
    assert marked_units(game.state, "baltic-sea") == {"germany": {"submarine": [["super-submarines"]]}}
