"""Numbers of a game, checked against a count by hand."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.archive.statistics import from_events, statistics
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Rolled
from sandtable.world.compile import compile_world

Sudan = Callable[..., Game]


def test_the_sudan_by_hand(sudan: Sudan) -> None:
    game = sudan()
    (first,) = statistics(game)
    assert first.round == 1
    germany, uk, usa = (first.powers[p] for p in ("germany", "uk", "usa"))
    # three German dice: infantry at 1 (4, then 1), armor at 3 (2)
    assert (germany.luck.dice, germany.luck.hits) == (3, 2)
    assert germany.luck.expected == pytest.approx(5 / 6)
    assert germany.luck.surplus == pytest.approx(2 - 5 / 6)
    # three British dice at 2: 4, 5, then the lost armor's 2
    assert (uk.luck.dice, uk.luck.hits, uk.luck.expected) == (3, 1, pytest.approx(1.0))
    assert (germany.battles_won, germany.battles_lost, uk.battles_won, uk.battles_lost) == (1, 0, 0, 1)
    assert (germany.units_lost, uk.units_lost, usa.units_lost) == (3, 8, 0)
    assert (germany.production, uk.production) == (34, 28)  # the Sudan is worth 2
    assert germany.treasury == 28
    assert usa.luck.dice == usa.battles_won == usa.battles_lost == usa.battles_drawn == 0


def test_forces_are_counted_at_the_prices_of_the_game() -> None:
    position = {
        "clear": "all",
        "units": {
            "germany": {"germany": {"infantry": 2, "fighter": 1, "industrial-complex": 1, "aa-gun": 1}},
            "baltic-sea": {"germany": {"transport": 2}},
            "russia": {"ussr": {"armor": 1}},
        },
        "cargo": {"baltic-sea": {"germany": {"transport": [{"infantry": 2}]}}},
    }
    world = compile_world("classic-1942")
    (only,) = statistics(Game(world, start=patched_state(world, position)))
    germany = only.powers["germany"]
    assert dict(germany.units) == {"infantry": 4, "fighter": 1, "aa-gun": 1, "transport": 2, "industrial-complex": 1}
    assert germany.unit_value == 4 * 3 + 12 + 5 + 2 * 8
    assert only.powers["ussr"].unit_value == 5
    assert only.powers["japan"].unit_value == 0

    game = Game.new(edits={"units": {"germany": {"infantry": {"cost": 2}}}})
    before = statistics(Game.new())[0].powers
    after = statistics(game)[0].powers
    assert before["germany"].unit_value - after["germany"].unit_value == before["germany"].units["infantry"]
    assert before["ussr"] == after["ussr"]


def test_money_lost_to_bombs_and_planes_lost_to_guns() -> None:
    world = compile_world("classic-1942")
    position = {
        "units": {"united-kingdom": {"uk": {"bomber": 2}}, "germany": {"germany": {"aa-gun": 1}}},
        "treasury": {"germany": 20},
        "turn": "uk",
        "phase": "combat-move",
    }
    game = Game(world, start=patched_state(world, position), dice=ScriptedDice((1, 6, 5)))
    game.play("move 2 bomber: united-kingdom -> germany as raid")
    game.play("end")
    (only,) = statistics(game)
    germany, uk = only.powers["germany"], only.powers["uk"]
    assert (germany.money_lost, germany.treasury) == (5, 15)
    assert (uk.units_lost, uk.luck.dice) == (15, 0)  # bombs are no hits
    assert (germany.luck.dice, germany.luck.hits) == (2, 1)
    assert germany.luck.expected == pytest.approx(2 / 6)
    assert germany.battles_won == uk.battles_lost == 0


def test_rounds_end_with_the_last_income() -> None:
    """Everybody only ends phases: each round brings everybody one income, the last power's included."""
    game = Game.new(seed=1)
    money = dict(game.state.treasury)
    while game.state.round < 3:
        game.play("end")
    first, second, third = statistics(game)
    assert [first.round, second.round, third.round] == [1, 2, 3]
    for power, row in first.powers.items():
        assert row.production == game.production(power)
        assert row.treasury == money[power] + row.production
        assert second.powers[power].treasury == money[power] + 2 * row.production
        assert third.powers[power] == msgspec.structs.replace(second.powers[power])


def test_luck_of_a_long_game(played_on: Callable[[Game, int, int], Game]) -> None:
    game = played_on(Game.new(seed=1), 400, 1)
    rows = [row for round_ in statistics(game) for row in round_.powers.values()]
    rolls = [e for e in game.events if isinstance(e, Rolled) and e.needed]
    assert sum(row.luck.dice for row in rows) == sum(len(e.faces) for e in rolls) > 0
    assert sum(row.luck.hits for row in rows) == sum(e.hits for e in rolls)
    assert sum(row.luck.expected for row in rows) == pytest.approx(sum(len(e.faces) * e.needed / 6 for e in rolls))


def test_only_what_is_shown_counts(sudan: Sudan) -> None:
    game = sudan()
    game.go_to(1)
    assert statistics(game)[0].powers["germany"].luck.dice == 0
    assert from_events(game.world, game.start, game.opening.events) == statistics(sudan(0))
