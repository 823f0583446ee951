"""What complexes can do: how many units they receive, what repairs cost, and units that come for nothing."""

from __future__ import annotations

from sandtable.engine.damage import damage_of
from sandtable.engine.facts import technologies, type_of, unit_type
from sandtable.engine.recent import remembered
from sandtable.engine.state import State
from sandtable.world.model import Power, PowerId, SpaceId, World


@remembered
def working_factories(world: World, state: State, power: PowerId) -> tuple[SpaceId, ...]:
    """Territories with a complex that the power has owned since the turn began (CL-PRD-01, CL-PRD-06, AN-MOB-01)."""
    if world.powers[power].reinforcement is not None:
        return ()  # AN-CHN-11
    return tuple(
        s
        for s, stack in state.units.items()
        if state.owners.get(s) == power
        and state.start_owners.get(s) == power
        and any(p.mark != "new" and type_of(world, state, p).factory for p in stack)
    )


def output(world: World, state: State, power: PowerId, space: SpaceId) -> int | None:
    """How many units the complex can receive in a turn; None: any number (CL-PRD-07 to CL-PRD-10).

    Damage counts against it, better factories for it (AN-MOB-02, AN-SBR-06, AN-TEC-12).
    """
    if world.rules.complex_output == "original-unlimited" and world.original_factories.get(space) == power:
        return None
    value = world.spaces[space].ipc
    better = sum(t.output_change for t in technologies(world, state, power) if value >= t.output_value)
    return max(0, max(value, world.rules.complex_minimum) + better - damage_of(world, state, space))


def capacity(world: World, state: State, power: PowerId) -> int | None:
    """Units that all complexes of the power together can receive this turn; None: any number."""
    total = 0
    for space in working_factories(world, state, power):
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
        n for unit, n in state.reserve(world, power).items() if not unit_type(world, state, power, unit).factory
    )
    return max(0, limit - ordered)


def repair_cost(world: World, state: State, power: PowerId, space: SpaceId, points: int) -> int:
    """The price of taking so many markers off the complex there, rounded up (AN-BUY-02, AN-TEC-13).

    Where one payment takes off several, the turn's repairs of a complex count together, in how many orders ever.
    """
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
