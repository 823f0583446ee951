"""Lend lease: a die of aid that one power buys for another beside its research (MX03-01 to MX03-07).

Who sends it to whom and at what price is data (`Rules.aid`). Where it is required, other spending leaves enough for it;
so the duty holds exactly while it could be bought, and lapses by itself where there was too little from the start.
"""

from __future__ import annotations

from sandtable.engine.events import AidSent, Rolled
from sandtable.engine.facts import free_money, name
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, World


def send(run: Run) -> None:
    """Buy the die; the receiver gets what it shows at once, from the bank."""
    world, power, aid = run.world, run.power, run.world.rules.aid
    refused = why_not(world, run.state, power)
    if refused is not None:
        raise refused
    assert aid is not None
    run.pay(power, -aid.cost, "lend-lease")
    (face,) = run.roll(1, lambda faces: Rolled("lend-lease", power, faces))
    run.emit(AidSent(power, aid.receiver, aid.cost, face))
    run.pay(aid.receiver, face, "lend-lease")


def can_send(world: World, state: State, power: PowerId) -> bool:
    """The power may buy the die, as far as the time of the turn allows it."""
    return world.rules.aid is not None and why_not(world, state, power) is None


def owed(world: World, state: State, power: PowerId) -> int:
    """Money that the power has to keep for the die, since it must buy it this turn."""
    aid = world.rules.aid
    return aid.cost if aid is not None and aid.required and can_send(world, state, power) else 0


def check_spending(world: World, state: State, power: PowerId, cost: int) -> None:
    """Refuse to spend what the required die will cost."""
    kept = owed(world, state, power)
    if kept and cost > free_money(world, state, power) - kept:
        raise Refusal("lend-lease-is-due", f"{kept} must be left for the lend lease die of this turn (`lend-lease`).")


def check_paid(world: World, state: State, power: PowerId) -> None:
    """Refuse to go on without the required die."""
    if owed(world, state, power):
        raise Refusal("lend-lease-is-due", "The lend lease die has to be bought first: `lend-lease`.")


def why_not(world: World, state: State, power: PowerId) -> Refusal | None:
    """Why the power cannot buy the die, whatever the time of the turn."""
    aid = world.rules.aid
    if aid is None:
        return Refusal("no-lend-lease", "This game is played without lend lease: no power gives money to another.")
    if power != aid.giver:
        who = f"{world.powers[aid.giver].name} to {world.powers[aid.receiver].name}"
        return Refusal("lend-lease-of-another", f"Lend lease goes from {who} only.")
    for each in (aid.giver, aid.receiver):
        capital = world.powers[each].capital
        if capital is not None and state.owners.get(capital) != each:
            text = f"{world.powers[each].name} does not control {name(world, capital)}: no lend lease."
            return Refusal("lend-lease-without-capital", text, (capital,))
    if state.aided:
        return Refusal("lend-lease-once-a-turn", "One lend lease die can be bought in a turn.")
    money = free_money(world, state, power)
    if money < aid.cost:
        told = f"The lend lease die costs {aid.cost}, and {world.powers[power].name} has {money} to spend."
        return Refusal("lend-lease-too-dear", told)
    return None
