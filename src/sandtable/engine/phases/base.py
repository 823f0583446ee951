"""What every phase can do. A phase has no state of its own: everything is in the run's State."""

from __future__ import annotations

from sandtable.engine.facts import NOTHING, capital_lost, unit_type
from sandtable.engine.run import Run
from sandtable.errors import Refusal
from sandtable.notation.orders import (
    AnyOrder,
    Buy,
    Casualties,
    Chart,
    Fight,
    Move,
    Place,
    Press,
    Repair,
    Research,
    Retreat,
    Rocket,
    Stay,
    Submerge,
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


RULES_OUT_OF_PLACE: dict[type, tuple[str, ...]] = {
    Research: ("CL-TEC-01", "CL-TRN-02", "AN-TRN-01", "AN-RES-01"),
    Chart: ("CL-TRN-02", "AN-RES-06", "AN-RES-08", "AN-TRN-01"),
    Buy: ("CL-TRN-02", "CL-PUR-04", "AN-TRN-01"),
    Repair: ("CL-TRN-02", "AN-TRN-01", "AN-BUY-02"),
    Move: ("CL-TRN-02", "CL-MOV-10", "CL-MOV-11", "AN-TRN-01", "AN-CMV-01"),
    Place: ("CL-TRN-02", "CL-PUR-04", "AN-TRN-01", "AN-BUY-04"),
    Rocket: ("CL-TEC-15", "CL-TRN-02", "AN-TRN-01", "AN-TEC-02"),
    Fight: ("CL-MOV-10", "CL-TRN-02", "CL-CMB-04", "AN-TRN-01", "AN-CBT-02"),
    Casualties: ("CL-CMB-03", "AN-CBT-05"),
    Press: ("CL-RET-03", "AN-CBT-09"),
    Retreat: ("CL-RET-03", "CL-RET-04", "CL-AMP-14", "CL3-AMP-02", "AN-CBT-09", "AN-AMP-12", "AN-CBT-14", "AN-FAQ-05"),
    Submerge: ("CL-SUB-08", "CL3-SUB-01", "AN-SEA-01", "AN-SEA-05"),
    Withdraw: ("CL-SUB-08", "CL-SUB-13", "AN-SEA-08", "AN-CBT-14"),
    Stay: ("CL-TRN-04", "AN-TRN-02"),
}

WORDS: dict[type, str] = {
    Research: "Research",
    Chart: "Choosing a chart",
    Repair: "Repairing",
    Buy: "Buying units",
    Move: "Moving",
    Place: "Placing units",
    Rocket: "Firing a rocket",
    Fight: "A battle",
    Casualties: "Choosing casualties",
    Press: "Pressing on",
    Retreat: "A retreat",
    Submerge: "Submerging",
    Withdraw: "Withdrawing",
    Stay: "Staying",
}


def misplaced(run: Run, order: AnyOrder, phase: Phase) -> Refusal:
    """The refusal of an order that belongs to another phase or moment."""
    what = WORDS.get(type(order), "That order")
    power = run.world.powers[run.power].name
    rules, why = _passed_by(run, order)
    title = run.world.titles.get(phase.name, phase.title)
    return Refusal(
        (*rules, *RULES_OUT_OF_PLACE.get(type(order), ("CL-TRN-02", "AN-TRN-01"))),
        f"{what} is not possible now: {why or f'{power} is in the phase “{title}”'}.",
    )


def _passed_by(run: Run, order: AnyOrder) -> tuple[tuple[str, ...], str]:
    """Why the phase that the order belongs to passed by itself, if it did."""
    world, state, power = run.world, run.state, run.power
    if isinstance(order, Place) and world.rules.mobilize_needs_capital and capital_lost(world, state, power):
        return ("AN-TRN-04", "AN-CAP-03"), f"{world.powers[power].name} has lost its capital"
    if not isinstance(order, Research | Buy | Repair):
        return (), ""
    name = world.powers[power].name
    if capital_lost(world, state, power):
        rules = ("AN-RES-12",) if isinstance(order, Research) else ("AN-BUY-09", "AN-CAP-03")
        return ("CL-CAP-15", *rules, "AN-TRN-04"), f"{name} has lost its capital"
    if isinstance(order, Research) and "research" not in world.phases:
        return ("AN-RES-01",), "this game is played without research"
    money = state.treasury[power]
    if isinstance(order, Repair):
        if not money:
            return ("AN-BUY-01",), f"{name} has no money"
    elif isinstance(order, Buy):
        prices = [unit_type(world, state, power, u).cost for u in world.units]
        if not state.pool and all(cost is None or cost > money for cost in prices):
            return ("CL-PUR-02", "CL-SET-07", "AN-BUY-01"), f"{name} has {money} and cannot pay for anything"
    elif state.researched:
        return ("CL-TEC-05", "AN-RES-03", "AN-TRN-01"), "the research dice of this turn have been rolled"
    elif len(state.techs.get(power, NOTHING)) == len(world.technologies):
        return ("CL-TEC-08", "AN-RES-08"), f"{name} has every development there is"
    elif money < world.rules.research_cost and not state.pool:
        what = "researcher" if world.rules.research == "tokens" else "research die"
        return ("CL-TEC-02", "AN-RES-02"), f"{name} has {money}, and a {what} costs {world.rules.research_cost}"
    return (), ""
