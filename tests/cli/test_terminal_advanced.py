"""Orders that only some games have stand in the menus of the phases that they answer."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.cli.terminal.completion import suggestions
from sandtable.cli.terminal.menu import question_menu
from sandtable.engine.game import Game
from sandtable.world.compile import compile_world

FLEETS: dict[str, Any] = {
    "clear": "all",
    "units": {"midway-sea": {"japan": {"submarine": 1, "transport": 1}, "usa": {"transport": 1}}},
    "turn": "japan",
    "phase": "combat-move",
}
MOSCOW: dict[str, Any] = {"clear": "all", "control": {"russia": "germany"}, "turn": "ussr", "phase": "combat-move"}


@pytest.mark.parametrize(
    ("option", "position", "orders"),
    [
        ("lend_lease", {"turn": "usa", "phase": "research"}, ["lend-lease"]),
        ("soviet_sovereignty", MOSCOW, ["permit caucasus", "permit novosibirsk"]),
        (
            "naval_task_forces",
            FLEETS,
            ["assign 1 submarine: midway-sea as invasion", "assign 1 transport: midway-sea as invasion"],
        ),
    ],
)
def test_a_menu_offers_what_the_option_brings(option: str, position: dict[str, Any], orders: list[str]) -> None:
    for chosen in (True, False):
        world = compile_world("classic-1942", {option: chosen})
        game = Game(world, start=patched_state(world, position))
        offered = [choice.order for choice in question_menu(game).choices]
        assert offered[-1] == "end"
        word = orders[0].split()[0]
        assert set(orders) <= set(offered) if chosen else not any(order.startswith(word) for order in offered)
        assert (word in [text for text, _ in suggestions(game, "", ())]) == chosen
