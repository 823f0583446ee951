"""Playing: the state, orders, undo and redo, and what is legal."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from starlette.responses import Response

from sandtable.engine.facts import active
from sandtable.errors import NotationError, Refusal
from sandtable.notation import format_order, parse_order
from sandtable.notation.names import names
from sandtable.notation.orders import AnyOrder, Surrender, Undo, UnitSpec
from sandtable.notation.parse import ROLES
from sandtable.server.access import AmongTables, InRoom, Somebody
from sandtable.server.journal import Journal, Note
from sandtable.server.people import Person
from sandtable.server.rooms import Room
from sandtable.server.routes.answers import answer
from sandtable.server.tables import WithSeating
from sandtable.server.views import legal
from sandtable.server.views.board import StateView, state_view
from sandtable.server.views.changes import ChangeView, change_view
from sandtable.server.views.decision import PurchaseView, purchase_view
from sandtable.server.views.games import OrderBody, UndoBody, VersionBody
from sandtable.server.views.politics import PoliticsView, politics_view
from sandtable.server.views.progress import ProgressView, progress_view
from sandtable.world.model import World

router = APIRouter(prefix="/api/games/{game}", tags=["play"])

Name = Annotated[str, Query(max_length=100)]
LARGEST_GROUP = 1_000
At = Annotated[int | None, Query(description="after so many orders; now, if nothing is said")]


@router.get("/state", operation_id="getState", response_model=StateView)
async def get_state(room: InRoom, person: Somebody, at: At = None) -> Response:
    """The whole table, now or at any earlier point."""
    async with room.reading(person) as journal:
        return answer(state_view(journal, at))


@router.get("/progress", operation_id="getProgress")
async def get_progress(room: InRoom, person: Somebody, at: At = None) -> ProgressView:
    """How near each side is to winning, every objective with what it lacks, damaged complexes and incomes to expect."""
    async with room.reading(person) as journal:
        return progress_view(journal.game.world, journal.state_at(journal.place if at is None else at))


@router.get("/politics", operation_id="getPolitics")
async def get_politics(room: InRoom, person: Somebody, at: At = None) -> PoliticsView:
    """Who could go to war and what that would set off; neutrals, convoys at risk, facilities and research."""
    async with room.reading(person) as journal:
        return politics_view(journal.game.world, journal.state_at(journal.place if at is None else at))


@router.post("/orders", operation_id="giveOrder", response_model=ChangeView)
async def give_order(
    body: OrderBody, room: InRoom, person: Somebody, tables: AmongTables, seating: WithSeating
) -> Response:
    """Answer the open question. When this is answered, the order is on the disk."""
    order = read_order(room.journal.game.world, body.order)
    if isinstance(order, Surrender) and not person.is_local:
        seating.course.check_order(await tables.find(room.id), room, person, order)
    if isinstance(order, Undo):
        change = await room.undo(body.version, who=person)
    else:
        change = await room.play(order, body.version, person)
    return _answer(room, person, change, body.asks)


def _answer(room: Room, person: Person, change: Note, asks: legal.Asked | None) -> Response:
    """The change, and with it what the next click needs if that was asked for."""
    journal = room.seen(person)
    view = change_view(journal, journal.changes[change.number - 1])
    return answer(view if asks is None else view.model_copy(update={"turn": _turn(journal, asks)}))


def _turn(journal: Journal, asks: legal.Asked | None) -> legal.Turn:
    game = journal.game
    return legal.turn(game.world, game.opening.state, game.entries, journal.version, asks)


@router.post("/undo", operation_id="undo", response_model=ChangeView)
async def undo(room: InRoom, person: Somebody, body: UndoBody | None = None) -> Response:
    """Take the last order of this turn back, if it rolled no dice; or an earlier one, if the later ones can stay."""
    body = body or UndoBody()
    return _answer(room, person, await room.undo(body.version, body.at, person), body.asks)


@router.post("/redo", operation_id="redo", response_model=ChangeView)
async def redo(room: InRoom, person: Somebody, body: VersionBody | None = None) -> Response:
    """Play again what was taken back last."""
    body = body or VersionBody()
    return _answer(room, person, await room.redo(body.version, person), body.asks)


@router.get("/legal/turn", operation_id="getTurn", response_model=legal.Turn)
async def get_turn(
    room: InRoom,
    person: Somebody,
    space: Name | None = None,
    units: Annotated[list[str] | None, Query(max_length=20)] = None,
    placing: Name | None = None,
    placing_of: Name | None = None,
) -> Response:
    """All that a click needs at once: movers, moves, where what is picked can go, what has to land, what `end` does."""
    async with room.reading(person) as journal:
        asks = legal.Asked(space=space, units=units or [], placing=placing, placing_of=placing_of)
        return answer(_turn(journal, asks))


@router.get("/legal/destinations", operation_id="listDestinations")
async def list_destinations(
    room: InRoom, person: Somebody, space: Name, unit: Name, role: Name | None = None
) -> list[legal.Destination]:
    """Where one such unit may be moved from here, and what would come of it."""
    async with room.reading(person) as journal:
        world, state = journal.game.world, journal.game.state
        _check_role(world, role)
        where, what = names(world, "space").find(space), names(world, "unit").find(unit)
        return legal.destinations(world, state, where, what, role)


@router.get("/legal/reach", operation_id="reachOfGroup")
async def reach_of_group(
    room: InRoom,
    person: Somebody,
    space: Name,
    units: Annotated[list[str], Query(max_length=20, description="`infantry:2`, or only `infantry` for one")],
    role: Name | None = None,
    roles: Annotated[list[str] | None, Query(max_length=20, description="roles to be tried besides")] = None,
) -> legal.Reach:
    """Where several units may be moved together from here; and why not to the neighbouring spaces that are left."""
    async with room.reading(person) as journal:
        world, state = journal.game.world, journal.game.state
        _check_role(world, role)
        where = names(world, "space").find(space)
        group = tuple(_group(world, text) for text in units)
        if roles is None:
            return legal.reach_of(world, state, where, group, role)
        for each in roles:
            _check_role(world, each)
        return legal.in_all_roles(world, state, where, group, roles)


def _group(world: World, text: str) -> UnitSpec:
    unit, _, number = text.partition(":")
    if number and not (number.isascii() and number.isdigit() and 0 < int(number[:6]) <= LARGEST_GROUP):
        raise NotationError(f"{text[:60]!r} is no group of units; write for example `infantry:2`.")
    return legal.spec_of(world, unit, int(number or 1))


def _check_role(world: World, role: str | None) -> None:
    """A role, and perhaps the facility that it is meant for."""
    if role is None:
        return
    word, _, facility = role.partition(" ")
    if facility:
        names(world, "unit").find(facility)
    if word not in ROLES:
        raise NotationError(f"{role!r} is no role; roles are {', '.join(sorted(ROLES))}.")


@router.get("/legal/landings", operation_id="listLandings")
async def list_landings(room: InRoom, person: Somebody, space: Name, unit: Name) -> list[str]:
    """Where planes of a kind that are in a space now could still end this turn."""
    async with room.reading(person) as journal:
        world, state = journal.game.world, journal.game.state
        return legal.landings(world, state, names(world, "space").find(space), names(world, "unit").find(unit))


@router.get("/legal/why", operation_id="whyNot")
async def why_not(room: InRoom, person: Somebody, order: Annotated[str, Query(max_length=2000)]) -> legal.Verdict:
    """Whether an order would be carried out, and if not, by which rule."""
    async with room.reading(person) as journal:
        found = parse_order(journal.game.world, order)
        refusal = _refusal(journal, found)
        text = format_order(found)
        if refusal is None:
            return legal.Verdict(legal=True, order=text)
        return legal.Verdict(
            legal=False,
            order=text,
            message=refusal.text,
            rules=list(refusal.rules),
            culprits=list(refusal.culprits),
        )


def _refusal(journal: Journal, order: AnyOrder) -> Refusal | None:
    return journal.why_no_undo() if isinstance(order, Undo) else journal.game.legal.why_not(order)


@router.get("/legal/targets", operation_id="listMovers")
async def list_movers(room: InRoom, person: Somebody) -> list[legal.Mover]:
    """What can be moved at all."""
    async with room.reading(person) as journal:
        return legal.movers(journal.game.world, journal.game.state)


@router.get("/legal/places", operation_id="listPlaces")
async def list_places(room: InRoom, person: Somebody, unit: Name, power: Name | None = None) -> legal.Places:
    """Where new units of a kind may be put, and how many: of the power that acts, or of one that it plays."""
    async with room.reading(person) as journal:
        world = journal.game.world
        owner = names(world, "power").find(power) if power is not None else None
        return legal.places(world, journal.game.state, names(world, "unit").find(unit), owner)


@router.get("/legal/purchase", operation_id="listPrices")
async def list_prices(room: InRoom, person: Somebody) -> PurchaseView:
    """What the power whose turn it is pays for units."""
    async with room.reading(person) as journal:
        world, state = journal.game.world, journal.game.state
        return purchase_view(journal.game.legal, active(world, state))


@router.get("/moves", operation_id="listMoves", response_model_exclude_none=True)
async def list_moves(room: InRoom, person: Somebody, at: At = None) -> list[legal.MoveView]:
    """The moves of this phase so far, for arrows on the map."""
    async with room.reading(person) as journal:
        place = journal.place if at is None else at
        journal.state_at(place)
        game = journal.game
        return legal.moves(game.world, game.opening.state, game.entries[:place])


def read_order(world: World, raw: str | dict[str, object]) -> AnyOrder:
    """An order from text or from an object. Either way it is parsed from text, so that names are checked once."""
    if isinstance(raw, str):
        return parse_order(world, raw)
    try:
        order: AnyOrder = msgspec.convert(raw, AnyOrder)
    except (msgspec.ValidationError, RecursionError) as error:
        raise NotationError(f"The order has the wrong form: {error}.") from None
    return parse_order(world, format_order(order))
