"""Dice as text: a hit stands in brackets, so that it shows without colour too."""

from __future__ import annotations

from collections.abc import Callable

from rich.text import Text

from sandtable.engine.events import Rolled
from sandtable.world.model import World

HIT, MISS = "bold green", "dim"


def faces(event: Rolled, world: World) -> Text:
    """The faces of a roll in handfuls of twelve."""
    hits = _hits(event, world)
    text = Text()
    for index, handful in enumerate(event.throws):
        if index:
            text.append(" | ", style=MISS)
        for place, face in enumerate(handful):
            if place:
                text.append(" ")
            good = hits(face)
            text.append(f"[{face}]" if good else f"{face}", style=HIT if good else MISS)
    return text


def _hits(event: Rolled, world: World) -> Callable[[int], bool]:
    if event.reason == "research":
        return lambda face: face >= world.rules.research_success
    if event.needed:
        return lambda face: face <= event.needed
    return lambda face: True  # the number itself counts: damage, or which development


def score(event: Rolled) -> str:
    """What the roll came to."""
    if event.reason in ("raid", "rocket"):
        return f"{event.hits} damage"
    if event.reason == "research":
        return _plural(event.hits, "breakthrough")
    if event.reason in ("sabotage", "breakthrough", "lend-lease", "bonds", "income", "levy"):
        return ""  # what comes of it is told next
    return _plural(event.hits, "hit")


def _plural(n: int, word: str) -> str:
    return f"{n or 'no'} {word}{'' if n == 1 else 's'}"
