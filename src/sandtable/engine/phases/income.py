"""Collecting income: production, national objectives, war bonds (CL-INC-01 to CL-INC-04, AN-INC-01 to AN-INC-08)."""

from __future__ import annotations

from sandtable.engine import cards, convoys, support
from sandtable.engine.conditions.history import paid
from sandtable.engine.events import Noted, ObjectiveMet, Rolled
from sandtable.engine.facts import capital_lost, production, technologies
from sandtable.engine.objectives import objectives_of, worth
from sandtable.engine.phases.base import Phase
from sandtable.engine.politics import open_targets
from sandtable.engine.relations import is_neutral_power
from sandtable.engine.run import Run
from sandtable.engine.state import Question


class Income(Phase):
    name = "income"
    title = "Income"

    def enter(self, run: Run) -> None:
        """A power at peace may have to say whether it goes to war first (G40-POL-25)."""
        if is_neutral_power(run.world, run.state, run.power) and open_targets(run.world, run.state, run.power):
            run.ask(Question("declare", run.power))

    def leave(self, run: Run) -> None:
        """Nothing is left to decide: the money is paid out."""
        world, power = run.world, run.power
        if not world.powers[power].collects_income or capital_lost(world, run.state, power):
            return  # CL-CAP-15, AN-INC-02: neither income nor bonuses
        if world.powers[power].support is not None:
            support.collect(run, power)
            return
        run.pay(power, production(world, run.state, power), "income")
        for objective in objectives_of(world, power):
            bonus = worth(world, run.state, objective, power)
            if bonus:
                run.emit(ObjectiveMet(power, objective.id, bonus))
                run.pay(power, bonus, "objective")
                if objective.once:
                    run.emit(Noted(paid(objective.id)))
        run.pay(power, sum(t.income for t in technologies(world, run.state, power)), "economy")  # MX15-05
        run.pay(power, world.powers[power].allowance, "allowance")
        run.pay(power, cards.income(world, run.state), "event")  # G40-EVT-02
        dice = sum(t.income_dice for t in technologies(world, run.state, power))
        if dice:  # AN-TEC-14
            faces = run.roll(dice, lambda faces: Rolled("bonds", power, faces, hits=sum(faces)))
            run.pay(power, sum(faces), "bonds")
        convoys.disrupt(run)
