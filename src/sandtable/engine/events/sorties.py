"""Planes that rise, meet others, drop troops and come back."""

from __future__ import annotations

from typing import Literal, assert_never

from sandtable.engine.events.base import Change, Event, replace
from sandtable.engine.state import Sorties, State, Units
from sandtable.world.model import PowerId, SpaceId, World


class SortiesWent(Event, frozen=True, tag="sorties"):
    """What planes do between moves and battles has gone a step further; players are told by other events."""

    sorties: Sorties


class Launched(Event, frozen=True, tag="launched"):
    """Planes of a power rise from a base against what is in a zone."""

    power: PowerId
    base: SpaceId
    zone: SpaceId
    units: Units
    against: Literal["attack", "ships"]
    changes: tuple[Change, ...]


class Intercepted(Event, frozen=True, tag="intercepted"):
    """Fighters go up against enemy planes over their territory; so many of them at the bombers."""

    power: PowerId
    space: SpaceId
    units: Units
    at_bombers: int
    changes: tuple[Change, ...]


class FlewOn(Event, frozen=True, tag="flew-on"):
    """Planes are met over a space on their way, or go on from there."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class TurnedBack(Event, frozen=True, tag="turned-back"):
    """Planes break off an air combat and are out of everything else this turn."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]
    fought: bool = False  # nobody turned them back: interceptors go home when the exchange is over


class Returned(Event, frozen=True, tag="returned"):
    """Planes that have had their mission are back at a base."""

    power: PowerId
    space: SpaceId
    base: SpaceId
    units: Units
    changes: tuple[Change, ...]


class Dropped(Event, frozen=True, tag="dropped"):
    """Troops left the planes that carried them, behind the antiaircraft fire."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class SetDown(Event, frozen=True, tag="set-down"):
    """Planes that carried troops have landed with them."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


SortieEvent = SortiesWent | Launched | Intercepted | FlewOn | TurnedBack | Returned | Dropped | SetDown


def fold(world: World, state: State, event: SortieEvent) -> State:
    match event:
        case SortiesWent(sorties=sorties):
            return replace(state, sorties=sorties)
        case Launched() | Returned() | FlewOn() | TurnedBack() | Intercepted() | Dropped() | SetDown():
            return state  # their changes are all
        case _:
            assert_never(event)
