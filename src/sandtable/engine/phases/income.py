"""Collecting income (CL-INC-01 to CL-INC-04)."""

from __future__ import annotations

from sandtable.engine.facts import capital_lost, production
from sandtable.engine.phases.base import Phase
from sandtable.engine.run import Run


class Income(Phase):
    name = "income"
    title = "Income"

    def enter(self, run: Run) -> None:
        power = run.world.powers[run.power]
        if power.collects_income and not capital_lost(run.world, run.state, run.power):
            run.pay(run.power, production(run.world, run.state, run.power), "income")
