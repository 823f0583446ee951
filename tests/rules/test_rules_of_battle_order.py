"""What comes before what in a battle, and whose dice are whose: read from the events, which cases cannot see."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.engine.battle.fire import columns
from sandtable.engine.battle.forces import attackers
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import (
    BattleEnded,
    BattleOpened,
    CasualtiesChosen,
    Landed,
    Lost,
    Rolled,
    RoundBegan,
    SupportGiven,
    Withdrew,
)
from sandtable.engine.game import Game
from sandtable.engine.run import Run
from sandtable.world.model import World


def battle_game(world: World, power: str, units: dict[str, Any], dice: list[int], **more: Any) -> Game:
    patch = {"clear": "all", "units": units, "turn": power, "phase": "combat-move", **more}
    return Game(world, start=patched_state(world, patch), dice=ScriptedDice(dice))


def rolls(game: Game) -> list[Rolled]:
    return [e for e in game.events if isinstance(e, Rolled)]


@pytest.mark.rule("CL-CMB-05")
def test_attackers_dice_before_defenders_in_every_round(classic_world: World) -> None:
    units = {"germany": {"germany": {"infantry": 2}}, "eastern-europe": {"ussr": {"infantry": 2}}}
    dice = [6, 6, 6, 6] * 2 + [1, 1, 6, 6]
    game = battle_game(classic_world, "germany", units, dice, control={"eastern-europe": "ussr"})
    game.play("move 2 infantry: germany -> eastern-europe")
    game.play("end")
    while game.decision is not None and game.decision.kind == "retreat":
        game.play("press")
    assert [e.reason for e in rolls(game)] == ["attack", "defense"] * 3
    assert sum(isinstance(e, RoundBegan) for e in game.events) == 2


@pytest.mark.rule("CL-CMB-07")
def test_fifteen_dice_in_throws_of_twelve_and_three(classic_world: World) -> None:
    units = {"germany": {"germany": {"infantry": 15}}, "eastern-europe": {"ussr": {"infantry": 15}}}
    faces = [6] * 7 + [1] * 8
    game = battle_game(classic_world, "germany", units, faces + [6] * 15, control={"eastern-europe": "ussr"})
    game.play("move 15 infantry: germany -> eastern-europe")
    game.play("end")
    volley = rolls(game)[0]
    assert volley.shooters == (("germany", "infantry", 15),)
    assert [len(throw) for throw in volley.throws] == [12, 3]
    assert sum(volley.throws, ()) == volley.faces == tuple(faces)
    assert volley.hits == 8


@pytest.mark.rule("CL-NCB-01", "CL-SUB-01")
def test_sequence_of_a_sea_round(classic_world: World) -> None:
    """Submarines fire, their victims go; other attackers, defenders; casualties go; then submarines may leave."""
    units = {
        "north-sea": {"uk": {"submarine": 1, "battleship": 1}},
        "baltic-sea": {"germany": {"submarine": 2, "battleship": 2}},
    }
    dice = [1, 4, 6, 6, 6]
    game = battle_game(classic_world, "uk", units, dice)
    game.play("move 1 submarine, 1 battleship: north-sea -> baltic-sea")
    game.play("end")
    game.play("casualties 1 submarine")
    game.play("casualties 1 battleship")
    kinds = [type(e) for e in game.events if isinstance(e, Rolled | Lost | CasualtiesChosen | Withdrew | BattleOpened)]
    assert kinds == [BattleOpened, Rolled, CasualtiesChosen, Lost, Rolled, CasualtiesChosen, Rolled, Rolled, Lost]
    shots = rolls(game)
    assert [(e.reason, e.shooters[0][1]) for e in shots] == [
        ("attack", "submarine"), ("attack", "battleship"), ("defense", "submarine"), ("defense", "battleship"),
    ]  # fmt: skip
    losses = [e for e in game.events if isinstance(e, Lost)]
    assert [(e.reason, e.units[0][0].type) for e in losses] == [("first-shot", "submarine"), ("battle", "battleship")]
    assert shots[-2].shooters == (("germany", "submarine", 1),), "the submarine that was hit first does not reply"
    assert shots[-1].shooters == (("germany", "battleship", 2),), "the battleship that was hit does"
    assert game.decision is not None
    assert (game.decision.kind, game.decision.power) == ("submarines", "uk")


@pytest.mark.rule("CL-AMP-07", "CL-AMP-01", "CL-AMP-03")
def test_sequence_of_a_supported_assault(classic_world: World) -> None:
    units = {
        "united-kingdom": {"uk": {"infantry": 2}},
        "north-sea": {"uk": {"battleship": 1, "transport": 1}},
        "western-europe": {"germany": {"infantry": 3}},
    }
    game = battle_game(classic_world, "uk", units, [1, 6, 6, 1, 1, 6])
    game.play("move 2 infantry: united-kingdom -> north-sea -> western-europe")
    game.play("end")
    opened = next(e.battle for e in game.events if isinstance(e, BattleOpened))
    assert opened.shores == ("north-sea",), "the battle knows that it is an assault from the sea"
    order = [
        (type(e).__name__, e.reason if isinstance(e, Rolled) else "")
        for e in game.events
        if isinstance(e, Landed | SupportGiven | Rolled | CasualtiesChosen)
    ]
    assert order == [
        ("Landed", ""), ("Landed", ""),
        ("SupportGiven", ""), ("Rolled", "support"), ("CasualtiesChosen", ""),
        ("Rolled", "attack"), ("Rolled", "defense"), ("CasualtiesChosen", ""),
    ]  # fmt: skip
    assert rolls(game)[0].shooters == (("uk", "battleship", 1),)
    assert rolls(game)[2].shooters == (("germany", "infantry", 3),), "the unit hit by the support shot still fires"


@pytest.mark.rule("CL-AMP-01")
def test_an_attack_over_land_is_no_assault(classic_world: World) -> None:
    units = {"germany": {"germany": {"infantry": 2}}, "eastern-europe": {"ussr": {"infantry": 1}}}
    game = battle_game(classic_world, "germany", units, [1, 6, 6], control={"eastern-europe": "ussr"})
    game.play("move 2 infantry: germany -> eastern-europe")
    game.play("end")
    opened = next(e.battle for e in game.events if isinstance(e, BattleOpened))
    assert opened.shores == ()


@pytest.mark.rule("CL-MPF-04", "CL-TEC-13")
def test_each_defender_rolls_by_its_own_numbers(classic_world: World) -> None:
    """A British fighter with Jet Power defends at 5, an American at 4; the dice tell whose they are."""
    units = {
        "germany": {"germany": {"armor": 4}},
        "western-europe": {"uk": {"fighter": 1}, "usa": {"fighter": 1}},
    }
    game = battle_game(
        classic_world, "germany", units, [6, 6, 6, 6, 5, 5],
        control={"western-europe": "uk"}, technologies={"uk": ["jet-power"]},
    )  # fmt: skip
    game.play("move 4 armor: germany -> western-europe")
    game.play("end")
    defence = [e for e in rolls(game) if e.reason == "defense"]
    assert [(e.needed, e.shooters, e.hits) for e in defence] == [
        (4, (("usa", "fighter", 1),), 0),
        (5, (("uk", "fighter", 1),), 1),
    ]


@pytest.mark.rule("CL3-MPF-02", "CL-MPF-04")
def test_joint_defenders_roll_one_group(classic_world: World) -> None:
    units = {
        "germany": {"germany": {"armor": 4}},
        "western-europe": {"uk": {"infantry": 1}, "ussr": {"infantry": 1}},
    }
    game = battle_game(classic_world, "germany", units, [6, 6, 6, 6, 2, 3], control={"western-europe": "uk"})
    game.play("move 4 armor: germany -> western-europe")
    game.play("end")
    (defence,) = [e for e in rolls(game) if e.reason == "defense"]
    assert sorted(defence.shooters) == [("uk", "infantry", 1), ("ussr", "infantry", 1)]
    assert (defence.needed, defence.hits, len(defence.faces)) == (2, 1, 2)


@pytest.mark.rule("CL3-CMB-03")
def test_attacking_transports_stand_in_column_zero(classic_world: World) -> None:
    """The transport takes part and may be lost, but no column rolls for it."""
    units = {
        "north-sea": {"uk": {"battleship": 1, "transport": 1}},
        "baltic-sea": {"germany": {"battleship": 1, "transport": 1}},
    }
    game = battle_game(classic_world, "uk", units, [6, 6, 1])
    game.play("move 1 battleship, 1 transport: north-sea -> baltic-sea")
    game.play("end")
    assert [e.shooters for e in rolls(game) if e.reason == "attack"] == [(("uk", "battleship", 1),)]
    question = game.decision
    assert question is not None
    assert question.units == (("uk", "transport", 1), ("uk", "battleship", 1))
    battle = game.state.battle
    assert battle is not None
    force = attackers(classic_world, game.state, battle)
    assert sorted(p.type for p in force) == ["battleship", "transport"]
    run = Run(classic_world, game.state, ScriptedDice(()))
    assert [value for value, _ in columns(run, "attack", force)] == [4], "zero is no column that rolls"
    game.play("casualties 1 transport")
    assert not any(p.type == "transport" and p.power == "uk" for p in game.state.at("baltic-sea"))


@pytest.mark.rule("CL-SBR-01")
def test_a_raid_is_offered_to_bombers_only(classic_world: World) -> None:
    units = {
        "united-kingdom": {"uk": {"bomber": 1, "fighter": 1}},
        "germany": {"germany": {"infantry": 1, "industrial-complex": 1}},
        "western-europe": {"germany": {"infantry": 1}},
    }
    game = battle_game(classic_world, "uk", units, [])
    assert set(game.legal.destinations("united-kingdom", "bomber", "raid")) == {"germany"}
    assert game.legal.destinations("united-kingdom", "fighter", "raid") == {}
    roles = {(m.units[0].type, m.role, m.route[-1]) for m in game.legal.moves()}
    assert ("bomber", "raid", "germany") in roles
    assert ("bomber", None, "germany") in roles
    assert not any(unit == "fighter" and role for unit, role, _ in roles)


@pytest.mark.rule("CL-SBR-01", "CL-SBR-04")
def test_a_raid_takes_the_place_of_a_battle(classic_world: World) -> None:
    units = {
        "united-kingdom": {"uk": {"bomber": 2}},
        "germany": {"germany": {"infantry": 1, "industrial-complex": 1}},
    }
    game = battle_game(classic_world, "uk", units, [3, 6], treasury={"germany": 20})
    game.play("move 2 bomber: united-kingdom -> germany as raid")
    game.play("end")
    assert [e.reason for e in rolls(game)] == ["raid"]
    assert game.state.treasury["germany"] == 11
    (ended,) = [e for e in game.events if isinstance(e, BattleEnded)]
    assert (ended.kind, ended.result) == ("raid", "raid")
    assert game.decision is not None
    assert game.decision.kind == "noncombat-move"
