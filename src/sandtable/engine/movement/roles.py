"""Roles: what planes are sent to do in the combat move other than to fight like everybody else.

`raid` bombs complexes (CL-SBR-01) or any enemy land (MX12-01), `escort` protects raiders over their target (MX13-12),
`kamikaze` attacks ships once and is lost (MX10-01). Each role has a check of its own; what planes that carry out one
are marked with is told by `sent`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from sandtable.engine.bases import steps_left
from sandtable.engine.facts import all_such, enemies_in, is_enemy_land, listed, name, type_of, walked_in
from sandtable.engine.state import Mark, Piece, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, UnitId, UnitType, World

RAID, ESCORT, SWEEP, KAMIKAZE = "raid", "escort", "sweep", "kamikaze"


class Role(NamedTuple):
    """One role: whether a kind of plane of a power can have it, and why not somewhere."""

    fits: Callable[[World, PowerId, UnitType], bool]
    refusal: Callable[[World, State, PowerId, UnitType, SpaceId], Refusal | None]
    mark: Mark = ""  # what planes with this role are marked with for the turn


def offered(world: World, power: PowerId, kind: UnitType) -> list[str]:
    """The roles that such a plane of the power can have."""
    return [role for role, record in ROLES.items() if record.fits(world, power, kind)]


def check(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId, role: str) -> None:
    """Refuse a role that the plane cannot have, or that makes no sense there."""
    record = ROLES.get(role)
    if record is None:
        raise Refusal("no-such-role", f"A {kind.name} has no role called {role!r} in this game.")
    refused = record.refusal(world, state, power, kind, end)
    if refused is not None:
        raise refused


def is_target(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId, role: str) -> bool:
    """Such a plane could be sent there with this role; a raid may name what it is meant for (`raid air-base`)."""
    word, _, facility = role.partition(" ")
    record = ROLES.get(word)
    if record is None or record.refusal(world, state, power, kind, end) is not None:
        return False
    if word != RAID or world.rules.raid_targets != "facilities":
        return not facility
    if facility:
        return facility in _within_reach(world, state, power, kind, end)
    return len(targets(world, state, power, kind, end)) == 1


def sent(world: World, piece: Piece, role: str | None) -> Piece:
    """The plane on its way with this role."""
    if role not in ROLES:
        return piece
    if role == KAMIKAZE and world.rules.sacrifice is not None:
        return msgspec.structs.replace(piece, marks=tuple(sorted({*piece.marks, world.rules.sacrifice.mark})))
    return msgspec.structs.replace(piece, mark=ROLES[role].mark or piece.mark)


def range_left(world: World, state: State, piece: Piece, space: SpaceId, role: str | None) -> int:
    """How far such a plane still flies: who is to be lost flies a part of the way only (MX10-10)."""
    if role == KAMIKAZE and world.rules.sacrifice is not None:
        return type_of(world, state, piece).move // world.rules.sacrifice.range_share - piece.used
    return steps_left(world, state, piece, space)


# ---------------------------------------------------------------- raids


def _raids(world: World, power: PowerId, kind: UnitType) -> bool:
    return kind.raid_dice > 0


def _no_raid(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId) -> Refusal | None:
    if not kind.raid_dice:
        return Refusal("plane-cannot-raid", f"A {kind.name} cannot make a strategic bombing raid.", (end,))
    if can_raid(world, state, power, end):
        return None
    if world.rules.raid_targets == "facilities":
        return Refusal("no-facility-to-raid", f"There is no enemy facility in {name(world, end)} to raid.", (end,))
    if world.rules.raid_targets == "land":
        return Refusal("no-enemy-land-to-raid", f"{name(world, end)} is no enemy territory to raid.", (end,))
    return Refusal("no-complex-to-raid", f"There is no enemy industrial complex in {name(world, end)} to raid.", (end,))


def can_raid(world: World, state: State, power: PowerId, end: SpaceId) -> bool:
    """There is something to bomb, in land that the power's own troops are not about to take (AN-SBR-12)."""
    if world.rules.raid_targets == "land":
        site = is_enemy_land(world, state, power, end)
    elif world.rules.raid_targets == "facilities":
        site = any(type_of(world, state, p).domain == "facility" for p, _ in enemies_in(world, state, power, end))
    else:
        site = any(type_of(world, state, p).complex for p, _ in enemies_in(world, state, power, end))
    return site and not walked_in(world, state, power, end)


def targets(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId) -> list[UnitId]:
    """What such a plane's raid can be meant for there, if nothing is named: the complex before anything else."""
    able = _within_reach(world, state, power, kind, end)
    return [u for u in able if world.units[u].complex][:1] or able


