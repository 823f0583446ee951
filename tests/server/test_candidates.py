"""What the page is told about units to choose from: told apart by what they carry, where that makes a difference."""

from __future__ import annotations

from sandtable.engine.decision import decision
from sandtable.notation import parse_order
from sandtable.server.views.decision import candidate
from sandtable.world.compile import compile_world
from support.house_rules import house_game


def test_transports_with_different_cargo() -> None:
    position = {
        "units": {"baltic-sea": {"germany": {"battleship": 1}}},
        "cargo": {"north-sea": {"uk": {"transport": [{"infantry": 2}, {"armor": 1}, {}]}}},
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(compile_world("classic-1942"), position, [4, 6, 6, 6])
    game.play("move 1 battleship: baltic-sea -> north-sea")
    game.play("end")
    found = decision(game.world, game.state)
    assert found is not None
    ((power, unit, most),) = found.units
    view = candidate(found, power, unit, most)
    assert (view.unit, view.most) == ("transport", 1)
    assert {sort.words: (sort.most, [(c.unit, c.count) for c in sort.cargo]) for sort in view.sorts} == {
        "transport carrying nothing": (1, []),
        "transport carrying 2 infantry": (1, [("infantry", 2)]),
        "transport carrying 1 armor": (1, [("armor", 1)]),
    }
    for sort in view.sorts:
        assert parse_order(game.world, f"casualties 1 {sort.words}") in game.legal
