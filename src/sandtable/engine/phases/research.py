"""Weapons development: dice are bought or researchers hired, and sixes are breakthroughs.

Dice are bought for one throw (CL-TEC-01 to 12), or are researchers who stay and all roll every turn until one shows a
six, then all go (`Rules.researchers`, AN-RES-01 to 15). Each six is a development, or all of a turn together are one
(`Rules.breakthroughs`). Where developments stand on charts, the power picks the one on which a die finds it.
"""

from __future__ import annotations

from sandtable.engine import aid, drops
from sandtable.engine.events import BreakthroughMade, Focused, Researched, ResearchersChanged, Rolled, TechGained
from sandtable.engine.facts import NOTHING, capital_lost, free_money, listed
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.engine.sabotage import standing
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import PowerId, TechId, Technology, World

MOST_REROLLS = 100  # fair dice come to so many once in a hundred million times


class Research(Phase):
    name = "research"
    title = "Weapons development"

    def enter(self, run: Run) -> None:
        drops.settle(run)

    def is_open(self, run: Run) -> bool:
        if run.state.researched or run.state.focused:
            return True  # the dice are rolled; the power looks at them and goes on
        if run.world.rules.aid is not None and aid.can_send(run.world, run.state, run.power):
            return True
        if drops.can_pay(run.world, run.state, run.power):
            return True
        if not _takes_part(run):
            return False
        if free_money(run.world, run.state, run.power) >= run.world.rules.research_cost:
            return True
        if affordable(run.world, run.state, run.power):
            return True
        return not self.finish(run)  # nobody can be hired, but those who are there roll

    def decision(self, run: Run) -> str:
        return "chart" if run.state.breakthrough else self.name

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Chart(chart=chart) if run.state.breakthrough:
                _check_chart(run, chart)
                _develop(run, chart)
            case orders.Chart(chart=chart) if run.state.researched and _was_settled(run, chart):
                pass  # there was no other choice, so the die was rolled at once
            case orders.Research(technology=str(technology)) if _by_name(run):
                _focus(run, technology)
            case orders.Research() if not run.state.breakthrough:
                _check_dice(run, order)
                _hire(run, order.dice)
                _roll(run, order.dice)
            case orders.Airborne() if not run.state.breakthrough:
                drops.pay(run, order)
            case orders.LendLease() if not run.state.breakthrough:
                aid.send(run)
            case _:
                _refuse_while_choosing(run)
                raise misplaced(run, order, self)

    def finish(self, run: Run) -> bool:
        """Researchers roll even if none is hired (AN-RES-03, AN-RES-04); their breakthrough has to be settled first."""
        _refuse_while_choosing(run)
        if run.state.tokens.get(run.power) and not run.state.researched and _takes_part(run):
            _roll(run, 0)
        return not run.state.breakthrough

    def leave(self, run: Run) -> None:
        _refuse_while_choosing(run)
        aid.check_paid(run.world, run.state, run.power)
        if run.state.tokens.get(run.power) and not run.state.researched and _takes_part(run):
            raise Refusal(
                "researchers-roll-first", "Your researchers roll before anything is bought: end the research first."
            )


def missing(world: World, state: State, power: PowerId) -> list[Technology]:
    """Developments that the power does not have yet."""
    known = state.techs.get(power, NOTHING)
    return [t for t in world.technologies.values() if t.id not in known]


def affordable(world: World, state: State, power: PowerId) -> list[Technology]:
    """Developments that the power could throw a die for by name now (MX16-01, MX16-03, MX16-04)."""
    if not world.rules.focused_research or state.focused:
        return []
    money = free_money(world, state, power) - aid.owed(world, state, power)
    return [t for t in missing(world, state, power) if t.price is not None and t.price <= money]


def charts(world: World, state: State, power: PowerId) -> tuple[int, ...]:
    """Charts that still hold something new for the power (AN-RES-08)."""
    return tuple(sorted({t.chart for t in missing(world, state, power) if t.chart is not None}))


def _takes_part(run: Run) -> bool:
    if not run.world.powers[run.power].researches:
        return False
    return not capital_lost(run.world, run.state, run.power) and bool(missing(run.world, run.state, run.power))


def _check_dice(run: Run, order: orders.Research) -> None:
    world, state, power = run.world, run.state, run.power
    what = "researchers" if world.rules.researchers else "dice"
    if order.technology is not None or (order.dice < 1 and not state.tokens.get(power)):
        raise Refusal(
            "number-of-dice-not-said",
            f"Say how many {what} to buy: `research 2`. The dice choose the weapon.",
        )
    if state.researched:
        raise Refusal("research-was-rolled", "The research dice of this turn have been rolled already.")
    if not missing(world, state, power):
        raise Refusal("nothing-left-to-develop", f"{world.powers[power].name} has every development there is.")
    cost = order.dice * world.rules.research_cost
    money = free_money(world, state, power)
    if cost > money:
        raise Refusal(
            "research-too-dear",
            f"{order.dice} {what} cost {cost}, and {world.powers[power].name} has {money}.",
        )
    aid.check_spending(world, state, power, cost)


