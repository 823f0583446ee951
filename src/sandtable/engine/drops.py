"""Paying for troops that are dropped from planes, where each of them costs something (MX09-20).

Weapons development comes before the combat move in most games: so many drops are paid for in advance (`airborne 2`),
and no more can be made. Where it follows the move, the drops made are paid for by themselves when it opens, and their
fee is kept aside until then.
"""

from __future__ import annotations

from sandtable.engine import aid
from sandtable.engine.events import DropsCounted
from sandtable.engine.facts import amount, capital_lost, drops, paid_ahead, spare_money
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation.orders import Airborne
from sandtable.world.model import PowerId, World


def pay(run: Run, order: Airborne) -> None:
    """So many drops of this turn are paid for."""
    world, power, number = run.world, run.power, order.drops
    drop = world.rules.drops
    if drop is None or not drop.fee:
        raise Refusal("no-drops-to-pay", "This game is played without drops that have to be paid for.")
    if not paid_ahead(world):
        raise Refusal("drops-are-paid-later", "Drops are paid for by themselves, after the combat move.")
    if number < 1:
        raise Refusal("no-drops-to-pay", "Pay for at least one drop.")
    cost, money = number * drop.fee, run.state.treasury[power]
    if cost > money:
        troops = amount(world, drop.passenger, number)
        raise Refusal("drops-too-dear", f"To drop {troops} costs {cost}, and {world.powers[power].name} has {money}.")
    aid.check_spending(world, run.state, power, cost)
    run.pay(power, -cost, "drops")
    run.emit(DropsCounted(power, run.state.drops + number, cost=cost))


def can_pay(world: World, state: State, power: PowerId) -> bool:
    """There is somebody to be dropped and money for it, or what was paid can be taken back."""
    drop = world.rules.drops
    if drop is None or not drop.fee or not paid_ahead(world) or not _has_money_for_drops(world, state, power):
        return False
    if state.drops:
        return True
    return state.treasury[power] - aid.owed(world, state, power) >= drop.fee and any(
        {drop.unit, drop.passenger} <= {p.type for p in stack if p.power == power} for stack in state.units.values()
    )


def can_make(world: World, state: State, power: PowerId) -> bool:
    """A drop is paid for, or could be paid afterwards."""
    drop = drops(world, state, power)
    if drop is None or not drop.fee:
        return drop is not None
    if paid_ahead(world):
        return state.drops > 0
    return _has_money_for_drops(world, state, power) and spare_money(world, state, power) >= drop.fee


def _has_money_for_drops(world: World, state: State, power: PowerId) -> bool:
    """Whoever has no weapons development cannot pay the fee in it (MX19-37, MX20-09)."""
    return world.powers[power].researches and not capital_lost(world, state, power)


def settle(run: Run) -> None:
    """The drops of this turn's combat move are paid for when weapons are developed after it."""
    drop = run.world.rules.drops
    if drop is not None and run.state.unpaid_drops:
        cost = run.state.unpaid_drops * drop.fee
        run.pay(run.power, -cost, "drops")
        run.emit(DropsCounted(run.power, 0, cost=cost))


def use(run: Run, number: int) -> None:
    """So many drops are being made: refuse those that nobody has paid for, or could."""
    world, state, power = run.world, run.state, run.power
    drop = drops(world, state, power)
    if drop is None or not drop.fee:
        return
    if paid_ahead(world):
        if number > state.drops:
            left = f"{state.drops} more" if state.drops else "no more"
            raise Refusal(
                "drops-not-paid-for",
                f"{world.powers[power].name} has paid for {left} in this turn's weapons development (`airborne`).",
            )
        run.emit(DropsCounted(power, state.drops - number))
        return
    if not world.powers[power].researches:
        text = f"{world.powers[power].name} has no weapons development, in which drops are paid for."
        raise Refusal("drops-never-of-power", text)
    if capital_lost(world, state, power):
        text = f"{world.powers[power].name} has lost its capital and cannot pay for drops."
        raise Refusal("drops-without-capital", text)
    cost, money = number * drop.fee, spare_money(world, state, power)
    if cost > money:
        raise Refusal("drops-too-dear", f"Such drops cost {cost}, and {world.powers[power].name} has {money} left.")
    run.emit(DropsCounted(power, 0, state.unpaid_drops + number))
