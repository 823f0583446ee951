"""Battles, from their opening to what they leave behind."""

from __future__ import annotations

from typing import Literal, assert_never

import msgspec

from sandtable.engine.events.base import Change, Event, replace, with_spent
from sandtable.engine.facts import type_of
from sandtable.engine.state import Battle, State, Units
from sandtable.world.model import PowerId, SpaceId, World

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
Outcome = Literal["attacker", "defender", "both-destroyed", "retreat", "passed", "raid", "stalemate"]


class BattleOpened(Event, frozen=True, tag="battle"):
    battle: Battle
    changes: tuple[Change, ...] = ()  # planes that rise from allied decks


class BattleChanged(Event, frozen=True, tag="battle-progress"):
    """The battle's own bookkeeping moved on; it tells players nothing new."""

    battle: Battle


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
    over: SpaceId | None = None  # where planes came down that were shot at on their way; they count as where they go


class Hurt(Event, frozen=True, tag="hurt"):
    """Ships that took a hit and fight on."""

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


class Surfaced(Event, frozen=True, tag="surfaced"):
    space: SpaceId
    changes: tuple[Change, ...]


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


class BattleEnded(Event, frozen=True, tag="battle-ended"):
    space: SpaceId
    kind: str
    attacker: PowerId
    result: Outcome
    changes: tuple[Change, ...] = ()


class BattlesDeclined(Event, frozen=True, tag="battles-declined"):
    """Enemies that need not be fought are left alone."""

    power: PowerId
    spaces: tuple[SpaceId, ...]


class SurprisePlanned(Event, frozen=True, tag="surprise"):
    """Whoever is attacked in this zone, or from it, will be taken by surprise."""

    power: PowerId
    space: SpaceId


class Ambushed(Event, frozen=True, tag="ambushed"):
    """Submarines fire at ships that enter their zone."""

    power: PowerId
    space: SpaceId
    units: Units
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


BattleEvent = (
    BattleOpened
    | BattleChanged
    | RoundBegan
    | CasualtiesChosen
    | Lost
    | Hurt
    | Withdrew
    | Surfaced
    | SupportGiven
    | ShipsAssigned
    | BattleEnded
    | BattlesDeclined
    | SurprisePlanned
    | Ambushed
    | StrandedLanded
    | AdriftSettled
)


def fold(world: World, state: State, event: BattleEvent) -> State:
    match event:
        case BattleChanged(battle=battle):
            return replace(state, battle=battle)
        case Lost(space=space, units=units):
            return _with_cost(world, _with_adrift(world, state, space, units), space, units)
        case CasualtiesChosen(battle=battle) | RoundBegan(battle=battle):
            return replace(state, battle=battle)
        case BattleOpened(battle=battle):
            return replace(state, battle=battle)
        case BattleEnded(space=space, kind=kind):
            fought = (*state.fought, space) if world.battles[kind].counts else state.fought
            state = replace(state, battle=None, fought=fought)
            if world.battles[kind].air:
                met = (*state.sorties.met, (kind, space))
                return replace(state, sorties=msgspec.structs.replace(state.sorties, met=met))
            return state
        case SurprisePlanned(power=power, space=space):
            planned = replace(state, surprise=(*state.surprise, space))
            return planned if state.surprise else with_spent(planned, f"surprise {power}")
        case AdriftSettled(space=space):
            return replace(state, adrift=tuple(zone for zone in state.adrift if zone != space))
        case BattlesDeclined(spaces=spaces):
            return replace(state, declined=(*state.declined, *spaces))
        case Hurt() | Ambushed() | Withdrew() | Surfaced() | StrandedLanded() | ShipsAssigned() | SupportGiven():
            return state  # their changes are all
        case _:
            assert_never(event)


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