def _by_name(run: Run) -> bool:
    return run.world.rules.focused_research and not run.state.breakthrough


def _focus(run: Run, technology: TechId) -> None:
    """One die for this development: a success wins it, unless an enemy annuls that (MX16-02, MX15-07)."""
    world, state, power = run.world, run.state, run.power
    wanted, who = world.technologies[technology], world.powers[power].name
    if state.focused:
        raise Refusal("one-focused-die-a-turn", "Only one die a turn can be thrown for a development by name.")
    if technology in state.techs.get(power, NOTHING):
        raise Refusal("developed-already", f"{who} has {wanted.name} already.")
    if wanted.price is None:
        raise Refusal("number-of-dice-not-said", f"{wanted.name} has no price: say how many dice, `research 2`.")
    money = free_money(world, state, power)
    if wanted.price > money:
        text = f"A die for {wanted.name} costs {wanted.price}, and {who} has {money}."
        raise Refusal("focused-die-too-dear", text)
    aid.check_spending(world, state, power, wanted.price)
    success = world.rules.research_success
    run.pay(power, -wanted.price, "research")
    (face,) = run.roll(1, lambda faces: Rolled("research", power, faces, hits=int(faces[0] >= success)))
    run.emit(Focused(power, technology, wanted.price, face >= success))
    if face >= success and standing(run, 1):
        run.emit(TechGained(power, technology))


def _hire(run: Run, number: int) -> None:
    """Pay for the dice; researchers stay, dice are gone after the throw."""
    run.pay(run.power, -number * run.world.rules.research_cost, "research")
    if run.world.rules.researchers and number:
        run.emit(ResearchersChanged(run.power, number, run.state.tokens.get(run.power, 0) + number))


def _roll(run: Run, bought: int) -> None:
    rules, power = run.world.rules, run.power

    def count(faces: tuple[int, ...]) -> int:
        return sum(face >= rules.research_success for face in faces)

    dice = run.state.tokens.get(power, 0) if rules.researchers else bought
    faces = run.roll(dice, lambda faces: Rolled("research", power, faces, hits=count(faces)))
    successes = count(faces)
    run.emit(Researched(power, len(faces), bought * rules.research_cost, successes))
    if successes and rules.researchers:
        run.emit(ResearchersChanged(power, -len(faces), 0))
    successes = standing(run, successes)
    for _ in range(successes if rules.breakthroughs == "each" else min(1, successes)):
        open_charts = charts(run.world, run.state, power)
        if open_charts:
            run.emit(BreakthroughMade(power))
        if len(open_charts) < 2:
            _develop(run, *(open_charts or (None,)))


def _develop(run: Run, chart: int | None) -> None:
    """One die, or the sum of several, names the development, again until it is a new one (CL-TEC-06, CL-TEC-08,
    AN-RES-06, AN-RES-07, MX15-01 to MX15-03).

    A face that no development has counts as one that is owned. Dice that never show a new one do not hold up the game:
    their last face counts through what is left, which is also how a die with too few faces finds the rest.
    """
    wanted = [t for t in missing(run.world, run.state, run.power) if t.chart == chart]
    if not wanted:
        return
    dice = run.world.rules.breakthrough_dice
    totals = range(dice, dice * run.world.rules.dice_sides + 1)
    rolls = MOST_REROLLS if any(t.roll in totals for t in wanted) else 1
    for _ in range(rolls):
        face = sum(run.roll(dice, lambda faces: Rolled("breakthrough", run.power, faces)))
        found = [t for t in wanted if t.roll == face]
        if found:
            break
    else:
        found = [wanted[(face - 1) % len(wanted)]]
    run.emit(TechGained(run.power, found[0].id))


def _check_chart(run: Run, chart: int) -> None:
    possible = charts(run.world, run.state, run.power)
    if chart not in possible:
        printed = {t.chart for t in run.world.technologies.values()}
        why = "You have everything on that chart already" if chart in printed else "There is no such chart"
        raise Refusal("no-such-chart", f"{why}: choose chart {listed([str(c) for c in possible], 'or')}.")


def _was_settled(run: Run, chart: int) -> bool:
    """The breakthrough of this turn could be looked for on that chart only."""
    others = [t for t in missing(run.world, run.state, run.power) if t.chart != chart]
    printed = any(t.chart == chart for t in run.world.technologies.values())
    return printed and not others and not run.state.tokens.get(run.power)


def _refuse_while_choosing(run: Run) -> None:
    if run.state.breakthrough:
        possible = listed([f"`chart {c}`" for c in charts(run.world, run.state, run.power)], "or")
        raise Refusal(
            "choose-chart-first", f"A breakthrough: first choose the chart on which the die is rolled, {possible}."
        )
