"""Rockets, bombs and commandos: strikes at an enemy's land without a battle."""

from __future__ import annotations

from typing import assert_never

from sandtable.engine.events.base import Change, Event, replace
from sandtable.engine.events.recruits import with_reserve
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class Loaded(Event, frozen=True, tag="bomb-loaded"):
    """Planes take bombs along that were in reserve."""

    power: PowerId
    unit: UnitId
    number: int
    space: SpaceId
    changes: tuple[Change, ...]


class BombsReturned(Event, frozen=True, tag="bomb-returned"):
    """Bombs that were not dropped are in reserve again."""

    power: PowerId
    unit: UnitId
    number: int
    changes: tuple[Change, ...]


class CommandosSent(Event, frozen=True, tag="commandos"):
    """Commandos have struck; those who were not lost are back in reserve."""

    power: PowerId
    unit: UnitId
    space: SpaceId
    number: int
    lost: int


class CommandosDeclined(Event, frozen=True, tag="commandos-declined"):
    """No more of them are sent this turn; it tells players nothing new."""

    power: PowerId


class RocketFired(Event, frozen=True, tag="rocket"):
    power: PowerId
    gun: SpaceId
    target: SpaceId


class RocketDeclined(Event, frozen=True, tag="rocket-declined"):
    power: PowerId


StrikeEvent = Loaded | BombsReturned | CommandosSent | CommandosDeclined | RocketFired | RocketDeclined


def fold(world: World, state: State, event: StrikeEvent) -> State:
    match event:
        case Loaded(power=power, unit=unit, number=number):
            return with_reserve(state, power, unit, -number)
        case BombsReturned(power=power, unit=unit, number=number):
            return with_reserve(state, power, unit, number)
        case CommandosSent(power=power, unit=unit, number=number, lost=lost):
            back = state.back + number - lost
            return replace(with_reserve(state, power, unit, -lost), sent=(state.sent or 0) + number, back=back)
        case CommandosDeclined():
            return replace(state, sent=None)
        case RocketDeclined():
            return replace(state, rocket="declined")
        case RocketFired(gun=gun, target=target):
            last = "fired" if world.rules.rocket_limit == "one" else ""
            return replace(state, rocket=last, launched=(*state.launched, (gun, target)))
        case _:
            assert_never(event)
