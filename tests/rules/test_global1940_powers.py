"""Research, pilots and special powers of Global 1940: what case files cannot ask about."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.archive import saves, snapshot
from sandtable.archive.game import Game as SavedGame
from sandtable.archive.position import patched_state
from sandtable.engine import pilots, visible
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import ProjectAdvanced, TechGained
from sandtable.engine.game import Game
from sandtable.errors import DataError, Refusal
from sandtable.notation.orders import Research
from sandtable.world.compile import compile_world
from sandtable.world.library import open_edition


def game_at(dice: tuple[int, ...] = (), options: dict[str, Any] | None = None, **position: Any) -> Game:
    world = compile_world("global-1940", options or {})
    return Game(world, dice=ScriptedDice(dice), start=patched_state(world, position))


# ---------------------------------------------------------------- blind research


BLIND = {"blind_research": True, "pilot_experience": False}


@pytest.mark.rule("G40-RES-08")
def test_others_see_how_far_a_project_is_but_not_what_it_is() -> None:
    game = game_at((3, 4), BLIND, turn="germany", phase="purchase")
    game.play("research rockets")
    game.play("research radar")
    world, state = game.world, game.state
    assert visible.seen_state(world, state, ("germany",)).projects == {"germany": {"rockets": 3, "radar": 4}}
    for seers in (("uk", "usa"), ()):
        seen = visible.seen_state(world, state, seers)
        assert seen.projects == {"germany": {"A": 3, "B": 4}}
        assert "radar" not in repr(seen)
        assert "rockets" not in repr(seen)
    events = [visible.seen_event(world, state, event, ("uk",)) for event in game.events]
    assert [e.technology for e in events if isinstance(e, ProjectAdvanced)] == ["A", "B"]
    order = Research(technology="radar")
    assert visible.seen_order(world, state, order, "germany", ("uk",)) == Research(technology="B")
    assert visible.seen_order(world, state, order, "germany", ("germany",)) == order


@pytest.mark.rule("G40-RES-08")
def test_letters_stay_when_a_project_is_published() -> None:
    game = game_at((3, 1), BLIND, projects={"germany": {"rockets": 16, "radar": 4}}, turn="germany", phase="purchase")
    game.play("research rockets")  # developed: everybody hears its name
    assert any(isinstance(event, TechGained) and event.technology == "rockets" for event in game.events)
    seen = visible.seen_state(game.world, game.state, ("uk",))
    assert seen.techs["germany"] == {"rockets"}
    assert seen.projects == {"germany": {"B": 4}}


@pytest.mark.rule("G40-RES-08")
def test_without_the_option_nothing_is_hidden() -> None:
    game = game_at((3,), {"pilot_experience": False}, turn="germany", phase="purchase")
    game.play("research rockets")
    assert visible.seen_state(game.world, game.state, ()) is game.state


@pytest.mark.rule("G40-RES-08", "G40-RES-32")
def test_intelligence_uncovers_the_project_that_is_furthest() -> None:
    position = {
        "projects": {"uk": {"rockets": 4, "radar": 10}},
        "technologies": {"germany": ["intelligence"]},
        "turn": "germany",
        "phase": "combat-move",
    }
    game = game_at((), BLIND, clear="all", **position)
    with pytest.raises(Refusal):
        game.play("sabotage uk radar")  # nobody knows that there is such a project
    game.play("reveal uk")
    assert visible.seen_state(game.world, game.state, ()).projects == {"uk": {"A": 4, "radar": 10}}
    with pytest.raises(Refusal) as refused:
        game.play("sabotage uk radar")  # once a turn
    assert "G40-RES-32" in refused.value.rules


# ---------------------------------------------------------------- pilots


@pytest.mark.rule("G40-PIL-08")
def test_on_a_tie_the_better_pilots_lead_the_flight() -> None:
    game = game_at((), pilots={"uk": 1, "france": -1}, turn="germany", phase="combat-move")
    assert pilots.flight_modifier(game.world, game.state, {"uk": 2, "france": 2}) == 1
    assert pilots.flight_modifier(game.world, game.state, {"uk": 2, "france": 4}) == -1


@pytest.mark.rule("G40-PIL-06")
def test_three_unpaid_turns_more() -> None:
    game = game_at((), pilots={"italy": -1}, turn="italy", phase="purchase")
    for level in (-2, -3, -3):
        start = msgspec.structs.replace(game.start, pilots={"italy": pilots.level(game.world, game.state, "italy")})
        game = Game(game.world, start=start, dice=ScriptedDice(()))
        game.play("stay")
        assert pilots.level(game.world, game.state, "italy") == level


# ---------------------------------------------------------------- weapons


@pytest.mark.rule("G40-UNI-23", "G40-RES-25")
def test_an_unused_bomb_is_kept_and_the_next_one_may_be_made() -> None:
    game = game_at(
        (),
        {"pilot_experience": False},
        at_war=[["usa", "japan"]],
        technologies={"usa": ["atomic-bomb"]},
        treasury={"usa": 70},
        turn="usa",
        phase="purchase",
    )
    game.play("buy 1 atomic-bomb")
    state = msgspec.structs.replace(game.state, bought={}, phase=0)
    later = Game(game.world, start=state, dice=ScriptedDice(()))
    later.play("buy 1 atomic-bomb")
    assert later.state.reserve == {"usa": {"atomic-bomb": 2}}
    assert not later.state.pool  # nothing to place


@pytest.mark.rule("G40-RES-40", "G40-UNI-22")
def test_commandos_who_come_back_wait_in_reserve() -> None:
    game = game_at(
        (1, 2, 5, 1, 6, 6, 6),
        {"pilot_experience": False},
        clear="all",
        units={
            "united-kingdom": {"uk": {"minor-complex": 1}},
            "normandy-bordeaux": {"germany": {"naval-base": 1, "infantry": 3, "armor": 1}},
        },
        control={"normandy-bordeaux": "germany"},
        technologies={"uk": ["commandos"]},
        turn="uk",
        phase="purchase",
    )
    for order in ("buy 3 commando", "end", "end"):
        game.play(order)
    game.play("commando 3: united-kingdom -> normandy-bordeaux naval-base")
    assert game.state.reserve == {"uk": {"commando": 2}}
    assert not any(p.type == "commando" for stack in game.state.units.values() for p in stack)


@pytest.mark.rule("G40-RES-39")
def test_commandos_hit_ships_and_transports_last() -> None:
    game = game_at(
        (1, 2, 5),
        {"pilot_experience": False},
        clear="all",
        units={
            "united-kingdom": {"uk": {"minor-complex": 1}},
            "sz-105": {"germany": {"cruiser": 1, "battleship": 1, "transport": 1}},
        },
        control={"normandy-bordeaux": "germany"},
        technologies={"uk": ["commandos"]},
        turn="uk",
        phase="purchase",
    )
    for order in ("buy 3 commando", "end", "end", "commando 3: united-kingdom -> sz-105"):
        game.play(order)
    question = game.decision
    assert question is not None
    assert (question.power, question.count) == ("germany", 2)
    with pytest.raises(Refusal):
        game.play("casualties 1 transport, 1 cruiser")
    game.play("casualties 2 battleship")  # two hits sink it
    assert {p.type for p in game.state.at("sz-105")} == {"cruiser", "transport"}


# ---------------------------------------------------------------- secret services


@pytest.mark.rule("G40-RES-33", "G40-RES-34")
def test_a_contested_redeployment_goes_on_or_not() -> None:
    position = {
        "clear": "all",
        "units": {"sz-101": {"usa": {"destroyer": 2}}},
        "at_war": [["usa", "germany"]],
        "technologies": {"usa": ["intelligence"], "germany": ["intelligence"], "italy": ["intelligence"]},
        "turn": "usa",
        "phase": "noncombat-move",
    }
    order = "move 2 destroyer: sz-101 -> sz-102 -> sz-103 -> sz-104 -> sz-110 as redeploy"
    for dice, there in (((3, 3), 2), ((3, 4), 0)):
        game = game_at(dice, **position)
        game.play(order)
        assert game.decision is not None
        assert game.decision.power == "germany"  # the first enemy in turn order
        data = snapshot.to_data(game.state)
        assert snapshot.from_data(game.world, data) == game.state  # the question can be stored
        game.play("contest")
        assert sum(game.state.at("sz-110").values()) == there
        start = "sz-110" if there else "sz-101"
        reached = game.legal.destinations(start, "destroyer")
        assert bool(reached) is not bool(there)  # a surprise is the whole move of a unit


# ---------------------------------------------------------------- special powers


@pytest.mark.rule("G40-SPC-05")
def test_a_complex_whose_place_is_lost_may_be_put_down_elsewhere() -> None:
    game = game_at((), at_war=[["germany", "ussr"]], turn="ussr", phase="noncombat-move")
    game.play("relocate minor-complex: ukraine -> urals")
    lost = {**game.state.owners, "urals": "germany"}
    phase = game.world.phases.index("mobilize")
    state = msgspec.structs.replace(game.state, round=2, owners=lost, start_owners=lost, phase=phase)
    later = Game(game.world, start=state, dice=ScriptedDice(()))
    assert later.state.moving  # it waits
    with pytest.raises(Refusal):
        later.play("relocate minor-complex: urals -> volgograd")  # has one
    later.play("relocate minor-complex: urals -> samara")
    assert any(p.type == "minor-complex" for p in later.state.at("samara"))
    assert later.state.worth == {"samara": 3}


@pytest.mark.rule("G40-SPC-05", "G40-SPC-08")
def test_damage_travels_along_and_is_repaired_with_the_upgrade() -> None:
    position = {"damage": {"volgograd": {"minor-complex": 2}}, "at_war": [["germany", "ussr"]]}
    game = game_at((), {"pilot_experience": False}, turn="ussr", phase="noncombat-move", **position)
    game.play("relocate minor-complex: volgograd -> urals")
    assert not game.state.damage
    state = msgspec.structs.replace(game.state, round=2, phase=0)
    later = Game(game.world, start=state, dice=ScriptedDice(()))
    later.play("upgrade urals")
    assert later.state.treasury["ussr"] == 37 - 10 - 2
    for order in ("end", "end", "end"):
        later.play(order)
    assert any(p.type == "major-complex" for p in later.state.at("urals"))
    assert not later.state.damage


@pytest.mark.rule("G40-SPC-22")
def test_american_complexes_are_made_better_once_only() -> None:
    game = game_at((), at_war=[["japan", "usa"]], turn="usa", phase="combat-move")
    here = game.state.at("western-united-states")
    assert any(p.type == "major-complex" for p in here)
    poorer = {
        msgspec.structs.replace(p, type="minor-complex") if p.type == "major-complex" else p: n for p, n in here.items()
    }
    units = {**game.state.units, "western-united-states": poorer}
    again = Game(game.world, start=msgspec.structs.replace(game.state, units=units), dice=ScriptedDice(()))
    assert any(p.type == "minor-complex" for p in again.state.at("western-united-states"))


@pytest.mark.rule("G40-SPC-32")
def test_the_french_line_never_comes_back() -> None:
    game = game_at(
        (6, 6),
        clear="all",
        units={"western-germany": {"germany": {"infantry": 1}}, "holland-belgium": {"germany": {"infantry": 1}}},
        turn="germany",
        phase="combat-move",
    )
    game.play("move 1 infantry: holland-belgium -> france")
    game.play("end")
    assert game.state.owners["france"] == "germany"
    french = {**game.state.owners, "france": "france"}
    units = {"western-germany": dict(game.start.units["western-germany"])}
    phase = game.world.phases.index("combat-move")
    state = msgspec.structs.replace(game.state, owners=french, start_owners=french, units=units, phase=phase)
    freed = Game(game.world, start=state, dice=ScriptedDice(()))
    freed.play("move 1 infantry: western-germany -> france")
    freed.play("end")
    assert freed.state.owners["france"] == "germany"  # nothing bars the way
    assert not any(p.type == "fortification" for p in freed.state.at("france"))


def test_what_is_new_can_be_saved(tmp_path: Path) -> None:
    game = SavedGame.new("global-1940", options={"blind_research": True}, seed=5)
    for order in ("train up", "research intelligence", "research commandos", "buy 1 infantry", "end"):
        game.play(order)
    saves.save(game, tmp_path / "game.sandtable")
    again = saves.load(tmp_path / "game.sandtable")
    assert again.state.digest() == game.state.digest()
    assert again.state.projects == game.state.projects


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("powers.yaml", "to: russia", "to: rusia", "powers.ussr.special.transfer: unknown space 'rusia'"),
        ("powers.yaml", "before: usa", "before: us", "powers.japan.special.surprise: unknown power 'us'"),
        ("powers.yaml", "becomes: major-complex", "becomes: mayor-complex", "unknown unit 'mayor-complex'"),
        ("units.yaml", "needs: jet-fighters", "needs: jets", "units.jet-fighter.needs: unknown technology 'jets'"),
        ("units.yaml", "mark: anti-tank", "mark: tanks", "units.aa-gun.anti_tank: unknown mark 'tanks'"),
        ("technologies.yaml", "progress: [1, 1", "progress: [0, 1", "technologies.atomic-bomb.progress"),
    ],
)
def test_wrong_names_in_the_data_are_told(tmp_path: Path, file: str, old: str, new: str, problem: str) -> None:
    folder = tmp_path / "mine"
    with as_file(files("sandtable") / "data" / "global1940") as source:
        shutil.copytree(source, folder)
    text = (folder / file).read_text("utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(DataError) as error:
        open_edition(folder)
    assert any(problem in line for line in error.value.problems), error.value.problems


# ---------------------------------------------------------------- planes without a base


@pytest.mark.rule("G40-NCM-09")
def test_planes_of_lost_land_are_not_said_to_come_from_a_carrier() -> None:
    game = game_at(
        (3, 6, 6, 6, 6),
        clear="all",
        units={"poland": {"germany": {"armor": 2}}, "eastern-poland": {"ussr": {"infantry": 1, "fighter": 2}}},
        at_war=[["germany", "ussr"]],
        turn="germany",
        phase="combat-move",
    )
    for order in ("move 2 armor: poland -> eastern-poland", "end", "casualties 1 infantry"):
        game.play(order)
    with pytest.raises(Refusal, match="where 2 fighters without a base in Eastern Poland go"):
        game.play("end")


def test_an_order_out_of_place_is_called_by_its_name() -> None:
    game = game_at(options={"pilot_experience": False}, turn="germany", phase="purchase")
    with pytest.raises(Refusal, match="The training of pilots is not possible now"):
        game.play("train up")
