"""Complexes that are moved away from the enemy (G40-SPC-05 to G40-SPC-08).

Lifted in the non-combat move, put down in the mobilization of the next turn. The order that lifts one names where it
goes; if that place cannot receive it then, another one may be named.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine.events import Change, ComplexLifted, ComplexSettled, MovingChanged
from sandtable.engine.facts import has_complex, listed, name, type_of
from sandtable.engine.relations import at_war
from sandtable.engine.run import Run
from sandtable.engine.state import Moving, Piece, State
from sandtable.errors import Refusal
from sandtable.notation.orders import Relocate, Upgrade
from sandtable.world.model import PowerId, SpaceId, World


def offers(world: World, state: State, power: PowerId) -> Iterator[Relocate]:
    """Complexes that may be lifted now, each with every place for it."""
    if world.powers[power].special.relocation is None or _lifted(state, power):
        return
    for space, owner in world.original_complexes.items():
        for piece in state.at(space):
            if piece.power == owner == power and type_of(world, state, piece).complex:
                order = Relocate(piece.type, space, "")
                for end in sites(world, state, power):
                    if _why_not(world, state, power, order := msgspec.structs.replace(order, end=end)) is None:
                        yield order


def sites(world: World, state: State, power: PowerId) -> list[SpaceId]:
    """Where the power could put one down."""
    return [space for space, owner in state.owners.items() if owner == power and _fits(world, state, power, space)]


def _fits(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Its own land from the beginning, held since the turn began, without a complex and without one on its way."""
    return (
        world.spaces[space].original == power
        and state.owners.get(space) == power
        and state.start_owners.get(space) == power
        and not has_complex(world, state, space)
        and not any(m.end == space for m in state.moving)
    )


def lift(run: Run, order: Relocate) -> None:
    world, state, power = run.world, run.state, run.power
    refusal = _why_not(world, state, power, order)
    if refusal is not None:
        raise refusal
    piece = next(p for p in state.at(order.start) if p.power == power and p.type == order.unit)
    changes = (Change(order.start, minus=((piece, 1),)),)
    run.emit(ComplexLifted(power, order.start, order.end, order.unit, changes))


def _why_not(world: World, state: State, power: PowerId, order: Relocate) -> Refusal | None:
    right, who = world.powers[power].special.relocation, world.powers[power].name
    if right is None:
        return Refusal("power-never-relocates", f"{who} moves no complexes.")
    if not all(at_war(world, state, power, enemy) for enemy in right.at_war_with):
        foes = listed([world.powers[p].name for p in right.at_war_with])
        return Refusal("relocation-in-peace", f"{who} moves complexes only at war with {foes}.", rules=right.rules)
    if not any(p.power == power and p.type == order.unit for p in state.at(order.start)):
        what = world.units[order.unit].name
        return Refusal("no-complex-to-move", f"{who} has no {what} in {name(world, order.start)}.", (order.start,))
    if _lifted(state, power):
        return Refusal("one-relocation-a-turn", "One complex a turn can be moved.", (order.start,))
    if world.original_complexes.get(order.start) != power or state.spent.get(f"moved {order.start}"):
        text = "Only complexes that stood there when the game began are moved, each of them once."
        return Refusal("not-an-original-complex", text, (order.start,))
    if state.start_owners.get(order.start) != power:
        return Refusal("relocation-from-new-land", "The complex has just been taken.", (order.start,))
    if not _fits(world, state, power, order.end):
        text = (
            f"{name(world, order.end)} cannot receive it: it goes to other land of {who} from the beginning, without a "
        )
        return Refusal("no-site-for-relocation", f"{text}complex.", (order.end,), rules=right.rules)
    return None


def _lifted(state: State, power: PowerId) -> bool:
    return any(m.power == power and m.round == state.round for m in state.moving)


def due(state: State, power: PowerId) -> list[Moving]:
    """Complexes that can be put down in this turn's mobilization."""
    return [m for m in state.moving if m.power == power and m.round < state.round]


def settle(run: Run) -> None:
    """Put down whatever can be, when the mobilization begins."""
    for moving in due(run.state, run.power):
        if _receives(run, moving, moving.end):
            _put_down(run, moving)


def redirect(run: Run, order: Relocate) -> None:
    """Another place for a complex whose own cannot receive it any more."""
    world, power = run.world, run.power
    moving = next((m for m in due(run.state, power) if m.end == order.start and m.unit == order.unit), None)
    if moving is None:
        text = f"No complex waits to be put down in {name(world, order.start)}."
        raise Refusal("no-complex-under-way", text, (order.start,))
    if not _receives(run, moving, order.end):
        text = f"{name(world, order.end)} cannot receive the complex."
        raise Refusal("no-site-for-relocation", text, (order.end,))
    now = msgspec.structs.replace(moving, end=order.end)
    run.emit(MovingChanged(moving, now))
    _put_down(run, now)


def redirections(world: World, state: State, power: PowerId) -> Iterator[Relocate]:
    for moving in due(state, power):
        yield from (Relocate(moving.unit, moving.end, end) for end in sites(world, state, power))


def _receives(run: Run, moving: Moving, space: SpaceId) -> bool:
    others = msgspec.structs.replace(run.state, moving=tuple(m for m in run.state.moving if m != moving))
    return _fits(run.world, others, run.power, space)


def _put_down(run: Run, moving: Moving) -> None:
    changes = (Change(moving.end, plus=((Piece(moving.power, moving.unit, done=True), 1),)),)
    run.emit(ComplexSettled(moving.power, moving.end, moving.unit, moving, changes))


# ---------------------------------------------------------------- a better complex on arrival


def can_upgrade(world: World, state: State, power: PowerId, space: SpaceId) -> Moving | None:
    """The complex under way to this place that may be made a better one."""
    right = world.powers[power].special.relocation
    if right is None:
        return None
    return next((m for m in due(state, power) if m.end == space and m.unit in right.upgrades), None)


def upgrade(run: Run, order: Upgrade, moving: Moving) -> None:
    """Paid before it is put down, with the repair of whatever damage it has (G40-SPC-08)."""
    world, power = run.world, run.power
    right = world.powers[power].special.relocation
    assert right is not None
    cost = right.upgrade_cost + moving.damage * world.rules.repair_cost
    if cost > run.state.treasury[power]:
        money = run.state.treasury[power]
        text = f"The better complex costs {cost}, and {world.powers[power].name} has {money}."
        raise Refusal("not-enough-money", text, (order.space,))
    run.pay(power, -cost, "units", order.space)
    now = msgspec.structs.replace(moving, unit=right.upgrades[moving.unit], damage=0, upgraded=True)
    run.emit(MovingChanged(moving, now, cost))
