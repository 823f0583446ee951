"""The steps of battles, by the names that editions use. A step returns True when finished, False while it waits."""

from __future__ import annotations

from collections.abc import Callable

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

Step = Callable[[Run], bool]

STEPS: dict[str, Step] = {
    "aa-fire": aa_fire,
    "paratroopers-drop": paratroopers_drop,
    "support-shot": support_shot,
    "submarine-fire": submarine_fire,
    "surprise-strike": surprise_strike,
    "surprise-reply": surprise_reply,
    "remove-struck": remove_struck,
    "attackers-fire": attackers_fire,
    "defenders-fire": defenders_fire,
    "remove-casualties": remove_casualties,
    "defenceless-transports": defenceless_transports,
    "lone-transports": lone_transports,
    "check-end": check_end,
    "submarines-withdraw": submarines_withdraw,
    "retreat": retreat,
    "bombs": bombs,
}

ONCE = {"aa-fire", "paratroopers-drop", "support-shot", "bombs"}
"""Steps of the first round only."""

FATES: dict[str, Fate] = {
    "aa-fire": "aa",
    "support-shot": "doomed",
    "submarine-fire": "first-shot",
    "surprise-strike": "doomed",
    "surprise-reply": "first-shot",
    "attackers-fire": "doomed",
    "defenders-fire": "battle",
}
"""What becomes of the casualties of a step: the reason of their loss, or doomed (they fire before they go)."""
