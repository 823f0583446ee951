"""Buying units and repairing complexes (CL-PUR-01 to CL-PUR-05, AN-BUY-01 to AN-BUY-10)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine import factories
from sandtable.engine.damage import complex_in, damage_of
from sandtable.engine.events import Bought, Reinforced, Repaired
from sandtable.engine.facts import all_such, amounts, capital_lost, name, unit_type
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import SpaceId, UnitId


class Purchase(Phase):
    name = "purchase"
    title = "Purchase"

    def enter(self, run: Run) -> None:
        """Powers that this one plays get their new units now (AN-CHN-04)."""
        for power in run.world.powers.values():
            if power.played_by == run.power and power.reinforcement is not None:
                number = factories.reinforcements(run.world, run.state, power)
                if number:
                    run.emit(Reinforced(power.id, ((power.reinforcement.unit, number),)))

    def is_open(self, run: Run) -> bool:
        if capital_lost(run.world, run.state, run.power):
            return False
        if run.state.pool or run.state.repaired:
            return True  # it can be taken back
        money = run.state.treasury[run.power]
        prices = price_list(run)
        return any(cost <= money for cost in prices.values()) or (money > 0 and bool(repairable(run)))

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Research() if run.state.pool or run.state.repaired:
                raise Refusal("research-after-purchase", "Weapons are developed before any unit is bought.")
            case orders.Buy():
                buy(run, order)
            case orders.Repair():
                repair(run, order)
            case _:
                raise misplaced(run, order, self)


def price_list(run: Run) -> dict[str, int]:
    """What each unit costs the power now."""
    prices = {}
    for unit in run.world.units:
        cost = unit_type(run.world, run.state, run.power, unit).cost
        if cost is not None:
            prices[unit] = cost
    return prices


def buy(run: Run, order: orders.Buy) -> None:
    world, power = run.world, run.power
    prices = price_list(run)
    cost = 0
    units: dict[UnitId, int] = {}
    _check_capital(run, "buy anything")
    for spec in order.units:
        if spec.power not in (None, power):
            raise Refusal(
                "buying-for-another-power",
                f"{world.powers[power].name} buys for itself only.",
            )
        if spec.type not in prices:
            raise Refusal("not-for-sale", f"{all_such(world.units[spec.type])} are not for sale.")
        if spec.count < 1:
            raise Refusal("buying-nothing", "Buy at least one of a kind.")
        cost += prices[spec.type] * spec.count
        units[spec.type] = units.get(spec.type, 0) + spec.count
    costs = "costs" if sum(units.values()) == 1 else "cost"
    _check_money(run, cost, f"{amounts(world, list(units.items()))} {costs}")
    _check_capacity(run, units)
    run.pay(power, -cost, "units")
    run.emit(Bought(power, tuple((u, units[u]) for u in world.units if u in units), cost))


def _check_capital(run: Run, what: str) -> None:
    if capital_lost(run.world, run.state, run.power):
        raise Refusal(
            "buying-after-capital-lost",
            f"{run.world.powers[run.power].name} has lost its capital and cannot {what}.",
        )


def _check_money(run: Run, cost: int, what: str) -> None:
    money = run.state.treasury[run.power]
    if cost > money:
        raise Refusal(
            "not-enough-money",
            f"{what} {cost}, and {run.world.powers[run.power].name} has {money}.",
        )


def _check_capacity(run: Run, units: Mapping[UnitId, int]) -> None:
    """What is bought has to find room at complexes where the edition wants it so (AN-BUY-05, AN-BUY-06)."""
    world, state, power = run.world, run.state, run.power
    wanted = sum(n for unit, n in units.items() if not unit_type(world, state, power, unit).factory)
    room = factories.room(world, state, power)
    if room is not None and wanted > room:
        capacity = factories.capacity(world, state, power)
        waiting = sum(
            n for unit, n in state.reserve(world, power).items() if not unit_type(world, state, power, unit).factory
        )
        before = f", and {waiting} {'is' if waiting == 1 else 'are'} ordered already" if waiting else ""
        new = "1 new unit" if capacity == 1 else f"{capacity} new units"
        raise Refusal(
            "more-than-complexes-receive",
            f"The complexes of {world.powers[power].name} can receive {new} a turn{before}: "
            f"{wanted} more {'is' if wanted == 1 else 'are'} too many.",
        )


# ---------------------------------------------------------------- repairs


def repairable(run: Run) -> dict[SpaceId, int]:
    """The power's damaged complexes, with their markers."""
    return {
        space: damage
        for space in run.state.damage
        if run.state.owners.get(space) == run.power and (damage := damage_of(run.world, run.state, space))
    }


def repair(run: Run, order: orders.Repair) -> None:
    """Take markers off a complex; it can receive that many units more at once (AN-BUY-02, AN-BUY-03)."""
    world, state, power = run.world, run.state, run.power
    where = name(world, order.space)
    _check_capital(run, "repair anything")
    unit = complex_in(world, state, order.space)
    if unit is None or order.facility not in (None, unit) or state.owners.get(order.space) != power:
        raise Refusal(
            "no-such-complex-to-repair", f"{world.powers[power].name} has no such complex in {where}.", (order.space,)
        )
    damage = damage_of(world, state, order.space)
    if not 1 <= order.points <= damage:
        have = f"{damage} damage" if damage else "no damage"
        raise Refusal(
            "more-than-the-damage",
            f"The complex in {where} has {have}: {order.points} cannot be repaired.",
            (order.space,),
        )
    cost = factories.repair_cost(world, state, power, order.space, order.points)
    _check_money(run, cost, "Such repairs cost")
    run.pay(power, -cost, "repair", order.space)
    run.emit(Repaired(power, order.space, unit, order.points, cost))
