"""What every phase can do. A phase has no state of its own: everything is in the run's State."""

from __future__ import annotations

from sandtable.engine import aid
from sandtable.engine.facts import NOTHING, capital_lost, free_money, phase_name, unit_type
from sandtable.engine.run import Run
from sandtable.errors import Refusal
from sandtable.notation.orders import (
    Abort,
    Airborne,
    Ally,
    Ambush,
    Antitank,
    AnyOrder,
    Assign,
    Bombard,
    Break,
    Buy,
    Capital,
    Casualties,
    Chart,
    Commando,
    Contest,
    Declare,
    Fight,
    Intercept,
    Interdict,
    Land,
    Leader,
    LendLease,
    Move,
    Permit,
    Place,
    Press,
    Relocate,
    Repair,
    Research,
    Retreat,
    Reveal,
    Rocket,
    Sabotage,
    Scramble,
    Stay,
    Submerge,
    Target,
    Train,
    Upgrade,
    Withdraw,
)


class Phase:
    """Base of all phases: asks nothing, so that it passes by itself."""

    name = ""
    title = ""

    def enter(self, run: Run) -> None:
        """Called once when the phase begins."""

    def is_open(self, run: Run) -> bool:
        """Do what needs no decision, then tell whether the power has something to decide."""
        return False

    def decision(self, run: Run) -> str:
        """The kind of question that is open."""
        return self.name

    def answer(self, run: Run, order: AnyOrder) -> None:
        """Carry out an order other than `end`."""
        raise misplaced(run, order, self)

    def finish(self, run: Run) -> bool:
        """Called when the power says that it is done, before `leave`. False: this brought up another question."""
        return True

    def leave(self, run: Run) -> None:
        """Called when the power ends the phase, or it passes; may refuse to be left."""


REASONS_OUT_OF_PLACE: dict[type, str] = {
    Research: "research-out-of-place",
    Chart: "chart-out-of-place",
    Train: "training-out-of-place",
    LendLease: "lend-lease-out-of-place",
    Buy: "purchase-out-of-place",
    Declare: "declaration-out-of-place",
    Repair: "repair-out-of-place",
    Move: "move-out-of-place",
    Permit: "permission-out-of-place",
    Assign: "assignment-out-of-place",
    Place: "placement-out-of-place",
    Rocket: "rocket-out-of-place",
    Fight: "battle-out-of-place",
    Bombard: "bombardment-out-of-place",
    Airborne: "airborne-out-of-place",
    Land: "landing-planes-out-of-place",
    Intercept: "intercepting-out-of-place",
    Casualties: "casualties-out-of-place",
    Target: "casualties-out-of-place",
    Press: "pressing-on-out-of-place",
    Retreat: "retreat-out-of-place",
    Submerge: "submerging-out-of-place",
    Withdraw: "withdrawal-out-of-place",
    Stay: "staying-out-of-place",
}

PASSED_WITHOUT_CAPITAL_REASONS: dict[type, str] = {
    Research: "research-passed-without-capital",
    Buy: "purchase-passed-without-capital",
    Repair: "repair-passed-without-capital",
}

WITHOUT_INCOME_REASONS: dict[type, str] = {
    Research: "research-without-income",
    Buy: "purchase-without-income",
    Repair: "repair-without-income",
}

