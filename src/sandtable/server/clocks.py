"""How much time everybody has left, worked out from the record of a game: nothing is counted that could be lost."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

import msgspec

from sandtable.server.bots.registry import HUMAN
from sandtable.server.journal import Journal
from sandtable.server.storage.store import Seat
from sandtable.server.storage.tablestore import Clock, Stop


class Left(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat has: of this turn or round, and in reserve."""

    seconds: float
    reserve: float

    @property
    def total(self) -> float:
        return self.seconds + self.reserve


def asked(journal: Journal) -> Seat | None:
    """The seat of the person who has to answer now."""
    question = journal.game.decision
    if question is None:
        return None
    seat = journal.seat_of(question.power)
    return seat if seat.player == HUMAN and seat.person else None


def left(journal: Journal, clock: Clock, stops: Iterable[Stop], at: datetime) -> dict[str, Left]:
    """The time of every seat at a moment."""
    stops = tuple(stops)
    spent: dict[tuple[str, object], float] = {}
    last = journal.header.created
    for change in journal.changes:
        if change.kind != "seat":  # handing seats over is nobody's time
            period = _period(clock, change.before.round, change.before.turn)
            key = (change.seat, period)
            spent[key] = spent.get(key, 0.0) + _between(last, change.made, stops, _person(journal, change.seat))
        last = max(last, change.made)
    state = journal.game.state
    current = _period(clock, state.round, state.turn)
    now = asked(journal)
    if now is not None:
        key = (now.name, current)
        spent[key] = spent.get(key, 0.0) + _between(last, at, stops, now.person)
    found = {}
    for seat in journal.seats:
        over = sum(
            max(0.0, seconds - clock.seconds)
            for (name, period), seconds in spent.items()
            if name == seat.name and period != current
        )
        here = spent.get((seat.name, current), 0.0)
        reserve = clock.reserve - over - max(0.0, here - clock.seconds)
        found[seat.name] = Left(seconds=max(0.0, clock.seconds - here), reserve=max(0.0, reserve))
    return found


def due(journal: Journal, clock: Clock, stops: Iterable[Stop], at: datetime) -> datetime | None:
    """When the time of whoever has to answer is up; None without a clock, and while it stands still."""
    seat = asked(journal)
    stops = tuple(stops)
    if clock.kind == "none" or seat is None:
        return None
    held = [stop for stop in stops if stop.holds(seat.person, at)]
    if any(stop.end is None for stop in held):
        return None
    begins = max((stop.end for stop in held if stop.end is not None), default=at)
    return begins + timedelta(seconds=left(journal, clock, stops, at)[seat.name].total)


def _period(clock: Clock, number: int, turn: object) -> object:
    return (number, turn) if clock.kind == "turn" else number


def _person(journal: Journal, seat: str) -> str:
    return journal.seat(seat).person


def _between(start: datetime, end: datetime, stops: tuple[Stop, ...], person: str) -> float:
    """Seconds from one moment to another in which the clock ran."""
    seconds = max(0.0, (end - start).total_seconds())
    taken: list[tuple[datetime, datetime]] = []
    for stop in sorted((s for s in stops if s.person in ("", person)), key=lambda stop: stop.start):
        first, last = max(start, stop.start), min(end, stop.end or end)
        if taken:
            first = max(first, taken[-1][1])
        if first < last:
            taken.append((first, last))
    return seconds - sum((last - first).total_seconds() for first, last in taken)
