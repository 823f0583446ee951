"""Roles in which picked units can go, for the page: those of planes, and those that only some powers ever have.

A role here is what follows `as` in an order: `escort`, `raid air-base`, `surprise`.
"""

from __future__ import annotations

from collections.abc import Iterable

from sandtable.engine import atomic, spies
from sandtable.engine.facts import active, has_enemies, phase_name, unit_type
from sandtable.engine.legal import Legal
from sandtable.engine.movement import base_drop
from sandtable.engine.movement.paradrop import BY_PLANE
from sandtable.engine.movement.paradrop import ROLE as DROP
from sandtable.engine.movement.roles import RAID
from sandtable.engine.special import surprise, transfer
from sandtable.notation.orders import Move, UnitSpec

Routes = dict[str, tuple[str, ...]]


def plane_roles(legal: Legal, unit: str) -> list[str]:
    """What such planes can be sent to do; where raids are meant for single facilities, each of these is a role."""
    world = legal.world
    found = legal.roles(unit)
    if RAID not in found or world.rules.raid_targets != "facilities":
        return found
    kind = unit_type(world, legal.state, active(world, legal.state), unit)
    aims = [f"{RAID} {facility}" for facility in world.units if facility in kind.traits.get("raid_targets", ())]
    return [each for role in found for each in (aims if role == RAID else [role])]


def rare_roles(legal: Legal, space: str, unit: str) -> list[str]:
    """What hardly anybody can do: a surprise, an atomic bomb, troops by rail, a secret redeployment, a drop."""
    world, state = legal.world, legal.state
    power = active(world, state)
    domain = world.units[unit].domain
    found = []
    if surprise.offers(world, state, power) and (domain == "sea" or world.spaces[space].is_sea):
        found.append(surprise.ROLE)
    if any(spec.type == unit for spec in atomic.offers(world, state, power)):
        found.append(atomic.ROLE)
    if any(_is_from(order, space, unit) for order in transfer.offers(world, state, power)):
        found.append(transfer.ROLE)
    if _drops(legal, space, unit):
        found.append(DROP)
    if spies.may_act(world, state, power) and domain in ("land", "sea"):
        found.append(spies.ROLE)
    return found


def routes(legal: Legal, space: str, unit: str, role: str | None, marks: tuple[str, ...] | None) -> Routes:
    """Where one such unit might be sent in this role; whether it may is for the engine to say when it is tried."""
    world, state = legal.world, legal.state
    power = active(world, state)
    match role:
        case surprise.ROLE:
            plain = legal.destinations(space, unit, None, marks)
            return {end: way for end, way in plain.items() if has_enemies(world, state, power, end)}
        case atomic.ROLE:
            aims = (u for u in world.units if world.units[u].complex)
            ways = (legal.destinations(space, unit, f"{RAID} {facility}", marks) for facility in aims)
            return {end: way for each in ways for end, way in each.items()}
        case transfer.ROLE:
            return _ends(o for o in transfer.offers(world, state, power) if _is_from(o, space, unit))
        case spies.ROLE:
            return _ends(o for o in spies.redeployments(world, state, power) if _is_from(o, space, unit))
        case _ if role == DROP and (drops := _drops(legal, space, unit)):
            return _ends(drops)
        case _ if role in BY_PLANE and world.units[unit].domain != "air":
            return {}
        case _:
            return legal.destinations(space, unit, role, marks)


def as_order(units: tuple[UnitSpec, ...], route: tuple[str, ...], role: str | None) -> Move:
    word, _, facility = (role or "").partition(" ")
    return Move(units, route, word or None, facility or None)


def _drops(legal: Legal, space: str, unit: str) -> list[Move]:
    """Troops that are dropped from a base need no planes that are named."""
    if phase_name(legal.world, legal.state) != "combat-move":
        return []
    offers = base_drop.offers(legal.world, legal.state, active(legal.world, legal.state))
    return [order for order in offers if _is_from(order, space, unit)]


def _is_from(order: Move, space: str, unit: str) -> bool:
    return order.route[0] == space and order.units[0].type == unit


def _ends(orders: Iterable[Move]) -> Routes:
    return {order.route[-1]: order.route for order in orders}
