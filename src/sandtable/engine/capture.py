"""Land changes hands: capture, liberation, capitals and the money in them."""

from __future__ import annotations

from sandtable.engine import facilities
from sandtable.engine.events import CapitalNamed, Captured, Change, Lost, Taking
from sandtable.engine.facts import capital_lost, capital_of, enemies_in, phase_name, type_of
from sandtable.engine.relations import allied, enemies
from sandtable.engine.run import Run
from sandtable.engine.special import liberation, lines, underground
from sandtable.engine.state import Question, State
from sandtable.engine.support import surrender_savings
from sandtable.world.model import PowerId, SpaceId, World


def new_owner(run: Run, space: SpaceId, captor: PowerId) -> PowerId:
    """Who owns the land once the captor has taken it.

    An ally gets back what it owned when the game began (CL-CAP-07, CL3-CAP-01), unless its capital is in enemy hands:
    then the captor keeps it for the time being (CL-CAP-09). Freeing that very capital restores it (CL-CAP-10).
    """
    world, state = run.world, run.state
    if world.rules.liberation == "kept":
        return captor
    original = world.spaces[space].original
    if original is None or original == captor or not allied(world, state, original, captor):
        return captor
    if world.powers[original].capital == space:
        return original
    condition = world.powers[captor].keeps_while.get(space)
    if condition is not None:  # G40-CHN-10
        return captor if state.owners.get(condition) in enemies(world, state, captor) else original
    if not world.powers[original].played:
        return captor  # there is nobody to give it back to (G40-POL-56)
    return captor if capital_lost(world, state, original) else original


def capture(run: Run, space: SpaceId, captor: PowerId) -> None:
    """The captor's land units hold the space: settle ownership, spoils and what a freed capital brings back."""
    world = run.world
    overrun(run, space, captor)
    previous = run.state.owners.get(space)
    owner = new_owner(run, space, captor)
    reason: Taking = "neutral" if previous is None else "capture" if owner == captor else "liberation"
    run.emit(Captured(space, captor, owner, previous, reason))
    lines.end(run, space)  # before facilities are damaged: a line is gone without (G40-SPC-32)
    facilities.taken(run, space, captor)
    underground.dissolve(run, space)
    if previous is not None and owner == world.spaces[space].original:
        liberation.offer(run, space)
    if owner == captor:
        surrender_savings(run, captor)
    if world.rules.liberation == "kept":
        _plunder(run, space, captor)
        return
    if previous is not None and capital_of(world, run.state, previous) == space:
        money = run.state.treasury[previous]  # the enemy's own capital: its money changes hands (CL-CAP-12)
        run.pay(previous, -money, "capital", space)
        run.pay(captor, money, "capital", space)
        if phase_name(world, run.state) == "combat":  # else when the battles begin
            ask_for_capital(run, previous)
    _give_back(run, space, captor)
    if world.powers[owner].capital == space and owner != previous:
        if owner in run.state.capitals:
            run.emit(CapitalNamed(owner, space))
        _restore(run, owner, captor)


def overrun(run: Run, space: SpaceId, captor: PowerId) -> None:
    """Enemy guns that hold no land alone are lost with it (G40-CMB-03)."""
    world, state = run.world, run.state
    there = enemies_in(world, state, captor, space)
    units = tuple((p, n) for p, n in there if not (kind := type_of(world, state, p)).guards and kind.casualty)
    if units:
        run.emit(Lost(space, "overrun", units, (Change(space, minus=units),)))


def _plunder(run: Run, space: SpaceId, captor: PowerId) -> None:
    """Where nobody frees anything, the money goes to the captor of its owner's capital, whoever held it (MX20-09)."""
    loser = run.world.spaces[space].capital_of
    if loser is not None and loser != captor:
        money = run.state.treasury[loser]
        run.pay(loser, -money, "capital", space)
        run.pay(captor, money, "capital", space)


def _give_back(run: Run, freed: SpaceId, liberator: PowerId) -> None:
    """Land that a power kept only while the enemy had this one goes back to its owner (G40-CHN-10)."""
    world = run.world
    for power in world.powers.values():
        if freed not in power.keeps_while.values() or run.state.owners[freed] in enemies(world, run.state, power.id):
            continue
        for space, condition in power.keeps_while.items():
            owner = world.spaces[space].original
            if condition == freed and owner is not None and run.state.owners.get(space) == power.id:
                run.emit(Captured(space, liberator, owner, power.id, "restored"))


def exiles(world: World, state: State, power: PowerId) -> tuple[SpaceId, ...]:
    """Where a government without its capital can go: land of its own that the edition names (G40-POL-63)."""
    return tuple(s for s in world.powers[power].exile if state.owners.get(s) == power)


def ask_for_capital(run: Run, power: PowerId) -> None:
    """A power that has lost its capital names another, if it can; a single choice is taken at once."""
    places = exiles(run.world, run.state, power)
    if len(places) == 1:
        run.emit(CapitalNamed(power, places[0]))
    elif places:
        run.ask(Question("capital", power, places=places))


def _restore(run: Run, owner: PowerId, liberator: PowerId) -> None:
    """Allies hand back the land that they held for a power whose capital was lost (CL-CAP-10)."""
    world = run.world
    for space, holder in list(run.state.owners.items()):
        if holder != owner and world.spaces[space].original == owner and allied(world, run.state, holder, owner):
            run.emit(Captured(space, liberator, owner, holder, "restored"))
