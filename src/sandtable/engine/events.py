"""Events: what happened, and how it changes the state.

Folding events is the only way a state changes. Most events that touch units carry `changes`: what left and what came to
which space. Everything is plain data, so a log of events can be shown, saved, animated or counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, assert_never

import msgspec

from sandtable.engine.facts import type_of, unit_type
from sandtable.engine.state import Battle, Pair, Piece, Question, Stack, Stances, State, Units, add, take
from sandtable.world.model import PowerId, RuleId, SideId, SpaceId, TechId, UnitId, World

PaidFor = Literal["units", "repair", "research", "income", "objective", "bonds", "neutral", "raid", "rocket", "capital"]
Taking = Literal["capture", "liberation", "restored", "neutral"]
Loss = Literal["battle", "first-shot", "aa", "no-landing", "carrier-sunk", "stalemate", "defenceless"]
Leaving = Literal["retreat", "submarines", "submerged", "planes"]
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

    reason: Literal["research", "breakthrough", "aa", "support", "attack", "defense", "raid", "rocket", "bonds"]
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


class ResearchersChanged(Event, frozen=True, tag="researchers"):
    """Researchers hired, or all of them gone after a breakthrough; `total` is what there are now."""

    power: PowerId
    change: int
    total: int


class BreakthroughMade(Event, frozen=True, tag="breakthrough"):
    """A six: the power names a chart, and a die picks a development from it."""

    power: PowerId


class TechGained(Event, frozen=True, tag="technology"):
    power: PowerId
    technology: TechId


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


class Repaired(Event, frozen=True, tag="repaired"):
    power: PowerId
    space: SpaceId
    unit: UnitId
    points: int
    cost: int


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


class NeutralJoined(Event, frozen=True, tag="neutral-joined"):
    """Neutral land that leaned to the power's side joins it, with its army."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


class LeaningChanged(Event, frozen=True, tag="leaning"):
    """Neutral land leans otherwise from now on, since another neutral was attacked."""

    spaces: tuple[SpaceId, ...]
    leaning: str


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


class BattleChanged(Event, frozen=True, tag="battle-progress"):
    """The battle's own bookkeeping moved on; it tells players nothing new."""

    battle: Battle


class Asked(Event, frozen=True, tag="asked"):
    """Somebody has to answer something; the open question shows it."""

    question: Question


class Answered(Event, frozen=True, tag="answered"):
    """The question is settled; what came of it is told by other events."""

    question: Question


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


