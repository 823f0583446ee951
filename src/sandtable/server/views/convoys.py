"""Convoys at risk: where enemy ships lie off whose coasts, and what they cost on average."""

from __future__ import annotations

from pydantic import Field

from sandtable.engine.convoys import at_risk, harm, raiders
from sandtable.engine.facts import pays
from sandtable.engine.state import State
from sandtable.server.views.base import Model
from sandtable.world.model import PowerId, World


class RaiderView(Model):
    power: str
    unit: str
    dice: int


class ConvoyView(Model):
    """A zone where enemy ships wait for a power's convoys."""

    power: str
    zone: str
    coasts: list[str]
    value: int = Field(description="what its coasts are worth: no more can be lost")
    raiders: list[RaiderView]
    expected: float = Field(description="what it costs on average, at most what its coasts are worth")


def convoy_views(world: World, state: State) -> list[ConvoyView]:
    return [view for power in world.order for view in _convoys_of(world, state, power)]


def _convoys_of(world: World, state: State, power: PowerId) -> list[ConvoyView]:
    """What the power's convoys have to fear if its income were collected now."""
    if not world.powers[power].convoys:
        return []
    found = []
    for zone, coasts in at_risk(world, state, power).items():
        ships = raiders(world, state, power, zone)
        value = sum(pays(world, state, land) for land in coasts)
        if value:
            dice = sum(n for _, _, n in ships)
            found.append(
                ConvoyView(
                    power=power,
                    zone=zone,
                    coasts=coasts,
                    value=value,
                    raiders=[RaiderView(power=p, unit=u, dice=n) for p, u, n in ships],
                    expected=round(_capped(dice, value), 1),
                )
            )
    return found


def _capped(dice: int, most: int) -> float:
    """The mean harm of so many dice, of which no more than `most` counts."""
    chances = {0: 1.0}
    for _ in range(dice):
        after: dict[int, float] = {}
        for total, chance in chances.items():
            for face in range(1, 7):
                cost = min(most, total + harm((face,)))
                after[cost] = after.get(cost, 0.0) + chance / 6
        chances = after
    return sum(total * chance for total, chance in chances.items())
