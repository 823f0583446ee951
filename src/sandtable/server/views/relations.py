"""What powers are to each other, and where the power that acts may not go: for the map and the diplomacy window."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sandtable.engine.access import banned, closed_land, may_not_attack, restricted, spared
from sandtable.engine.facts import canal_closed, the
from sandtable.engine.relations import left_alone, stance
from sandtable.engine.state import State
from sandtable.server.views.base import Model
from sandtable.world.model import Ban, World


class Relation(Model):
    """Two powers; only listed where sides are not fixed for good."""

    one: str
    other: str
    stance: Literal["ally", "enemy", "peace"]
    bound: bool = Field(False, description="a treaty keeps one of them from attacking the other")


class Closed(Model):
    """A space that the power whose turn it is may not enter, or not attack."""

    space: str
    kind: Literal["closed", "spared"] = Field(description="spared: it may not be attacked")
    text: str = Field(description="why, in words")
    rules: list[str] = []


def relation_views(world: World, state: State) -> list[Relation]:
    """Every pair of powers with turns of their own, where wars are declared, alliances made, or treaties kept."""
    if state.stances is None:
        return []
    powers = [power for power in world.order if world.powers[power].played_by is None]
    return [
        Relation(
            one=one,
            other=other,
            stance=stance(world, state, one, other),
            bound=other in left_alone(state, one) or one in left_alone(state, other),
        )
        for place, one in enumerate(powers)
        for other in powers[place + 1 :]
    ]


def closed_views(world: World, state: State, power: str) -> list[Closed]:
    """What is closed to the power beyond what the board closes to everybody, and what it may not attack."""
    if not restricted(world, state):
        return []
    bans, safe = banned(world, state, power), spared(world, state, power)
    who = f"{world.powers[power].adjective} units"
    shut = closed_land(world, state, power) | bans.keys()
    found = []
    for space, place in world.spaces.items():
        if place.impassable:
            continue
        if space in shut:
            found.append(_closed(who, space, "closed", bans.get(space), _why(world, state, power, space)))
        elif space in safe or (state.owners.get(space) and may_not_attack(world, state, power, space)):
            found.append(_closed(who, space, "spared", safe.get(space), "a treaty protects it"))
    return found


def closed_straits(world: World, state: State, power: str) -> list[str]:
    """Canals and straits through which no warship of the power passes now."""
    ships = [unit.id for unit in world.units.values() if unit.domain == "sea"]
    return list(
        dict.fromkeys(
            canal.id
            for (a, b), canal in world.canals.items()
            if all(unit in canal.free_for or canal_closed(world, state, power, a, b, unit) for unit in ships)
            and not all(unit in canal.free_for for unit in ships)
        )
    )


def _closed(who: str, space: str, kind: Literal["closed", "spared"], ban: Ban | None, text: str) -> Closed:
    rules = list(ban.rules) if ban is not None else []
    return Closed(
        space=space, kind=kind, text=f"{who} {ban.text}" if ban is not None and ban.text else text, rules=rules
    )


def _why(world: World, state: State, power: str, space: str) -> str:
    owner = state.owners.get(space)
    if owner is None:
        return "it is outside of this game, or closed to everybody"
    if owner == power:
        return "units of an ally are there who do not share land"
    match stance(world, state, power, owner):
        case "ally":
            return f"the {world.powers[owner].adjective} ally does not share its land"
        case "peace":
            return f"there is peace with {the(world, owner)}"
        case "enemy":
            return "no way leads there in this game"
