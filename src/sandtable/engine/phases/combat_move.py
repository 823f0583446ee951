"""Moves into battle (Action 2)."""

from __future__ import annotations

import msgspec

from sandtable.engine import task_forces
from sandtable.engine.battle.interception import ask_about_raids
from sandtable.engine.facts import name, phase_index
from sandtable.engine.movement.landing import airborne, homeless
from sandtable.engine.movement.move import carry_out
from sandtable.engine.movement.reach import has_to_land
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.politics import declare, open_targets
from sandtable.engine.relations import is_neutral_power
from sandtable.engine.run import Run
from sandtable.engine.special import lines
from sandtable.errors import Refusal
from sandtable.notation import orders


class CombatMove(Phase):
    name = "combat-move"
    title = "Combat movement"

    def is_open(self, run: Run) -> bool:
        """Only powers at war have it, or those who may go to war now (G40-POL-55)."""
        return not _is_idle(run) or bool(open_targets(run.world, run.state, run.power))

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Move() if _is_idle(run):
                who = run.world.powers[run.power].name
                raise Refusal("neutral-power-attacks-nobody", f"{who} is at war with nobody and attacks nobody.")
            case orders.Move():
                carry_out(run, order)
            case orders.Assign():
                task_forces.assign(run, order)
            case orders.Declare(power=power):
                declare(run, power)
            case _:
                raise misplaced(run, order, self)

    def leave(self, run: Run) -> None:
        """Planes may rely on carriers that fight their way to them, as long as these are sent in time (AN-CMV-17)."""
        world, power = run.world, run.power
        waiting = has_to_land(world, run.state) if world.rules.loaded_must_land else None
        if waiting is not None:
            text = f"Troops that boarded in {name(world, waiting)} this turn have to go ashore in an assault."
            raise Refusal("loaded-troops-must-land", text, (waiting,))
        task_forces.check_division(world, run.state, power)
        later = msgspec.structs.replace(run.state, phase=phase_index(world, power, "combat"))
        if airborne(world, run.state, power) and homeless(world, later, power) > homeless(world, run.state, power):
            text = "A plane of yours can land only on a carrier that has to be sent into battle now."
            raise Refusal("carrier-has-to-be-sent", text)
        lines.rise(run)
        ask_about_raids(run)


def _is_idle(run: Run) -> bool:
    """The power is at war with nobody, and has nothing to do in such phases therefore."""
    return run.world.rules.peace_without_combat and is_neutral_power(run.world, run.state, run.power)
