"""The battles of the turn: rockets, raids, then whatever the attacker chooses first (CL-CMB-04)."""

from __future__ import annotations

from sandtable.engine import rockets
from sandtable.engine.battle.conduct import conduct
from sandtable.engine.battle.opening import Pending, declared, open_battle, pending
from sandtable.engine.events import Change, RocketDeclined, Surfaced
from sandtable.engine.facts import is_hostile_sea, name
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.engine.state import units_of
from sandtable.errors import Refusal
from sandtable.notation import orders


class Combat(Phase):
    name = "combat"
    title = "Combat"

    def is_open(self, run: Run) -> bool:
        while True:
            waiting = pending(run.world, run.state, run.power)
            if not waiting and self._only_a_rocket(run):
                return True
            raids = [p for p in waiting if p.kind == "raid"]
            possible = raids[:1] or [p for p in waiting if not self._must_wait(run, p)]
            if len(possible) != 1:
                return bool(possible)
            open_battle(run, possible[0])
            conduct(run)
            if run.state.battle is not None:
                return True

    @staticmethod
    def _only_a_rocket(run: Run) -> bool:
        """Nothing was fought: then a rocket is a question of its own. Otherwise it is offered beside others."""
        return not run.state.fought and rockets.available(run.world, run.state, run.power)

    @staticmethod
    def _must_wait(run: Run, battle: Pending) -> bool:
        """A landing waits for the sea battle that it depends on (CL3-AMP-04)."""
        zones = declared(run.state, run.power).get(battle.space, ())
        return any(is_hostile_sea(run.world, run.state, run.power, z) for z in zones)

    def decision(self, run: Run) -> str:
        return "battle" if pending(run.world, run.state, run.power) else "rocket"

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Rocket():
                rockets.fire(run, order)
            case orders.Stay() if self.decision(run) == "rocket":
                run.emit(RocketDeclined(run.power))
            case orders.Fight(space=space):
                waiting = pending(run.world, run.state, run.power)
                chosen = [p for p in waiting if p.space == space and p.kind != "raid"]
                if not chosen:
                    raise Refusal(
                        ("CL-CMB-04", "CL-MOV-10", "CL-MOV-11"),
                        f"There is no battle to fight in {name(run.world, space)}.",
                        (space,),
                    )
                open_battle(run, chosen[0])
            case _:
                raise misplaced(run, order, self)

    def leave(self, run: Run) -> None:
        waiting = pending(run.world, run.state, run.power)
        if waiting:
            places = ", ".join(name(run.world, p.space) for p in waiting)
            raise Refusal("CL-TRN-06", f"There are battles to fight first: {places}.", tuple(p.space for p in waiting))
        surface(run)


def surface(run: Run) -> None:
    """Submerged submarines come up when the fighting is over (CL3-SUB-03)."""
    for space, stack in list(run.state.units.items()):
        under = {p: n for p, n in stack.items() if p.mark == "submerged"}
        if under:
            units = units_of(under)
            up = tuple((p.__class__(p.power, p.type, done=p.done, hits=p.hits), n) for p, n in units)
            run.emit(Surfaced(space, (Change(space, units, up),)))
