"""Orders: answers to the open question. One record a kind; `sandtable.notation` reads and writes them as text."""

from __future__ import annotations

import msgspec

from sandtable.world.model import PowerId, SpaceId, TechId, UnitId


class UnitSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """So many units of a kind: `2 infantry`, `1 uk fighter`, `1 transport carrying 1 armor`."""

    type: UnitId
    count: int = 1
    power: PowerId | None = None
    cargo: tuple[tuple[UnitId, int], ...] | None = None


class Order(msgspec.Struct, frozen=True, tag_field="order", omit_defaults=True):
    """Base of all orders."""


class Research(Order, frozen=True, tag="research", omit_defaults=True):
    dice: int = 0
    technology: TechId | None = None


class Chart(Order, frozen=True, tag="chart"):
    chart: int


class Train(Order, frozen=True, tag="train", omit_defaults=True):
    up: bool = False


class Repair(Order, frozen=True, tag="repair", omit_defaults=True):
    space: SpaceId
    points: int
    facility: UnitId | None = None


class Buy(Order, frozen=True, tag="buy"):
    units: tuple[UnitSpec, ...]


class Declare(Order, frozen=True, tag="declare"):
    power: PowerId


class Move(Order, frozen=True, tag="move", omit_defaults=True):
    units: tuple[UnitSpec, ...]
    route: tuple[SpaceId, ...]  # at least start and end
    role: str | None = None
    facility: UnitId | None = None
    ship: UnitSpec | None = None  # which of several transports is boarded or left


class Rocket(Order, frozen=True, tag="rocket"):
    gun: SpaceId
    target: SpaceId


class Undo(Order, frozen=True, tag="undo"):
    pass


class Fight(Order, frozen=True, tag="battle"):
    space: SpaceId


class Casualties(Order, frozen=True, tag="casualties"):
    units: tuple[UnitSpec, ...]


class Submerge(Order, frozen=True, tag="submerge", omit_defaults=True):
    count: int | None = None  # None: all of them


class Withdraw(Order, frozen=True, tag="withdraw", omit_defaults=True):
    space: SpaceId
    count: int | None = None


class Stay(Order, frozen=True, tag="stay"):
    pass


class Scramble(Order, frozen=True, tag="scramble"):
    units: tuple[UnitSpec, ...]
    start: SpaceId
    zone: SpaceId


class Intercept(Order, frozen=True, tag="intercept"):
    units: tuple[UnitSpec, ...]


class Press(Order, frozen=True, tag="press"):
    pass


class Retreat(Order, frozen=True, tag="retreat", omit_defaults=True):
    space: SpaceId | None = None  # None: planes break off, nothing else can leave


class Place(Order, frozen=True, tag="place"):
    units: tuple[UnitSpec, ...]
    space: SpaceId


class End(Order, frozen=True, tag="end"):
    pass


class Surrender(Order, frozen=True, tag="surrender"):
    pass


AnyOrder = (
    Research
    | Chart
    | Train
    | Repair
    | Buy
    | Declare
    | Move
    | Rocket
    | Undo
    | Fight
    | Casualties
    | Submerge
    | Withdraw
    | Stay
    | Scramble
    | Intercept
    | Press
    | Retreat
    | Place
    | End
    | Surrender
)
