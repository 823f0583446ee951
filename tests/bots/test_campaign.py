"""Plans for more than a turn: armor for an army across the sea, a capital for each partner."""

from __future__ import annotations

from typing import Any

import msgspec

from sandtable.archive.position import patched_state
from sandtable.bots.campaign import campaign
from sandtable.bots.front import OTHERS, PARTNERS, goals
from sandtable.bots.purchase import Purchase
from sandtable.bots.sight import Sight
from sandtable.bots.style import style
from sandtable.engine.state import State
from sandtable.world.compile import compile_world

WORLD = compile_world("classic-1942")
FIVE = style(5)
SIBERIA = ["novosibirsk", "evenki-national-okrug", "yakut-ssr", "soviet-far-east", "manchuria", "kazakh-ssr"]


def position(turn: str, phase: str, **patch: Any) -> State:
    return patched_state(WORLD, {"turn": turn, "phase": phase, **patch})


def before_moscow(garrison: int, comers: int = 0) -> State:
    """A Japanese army in Siberia with a complex behind it, and Moscow held by infantry."""
    return position(
        "japan",
        "purchase",
        clear=[*SIBERIA, "russia", "china", "sinkiang", "karelia-ssr", "caucasus"],
        units={
            "novosibirsk": {"japan": {"infantry": 8}},
            "manchuria": {"japan": {"infantry": 1, "industrial-complex": 1}},
            "russia": {"ussr": {"infantry": garrison, "industrial-complex": 1, "aa-gun": 1}},
            "kazakh-ssr": {"ussr": {"infantry": comers}},
        },
        control={s: "japan" for s in SIBERIA if s != "kazakh-ssr"},
        treasury={"japan": 40},
    )


def armor_bought(state: State, **changes: Any) -> int:
    purchase = Purchase(Sight(WORLD, state, "japan"), msgspec.structs.replace(FIVE, **changes))
    purchase.plan()
    return purchase.list.get("armor", 0)


def test_an_army_before_a_capital_gets_the_armor_that_takes_it() -> None:
    state = before_moscow(garrison=12)
    assert armor_bought(state) > armor_bought(state, drive=False)


def test_an_army_that_may_be_overrun_is_on_no_campaign() -> None:
    complexes = ("japan", "manchuria")
    assert campaign(Sight(WORLD, before_moscow(8), "japan"), complexes) is not None
    assert campaign(Sight(WORLD, before_moscow(8, comers=40), "japan"), complexes) is None


def late_in_the_war(german: int) -> State:
    """Germany has little but its capital and so many infantry, and Russians stand before it."""
    lost = ["western-europe", "southern-europe", "eastern-europe", "ukraine-ssr", "finland-norway", "libya", "algeria"]
    return position(
        "usa",
        "combat-move",
        clear=[*lost, "germany", "baltic-sea", "central-mediterranean-sea", "west-spain-sea"],
        units={
            "germany": {"germany": {"infantry": german, "industrial-complex": 1, "aa-gun": 1}},
            "eastern-europe": {"ussr": {"infantry": 25, "armor": 8}},
            "western-europe": {"uk": {"infantry": 10, "fighter": 4}},
        },
        control={s: "ussr" if s in ("eastern-europe", "ukraine-ssr") else "uk" for s in lost},
        treasury={"germany": 10, "ussr": 30, "uk": 40},
    )


def test_partners_who_can_do_without_a_far_one_leave_the_last_capital_to_him() -> None:
    state = late_in_the_war(german=6)
    american, russian = (goals(Sight(WORLD, state, power)) for power in ("usa", "ussr"))
    assert american["germany"] - russian["germany"] == PARTNERS
    assert russian["japan"] - american["japan"] == OTHERS


def test_everybody_goes_for_a_capital_that_is_still_strong() -> None:
    state = late_in_the_war(german=150)
    assert goals(Sight(WORLD, state, "usa")) == goals(Sight(WORLD, state, "ussr"))
