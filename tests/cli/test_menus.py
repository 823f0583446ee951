"""Every numbered answer is legal, in all the positions that random games come to."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sandtable.archive.position import patched_state
from sandtable.cli import console
from sandtable.cli.terminal.commands import COMMANDS
from sandtable.cli.terminal.completion import suggestions
from sandtable.cli.terminal.menu import Choice, Menu, print_menu, question_menu
from sandtable.cli.terminal.narrator import Narrator
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.notation import parse_order
from sandtable.world.compile import compile_world


def leaves(menu: Menu, rng: random.Random) -> Iterator[Choice]:
    """Every order of the menu, and those of some of its sub-menus."""
    deeper = [choice for choice in menu.choices if choice.menu is not None]
    yield from (choice for choice in menu.choices if choice.order)
    for choice in rng.sample(deeper, min(2, len(deeper))):
        assert choice.menu is not None
        below = choice.menu()
        assert below.choices, choice.label.plain
        yield from leaves(below, rng)


@pytest.mark.parametrize(("seed", "options"), [(1, {}), (2, {"second_edition": True})])
def test_menus_offer_legal_orders_only_and_the_story_can_be_told(
    seed: int, options: dict[str, bool], capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game.new("classic-1942", seed=seed, options=options)
    rng = random.Random(seed)
    out = console.output()
    narrator = Narrator(out, game.world)
    kinds = set()
    while game.decision is not None and game.state.round < 2:
        kinds.add(game.decision.kind)
        menu = question_menu(game)
        print_menu(out, menu)
        assert menu.choices
        found = list(leaves(menu, rng))
        for choice in rng.sample(found, min(3, len(found))):
            order = parse_order(game.world, choice.order)
            assert game.legal.why_not(order) is None, choice.order
        assert suggestions(game, "", COMMANDS)
        before = game.state
        events = game.play(game.legal.sample(rng))
        narrator.tell(before, events)
    assert {"purchase", "combat-move", "battle", "casualties", "retreat", "noncombat-move", "mobilize"} <= kinds
    assert "Battle of" in capsys.readouterr().out


def position(**fields: object) -> Game:
    world = compile_world("classic-1942")
    dice = fields.pop("dice", [])
    assert isinstance(dice, list)
    return Game(world, start=patched_state(world, {"clear": "all", **fields}), dice=ScriptedDice(dice))


def texts(menu: Menu) -> list[str]:
    return [choice.label.plain for choice in menu.choices]


def test_rockets_are_asked_with_gun_and_target() -> None:
    game = position(
        units={
            "western-europe": {"germany": {"aa-gun": 1}},
            "united-kingdom": {"uk": {"industrial-complex": 1, "infantry": 1}},
        },
        technologies={"germany": ["rockets"]},
        turn="germany",
        phase="combat-move",
    )
    game.play("end")
    assert game.decision is not None
    assert game.decision.kind == "rocket"
    menu = question_menu(game)
    assert "fire a rocket from Western Europe?" in menu.title.plain
    assert texts(menu) == [
        "rocket western-europe -> united-kingdom  Fire a rocket from Western Europe at United Kingdom",
        "stay  Fire none",
    ]


def test_a_transport_takes_no_more_than_it_can() -> None:
    game = position(
        units={"united-kingdom": {"uk": {"infantry": 5}}, "north-sea": {"uk": {"transport": 1}}},
        turn="uk",
        phase="combat-move",
    )
    menu = question_menu(game)
    below = menu.choices[0].menu
    assert below is not None
    boarding = next(c for c in below().choices if "North Sea" in c.label.plain)
    assert boarding.menu is not None
    assert texts(boarding.menu()) == ["1 of 5", "2 of 5"]


def test_a_raid_and_an_attack_are_two_answers() -> None:
    game = position(
        units={
            "united-kingdom": {"uk": {"bomber": 1}},
            "germany": {"germany": {"industrial-complex": 1, "infantry": 1}},
        },
        turn="uk",
        phase="combat-move",
    )
    menu = question_menu(game).choices[0].menu
    assert menu is not None
    orders = [choice.order for choice in menu().choices]
    assert any(o.endswith("germany") for o in orders)
    assert any(o.endswith("germany as raid") for o in orders)


def test_neutral_land_tells_its_price() -> None:
    game = position(units={"caucasus": {"ussr": {"infantry": 1}}}, turn="ussr", phase="combat-move")
    menu = question_menu(game).choices[0].menu
    assert menu is not None
    assert any("Turkey  neutral: costs 3" in text for text in texts(menu()))


def test_many_casualties_are_typed() -> None:
    game = position(
        units={
            "libya": {"germany": {"armor": 9}},
            "anglo-egypt-sudan": {"uk": {"infantry": 6, "armor": 6, "fighter": 6, "bomber": 6}},
        },
        turn="germany",
        phase="combat-move",
        dice=[1, 1, 1, 1, 1, 1, 1, 1, 1],
    )
    game.play("move 9 armor: libya -> anglo-egypt-sudan")
    game.play("end")
    menu = question_menu(game)
    assert len(menu.choices) == 24
    assert "There are more possibilities" in menu.note


def test_planes_break_off() -> None:
    game = position(
        units={
            "libya": {"germany": {"fighter": 2}},
            "algeria": {"germany": {"infantry": 1}},
            "anglo-egypt-sudan": {"uk": {"infantry": 2}},
        },
        turn="germany",
        phase="combat-move",
        dice=[6, 6, 6, 6],
    )
    game.play("move 2 fighter: libya -> anglo-egypt-sudan")
    game.play("end")
    assert texts(question_menu(game)) == ["press  Press the attack", "retreat  Let the planes break off"]


def test_fighters_of_a_sunken_carrier_are_asked_for_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    world = compile_world("anniversary-1941")
    units = {"sz-9": {"germany": {"submarine": 2}}, "sz-10": {"usa": {"carrier": 1, "fighter": 2}}}
    patch = {"clear": "all", "units": units, "turn": "germany", "phase": "combat-move"}
    game = Game(world, dice=ScriptedDice([2, 6]), start=patched_state(world, patch))
    for order in ("move 2 submarine: sz-9 -> sz-10", "end", "stay"):
        game.play(order)
    menu = question_menu(game)
    print_menu(console.output(), menu)
    told = " ".join(capsys.readouterr().out.split())
    assert "the carrier is sunk. Where do 2 fighters over Sea Zone 10 go, Eastern United States or Panama?" in told
    assert [choice.order for choice in menu.choices][:2] == [
        "move 2 fighter: sz-10 -> eastern-united-states",
        "move 2 fighter: sz-10 -> panama",
    ]
