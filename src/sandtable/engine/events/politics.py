"""Powers, neutrals and their land: wars, alliances, and who controls what."""

from __future__ import annotations

from typing import Literal, assert_never

import msgspec

from sandtable.engine.events.base import Change, Event, replace, with_spent
from sandtable.engine.facts import type_of
from sandtable.engine.state import Pair, Piece, Stances, State, Units, add, pair
from sandtable.world.model import PowerId, SpaceId, World

Taking = Literal["capture", "liberation", "restored", "neutral", "occupied"]


class WarDeclared(Event, frozen=True, tag="war"):
    """A power goes to war; `pairs` are all that are at war by it, those drawn in included."""

    power: PowerId
    on: PowerId
    pairs: tuple[Pair, ...]


class AllianceMade(Event, frozen=True, tag="alliance"):
    """Two powers are allied from now on; the first one has offered it."""

    power: PowerId
    partner: PowerId


class SharingDeclined(Event, frozen=True, tag="sharing-declined"):
    """The host did not agree to a move of an ally into its land, or onto its decks and transports."""

    power: PowerId
    host: PowerId
    space: SpaceId
    order: str


class AllianceDeclined(Event, frozen=True, tag="alliance-declined"):
    power: PowerId
    partner: PowerId  # who did not want it


class AllianceBroken(Event, frozen=True, tag="alliance-broken"):
    """Two powers are enemies from now on; the first one has wanted it so."""

    power: PowerId
    partner: PowerId


class Restrained(Event, frozen=True, tag="restrained"):
    """Who has to leave whom alone from now on."""

    pairs: tuple[Pair, ...]


class LandOpened(Event, frozen=True, tag="opened"):
    """A power lets allies into a territory of its own, for good."""

    power: PowerId
    space: SpaceId


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


class NeutralViolated(Event, frozen=True, tag="neutral"):
    power: PowerId
    space: SpaceId
    fee: int


class LeaningChanged(Event, frozen=True, tag="leaning"):
    """Neutral land leans otherwise from now on, since another neutral was attacked."""

    spaces: tuple[SpaceId, ...]
    leaning: str


class CapitalNamed(Event, frozen=True, tag="capital"):
    """A power has a capital elsewhere, or its own again."""

    power: PowerId
    space: SpaceId


class Captured(Event, frozen=True, tag="captured"):
    """Land changes hands. Guns and complexes in it follow."""

    space: SpaceId
    by: PowerId
    owner: PowerId  # who holds it now: the captor, or the ally to whom it was restored
    previous: PowerId | None
    reason: Taking


PoliticsEvent = (
    WarDeclared
    | AllianceMade
    | AllianceDeclined
    | SharingDeclined
    | AllianceBroken
    | Restrained
    | LandOpened
    | NeutralJoined
    | NeutralDefended
    | NeutralViolated
    | LeaningChanged
    | CapitalNamed
    | Captured
)


def fold(world: World, state: State, event: PoliticsEvent) -> State:
    match event:
        case Captured(space=space, owner=owner):
            return _change_owner(world, state, space, owner)
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
                state = with_spent(state, f"surprise {on}")
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
        case SharingDeclined(order=order):
            return replace(state, refused=(*state.refused, order))
        case AllianceDeclined(partner=partner):
            return replace(state, rebuffed=(*(p for p in state.rebuffed if p != partner), partner))
        case AllianceBroken(power=power, partner=partner):
            return _with_alliances(state, frozenset(), frozenset({pair(power, partner)}))
        case NeutralViolated() | NeutralDefended():
            return state  # they tell why something else happens
        case _:
            assert_never(event)


def _with_alliances(state: State, more: frozenset[Pair], less: frozenset[Pair]) -> State:
    stances = state.stances or Stances()
    return replace(state, stances=msgspec.structs.replace(stances, alliances=(stances.alliances | more) - less))


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