def _within_reach(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId) -> list[UnitId]:
    """The enemy facilities there that such a plane's bombs are good for."""
    return [u for u in _facilities(world, state, power, end) if u in kind.traits.get("raid_targets", ())]


def _facilities(world: World, state: State, power: PowerId, end: SpaceId) -> list[UnitId]:
    return [p.type for p, _ in enemies_in(world, state, power, end) if world.units[p.type].domain == "facility"]


def aim(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId, facility: UnitId | None) -> UnitId:
    """The facility that a raid is meant for: the one named, else the complex or the only one there (G40-SBR-18)."""
    there = _facilities(world, state, power, end)
    if facility is None:
        possible = targets(world, state, power, kind, end)
        if len(possible) > 1:
            what = listed([world.units[unit].name for unit in possible], "or")
            plant = next((f for f in there if world.units[f].complex and f not in possible), None)
            if plant is not None:  # a raid without a name is meant for the complex
                text = f"{all_such(kind)} cannot raid {world.units[plant].plural}: name {what}."
                raise Refusal("facility-not-for-this-plane", text, (end,))
            raise Refusal("facility-to-be-named", f"Which facility in {name(world, end)} is raided, {what}?", (end,))
        facility = (possible or there)[0]
    if facility not in there:
        text = f"There is no enemy {world.units[facility].name} in {name(world, end)}."
        raise Refusal("no-facility-to-raid", text, (end,))
    if facility not in kind.traits.get("raid_targets", ()):
        raise Refusal(
            "facility-not-for-this-plane",
            f"{all_such(kind)} cannot raid {world.units[facility].plural}.",
            (end,),
        )
    return facility


# ---------------------------------------------------------------- sweeps


def _sweeps(world: World, power: PowerId, kind: UnitType) -> bool:
    return world.rules.sorties and kind.intercepts


def _no_sweep(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId) -> Refusal | None:
    if not world.rules.sorties:
        return Refusal("no-such-role", "There are no fighter sweeps in this game.", (end,))
    if not kind.intercepts:
        return Refusal("plane-cannot-sweep", f"{all_such(kind)} fly no sweeps: only fighters do.", (end,))
    if not any("air" in type_of(world, state, p).lifts for p, _ in enemies_in(world, state, power, end)):
        return Refusal("no-base-to-sweep", f"There is no enemy air base in {name(world, end)} to sweep.", (end,))
    return None


# ---------------------------------------------------------------- escorts


def _escorts(world: World, power: PowerId, kind: UnitType) -> bool:
    return world.rules.raid_escorts and kind.intercepts


def _no_escort(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId) -> Refusal | None:
    if not world.rules.raid_escorts:
        return Refusal("no-such-role", f"Raids have no escorts in this game: a {kind.name} cannot protect one.", (end,))
    if not kind.intercepts:
        return Refusal("plane-cannot-escort", f"A {kind.name} cannot escort others: only fighters can.", (end,))
    if not any(p.power == power and p.mark == ROLES[RAID].mark for p in state.at(end)):
        return Refusal(
            "no-raid-to-escort", f"No bomber of yours raids {name(world, end)}: send the bombers first.", (end,)
        )
    return None


# ---------------------------------------------------------------- kamikazes


def _dies(world: World, power: PowerId, kind: UnitType) -> bool:
    rule = world.rules.sacrifice
    return rule is not None and power in rule.powers and kind.id == rule.unit


def _no_kamikaze(world: World, state: State, power: PowerId, kind: UnitType, end: SpaceId) -> Refusal | None:
    rule = world.rules.sacrifice
    if rule is None:
        return Refusal("no-such-role", "There are no kamikazes in this game.", (end,))
    if power not in rule.powers:
        return Refusal("power-without-kamikazes", f"{world.powers[power].name} has no kamikazes.", (end,))
    if kind.id != rule.unit:
        planes = world.units[rule.unit].plural
        return Refusal("plane-is-no-kamikaze", f"{all_such(kind)} are no kamikazes: only {planes} are.", (end,))
    ships = any(type_of(world, state, p).domain == "sea" for p, _ in enemies_in(world, state, power, end))
    if not world.spaces[end].is_sea or not ships:
        return Refusal(
            "kamikazes-attack-ships",
            f"Kamikazes attack enemy ships only, and there are none in {name(world, end)}.",
            (end,),
        )
    return None


ROLES: dict[str, Role] = {
    RAID: Role(_raids, _no_raid, "raid"),
    ESCORT: Role(_escorts, _no_escort, "escort"),
    SWEEP: Role(_sweeps, _no_sweep, "sweep"),
    KAMIKAZE: Role(_dies, _no_kamikaze),
}
"""The roles of planes in the combat move, by the words of orders. Planes that carry troops are known by their load."""
