"""Fighters of a sunken carrier: a bot brings them where they are safe."""

from __future__ import annotations

from sandtable import bots
from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.notation import format_order
from sandtable.world.compile import compile_world


def test_both_fighters_go_to_the_land_that_nobody_threatens() -> None:
    """Panama can be landed in from the zone beside it; the mainland is held."""
    patch = {
        "clear": "all",
        "units": {
            "sz-9": {"germany": {"submarine": 2}},
            "sz-10": {"usa": {"carrier": 1, "fighter": 2}},
            "sz-19": {"germany": {"cruiser": 2}},
            "brazil": {"germany": {"infantry": 4, "bomber": 3}},
            "eastern-united-states": {"usa": {"infantry": 20, "fighter": 4}},
        },
        "control": {"brazil": "germany"},
        "turn": "germany",
        "phase": "combat-move",
    }
    world = compile_world("anniversary-1941")
    game = Game(world, dice=ScriptedDice([2, 6]), start=patched_state(world, patch))
    for order in ("move 2 submarine: sz-9 -> sz-10", "end", "stay"):
        game.play(order)
    question = game.decision
    assert question is not None
    assert (question.power, question.kind) == ("usa", "stranded")
    bot = bots.make("4star")
    answer = bot.decide(game.view(), game.legal, question)
    assert format_order(answer) == "move 2 fighter: sz-10 -> eastern-united-states"
    assert "Eastern United States" in bot.explain(game.legal, question)
