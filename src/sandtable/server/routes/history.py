"""Looking back: log, numbers, newspaper, and the marks of the time machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Annotated, TypeVar

from fastapi import APIRouter, Query

from sandtable.archive.log import log
from sandtable.archive.statistics import from_events, statistics
from sandtable.server.access import InRoom, Somebody
from sandtable.server.errors import not_found
from sandtable.server.journal import Journal
from sandtable.server.newspaper import newspaper
from sandtable.server.people import Person
from sandtable.server.rooms import Room
from sandtable.server.views.games import Timeline, timeline
from sandtable.server.views.history import (
    LogView,
    Newspaper,
    StatisticsView,
    log_line,
    power_numbers,
    round_numbers,
)

router = APIRouter(prefix="/api/games/{game}", tags=["history"])


T = TypeVar("T")


async def _read(room: Room, person: Person, look: Callable[[Journal], T]) -> T:
    """Look through a whole game beside the event loop: a long one takes a while, and others play meanwhile."""
    async with room.reading(person) as journal:
        still = journal.standing_still()
    return await asyncio.to_thread(look, still)


@router.get("/log", operation_id="getLog")
async def get_log(
    room: InRoom,
    person: Somebody,
    start: Annotated[int, Query(alias="from", ge=0, description="only lines from this place on")] = 0,
) -> LogView:
    """Everything that happened, order by order, in sentences. Line 0 is the opening."""

    def look(journal: Journal) -> LogView:
        entries = journal.game.entries
        lines = [
            log_line(journal.game.world, line, entries[line.place - 1].events if line.place else ())
            for line in log(journal.game)
            if line.place >= start
        ]
        return LogView(orders=journal.place, lines=lines)

    return await _read(room, person, look)


@router.get("/statistics", operation_id="getStatistics")
async def get_statistics(room: InRoom, person: Somebody) -> StatisticsView:
    """Production, money, forces, luck and losses, round by round; the last round as far as it went."""

    def look(journal: Journal) -> StatisticsView:
        game = journal.game
        start = from_events(game.world, game.start, ())[0]
        rounds = [round_numbers(row) for row in statistics(game)]
        return StatisticsView(start=power_numbers(start.powers), rounds=rounds)

    return await _read(room, person, look)


@router.get("/newspaper", operation_id="getNewspaper", response_model_exclude_none=True)
async def get_newspaper(
    room: InRoom,
    person: Somebody,
    number: Annotated[
        int | None, Query(alias="round", ge=1, description="the last complete round, if none is named")
    ] = None,
) -> Newspaper:
    """Headlines of a round, made from what happened in it."""

    def look(journal: Journal) -> Newspaper:
        first, now = journal.game.start.round, journal.game.state.round
        wanted = max(first, now - 1) if number is None else number
        if not first <= wanted <= now:
            raise not_found(f"The game is in round {now}; there is no newspaper of round {wanted}.")
        return newspaper(journal, wanted)

    return await _read(room, person, look)


@router.get("/timeline", operation_id="getTimeline")
async def get_timeline(room: InRoom, person: Somebody) -> Timeline:
    """Where each phase, turn and round begins, for the time machine."""
    return await _read(room, person, timeline)
