"""Opponents and odds in editions that nobody has told them of: a step of one's own, other dice, other abilities.

What is to be done is written in docs/how-to/add-a-house-rule.md; it used to make the odds, and with them the bots,
raise an error.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.bots import make
from sandtable.bots.battles import RUNS, army, expect
from sandtable.engine.battle.casualties import settle
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.steps import STEPS, Step
from sandtable.engine.game import Game
from sandtable.engine.run import Run
from sandtable.engine.start import starting_state
from sandtable.engine.state import State
from sandtable.odds import odds, odds_of_battle
from sandtable.world.compile import compile_world
from sandtable.world.model import World

CLASSIC = compile_world("classic-1942")
ANNIVERSARY = compile_world("anniversary-1942")
LAND = ("3 infantry, 1 fighter", "2 infantry")


def coastal_guns(run: Run) -> bool:
    """Battleships of either side fire at the attackers of land beside their zone, once."""
    battle = run.battle
    if battle.column < 0:
        ships = [
            Shooter(piece.power, piece.type, n)
            for zone in run.world.sea[battle.space]
            for piece, n in run.state.at(zone).items()
            if piece.type == "battleship" and piece.power != battle.attacker
        ]
        run.note(column=1, hits=roll_volley(run, "defense", 4, ships) if ships else ())
    return settle(run, "attack", "battle")


@pytest.fixture
def with_coastal_guns(monkeypatch: pytest.MonkeyPatch) -> Any:
    """An edition with the step of the how-to in its land battles."""
    monkeypatch.setitem(STEPS, "coastal-guns", Step(coastal_guns, "Coastal guns", once=True, fate="battle"))

    def make_world(world: World) -> World:
        steps = list(world.battles["land"].steps)
        steps.insert(steps.index("support-shot") + 1, "coastal-guns")
        land = msgspec.structs.replace(world.battles["land"], steps=tuple(steps))
        return msgspec.structs.replace(world, battles={**world.battles, "land": land})

    return make_world


def changed(world: World, rules: dict[str, Any] | None = None, **units: dict[str, Any]) -> World:
    made = {u: msgspec.structs.replace(t, **units.get(u, {})) for u, t in world.units.items()}
    return msgspec.structs.replace(world, units=made, rules=msgspec.structs.replace(world.rules, **(rules or {})))


HOUSE_RULES: dict[str, World] = {
    "dice with twelve faces": changed(CLASSIC, {"dice_sides": 12}),
    "armor takes two hits": changed(CLASSIC, armor={"hits": 2}),
    "planes take two hits, Anniversary": changed(ANNIVERSARY, fighter={"hits": 2}),
    "an ability without a name": changed(CLASSIC, infantry={"traits": {"brave": True}}),
}


def test_the_odds_of_the_how_to(with_coastal_guns: Callable[[World], World]) -> None:
    world = with_coastal_guns(CLASSIC)
    paper = odds(world, *LAND, runs=200, seconds=None)
    assert (paper.method, paper.runs) == ("played out", 200)
    state = patched_state(
        world,
        {
            "clear": "all",
            "turn": "germany",
            "phase": "combat-move",
            "units": {
                "eastern-europe": {"germany": {"infantry": 3, "fighter": 1}},
                "karelia-ssr": {"ussr": {"infantry": 2}},
                "karelia-sea": {"uk": {"battleship": 3}},
            },
        },
    )
    game = Game(world, start=state)
    game.play("move 3 infantry, 1 fighter: eastern-europe -> karelia-ssr")
    shelled = odds_of_battle(world, game.state, "karelia-ssr", runs=200, seconds=None)
    assert shelled.win < paper.win - 0.1


def turn(world: World, state: State, name: str) -> int:
    """A bot plays the turn of the power that acts; gives how many orders that took."""
    game = Game(world, start=state)
    power, orders = game.state.turn, 0
    while (question := game.decision) is not None and game.state.turn == power:
        order = make(name).decide(game.view(game.seat_of(question.power)), game.legal, question)
        game.play(order)
        orders += 1
        assert orders < 400
    return orders


@pytest.mark.parametrize(("edition", "name"), [("classic", "4star"), ("classic", "5star"), ("anniversary", "4star")])
def test_a_turn_with_a_step_of_ones_own(with_coastal_guns: Callable[[World], World], edition: str, name: str) -> None:
    world = with_coastal_guns({"classic": CLASSIC, "anniversary": ANNIVERSARY}[edition])
    turn_of = patched_state(world, {"turn": "germany", "phase": "combat-move"})
    assert turn(world, turn_of, name) > 5


@pytest.mark.parametrize("rule", HOUSE_RULES)
def test_a_turn_with_other_rules(rule: str) -> None:
    world = HOUSE_RULES[rule]
    assert turn(world, patched_state(world, {"turn": "germany", "phase": "purchase"}), "4star") > 5


def test_what_is_played_out_is_the_same_on_every_machine(with_coastal_guns: Callable[[World], World]) -> None:
    """Bots count battles, not seconds."""
    world = with_coastal_guns(CLASSIC)
    state = starting_state(world)
    forces = army("germany", {"infantry": 3, "armor": 1}), army("ussr", {"infantry": 2})
    first = expect(world, state, *forces)
    again = expect(with_coastal_guns(CLASSIC), state, *forces)
    assert first == again
    assert first.win * RUNS == pytest.approx(round(first.win * RUNS))
