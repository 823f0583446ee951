"""What follows from a table as its host has set it up. Nothing here waits or stores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.engine.game import check_playable, check_seats
from sandtable.errors import SandtableError
from sandtable.server import clocks
from sandtable.server.bots.registry import HUMAN
from sandtable.server.errors import ApiError
from sandtable.server.journal import Journal
from sandtable.server.rooms import Room
from sandtable.server.storage.store import Seat, now
from sandtable.server.storage.tablestore import (
    Given,
    Table,
    TableData,
)
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.model import World
from sandtable.world.options import fewest


def world_of(data: TableData) -> World:
    """Raises SandtableError if scenario, options and edits do not fit."""
    world = compile_world(data.scenario, data.options, parse_edits(data.edits))
    check_playable(world)
    return world


def given_of(world: World, before: Mapping[str, Given]) -> dict[str, Given]:
    """Who plays what; powers that another one plays, or nobody, are not given to anybody."""
    return {p: before.get(p, Given()) for p in world.seated}


def changed_data(table: Table, changed: Mapping[str, Any]) -> TableData:
    """The set-up with the host's changes. Raises SandtableError if they do not fit, ApiError if it is too late."""
    data = table.data
    game = {"scenario", "options", "edits", "connection", "rated"} & set(changed)
    if table.stage != "setup" and game:
        raise ApiError(409, "halted", "The game has begun: its rules stay as they are.")
    if "scenario" in changed and changed["scenario"] != data.scenario:
        data = msgspec.structs.replace(data, options={}, edits={})
    data = msgspec.structs.replace(data, **changed)
    if not game:
        return data
    world = world_of(data)
    if len(table.players) > data.most:
        raise ApiError(409, "forbidden", f"A direct connection has two ends; {len(table.players)} are here.")
    return msgspec.structs.replace(
        data, options=fewest(world.option_list, world.options), given=given_of(world, data.given)
    )


def without(data: TableData, person: str) -> TableData:
    """The set-up without somebody who goes."""
    given = {p: Given() if each.person == person else each for p, each in data.given.items()}
    parts = {who: text for who, text in data.contributions.items() if who != person}
    return msgspec.structs.replace(data, given=given, contributions=parts)


def seats_of(world: World, table: Table) -> tuple[Seat, ...]:
    """The seats as the host has dealt them out: one for each person, one for each power that a computer plays."""
    people: dict[str, list[str]] = {}
    found: list[Seat] = []
    missing: list[str] = []
    for power, given in given_of(world, table.data.given).items():
        if given.person:
            people.setdefault(given.person, []).append(power)
        elif given.player != HUMAN:
            name = f"{world.powers[power].name} ({given.player})"
            found.append(Seat(name=name, powers=(power,), player=given.player, style=given.style))
        else:
            missing.append(world.powers[power].name)
    if missing:
        raise SandtableError(f"Nobody plays {', '.join(missing)}: give them to somebody, or to a computer.")
    seats = (
        *(Seat(name=seat_name(table, who), powers=tuple(powers), person=who) for who, powers in people.items()),
        *found,
    )
    check_seats(world, {seat.name: seat.powers for seat in seats})
    return seats


def seat_name(table: Table, person: str) -> str:
    """A name for a seat: two guests may be called the same."""
    name = table.name_of(person)
    same = [member.id for member in table.people if member.name == name]
    return name if len(same) < 2 else f"{name} {same.index(person) + 1}"


def sides_of(world: World) -> list[str]:
    return list(dict.fromkeys(power.side for power in world.powers.values() if power.played))


def people_by_side(journal: Journal) -> dict[str, list[str]]:
    """Side -> the people who play on it."""
    world = journal.game.world
    found: dict[str, list[str]] = {}
    for seat in journal.seats:
        for power in seat.powers:
            people = found.setdefault(world.powers[power].side, [])
            if seat.person and seat.person not in people:
                people.append(seat.person)
    return found


def variants(data: TableData) -> list[str]:
    """What is not as usual, in words."""
    try:
        world = world_of(data)
    except SandtableError as error:
        return [str(error)]
    chosen = fewest(world.option_list, world.options)
    names = {option.key: option.name for option in world.option_list}
    found = []
    for key, value in chosen.items():
        told = "on" if value is True else "off" if value is False else str(value)
        found.append(f"{names[key]}: {told}")
    words = {"units": "Units were edited.", "victory": "Other victory conditions.", "setup": "The set-up was edited."}
    return [*found, *(words.get(key, f"{key} was edited.") for key, value in data.edits.items() if value)]


def halted(table: Table) -> str:
    """Why nobody may play at the moment."""
    if table.data.result is not None:
        return result_of(table) or ""
    return "The host has paused the game." if table.data.paused else ""


def result_of(table: Table) -> str | None:
    result = table.data.result
    if result is None:
        return None
    match result.kind:
        case "draw":
            return "The game is over: a draw was agreed."
        case "surrender":
            return f"The game is over: {table.name_of(result.by)} and allies have surrendered."
        case _:
            return "The game was ended without a result."


def late_seat(room: Room, table: Table) -> str | None:
    """The seat whose time is up, where the host decides about it."""
    clock, seat = table.data.clock, clocks.asked(room.journal)
    if seat is None or clock.kind == "none" or clock.late != "host" or room.halted or table.stage != "playing":
        return None
    due = clocks.due(room.journal, clock, table.data.stops, now())
    return seat.name if due is not None and due <= now() else None
