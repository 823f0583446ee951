"""Events: what happened, and how it changes the state.

Folding events is the only way a state changes. Most events that touch units carry `changes`: what left and what came to
which space. Everything is plain data, so a log of events can be shown, saved, animated or counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, assert_never

import msgspec

from sandtable.engine.facts import type_of, unit_type
from sandtable.engine.state import (
    Battle,
    Moving,
    Pair,
    Piece,
    Question,
    Sorties,
    Stack,
    Stances,
    State,
    Units,
    add,
    pair,
    take,
)
from sandtable.world.model import MarkId, PowerId, RuleId, SideId, SpaceId, TechId, UnitId, World

PaidFor = Literal[
    "units",
    "refund",
    "repair",
    "training",
    "research",
    "drops",
    "income",
    "objective",
    "bonds",
    "convoy",
    "neutral",
    "raid",
    "rocket",
    "capital",
    "lend-lease",
    "economy",
    "levy",
    "event",
]
Taking = Literal["capture", "liberation", "restored", "neutral", "occupied"]
Loss = Literal[
    "battle",
    "first-shot",
    "aa",
    "no-landing",
    "carrier-sunk",
    "cast-adrift",
    "stalemate",
    "defenceless",
    "expended",
    "captured-base",
    "overrun",
    "drowned",
]
Leaving = Literal["retreat", "submarines", "submerged", "planes"]
Fleet = Literal["attack", "invasion"]
Outcome = Literal["attacker", "defender", "both-destroyed", "retreat", "passed", "raid", "stalemate"]


class Change(msgspec.Struct, frozen=True):
    """Units that leave (`minus`) and come to (`plus`) a space. A piece whose condition changes does both."""

    space: SpaceId
    minus: Units = ()
    plus: Units = ()


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base of all events."""


class TurnBegan(Event, frozen=True, tag="turn"):
    """A power's turn begins: everything may move again."""

    power: PowerId
    round: int
    turn: int


class PhaseBegan(Event, frozen=True, tag="phase"):
    power: PowerId
    phase: str
    index: int


class Rolled(Event, frozen=True, tag="rolled"):
    """Dice of one column, volley or roll. `shooters` tells whose they are, in the order of `faces`."""

    reason: Literal[
        "research",
        "breakthrough",
        "spies",
        "moves",
        "event",
        "aa",
        "support",
        "attack",
        "defense",
        "raid",
        "rocket",
        "air",
        "commando",
        "bonds",
        "convoy",
        "capture",
        "sabotage",
        "lend-lease",
        "income",
        "levy",
    ]
    power: PowerId
    faces: tuple[int, ...]
    space: SpaceId = ""
    needed: int = 0  # a hit is this or less; 0 where dice are simply read
    shooters: tuple[tuple[PowerId, UnitId, int], ...] = ()  # power, unit type, dice
    hits: int = 0

    @property
    def throws(self) -> tuple[tuple[int, ...], ...]:
        """The faces in handfuls of at most twelve, the dice that a table has (CL-CMB-07)."""
        return tuple(self.faces[i : i + 12] for i in range(0, len(self.faces), 12))


class Researched(Event, frozen=True, tag="researched"):
    power: PowerId
    dice: int
    cost: int
    successes: int


class Focused(Event, frozen=True, tag="focused"):
    """A die thrown for one development by name."""

    power: PowerId
    technology: TechId
    cost: int
    success: bool


class Sabotaged(Event, frozen=True, tag="sabotaged"):
    """A breakthrough that an enemy undid before it became one."""

    power: PowerId  # who would have had it
    by: PowerId


class ResearchersChanged(Event, frozen=True, tag="researchers"):
    """Researchers hired, or all of them gone after a breakthrough; `total` is what there are now."""

    power: PowerId
    change: int
    total: int


class EventDrawn(Event, frozen=True, tag="event-drawn"):
    """The card of the round; `fresh`: the deck was shuffled before."""

    card: str
    fresh: bool


class BreakthroughMade(Event, frozen=True, tag="breakthrough"):
    """A six: the power names a chart, and a die picks a development from it."""

    power: PowerId


class ProjectAdvanced(Event, frozen=True, tag="project"):
    """The marker of a project moves on the research track, forward or (negative) back."""

    power: PowerId  # whose project it is
    technology: TechId
    spaces: int
    place: int  # where it is now


class ProjectRevealed(Event, frozen=True, tag="project-revealed"):
    """A blind project is known to all from now on."""

    power: PowerId  # whose project it is
    technology: TechId
    by: PowerId


class SpiesStopped(Event, frozen=True, tag="spies-stopped"):
    """Counter-intelligence has foiled what a secret service was up to."""

    power: PowerId
    by: PowerId


class SpiesUsed(Event, frozen=True, tag="spies"):
    """A secret service is at work; it is free again next turn."""

    power: PowerId


class PilotsTrained(Event, frozen=True, tag="pilots"):
    """The level of a power's pilots rises, stays or falls."""

    power: PowerId
    change: int
    level: int
    cost: int


class TechGained(Event, frozen=True, tag="technology"):
    power: PowerId
    technology: TechId


class Funded(Event, frozen=True, tag="funded"):
    """The dice for a power's first money are thrown."""

    power: PowerId


