"""Looking back: log, numbers, newspaper, and the marks of the time machine."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from sandtable.archive.log import log
from sandtable.archive.statistics import from_events, statistics
from sandtable.server.access import InRoom
from sandtable.server.errors import not_found
from sandtable.server.newspaper import newspaper
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


@router.get("/log", operation_id="getLog")
async def get_log(
    room: InRoom,
    start: Annotated[int, Query(alias="from", ge=0, description="only lines from this place on")] = 0,
) -> LogView:
    """Everything that happened, order by order, in sentences. Line 0 is the opening."""
    async with room.reading() as journal:
        lines = [log_line(line) for line in log(journal.game) if line.place >= start]
        return LogView(orders=journal.place, lines=lines)


@router.get("/statistics", operation_id="getStatistics")
async def get_statistics(room: InRoom) -> StatisticsView:
    """Production, money, forces, luck and losses, round by round; the last round as far as it went."""
    async with room.reading() as journal:
        game = journal.game
        start = from_events(game.world, game.start, ())[0]
        rounds = [round_numbers(row) for row in statistics(game)]
        return StatisticsView(start=power_numbers(start.powers), rounds=rounds)


@router.get("/newspaper", operation_id="getNewspaper", response_model_exclude_none=True)
async def get_newspaper(
    room: InRoom,
    number: Annotated[
        int | None, Query(alias="round", ge=1, description="the last complete round, if none is named")
    ] = None,
) -> Newspaper:
    """Headlines of a round, made from what happened in it."""
    async with room.reading() as journal:
        first, now = journal.game.start.round, journal.game.state.round
        wanted = max(first, now - 1) if number is None else number
        if not first <= wanted <= now:
            raise not_found(f"The game is in round {now}; there is no newspaper of round {wanted}.")
        return newspaper(journal, wanted)


@router.get("/timeline", operation_id="getTimeline")
async def get_timeline(room: InRoom) -> Timeline:
    """Where each phase, turn and round begins, for the time machine."""
    async with room.reading() as journal:
        return timeline(journal)
