"""Opening one's land to allies, territory by territory and for good (MX04-12 to MX04-14).

Which power may do so while its capital is lost is data (`Rules.grants`), and so is what its permission lifts: see bans.
"""

from __future__ import annotations

from sandtable.engine.events import LandOpened
from sandtable.engine.facts import active, name
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, World


def grant(run: Run, space: SpaceId) -> None:
    """The power that acts lets its allies into the territory."""
    world, power, grants = run.world, run.power, run.world.rules.grants
    if grants is None:
        raise Refusal("no-permission-needed", "In this game allies need no permission to enter each other's land.")
    giver = world.powers[grants.power]
    if power != grants.power:
        raise Refusal("permission-of-another", f"Only {giver.name} opens its land, on its own turn.", (space,))
    if not _is_time(world, run.state, power):
        text = f"{giver.name} opens its land only while {name(world, giver.capital or space)} is lost."
        raise Refusal("permission-before-capital-lost", text, (space,))
    if run.state.owners.get(space) != power:
        raise Refusal("permission-for-land-of-others", f"{giver.name} does not control {name(world, space)}.", (space,))
    if space in run.state.permitted:
        raise Refusal("land-is-open", f"{name(world, space)} has been opened already, and stays so.", (space,))
    run.emit(LandOpened(power, space))


def places(world: World, state: State) -> list[SpaceId]:
    """Land that the power that acts could open now."""
    grants = world.rules.grants
    if grants is None or active(world, state) != grants.power or not _is_time(world, state, grants.power):
        return []
    mine = (s for s in world.spaces if state.owners.get(s) == grants.power)
    return [space for space in mine if space not in state.permitted]


def _is_time(world: World, state: State, power: PowerId) -> bool:
    capital = world.powers[power].capital
    return capital is not None and state.owners.get(capital) != power
