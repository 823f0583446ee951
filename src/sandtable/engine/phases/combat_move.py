"""Moves into battle (Action 2)."""

from __future__ import annotations

import msgspec

from sandtable.engine.facts import phase_index
from sandtable.engine.movement.landing import homeless
from sandtable.engine.movement.move import carry_out
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.politics import declare
from sandtable.engine.run import Run
from sandtable.errors import Refusal
from sandtable.notation import orders


class CombatMove(Phase):
    name = "combat-move"
    title = "Combat movement"

    def is_open(self, run: Run) -> bool:
        return True

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        match order:
            case orders.Move():
                carry_out(run, order)
            case orders.Declare(power=power):
                declare(run, power)
            case _:
                raise misplaced(run, order, self)

    def leave(self, run: Run) -> None:
        """Planes may rely on carriers that fight their way to them, as long as these are sent in time (AN-CMV-17)."""
        world, power = run.world, run.power
        later = msgspec.structs.replace(run.state, phase=phase_index(world, power, "combat"))
        if homeless(world, later, power) > homeless(world, run.state, power):
            text = "A plane of yours can land only on a carrier that has to be sent into battle now."
            raise Refusal("carrier-has-to-be-sent", text)
