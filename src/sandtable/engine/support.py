"""Powers without capital and complexes, which live on what their dice give; and money that goes back to the bank.

In the Pacific theater the United Kingdom begins with the sum of two dice, collects as much each turn as long as one of
its four territories is free, and loses its savings with the last of them; the United States returns the lower of two
dice when its part of the turn opens (MX19-12, MX19-21 to MX19-23, MX19-27, MX19-28).
"""

from __future__ import annotations

from sandtable.engine.events import Funded, Rolled
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.model import PowerId, World


def begin(run: Run) -> None:
    """The money that powers begin the game with, where dice give it."""
    for power in run.state.unfunded:
        run.emit(Funded(power))
        _roll(run, power)


def collect(run: Run, power: PowerId) -> None:
    if not is_cut_off(run.world, run.state, power):
        _roll(run, power)


def is_cut_off(world: World, state: State, power: PowerId) -> bool:
    """All that supports the power is in enemy hands."""
    support = world.powers[power].support
    hostile = enemies(world, state, power)
    return support is not None and all(state.owners.get(space) in hostile for space in support.spaces)


def _roll(run: Run, power: PowerId) -> None:
    support = run.world.powers[power].support
    assert support is not None
    faces = run.roll(support.dice, lambda faces: Rolled("income", power, faces, hits=sum(faces)))
    run.pay(power, sum(faces), "income")


def levy(run: Run, power: PowerId) -> None:
    """What the power returns to the bank when its turn opens; not more than it has."""
    dice = run.world.powers[power].levy_dice
    if dice:
        faces = run.roll(dice, lambda faces: Rolled("levy", power, faces, hits=min(faces)))
        run.pay(power, -min(faces), "levy")


def surrender_savings(run: Run, captor: PowerId) -> None:
    """A power that has just been cut off hands over what it had saved."""
    for power in run.world.powers.values():
        if power.support is not None and run.state.treasury[power.id] and is_cut_off(run.world, run.state, power.id):
            money = run.state.treasury[power.id]
            run.pay(power.id, -money, "capital", power.support.spaces[0])
            run.pay(captor, money, "capital", power.support.spaces[0])
