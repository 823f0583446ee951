"""What one shows to others: a picture of the board, and a turn in a few lines of text."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from sandtable import maps
from sandtable.archive.log import log
from sandtable.archive.picture import map_of, position_of
from sandtable.server.access import InRoom, Somebody, WithLimits
from sandtable.server.calculator import AtCalculator
from sandtable.server.views.history import TurnSummary

router = APIRouter(prefix="/api/games/{game}", tags=["history"])

At = Annotated[int | None, Query(description="after so many orders; now, if nothing is said")]


@router.get("/picture.svg", operation_id="getPicture", responses={200: {"content": {"image/svg+xml": {}}}})
async def get_picture(
    room: InRoom,
    person: Somebody,
    limits: WithLimits,
    calculator: AtCalculator,
    request: Request,
    at: At = None,
    width: Annotated[int, Query(ge=400, le=4000)] = 1600,
) -> Response:
    """The board as a picture, now or at any earlier point."""
    limits.check("imports", person.id)
    async with room.reading(person) as journal:
        world = journal.game.world
        state = journal.state_at(journal.place if at is None else at)
    title = f"{world.scenario_name}, round {state.round}"
    svg = await calculator.work(
        lambda: maps.draw_svg(map_of(world), position_of(world, state), width=width, title=title), person.id, request
    )
    headers = {"content-disposition": 'attachment; filename="board.svg"'}  # as a page of ours it would have no styles
    return Response(svg, media_type="image/svg+xml", headers=headers)


@router.get("/summary", operation_id="getSummary")
async def get_summary(room: InRoom, person: Somebody, calculator: AtCalculator, at: At = None) -> TurnSummary:
    """What happened in the turn that was being played then, or was played last, as text for a forum."""
    async with room.reading(person) as journal:
        still = journal.standing_still()
        place = journal.place if at is None else at
        journal.state_at(place)

    def told() -> TurnSummary:
        lines = log(still.game)[: place + 1]
        spoken = [line for line in lines if line.sentences]
        last = spoken[-1] if spoken else lines[-1]
        turn = [line for line in spoken if (line.round, line.turn) == (last.round, last.turn)]
        name = still.game.world.powers[last.turn].name
        heading = f"{still.header.name}: round {last.round}, {name}"
        text = "\n".join([heading, *(f"- {sentence}" for line in turn for sentence in line.sentences)])
        return TurnSummary(round=last.round, turn=last.turn, at=last.place, text=text)

    return await calculator.work(told, person.id)
