"""What a power may buy at all: units that need a development, belong to one power, or are limited in number; and what
a power at peace may spend (G40-RES-16, G40-RES-25, G40-RES-40, G40-SPC-21, G40-SPC-24, G40-SPC-25)."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.events import BudgetSet
from sandtable.engine.facts import NOTHING, all_such, amount, listed, unit_type
from sandtable.engine.relations import is_neutral_power
from sandtable.engine.run import Run
from sandtable.engine.special import building, industry
from sandtable.engine.state import State, with_cargo
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, UnitId, World

LIMIT_REASONS = {"in a turn": "most-a-turn", "in a whole game": "most-a-game"}


def unavailable(
    world: World, state: State, power: PowerId, unit: UnitId, n: int = 1, *, raised: bool = False
) -> Refusal | None:
    """Why the power cannot buy so many of them now, whatever money it has; None if it can.

    Units that are `raised` somewhere come from no complex.
    """
    kind = unit_type(world, state, power, unit)
    who = world.powers[power]
    if who.buys and unit not in who.buys:
        refusal = _not_supplied(world, state, power, unit)
        if refusal is not None:
            return refusal
    if who.special.never_builds and (never := building.never(world, power, unit)) is not None:
        return never
    if kind.built_at is not None and not raised and not _has_complex_for(world, state, power, unit):
        better = world.units[kind.built_at].name
        return Refusal("needs-a-better-complex", f"{all_such(kind)} are built at a {better}, and {who.name} has none.")
    if kind.only_for and power not in kind.only_for:
        owners = listed([world.powers[p].name for p in kind.only_for], "or")
        return Refusal("bought-by-others-only", f"{all_such(kind)} are bought by {owners} only.")
    if kind.needs is not None and kind.needs not in state.techs.get(power, NOTHING):
        technology = world.technologies[kind.needs]
        text = f"{all_such(kind)} are for sale once {technology.name} is developed."
        return Refusal("needs-a-development", text, rules=technology.rules)
    if kind.most_a_turn is not None and state.bought.get(unit, 0) + n > kind.most_a_turn:
        return _too_many(world, unit, "in a turn", kind.most_a_turn, state.bought.get(unit, 0))
    if kind.most_a_game is not None and (had := state.spent.get(f"{unit} {power}", 0)) + n > kind.most_a_game:
        return _too_many(world, unit, "in a whole game", kind.most_a_game, had)
    if kind.most_on_board is not None and on_board(world, state, power, unit) + n > kind.most_on_board:
        text = f"There are never more than {amount(world, unit, kind.most_on_board)} at a time, those ordered included."
        return Refusal("most-on-the-board", text, (unit,))
    return None


def _too_many(world: World, unit: UnitId, when: str, most: int, have: int) -> Refusal:
    had = f", and {amount(world, unit, have)} {'is' if have == 1 else 'are'} bought" if have else ""
    return Refusal(LIMIT_REASONS[when], f"A power buys at most {amount(world, unit, most)} {when}{had}.", (unit,))


def _not_supplied(world: World, state: State, power: PowerId, unit: UnitId) -> Refusal | None:
    """Why a power that buys little does not buy this; what comes over a road needs the road (G40-CHN-03, CHN-04)."""
    who = world.powers[power]
    if who.supplies is None or unit not in who.supplies.units:
        kinds = listed([world.units[u].plural for u in who.buys])
        return Refusal("power-buys-little", f"{who.name} buys {kinds} only.")
    ours = world.comrades[power]
    lost = [s for s in who.supplies.land if state.owners.get(s) not in ours]
    if lost:
        names = listed([world.spaces[s].name for s in lost])
        text = f"{all_such(world.units[unit])} do not reach {who.name} without {names}."
        return Refusal("supply-road-is-closed", text, tuple(lost), rules=who.supplies.rules)
    return None


def _has_complex_for(world: World, state: State, power: PowerId, unit: UnitId) -> bool:
    if industry.expects(world, state, power):
        return True
    wanted, special = unit_type(world, state, power, unit).built_at, world.powers[power].special.builds_all
    return any(
        state.owners.get(space) == power
        and any(p.type == wanted or (p.power == power and space in special) for p in stack)
        for space, stack in state.units.items()
    )


def on_board(world: World, state: State, power: PowerId, unit: UnitId) -> int:
    """Units of a kind that the power has, at sea and on order too."""
    standing = sum(
        n for stack in state.units.values() for p, n in with_cargo(stack) if p.power == power and p.type == unit
    )
    return standing + state.pool_of(world, power).get(unit, 0)


# ---------------------------------------------------------------- powers at peace


def set_budget(run: Run) -> None:
    """A power at peace spends a part of what it has at the beginning of the phase on combat units, and no more."""
    share, power = run.world.rules.peace_budget, run.power
    if share is not None and is_neutral_power(run.world, run.state, power):
        run.emit(BudgetSet(power, run.state.treasury[power] // share))


def use_budget(run: Run, costs: Mapping[UnitId, int]) -> None:
    """Take what combat units cost from what a power at peace may spend; facilities do not count (G40-SPC-25)."""
    left = run.state.budget
    if left is None:
        return
    cost = sum(price for unit, price in costs.items() if run.world.units[unit].domain != "facility")
    if cost > left:
        name = run.world.powers[run.power].name
        raise Refusal(
            "peace-budget", f"{name} is at peace and may spend {left} more on combat units this turn, not {cost}."
        )
    run.emit(BudgetSet(run.power, left - cost))
