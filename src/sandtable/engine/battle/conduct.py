"""Running the steps of the open battle."""

from __future__ import annotations

import msgspec

from sandtable.engine import rockets
from sandtable.engine.battle import casualties
from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.steps import FATES, ONCE, STEPS
from sandtable.engine.battle.steps.retreat import answer as answer_retreat
from sandtable.engine.battle.steps.submarines_withdraw import answer as answer_submarines
from sandtable.engine.events import RoundBegan
from sandtable.engine.facts import name
from sandtable.engine.run import Run
from sandtable.engine.state import Battle
from sandtable.errors import Refusal
from sandtable.notation.orders import (
    AnyOrder,
    Casualties,
    End,
    Press,
    Retreat,
    Rocket,
    Stay,
    Submerge,
    Withdraw,
)

REASONS_IN_BATTLE: dict[type, str] = {  # of refusing what the open question does not ask for
    Retreat: "no-retreat-now",
    Submerge: "submarines-stay-now",
    Withdraw: "submarines-stay-now",
    **dict.fromkeys((End, Casualties, Press, Stay), "battle-asks-something-else"),
}


def conduct(run: Run) -> None:
    """Go on with the battle until it ends or a question has to be answered."""
    while (battle := run.state.battle) is not None and battle.ask is None:
        steps = run.world.battles[battle.kind]
        if battle.step >= len(steps):
            if battle.kind in ("raid", "overflight"):
                finish(run, "passed")
                continue
            again = msgspec.structs.replace(battle, round=battle.round + 1, step=0, column=-1, asked=())
            run.emit(RoundBegan(battle.space, again.round, again))
            continue
        step = steps[battle.step]
        if (battle.round > 1 and step in ONCE) or STEPS[step](run):
            _next_step(run, battle)


def _next_step(run: Run, before: Battle) -> None:
    battle = run.state.battle
    if battle is None or (battle.space, battle.kind) != (before.space, before.kind):
        return  # the step ended the battle
    run.note(step=battle.step + 1, column=-1, asked=())


def answer(run: Run, order: AnyOrder) -> None:
    """The reply to the battle's open question."""
    world = run.world
    battle = run.battle
    assert battle.ask is not None
    ask = battle.ask
    step = world.battles[battle.kind][battle.step]
    match ask.kind, order:
        case "casualties", Casualties():
            casualties.answer(run, order, FATES[step])
        case "submarines", Submerge() | Withdraw() | Stay():
            answer_submarines(run, order)
        case "retreat", Press() | Retreat():
            answer_retreat(run, order)
        case "retreat", Stay():
            answer_retreat(run, Press())
        case _, Rocket() if ask.power == run.power:
            rockets.fire(run, order)
        case _:
            raise _out_of_place(run, battle, order)


def _out_of_place(run: Run, battle: Battle, order: AnyOrder) -> Refusal:
    world = run.world
    assert battle.ask is not None
    who = world.powers[battle.ask.power].name
    where = name(world, battle.space)
    question = {
        "casualties": f"{who} first has to name {battle.ask.count} casualties",
        "submarines": f"{who} first has to decide about its submarines",
        "retreat": f"{who} first has to press on or retreat",
    }[battle.ask.kind]
    reason = REASONS_IN_BATTLE.get(type(order), "battle-comes-first")
    return Refusal(reason, f"In the battle of {where} {question}.", (battle.space,))
