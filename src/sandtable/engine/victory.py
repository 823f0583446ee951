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


def measure(world: World, state: State, condition: Victory, side: SideId) -> int | None:
    """How much the side has of what the condition counts; None where nobody wins by it."""
    match condition.kind:
        case "capitals":
            return sum(_holds(world, state, side, s) for s in condition.of)
        case "cities":
            return sum(_holds(world, state, side, s) for s, place in world.spaces.items() if place.victory_city)
        case "economy":
            return sum(production(world, state, p) for p in world.members(side))
        case "rounds":
            return None


def _met(world: World, state: State, condition: Victory, side: SideId) -> str:
    """What happened, in words, if the side fulfils the condition; else nothing."""
    have = measure(world, state, condition, side)
    if have is None:
        return f"Round {condition.count} was the last." if state.round >= condition.count else ""
    if have < condition.count:
        return ""
    match condition.kind:
        case "capitals":
            what = f"hold {listed([world.spaces[s].name for s in condition.of if _holds(world, state, side, s)])}"
        case "cities":
            what = f"hold {have} victory cities"
        case _:
            what = f"have a production of {have}"
    return f"The {side.capitalize()} {what}."


def _holds(world: World, state: State, side: SideId, space: str) -> bool:
    owner = state.owners.get(space)
    return owner is not None and world.side_of(owner) == side


def growth(start: int, now: int) -> float:
    """Growth of production in percent, cut off after one decimal (CL-VIC-07)."""
    tenths = (abs(now - start) * 1000) // start
    return (tenths if now >= start else -tenths) / 10


def individual_winners(world: World, state: State, starting: dict[PowerId, int]) -> tuple[PowerId, ...]:
    """The power of the winning side that grew most, or several that tie (CL-VIC-06); or all of them (AN-VIC-08)."""
    if state.winner is None:
        return ()
    if not world.rules.individual_winner:
        return world.members(state.winner)
    rates = {p: growth(starting[p], production(world, state, p)) for p in world.members(state.winner) if starting[p]}
    best = max(rates.values())
    return tuple(p for p, rate in rates.items() if rate == best)
