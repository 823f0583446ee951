"""The table: bots play whole games, people are waited for, standing orders answer."""

from __future__ import annotations

import pytest

from sandtable.archive.position import patched_state
from sandtable.engine.decision import Decision
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game, View
from sandtable.engine.legal import Legal
from sandtable.errors import SandtableError
from sandtable.notation import format_order, parse_order
from sandtable.notation.orders import AnyOrder, End, Surrender
from sandtable.play import CheapestFirst, RandomBot, Table
from sandtable.play.table import rounds_over
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits


def bots(game: Game, seed: int) -> dict[str, RandomBot]:
    return {seat: RandomBot(seed, seat) for seat in game.seats}


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_random_bots_play_two_rounds(seed: int) -> None:
    game = Game.new("classic-1942", seed=seed)
    table = Table(game, bots(game, seed))
    played = list(table.run(rounds_over(2)))
    assert game.state.over or game.state.round == 3
    assert len(played) == len(game.entries) > 100
    assert {p.power for p in played} == set(game.world.powers)


def test_the_same_seeds_give_the_same_game() -> None:
    digests = set()
    for _ in range(2):
        game = Game.new("classic-1942", seed=5)
        for _ in Table(game, bots(game, 9)).run(rounds_over(1)):
            pass
        digests.add(game.state.digest())
    assert len(digests) == 1
    other = Game.new("classic-1942", seed=5)
    for _ in Table(other, bots(other, 10)).run(rounds_over(1)):
        pass
    assert other.state.digest() not in digests


def test_the_table_waits_for_people() -> None:
    game = Game.new("classic-1942", seats=2, seed=1)
    table = Table(game, {"Player 2": RandomBot(1)})
    assert table.has_people()
    assert table.step() is None  # the Soviet turn is Player 1's
    while game.decision is not None and game.decision.power == "ussr":
        game.play("end")
    played = table.step()
    assert played is not None
    assert (played.seat, played.power, played.by) == ("Player 2", "germany", "random")


def test_a_seat_can_change_hands() -> None:
    game = Game.new("classic-1942", seed=1)
    table = Table(game, bots(game, 1))
    assert not table.has_people()
    table.leave("U.S.S.R.")
    assert table.has_people()
    assert table.step() is None
    table.sit("U.S.S.R.", RandomBot(4))
    assert table.step() is not None


def test_an_unknown_seat_is_named() -> None:
    game = Game.new("classic-1942")
    with pytest.raises(SandtableError, match="no seat 'Italy'"):
        Table(game, {"Italy": RandomBot()})


class Cheat:
    name = "cheat"

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        return parse_order(legal.world, "buy 99 bomber")


class Quitter:
    name = "quitter"

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        return Surrender() if view.to_answer else End()


def test_an_illegal_answer_of_a_player_is_an_error_and_changes_nothing() -> None:
    game = Game.new("classic-1942")
    before = game.state
    with pytest.raises(SandtableError, match=r"cheat answered for U\.S\.S\.R\. with `buy 99 bomber`"):
        Table(game, {"U.S.S.R.": Cheat()}).step()
    assert game.state is before


def test_the_table_stops_when_the_game_is_over() -> None:
    game = Game.new("classic-1942")
    table = Table(game, {"U.S.S.R.": Quitter()})
    assert len(list(table.run())) == 1
    assert game.state.winner == "axis"
    assert table.step() is None


# ---------------------------------------------------------------- standing orders

POSITION = {
    "clear": "all",
    "units": {
        "libya": {"germany": {"infantry": 2, "armor": 2, "fighter": 1}},
        "anglo-egypt-sudan": {"uk": {"infantry": 2, "armor": 1, "fighter": 1}},
    },
    "turn": "germany",
    "phase": "combat-move",
}


def battle(dice: list[int]) -> Game:
    world = compile_world("classic-1942")
    game = Game(world, start=patched_state(world, POSITION), dice=ScriptedDice(dice))
    game.play("move 2 infantry, 2 armor, 1 fighter: libya -> anglo-egypt-sudan")
    game.play("end")
    return game


def test_the_cheapest_units_go_first() -> None:
    # attack: infantry 6 6, armor and fighter 3 3 1: three hits; defense: 2s miss, fighter 4 hits
    game = battle([6, 6, 3, 3, 1, 5, 5, 5, 4])
    assert game.decision is not None
    assert (game.decision.power, game.decision.count) == ("uk", 3)
    table = Table(game)
    assert table.step() is None
    table.stand("United Kingdom", CheapestFirst())
    played = table.step()
    assert played is not None
    assert played.by == "cheapest first"
    assert format_order(played.order) == "casualties 2 uk infantry, 1 uk armor"
    assert game.decision.power == "germany"
    assert table.step() is None  # Germany has no standing order
    table.stand("Germany", CheapestFirst())
    table.stand("Germany", CheapestFirst())
    assert len(table.standing["Germany"]) == 1
    assert format_order(table.step().order) == "casualties 1 germany infantry"  # type: ignore[union-attr]
    assert game.decision.kind == "retreat"
    assert table.step() is None  # other questions are left alone
    table.drop("Germany", "cheapest first")
    assert table.standing["Germany"] == []


def test_hits_that_spare_planes_are_respected() -> None:
    """A submarine's hit takes no plane, though here the plane is cheaper than the ships."""
    world = compile_world("classic-1942", None, parse_edits({"units": {"all": {"fighter": {"cost": 1}}}}))
    position = {
        "clear": "all",
        "units": {
            "west-spain-sea": {"germany": {"submarine": 2}},
            "north-sea": {"uk": {"carrier": 1, "battleship": 1, "fighter": 2}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = Game(world, start=patched_state(world, position), dice=ScriptedDice([1, 6, 6, 6, 6, 6, 6, 6]))
    game.play("move 2 submarine: west-spain-sea -> north-sea")
    game.play("end")
    assert game.decision is not None
    assert (game.decision.power, game.decision.kind, game.decision.count) == ("uk", "casualties", 1)
    answer = CheapestFirst().answer(game.legal, game.decision)
    assert answer is not None
    assert format_order(answer) == "casualties 1 uk carrier"
