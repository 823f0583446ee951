"""Where a power's units may be at all: land that nobody enters, areas of single powers, land of powers at peace.

Range, phases and enemies are matters of movement; this is what stays closed however far a unit could go.
"""

from __future__ import annotations

from sandtable.engine.conditions import holds
from sandtable.engine.conditions.viewpoint import Viewpoint
from sandtable.engine.facts import is_neutral, is_occupied, listed, name, type_of
from sandtable.engine.recent import remembered
from sandtable.engine.relations import acquaintances, enemies, friends, is_neutral_power, leans_to, left_alone
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.conditions import unit_kinds
from sandtable.world.model import Ban, PowerId, SpaceId, UnitId, World


def restricted(world: World, state: State) -> bool:
    """There are more closed spaces than the board itself has."""
    return bool(world.bans or world.skies or world.rules.sharing is not None or state.stances is not None)


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
        if world.rules.neutrals == "armies":
            return is_neutral_power(world, state, power)
        return world.rules.neutrals == "closed" and not leans_to(world, state, power, space)
    if world.rules.sharing is not None and _stranger(world, state, power, space) is not None:
        return True
    return state.stances is not None and _at_peace(world, state, power, space)


def may_not_attack(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """The power may not attack whoever is in the space, nor take it, though it might enter it otherwise."""
    if state.stances is not None and ally_in_the_way(world, state, power, space) is not None:
        return True
    if not world.bans:
        return False
    return space in spared(world, state, power) or bool(_left_alone_in(world, state, power, space))


@remembered
def closed_land(world: World, state: State, power: PowerId) -> frozenset[SpaceId]:
    """All land of some power that is closed to this one, and whatever a rule closes."""
    if not restricted(world, state):
        return frozenset()
    shut = banned(world, state, power) if world.bans else {}
    if world.rules.sharing is not None or world.powers[power].area:
        return frozenset(space for space in state.owners if is_closed(world, state, power, space)).union(shut)
    if state.stances is None:
        return frozenset(shut)
    known = acquaintances(world, state.stances, power)  # the same as in `is_closed`, for all at once
    strange = {space for space, owner in state.owners.items() if owner not in known}
    if len(known) < len(world.powers):
        strangers = {space for space, stack in state.units.items() for piece in stack if piece.power not in known}
        strange |= strangers & state.owners.keys()
    return frozenset(strange).union(shut)


@remembered
def banned(world: World, state: State, power: PowerId) -> dict[SpaceId, Ban]:
    """Spaces that a rule keeps the power's units out of now, each with the rule."""
    return _barred(world, state, power, attacks=False)


@remembered
def spared(world: World, state: State, power: PowerId) -> dict[SpaceId, Ban]:
    """Spaces that a rule forbids the power to attack now, each with the rule."""
    return _barred(world, state, power, attacks=True)


def _barred(world: World, state: State, power: PowerId, *, attacks: bool) -> dict[SpaceId, Ban]:
    asked = Viewpoint(world, state, power)
    found: dict[SpaceId, Ban] = {}
    for ban in world.bans:
        if ban.attacks == attacks and not ban.passing and power in ban.powers and holds(world, state, ban.when, power):
            for space in asked.spaces(ban.places):
                if _meant(world, state, power, ban, space):
                    found.setdefault(space, ban)
    return found


def _meant(world: World, state: State, power: PowerId, ban: Ban, space: SpaceId) -> bool:
    if ban.permits and space in state.permitted:
        return False
    if ban.land_of == "anybody":
        return True
    those = friends(world, state, power) if ban.land_of == "friends" else enemies(world, state, power)
    return state.owners.get(space) in those


def _stranger(world: World, state: State, power: PowerId, space: SpaceId) -> PowerId | None:
    """An ally whose land this is, or whose units stand there, and with whom the power does not share land."""
    ours = friends(world, state, power)
    owner = state.owners.get(space)
    if owner not in ours:
        return None
    if owner != power and not _shares(world, state, power, owner, space):
        return owner
    others = dict.fromkeys(
        piece.power for piece in state.at(space) if piece.power != power and not type_of(world, state, piece).captured
    )
    return next((o for o in others if o in ours and not _shares(world, state, power, o, space)), None)


def _shares(world: World, state: State, power: PowerId, other: PowerId, space: SpaceId) -> bool:
    """The two may be in this land together, the first entering it."""
    sharing, grants = world.rules.sharing, world.rules.grants
    if sharing is None or any(power in group and other in group for group in sharing.partners):
        return True
    if grants is not None and space in state.permitted and {power, other} <= {grants.power, *grants.to}:
        return True
    for guests in sharing.guests:
        if space in guests.places:
            if power in guests.powers and other in guests.hosts:
                return True
            if power in guests.hosts and other in guests.powers and state.owners.get(space) in guests.hosts:
                return True  # the hosts are at home there, whoever their guests are
    return False


@remembered
def _waysides(world: World, state: State, power: PowerId) -> dict[SpaceId, list[tuple[Ban, frozenset[UnitId]]]]:
    """Spaces where some units of the power may pass but not stay, with the rules and whom they mean."""
    asked = Viewpoint(world, state, power)
    found: dict[SpaceId, list[tuple[Ban, frozenset[UnitId]]]] = {}
    for ban in world.bans:
        if ban.passing and power in ban.powers and holds(world, state, ban.when, power):
            kinds = unit_kinds(ban.units, world.units)
            for space in asked.spaces(ban.places):
                found.setdefault(space, []).append((ban, kinds))
    return found


def no_stay(world: World, state: State, power: PowerId, unit: UnitId, space: SpaceId) -> Ban | None:
    """The rule by which such a unit may pass through the space but not end its move there."""
    if not world.bans:
        return None
    return next((ban for ban, kinds in _waysides(world, state, power).get(space, ()) if unit in kinds), None)


def ban_refusal(world: World, power: PowerId, ban: Ban, space: SpaceId) -> Refusal:
    text = ban.text or f"stay out of {name(world, space)}"
    return Refusal("closed-by-a-rule", f"{world.powers[power].adjective} units {text}.", (space,), rules=ban.rules)


def _in_area(world: World, power: PowerId, space: SpaceId) -> bool:
    """Units of some powers keep to certain spaces (AN-CHN-08, AN-CHN-09)."""
    area = world.powers[power].area
    return not area or space in area


def _at_peace(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """The land belongs to a power, or shelters units of one, that is neither friend nor enemy."""
    assert state.stances is not None
    known = acquaintances(world, state.stances, power)
    return state.owners[space] not in known or any(piece.power not in known for piece in state.at(space))


def ally_in_the_way(world: World, state: State, power: PowerId, space: SpaceId) -> PowerId | None:
    """An ally with units among the enemies there: where alliances join pairs, the space is not attacked (MX20-10)."""
    if state.stances is None or world.rules.relations != "alliances":
        return None
    stack = state.at(space)
    allies = friends(world, state, power) - {power}
    found = min((p.power for p in stack if p.power in allies), default=None)
    if found is None:
        return None
    hostile = enemies(world, state, power)
    return found if state.owners.get(space) in hostile or any(p.power in hostile for p in stack) else None


def is_beset(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Units of former allies stand among each other: those of the power may leave before it comes to a fight."""
    if state.stances is None or world.rules.relations != "alliances":
        return False
    return is_occupied(world, state, power, space)


def _left_alone_in(world: World, state: State, power: PowerId, space: SpaceId) -> list[PowerId]:
    """Powers that this one must leave alone, and that have units or land there."""
    spared_ones = left_alone(state, power)
    if not spared_ones:
        return []
    there = {piece.power for piece in state.at(space)} | {state.owners.get(space)}
    return [other for other in world.powers if other in spared_ones and other in there]


def refusal(world: World, state: State, power: PowerId, space: SpaceId) -> Refusal:
    """Why the space is closed, or may not be attacked."""
    units, place = f"{world.powers[power].adjective} units", name(world, space)
    if world.spaces[space].impassable:
        return Refusal("impassable-land", f"{place} cannot be entered.", (space,))
    if not _in_area(world, power, space):
        if world.spaces[space].is_sea and any(world.spaces[s].is_sea for s in world.powers[power].area):
            return Refusal("zone-outside-area", f"{place} is outside the area of play.", (space,))
        if world.spaces[space].is_sea:
            return Refusal("power-never-goes-to-sea", f"{units} never go to sea.", (space,))
        return Refusal("outside-area-of-power", f"{units} never enter {place}.", (space,))
    ban = banned(world, state, power).get(space)
    if ban is not None:
        return ban_refusal(world, power, ban, space)
    partner = ally_in_the_way(world, state, power, space)
    if partner is not None:
        text = f"Units of {world.powers[partner].name}, an ally, are in {place}: break with it before you attack there."
        return Refusal("ally-in-the-way", text, (space,))
    ban = spared(world, state, power).get(space)
    if ban is not None:
        text = f"{units} {ban.text or f'do not attack {place}'}."
        return Refusal("closed-by-a-rule", text, (space,), rules=ban.rules)
    if is_neutral(world, state, space) and world.rules.neutrals == "armies":
        text = f"{world.powers[power].name} is at war with nobody: its units keep out of neutral {place}."
        return Refusal("neutral-land-for-neutral-power", text, (space,))
    if is_neutral(world, state, space):
        text = f"{place} is neutral: nobody enters it or flies over it."
        return Refusal("neutral-land-closed", text, (space,))
    if world.rules.sharing is not None:
        ally = _stranger(world, state, power, space)
        if ally is not None:
            who, ours = world.powers[ally].adjective, world.rules.sharing
            if state.owners[space] != power:
                rules = (*ours.rules, *ours.rules_of_stay)
                text = f"{units} do not enter {place}: it is {who}, and these allies share no land."
                if state.owners[space] != ally:
                    text = f"{units} do not enter {place}: {who} units are there, and these allies share no land."
                return Refusal("allies-share-no-land", text, (space,), rules=rules)
            text = f"{units} do not enter {place} before the {who} units there have left: these allies share no land."
            return Refusal("allies-share-no-land", text, (space,), rules=ours.rules_of_stay)
    others = _left_alone_in(world, state, power, space)
    if others:
        whom = listed([world.powers[other].name for other in others])
        pacts = (ban for ban in world.restraints if power in ban.powers and set(others) & set(ban.against))
        rules = tuple(rule for ban in pacts for rule in ban.rules)
        text = f"{world.powers[power].name} leaves {whom} alone for the time being: {place} is closed to its units."
        return Refusal("closed-by-a-rule", text, (space,), rules=rules)
    guards = world.powers[state.owners[space]].guards
    if guards and power not in world.comrades[guards[0]]:
        whom = listed([world.powers[guard].name for guard in guards])
        text = f"An attack on {place} would be an act of war against {whom}, with whom there is peace."
        return Refusal("land-under-guard", text, (space,))
    text = f"{world.powers[power].name} is at peace with whoever is in {place}: its units stay out of it."
    return Refusal("land-at-peace", text, (space,))
