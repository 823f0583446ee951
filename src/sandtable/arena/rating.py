"""Ratings by openskill (the extra `arena`)."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable

import msgspec

from sandtable.errors import SandtableError


class Rating(msgspec.Struct, frozen=True):
    """Strength and its uncertainty; `floor` is what a player is almost certainly worth."""

    mu: float
    sigma: float

    @property
    def floor(self) -> float:
        return self.mu - 3 * self.sigma


MISSING = "Without openskill there are no ratings: pip install 'sandtable[arena]'."


def available() -> bool:
    """Games can be rated: openskill is installed."""
    return importlib.util.find_spec("openskill") is not None


def rate(results: Iterable[tuple[str, str, float]]) -> dict[str, Rating]:
    """Ratings after these games: (first player, second player, 1 for a win of the first, 0 for a loss, 0.5)."""
    try:
        from openskill.models import PlackettLuce  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        raise SandtableError(MISSING) from None
    model = PlackettLuce()
    known: dict[str, object] = {}
    for first, second, score in results:
        one, two = known.setdefault(first, model.rating()), known.setdefault(second, model.rating())
        ranks = [1, 2] if score > 0.5 else [2, 1] if score < 0.5 else [1, 1]
        [[one], [two]] = model.rate([[one], [two]], ranks=ranks)  # type: ignore[list-item,arg-type,unused-ignore]
        known[first], known[second] = one, two
    return {name: Rating(float(r.mu), float(r.sigma)) for name, r in known.items()}  # type: ignore[attr-defined]
