"""Collecting income: production, national objectives, war bonds (CL-INC-01 to CL-INC-04, AN-INC-01 to AN-INC-08)."""

from __future__ import annotations

from sandtable.engine.conditions.history import paid
from sandtable.engine.events import Noted, ObjectiveMet, Rolled
from sandtable.engine.facts import capital_lost, production, technologies
from sandtable.engine.objectives import objectives_of, worth
from sandtable.engine.phases.base import Phase
from sandtable.engine.run import Run


class Income(Phase):
    name = "income"
    title = "Income"

    def enter(self, run: Run) -> None:
        world, power = run.world, run.power
        if not world.powers[power].collects_income or capital_lost(world, run.state, power):
            return  # CL-CAP-15, AN-INC-02: neither income nor bonuses
        run.pay(power, production(world, run.state, power), "income")
        for objective in objectives_of(world, power):
            bonus = worth(world, run.state, objective, power)
            if bonus:
                run.emit(ObjectiveMet(power, objective.id, bonus))
                run.pay(power, bonus, "objective")
                if objective.once:
                    run.emit(Noted(paid(objective.id)))
        dice = sum(t.income_dice for t in technologies(world, run.state, power))
        if dice:  # AN-TEC-14
            faces = run.roll(dice, lambda faces: Rolled("bonds", power, faces, hits=sum(faces)))
            run.pay(power, sum(faces), "bonds")
