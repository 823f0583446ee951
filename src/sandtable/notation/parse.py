"""Reading orders. The grammar is in docs/reference/orders.md; one line is one order."""

from __future__ import annotations

import re
from collections.abc import Callable

from sandtable.errors import NotationError
from sandtable.notation import orders
from sandtable.notation.canonical import stowed
from sandtable.notation.names import names, quoted
from sandtable.notation.orders import AnyOrder, UnitSpec
from sandtable.world.model import World

LONGEST = 2000  # characters; a longer line is not an order
MOST_NAMED = 100  # groups of units, or spaces of a route, in one order
MOST_UNITS = 999_999  # six digits
MOST_MARKS = 20  # of one unit
_GROUPS = re.compile(r",(?![^\[\]]*\])| and ", re.IGNORECASE)  # marks in brackets stay together
_CARRYING = re.compile(r"\s+carrying\s+", re.IGNORECASE)
_COUNTED = re.compile(r"(?:(\d{1,6})\s+)?(.+)")
_ARROW = re.compile(r"\s*(?:->|→)\s*")
_WAY = re.compile(r"(.*?)(?:\s+by\s+(.+?))?(?:\s+as\s+([a-z]+)(?:\s+(.+))?)?", re.IGNORECASE)
USUAL = ("research", "buy", "move", "battle", "casualties", "press", "retreat", "place", "end", "undo")


def parse_order(world: World, text: str) -> AnyOrder:
    """The order that the line means. Raises NotationError with a sentence that helps."""
    if len(text) > LONGEST:
        raise NotationError(f"An order has at most {LONGEST} characters.")
    line = " ".join(text.split("#", 1)[0].split())
    if not line:
        raise NotationError("An empty line is no order.")
    verb, _, rest = line.partition(" ")
    reader = READERS.get(verb.lower().rstrip(":"))
    if reader is None:
        usual = ", ".join(USUAL)
        raise NotationError(f"{quoted(verb)} is no order. Orders begin with words such as {usual}.")
    return reader(world, rest.strip())


