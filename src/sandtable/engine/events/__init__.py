"""Events: what happened, and how it changes the state.

Folding events is the only way a state changes. Most events that touch units carry `changes`: what left and what came to
which space. Everything is plain data, so a log of events can be shown, saved, animated or counted.

Each module has the events about one subject, and a `fold` that says what each of them changes beyond that. Whoever
makes, shows or counts events finds them all here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, get_args

from sandtable.engine.events import (
    battle,
    facilities,
    goals,
    money,
    movement,
    politics,
    recruits,
    research,
    sorties,
    strikes,
    turn,
)
from sandtable.engine.events.base import Change, Event, apply_changes
from sandtable.engine.events.battle import (
    AdriftSettled,
    Ambushed,
    BattleChanged,
    BattleEnded,
    BattleEvent,
    BattleOpened,
    BattlesDeclined,
    CasualtiesChosen,
    Hurt,
    Leaving,
    Loss,
    Lost,
    Outcome,
    RoundBegan,
    ShipsAssigned,
    StrandedLanded,
    SupportGiven,
    Surfaced,
    SurprisePlanned,
    Withdrew,
)
from sandtable.engine.events.facilities import (
    BuildingChanged,
    ComplexDestroyed,
    ComplexesUpgraded,
    ComplexLifted,
    ComplexSettled,
    Damaged,
    Dismantled,
    Downgraded,
    FacilityEvent,
    LineRaised,
    LinesLost,
    Mended,
    MovingChanged,
    Repaired,
    Upgraded,
)
from sandtable.engine.events.goals import GoalEvent, GoalLost, GoalReached, Noted, ObjectiveMet, Surrendered, Won
from sandtable.engine.events.money import AidSent, BudgetSet, Funded, MoneyEvent, Paid, PaidFor
from sandtable.engine.events.movement import (
    Boarded,
    DropsCounted,
    Fleet,
    FleetJoined,
    Landed,
    LandingCancelled,
    LandingDeclared,
    Moved,
    MovementEvent,
    MovesAllowed,
    Restowed,
)
from sandtable.engine.events.politics import (
    AllianceBroken,
    AllianceDeclined,
    AllianceMade,
    CapitalNamed,
    Captured,
    LandOpened,
    LeaningChanged,
    NeutralDefended,
    NeutralJoined,
    NeutralViolated,
    PoliticsEvent,
    Restrained,
    SharingDeclined,
    Taking,
    WarDeclared,
)
from sandtable.engine.events.recruits import (
    Bought,
    Forfeited,
    Kept,
    Placed,
    RecruitEvent,
    Reinforced,
    TroopsOffered,
    TroopsRaised,
    UndergroundLeft,
)
from sandtable.engine.events.research import (
    BreakthroughMade,
    Focused,
    LeaderNamed,
    PilotsTrained,
    ProjectAdvanced,
    ProjectRevealed,
    Researched,
    ResearchersChanged,
    ResearchEvent,
    Sabotaged,
    SpiesStopped,
    SpiesUsed,
    TechGained,
)
from sandtable.engine.events.sorties import (
    Dropped,
    FlewOn,
    Intercepted,
    Launched,
    Returned,
    SetDown,
    SortieEvent,
    SortiesWent,
    TurnedBack,
)
from sandtable.engine.events.strikes import (
    BombsReturned,
    CommandosDeclined,
    CommandosSent,
    Loaded,
    RocketDeclined,
    RocketFired,
    StrikeEvent,
)
from sandtable.engine.events.turn import Answered, Asked, EventDrawn, PhaseBegan, Rolled, TurnBegan, TurnEvent
from sandtable.engine.state import State
from sandtable.world.model import World

AnyEvent = (
    TurnEvent
    | GoalEvent
    | ResearchEvent
    | MoneyEvent
    | RecruitEvent
    | FacilityEvent
    | PoliticsEvent
    | MovementEvent
    | BattleEvent
    | SortieEvent
    | StrikeEvent
)

FOLDS: Final[Mapping[type[Event], Callable[[World, State, Any], State]]] = {
    kind: how
    for kinds, how in (
        (TurnEvent, turn.fold),
        (GoalEvent, goals.fold),
        (ResearchEvent, research.fold),
        (MoneyEvent, money.fold),
        (RecruitEvent, recruits.fold),
        (FacilityEvent, facilities.fold),
        (PoliticsEvent, politics.fold),
        (MovementEvent, movement.fold),
        (BattleEvent, battle.fold),
        (SortieEvent, sorties.fold),
        (StrikeEvent, strikes.fold),
    )
    for kind in get_args(kinds)
}


def fold(world: World, state: State, event: AnyEvent) -> State:
    """The state after the event."""
    how = FOLDS.get(type(event))
    assert how is not None, f"nobody folds {event}"
    changes: tuple[Change, ...] = getattr(event, "changes", ())
    if changes:
        state = apply_changes(state, changes)
    return how(world, state, event)