WORDS: dict[type, str] = {
    Research: "Research",
    Chart: "Choosing a chart",
    Reveal: "Uncovering a project",
    Sabotage: "Sabotage",
    Contest: "Counter-intelligence",
    Train: "The training of pilots",
    LendLease: "Lend lease",
    Repair: "Repairing",
    Upgrade: "A better complex",
    Relocate: "Moving a complex",
    Buy: "Buying units",
    Declare: "A declaration of war",
    Ally: "An alliance",
    Break: "Breaking an alliance",
    Capital: "Naming a capital",
    Leader: "Naming a leader's unit",
    Move: "Moving",
    Permit: "Agreeing",
    Assign: "Dividing ships",
    Place: "Placing units",
    Rocket: "Firing a rocket",
    Commando: "Sending commandos",
    Fight: "A battle",
    Bombard: "A bombardment",
    Airborne: "Paying for drops",
    Land: "Landing planes",
    Intercept: "Intercepting",
    Scramble: "Scrambling",
    Interdict: "Interdiction",
    Ambush: "An ambush",
    Abort: "Turning back",
    Antitank: "Using guns against tanks",
    Casualties: "Choosing casualties",
    Target: "Choosing the enemy's casualties",
    Press: "Pressing on",
    Retreat: "A retreat",
    Submerge: "Submerging",
    Withdraw: "Withdrawing",
    Stay: "Staying",
}


def misplaced(run: Run, order: AnyOrder, phase: Phase) -> Refusal:
    """The refusal of an order that belongs to another phase or moment."""
    if isinstance(order, LendLease):
        never = aid.why_not(run.world, run.state, run.power)
        if never is not None:
            return never
    what = WORDS.get(type(order), "That order")
    power = run.world.powers[run.power].name
    reason, why = _passed_by(run, order)
    title = run.world.titles.get(phase.name, phase.title)
    return Refusal(
        reason or REASONS_OUT_OF_PLACE.get(type(order), "order-out-of-place"),
        f"{what} is not possible now: {why or f'{power} is in the phase “{title}”'}.",
    )


def _passed_by(run: Run, order: AnyOrder) -> tuple[str, str]:
    """Why the phase that the order belongs to passed by itself, if it did."""
    world, state, power = run.world, run.state, run.power
    if isinstance(order, Place) and world.rules.mobilize_needs_capital and capital_lost(world, state, power):
        return "placing-passed-without-capital", f"{world.powers[power].name} has lost its capital"
    name = world.powers[power].name
    if isinstance(order, Train) and world.rules.training and phase_name(world, state) == "purchase":
        if not world.powers[power].trains:
            return "power-trains-no-pilots", f"{name} has no pilots to train"
        return "pilots-trained-already", "the pilots' training of this turn is settled"
    if not isinstance(order, Research | Buy | Repair):
        return "", ""
    if not world.powers[power].collects_income:
        return WITHOUT_INCOME_REASONS[type(order)], f"{name} never has any money"
    if isinstance(order, Research) and not world.powers[power].researches:
        return "power-never-researches", f"{name} has no weapons development"
    if capital_lost(world, state, power):
        return PASSED_WITHOUT_CAPITAL_REASONS[type(order)], f"{name} has lost its capital"
    tracked = world.rules.developments == "tracked"
    if isinstance(order, Research) and "research" not in world.phases and not tracked:
        return "no-research-in-this-game", "this game is played without research"
    money = free_money(world, state, power)
    if isinstance(order, Repair):
        if not money:
            return "repair-passed-without-money", f"{name} has no money"
    elif isinstance(order, Buy):
        prices = [unit_type(world, state, power, u).cost for u in world.units]
        if not state.pool and all(cost is None or cost > money for cost in prices):
            return "purchase-passed-without-money", f"{name} has {money} and cannot pay for anything"
    elif order.technology is not None and world.rules.focused_research:
        if not any(t.price is not None and t.price <= money for t in world.technologies.values()):
            return "research-passed-without-money", f"{name} has {money}, which pays for no development"
    elif state.researched:
        return "research-passed-when-rolled", "the research dice of this turn have been rolled"
    elif len(state.techs.get(power, NOTHING)) == len(world.technologies):
        return "research-passed-with-everything", f"{name} has every development there is"
    elif money < world.rules.research_cost and not state.pool:
        what = "researcher" if world.rules.researchers else "research die"
        return "research-passed-without-money", f"{name} has {money}, and a {what} costs {world.rules.research_cost}"
    return "", ""
