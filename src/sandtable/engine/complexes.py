"""What complexes can do: how many units they receive, what repairs cost, and units that come for nothing."""

from __future__ import annotations

from sandtable.engine.damage import complex_in, damage_of
from sandtable.engine.facts import technologies, type_of, unit_type
from sandtable.engine.recent import remembered
from sandtable.engine.state import State
from sandtable.world.model import Power, PowerId, SpaceId, UnitId, World


@remembered
def working_complexes(world: World, state: State, power: PowerId) -> tuple[SpaceId, ...]:
    """Territories with a complex that the power has owned since the turn began (CL-PRD-01, CL-PRD-06, AN-MOB-01)."""
    if world.powers[power].reinforcement is not None:
        return ()  # AN-CHN-11
    support = world.powers[power].support
    if support is not None:  # MX19-18
        return tuple(s for s in support.spaces if state.owners.get(s) == power == state.start_owners.get(s))
    return tuple(
        s
        for s, stack in state.units.items()
        if state.owners.get(s) == power
        and state.start_owners.get(s) == power
        and any(
            p.mark != "new" and type_of(world, state, p).complex and p.type not in state.building.get(s, ())
            for p in stack
        )
    )


def builds_big(world: World, state: State, power: PowerId, unit: UnitId, space: SpaceId) -> bool:
    """The complex there is of the kind that it takes to build such a unit (G40-MOB-07)."""
    wanted = unit_type(world, state, power, unit).built_at
    if wanted is None or space in world.powers[power].special.builds_all:
        return True
    return space not in state.upgraded and any(piece.type == wanted for piece in state.at(space))


def output(world: World, state: State, power: PowerId, space: SpaceId) -> int | None:
    """How many units the complex can receive in a turn; None: any number (CL-PRD-07 to CL-PRD-10).

    Damage counts against it, better complexes for it (AN-MOB-02, AN-SBR-06, AN-TEC-12).
    """
    if world.powers[power].support is not None:
        return None
    if world.rules.complex_output == "original-unlimited" and world.original_complexes.get(space) == power:
        return None
    if world.rules.complex_output == "by-kind":
        return max(0, _by_kind(world, state, power, space) - damage_of(world, state, space))
    value = world.spaces[space].ipc
    better = sum(t.output_change for t in technologies(world, state, power) if value >= t.output_value)
    return max(0, max(value, world.rules.complex_minimum) + better - damage_of(world, state, space))


def _by_kind(world: World, state: State, power: PowerId, space: SpaceId) -> int:
    """What the kind of complex receives; one that was made better this turn still counts as it was (G40-MOB-02)."""
    unit = complex_in(world, state, space)
    rules = unit_type(world, state, power, unit).facility if unit is not None else None
    if unit is not None and rules is not None and space in state.upgraded and rules.upgrade_of is not None:
        unit = rules.upgrade_of
        rules = unit_type(world, state, power, unit).facility
    if unit is None or rules is None:
        return 0
    return max((t.outputs[unit] for t in technologies(world, state, power) if unit in t.outputs), default=rules.output)


def capacity(world: World, state: State, power: PowerId) -> int | None:
    """Units that all complexes of the power together can receive this turn; None: any number."""
    total = 0
    for space in working_complexes(world, state, power):
        room = output(world, state, power, space)
        if room is None:
            return None
        total += room
    return total


def room(world: World, state: State, power: PowerId) -> int | None:
    """Units that the power may still order this turn; None: as many as it can pay for.

    Some editions sell only what complexes can receive (AN-BUY-05); a new complex needs no other (AN-BUY-06).
    """
    limit = capacity(world, state, power) if world.rules.purchase_limit == "capacity" else None
    if limit is None:
        return None
    ordered = sum(
        n for unit, n in state.pool_of(world, power).items() if not unit_type(world, state, power, unit).complex
    )
    return max(0, limit - ordered)


def repair_cost(
    world: World, state: State, power: PowerId, space: SpaceId, points: int, unit: UnitId | None = None
) -> int:
    """The price of taking so many markers off a facility there, the complex if none is named (AN-BUY-02, AN-TEC-13).

    Where one payment takes several off a complex, the turn's repairs of it count together, in how many orders ever.
    """
    if unit is not None and not unit_type(world, state, power, unit).complex:
        return points * world.rules.repair_cost
    at_once = max((t.repairs_per_cost for t in technologies(world, state, power)), default=1)
    before = state.repaired.get(space, 0)
    paid, total = (-(-markers // at_once) for markers in (before, before + points))
    return (total - paid) * world.rules.repair_cost


def reinforcements(world: World, state: State, power: Power) -> int:
    """Units that the power gets for nothing for its own land that it holds (AN-CHN-04)."""
    if power.reinforcement is None:
        return 0
    return len(home(world, state, power.id)) // power.reinforcement.spaces_for_one


def home(world: World, state: State, power: PowerId) -> list[SpaceId]:
    """Land that was the power's from the beginning and is so now."""
    return [s for s, owner in state.owners.items() if owner == power and world.spaces[s].original == power]
