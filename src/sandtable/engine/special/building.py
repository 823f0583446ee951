"""What powers never build, and where (G40-SPC-09, G40-SPC-33)."""

from __future__ import annotations

from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitId, World
from sandtable.world.specials import NoBuild


def check(world: World, power: PowerId, unit: UnitId, space: SpaceId) -> None:
    """Refuse a facility that the power does not build there."""
    for ban in world.powers[power].special.never_builds:
        if unit in ban.units and ban.original in ("", world.spaces[space].original):
            raise _refusal(world, power, unit, ban, (space,))


def never(world: World, power: PowerId, unit: UnitId) -> Refusal | None:
    """Why the power builds it nowhere, so that it does not buy it either; None if there is some land for it."""
    bans = (b for b in world.powers[power].special.never_builds if unit in b.units and not b.original)
    return next((_refusal(world, power, unit, ban, ()) for ban in bans), None)


def _refusal(world: World, power: PowerId, unit: UnitId, ban: NoBuild, spaces: tuple[SpaceId, ...]) -> Refusal:
    owner = f" in land of {world.powers[ban.original].name}" if ban.original else ""
    text = f"{world.powers[power].name} builds no {world.units[unit].plural}{owner}."
    return Refusal("power-never-builds-that", text, spaces, rules=ban.rules)
