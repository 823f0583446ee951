"""The phases of a turn, by the names that editions use."""

from __future__ import annotations

from sandtable.engine.phases.base import Phase
from sandtable.engine.phases.combat import Combat
from sandtable.engine.phases.combat_move import CombatMove
from sandtable.engine.phases.income import Income
from sandtable.engine.phases.mobilize import Mobilize
from sandtable.engine.phases.noncombat_move import NoncombatMove
from sandtable.engine.phases.purchase import Purchase
from sandtable.engine.phases.research import Research
from sandtable.world.model import World

PHASES: dict[str, Phase] = {
    "research": Research(),
    "purchase": Purchase(),
    "combat-move": CombatMove(),
    "combat": Combat(),
    "noncombat-move": NoncombatMove(),
    "mobilize": Mobilize(),
    "income": Income(),
}


def phase_title(world: World, phase: str) -> str:
    """What players call the phase: the edition's own name for it, or the usual one."""
    own, known = world.titles.get(phase), PHASES.get(phase)
    return own or (known.title if known is not None else phase.replace("-", " ").capitalize())