class BattleEnded(Event, frozen=True, tag="battle-ended"):
    space: SpaceId
    kind: str
    attacker: PowerId
    result: Outcome
    changes: tuple[Change, ...] = ()


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
    | ResearchersChanged
    | BreakthroughMade
    | TechGained
    | Paid
    | Bought
    | Repaired
    | Damaged
    | Reinforced
    | ObjectiveMet
    | Moved
    | Boarded
    | Restowed
    | Landed
    | LandingDeclared
    | LandingCancelled
    | WarDeclared
    | NeutralJoined
    | LeaningChanged
    | NeutralViolated
    | Captured
    | BattlesDeclined
    | BattleOpened
    | BattleChanged
    | Asked
    | Answered
    | RoundBegan
    | CasualtiesChosen
    | Lost
    | Hurt
    | Dropped
    | Withdrew
    | Surfaced
    | StrandedLanded
    | BattleEnded
    | ShipsAssigned
    | SupportGiven
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
        case TurnBegan(round=number, turn=turn):
            before = world.order[state.turn]
            waiting = {**state.waiting, before: state.reserve(world, before)} if state.pool else state.waiting
            return replace(
                state,
                round=number,
                turn=turn,
                phase=0,
                units={s: _rested(stack) for s, stack in state.units.items()},
                start_owners=state.owners,
                researched=False,
                rocket="",
                launched=(),
                placed={},
                pool={},
                waiting=waiting,
                repaired={},
                fought=(),
                declined=(),
                costly=(),
            )
        case PhaseBegan(phase=phase, index=index):
            if phase == "noncombat-move":
                state = replace(state, units={s: _after_combat(world, k) for s, k in state.units.items()})
            if phase == "combat-move":  # each power that acts fights its own battles
                state = replace(state, fought=(), declined=(), costly=())
            if phase == "mobilize":
                state = _with_what_waited(world, state)
            return replace(state, phase=index)
        case Rolled(faces=faces):
            return replace(state, rolls=state.rolls + len(faces))
        case Researched():
            return replace(state, researched=True)
        case ResearchersChanged(power=power, total=total):
            return replace(state, tokens={p: n for p, n in {**state.tokens, power: total}.items() if n})
        case BreakthroughMade():
            return replace(state, breakthrough=True)
        case TechGained(power=power, technology=tech):
            known = state.techs.get(power, frozenset()) | {tech}
            return replace(state, techs={**state.techs, power: known}, breakthrough=False)
        case Paid(power=power, amount=amount):
            return replace(state, treasury={**state.treasury, power: state.treasury[power] + amount})
        case Bought(power=power, units=units) | Reinforced(power=power, units=units):
            return _with_new(world, state, power, dict(units))
        case Damaged(space=space, unit=unit, points=points):
            return _with_damage(state, space, unit, points)
        case Repaired(space=space, unit=unit, points=points):
            state = _with_damage(state, space, unit, -points)
            repaired = {**state.repaired, space: state.repaired.get(space, 0) + points}
            return replace(state, repaired=repaired)
        case NeutralJoined(power=power, space=space):
            return _change_owner(world, state, space, power)
        case LeaningChanged(spaces=spaces, leaning=leaning):
            return replace(state, leanings={**state.leanings, **dict.fromkeys(spaces, leaning)})
        case WarDeclared(pairs=pairs):
            stances = state.stances or Stances()
            return replace(state, stances=msgspec.structs.replace(stances, wars=stances.wars | set(pairs)))
        case Captured(space=space, owner=owner):
            return _change_owner(world, state, space, owner)
        case Lost(space=space, units=units):
            return _with_cost(world, state, space, units)
        case BattlesDeclined(spaces=spaces):
            return replace(state, declined=(*state.declined, *spaces))
        case BattleOpened(battle=battle):
            return replace(state, battle=battle)
        case BattleChanged(battle=battle) | RoundBegan(battle=battle) | CasualtiesChosen(battle=battle):
            return replace(state, battle=battle)
        case Asked(question=question):
            return replace(state, questions=(*state.questions, question))
        case Answered(question=question):
            return replace(state, questions=tuple(q for q in state.questions if q is not question))
        case BattleEnded(space=space, kind=kind):
            fought = (*state.fought, space) if world.battles[kind].counts else state.fought
            return replace(state, battle=None, fought=fought)
        case RocketDeclined():
            return replace(state, rocket="declined")
        case RocketFired(gun=gun, target=target):
            last = "fired" if world.rules.rocket_limit == "one" else ""
            return replace(state, rocket=last, launched=(*state.launched, (gun, target)))
        case Placed(power=power, space=space, units=units):
            state = _with_new(world, _with_what_waited(world, state), power, {unit: -n for unit, n in units})
            total = sum(n for unit, n in units if not unit_type(world, state, power, unit).factory)
            placed = {**state.placed, space: state.placed.get(space, 0) + total} if total else state.placed
            return replace(state, placed=placed)
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
            Moved()
            | Boarded()
            | Restowed()
            | Landed()
            | LandingDeclared()
            | LandingCancelled()
            | Hurt()
            | Dropped()
            | Withdrew()
            | Surfaced()
            | StrandedLanded()
            | ShipsAssigned()
            | SupportGiven()
        ):
            return state  # their changes are all
        case ObjectiveMet() | NeutralViolated() | Kept() | Surrendered():
            return state  # they tell why something else happens
        case _:
            assert_never(event)  # an event that nobody folds would be lost: the type checker finds it


def _with_what_waited(world: World, state: State) -> State:
    """The pool of the power whose turn it is takes in what that power could not place before."""
    power = world.order[state.turn]
    if power not in state.waiting:
        return state
    waiting = {p: units for p, units in state.waiting.items() if p != power}
    return replace(state, pool=state.reserve(world, power), waiting=waiting)


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


def _with_damage(state: State, space: SpaceId, unit: UnitId, change: int) -> State:
    here = dict(state.damage.get(space, {}))
    here[unit] = here.get(unit, 0) + change
    damage = {s: d for s, d in {**state.damage, space: {u: n for u, n in here.items() if n}}.items() if d}
    return replace(state, damage=damage)


def _rested(stack: Stack) -> Stack:
    """The stack at the beginning of a turn: all free to move."""
    if all(p == Piece(p.power, p.type, hits=p.hits, marks=p.marks) for p in stack):
        return stack
    return add({}, ((_rest(p), n) for p, n in stack.items()))


def _rest(piece: Piece) -> Piece:
    cargo = tuple(_rest(p) for p in piece.cargo)
    return Piece(piece.power, piece.type, hits=piece.hits, cargo=cargo, marks=piece.marks)


def _after_combat(world: World, stack: Stack) -> Stack:
    """Land and naval units that moved, loaded or landed in the combat move have no move left (CL-NCM-01, CL-TRP-16)."""
    return add({}, ((_spent(world, p), n) for p, n in stack.items()))


def _spent(world: World, piece: Piece) -> Piece:
    if piece.mark == "new":
        return piece
    done = piece.done
    if world.units[piece.type].domain != "air":
        took_part = bool(piece.used or piece.origin or piece.mark)
        done = done or took_part or any(p.used or p.target for p in piece.cargo)
    cargo = tuple(msgspec.structs.replace(p, target="", origin="") for p in piece.cargo)
    return msgspec.structs.replace(piece, done=done, mark="", origin="", target="", cargo=cargo, ashore=())


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
    """A gun or complex in new hands; in some editions a captured gun stays where it is this turn (AN-AAG-09)."""
    return msgspec.structs.replace(piece, power=owner, done=piece.done or world.rules.captured_guns_rest)
