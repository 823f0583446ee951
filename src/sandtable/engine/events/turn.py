"""The course of the game: turns, phases, dice, questions, and the card of the round."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, assert_never

import msgspec

from sandtable.engine.events.base import Event, replace
from sandtable.engine.events.recruits import with_waiting
from sandtable.engine.state import Mark, Piece, Question, Sorties, Stack, State, add
from sandtable.world.model import MarkId, PowerId, SpaceId, UnitId, World


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


class Asked(Event, frozen=True, tag="asked"):
    """Somebody has to answer something; the open question shows it."""

    question: Question


class Answered(Event, frozen=True, tag="answered"):
    """The question is settled; what came of it is told by other events."""

    question: Question


class EventDrawn(Event, frozen=True, tag="event-drawn"):
    """The card of the round; `fresh`: the deck was shuffled before."""

    card: str
    fresh: bool


TurnEvent = TurnBegan | PhaseBegan | Rolled | Asked | Answered | EventDrawn


def fold(world: World, state: State, event: TurnEvent) -> State:
    match event:
        case PhaseBegan(phase=phase, index=index):
            if phase == "noncombat-move":
                rested = {s: _after_combat(world, k, event.power) for s, k in state.units.items()}
                state = replace(state, units=rested, sorties=Sorties())
                if world.rules.interdiction:
                    state = _recovered(world, state, event.power)
            if phase == "combat-move":  # each power that acts fights its own battles
                state = replace(state, fought=(), declined=(), costly=(), sorties=Sorties(), adrift=())
            if phase == "mobilize":
                state = with_waiting(world, state)
            return replace(state, phase=index)
        case Rolled(faces=faces):
            return replace(state, rolls=state.rolls + len(faces))
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
                refused=(),
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
        case EventDrawn(card=card, fresh=fresh):
            return replace(state, event=card, drawn=(card,) if fresh else (*state.drawn, card))
        case _:
            assert_never(event)


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


def _after_combat(world: World, stack: Stack, power: PowerId) -> Stack:
    """Land and naval units that moved, loaded or landed in the combat move have no move left (CL-NCM-01, CL-TRP-16)."""
    if all(map(_is_fresh, stack)):
        return stack
    return add({}, ((_spent(world, p, power), n) for p, n in stack.items()))


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


LASTING = ("new", "returned", "ambushed")  # marks that tell for the rest of the turn what a unit has done


def _spent(world: World, piece: Piece, power: PowerId) -> Piece:
    if piece.mark in LASTING:
        return piece
    done = piece.done
    if piece.type not in world.planes:
        took_part = bool(piece.used or piece.origin or piece.mark)
        done = done or took_part or any(p.used or p.target for p in piece.cargo)
    cargo = tuple(msgspec.structs.replace(p, target="", origin="") for p in piece.cargo)
    # planes that fought where they were are still in the air, whatever became of their carrier
    mark: Mark = "airborne" if piece.mark == "airborne" and piece.power == power else ""
    return msgspec.structs.replace(
        piece, done=done, mark=mark, origin="", target="", cargo=cargo, ashore=(), fleet="", home=""
    )
