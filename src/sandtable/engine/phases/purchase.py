"""Buying units (CL-PUR-01 to CL-PUR-05)."""

from __future__ import annotations

from sandtable.engine.events import Bought
from sandtable.engine.facts import amounts, capital_lost, unit_type
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.errors import Refusal
from sandtable.notation import orders


class Purchase(Phase):
    name = "purchase"
    title = "Purchase"

    def is_open(self, run: Run) -> bool:
        if run.state.pool:
            return True
        money = run.state.treasury[run.power]
        prices = price_list(run)
        return not capital_lost(run.world, run.state, run.power) and any(cost <= money for cost in prices.values())

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        if isinstance(order, orders.Research) and run.state.pool:
            raise Refusal("CL-TEC-01", "Weapons are developed before any unit is bought.")
        if not isinstance(order, orders.Buy):
            raise misplaced(run, order, self)
        buy(run, order)


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
    units: dict[str, int] = {}
    if capital_lost(world, run.state, power):
        raise Refusal("CL-CAP-15", f"{world.powers[power].name} has lost its capital and cannot buy anything.")
    for spec in order.units:
        if spec.power not in (None, power):
            raise Refusal(("CL-SET-07", "CL-PUR-02"), f"{world.powers[power].name} buys for itself only.")
        if spec.type not in prices:
            raise Refusal("CL-PUR-01", f"A {world.units[spec.type].name} is not for sale.")
        if spec.count < 1:
            raise Refusal("CL-PUR-01", "Buy at least one of a kind.")
        cost += prices[spec.type] * spec.count
        units[spec.type] = units.get(spec.type, 0) + spec.count
    if cost > run.state.treasury[power]:
        raise Refusal(
            ("CL-PUR-02", "CL-SET-07"),
            f"{amounts(world, list(units.items())).capitalize()} cost {cost}, "
            f"and {world.powers[power].name} has {run.state.treasury[power]}.",
        )
    run.pay(power, -cost, "units")
    run.emit(Bought(power, tuple((u, units[u]) for u in world.units if u in units), cost))
