"""What must hold in every state and after every order, whatever was played.

Each law is written from the rules and not from the engine's code: totals are counted again from the events' words,
places are judged by the units' domains, decks by adding up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from sandtable.engine.events import (
    AnyEvent,
    Bought,
    Captured,
    Forfeited,
    Lost,
    NeutralViolated,
    ObjectiveMet,
    Paid,
    Placed,
    Repaired,
    Researched,
    RocketFired,
    Rolled,
    fold,
)
from sandtable.engine.facts import production
from sandtable.engine.movement.cargo import fits
from sandtable.engine.state import State, with_cargo
from sandtable.world.model import World

MOVING = ("combat-move", "combat", "noncombat-move")
"""Phases in which something may be on its way; also what an option puts between them."""


def is_resting(world: World, state: State) -> bool:
    """Nothing is on its way to anywhere."""
    moving = [index for index, phase in enumerate(world.phases) if phase in MOVING]
    return not moving[0] <= state.phase <= moving[-1]


def check_state(world: World, state: State) -> None:
    """The laws about one state."""
    for space, stack in state.units.items():
        assert stack, f"{space} is kept although it is empty"
        for piece, n in stack.items():
            _check_piece(world, space, piece, n)
    assert set(state.treasury) == set(world.powers)
    assert all(money >= 0 for money in state.treasury.values()), f"a debt: {state.treasury}"
    for new in (state.pool, *state.waiting.values()):
        assert all(n > 0 for n in new.values()), f"pool: {new}"
    if world.phases[state.phase] == "mobilize":
        assert world.order[state.turn] not in state.waiting, "what waited before is in the pool"
    assert all(state.waiting.values()), f"waiting: {state.waiting}"
    assert all(n > 0 for n in state.tokens.values()), f"researchers: {state.tokens}"
    for space, facilities in state.damage.items():
        for unit, points in facilities.items():
            assert 0 < points <= world.spaces[space].ipc * world.rules.damage_per_value, f"{unit} in {space}: {points}"
            assert any(p.type == unit for p in state.at(space)), f"damage without {unit} in {space}"
    for space, owner in state.owners.items():
        assert world.spaces[space].is_land, f"{space} is owned although it is sea"
        assert owner in world.powers
        assert not world.spaces[space].impassable
    for power, techs in state.techs.items():
        assert techs <= set(world.technologies), f"{power}: {techs}"
    assert 0 <= state.turn < len(world.order)
    assert 0 <= state.phase < len(world.phases)
    assert state.winner is None or state.over
    phase = world.phases[state.phase]
    if is_resting(world, state) and state.battle is None:
        _check_rest(world, state, waiting=phase == "mobilize" and world.rules.landing_on_new_carriers)
    if state.battle is None:
        hurt = [(s, p) for s, stack in state.units.items() for p in stack if p.hits]
        assert not hurt, f"damaged outside of battles: {hurt}"


def _check_piece(world: World, space: str, piece: object, n: int) -> None:
    kind = world.units[piece.type]  # type: ignore[attr-defined]
    assert n > 0, f"{n} {piece} in {space}"
    assert piece.power in world.powers  # type: ignore[attr-defined]
    sea = world.spaces[space].is_sea
    if kind.domain in ("land", "facility"):
        assert not sea, f"{piece} swims in {space}"
    if kind.domain == "sea":
        assert sea, f"{piece} stands on land in {space}"
    assert not world.spaces[space].impassable
    cargo = piece.cargo  # type: ignore[attr-defined]
    if cargo:
        assert kind.domain == "air" or fits(kind.loads, Counter(c.type for c in cargo)), f"{piece} in {space}"
        for aboard in cargo:
            assert not aboard.cargo
            assert world.same_side(aboard.power, piece.power), f"{piece} carries an enemy"  # type: ignore[attr-defined]


def _check_rest(world: World, state: State, *, waiting: bool) -> None:
    """Between movements planes stand on friendly land or decks, and no land holds units of both sides.

    Where planes may land on new carriers they can still be `waiting` for them.
    """
    for space, stack in state.units.items():
        if world.spaces[space].is_land:
            owner = state.owners.get(space)
            assert owner is not None, f"units stay in neutral {space}: {stack}"
            strangers = [p for p in stack if not world.same_side(p.power, owner)]
            assert not strangers, f"{strangers} stay in {space} of {owner}"
            for piece in stack:
                if world.units[piece.type].factory:
                    assert piece.power == owner, f"the complex in {space} is not its owner's"
                assert not piece.cargo, f"nobody jumped: {piece} in {space}"
            continue
        for side in () if waiting else world.sides:
            planes: Counter[str] = Counter()
            decks: Counter[str] = Counter()
            for piece, n in stack.items():
                if world.side_of(piece.power) == side:
                    if world.units[piece.type].domain == "air":
                        planes[piece.type] += n
                    for plane, room in world.units[piece.type].deck.items():
                        decks[plane] += room * n
            assert planes <= decks, f"{side}: {dict(planes)} on decks for {dict(decks)} in {space}"


def census(state: State) -> Counter[tuple[str, str]]:
    """How many units of each power and type there are, cargo included."""
    total: Counter[tuple[str, str]] = Counter()
    for stack in state.units.values():
        for piece, n in with_cargo(stack):
            total[piece.power, piece.type] += n
    return total


def check_step(world: World, before: State, events: Iterable[AnyEvent], after: State, faces: tuple[int, ...]) -> None:
    """The laws about one order: the events alone tell everything that changed."""
    state = before
    told = census(before)
    money = dict(before.treasury)
    rolled: list[int] = []
    bought = 0
    for event in events:
        previous = state
        state = fold(world, state, event)
        match event:
            case Placed(power=power, units=units):
                told.update({(power, unit): n for unit, n in units})
            case Lost(units=units):
                for piece, n in units:
                    told[piece.power, piece.type] -= n
                    for aboard in piece.cargo:
                        told[aboard.power, aboard.type] -= n
            case Captured(space=space, owner=owner):
                for piece, n in previous.at(space).items():
                    if world.units[piece.type].captured:
                        told[piece.power, piece.type] -= n
                        told[owner, piece.type] += n
            case Paid(power=power, amount=amount):
                _check_payment(world, previous, event)
                money[power] += amount
            case Rolled(faces=dice):
                rolled.extend(dice)
            case Bought(cost=cost):
                bought += cost
            case _:
                pass
        if state.units is not previous.units or isinstance(event, Placed | Lost | Captured):
            assert +told == census(state), f"{type(event).__name__} does not tell the units it changes"
        assert money == dict(state.treasury), f"{type(event).__name__} moves money"
    assert state == after, "folding the events again gives another state"
    assert tuple(rolled) == faces, "dice without a word about them"
    assert after.rolls == before.rolls + len(faces)
    assert all(1 <= face <= world.rules.dice_sides for face in faces)
    _check_money(world, tuple(events), bought)


def _check_payment(world: World, state: State, paid: Paid) -> None:
    """Money comes from production and captured capitals only, and goes for what is listed (CL-INC-03)."""
    assert paid.amount, "a payment of nothing"
    if paid.amount > 0:
        assert paid.reason in ("income", "objective", "bonds", "capital"), paid
        if paid.reason == "income":
            assert paid.amount == production(world, state, paid.power)
            assert paid.power == world.order[state.turn]
    else:
        assert paid.reason in ("units", "repair", "research", "neutral", "raid", "rocket", "capital"), paid


def _check_money(world: World, events: tuple[AnyEvent, ...], bought: int) -> None:
    spent: Counter[str] = Counter()
    for event in events:
        if isinstance(event, Paid):
            spent[event.reason] -= event.amount
    assert spent["units"] == bought
    assert spent["repair"] == sum(e.cost for e in events if isinstance(e, Repaired))
    assert -spent["objective"] == sum(e.bonus for e in events if isinstance(e, ObjectiveMet))
    assert -spent["bonds"] == sum(sum(e.faces) for e in events if isinstance(e, Rolled) and e.reason == "bonds")
    assert spent["research"] == sum(e.cost for e in events if isinstance(e, Researched))
    assert spent["neutral"] == sum(e.fee for e in events if isinstance(e, NeutralViolated))
    assert spent["capital"] == 0, "what a capital's owner loses its captor gets"
    assert spent["raid"] <= sum(sum(e.faces) for e in events if isinstance(e, Rolled) and e.reason == "raid")
    assert spent["rocket"] <= sum(sum(e.faces) for e in events if isinstance(e, Rolled) and e.reason == "rocket")
    assert not spent["rocket"] or any(isinstance(e, RocketFired) for e in events)


def check_forfeits(events: Iterable[AnyEvent], pool: Mapping[str, int]) -> None:
    """Units that are forfeited are exactly those that were left in the pool."""
    for event in events:
        if isinstance(event, Forfeited):
            assert dict(event.units) == dict(pool)
