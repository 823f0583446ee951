"""Enemies that undo breakthroughs before they become any (MX15-07)."""

from __future__ import annotations

from sandtable.engine.events import Rolled, Sabotaged
from sandtable.engine.facts import technologies
from sandtable.engine.relations import enemies, left_alone
from sandtable.engine.run import Run
from sandtable.world.model import PowerId, World


def standing(run: Run, successes: int) -> int:
    """How many of these successes of the power that acts are left when its enemies have done what they can."""
    return sum(not _undone(run) for _ in range(successes))


def _undone(run: Run) -> bool:
    """Each enemy who can rolls a die, in the order of turns, until one of them succeeds."""
    victim = run.power
    hostile = enemies(run.world, run.state, victim) | left_alone(run.state, victim)  # no pact counts here
    for power in _after(run.world, victim):
        need = max((t.annuls for t in technologies(run.world, run.state, power)), default=0)
        if power in hostile and need:
            (face,) = run.roll(1, lambda f: Rolled("sabotage", power, f, needed=need, hits=int(f[0] <= need)))  # noqa: B023
            if face <= need:
                run.emit(Sabotaged(victim, power))
                return True
    return False


def _after(world: World, power: PowerId) -> list[PowerId]:
    """The other powers, whoever plays next first."""
    order = list(dict.fromkeys((*world.order, *world.powers)))
    place = order.index(power)
    return [*order[place + 1 :], *order[:place]]