class LeaderNamed(Event, frozen=True, tag="leader"):
    """A unit is led from now on, as long as it lives."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class AidSent(Event, frozen=True, tag="aid"):
    """A die of aid was bought, and another power gets what it showed."""

    power: PowerId
    receiver: PowerId
    cost: int
    amount: int


class Paid(Event, frozen=True, tag="paid"):
    """Money that comes (positive) or goes (negative)."""

    power: PowerId
    amount: int
    reason: PaidFor
    space: SpaceId = ""


class Bought(Event, frozen=True, tag="bought"):
    power: PowerId
    units: tuple[tuple[UnitId, int], ...]
    cost: int


class MovesAllowed(Event, frozen=True, tag="moves-allowed"):
    """A power at peace may move so many units this turn."""

    power: PowerId
    number: int


class SurprisePlanned(Event, frozen=True, tag="surprise"):
    """Whoever is attacked in this zone, or from it, will be taken by surprise."""

    power: PowerId
    space: SpaceId


class ComplexLifted(Event, frozen=True, tag="complex-lifted"):
    """A complex leaves its place for another one."""

    power: PowerId
    space: SpaceId
    to: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class ComplexSettled(Event, frozen=True, tag="complex-settled"):
    """A complex that was under way is put down."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    moving: Moving
    changes: tuple[Change, ...]


class MovingChanged(Event, frozen=True, tag="complex-under-way"):
    """A complex under way gets better, or is to go elsewhere."""

    before: Moving
    now: Moving
    cost: int = 0


class ComplexesUpgraded(Event, frozen=True, tag="complexes-upgraded"):
    """Complexes of a power that goes to war become better ones for nothing."""

    power: PowerId
    spaces: tuple[SpaceId, ...]
    unit: UnitId
    becomes: UnitId
    changes: tuple[Change, ...]


class LineRaised(Event, frozen=True, tag="line"):
    """A line of fortifications that was there all along joins the battle."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class LinesLost(Event, frozen=True, tag="lines-lost"):
    """What they protected has fallen: the lines are of no use to anybody any more."""

    power: PowerId
    spaces: tuple[SpaceId, ...]  # where one had come into play
    until: SpaceId
    changes: tuple[Change, ...] = ()


class TroopsOffered(Event, frozen=True, tag="free-troops"):
    """A freed country raises troops for nothing."""

    power: PowerId
    space: SpaceId
    value: int


class TroopsRaised(Event, frozen=True, tag="troops-raised"):
    power: PowerId
    space: SpaceId
    units: tuple[tuple[UnitId, int], ...]
    changes: tuple[Change, ...]


class UndergroundLeft(Event, frozen=True, tag="underground-left"):
    """Partisans whose land is free again go home."""

    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class BudgetSet(Event, frozen=True, tag="budget"):
    """A power at peace may spend so much on combat units this turn."""

    power: PowerId
    amount: int


class Repaired(Event, frozen=True, tag="repaired"):
    power: PowerId
    space: SpaceId
    unit: UnitId
    points: int
    cost: int


class Upgraded(Event, frozen=True, tag="upgraded"):
    """A complex was made a better one."""

    power: PowerId
    space: SpaceId
    unit: UnitId  # what it is now
    cost: int
    changes: tuple[Change, ...]


class BuildingChanged(Event, frozen=True, tag="building"):
    """A facility is begun, built on or finished: so many turns are left."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    left: int


class Mended(Event, frozen=True, tag="mended"):
    """Damaged ships are as good as new."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class Dismantled(Event, frozen=True, tag="dismantled"):
    """A complex is removed for good."""

    power: PowerId
    space: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class Downgraded(Event, frozen=True, tag="downgraded"):
    """A facility is less in new hands; what damage is beyond its limit is gone."""

    power: PowerId
    space: SpaceId
    old: UnitId
    unit: UnitId
    damage: int
    changes: tuple[Change, ...]


class Damaged(Event, frozen=True, tag="damaged"):
    """Damage markers on a facility, after the limit of what it can take; `rolled` is what the dice showed."""

    power: PowerId  # whose attack it was
    space: SpaceId
    unit: UnitId
    points: int
    rolled: int


class Reinforced(Event, frozen=True, tag="reinforced"):
    """New units that cost nothing (China), to be placed this turn."""

    power: PowerId
    units: tuple[tuple[UnitId, int], ...]


class ObjectiveMet(Event, frozen=True, tag="objective"):
    """A national objective holds when its power collects income; the bonus follows as a payment."""

    power: PowerId
    objective: str
    bonus: int


class DropsCounted(Event, frozen=True, tag="drops"):
    """Drops of troops that are paid for and not made, or made and not paid for; `cost` was paid just now."""

    power: PowerId
    paid: int
    unpaid: int = 0
    cost: int = 0


class Moved(Event, frozen=True, tag="moved"):
    """Units went along `path`: by land, by sea with their cargo, or by air."""

    power: PowerId
    path: tuple[SpaceId, ...]
    changes: tuple[Change, ...]
    units: Units  # what moved, as it left
    cost: int = 0


class Boarded(Event, frozen=True, tag="boarded"):
    power: PowerId
    path: tuple[SpaceId, ...]
    units: Units
    changes: tuple[Change, ...]


class Restowed(Event, frozen=True, tag="restowed"):
    """Cargo is taken to have boarded another of several ships that are alike; it tells players nothing new."""

    power: PowerId
    space: SpaceId
    changes: tuple[Change, ...]


class Landed(Event, frozen=True, tag="landed"):
    """Units went ashore from transports, in a quiet move or an assault."""

    power: PowerId
    path: tuple[SpaceId, ...]
    units: Units
    changes: tuple[Change, ...]


class LandingDeclared(Event, frozen=True, tag="landing"):
    """Units aboard will land once the sea battle in their zone is won."""

    power: PowerId
    path: tuple[SpaceId, ...]
    units: Units
    changes: tuple[Change, ...]


class LandingCancelled(Event, frozen=True, tag="landing-cancelled"):
    power: PowerId
    space: SpaceId
    changes: tuple[Change, ...]


class WarDeclared(Event, frozen=True, tag="war"):
    """A power goes to war; `pairs` are all that are at war by it, those drawn in included."""

    power: PowerId
    on: PowerId
    pairs: tuple[Pair, ...]


class AllianceMade(Event, frozen=True, tag="alliance"):
    """Two powers are allied from now on; the first one has offered it."""

    power: PowerId
    partner: PowerId


class AllianceDeclined(Event, frozen=True, tag="alliance-declined"):
    power: PowerId
    partner: PowerId  # who did not want it


class AllianceBroken(Event, frozen=True, tag="alliance-broken"):
    """Two powers are enemies from now on; the first one has wanted it so."""

    power: PowerId
    partner: PowerId


class NeutralJoined(Event, frozen=True, tag="neutral-joined"):
    """Neutral land that leaned to the power's side joins it, with its army."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class NeutralDefended(Event, frozen=True, tag="neutral-defended"):
    """The army of neutral land that is attacked takes the field."""

    power: PowerId  # whose units they are: of no side
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class CapitalNamed(Event, frozen=True, tag="capital"):
    """A power has a capital elsewhere, or its own again."""

    power: PowerId
    space: SpaceId


