"""Troops that a special right sends from one map straight to a place: from where nobody needs them to the front."""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.bots.atlas import FAR
from sandtable.bots.risk import risk, without
from sandtable.bots.sight import Sight
from sandtable.engine.special import transfer
from sandtable.notation.orders import Move

NEARER = 1.0  # turns by which the place has to be nearer to the goal than where the troops stand
SPARED = 1.0  # I.P.C. of more danger that leaving may mean


def best_transfer(sight: Sight) -> Move | None:
    """One unit that is of more use where it may be sent; None: none is."""
    return _best(sight, transfer.offers(sight.world, sight.state, sight.power))


def _best(sight: Sight, offers: Iterable[Move]) -> Move | None:
    found = []
    for order in offers:
        start, end = order.route[0], order.route[-1]
        nearer = sight.time.get(start, FAR) - sight.time.get(end, FAR)
        there = sight.ours(start)
        rest = without(there, sight.power, order.units[0].type, 1)
        danger = risk(sight, start, rest).cost - risk(sight, start, there).cost
        helps = risk(sight, end, sight.ours(end)).chance
        if danger <= SPARED and (nearer >= NEARER or helps):
            found.append((danger, -sum(n for _, _, n in there), start, order))
    return min(found, key=lambda item: item[:3])[3] if found else None
