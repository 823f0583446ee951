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
        raise NotationError(f"{quoted(verb)} is no order. Orders begin with: {', '.join(READERS)}.")
    return reader(world, rest.strip())


def _number(text: str, what: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise NotationError(f"{what} must be a whole number, not {quoted(text)}.")
    return int(text)


def _nothing(rest: str, verb: str) -> None:
    if rest:
        raise NotationError(f"`{verb}` stands alone; {quoted(rest)} is too much.")


def parse_units(world: World, text: str) -> tuple[UnitSpec, ...]:
    """`2 infantry, 1 uk fighter, 1 transport carrying 1 infantry + 1 armor`"""
    if not text.strip():
        raise NotationError("Name units, for example `2 infantry, 1 armor`.")
    parts = re.split(r",| and ", text, flags=re.IGNORECASE)
    if len(parts) > MOST_NAMED:
        raise NotationError(f"An order names at most {MOST_NAMED} groups of units; write `3 infantry` for three.")
    return tuple(_unit(world, part.strip()) for part in parts)


def _unit(world: World, text: str) -> UnitSpec:
    body, *loads = re.split(r"\s+carrying\s+", text, maxsplit=1, flags=re.IGNORECASE)
    match = re.fullmatch(r"(?:(\d{1,6})\s+)?(.+)", body.strip())
    if match is None:
        raise NotationError(f"{quoted(text)} names no units; write for example `2 infantry`.")
    number = int(match[1]) if match[1] else 1
    if number < 1:
        raise NotationError(f"{quoted(text)}: at least one unit must be named.")
    power, unit = _owner_and_type(world, match[2].strip())
    return UnitSpec(unit, number, power, _load(world, loads[0].strip()) if loads else None)


def _load(world: World, text: str) -> tuple[tuple[str, int], ...]:
    """What a ship carries, in the edition's order: `1 infantry + 1 armor`, or `nothing`."""
    if text.lower() == "nothing":
        return ()
    specs = [_unit(world, part.strip()) for part in text.split("+")]
    if any(spec.power is not None or spec.cargo is not None for spec in specs):
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
    parts = re.split(r"\s*(?:->|→)\s*", text)
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


def _declare(world: World, rest: str) -> AnyOrder:
    match = re.fullmatch(r"war on (.+)", rest, re.IGNORECASE)
    if match is None:
        raise NotationError("Write `declare war on POWER`.")
    return orders.Declare(names(world, "power").find(match[1]))


def _move(world: World, rest: str) -> AnyOrder:
    left, right = _split(rest, "move")
    match = re.fullmatch(r"(.*?)(?:\s+by\s+(.+?))?(?:\s+as\s+([a-z]+)(?:\s+(.+))?)?", right, re.IGNORECASE)
    assert match is not None
    ship = _unit(world, match[2]) if match[2] else None
    if ship is not None and ship.count != 1:
        raise NotationError("Name one ship after `by`: `by transport carrying 1 infantry`.")
    role = match[3].lower() if match[3] else None
    if role is not None and role not in ROLES:
        raise NotationError(f"{quoted(role)} is no role; roles are {', '.join(sorted(ROLES))}.")
    facility = names(world, "unit").find(match[4]) if match[4] else None
    return orders.Move(parse_units(world, left), _route(world, match[1]), role, facility, ship)


ROLES = frozenset({"raid", "escort", "sweep", "kamikaze", "paradrop", "invasion", "attack"})


def _rocket(world: World, rest: str) -> AnyOrder:
    route = _route(world, rest)
    if len(route) != 2:
        raise NotationError("Write `rocket GUN -> TARGET`.")
    return orders.Rocket(*route)


def _submerge(world: World, rest: str) -> AnyOrder:
    return orders.Submerge(_number(rest, "The number of submarines") if rest else None)


def _withdraw(world: World, rest: str) -> AnyOrder:
    match = re.fullmatch(r"(?:(\d{1,6})\s+)?(.+)", rest)
    if match is None:
        raise NotationError("Say where to: `withdraw baltic-sea`.")
    return orders.Withdraw(_space(world, match[2]), int(match[1]) if match[1] else None)


def _retreat(world: World, rest: str) -> AnyOrder:
    return orders.Retreat(_space(world, rest) if rest else None)


def _place(world: World, rest: str) -> AnyOrder:
    left, right = _split(rest, "place")
    return orders.Place(parse_units(world, left), _space(world, right))


def _scramble(world: World, rest: str) -> AnyOrder:
    left, right = _split(rest, "scramble")
    route = _route(world, right)
    if len(route) != 2:
        raise NotationError("Write `scramble UNITS: BASE -> ZONE`.")
    return orders.Scramble(parse_units(world, left), *route)


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
    "declare": _declare,
    "move": _move,
    "rocket": _rocket,
    "battle": lambda world, rest: orders.Fight(_space(world, rest)),
    "casualties": lambda world, rest: orders.Casualties(parse_units(world, rest)),
    "submerge": _submerge,
    "withdraw": _withdraw,
    "stay": _alone("stay", orders.Stay()),
    "scramble": _scramble,
    "intercept": lambda world, rest: orders.Intercept(parse_units(world, rest)),
    "press": _alone("press", orders.Press()),
    "retreat": _retreat,
    "place": _place,
    "end": _alone("end", orders.End()),
    "undo": _alone("undo", orders.Undo()),
    "surrender": _alone("surrender", orders.Surrender()),
}
