"""How a game ends, and who did best."""

from __future__ import annotations

from sandtable.engine.events import Won
from sandtable.engine.facts import listed, production
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SideId, Victory, World


def check(run: Run, when: str) -> None:
    """Test the conditions that are due at the end of a turn or a round."""
    for condition in run.world.victory:
        if condition.when != when or run.state.over:
            continue
        for side in [condition.side] if condition.side else run.world.sides:
            met = _met(run.world, run.state, condition, side)
            if met:
                run.emit(Won(None if condition.kind == "rounds" else side, met, condition.rules))
                break


def _met(world: World, state: State, condition: Victory, side: SideId) -> str:
    """What happened, in words, if the side fulfils the condition; else nothing."""
    if condition.kind == "capitals":
        held = [s for s in condition.of if _holds(world, state, side, s)]
        if len(held) >= condition.count:
            return f"The {side.capitalize()} hold {listed([world.spaces[s].name for s in held])}."
    elif condition.kind == "economy":
        level = sum(production(world, state, p) for p in world.members(side))
        if level >= condition.count:
            return f"The {side.capitalize()} have a production of {level}."
    elif condition.kind == "cities":
        cities = [s for s in world.spaces if world.spaces[s].victory_city and _holds(world, state, side, s)]
        if len(cities) >= condition.count:
            return f"The {side.capitalize()} hold {len(cities)} victory cities."
    elif state.round >= condition.count:
        return f"Round {condition.count} was the last."
    return ""


def _holds(world: World, state: State, side: SideId, space: str) -> bool:
    owner = state.owners.get(space)
    return owner is not None and world.side_of(owner) == side


def growth(start: int, now: int) -> float:
    """Growth of production in percent, cut off after one decimal (CL-VIC-07)."""
    tenths = (abs(now - start) * 1000) // start
    return (tenths if now >= start else -tenths) / 10


def individual_winners(world: World, state: State, starting: dict[PowerId, int]) -> tuple[PowerId, ...]:
    """The power of the winning side that grew most, or several that tie (CL-VIC-06)."""
    if state.winner is None:
        return ()
    rates = {p: growth(starting[p], production(world, state, p)) for p in world.members(state.winner) if starting[p]}
    best = max(rates.values())
    return tuple(p for p, rate in rates.items() if rate == best)
