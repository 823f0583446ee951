"""Bans that make powers leave each other alone: who is held back from whom follows from their conditions.

It is judged whenever the game goes on, and the outcome is part of the state, so that everybody who asks for enemies
(`engine.relations`) gets the answer without judging anything.
"""

from __future__ import annotations

from sandtable.engine.conditions import holds
from sandtable.engine.events import Restrained
from sandtable.engine.run import Run
from sandtable.engine.state import Pair, Stances, State
from sandtable.world.model import World


def settle(run: Run) -> None:
    """Note who is held back from whom now."""
    now = pairs(run.world, run.state)
    if now != (run.state.stances or Stances()).bound:
        run.emit(Restrained(now))


def pairs(world: World, state: State) -> tuple[Pair, ...]:
    """Whoever has to leave somebody alone, with that one."""
    found = {
        (power, other)
        for ban in world.restraints
        for power in ban.powers
        if holds(world, state, ban.when, power)
        for other in ban.against
        if other != power
    }
    return tuple(sorted(found))
