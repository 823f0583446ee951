"""The table at one moment: what is where, who owns what, money, and the open question."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field

from sandtable.engine import pilots
from sandtable.engine.battle.opening import choices, pending
from sandtable.engine.facts import active, capital_lost, phase_name, production, type_of
from sandtable.engine.phases import phase_title
from sandtable.engine.relations import leaning
from sandtable.engine.state import Piece, Stack, State, in_order
from sandtable.engine.victory import individual_winners
from sandtable.server.journal import Journal
from sandtable.server.views.base import Model, SeatView, seat_view
from sandtable.server.views.battle import BattleView, battle_view, rolls
from sandtable.server.views.convoys import ConvoyView, convoy_views
from sandtable.server.views.decision import DecisionView, decision_view
from sandtable.server.views.progress import IncomeView, income_view
from sandtable.server.views.relations import Closed, Relation, closed_straits, closed_views, relation_views
from sandtable.world.model import World


class CargoView(Model):
    power: str
    unit: str
    count: int
    target: str | None = Field(None, description="where it is going to land after the sea battle")


class StackView(Model):
    """Units of one kind in one condition."""

    power: str
    unit: str
    count: int
    used: int = Field(0, description="movement spent this turn")
    left: int = Field(0, description="movement left this turn")
    done: bool = Field(False, description="moves no more this turn")
    mark: str | None = Field(None, description="raid, submerged, off, unloaded, fired or new")
    hits: int = Field(0, description="damage taken")
    origin: str | None = Field(None, description="the neighbouring space from which it came, this phase")
    cargo: list[CargoView] = []
    marks: list[str] = Field([], description="what it carries for good, by id")
    fleet: str | None = Field(None, description="the task force that it belongs to, where ships are divided")


class SpaceState(Model):
    owner: str | None = None
    units: list[StackView] = []
    damage: dict[str, int] = {}
    building: dict[str, int] = Field({}, description="facilities that are not finished, with the turns that are left")
    leaning: str | None = Field(None, description="neutral land: `strict`, `pro-` and a side, or the side it is on")


class PowerState(Model):
    treasury: int
    production: int = Field(description="what its land brings")
    income: IncomeView = Field(description="what it would collect now")
    technologies: list[str]
    researchers: int = 0
    pilots: int | None = Field(None, description="how well its pilots are trained, where that counts")
    capital_lost: bool


class Pending(Model):
    """A battle to come."""

    space: str
    kind: str
    optional: bool = Field(description="it may be left alone")
    ready: bool = Field(description="it may be fought next; others wait for this or that to be fought first")


class StateView(Model):
    """The game after `at` of its orders. In a change, `spaces` has only those that differ from before."""

    game: str
    version: int
    at: int = Field(description="orders carried out so far at this moment")
    orders: int = Field(description="orders in the whole game")
    round: int
    turn: str = Field(description="the power whose turn it is")
    phase: str
    phase_title: str
    over: bool
    winner: str | None = None
    winners: list[str] = Field([], description="the powers of the winning side that did best")
    spaces: dict[str, SpaceState]
    partial: bool = Field(description="spaces that are not listed are as they were")
    powers: dict[str, PowerState]
    seats: list[SeatView]
    pool: dict[str, int] = Field(description="bought this turn and not placed yet")
    pools: dict[str, dict[str, int]] = Field(
        description="by power: all new units that are not on the board, with those of earlier turns"
    )
    placed: dict[str, int] = Field(description="units placed this turn, by space")
    fought: list[str] = Field(description="spaces where a battle was fought this turn")
    pending: list[Pending] = Field(description="battles to come this turn")
    relations: list[Relation] = Field([], description="what powers are to each other, where that can change")
    closed: list[Closed] = Field([], description="spaces that the power whose turn it is may not enter or attack")
    permitted: list[str] = Field([], description="spaces that their owner has opened to allies")
    convoys: list[ConvoyView] = Field([], description="zones where enemy ships wait for a power's convoys")
    straits: list[str] = Field([], description="canals and straits closed to the power whose turn it is, by id")
    battle: BattleView | None = None
    decision: DecisionView | None = None
    can_undo: bool
    can_redo: bool


def state_view(journal: Journal, at: int | None = None) -> StateView:
    """The whole table after so many orders; now, if none are given."""
    place = journal.place if at is None else at
    state = journal.state_at(place)
    spaces = {space: space_view(journal.game.world, state, space) for space in journal.game.world.spaces}
    return _view(journal, state, place, spaces, partial=False, version=journal.version, newest=place == journal.place)


def changed_view(journal: Journal, before: State, state: State, place: int, version: int) -> StateView:
    """The table after a change, with the spaces that the change touched."""
    world = journal.game.world
    touched = [
        space
        for space in world.spaces
        if before.units.get(space) != state.units.get(space)
        or before.owners.get(space) != state.owners.get(space)
        or before.damage.get(space) != state.damage.get(space)
        or before.building.get(space) != state.building.get(space)
        or leaning(world, before, space) != leaning(world, state, space)
    ]
    spaces = {space: space_view(world, state, space) for space in touched}
    newest = version == journal.version
    return _view(journal, state, place, spaces, partial=True, version=version, newest=newest)


def _view(
    journal: Journal,
    state: State,
    place: int,
    spaces: Mapping[str, SpaceState],
    *,
    partial: bool,
    version: int,
    newest: bool,
) -> StateView:
    world = journal.game.world
    power = active(world, state)
    phase = phase_name(world, state)
    starting = {p: sum(s.ipc for s in world.spaces.values() if s.owner == p) for p in world.powers}
    return StateView(
        game=journal.header.id,
        version=version,
        at=place,
        orders=journal.place,
        round=state.round,
        turn=power,
        phase=phase,
        phase_title=phase_title(world, phase),
        over=state.over,
        winner=state.winner,
        winners=list(individual_winners(world, state, starting)),
        spaces=dict(spaces),
        partial=partial,
        powers={
            p: PowerState(
                treasury=state.treasury[p],
                production=production(world, state, p),
                income=income_view(world, state, p),
                technologies=[t for t in world.technologies if t in state.techs.get(p, ())],
                researchers=state.tokens.get(p, 0),
                pilots=pilots.level(world, state, p) if pilots.training_of(world, state, p) else None,
                capital_lost=capital_lost(world, state, p),
            )
            for p in world.powers
        },
        seats=[seat_view(seat) for seat in journal.seats],
        pool={unit: state.pool[unit] for unit in world.units if unit in state.pool},
        pools={p: _in_order(world, found) for p in world.powers if (found := state.pool_of(world, p))},
        placed=dict(state.placed),
        fought=list(state.fought),
        pending=pending_views(world, state, power) if phase in ("combat-move", "combat") else [],
        relations=relation_views(world, state),
        closed=closed_views(world, state, power),
        permitted=[space for space in world.spaces if space in state.permitted],
        convoys=convoy_views(world, state),
        straits=closed_straits(world, state, power),
        battle=battle_view(world, state, rolls(state.battle, journal.game.entries[:place])),
        decision=decision_view(journal, state),
        can_undo=newest and journal.can_undo,
        can_redo=newest and journal.can_redo,
    )


def pending_views(world: World, state: State, power: str) -> list[Pending]:
    next_ones = {(p.space, p.kind) for p in choices(world, state, power)}
    return [
        Pending(space=p.space, kind=p.kind, optional=p.optional, ready=(p.space, p.kind) in next_ones)
        for p in pending(world, state, power)
    ]


def _in_order(world: World, units: Mapping[str, int]) -> dict[str, int]:
    return {unit: units[unit] for unit in world.units if unit in units}


def space_view(world: World, state: State, space: str) -> SpaceState:
    return SpaceState(
        owner=state.owners.get(space),
        units=stack_views(world, state, state.at(space)),
        damage=dict(state.damage.get(space, {})),
        building=dict(state.building.get(space, {})),
        leaning=leaning(world, state, space),
    )


def stack_views(world: World, state: State, stack: Stack) -> list[StackView]:
    return [_stack(world, state, piece, n) for piece, n in in_order(stack)]


def _stack(world: World, state: State, piece: Piece, n: int) -> StackView:
    kind = type_of(world, state, piece)
    return StackView(
        power=piece.power,
        unit=piece.type,
        count=n,
        used=piece.used,
        left=0 if piece.done else max(kind.move + piece.lift - piece.used, 0),
        done=piece.done,
        mark=piece.mark or None,
        hits=piece.hits,
        origin=piece.origin or None,
        cargo=_cargo(piece) if piece.cargo else [],
        marks=list(piece.marks),
        fleet=piece.fleet or None,
    )


def _cargo(transport: Piece) -> list[CargoView]:
    found: dict[tuple[str, str, str], int] = {}
    for piece in transport.cargo:
        key = (piece.power, piece.type, piece.target)
        found[key] = found.get(key, 0) + 1
    return [CargoView(power=p, unit=u, count=n, target=target or None) for (p, u, target), n in found.items()]
