"""Odds: of a battle on paper, and of a battle in a game, fought, waiting or only planned."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import StringConstraints
from starlette.requests import Request

from sandtable.bots.scratch import CalmDice
from sandtable.engine.battle.opening import pending
from sandtable.engine.facts import active
from sandtable.engine.legal import Legal
from sandtable.engine.special import lines
from sandtable.engine.state import State
from sandtable.errors import Refusal, SandtableError
from sandtable.notation import parse_order
from sandtable.notation.names import names
from sandtable.odds import OddsError, odds_of_battle, raid_odds_of
from sandtable.server.access import InRoom, Somebody, WithLimits
from sandtable.server.calculator import AtCalculator
from sandtable.server.views.odds import (
    AnswerOdds,
    Calculated,
    OddsBody,
    PendingOdds,
    answer_odds,
    calculated,
    odds_view,
    raid_view,
)
from sandtable.world.model import World

router = APIRouter(prefix="/api", tags=["odds"])

MOST_ORDERS = 40
PATIENCE = 1.0  # seconds for playing a battle out while somebody plans it
PATIENCE_FOR_ALL = 4.0  # for playing out every answer to a question


Text = Annotated[str, Query(max_length=100)]
Order = Annotated[str, StringConstraints(max_length=2000)]
Orders = Annotated[
    list[Order],
    Query(
        default_factory=list,
        max_length=MOST_ORDERS,
        description="moves that are tried before: what is picked up and not yet sent",
    ),
]


@router.post("/odds", operation_id="calculateOdds")
async def calculate_odds(
    body: OddsBody, calculator: AtCalculator, person: Somebody, limits: WithLimits, request: Request
) -> Calculated:
    """The odds of a battle on paper."""
    limits.check("odds", person.id)
    return await calculator.work(lambda: calculated(body), person.id, request)


@router.get("/games/{game}/odds", operation_id="getOdds")
async def get_odds(
    room: InRoom,
    calculator: AtCalculator,
    person: Somebody,
    limits: WithLimits,
    request: Request,
    space: Text,
    order: Orders,
) -> Calculated:
    """The odds in a space of a game for the power whose turn it is, with what stands there and what is tried."""
    limits.check("odds", person.id)
    async with room.reading(person) as journal:
        world, state = journal.game.world, journal.game.state
    where = names(world, "space").find(space)
    return await calculator.work(lambda: in_position(world, state, where, order), person.id, request)


@router.get("/games/{game}/odds/pending", operation_id="getOddsOfAll")
async def get_odds_of_all(
    room: InRoom, calculator: AtCalculator, person: Somebody, limits: WithLimits, request: Request
) -> list[PendingOdds]:
    """The odds of every battle that waits, each as it stands."""
    limits.check("odds", person.id)
    async with room.reading(person) as journal:
        world, state = journal.game.world, journal.game.state
    return await calculator.work(lambda: _of_all(world, state), person.id, request)


@router.get("/games/{game}/odds/answers", operation_id="getOddsOfAnswers")
async def get_odds_of_answers(
    room: InRoom, calculator: AtCalculator, person: Somebody, limits: WithLimits, request: Request
) -> list[AnswerOdds]:
    """What each answer to the open question would bring, played out; nothing for questions without such an answer."""
    limits.check("odds", person.id)
    async with room.reading(person) as journal:
        world, state = journal.game.world, journal.game.state
    return await calculator.work(lambda: answer_odds(world, state, PATIENCE_FOR_ALL), person.id, request)


def _of_all(world: World, state: State) -> list[PendingOdds]:
    spaces = dict.fromkeys(battle.space for battle in pending(world, state, active(world, state)))
    return [PendingOdds(space=space, odds=in_position(world, state, space, [])) for space in spaces]


def in_position(world: World, state: State, space: str, orders: list[str]) -> Calculated:
    try:
        for text in orders:
            state, _ = Legal(world, state).try_out(parse_order(world, text), CalmDice())
    except Refusal as refusal:
        return Calculated(message=refusal.text)
    battle = raid = None
    message = ""
    try:
        battle = odds_view(odds_of_battle(world, state, space, seconds=PATIENCE))
    except OddsError as error:
        message = str(error)
    try:
        raid = raid_view(raid_odds_of(world, state, space, seconds=PATIENCE))
    except SandtableError as error:
        message = message or str(error)
    return Calculated(
        battle=battle, raid=raid, message="" if battle or raid else message, notes=_awaited(world, state, space)
    )


def _awaited(world: World, state: State, space: str) -> list[str]:
    """Fortifications that come into play when the moves are done: the board does not show them yet."""
    _, raised = lines.foreseen(world, state)
    found = []
    for each in raised:
        if each.space == space:
            power = world.powers[each.power]
            start = next(line.start for line in power.special.lines if line.place == space)
            found.append(
                f"A {power.adjective} {world.units[each.unit].name} joins the defence, because troops come from "
                f"{world.spaces[start].name}."
            )
    return found
