"""How often somebody may do something: counted for each person, and for each address where nobody is known.

A bucket for each holds so many drops and fills up evenly; who finds it empty is told to wait. (The usual library starts
a thread for its counters every few milliseconds, which costs more than what it counts.)
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from sandtable.server.errors import ApiError

PER_MINUTE = {
    "strangers": 120.0,
    "guests": 20.0,
    "passwords": 10.0,
    "recovery": 1.0,
    "tables": 20.0,
    "chat": 30.0,
    "odds": 240.0,
    "plans": 20.0,
    "imports": 10.0,
    "sockets": 120.0,
    "messages": 600.0,  # on live connections, where nothing but signs of life is expected
}
MOST = 50_000  # buckets; the fullest tell nothing and are thrown away


class Limits:
    def __init__(self, requests: int, *, enabled: bool, sockets: int = 100) -> None:
        self.enabled = enabled
        self._sockets = sockets
        self._held: Counter[str] = Counter()
        self._amounts = {**PER_MINUTE, "requests": float(requests)}
        self._buckets: dict[tuple[str, str], tuple[float, float]] = {}  # -> drops, and when they were counted

    def check(self, what: str, who: str) -> None:
        """Raises ApiError when it is too much. A server for one machine counts nothing."""
        if self.enabled and not self._take(what, who, time.monotonic()):
            raise ApiError(429, "slow-down", "That is too much at once. Wait a minute, and try again.")

    @contextmanager
    def socket(self, who: str) -> Iterator[None]:
        """A live connection of somebody, as long as it lasts. Raises ApiError when he has too many already."""
        self.check("sockets", who)
        if self.enabled and self._held[who] >= self._sockets:
            raise ApiError(429, "slow-down", "You have too many connections open. Close some of your windows.")
        self._held[who] += 1
        try:
            yield
        finally:
            self._held[who] -= 1
            if not self._held[who]:
                del self._held[who]

    def _take(self, what: str, who: str, now: float) -> bool:
        amount = max(self._amounts[what], 3.0)
        drops, at = self._buckets.get((what, who), (amount, now))
        drops = min(amount, drops + (now - at) * self._amounts[what] / 60)
        if drops < 1:
            self._buckets[what, who] = (drops, now)
            return False
        self._buckets[what, who] = (drops - 1, now)
        if len(self._buckets) > MOST:
            self._buckets = {
                key: (left, then)
                for key, (left, then) in self._buckets.items()
                if left + (now - then) * self._amounts[key[0]] / 60 < self._amounts[key[0]]
            }
            if len(self._buckets) > MOST:  # an attack from very many addresses: count anew
                self._buckets.clear()
        return True
