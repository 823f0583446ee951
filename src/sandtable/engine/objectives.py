"""National objectives: is a bonus earned, and if not, what is missing.

An objective's conditions are data (`objectives.yaml`). Each kind of condition is one function here, which gives what
keeps it from being met, in words; nothing means that it is met.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sandtable.engine.facts import listed, name, names
from sandtable.engine.state import Piece, State, with_cargo
from sandtable.errors import SandtableError
from sandtable.world.model import Objective, PowerId, SpaceId, UnitId, World

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
    warships = {unit.id for unit in world.units.values() if unit.domain == "sea" and unit.blocks}
    return _leave(world, state, condition["in"], lambda piece: piece.power in enemies and piece.type in warships)


def _no_units(world: World, state: State, condition: Condition) -> str:
    """No units of a side, but for one power, on land that somebody controls (`in_land_of`)."""
    strangers = [p for p in _members(world, condition["no_units_of"]) if p != condition.get("other_than")]
    owners = _members(world, condition["in_land_of"])
    land = [space for space in world.spaces if state.owners.get(space) in owners]
    return _leave(world, state, land, lambda piece: piece.power in strangers)


def _leave(world: World, state: State, spaces: Iterable[SpaceId], unwanted: Callable[[Piece], bool]) -> str:
    """`1 British destroyer to leave Sea Zone 14`"""
    found = []
    for space in spaces:
        counts: dict[tuple[PowerId, UnitId], int] = {}
        for piece, n in with_cargo(state.at(space)):
            if unwanted(piece):
                counts[piece.power, piece.type] = counts.get((piece.power, piece.type), 0) + n
        for (power, unit), n in sorted(counts.items()):
            kind = world.units[unit].name if n == 1 else world.units[unit].plural
            found.append(f"{n} {world.powers[power].adjective} {kind} to leave {name(world, space)}")
    return listed(found)


CONDITIONS: dict[str, Callable[[World, State, Condition], str]] = {
    "controls": _controls,
    "no_surface_warships_of": _no_surface_warships,
    "no_units_of": _no_units,
}
