"""Which battles a turn brings, and how each begins."""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.forces import fights
from sandtable.engine.events import BattleOpened
from sandtable.engine.facts import can_be_fought, has_enemy_gun, is_hostile_sea, name
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, SpaceId, World


class Pending(msgspec.Struct, frozen=True):
    space: SpaceId
    kind: str


def pending(world: World, state: State, power: PowerId) -> list[Pending]:
    """Every battle and raid that still has to be fought, in board order.

    Nothing is written down for this: units that stand among enemies fight (CL-TRN-06, CL3-PRD-02).
    """
    found = []
    landings = declared(state, power)
    for space in world.spaces:
        mine = [p for p in state.units.get(space, ()) if p.power == power]
        if not mine and space not in landings:
            continue  # most spaces, on every board
        if any(p.mark == "raid" for p in mine):
            found.append(Pending(space, "raid"))
        if space in state.fought:
            continue
        present = any(fights(world, p) for p in mine)
        if world.spaces[space].is_sea:
            if present and _enemies_to_fight(world, state, power, space):
                found.append(Pending(space, "sea"))
        elif (present or space in landings) and can_be_fought(world, state, power, space):
            found.append(Pending(space, "land"))
        elif present and has_enemy_gun(world, state, power, space):
            found.append(Pending(space, "land"))  # planes over a lone gun: it fires, and that is all
    return found


def _enemies_to_fight(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    side = world.side_of(power)
    return any(world.side_of(p.power) != side and fights(world, p) for p in state.at(zone))


def declared(state: State, power: PowerId) -> dict[SpaceId, set[SpaceId]]:
    """Landings that wait for a sea battle: shore -> zones."""
    found: dict[SpaceId, set[SpaceId]] = {}
    for zone, stack in state.units.items():
        for transport in stack:
            for piece in transport.cargo:
                if piece.target and piece.power == power:
                    found.setdefault(piece.target, set()).add(zone)
    return found


def open_battle(run: Run, chosen: Pending) -> None:
    world, power = run.world, run.power
    if chosen.kind == "land":
        for zone in sorted(declared(run.state, power).get(chosen.space, ())):
            if is_hostile_sea(world, run.state, power, zone):
                raise Refusal(
                    ("CL3-AMP-04", "CL-AMP-09", "CL-CMB-04"),
                    f"The sea battle in {name(world, zone)} comes before the landing in {name(world, chosen.space)}.",
                    (zone, chosen.space),
                )
    force = [p for p in run.state.at(chosen.space) if p.power == power and fights(world, p)]
    moved = {p.origin for p in force if p.origin and world.units[p.type].domain != "air"}
    origins = tuple(s for s in world.spaces if s in moved)
    battle = Battle(
        chosen.space,
        chosen.kind,
        power,
        origins=origins,
        shores=tuple(s for s in origins if world.spaces[s].is_sea) if chosen.kind == "land" else (),
    )
    run.emit(BattleOpened(battle))
