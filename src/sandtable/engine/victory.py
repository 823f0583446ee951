"""How a game ends, and who did best."""

from __future__ import annotations

from typing import Literal

from sandtable.engine.conditions import achieved, holds
from sandtable.engine.events import GoalLost, GoalReached, Won
from sandtable.engine.facts import active, production
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.goals import TWO_PLAYERS
from sandtable.world.model import PowerId, Victory, World

Moment = Literal["turn", "round", "at-once"]


def check(run: Run, moment: Moment) -> None:
    """Test the conditions that are due at this moment."""
    world = run.world
    for victory, who in _in_turn(run, moment):
        if not run.state.over and _wins(run, victory, who):
            power = who if who in world.powers else None
            side = world.side_of(power) if power is not None else who or None
            run.emit(Won(side, achieved(world, run.state, victory.when, who), victory.rules, power))


def _in_turn(run: Run, moment: Moment) -> list[tuple[Victory, str]]:
    """What is due, with everybody who can win by it; among powers the one that acts comes first, then the next."""
    world, state = run.world, run.state
    checked = [v for v in world.victory if v.checked == moment]
    if not checked:
        return []
    due = [(v, who) for v in checked if open_to(state, v) for who in candidates(world, state, v)]
    if len(due) > 1 and any(victory.winner in world.powers for victory, _ in due):
        order = list(dict.fromkeys((active(world, state), *world.order[state.turn :], *world.order)))
        due.sort(key=lambda item: order.index(item[1]) if item[1] in order else len(order))
    return due


def open_to(state: State, victory: Victory) -> bool:
    """So many people play that the game can be won in this way."""
    return victory.players == "any" or (victory.players == "two") == (TWO_PLAYERS in state.history)


def candidates(world: World, state: State, victory: Victory) -> tuple[str, ...]:
    """Who can win by it, sides or powers; nobody is nothing. Of several powers the one that acts comes first."""
    match victory.winner:
        case "nobody":
            return ("",)
        case "each-side":
            return world.sides
        case "each-power":
            return tuple(dict.fromkeys((active(world, state), *world.order, *world.powers)))
        case who:
            return (who,)


def _wins(run: Run, victory: Victory, who: str) -> bool:
    world, state = run.world, run.state
    reached = holds(world, state, victory.when, who)
    if not victory.held:
        return reached
    since = state.goals.get(f"{victory.id} {who}")
    turn = world.order[state.turn]
    if not reached:
        if since is not None:
            run.emit(GoalLost(victory.id, who))
        return False
    if since is None:
        run.emit(GoalReached(victory.id, who, turn))
        return False
    power, number = since
    over = power == turn and state.round > number
    return over and (victory.then is None or holds(world, state, victory.then, who))


def growth(start: int, now: int) -> float:
    """Growth of production in percent, cut off after one decimal (CL-VIC-07)."""
    tenths = (abs(now - start) * 1000) // start
    return (tenths if now >= start else -tenths) / 10


def individual_winners(world: World, state: State, starting: dict[PowerId, int]) -> tuple[PowerId, ...]:
    """The power of the winning side that grew most, or several that tie (CL-VIC-06); or all of them (AN-VIC-08).

    Where a power wins alone, it does not share.
    """
    if state.victor is not None:
        return (state.victor,)
    if state.winner is None:
        return ()
    if not world.rules.individual_winner:
        return world.members(state.winner)
    rates = {p: growth(starting[p], production(world, state, p)) for p in world.members(state.winner) if starting[p]}
    best = max(rates.values())
    return tuple(p for p, rate in rates.items() if rate == best)
