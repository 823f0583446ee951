"""Leave to pass a canal or strait that belongs to a power at peace (G40-MAP-20, G40-MAP-21).

The owner is asked when the move is ordered, and the answer covers that order only: until then nothing has moved.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from sandtable.engine.events import AnyEvent, Moved
from sandtable.engine.facts import canal_owners
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.notation import format_order
from sandtable.notation.orders import Move
from sandtable.world.model import PowerId, World

TOPIC = "passage"


def owners_to_ask(world: World, state: State, events: Iterable[AnyEvent]) -> tuple[PowerId, ...]:
    """Whose leave the ships of these moves need; `state` is the one before them."""
    found: dict[PowerId, None] = {}
    for event in events:
        if isinstance(event, Moved):
            for piece, _ in event.units:
                if world.units[piece.type].domain == "sea":
                    for a, b in pairwise(event.path):
                        found |= dict.fromkeys(canal_owners(world, state, event.power, a, b, piece.type))
    return tuple(found)


def ask(run: Run, order: Move, owners: tuple[PowerId, ...]) -> None:
    """Ask the first of the owners; the others are asked when this one has agreed."""
    run.ask(Question("permit", owners[0], terms=(TOPIC, format_order(order), *owners[1:])))
