"""Where a power's units may be at all: land that nobody enters, areas of single powers, land of powers at peace.

Range, phases and enemies are matters of movement; this is what stays closed however far a unit could go.
"""

from __future__ import annotations

from sandtable.engine.conditions import holds
from sandtable.engine.conditions.asked import Asked
from sandtable.engine.facts import is_neutral, name
from sandtable.engine.recent import remembered
from sandtable.engine.relations import enemies, friends, leans_to
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.model import Ban, PowerId, SpaceId, World


def is_closed(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """The power's units may neither enter the space nor fly over it."""
    place = world.spaces[space]
    if place.impassable or (world.skies and not _in_area(world, power, space)):
        return True
    if world.bans and space in banned(world, state, power):
        return True
    if place.is_sea:
        return False
    if is_neutral(world, state, space):
        return world.rules.neutral_fee is None and not leans_to(world, state, power, space)
    return state.stances is not None and _at_peace(world, state, power, space)


@remembered
def banned(world: World, state: State, power: PowerId) -> dict[SpaceId, Ban]:
    """Spaces that a rule keeps the power's units out of now, each with the rule."""
    asked = Asked(world, state, power)
    return {
        space: ban
        for ban in world.bans
        if power in ban.powers and holds(world, state, ban.when, power)
        for space in asked.spaces(ban.places)
    }


def _in_area(world: World, power: PowerId, space: SpaceId) -> bool:
    """Units of some powers keep to certain spaces (AN-CHN-08, AN-CHN-09)."""
    area = world.powers[power].area
    return not area or space in area


def _at_peace(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """The land belongs to a power, or shelters units of one, that is neither friend nor enemy."""
    known = friends(world, state, power) | enemies(world, state, power)
    return state.owners[space] not in known or any(piece.power not in known for piece in state.at(space))


def refusal(world: World, state: State, power: PowerId, space: SpaceId) -> Refusal:
    """Why the space is closed."""
    units, place = f"{world.powers[power].adjective} units", name(world, space)
    if world.spaces[space].impassable:
        return Refusal("impassable-land", f"{place} cannot be entered.", (space,))
    if not _in_area(world, power, space):
        if world.spaces[space].is_sea:
            return Refusal("power-never-goes-to-sea", f"{units} never go to sea.", (space,))
        return Refusal("outside-area-of-power", f"{units} never enter {place}.", (space,))
    ban = banned(world, state, power).get(space)
    if ban is not None:
        return Refusal("closed-by-a-rule", f"{units} {ban.text or f'stay out of {place}'}.", (space,), rules=ban.rules)
    if is_neutral(world, state, space):
        return Refusal("impassable-land", f"{place} cannot be entered.", (space,))
    text = f"{world.powers[power].name} is at peace with whoever is in {place}: its units stay out of it."
    return Refusal("land-at-peace", text, (space,))
