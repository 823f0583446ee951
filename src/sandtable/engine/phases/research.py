"""Weapons development: dice are bought, sixes are breakthroughs (CL-TEC-01 to CL-TEC-12)."""

from __future__ import annotations

from sandtable.engine.events import Researched, Rolled, TechGained
from sandtable.engine.facts import NOTHING, capital_lost
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.world.model import Technology


class Research(Phase):
    name = "research"
    title = "Weapons development"

    def is_open(self, run: Run) -> bool:
        if run.state.researched:
            return True  # the dice are rolled; the power looks at them and goes on
        return (
            run.state.treasury[run.power] >= run.world.rules.research_cost
            and not capital_lost(run.world, run.state, run.power)
            and bool(self._missing(run))
        )

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        if not isinstance(order, orders.Research):
            raise misplaced(run, order, self)
        check_dice(run, order)
        world, power = run.world, run.power
        cost = order.dice * world.rules.research_cost
        run.pay(power, -cost, "research")
        faces = run.roll(order.dice)
        successes = sum(face >= world.rules.research_success for face in faces)
        run.emit(Rolled("research", power, faces, hits=successes))
        run.emit(Researched(power, order.dice, cost, successes))
        for _ in range(successes):
            self._breakthrough(run)

    def _breakthrough(self, run: Run) -> None:
        """One die names the development, again until it is a new one (CL-TEC-06, CL-TEC-08)."""
        missing = self._missing(run)
        while missing:
            (face,) = run.roll(1)
            run.emit(Rolled("breakthrough", run.power, (face,)))
            found = [t for t in missing if t.roll == face]
            if found:
                run.emit(TechGained(run.power, found[0].id))
                return

    @staticmethod
    def _missing(run: Run) -> list[Technology]:
        known = run.state.techs.get(run.power, NOTHING)
        return [t for t in run.world.technologies.values() if t.id not in known]


def check_dice(run: Run, order: orders.Research) -> None:
    world, state, power = run.world, run.state, run.power
    if order.technology is not None or order.dice < 1:
        raise Refusal(("CL-TEC-02", "CL-TEC-06"), "Say how many dice to buy: `research 2`. The dice choose the weapon.")
    if state.researched:
        raise Refusal("CL-TEC-05", "The research dice of this turn have been rolled already.")
    if not Research._missing(run):
        raise Refusal("CL-TEC-08", f"{world.powers[power].name} has every development there is.")
    cost = order.dice * world.rules.research_cost
    if cost > state.treasury[power]:
        raise Refusal(
            ("CL-TEC-02", "CL-SET-07"),
            f"{order.dice} dice cost {cost}, and {world.powers[power].name} has {state.treasury[power]}.",
        )
