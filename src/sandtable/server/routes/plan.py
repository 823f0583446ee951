"""Plans: what an opponent means to do, or meant to do then, and what one would do in a person's place."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query

from sandtable.engine.decision import decision
from sandtable.errors import SandtableError
from sandtable.server.access import InRoom, Somebody, WithLimits
from sandtable.server.bots import registry
from sandtable.server.errors import ApiError
from sandtable.server.views.plan import PlanView, plan_view

router = APIRouter(prefix="/api/games/{game}", tags=["plan"])

ADVISER = "5star"  # who is asked for a person

Word = Annotated[str | None, Query(max_length=60)]


@router.get("/plan", operation_id="getPlan")
async def get_plan(
    room: InRoom,
    person: Somebody,
    limits: WithLimits,
    at: Annotated[int | None, Query(description="after so many orders; now, if nothing is said")] = None,
    bot: Word = None,
    style: Word = None,
) -> PlanView:
    """The plan for the question that is open, or was at that place: the same that a bot in that seat follows."""
    async with room.reading_all() as journal:
        state = journal.game.state if at is None else journal.state_at(at)
        world = journal.game.world
        question = decision(world, state)
        if question is None:
            raise SandtableError("The game is over: there is nothing left to plan.")
        seat = journal.seat_of(question.power)
        others = room.others(journal, person) if not person.is_local and not journal.game.state.over else []
    limits.check("plans", person.id)
    if others and seat.person != person.id:
        raise ApiError(403, "forbidden", "What others mean to do is not told while people play against each other.")
    planner = bot or (seat.player if registry.is_planner(seat.player) else ADVISER)
    found = registry.find(planner)
    if not registry.is_planner(planner):
        raise SandtableError(f"{found.title} follows no plan.")
    manner = style if style is not None else seat.style if planner == seat.player else ""
    if manner and manner not in found.styles:
        raise SandtableError(f"{planner} has no style {manner!r}.")
    own = planner == seat.player
    reasons = await room.plan(msgspec.structs.replace(seat, player=planner, style=manner), state)
    return plan_view(found, question, reasons, own=own)
