"""Moves into battle (Action 2)."""

from __future__ import annotations

from sandtable.engine.movement.move import carry_out
from sandtable.engine.phases.base import Phase, misplaced
from sandtable.engine.run import Run
from sandtable.notation import orders


class CombatMove(Phase):
    name = "combat-move"
    title = "Combat movement"

    def is_open(self, run: Run) -> bool:
        return True

    def answer(self, run: Run, order: orders.AnyOrder) -> None:
        if not isinstance(order, orders.Move):
            raise misplaced(run, order, self)
        carry_out(run, order)
