"""The steps of battles, by the names that editions use.

`STEPS` is the only list of them; conduct, odds and pages read from a step's record what they have to know about it.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sandtable.engine.battle.casualties import Fate
from sandtable.engine.battle.steps import air_battle
from sandtable.engine.battle.steps.aa_fire import aa_fire, flak
from sandtable.engine.battle.steps.air_combat import air_combat, patrol
from sandtable.engine.battle.steps.ambush import ambush
from sandtable.engine.battle.steps.anti_tank import anti_tank, anti_tank_done
from sandtable.engine.battle.steps.atomic_bombs import atomic_bombs
from sandtable.engine.battle.steps.attackers_fire import attackers_fire
from sandtable.engine.battle.steps.bombs import bombs
from sandtable.engine.battle.steps.check_end import check_end
from sandtable.engine.battle.steps.coast_fire import coast_fire
from sandtable.engine.battle.steps.defenceless_transports import (
    defenceless_after_round,
    defenceless_after_strikes,
    defenceless_transports,
)
from sandtable.engine.battle.steps.defenders_fire import defenders_fire
from sandtable.engine.battle.steps.drop_bombs import drop_bombs
from sandtable.engine.battle.steps.expended import remove_expended
from sandtable.engine.battle.steps.interdiction import interdiction
from sandtable.engine.battle.steps.lone_transports import lone_transports
from sandtable.engine.battle.steps.paratroopers_drop import paratroopers_drop
from sandtable.engine.battle.steps.remove_casualties import remove_casualties, remove_shot_down
from sandtable.engine.battle.steps.retreat import retreat
from sandtable.engine.battle.steps.spent import overrun_guns, spent
from sandtable.engine.battle.steps.strafe import strafe
from sandtable.engine.battle.steps.submarine_fire import submarine_fire
from sandtable.engine.battle.steps.submarines_dive import submarines_dive
from sandtable.engine.battle.steps.submarines_withdraw import submarines_withdraw
from sandtable.engine.battle.steps.support_shot import support_shot
from sandtable.engine.battle.steps.surprise_attack import remove_surprised, surprise_attack
from sandtable.engine.battle.steps.surprise_strike import remove_struck, surprise_reply, surprise_strike
from sandtable.engine.run import Run


class Step(msgspec.Struct, frozen=True):
    """One step: what it does, and what others have to know about it."""

    run: Callable[[Run], bool]  # True when it is finished, False while it waits for an answer
    title: str = ""  # what players call it; steps that only tidy up have no name
    once: bool = False  # in the first round only
    fate: Fate | None = None  # what becomes of its casualties, if it causes any


STEPS: dict[str, Step] = {
    "escorts-fire": Step(air_battle.meet, "Escorts against interceptors", once=True, fate="doomed"),
    "escorts-met": Step(air_battle.answer, "Escorts against interceptors", once=True, fate="battle"),
    "bombers-fire": Step(air_battle.meet, "Bombers against interceptors", once=True, fate="doomed"),
    "bombers-met": Step(air_battle.answer, "Bombers against interceptors", once=True, fate="battle"),
    "air-battle": Step(air_battle.meet, "Air battle", once=True, fate="doomed"),
    "air-reply": Step(air_battle.answer, "Air battle", once=True, fate="battle"),
    "patrol": Step(patrol, "Fighters rise", once=True),
    "air-combat": Step(air_combat, "Air combat", once=True, fate="battle"),
    "interdiction": Step(interdiction, "Interdiction", once=True, fate="battle"),
    "ambush": Step(ambush, "Submarines attack", once=True, fate="first-shot"),
    "aa-fire": Step(aa_fire, "AA fire", once=True, fate="aa"),
    "anti-tank": Step(anti_tank, "Guns against tanks", once=True),
    "anti-tank-done": Step(anti_tank_done),
    "overrun-guns": Step(overrun_guns, once=True),
    "flak": Step(flak, "AA fire", once=True, fate="doomed"),
    "paratroopers-drop": Step(paratroopers_drop, "Paratroopers drop", once=True),
    "support-shot": Step(support_shot, "Bombardment", once=True, fate="doomed"),
    "coast-fire": Step(coast_fire, "Coastal guns", once=True, fate="battle"),
    "submarine-fire": Step(submarine_fire, "Submarines fire first", fate="first-shot"),
    "surprise-strike": Step(surprise_strike, "Surprise strike", fate="doomed"),
    "surprise-reply": Step(surprise_reply, "Surprise strike", fate="first-shot"),
    "remove-struck": Step(remove_struck),
    "surprise-attack": Step(surprise_attack, "Surprise attack", fate="first-shot"),
    "remove-surprised": Step(remove_surprised),
    "attackers-fire": Step(attackers_fire, "Attackers fire", fate="doomed"),
    "defenders-fire": Step(defenders_fire, "Defenders fire", fate="battle"),
    "remove-shot-down": Step(remove_shot_down, once=True),
    "remove-casualties": Step(remove_casualties),
    "remove-expended": Step(remove_expended),
    "defenceless-transports": Step(defenceless_transports),
    "defenceless-after-strikes": Step(defenceless_after_strikes),
    "defenceless-after-round": Step(defenceless_after_round),
    "lone-transports": Step(lone_transports),
    "check-end": Step(check_end),
    "spent": Step(spent),
    "submarines-withdraw": Step(submarines_withdraw, "Submarines leave"),
    "submarines-first": Step(submarines_withdraw, "Submarines dive or strike", once=True),
    "submarines-dive": Step(submarines_dive, "Submarines dive", once=True, fate="battle"),
    "retreat": Step(retreat, "Press or retreat"),
    "atomic-bombs": Step(atomic_bombs, "Atomic bombs", once=True),
    "bombs": Step(bombs, "Bombs", once=True),
    "drop-bombs": Step(drop_bombs, "Bombs", once=True),
    "strafe": Step(strafe, "Strafing", once=True, fate="battle"),
}
"""Every step that editions can name; `engine.registry.register_step` adds more."""


def steps_of_round(steps: tuple[str, ...], number: int) -> list[str]:
    """Those of a battle's steps that are taken in this round."""
    return [step for step in steps if number == 1 or not STEPS[step].once]
