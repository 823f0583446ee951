"""Event cards of Global 1940: drawn each round, binding for all of it, data of whoever writes a deck."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.archive import saves
from sandtable.archive.game import Game as SavedGame
from sandtable.archive.log import sentence
from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import EventDrawn, Paid, PhaseBegan
from sandtable.engine.game import Game
from sandtable.engine.objectives import objectives_of
from sandtable.errors import DataError, Refusal
from sandtable.notation import parse_order
from sandtable.world.cards import EventCard
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.library import open_edition
from sandtable.world.load import load_builtin
from sandtable.world.model import World

RAIDS = "move 1 bomber: united-kingdom -> sz-110 -> sz-112 -> western-germany as raid"
BOMBER = {
    "united-kingdom": {"uk": {"bomber": 1}},
    "western-germany": {"germany": {"major-complex": 1}},
}


def world_with(*cards: EventCard) -> World:
    """The edition with a deck of these."""
    edition = load_builtin("global1940")
    rules = msgspec.structs.replace(edition.rules, event_deck="test")
    edition = msgspec.structs.replace(edition, decks={"test": cards}, rules=rules)
    return compile_edition(edition, "global-1940", {"event_cards": True, "pilot_experience": False})


def game_with(*cards: EventCard, dice: tuple[int, ...] = (), **position: Any) -> Game:
    world = world_with(*cards)
    return Game(world, dice=ScriptedDice(dice), start=patched_state(world, position))


def drawn(game: Game) -> list[str]:
    return [event.card for event in game.events if isinstance(event, EventDrawn)]


FOG = EventCard(id="fog", name="Fog", text="No raids.", forbids=("raid",))
CALM = EventCard(id="calm", name="Calm")
RICH = EventCard(id="rich", name="Rich", income=3)


@pytest.mark.rule("G40-EVT-01", "G40-EVT-03")
def test_one_card_before_the_first_turn_of_a_round() -> None:
    game = game_with(FOG, CALM, dice=(2,), clear="all", turn="france", phase="income")
    assert game.state.round == 2
    told = [event for event in game.events if isinstance(event, EventDrawn | PhaseBegan)]
    assert [type(event) for event in told] == [EventDrawn, PhaseBegan]  # before the purchase phase
    assert drawn(game) == ["calm"]
    assert game.state.event == "calm"
    assert sentence(game.world, told[0]) == "Event card: Calm."  # shown to all


@pytest.mark.rule("G40-EVT-01")
def test_a_new_game_begins_with_a_card() -> None:
    game = Game(world_with(FOG, CALM), dice=ScriptedDice((1,)))
    assert game.state.event == "fog"


@pytest.mark.rule("G40-EVT-02")
@pytest.mark.parametrize("power", ["uk", "usa"])
def test_a_card_binds_every_power_for_its_round_and_no_longer(power: str) -> None:
    units = {"united-kingdom": {power: {"bomber": 1}}, "western-germany": {"germany": {"major-complex": 1}}}
    world = world_with(FOG)
    position = {"clear": "all", "units": units, "at_war": [["germany", "usa"]], "turn": power, "phase": "combat-move"}
    start = patched_state(world, position)
    foggy = Game(world, start=msgspec.structs.replace(start, event="fog", drawn=("fog",)), dice=ScriptedDice(()))
    with pytest.raises(Refusal, match="Fog") as refused:
        foggy.play(RAIDS)
    assert refused.value.rule == "G40-EVT-02"
    assert parse_order(world, RAIDS) not in foggy.legal
    assert not foggy.legal.destinations("united-kingdom", "bomber", "raid")
    clear = Game(world, start=start, dice=ScriptedDice(()))
    clear.play(RAIDS)  # a round without that card


@pytest.mark.rule("G40-EVT-02")
def test_a_card_can_pay_and_change_prices() -> None:
    game = game_with(RICH, clear="all", treasury={"france": 0}, round=1, turn="anzac", phase="income")
    assert game.state.event == ""  # the position is in the middle of a round
    world = world_with(RICH, EventCard(id="dear", name="Dear", prices={"infantry": 1}, research_cost=-1))
    start = patched_state(world, {"clear": "all", "treasury": {"france": 0}, "turn": "france", "phase": "mobilize"})
    rich = Game(world, start=msgspec.structs.replace(start, event="rich"), dice=ScriptedDice((1,)))
    rich.play("end")
    assert rich.state.treasury["france"] == 19 + 3
    start = patched_state(world, {"turn": "germany", "phase": "purchase"})
    dear = Game(world, start=msgspec.structs.replace(start, event="dear"), dice=ScriptedDice((2,)))
    dear.play("research radar")
    assert dear.state.treasury["germany"] == 30 - 2
    dear.play("buy 1 infantry")
    assert dear.state.treasury["germany"] == 30 - 2 - 4


@pytest.mark.rule("G40-EVT-02", "G40-PUR-18", "G40-SPC-24")
def test_prices_of_a_card_count_for_refunds_and_budgets() -> None:
    world = world_with(EventCard(id="dear", name="Dear", prices={"infantry": 1}))
    place = {"clear": "all", "turn": "germany", "phase": "mobilize", "waiting": {"germany": {"infantry": 2}}}
    start = msgspec.structs.replace(patched_state(world, place), event="dear")
    dear = Game(world, start=start)
    dear.play("end")
    refunds = [event.amount for event in dear.events if isinstance(event, Paid) and event.reason == "refund"]
    assert refunds == [8], "what is not placed is paid back at the price of the round"
    start = patched_state(world, {"turn": "usa", "phase": "purchase"})
    peace = Game(world, start=msgspec.structs.replace(start, event="dear"))
    assert peace.state.budget == 26
    peace.play("buy 2 infantry")
    assert peace.state.budget == 26 - 2 * 4


@pytest.mark.rule("G40-EVT-04")
def test_an_empty_deck_does_nothing() -> None:
    game = Game.new("global-1940", options={"event_cards": True, "pilot_experience": False}, dice=())
    assert game.world.cards == ()
    assert game.state.event == ""
    assert not drawn(game)


@pytest.mark.rule("G40-EVT-04")
def test_cards_come_back_when_all_have_been_drawn() -> None:
    world = world_with(FOG, CALM, RICH)
    game = Game(world, seed=1)
    seen = [game.state.event]
    for _ in range(8):
        start = msgspec.structs.replace(game.state, turn=8, phase=world.phases.index("income"), questions=())
        game = Game(world, start=start, seed=len(seen))
        seen.append(game.state.event)
    for first in (0, 3, 6):  # each card once in three rounds
        assert sorted(seen[first : first + 3]) == ["calm", "fog", "rich"]


@pytest.mark.rule("G40-EVT-04")
def test_our_own_deck_is_off_unless_it_is_chosen() -> None:
    assert compile_world("global-1940").cards == ()
    ours = compile_world("global-1940", {"event_deck": "fortunes"})
    assert ours.options["event_cards"] is True
    assert len(ours.cards) >= 12
    assert all(card.text for card in ours.cards)


@pytest.mark.rule("G40-EVT-05")
def test_objectives_are_those_of_the_political_chapter() -> None:
    world = compile_world("global-1940")
    counts = {power: sum(o.power == power for o in objectives_of(world, power)) for power in world.order}
    wanted = {"germany": 6, "ussr": 3, "japan": 4, "usa": 5, "china": 1, "uk": 2, "italy": 4, "anzac": 2, "france": 0}
    assert counts == wanted


@pytest.mark.parametrize(
    ("broken", "line", "what"),
    [
        ("      forbids: [raids]\n", 7, "raids"),
        ("      incom: 3\n", 7, "incom"),
        ("      prices: {tank: 1}\n", 7, "tank"),
        ("      income: lots\n", 7, "income"),
        ("      income: [\n", 8, "line"),
    ],
)
def test_a_broken_deck_names_file_and_line(tmp_path: Path, broken: str, line: int, what: str) -> None:
    folder = tmp_path / "mine"
    with as_file(files("sandtable") / "data" / "global1940") as source:
        shutil.copytree(source, folder)
    text = "format: 1\n\ndecks:\n  fortunes:\n    storm:\n      name: Storm\n" + broken
    (folder / "events.yaml").write_text(text, "utf-8")
    with pytest.raises(DataError) as error:
        open_edition(folder)
    problem = next(p for p in error.value.problems if p.startswith("events.yaml"))
    assert f"line {line}" in problem
    assert what in problem


@pytest.mark.parametrize(
    ("file", "old", "new", "what"),
    [
        ("edition.yaml", "[1, 2], [1, 3], [2, 1]]", "[1, 2], [1, 3]]", "rules.air_chart.1: the row has 10"),
        ("edition.yaml", "[9, 9], [10, 10]]", "[9, 9], [10, ten]]", "rules.air_chart[24][10][1]: expected int"),
        ("edition.yaml", "level: 2, keep: 4", "level: 4, keep: 4", "rules.training.5: the level after 1 is 2, not 4"),
        ("units.yaml", "cost: 16", "cost: sixteen", "units.fortification.cost: expected int"),
        ("objectives.yaml", "[novgorod, russia", "[novgorod, rusia", "per: unknown space 'rusia'"),
    ],
)
def test_a_broken_table_names_file_and_line(tmp_path: Path, file: str, old: str, new: str, what: str) -> None:
    folder = tmp_path / "mine"
    with as_file(files("sandtable") / "data" / "global1940") as source:
        shutil.copytree(source, folder)
    lines = (folder / file).read_text("utf-8").splitlines()
    number = next(i for i, line in enumerate(lines) if old in line)
    lines[number] = lines[number].replace(old, new)
    (folder / file).write_text("\n".join(lines), "utf-8")
    with pytest.raises(DataError) as error:
        open_edition(folder)
    problem = error.value.problems[0]
    place, _, text = problem.removeprefix(f"{file}: line ").partition(": ")
    assert what in text
    assert int(place) == number + 1


def test_a_game_with_cards_can_be_saved_and_goes_on_as_it_would_have(tmp_path: Path) -> None:
    game = SavedGame.new("global-1940", options={"event_deck": "fortunes"}, seed=11)
    for order in ("train", "research radar", "buy 2 infantry", "end"):
        game.play(order)
    saves.save(game, tmp_path / "game.sandtable")
    again = saves.load(tmp_path / "game.sandtable")
    assert again.state.digest() == game.state.digest()
    assert again.state.event == game.state.event != ""
