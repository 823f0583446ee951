"""What powers never build, and where (G40-SPC-09, G40-SPC-33)."""

from __future__ import annotations

from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def check(world: World, power: PowerId, unit: UnitId, space: SpaceId) -> None:
    """Refuse a facility that the power does not build there."""
    for ban in world.powers[power].special.never_builds:
        if unit in ban.units and ban.original in ("", world.spaces[space].original):
            owner = f" in land of {world.powers[ban.original].name}" if ban.original else ""
            text = f"{world.powers[power].name} builds no {world.units[unit].plural}{owner}."
            raise Refusal("power-never-builds-that", text, (space,), rules=ban.rules)
