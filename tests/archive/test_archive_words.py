"""The words of logs, newspapers and complaints: whole sentences without the marks of a machine."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Iterator

import pytest
from rich.console import Console

from sandtable.archive.game import Game
from sandtable.archive.log import log
from sandtable.archive.position import patched_state
from sandtable.bots import registry as opponents
from sandtable.cli.terminal.narrator import Narrator
from sandtable.engine import events as e
from sandtable.errors import NotationError
from sandtable.notation import parse_order
from sandtable.play import RandomBot, Table
from sandtable.play.table import rounds_over
from sandtable.server.bring import journal_of
from sandtable.server.newspaper import newspaper
from sandtable.world.compile import compile_world
from support.orders import random_order

ROUNDS = 2
FAULTS = {
    "a wrong article": r"\b[Aa] (?:[aeio]|AA\b|IPC)\w*|\b[Aa]n (?![aeio8]|AA\b|IPC|u[^n]|un[^i])\w+",
    "two full stops": r"\.\.",
    "a gap": r"\S  \S|\s[,.;:]",
    "the same twice in a list": r"\b(\d+ [A-Za-z ]+?)(?:,| and) \1\b",
    "a plural of one": r"\b1 (?:fighters|bombers|transports|submarines|carriers|battleships|dice|hits|IPCs)\b",
    "a singular of many": r"\b(?:[2-9]|\d\d+) (?:fighter|bomber|transport|submarine|carrier|battleship|hit|IPC|die)\b",
    "an id": r"\b(?:non)?combat-move\b|\bsz-\d+|\b[a-z]+-(?:ssr|sea|europe|gun|complex|egypt|states|kingdom)\b",
    "data": r"None|[{}]|\(\)",
}


def told(game: Game) -> Iterator[str]:
    """Everything that log, newspaper and terminal have to say of a game."""
    for line in log(game):
        yield from line.sentences
    journal = journal_of(game, "Words", None)
    for number in range(1, ROUNDS + 1):
        for story in newspaper(journal, number).headlines:
            yield from (story.headline, story.body)
    out = io.StringIO()
    narrator = Narrator(Console(file=out, width=500), game.world)
    before = game.opening.state
    for entry in game.entries:
        narrator.tell(before, entry.events)
        before = entry.state
    yield from (re.sub(r"\s+", " ", line) for line in out.getvalue().splitlines())


@pytest.mark.parametrize("scenario", ["classic-1942", "anniversary-1941"])
@pytest.mark.parametrize("kind", ["random", "3star"])
def test_games_are_told_in_good_words(scenario: str, kind: str) -> None:
    game = Game.new(scenario, seed=4)
    for _ in Table(
        game, {s: RandomBot(4, s) if kind == "random" else opponents.make(kind, f"4/{s}") for s in game.seats}
    ).run(rounds_over(ROUNDS)):
        pass
    texts = list(told(game))
    assert len(texts) > 300
    assert not [(fault, text) for text in texts for fault, sign in FAULTS.items() if re.search(sign, text)]


@pytest.mark.parametrize(
    ("position", "words"),
    [
        ({"clear": ["north-sea"], "units": {"north-sea": {"uk": {"armor": 1}}}},
         "position: no transport in north-sea has room for 1 armor."),
        ({"clear": ["north-sea"], "units": {"north-sea": {"uk": {"bomber": 1}}}},
         "position: no carrier in north-sea can hold 1 bomber (CL-AIR-18)."),
        ({"cargo": {"north-sea": {"uk": {"transport": [{"armor": 2}]}}}},
         "position: cargo.north-sea: no transport can carry {'armor': 2} (CL-TRP-01)."),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_is_told_so(position: dict[str, object], words: str) -> None:
    with pytest.raises(NotationError) as caught:
        patched_state(compile_world("classic-1942"), position)
    assert str(caught.value) == words


@pytest.mark.parametrize(
    ("position", "order", "words"),
    [
        ({"turn": "germany", "phase": "combat-move"}, "move 1 aa-gun: germany -> eastern-europe",
         "AA guns never attack; they move in the non-combat move."),
        ({"turn": "germany", "phase": "combat-move"}, "move 1 industrial-complex: germany -> eastern-europe",
         "Industrial complexes never move."),
        ({"turn": "germany", "phase": "purchase", "treasury": {"germany": 4}}, "buy 1 aa-gun",
         "1 AA gun costs 5, and Germany has 4."),
        ({"turn": "germany", "phase": "purchase", "treasury": {"germany": 8}}, "buy 2 aa-gun",
         "2 AA guns cost 10, and Germany has 8."),
    ],
)  # fmt: skip
def test_refusals_have_articles_and_numbers_that_fit(position: dict[str, object], order: str, words: str) -> None:
    world = compile_world("classic-1942")
    refusal = Game(world, start=patched_state(world, position)).legal.why_not(parse_order(world, order))
    assert refusal is not None
    assert refusal.text == words


@pytest.mark.parametrize("scenario", ["classic-1942", "anniversary-1941"])
def test_refusals_are_in_good_words(scenario: str) -> None:
    """Random orders, most of which are refused for one reason or another."""
    rng = random.Random(5)
    game = Game.new(scenario, seed=5)
    texts = set()
    for _ in range(300):
        if game.decision is None:
            break
        for _ in range(3):
            refusal = game.legal.why_not(random_order(game, rng))
            if refusal is not None:
                texts.add(refusal.text)
        game.play(game.legal.sample(rng))
    assert len(texts) > 100
    assert not [(fault, text) for text in texts for fault, sign in FAULTS.items() if re.search(sign, text)]


def test_ships_of_two_powers_that_give_support_are_counted_together() -> None:
    out = io.StringIO()
    game = Game.new("classic-1942")
    shooters = (("uk", "battleship", 1), ("usa", "battleship", 2))
    Narrator(Console(file=out, width=100), game.world).tell(
        game.state, [e.Rolled("support", "uk", (4, 5, 6), "libya", 4, shooters, 1)]
    )
    assert "(3 battleships)" in out.getvalue()
