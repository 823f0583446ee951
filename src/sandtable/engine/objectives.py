"""National objectives: is a bonus earned, and if not, what is missing.

An objective's conditions are data (`objectives.yaml`). Each kind of condition is one function here, which gives what
keeps it from being met, in words; nothing means that it is met.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.facts import amount, listed, name, names
from sandtable.engine.state import State
from sandtable.errors import SandtableError
from sandtable.world.model import Objective, PowerId, SpaceId, World

Condition = Mapping[str, Any]


def objectives_of(world: World, power: PowerId) -> list[Objective]:
    """The power's objectives, if the game is played with them (AN-INC-03)."""
    return [o for o in world.objectives if o.power == power] if world.rules.objectives else []


def met(world: World, state: State, objective: Objective) -> bool:
    return not lacking(world, state, objective)


def lacking(world: World, state: State, objective: Objective) -> list[str]:
    """What is missing for the bonus, one sentence's part for each condition that does not hold."""
    problems = (_kind(condition)(world, state, condition) for condition in objective.when)
    return [problem for problem in problems if problem]


def _kind(condition: Condition) -> Callable[[World, State, Condition], str]:
    for key, check in CONDITIONS.items():
        if key in condition:
            return check
    raise SandtableError(f"No rule judges an objective's condition of this kind: {', '.join(condition)}.")


def _members(world: World, who: str) -> tuple[PowerId, ...]:
    """A side stands for any of its powers (AN-INC-06)."""
    return world.members(who) if who in world.sides else (who,)


def _controls(world: World, state: State, condition: Condition) -> str:
    """`controls` a power or side, with `all` of some territories or `at_least` so many `of` them."""
    holders = _members(world, condition["controls"])
    spaces: list[SpaceId] = condition.get("all") or condition["of"]
    needed: int = condition.get("at_least", len(spaces))
    absent = [s for s in spaces if state.owners.get(s) not in holders]
    short = needed - (len(spaces) - len(absent))
    if short <= 0:
        return ""
    if short == len(absent):
        return names(world, absent)
    choice = listed([name(world, s) for s in absent], "or")
    return choice if short == 1 else f"{short} more of {choice}"


def _no_surface_warships(world: World, state: State, condition: Condition) -> str:
    """Ships that make a sea zone hostile; submarines and transports do not count (AN-MAP-11)."""
    enemies = _members(world, condition["no_surface_warships_of"])
    found = [
        f"{amount(world, piece.type, n)} in {name(world, zone)}"
        for zone in condition["in"]
        for piece, n in state.at(zone).items()
        if piece.power in enemies and world.units[piece.type].domain == "sea" and world.units[piece.type].blocks
    ]
    return f"no {listed(found, 'or')}" if found else ""


def _no_units(world: World, state: State, condition: Condition) -> str:
    """No units of a side, but for one power, on land that somebody controls (`in_land_of`)."""
    strangers = [p for p in _members(world, condition["no_units_of"]) if p != condition.get("other_than")]
    owners = _members(world, condition["in_land_of"])
    found = [
        f"{world.powers[piece.power].adjective} {amount(world, piece.type, n)} in {name(world, space)}"
        for space, owner in state.owners.items()
        if owner in owners
        for piece, n in state.at(space).items()
        if piece.power in strangers
    ]
    return f"no {listed(found, 'or')}" if found else ""


CONDITIONS: dict[str, Callable[[World, State, Condition], str]] = {
    "controls": _controls,
    "no_surface_warships_of": _no_surface_warships,
    "no_units_of": _no_units,
}
