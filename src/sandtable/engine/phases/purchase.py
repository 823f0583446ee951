"""Buying units and repairing complexes (CL-PUR-01 to CL-PUR-05, AN-BUY-01 to AN-BUY-10)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine import cards, complexes, facilities, offer, pilots, projects
from sandtable.engine.damage import complex_in
from sandtable.engine.events import Bought, Reinforced, Repaired
from sandtable.engine.facts import all_such, amounts, capital_lost, free_money, name, unit_type
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.engine.special import relocation
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import SpaceId, UnitId, World


class Purchase(Phase):
    name = "purchase"
    title = "Purchase"

    def enter(self, run: Run) -> None:
        """Powers that this one plays get their new units now (AN-CHN-04)."""
        for power in run.world.powers.values():
            if power.played_by == run.power and power.reinforcement is not None:
                number = complexes.reinforcements(run.world, run.state, power)
                if number:
                    run.emit(Reinforced(power.id, ((power.reinforcement.unit, number),)))
        if not capital_lost(run.world, run.state, run.power):
            offer.set_budget(run)
            if pilots.is_asked(run.world, run.state, run.power):
                run.ask(Question("training", run.power))
            else:
                pilots.neglect(run)

    def is_open(self, run: Run) -> bool:
        if capital_lost(run.world, run.state, run.power):
            return False
        if run.state.pool or run.state.repaired:
            return True  # it can be taken back
        money = free_money(run.world, run.state, run.power)
        if projects.possible(run.world, run.state, run.power):
            return True
        prices = (price_of(run, unit) for unit in run.world.units)
        return any(price is not None and price <= money for price in prices) or (money > 0 and bool(repairable(run)))

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Buy():
                buy(run, order)
            case orders.Research() if run.state.pool or run.state.repaired:
                raise Refusal("research-after-purchase", "Weapons are developed before any unit is bought.")
            case orders.Research(technology=technology) if run.world.rules.developments == "tracked":
                projects.research(run, technology)
            case orders.Upgrade(space=space) if moving := relocation.can_upgrade(
                run.world, run.state, run.power, space
            ):
                relocation.upgrade(run, order, moving)
            case orders.Upgrade(space=space) if run.world.upgrades:
                _check_capital(run, "build anything")
                facilities.upgrade(run, space)
            case orders.Repair():
                repair(run, order)
            case _:
                raise misplaced(run, order, self)

    def leave(self, run: Run) -> None:
        """Work goes on at what is being built, and ships at their bases are mended (G40-PUR-02)."""
        if not capital_lost(run.world, run.state, run.power):
            facilities.build_on(run)
            facilities.mend_ships(run)


def price_of(run: Run, unit: UnitId) -> int | None:
    """What the unit costs the power now; None if it cannot be had."""
    cost = unit_type(run.world, run.state, run.power, unit).cost
    if cost is None or offer.unavailable(run.world, run.state, run.power, unit) is not None:
        return None
    return cards.price(run.world, run.state, unit, cost)


def buy(run: Run, order: orders.Buy) -> None:
    world, power = run.world, run.power
    prices: dict[UnitId, int] = {}
    units: dict[UnitId, int] = {}
    _check_capital(run, "buy anything")
    for spec in order.units:
        if spec.power not in (None, power):
            raise Refusal(
                "buying-for-another-power",
                f"{world.powers[power].name} buys for itself only.",
            )
        price = price_of(run, spec.type)
        if price is None:
            raise offer.unavailable(world, run.state, power, spec.type) or Refusal(
                "not-for-sale", f"{all_such(world.units[spec.type])} are not for sale."
            )
        if spec.count < 1:
            raise Refusal("buying-nothing", "Buy at least one of a kind.")
        prices[spec.type] = price
        units[spec.type] = units.get(spec.type, 0) + spec.count
    cost = sum(prices[unit] * n for unit, n in units.items())
    costs = "costs" if sum(units.values()) == 1 else "cost"
    _check_money(run, cost, f"{amounts(world, list(units.items()))} {costs}")
    for unit, n in units.items():
        too_many = offer.unavailable(world, run.state, power, unit, n) if n > 1 else None
        if too_many is not None:
            raise too_many
    offer.use_budget(run, {unit: prices[unit] * n for unit, n in units.items()})
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
    money = free_money(run.world, run.state, run.power)
    if cost > money:
        raise Refusal(
            "not-enough-money",
            f"{what} {cost}, and {run.world.powers[run.power].name} has {money}.",
        )


def _check_capacity(run: Run, units: Mapping[UnitId, int]) -> None:
    """What is bought has to find room at complexes where the edition wants it so (AN-BUY-05, AN-BUY-06)."""
    world, state, power = run.world, run.state, run.power
    wanted = sum(n for unit, n in units.items() if not unit_type(world, state, power, unit).complex)
    room = complexes.room(world, state, power)
    if room is not None and wanted > room:
        capacity = complexes.capacity(world, state, power)
        waiting = sum(
            n for unit, n in state.pool_of(world, power).items() if not unit_type(world, state, power, unit).complex
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
    """The power's land with damaged facilities, and their markers."""
    if not run.world.powers[run.power].builds:
        return {}
    return {
        space: sum(damage.values())
        for space, damage in run.state.damage.items()
        if run.state.owners.get(space) == run.power and any(damage.values())
    }


def repair(run: Run, order: orders.Repair) -> None:
    """Take markers off a complex; it can receive that many units more at once (AN-BUY-02, AN-BUY-03)."""
    world, state, power = run.world, run.state, run.power
    where = name(world, order.space)
    _check_capital(run, "repair anything")
    unit = order.facility or _facility_meant(world, state, order.space)
    there = unit is not None and any(piece.type == unit for piece in state.at(order.space))
    if not world.powers[power].builds:
        raise Refusal("power-repairs-nothing", f"{world.powers[power].name} repairs no facilities.", (order.space,))
    if unit is None or not there or state.owners.get(order.space) != power:
        what = world.units[unit].name if unit is not None else "complex"
        text = f"{world.powers[power].name} has no such {what} in {where} to repair."
        raise Refusal("no-such-complex-to-repair", text, (order.space,))
    damage = state.damage.get(order.space, {}).get(unit, 0)
    if not 1 <= order.points <= damage:
        have = f"{damage} damage" if damage else "no damage"
        raise Refusal(
            "more-than-the-damage",
            f"The {_short(world, unit)} in {where} has {have}: {order.points} cannot be repaired.",
            (order.space,),
        )
    cost = complexes.repair_cost(world, state, power, order.space, order.points, unit)
    _check_money(run, cost, "Such repairs cost")
    run.pay(power, -cost, "repair", order.space)
    run.emit(Repaired(power, order.space, unit, order.points, cost))


def _facility_meant(world: World, state: State, space: SpaceId) -> UnitId | None:
    """The complex, or the only damaged facility there, where an order names none."""
    found = complex_in(world, state, space)
    damaged = [unit for unit, n in state.damage.get(space, {}).items() if n]
    return damaged[0] if found is None and len(damaged) == 1 else found


def _short(world: World, unit: UnitId) -> str:
    return "complex" if world.units[unit].complex else world.units[unit].name
