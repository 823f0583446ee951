"""Land changes hands: capture, liberation, capitals and the money in them."""

from __future__ import annotations

from sandtable.engine.events import Captured, Taking
from sandtable.engine.facts import capital_lost
from sandtable.engine.relations import allied
from sandtable.engine.run import Run
from sandtable.world.model import PowerId, SpaceId


def new_owner(run: Run, space: SpaceId, captor: PowerId) -> PowerId:
    """Who owns the land once the captor has taken it.

    An ally gets back what it owned when the game began (CL-CAP-07, CL3-CAP-01), unless its capital is in enemy hands:
    then the captor keeps it for the time being (CL-CAP-09). Freeing that very capital restores it (CL-CAP-10).
    """
    world, state = run.world, run.state
    original = world.spaces[space].original
    if original is None or original == captor or not allied(world, state, original, captor):
        return captor
    if world.powers[original].capital == space:
        return original
    return captor if capital_lost(world, state, original) else original


def capture(run: Run, space: SpaceId, captor: PowerId) -> None:
    """The captor's land units hold the space: settle ownership, spoils and what a freed capital brings back."""
    world = run.world
    previous = run.state.owners.get(space)
    owner = new_owner(run, space, captor)
    reason: Taking = "neutral" if previous is None else "capture" if owner == captor else "liberation"
    run.emit(Captured(space, captor, owner, previous, reason))
    capital_of = world.spaces[space].capital_of
    if capital_of is None:
        return
    if capital_of == previous:  # the enemy's own capital: its money changes hands (CL-CAP-12)
        money = run.state.treasury[previous]
        run.pay(previous, -money, "capital", space)
        run.pay(captor, money, "capital", space)
    elif capital_of == owner:
        _restore(run, owner, captor)


def _restore(run: Run, owner: PowerId, liberator: PowerId) -> None:
    """Allies hand back the land that they held for a power whose capital was lost (CL-CAP-10)."""
    world = run.world
    for space, holder in list(run.state.owners.items()):
        if holder != owner and world.spaces[space].original == owner and allied(world, run.state, holder, owner):
            run.emit(Captured(space, liberator, owner, holder, "restored"))
