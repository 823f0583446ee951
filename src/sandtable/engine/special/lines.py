"""Lines of fortifications that come into play when somebody attacks across one border (G40-SPC-29 to G40-SPC-32)."""

from __future__ import annotations

from collections.abc import Iterator

from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Change, LineRaised, LinesLost
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State
from sandtable.world.model import PowerId, SpaceId, UnitId, World
from sandtable.world.specials import Line


def _standing(world: World, state: State) -> Iterator[tuple[PowerId, Line]]:
    """Lines that can still come into play."""
    for power in world.lined:
        for line in world.powers[power].special.lines:
            if (
                state.owners.get(line.place) == power
                and state.owners.get(line.until) == power
                and not state.spent.get(f"line {line.place}")
                and not state.spent.get(f"lines until {line.until}")
            ):
                yield power, line


def may_appear(world: World, state: State, by: PowerId, place: SpaceId) -> bool:
    """Whoever attacks there may meet a line, so that the land does not fall before the moves are done."""
    return bool(world.lined) and any(line.by == by and line.place == place for _, line in _standing(world, state))


def bars(world: World, state: State, by: PowerId, start: SpaceId, place: SpaceId) -> bool:
    """Troops that go this way run into a line."""
    return line_across(world, state, by, start, place) is not None


def line_across(
    world: World, state: State, by: PowerId, start: SpaceId, place: SpaceId
) -> tuple[PowerId, UnitId, int] | None:
    """Whose fortification troops that go this way run into; None: the way is free."""
    for power, line in _standing(world, state) if world.lined else ():
        if (line.by, line.start, line.place) == (by, start, place):
            return power, line.unit, 1
    return None


def rise(run: Run) -> None:
    """When the combat moves are done: where troops have crossed the border, the line is there and whole."""
    world = run.world
    for power, line in list(_standing(world, run.state)):
        crossed = any(
            p.power == line.by == run.power and p.origin == line.start and world.units[p.type].domain == "land"
            for p in run.state.at(line.place)
        )
        if crossed and not any(p.type == line.unit for p in run.state.at(line.place)):
            changes = (Change(line.place, plus=((Piece(power, line.unit), 1),)),)
            run.emit(LineRaised(power, line.place, line.unit, changes))


def foreseen(world: World, state: State) -> tuple[State, tuple[LineRaised, ...]]:
    """How things stand once those lines are there that the moves so far call up, and which these are."""
    if not world.lined:
        return state, ()
    run = Run(world, state, ScriptedDice(()))
    rise(run)
    return run.state, tuple(event for event in run.events if isinstance(event, LineRaised))


def end(run: Run, space: SpaceId) -> None:
    """The place that the lines protected has fallen: they are gone for good."""
    world, state = run.world, run.state
    for power in world.lined:
        lines = [line for line in world.powers[power].special.lines if line.until == space]
        if not lines or state.spent.get(f"lines until {space}") or state.owners.get(space) == power:
            continue
        changes, places = [], []
        for line in lines:
            raised = state.spent.get(f"line {line.place}")
            gone = tuple((p, n) for p, n in state.at(line.place).items() if p.type == line.unit) if raised else ()
            if gone:
                changes.append(Change(line.place, minus=gone))
                places.append(line.place)
        run.emit(LinesLost(power, tuple(places), space, tuple(changes)))
