"""The steps of battles, by the names that editions use.

`STEPS` is the only list of them; conduct, odds and pages read from a step's record what they have to know about it.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sandtable.engine.battle.casualties import Fate
from sandtable.engine.battle.steps.aa_fire import aa_fire
from sandtable.engine.battle.steps.attackers_fire import attackers_fire
from sandtable.engine.battle.steps.bombs import bombs
from sandtable.engine.battle.steps.check_end import check_end
from sandtable.engine.battle.steps.defenceless_transports import defenceless_transports
from sandtable.engine.battle.steps.defenders_fire import defenders_fire
from sandtable.engine.battle.steps.lone_transports import lone_transports
from sandtable.engine.battle.steps.paratroopers_drop import paratroopers_drop
from sandtable.engine.battle.steps.remove_casualties import remove_casualties
from sandtable.engine.battle.steps.retreat import retreat
from sandtable.engine.battle.steps.submarine_fire import submarine_fire
from sandtable.engine.battle.steps.submarines_withdraw import submarines_withdraw
from sandtable.engine.battle.steps.support_shot import support_shot
from sandtable.engine.battle.steps.surprise_strike import remove_struck, surprise_reply, surprise_strike
from sandtable.engine.run import Run


class Step(msgspec.Struct, frozen=True):
    """One step: what it does, and what others have to know about it."""

    run: Callable[[Run], bool]  # True when it is finished, False while it waits for an answer
    title: str = ""  # what players call it; steps that only tidy up have no name
    once: bool = False  # in the first round only
    fate: Fate | None = None  # what becomes of its casualties, if it causes any


STEPS: dict[str, Step] = {
    "aa-fire": Step(aa_fire, "AA fire", once=True, fate="aa"),
    "paratroopers-drop": Step(paratroopers_drop, "Paratroopers drop", once=True),
    "support-shot": Step(support_shot, "Bombardment", once=True, fate="doomed"),
    "submarine-fire": Step(submarine_fire, "Submarines fire first", fate="first-shot"),
    "surprise-strike": Step(surprise_strike, "Surprise strike", fate="doomed"),
    "surprise-reply": Step(surprise_reply, "Surprise strike", fate="first-shot"),
    "remove-struck": Step(remove_struck),
    "attackers-fire": Step(attackers_fire, "Attackers fire", fate="doomed"),
    "defenders-fire": Step(defenders_fire, "Defenders fire", fate="battle"),
    "remove-casualties": Step(remove_casualties),
    "defenceless-transports": Step(defenceless_transports),
    "lone-transports": Step(lone_transports),
    "check-end": Step(check_end),
    "submarines-withdraw": Step(submarines_withdraw, "Submarines leave"),
    "retreat": Step(retreat, "Press or retreat"),
    "bombs": Step(bombs, "Bombs", once=True),
}
"""Every step that editions can name; `engine.registry.register_step` adds more."""


def steps_of_round(steps: tuple[str, ...], number: int) -> list[str]:
    """Those of a battle's steps that are taken in this round."""
    return [step for step in steps if number == 1 or not STEPS[step].once]