def _number(text: str, what: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise NotationError(f"{what} must be a whole number, not {quoted(text)}.")
    return int(text)


def _nothing(rest: str, verb: str) -> None:
    if rest:
        raise NotationError(f"`{verb}` stands alone; {quoted(rest)} is too much.")


def parse_units(world: World, text: str) -> tuple[UnitSpec, ...]:
    """`2 infantry, 1 uk fighter, 1 transport carrying 1 infantry + 1 armor, 1 fighter[jet-power]`"""
    if not text.strip():
        raise NotationError("Name units, for example `2 infantry, 1 armor`.")
    parts = _GROUPS.split(text)
    if len(parts) > MOST_NAMED:
        raise NotationError(f"An order names at most {MOST_NAMED} groups of units; write `3 infantry` for three.")
    return tuple(_unit(world, part.strip()) for part in parts)


def _unit(world: World, text: str) -> UnitSpec:
    body, *loads = _CARRYING.split(text, maxsplit=1)
    match = _COUNTED.fullmatch(body.strip())
    if match is None:
        raise NotationError(f"{quoted(text)} names no units; write for example `2 infantry`.")
    number = int(match[1]) if match[1] else 1
    if number < 1:
        raise NotationError(f"{quoted(text)}: at least one unit must be named.")
    words, bracket, marked = match[2].partition("[")
    power, unit = _owner_and_type(world, words.strip())
    load = _load(world, loads[0].strip()) if loads else None
    return UnitSpec(unit, number, power, load, _marks(world, marked.rstrip()) if bracket else None)


def _marks(world: World, text: str) -> tuple[str, ...]:
    """Marks up to the closing bracket; none at all means units without any."""
    inside, bracket, behind = text.partition("]")
    if not bracket or behind.strip():
        raise NotationError("Marks stand in brackets right behind the unit: `1 fighter[jet-power]`.")
    words = inside.split(",")
    if len(words) > MOST_MARKS:
        raise NotationError(f"A unit carries at most {MOST_MARKS} marks.")
    return tuple(sorted({names(world, "mark").find(word) for word in words})) if inside.strip() else ()


def _load(world: World, text: str) -> tuple[tuple[str, int], ...]:
    """What a ship carries, in the edition's order: `1 infantry + 1 armor`, or `nothing`."""
    if text.lower() == "nothing":
        return ()
    specs = [_unit(world, part.strip()) for part in text.split("+")]
    if any(spec.power is not None or spec.cargo is not None or spec.marks is not None for spec in specs):
        raise NotationError(f"{quoted(text)}: what is aboard is named by kind and number, as `2 infantry + 1 armor`.")
    if sum(spec.count for spec in specs) > MOST_UNITS:
        raise NotationError(f"{quoted(text)}: no ship carries more than {MOST_UNITS} units.")
    return stowed(world, tuple((spec.type, spec.count) for spec in specs))


def _owner_and_type(world: World, text: str) -> tuple[str | None, str]:
    units, powers = names(world, "unit"), names(world, "power")
    unit = units.look_up(text)
    if unit is not None:
        return None, unit
    words = text.split()
    for cut in range(1, min(len(words), powers.words + 1)):
        power = powers.look_up(" ".join(words[:cut]))
        unit = units.look_up(" ".join(words[cut:])) if power is not None else None
        if unit is not None:
            return power, unit
    return None, units.find(text)  # which says what it might have been


def _space(world: World, text: str) -> str:
    if not text.strip():
        raise NotationError("A space must be named.")
    return names(world, "space").find(text)


def _route(world: World, text: str) -> tuple[str, ...]:
    parts = _ARROW.split(text)
    if len(parts) < 2:
        raise NotationError("A route names its start and its end: `libya -> anglo-egypt-sudan`.")
    if len(parts) > MOST_NAMED:
        raise NotationError(f"A route names at most {MOST_NAMED} spaces.")
    return tuple(_space(world, part) for part in parts)


def _split(text: str, verb: str) -> tuple[str, str]:
    left, colon, right = text.partition(":")
    if not colon:
        raise NotationError(f"Write `{verb} UNITS: PLACE`, with a colon between.")
    return left.strip(), right.strip()


def _research(world: World, rest: str) -> AnyOrder:
    if rest.isdigit():
        return orders.Research(_number(rest, "The number of dice"))
    if not rest:
        raise NotationError("Say how many dice: `research 2`.")
    return orders.Research(0, names(world, "technology").find(rest))


def _repair(world: World, rest: str) -> AnyOrder:
    words = rest.split()
    if len(words) < 2:
        raise NotationError("Write `repair SPACE NUMBER`.")
    points = _number(words[-1], "The damage to repair")
    place = " ".join(words[:-1])
    try:
        return orders.Repair(_space(world, place), points)
    except NotationError:
        if len(words) > 2:
            facility = names(world, "unit").find(words[-2])
            return orders.Repair(_space(world, " ".join(words[:-2])), points, facility)
        raise


def _train(world: World, rest: str) -> AnyOrder:
    if rest.lower() not in ("", "up"):
        raise NotationError("Write `train` or `train up`.")
    return orders.Train(bool(rest))


def _place_and_facility(world: World, text: str) -> tuple[str, str | None]:
    """`norway`, or `norway air-base`."""
    words = text.split()
    if len(words) > 1 and names(world, "space").look_up(text) is None:
        facility = names(world, "unit").look_up(words[-1])
        if facility is not None:
            return _space(world, " ".join(words[:-1])), facility
    return _space(world, text), None


def _declare(world: World, rest: str) -> AnyOrder:
    match = re.fullmatch(r"war on (.+)", rest, re.IGNORECASE)
    if match is None:
        raise NotationError("Write `declare war on POWER`.")
    return orders.Declare(names(world, "power").find(match[1]))


def _move(world: World, rest: str) -> AnyOrder:
    left, right = _split(rest, "move")
    match = _WAY.fullmatch(right)
    assert match is not None
    ship = _unit(world, match[2]) if match[2] else None
    if ship is not None and ship.count != 1:
        raise NotationError("Name one ship after `by`: `by transport carrying 1 infantry`.")
    role = match[3].lower() if match[3] else None
    if role is not None and role not in ROLES:
        raise NotationError(f"{quoted(role)} is no role; roles are {', '.join(sorted(ROLES))}.")
    facility = names(world, "unit").find(match[4]) if match[4] else None
    return orders.Move(parse_units(world, left), _route(world, match[1]), role, facility, ship)


ROLES = frozenset(
    {
        *("raid", "escort", "sweep", "surprise", "atomic", "paradrop", "airlift", "kamikaze"),
        *("rail", "redeploy", "invasion", "attack"),
    }
)
FLEETS = ("invasion", "attack")


def _shot(world: World, text: str, form: str) -> tuple[str, str, str | None]:
    """`START -> TARGET [FACILITY]`"""
    parts = _ARROW.split(text)
    if len(parts) != 2:
        raise NotationError(f"Write `{form}`.")
    return (_space(world, parts[0]), *_place_and_facility(world, parts[1]))


def _rocket(world: World, rest: str) -> AnyOrder:
    return orders.Rocket(*_shot(world, rest, "rocket GUN -> TARGET"))


def _commando(world: World, rest: str) -> AnyOrder:
    number, colon, way = rest.partition(":")
    if not colon:
        raise NotationError("Write `commando NUMBER: START -> TARGET`.")
    count = _number(number.strip(), "The number of commandos")
    return orders.Commando(count, *_shot(world, way.strip(), "commando NUMBER: START -> TARGET"))


def _assign(world: World, rest: str) -> AnyOrder:
    left, right = _split(rest, "assign")
    match = re.fullmatch(r"(.+?)\s+as\s+([a-z]+)", right, re.IGNORECASE)
    if match is None or match[2].lower() not in FLEETS:
        raise NotationError("Write `assign SHIPS: ZONE as invasion`, or `as attack`.")
    return orders.Assign(parse_units(world, left), _space(world, match[1]), match[2].lower())


def _relocate(world: World, rest: str) -> AnyOrder:
    left, right = _split(rest, "relocate")
    route = _route(world, right)
    if len(route) != 2:
        raise NotationError("Write `relocate FACILITY: START -> END`.")
    return orders.Relocate(names(world, "unit").find(left), *route)


def _sabotage(world: World, rest: str) -> AnyOrder:
    words = rest.split()
    if len(words) < 2:
        raise NotationError("Write `sabotage POWER PROJECT`.")
    return orders.Sabotage(names(world, "power").find(words[0]), names(world, "technology").find(" ".join(words[1:])))


def _intercept(world: World, rest: str) -> AnyOrder:
    units, *against = re.split(r"\s+against\s+", rest, maxsplit=1, flags=re.IGNORECASE)
    if not against:
        return orders.Intercept(parse_units(world, units))
    whom, _, which = against[0].partition(" ")
    if whom.lower() == "escorts" and not which:
        return orders.Intercept(parse_units(world, units), ())
    if whom.lower() == "bombers" and which:
        return orders.Intercept(parse_units(world, units), parse_units(world, which))
    raise NotationError("Write `against escorts`, or `against bombers 1 fighter`.")


def _with_power(verb: str, make: Callable[[str], AnyOrder], word: str = "") -> Callable[[World, str], AnyOrder]:
    """`ally with POWER`, `reveal POWER`"""

    def read(world: World, rest: str) -> AnyOrder:
        name = rest
        if word:
            first, _, name = rest.partition(" ")
            name = name if first.lower() == word else ""
        if not name:
            raise NotationError(f"Write `{verb} {word + ' ' if word else ''}POWER`.")
        return make(names(world, "power").find(name))

    return read


def _with_number(make: Callable[[int], AnyOrder], what: str) -> Callable[[World, str], AnyOrder]:
    return lambda world, rest: make(_number(rest, what))


def _units_at(verb: str, make: Callable[[tuple[UnitSpec, ...], str], AnyOrder]) -> Callable[[World, str], AnyOrder]:
    """`leader 1 battleship: hawaiian-sea`"""

    def read(world: World, rest: str) -> AnyOrder:
        left, right = _split(rest, verb)
        return make(parse_units(world, left), _space(world, right))

    return read


def _submerge(world: World, rest: str) -> AnyOrder:
    return orders.Submerge(_number(rest, "The number of submarines") if rest else None)


def _withdraw(world: World, rest: str) -> AnyOrder:
    match = re.fullmatch(r"(?:(\d{1,6})\s+)?(.+)", rest)
    if match is None:
        raise NotationError("Say where to: `withdraw baltic-sea`.")
    return orders.Withdraw(_space(world, match[2]), int(match[1]) if match[1] else None)


def _retreat(world: World, rest: str) -> AnyOrder:
    return orders.Retreat(_space(world, rest) if rest else None)


def _from_base(
    verb: str, make: Callable[[tuple[UnitSpec, ...], str, str], AnyOrder]
) -> Callable[[World, str], AnyOrder]:
    """`scramble 2 fighter: united-kingdom -> sz-110`"""

    def read(world: World, rest: str) -> AnyOrder:
        left, right = _split(rest, verb)
        route = _route(world, right)
        if len(route) != 2:
            raise NotationError(f"Write `{verb} UNITS: BASE -> ZONE`.")
        return make(parse_units(world, left), *route)

    return read


def _alone(verb: str, order: AnyOrder) -> Callable[[World, str], AnyOrder]:
    def read(world: World, rest: str) -> AnyOrder:
        _nothing(rest, verb)
        return order

    return read


READERS: dict[str, Callable[[World, str], AnyOrder]] = {
    "research": _research,
    "chart": lambda world, rest: orders.Chart(_number(rest, "The chart")),
    "train": _train,
    "repair": _repair,
    "buy": lambda world, rest: orders.Buy(parse_units(world, rest)),
    "upgrade": lambda world, rest: orders.Upgrade(_space(world, rest)),
    "declare": _declare,
    "ally": _with_power("ally", orders.Ally, "with"),
    "break": _with_power("break", orders.Break, "with"),
    "permit": lambda world, rest: orders.Permit(_space(world, rest) if rest else None),
    "capital": lambda world, rest: orders.Capital(_space(world, rest)),
    "reveal": _with_power("reveal", orders.Reveal),
    "sabotage": _sabotage,
    "contest": _alone("contest", orders.Contest()),
    "lend-lease": _alone("lend-lease", orders.LendLease()),
    "airborne": _with_number(orders.Airborne, "The number of drops"),
    "move": _move,
    "assign": _assign,
    "relocate": _relocate,
    "rocket": _rocket,
    "commando": _commando,
    "battle": lambda world, rest: orders.Fight(_space(world, rest)),
    "casualties": lambda world, rest: orders.Casualties(parse_units(world, rest)),
    "submerge": _submerge,
    "withdraw": _withdraw,
    "stay": _alone("stay", orders.Stay()),
    "scramble": _from_base("scramble", orders.Scramble),
    "interdict": _from_base("interdict", orders.Interdict),
    "intercept": _intercept,
    "ambush": _with_number(orders.Ambush, "The number of submarines"),
    "abort": lambda world, rest: orders.Abort(parse_units(world, rest)),
    "bombard": _units_at("bombard", orders.Bombard),
    "target": lambda world, rest: orders.Target(parse_units(world, rest)),
    "antitank": _with_number(orders.Antitank, "The number of guns"),
    "leader": _units_at("leader", orders.Leader),
    "land": _units_at("land", orders.Land),
    "press": _alone("press", orders.Press()),
    "retreat": _retreat,
    "place": _units_at("place", orders.Place),
    "end": _alone("end", orders.End()),
    "undo": _alone("undo", orders.Undo()),
    "surrender": _alone("surrender", orders.Surrender()),
}
