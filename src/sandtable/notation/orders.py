"""Orders: answers to the open question. One record a kind; `sandtable.notation` reads and writes them as text."""

from __future__ import annotations

import msgspec

from sandtable.world.model import MarkId, PowerId, SpaceId, TechId, UnitId


class UnitSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """So many units of a kind: `2 infantry`, `1 uk fighter`, `1 transport carrying 1 armor`, `1 fighter[jet-power]`."""

    type: UnitId
    count: int = 1
    power: PowerId | None = None
    cargo: tuple[tuple[UnitId, int], ...] | None = None
    marks: tuple[MarkId, ...] | None = None  # None: nothing said, so the least marked are meant; (): `fighter[]`


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


class Upgrade(Order, frozen=True, tag="upgrade"):
    space: SpaceId


class Declare(Order, frozen=True, tag="declare"):
    """War on a power."""

    power: PowerId


class Ally(Order, frozen=True, tag="ally"):
    """An alliance is offered."""

    power: PowerId


class Break(Order, frozen=True, tag="break"):
    """An alliance ends."""

    power: PowerId


class Permit(Order, frozen=True, tag="permit", omit_defaults=True):
    """Whoever must agree agrees; with a space, that territory is opened to allies."""

    space: SpaceId | None = None


class Capital(Order, frozen=True, tag="capital"):
    space: SpaceId


class Reveal(Order, frozen=True, tag="reveal"):
    power: PowerId


class Sabotage(Order, frozen=True, tag="sabotage"):
    power: PowerId
    technology: TechId


class Contest(Order, frozen=True, tag="contest"):
    pass


class LendLease(Order, frozen=True, tag="lend-lease"):
    pass


class Airborne(Order, frozen=True, tag="airborne"):
    """Pay for so many drops of this turn."""

    drops: int


class Move(Order, frozen=True, tag="move", omit_defaults=True):
    units: tuple[UnitSpec, ...]
    route: tuple[SpaceId, ...]  # at least start and end
    role: str | None = None
    facility: UnitId | None = None
    ship: UnitSpec | None = None  # which of several transports is boarded or left


class Assign(Order, frozen=True, tag="assign"):
    """Ships of a zone join a task force."""

    units: tuple[UnitSpec, ...]
    space: SpaceId
    role: str


class Relocate(Order, frozen=True, tag="relocate"):
    """A facility moves."""

    unit: UnitId
    start: SpaceId
    end: SpaceId


class Rocket(Order, frozen=True, tag="rocket", omit_defaults=True):
    gun: SpaceId
    target: SpaceId
    facility: UnitId | None = None


class Commando(Order, frozen=True, tag="commando", omit_defaults=True):
    count: int
    start: SpaceId
    target: SpaceId
    facility: UnitId | None = None


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


class Interdict(Order, frozen=True, tag="interdict"):
    units: tuple[UnitSpec, ...]
    start: SpaceId
    zone: SpaceId


class Intercept(Order, frozen=True, tag="intercept", omit_defaults=True):
    """Planes go up against others; without more words the excess over the escorts goes for the bombers."""

    units: tuple[UnitSpec, ...]
    at_bombers: tuple[UnitSpec, ...] | None = None  # just these go for the bombers; none of them: all at the escorts


class Ambush(Order, frozen=True, tag="ambush"):
    count: int


class Abort(Order, frozen=True, tag="abort"):
    """Planes that turn back from an air combat."""

    units: tuple[UnitSpec, ...]


class Bombard(Order, frozen=True, tag="bombard"):
    """Ships that support the landing on a shore."""

    units: tuple[UnitSpec, ...]
    space: SpaceId


class Target(Order, frozen=True, tag="target"):
    """The enemy's units that a hit strikes, where the shooter chooses."""

    units: tuple[UnitSpec, ...]


class Antitank(Order, frozen=True, tag="antitank"):
    count: int


class Leader(Order, frozen=True, tag="leader"):
    """The unit that the leader joins."""

    units: tuple[UnitSpec, ...]
    space: SpaceId


class Land(Order, frozen=True, tag="land"):
    """Planes of a sunken carrier that go ashore; the others go aboard."""

    units: tuple[UnitSpec, ...]
    space: SpaceId


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
    | Upgrade
    | Declare
    | Ally
    | Break
    | Permit
    | Capital
    | Reveal
    | Sabotage
    | Contest
    | LendLease
    | Airborne
    | Move
    | Assign
    | Relocate
    | Rocket
    | Commando
    | Undo
    | Fight
    | Casualties
    | Submerge
    | Withdraw
    | Stay
    | Scramble
    | Interdict
    | Intercept
    | Ambush
    | Abort
    | Bombard
    | Target
    | Antitank
    | Leader
    | Land
    | Press
    | Retreat
    | Place
    | End
    | Surrender
)
