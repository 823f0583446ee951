"""Moves by land, sea and air."""

from __future__ import annotations

from typing import Literal, assert_never

from sandtable.engine.events.base import Change, Event, replace
from sandtable.engine.state import State, Units
from sandtable.world.model import PowerId, SpaceId, World

Fleet = Literal["attack", "invasion"]


class Moved(Event, frozen=True, tag="moved"):
    """Units went along `path`: by land, by sea with their cargo, or by air."""

    power: PowerId
    path: tuple[SpaceId, ...]
    changes: tuple[Change, ...]
    units: Units  # what moved, as it left
    cost: int = 0


class Boarded(Event, frozen=True, tag="boarded"):
    power: PowerId
    path: tuple[SpaceId, ...]
    units: Units
    changes: tuple[Change, ...]


class Restowed(Event, frozen=True, tag="restowed"):
    """Cargo is taken to have boarded another of several ships that are alike; it tells players nothing new."""

    power: PowerId
    space: SpaceId
    changes: tuple[Change, ...]


class Landed(Event, frozen=True, tag="landed"):
    """Units went ashore from transports, in a quiet move or an assault."""

    power: PowerId
    path: tuple[SpaceId, ...]
    units: Units
    changes: tuple[Change, ...]


class LandingDeclared(Event, frozen=True, tag="landing"):
    """Units aboard will land once the sea battle in their zone is won."""

    power: PowerId
    path: tuple[SpaceId, ...]
    units: Units
    changes: tuple[Change, ...]


class LandingCancelled(Event, frozen=True, tag="landing-cancelled"):
    power: PowerId
    space: SpaceId
    changes: tuple[Change, ...]


class FleetJoined(Event, frozen=True, tag="fleet"):
    """Ships of a zone, with the planes aboard, join a task force."""

    power: PowerId
    space: SpaceId
    fleet: Fleet
    units: Units
    changes: tuple[Change, ...]


class MovesAllowed(Event, frozen=True, tag="moves-allowed"):
    """A power at peace may move so many units this turn."""

    power: PowerId
    number: int


class DropsCounted(Event, frozen=True, tag="drops"):
    """Drops of troops that are paid for and not made, or made and not paid for; `cost` was paid just now."""

    power: PowerId
    paid: int
    unpaid: int = 0
    cost: int = 0


MovementEvent = (
    Moved | Boarded | Restowed | Landed | LandingDeclared | LandingCancelled | FleetJoined | MovesAllowed | DropsCounted
)


def fold(world: World, state: State, event: MovementEvent) -> State:
    match event:
        case Moved():
            return state  # its changes are all
        case DropsCounted(paid=paid, unpaid=unpaid):
            return replace(state, drops=paid, unpaid_drops=unpaid)
        case MovesAllowed(number=number):
            return replace(state, moves=number)
        case Boarded() | Landed() | Restowed() | LandingDeclared() | LandingCancelled() | FleetJoined():
            return state  # their changes are all
        case _:
            assert_never(event)
