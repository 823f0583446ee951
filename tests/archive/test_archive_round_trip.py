"""Save and load are inverse: nothing is lost, nothing is added, and the game goes on as it would have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.archive import saves, snapshot
from sandtable.archive.cases import board_units
from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.archive.saves import RecordedDice
from sandtable.bots import registry as opponents
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game as EngineGame
from sandtable.engine.state import Battle, State
from sandtable.notation.orders import Move, UnitSpec
from sandtable.play import Table
from sandtable.play.table import rounds_over
from sandtable.world.compile import compile_world
from support import choices

Play = Callable[[Game, int, int], Game]
Sudan = Callable[..., Game]


def same(loaded: EngineGame, game: EngineGame) -> None:
    assert loaded.world == game.world
    assert loaded.start == game.start
    assert loaded.opening == game.opening
    assert loaded.entries == game.entries
    assert loaded.cursor == game.cursor
    assert loaded.state.digest() == game.state.digest()
    assert loaded.seats == game.seats
    assert (loaded.seed, type(loaded.seed)) == (game.seed, type(game.seed))
    assert loaded.edits == game.edits
    assert list(loaded.state.units) == list(game.state.units)  # nothing hangs on an order, and yet it is kept


seats = st.one_of(
    st.none(),
    st.sampled_from([2, 3, 4, 5]),
    st.lists(st.text(max_size=8), min_size=2, max_size=2, unique=True).map(
        lambda names: {names[0]: ("ussr", "uk", "usa"), names[1]: ("germany", "japan")}
    ),
)


@settings(max_examples=25)
@given(
    chosen=choices.options(),
    table=seats,
    seed=st.one_of(st.integers(), st.text(st.characters(exclude_categories=["Cs"]), max_size=10)),
    orders=st.integers(0, 120),
    rng=st.integers(0, 2**32),
    back=st.integers(0, 20),
)
def test_random_games(
    played_on: Play, chosen: dict[str, object], table: object, seed: int | str, orders: int, rng: int, back: int
) -> None:
    if compile_world("classic-1942", chosen).seats != choices.CLASSIC.seats:
        table = None  # an option says who sits where
    game = Game.new(options=chosen, seats=table, seed=seed)  # type: ignore[arg-type]
    played_on(game, orders, rng)
    game.go_to(max(0, len(game.entries) - back))
    text = game.to_text()
    loaded = Game.from_text(text)
    assert type(loaded) is Game
    same(loaded, game)
    assert loaded.to_text() == text


@settings(max_examples=25)
@given(orders=st.integers(20, 200), more=st.integers(0, 20), rng=st.integers(0, 2**32))
def test_games_from_any_position(played_on: Play, orders: int, more: int, rng: int) -> None:
    """Also from the middle of a battle, with pieces in every condition."""
    start = played_on(Game.new(seed=rng), orders, rng).state
    game = played_on(Game(compile_world("classic-1942"), start=start, seed=rng), more, rng + 1)
    text = game.to_text()
    assert "\nstart units " in text
    loaded = Game.from_text(text)
    same(loaded, game)
    assert loaded.to_text() == text


@pytest.mark.parametrize(
    ("scenario", "seed"),
    [("classic-1942", 1), ("anniversary-1941", 0), ("anniversary-1941", 3), ("anniversary-1942", 5)],
)
def test_games_of_bots(scenario: str, seed: int) -> None:
    """They make orders without writing them, transports with their loads among them."""
    game = Game.new(scenario, seed=seed)
    table = Table(game, {seat: opponents.make("3star", f"{seed}/{seat}") for seat in game.seats})
    for _ in table.run(rounds_over(2)):
        pass
    text = game.to_text()
    assert " carrying " in text
    loaded = Game.from_text(text)
    same(loaded, game)
    assert loaded.to_text() == text


def test_a_load_named_in_any_order() -> None:
    """An order made by a program is recorded as it will be read again, and means what it says."""
    world = compile_world("anniversary-1941")
    start = patched_state(
        world,
        {
            "clear": ["sz-6"],
            "cargo": {
                "sz-6": {"uk": {"transport": [{"infantry": 1, "artillery": 1}, {"infantry": 2}, {"infantry": 1}]}}
            },
            "turn": "uk",
            "phase": "combat-move",
        },
    )
    for load, order in (
        ((("artillery", 1), ("infantry", 1)), "1 infantry + 1 artillery"),
        ((("infantry", 1), ("infantry", 1)), "2 infantry"),
    ):
        game = Game(world, start=start)
        game.play(Move((UnitSpec("transport", 1, None, load),), ("sz-6", "sz-3")))
        assert sum(board_units(game.state, "sz-3")["uk"].values()) == 3  # the transport and both aboard
        text = game.to_text()
        assert f"\nmove 1 transport carrying {order}: sz-6 -> sz-3\n" in text
        loaded = Game.from_text(text)
        same(loaded, game)
        assert loaded.to_text() == text


def test_in_the_middle_of_a_battle(sudan: Sudan) -> None:
    middle = sudan(2).state
    assert middle.battle is not None
    assert middle.battle.hits
    game = Game(compile_world("classic-1942"), start=middle, seed=5)
    game.play("casualties 1 infantry")
    same(Game.from_text(game.to_text()), game)


def test_dice_rolled_before_the_first_order(sudan: Sudan) -> None:
    """A position in which a battle is the first thing that happens."""
    world = compile_world("classic-1942")
    moved = sudan(1).state
    start = msgspec.structs.replace(moved, phase=world.phases.index("combat"))
    game = Game(world, start=start, dice=saves.RecordedDice((4, 2), 0))
    assert game.opening.faces == (4, 2)
    text = game.to_text()
    assert "\nopening: 4 2\n" in text
    same(Game.from_text(text), game)


def test_a_start_that_equals_the_setup_is_kept(small: Game) -> None:
    game = Game(small.world, start=small.start, seed=1)
    loaded = Game.from_text(game.to_text())
    same(loaded, game)
    assert loaded.opening.events == game.opening.events != small.opening.events


def test_a_start_without_any_units() -> None:
    world = compile_world("anniversary-1941")
    game = Game(world, start=patched_state(world, {"clear": "all"}))
    game.play("end")
    same(Game.from_text(game.to_text()), game)


def test_the_text_of_a_small_game(sudan: Sudan, small: Game) -> None:
    lines = small.to_text().split("\n")
    (die,) = small.entries[0].faces
    assert lines[:13] == [
        "sandtable 1",
        "scenario: classic-1942",
        "seed: 3",
        "",
        "# Round 1, U.S.S.R.",
        f"research 1 | {die}",
        "end",
        "buy 3 infantry",
        "end",
        "end",
        "move 1 infantry: russia -> karelia-ssr",
        "",
        f"close: 6 orders, 1 dice, state {snapshot.fingerprint(small.state)}",
    ]
    text = sudan().to_text()
    assert "\nend | 4 2\n" in text
    assert "\ncasualties 1 infantry | 4 5\n" in text
    assert "\nclose: 5 orders, 6 dice, state " in text


def test_only_options_that_differ_are_written() -> None:
    def lines(**chosen: object) -> list[str]:
        text = Game.new(options=chosen).to_text()
        return [line for line in text.split("\n") if line.startswith("option ")]

    assert lines() == []
    assert lines(second_edition=True) == ["option second_edition: true"]
    assert lines(second_edition=True, several_aa_guns=True) == [
        "option second_edition: true",
        "option several_aa_guns: true",
    ]
    assert lines(second_edition=True, several_aa_guns=False) == ["option second_edition: true"]
    assert lines(joint_casualties="agreement") == ['option joint_casualties: "agreement"']


def test_edits_are_kept() -> None:
    edits = {
        "units": {"all": {"armor": {"cost": 6}}, "germany": {"fighter": {"defense": 5}}},
        "setup": [{"power": "germany", "unit": "infantry", "count": 2, "space": "libya"}],
        "victory": {"capitals": {"axis": [1, ["russia"]]}, "rounds": 8},
    }
    game = Game.new(edits=edits, seed=2)
    game.play("end")
    game.play("buy 1 armor")
    loaded = Game.from_text(game.to_text())
    same(loaded, game)
    assert loaded.world.units["armor"].cost == 6


def test_names_of_seats_may_hold_anything() -> None:
    table = {'A: "b" \\': ("ussr", "uk", "usa"), "\n\u2028 é 日本 \ud800": ("germany",), "": ("japan",)}
    game = Game.new(seats=table)
    text = game.to_text()
    assert len([line for line in text.split("\n") if line.startswith("seat ")]) == 3
    assert text.encode()
    assert dict(Game.from_text(text).seats) == table


def test_empty_transports_are_named_in_the_record() -> None:
    game = Game.new(seed=1)
    for order in ("end", "end", Move((UnitSpec("transport", cargo=()),), ("karelia-sea", "north-sea"))):
        game.play(order)
    text = game.to_text()
    assert "\nmove 1 transport carrying nothing: karelia-sea -> north-sea\n" in text
    same(Game.from_text(text), game)


# ---------------------------------------------------------------- going on


def test_a_loaded_game_goes_on_with_the_same_dice(played_on: Play) -> None:
    game = played_on(Game.new(seed=8), 150, 8)
    loaded = Game.from_text(game.to_text())
    for one in (game, loaded):
        played_on(one, 100, 9)
    same(loaded, game)
    assert game.state.rolls > len(game.entries[0].faces)


def test_recorded_dice_come_first_and_the_seed_after_them(sudan: Sudan) -> None:
    game = Game.from_text(sudan(seed=17).to_text())
    assert isinstance(game.dice, RecordedDice)
    assert [game.dice.face(i, 6) for i in range(6)] == [4, 2, 4, 5, 1, 2]
    assert [game.dice.face(i, 6) for i in range(6, 20)] == [SeededDice(17).face(i, 6) for i in range(6, 20)]


def test_recorded_dice_keep_their_numbers_after_a_start_with_rolls() -> None:
    dice = RecordedDice((1, 2), 17, start=10)
    assert (dice.face(10, 6), dice.face(11, 6)) == (1, 2)
    assert dice.face(9, 6) == SeededDice(17).face(9, 6)
    assert dice.face(12, 6) == SeededDice(17).face(12, 6)


def test_going_back_in_a_loaded_game_drops_the_future(sudan: Sudan) -> None:
    game = Game.from_text(sudan().to_text())
    game.go_to(2)
    game.play("casualties 1 armor")
    assert len(game.entries) == 3
    assert game.entries[-1].faces == (4, 5)
    same(Game.from_text(game.to_text()), game)


# ---------------------------------------------------------------- what a text may suffer


@pytest.mark.parametrize(
    "travelled",
    [
        lambda text: text + "\n",
        lambda text: text + "\n\n  \n",
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r\n") + "\r\n",
        lambda text: "\ufeff" + text,
    ],
)
def test_what_mail_and_editors_do_is_harmless(travelled: Callable[[str], str], small: Game, tmp_path: Path) -> None:
    text = travelled(small.to_text())
    same(Game.from_text(text), small)
    path = tmp_path / "game"
    path.write_bytes(text.encode())
    same(Game.load(path), small)


def test_files(small: Game, tmp_path: Path) -> None:
    path = tmp_path / "friday.sandtable"
    small.save(path)
    assert path.read_text(encoding="utf-8") == small.to_text()
    same(Game.load(str(path)), small)
    saves.save(small, str(path))
    same(saves.load(path), small)
    assert type(saves.load(path)) is Game


def test_an_engine_game_can_be_saved_too() -> None:
    game = EngineGame.new(seed=4)
    game.play("end")
    same(saves.from_text(saves.to_text(game)), game)


# ---------------------------------------------------------------- positions as data


def test_every_field_of_a_state_is_written() -> None:
    """A field added to State or Battle travels along by itself; this fails if it could not."""
    assert set(snapshot._StateData.__struct_fields__) == set(State.__struct_fields__)
    assert set(snapshot._BattleData.__struct_fields__) == set(Battle.__struct_fields__)


def test_fingerprints_tell_states_apart(played_on: Play) -> None:
    game = played_on(Game.new(seed=2), 60, 2)
    states = [game.opening.state, *(entry.state for entry in game.entries)]
    prints = {snapshot.fingerprint(state) for state in states}
    assert len(prints) == len({state.digest() for state in states})
    state = states[-1]
    turned = msgspec.structs.replace(
        state, units={s: dict(reversed(list(k.items()))) for s, k in reversed(list(state.units.items()))}
    )
    assert snapshot.fingerprint(turned) == snapshot.fingerprint(state)
