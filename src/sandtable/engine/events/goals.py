"""What powers want: objectives, what goes down in history, and how the game ends."""

from __future__ import annotations

from typing import assert_never

from sandtable.engine.events.base import Event, replace
from sandtable.engine.state import State
from sandtable.world.model import PowerId, RuleId, SideId, World


class ObjectiveMet(Event, frozen=True, tag="objective"):
    """A national objective holds when its power collects income; the bonus follows as a payment."""

    power: PowerId
    objective: str
    bonus: int


class Noted(Event, frozen=True, tag="noted"):
    """Something goes down in the history of the game, since a condition asks for it; it tells players nothing new."""

    fact: str


class GoalReached(Event, frozen=True, tag="goal"):
    """Somebody has reached a way to win in the turn of `power`, and wins by holding it to the end of its next turn."""

    victory: str
    who: str  # a side or a power
    power: PowerId


class GoalLost(Event, frozen=True, tag="goal-lost"):
    """It could not be held."""

    victory: str
    who: str


class Surrendered(Event, frozen=True, tag="surrendered"):
    power: PowerId


class Won(Event, frozen=True, tag="won"):
    """The game is over; `side` is None when a round limit ends it level, `power` is told where it wins alone."""

    side: SideId | None
    reason: str
    rules: tuple[RuleId, ...] = ()
    power: PowerId | None = None


GoalEvent = ObjectiveMet | Noted | GoalReached | GoalLost | Surrendered | Won


def fold(world: World, state: State, event: GoalEvent) -> State:
    match event:
        case Noted(fact=fact):
            return replace(state, history=tuple(sorted({*state.history, fact})))
        case GoalReached(victory=victory, who=who, power=power):
            return replace(state, goals={**state.goals, f"{victory} {who}": (power, state.round)})
        case GoalLost(victory=victory, who=who):
            return replace(state, goals={key: goal for key, goal in state.goals.items() if key != f"{victory} {who}"})
        case Won(side=side, power=victor):
            return replace(state, winner=side, victor=victor, over=True)
        case ObjectiveMet() | Surrendered():
            return state  # they tell why something else happens
        case _:
            assert_never(event)