class LeaningChanged(Event, frozen=True, tag="leaning"):
    """Neutral land leans otherwise from now on, since another neutral was attacked."""

    spaces: tuple[SpaceId, ...]
    leaning: str


class Restrained(Event, frozen=True, tag="restrained"):
    """Who has to leave whom alone from now on."""

    pairs: tuple[Pair, ...]


class LandOpened(Event, frozen=True, tag="opened"):
    """A power lets allies into a territory of its own, for good."""

    power: PowerId
    space: SpaceId


class NeutralViolated(Event, frozen=True, tag="neutral"):
    power: PowerId
    space: SpaceId
    fee: int


class Captured(Event, frozen=True, tag="captured"):
    """Land changes hands. Guns and complexes in it follow."""

    space: SpaceId
    by: PowerId
    owner: PowerId  # who holds it now: the captor, or the ally to whom it was restored
    previous: PowerId | None
    reason: Taking


class BattlesDeclined(Event, frozen=True, tag="battles-declined"):
    """Enemies that need not be fought are left alone."""

    power: PowerId
    spaces: tuple[SpaceId, ...]


class BattleOpened(Event, frozen=True, tag="battle"):
    battle: Battle
    changes: tuple[Change, ...] = ()  # planes that rise from allied decks


class BattleChanged(Event, frozen=True, tag="battle-progress"):
    """The battle's own bookkeeping moved on; it tells players nothing new."""

    battle: Battle


class Asked(Event, frozen=True, tag="asked"):
    """Somebody has to answer something; the open question shows it."""

    question: Question


class Answered(Event, frozen=True, tag="answered"):
    """The question is settled; what came of it is told by other events."""

    question: Question


class Intercepted(Event, frozen=True, tag="intercepted"):
    """Fighters go up against enemy planes over their territory; so many of them at the bombers."""

    power: PowerId
    space: SpaceId
    units: Units
    at_bombers: int
    changes: tuple[Change, ...]


class SortiesWent(Event, frozen=True, tag="sorties"):
    """What planes do between moves and battles has gone a step further; players are told by other events."""

    sorties: Sorties


class Launched(Event, frozen=True, tag="launched"):
    """Planes of a power rise from a base against what is in a zone."""

    power: PowerId
    base: SpaceId
    zone: SpaceId
    units: Units
    against: Literal["attack", "ships"]
    changes: tuple[Change, ...]


class Returned(Event, frozen=True, tag="returned"):
    """Planes that have had their mission are back at a base."""

    power: PowerId
    space: SpaceId
    base: SpaceId
    units: Units
    changes: tuple[Change, ...]


class FlewOn(Event, frozen=True, tag="flew-on"):
    """Planes are met over a space on their way, or go on from there."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class Ambushed(Event, frozen=True, tag="ambushed"):
    """Submarines fire at ships that enter their zone."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class TurnedBack(Event, frozen=True, tag="turned-back"):
    """Planes break off an air combat and are out of everything else this turn."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class RoundBegan(Event, frozen=True, tag="round"):
    space: SpaceId
    round: int
    battle: Battle


class CasualtiesChosen(Event, frozen=True, tag="casualties"):
    """Units picked to be lost; defenders still fire before they go."""

    space: SpaceId
    power: PowerId  # who chose
    units: Units
    battle: Battle


class Lost(Event, frozen=True, tag="lost"):
    space: SpaceId
    reason: Loss
    units: Units
    changes: tuple[Change, ...]


class Hurt(Event, frozen=True, tag="hurt"):
    """Ships that took a hit and fight on."""

    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class Dropped(Event, frozen=True, tag="dropped"):
    """Troops left the planes that carried them, behind the antiaircraft fire."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class SetDown(Event, frozen=True, tag="set-down"):
    """Planes that carried troops have landed with them."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class Withdrew(Event, frozen=True, tag="withdrew"):
    """Units left a battle: submarines, a retreat, or planes breaking off (then `to` is the same space)."""

    power: PowerId
    space: SpaceId
    to: SpaceId
    units: Units
    changes: tuple[Change, ...]
    reason: Leaving


class SupportGiven(Event, frozen=True, tag="support"):
    """Ships that have fired in support of a landing and do nothing more this turn."""

    space: SpaceId
    zone: SpaceId
    changes: tuple[Change, ...]


class ShipsAssigned(Event, frozen=True, tag="ships-assigned"):
    """Ships that are to support the landing on a shore, this one or one to come."""

    power: PowerId
    zone: SpaceId
    shore: SpaceId
    units: Units
    changes: tuple[Change, ...]


class FleetJoined(Event, frozen=True, tag="fleet"):
    """Ships of a zone, with the planes aboard, join a task force."""

    power: PowerId
    space: SpaceId
    fleet: Fleet
    units: Units
    changes: tuple[Change, ...]


class Surfaced(Event, frozen=True, tag="surfaced"):
    space: SpaceId
    changes: tuple[Change, ...]


class StrandedLanded(Event, frozen=True, tag="stranded-landed"):
    """Fighters whose carrier was sunk found a deck or an island."""

    power: PowerId
    space: SpaceId
    to: SpaceId
    units: Units
    changes: tuple[Change, ...]


class AdriftSettled(Event, frozen=True, tag="adrift-settled"):
    """Planes of carriers sunk here land now, or their owners are asked; it tells players nothing new."""

    space: SpaceId


class BattleEnded(Event, frozen=True, tag="battle-ended"):
    space: SpaceId
    kind: str
    attacker: PowerId
    result: Outcome
    changes: tuple[Change, ...] = ()


class Loaded(Event, frozen=True, tag="bomb-loaded"):
    """Planes take bombs along that were in reserve."""

    power: PowerId
    unit: UnitId
    number: int
    space: SpaceId
    changes: tuple[Change, ...]


class BombsReturned(Event, frozen=True, tag="bomb-returned"):
    """Bombs that were not dropped are in reserve again."""

    power: PowerId
    unit: UnitId
    number: int
    changes: tuple[Change, ...]


class ComplexDestroyed(Event, frozen=True, tag="complex-destroyed"):
    power: PowerId  # whose attack it was
    space: SpaceId
    unit: UnitId
    changes: tuple[Change, ...]


class CommandosSent(Event, frozen=True, tag="commandos"):
    """Commandos have struck; those who were not lost are back in reserve."""

    power: PowerId
    unit: UnitId
    space: SpaceId
    number: int
    lost: int


class CommandosDeclined(Event, frozen=True, tag="commandos-declined"):
    """No more of them are sent this turn; it tells players nothing new."""

    power: PowerId


class RocketDeclined(Event, frozen=True, tag="rocket-declined"):
    power: PowerId


class RocketFired(Event, frozen=True, tag="rocket"):
    power: PowerId
    gun: SpaceId
    target: SpaceId


class Placed(Event, frozen=True, tag="placed"):
    power: PowerId
    space: SpaceId
    units: tuple[tuple[UnitId, int], ...]
    changes: tuple[Change, ...]


class Forfeited(Event, frozen=True, tag="forfeited"):
    power: PowerId
    units: tuple[tuple[UnitId, int], ...]


class Kept(Event, frozen=True, tag="kept"):
    """New units that were not placed wait for a later turn."""

    power: PowerId
    units: tuple[tuple[UnitId, int], ...]


class Surrendered(Event, frozen=True, tag="surrendered"):
    power: PowerId


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


class Won(Event, frozen=True, tag="won"):
    """The game is over; `side` is None when a round limit ends it level, `power` is told where it wins alone."""

    side: SideId | None
    reason: str
    rules: tuple[RuleId, ...] = ()
    power: PowerId | None = None


AnyEvent = (
    TurnBegan
    | PhaseBegan
    | Rolled
    | Researched
    | Focused
    | Sabotaged
    | ResearchersChanged
    | EventDrawn
    | BreakthroughMade
    | ProjectAdvanced
    | ProjectRevealed
    | SpiesStopped
    | SpiesUsed
    | PilotsTrained
    | TechGained
    | Funded
    | LeaderNamed
    | AidSent
    | Paid
    | Bought
    | BudgetSet
    | MovesAllowed
    | SurprisePlanned
    | ComplexLifted
    | ComplexSettled
    | MovingChanged
    | ComplexesUpgraded
    | LineRaised
    | LinesLost
    | TroopsOffered
    | TroopsRaised
    | UndergroundLeft
    | Repaired
    | Upgraded
    | BuildingChanged
    | Mended
    | Dismantled
    | Downgraded
    | Damaged
    | Reinforced
    | ObjectiveMet
    | DropsCounted
    | Moved
    | Boarded
    | Restowed
    | Landed
    | LandingDeclared
    | LandingCancelled
    | WarDeclared
    | AllianceMade
    | AllianceDeclined
    | AllianceBroken
    | Restrained
    | LandOpened
    | NeutralJoined
    | NeutralDefended
    | CapitalNamed
    | LeaningChanged
    | NeutralViolated
    | Captured
    | BattlesDeclined
    | BattleOpened
    | BattleChanged
    | Asked
    | Answered
    | Intercepted
    | SortiesWent
    | Launched
    | Returned
    | FlewOn
    | Ambushed
    | TurnedBack
    | RoundBegan
    | CasualtiesChosen
    | Lost
    | Hurt
    | Dropped
    | SetDown
    | Withdrew
    | Surfaced
    | StrandedLanded
    | AdriftSettled
    | BattleEnded
    | ShipsAssigned
    | FleetJoined
    | SupportGiven
    | Loaded
    | BombsReturned
    | ComplexDestroyed
    | CommandosSent
    | CommandosDeclined
    | RocketDeclined
    | RocketFired
    | Placed
    | Forfeited
    | Kept
    | Surrendered
    | Noted
    | GoalReached
    | GoalLost
    | Won
)


def replace(state: State, **fields: object) -> State:
    return msgspec.structs.replace(state, **fields)


def apply_changes(state: State, changes: tuple[Change, ...]) -> State:
    units = dict(state.units)
    for change in changes:
        stack = add(take(units.get(change.space, {}), change.minus), change.plus)
        if stack:
            units[change.space] = stack
        else:
            units.pop(change.space, None)
    return replace(state, units=units)


def fold(world: World, state: State, event: AnyEvent) -> State:
    """The state after the event."""
    changes: tuple[Change, ...] = getattr(event, "changes", ())
    if changes:
        state = apply_changes(state, changes)
    match event:
        # the commonest first: patterns are tried one after the other
        case Moved():
            return state  # its changes are all
        case BattleChanged(battle=battle):
            return replace(state, battle=battle)
        case PhaseBegan(phase=phase, index=index):
            if phase == "noncombat-move":
                rested = {s: _after_combat(world, k) for s, k in state.units.items()}
                state = replace(state, units=rested, sorties=Sorties())
                if world.rules.interdiction:
                    state = _recovered(world, state, event.power)
            if phase == "combat-move":  # each power that acts fights its own battles
                state = replace(state, fought=(), declined=(), costly=(), sorties=Sorties(), adrift=())
            if phase == "mobilize":
                state = _with_what_waited(world, state)
            return replace(state, phase=index)
        case Rolled(faces=faces):
            return replace(state, rolls=state.rolls + len(faces))
        case Paid(power=power, amount=amount):
            return replace(state, treasury={**state.treasury, power: state.treasury[power] + amount})
        case Lost(space=space, units=units):
            return _with_cost(world, _with_adrift(world, state, space, units), space, units)
        case CasualtiesChosen(battle=battle) | RoundBegan(battle=battle):
            return replace(state, battle=battle)
        case Placed(power=power, space=space, units=units):
            state = _with_new(world, _with_what_waited(world, state), power, {unit: -n for unit, n in units})
            total = sum(n for unit, n in units if unit_type(world, state, power, unit).domain != "facility")
            placed = {**state.placed, space: state.placed.get(space, 0) + total} if total else state.placed
            big = sum(n for unit, n in units if unit_type(world, state, power, unit).built_at is not None)
            large = {**state.placed_big, space: state.placed_big.get(space, 0) + big} if big else state.placed_big
            return replace(state, placed=placed, placed_big=large)
        case Bought():
            return _with_bought(world, state, event)
        case BattleOpened(battle=battle):
            return replace(state, battle=battle)
        case BattleEnded(space=space, kind=kind):
            fought = (*state.fought, space) if world.battles[kind].counts else state.fought
            state = replace(state, battle=None, fought=fought)
            if world.battles[kind].air:
                met = (*state.sorties.met, (kind, space))
                return replace(state, sorties=msgspec.structs.replace(state.sorties, met=met))
            return state
        case Asked(question=question):
            return replace(state, questions=(*state.questions, question))
        case Answered(question=question):
            return replace(state, questions=tuple(q for q in state.questions if q is not question))
        case TurnBegan(round=number, turn=turn):
            before = world.order[state.turn]
            goes_on = world.powers[world.order[turn]].continues == before and number == state.round  # MX19-14
            waiting = {**state.waiting, before: state.pool_of(world, before)} if state.pool else state.waiting
            return replace(
                state,
                round=number,
                turn=turn,
                phase=0,
                units=_all_rested(world, state.units),
                start_owners=state.start_owners if goes_on else state.owners,
                researched=False,
                advanced=(),
                begun=0,
                spied="",
                bought={},
                budget=None,
                moves=None,
                surprise=(),
                sent=0,
                back=0,
                focused=False,
                rebuffed=(),
                aided=False,
                rocket="",
                launched=(),
                placed={},
                placed_big={},
                upgraded=(),
                pool={},
                waiting=waiting,
                repaired={},
                fought=(),
                declined=(),
                costly=(),
                adrift=(),
                drops=0,
                unpaid_drops=0,
                new_wars=(),
            )
        case Captured(space=space, owner=owner):
            return _change_owner(world, state, space, owner)
        case Researched():
            return replace(state, researched=True)
        case Focused():
            return replace(state, focused=True)
        case ResearchersChanged(power=power, total=total):
            return replace(state, tokens={p: n for p, n in {**state.tokens, power: total}.items() if n})
        case EventDrawn(card=card, fresh=fresh):
            return replace(state, event=card, drawn=(card,) if fresh else (*state.drawn, card))
        case BreakthroughMade():
            return replace(state, breakthrough=True)
        case ProjectAdvanced():
            return _with_project(world, state, event)
        case ProjectRevealed(power=power, technology=tech):
            return replace(state, revealed=tuple(sorted({*state.revealed, (power, tech)})))
        case SpiesUsed():
            return replace(state, spied="used")
        case SpiesStopped():
            return replace(state, spied="stopped")
        case PilotsTrained(power=power, level=level):
            return replace(state, pilots={p: n for p, n in {**state.pilots, power: level}.items() if n})
        case TechGained(power=power, technology=tech):
            known = state.techs.get(power, frozenset()) | {tech}
            state = _without_project(state, power, tech)
            leaderless = state.leaderless if world.technologies[tech].leader is None else (*state.leaderless, power)
            return replace(state, techs={**state.techs, power: known}, breakthrough=False, leaderless=leaderless)
        case Funded(power=power):
            return replace(state, unfunded=tuple(p for p in state.unfunded if p != power))
        case LeaderNamed(power=power):
            return replace(state, leaderless=tuple(p for p in state.leaderless if p != power))
        case AidSent():
            return replace(state, aided=True)
        case DropsCounted(paid=paid, unpaid=unpaid):
            return replace(state, drops=paid, unpaid_drops=unpaid)
        case Reinforced(power=power, units=units):
            return _with_new(world, state, power, dict(units))
        case BudgetSet(amount=amount):
            return replace(state, budget=amount)
        case MovesAllowed(number=number):
            return replace(state, moves=number)
        case SurprisePlanned(power=power, space=space):
            planned = replace(state, surprise=(*state.surprise, space))
            return planned if state.surprise else _with_spent(planned, f"surprise {power}")
        case ComplexLifted():
            return _with_lifted(state, event)
        case ComplexSettled(power=power, space=space, unit=unit, moving=moving):
            special = world.powers[power].special.relocation
            worth = {**state.worth, space: state.worth.get(space, 0) + (special.value if special is not None else 0)}
            upgraded = (*state.upgraded, space) if moving.upgraded else state.upgraded
            moved = tuple(m for m in state.moving if m != moving)
            state = replace(state, moving=moved, worth=worth, upgraded=upgraded)
            return _with_damage(state, space, unit, moving.damage)
        case MovingChanged(before=before_this, now=now):
            return replace(state, moving=tuple(now if m == before_this else m for m in state.moving))
        case ComplexesUpgraded(power=power, spaces=spaces, unit=unit, becomes=becomes):
            for space in spaces:
                markers = state.damage.get(space, {}).get(unit, 0)
                state = _with_damage(_with_damage(state, space, unit, -markers), space, becomes, markers)
            return _with_spent(state, f"industry {power}")
        case LineRaised(space=space):
            return _with_spent(state, f"line {space}")
        case LinesLost(power=power, spaces=spaces, until=until):
            for space in spaces:
                unit = next(line.unit for line in world.powers[power].special.lines if line.place == space)
                state = _with_damage(state, space, unit, -state.damage.get(space, {}).get(unit, 0))
            return _with_spent(state, f"lines until {until}")
        case TroopsOffered(power=power):
            return _with_spent(state, f"liberation {power}")
        case Upgraded(space=space):
            return replace(state, upgraded=(*state.upgraded, space))
        case BuildingChanged(space=space, unit=unit, left=left):
            return _with_chips(state, space, unit, left)
        case Dismantled(space=space, unit=unit):
            state = _with_damage(state, space, unit, -state.damage.get(space, {}).get(unit, 0))
            return _with_chips(state, space, unit, 0)
        case Downgraded(space=space, old=old, unit=unit, damage=damage):
            chips = state.building.get(space, {}).get(old, 0)
            state = _with_chips(_with_chips(state, space, old, 0), space, unit, chips)
            state = _with_damage(state, space, old, -state.damage.get(space, {}).get(old, 0))
            return _with_damage(state, space, unit, damage)
        case Damaged(space=space, unit=unit, points=points):
            return _with_damage(state, space, unit, points)
        case Repaired(power=power, space=space, unit=unit, points=points):
            state = _with_damage(state, space, unit, -points)
            markers = points if unit_type(world, state, power, unit).complex else 0
            repaired = {**state.repaired, space: state.repaired.get(space, 0) + markers}
            return replace(state, repaired=repaired)
        case NeutralJoined(power=power, space=space):
            return _change_owner(world, state, space, power)
        case CapitalNamed(power=power, space=space):
            own = world.powers[power].capital == space
            others = {p: s for p, s in state.capitals.items() if p != power}
            return replace(state, capitals=others if own else {**others, power: space})
        case LeaningChanged(spaces=spaces, leaning=leaning):
            return replace(state, leanings={**state.leanings, **dict.fromkeys(spaces, leaning)})
        case WarDeclared(power=power, on=on, pairs=pairs):
            attacker = world.powers[on].special.surprise
            if attacker is not None and attacker.before == power:  # nobody is surprised any more
                state = _with_spent(state, f"surprise {on}")
            stances = state.stances or Stances()
            new = tuple(p for p in pairs if p not in stances.wars)
            stances = msgspec.structs.replace(stances, wars=stances.wars | set(pairs))
            return replace(state, stances=stances, new_wars=(*state.new_wars, *new))
        case Restrained(pairs=pairs):
            return replace(state, stances=msgspec.structs.replace(state.stances or Stances(), bound=pairs))
        case LandOpened(space=space):
            opened = (*state.permitted, space)
            return replace(state, permitted=tuple(s for s in world.spaces if s in opened))
        case AllianceMade(power=power, partner=partner):
            return _with_alliances(state, frozenset({pair(power, partner)}), frozenset())
        case AllianceDeclined(partner=partner):
            return replace(state, rebuffed=(*(p for p in state.rebuffed if p != partner), partner))
        case AllianceBroken(power=power, partner=partner):
            return _with_alliances(state, frozenset(), frozenset({pair(power, partner)}))
        case AdriftSettled(space=space):
            return replace(state, adrift=tuple(zone for zone in state.adrift if zone != space))
        case BattlesDeclined(spaces=spaces):
            return replace(state, declined=(*state.declined, *spaces))
        case SortiesWent(sorties=sorties):
            return replace(state, sorties=sorties)
        case Loaded(power=power, unit=unit, number=number):
            return with_reserve(state, power, unit, -number)
        case BombsReturned(power=power, unit=unit, number=number):
            return with_reserve(state, power, unit, number)
        case ComplexDestroyed(space=space, unit=unit):
            return _with_damage(state, space, unit, -state.damage.get(space, {}).get(unit, 0))
        case CommandosSent(power=power, unit=unit, number=number, lost=lost):
            back = state.back + number - lost
            return replace(with_reserve(state, power, unit, -lost), sent=(state.sent or 0) + number, back=back)
        case CommandosDeclined():
            return replace(state, sent=None)
        case RocketDeclined():
            return replace(state, rocket="declined")
        case RocketFired(gun=gun, target=target):
            last = "fired" if world.rules.rocket_limit == "one" else ""
            return replace(state, rocket=last, launched=(*state.launched, (gun, target)))
        case Forfeited():
            return replace(state, pool={})
        case Noted(fact=fact):
            return replace(state, history=tuple(sorted({*state.history, fact})))
        case GoalReached(victory=victory, who=who, power=power):
            return replace(state, goals={**state.goals, f"{victory} {who}": (power, state.round)})
        case GoalLost(victory=victory, who=who):
            return replace(state, goals={key: goal for key, goal in state.goals.items() if key != f"{victory} {who}"})
        case Won(side=side, power=victor):
            return replace(state, winner=side, victor=victor, over=True)
        case (
            Boarded()
            | Landed()
            | Restowed()
            | LandingDeclared()
            | LandingCancelled()
            | Hurt()
            | Launched()
            | Returned()
            | FlewOn()
            | Ambushed()
            | TurnedBack()
            | Intercepted()
            | Dropped()
            | SetDown()
            | Withdrew()
            | Surfaced()
            | StrandedLanded()
            | ShipsAssigned()
            | FleetJoined()
            | SupportGiven()
            | TroopsRaised()
            | UndergroundLeft()
        ):
            return state  # their changes are all
        case Sabotaged() | ObjectiveMet() | NeutralViolated() | NeutralDefended() | Mended() | Kept() | Surrendered():
            return state  # they tell why something else happens
        case _:
            assert_never(event)  # an event that nobody folds would be lost: the type checker finds it


def _with_spent(state: State, right: str) -> State:
    return replace(state, spent={**state.spent, right: state.spent.get(right, 0) + 1})


def _with_lifted(state: State, event: ComplexLifted) -> State:
    damage = state.damage.get(event.space, {}).get(event.unit, 0)
    moving = Moving(event.power, event.unit, event.space, event.to, state.round, damage)
    state = _with_damage(state, event.space, event.unit, -damage)
    return _with_spent(replace(state, moving=(*state.moving, moving)), f"moved {event.space}")


def _with_project(world: World, state: State, event: ProjectAdvanced) -> State:
    running = state.projects.get(event.power, {})
    letters = state.lettered.get(event.power, ())
    if world.rules.blind_research and event.technology not in letters:
        state = replace(state, lettered={**state.lettered, event.power: (*letters, event.technology)})
    projects = {**state.projects, event.power: {**running, event.technology: event.place}}
    if event.spaces <= 0:
        return replace(state, projects=projects)
    begun = state.begun + (event.technology not in running)
    advanced = state.advanced if event.technology in state.advanced else (*state.advanced, event.technology)
    return replace(state, projects=projects, begun=begun, advanced=advanced)


def _without_project(state: State, power: PowerId, tech: TechId) -> State:
    """What is developed is no project any more."""
    if tech not in state.projects.get(power, {}):
        return state
    left = {t: n for t, n in state.projects[power].items() if t != tech}
    projects = {p: running for p, running in {**state.projects, power: left}.items() if running}
    revealed = tuple(known for known in state.revealed if known != (power, tech))
    return replace(state, projects=projects, revealed=revealed)


def _with_what_waited(world: World, state: State) -> State:
    """The pool of the power whose turn it is takes in what that power could not place before."""
    power = world.order[state.turn]
    if power not in state.waiting:
        return state
    waiting = {p: units for p, units in state.waiting.items() if p != power}
    return replace(state, pool=state.pool_of(world, power), waiting=waiting)


def _with_bought(world: World, state: State, event: Bought) -> State:
    """The state with what was bought: to be placed, or in reserve; what is limited in number is counted."""
    power = event.power
    kinds = {unit: unit_type(world, state, power, unit) for unit, _ in event.units}
    state = _with_new(world, state, power, {unit: n for unit, n in event.units if not kinds[unit].reserve})
    for unit, n in event.units:
        kind = kinds[unit]
        if kind.reserve:
            state = with_reserve(state, power, unit, n)
        if kind.most_a_turn is not None:
            state = replace(state, bought={**state.bought, unit: state.bought.get(unit, 0) + n})
        if kind.most_a_game is not None:
            key = f"{unit} {power}"
            state = replace(state, spent={**state.spent, key: state.spent.get(key, 0) + n})
    return state


def with_reserve(state: State, power: PowerId, unit: UnitId, change: int) -> State:
    """The state with more or fewer units of the power off the board."""
    before = state.reserve.get(power, {})
    now = {u: n for u, n in {**before, unit: before.get(unit, 0) + change}.items() if n}
    return replace(state, reserve={p: units for p, units in {**state.reserve, power: now}.items() if units})


def _with_new(world: World, state: State, power: PowerId, change: Mapping[UnitId, int]) -> State:
    """The state with more or fewer units of the power waiting to be placed."""
    own = power == world.order[state.turn]
    before = state.pool if own else state.waiting.get(power, {})
    now = {
        unit: n
        for unit in (*before, *(u for u in change if u not in before))
        if (n := before.get(unit, 0) + change.get(unit, 0))
    }
    if own:
        return replace(state, pool=now)
    waiting = {p: units for p, units in {**state.waiting, power: now}.items() if units}
    return replace(state, waiting=waiting)


def _with_alliances(state: State, more: frozenset[Pair], less: frozenset[Pair]) -> State:
    stances = state.stances or Stances()
    return replace(state, stances=msgspec.structs.replace(stances, alliances=(stances.alliances | more) - less))


def _with_cost(world: World, state: State, space: SpaceId, units: Units) -> State:
    """Remember a sea battle in which the attacker loses something, where landings may then be thought over."""
    battle = state.battle
    if battle is None or space in state.costly or not world.rules.landings_reconsidered:
        return state
    if not world.battles[battle.kind].clears:
        return state
    if not any(piece.power == battle.attacker for piece, _ in units):
        return state
    return replace(state, costly=(*state.costly, space))


def _with_adrift(world: World, state: State, space: SpaceId, units: Units) -> State:
    """Remember where defending carriers went down, if their planes look for a place only when all is fought."""
    battle = state.battle
    if battle is None or not battle.late or space in state.adrift:
        return state
    if not any(p.power != battle.attacker and type_of(world, state, p).deck for p, _ in units):
        return state
    return replace(state, adrift=(*state.adrift, space))


def _with_chips(state: State, space: SpaceId, unit: UnitId, left: int) -> State:
    """So many turns are left until the facility there works."""
    here = {u: n for u, n in {**state.building.get(space, {}), unit: left}.items() if n}
    return replace(state, building={s: k for s, k in {**state.building, space: here}.items() if k})


def _with_damage(state: State, space: SpaceId, unit: UnitId, change: int) -> State:
    here = dict(state.damage.get(space, {}))
    here[unit] = here.get(unit, 0) + change
    damage = {s: d for s, d in {**state.damage, space: {u: n for u, n in here.items() if n}}.items() if d}
    return replace(state, damage=damage)


def _all_rested(world: World, units: Mapping[SpaceId, Stack]) -> Mapping[SpaceId, Stack]:
    """The board at the beginning of a turn: all free to move, and marks of the last turn gone."""
    return {space: _rested(stack, world.passing) for space, stack in units.items()}


def _rested(stack: Stack, passing: frozenset[MarkId]) -> Stack:
    if all(map(_is_fresh, stack)) and (not passing or all(passing.isdisjoint(p.marks) for p in stack)):
        return stack
    return add({}, ((_rest(p, passing), n) for p, n in stack.items()))


@lru_cache(maxsize=4096)  # the same few pieces are asked about in every turn
def _is_fresh(piece: Piece) -> bool:
    """Nothing has happened to it this turn: most of the board, so it is looked at before anything is built anew."""
    return not (
        piece.used
        or piece.done
        or piece.mark
        or piece.origin
        or piece.cargo
        or piece.target
        or piece.ashore
        or piece.fleet
        or piece.home
        or piece.lift
    )


def _rest(piece: Piece, passing: frozenset[MarkId]) -> Piece:
    cargo = tuple(_rest(p, passing) for p in piece.cargo) if piece.cargo else ()
    marks = tuple(mark for mark in piece.marks if mark not in passing) if piece.marks else ()
    return Piece(piece.power, piece.type, hits=piece.hits, cargo=cargo, marks=marks)


def _after_combat(world: World, stack: Stack) -> Stack:
    """Land and naval units that moved, loaded or landed in the combat move have no move left (CL-NCM-01, CL-TRP-16)."""
    if all(map(_is_fresh, stack)):
        return stack
    return add({}, ((_spent(world, p), n) for p, n in stack.items()))


def _recovered(world: World, state: State, power: PowerId) -> State:
    """Planes of the power that could make no combat move are free again (G40-INT-11)."""
    mark = world.rules.interdiction
    units = dict(state.units)
    for space, stack in state.units.items():
        if any(p.power == power and mark in p.marks for p in stack):
            units[space] = add({}, ((_without_mark(p, mark) if p.power == power else p, n) for p, n in stack.items()))
    return replace(state, units=units)


def _without_mark(piece: Piece, mark: str) -> Piece:
    return msgspec.structs.replace(piece, marks=tuple(m for m in piece.marks if m != mark))


LASTING = ("new", "returned", "ambushed")
"""Marks that tell for the rest of the turn what a unit has done."""


def _spent(world: World, piece: Piece) -> Piece:
    if piece.mark in LASTING:
        return piece
    done = piece.done
    if piece.type not in world.planes:
        took_part = bool(piece.used or piece.origin or piece.mark)
        done = done or took_part or any(p.used or p.target for p in piece.cargo)
    cargo = tuple(msgspec.structs.replace(p, target="", origin="") for p in piece.cargo)
    return msgspec.structs.replace(
        piece, done=done, mark="", origin="", target="", cargo=cargo, ashore=(), fleet="", home=""
    )


def _change_owner(world: World, state: State, space: SpaceId, owner: PowerId) -> State:
    state = replace(state, owners={**state.owners, space: owner})
    stack = state.at(space)
    if not any(p.power != owner and type_of(world, state, p).captured for p in stack):
        return state
    moved = add(
        {}, ((_taken(world, p, owner) if type_of(world, state, p).captured else p, n) for p, n in stack.items())
    )
    return replace(state, units={**state.units, space: moved})


def _taken(world: World, piece: Piece, owner: PowerId) -> Piece:
    """A gun or complex in new hands, which do not know what made it better (MX17-04).

    In some editions a captured gun stays where it is this turn (AN-AAG-09).
    """
    return msgspec.structs.replace(piece, power=owner, done=piece.done or world.rules.captured_guns_rest, marks=())
