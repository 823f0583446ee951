"""A state as plain data and back: for games that did not start from a scenario's set-up.

Everything read is checked against the world, since it may come from anybody: what gets through names only spaces,
powers and units that exist, in numbers that the engine can carry.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec

from sandtable.engine.conditions.history import in_history
from sandtable.engine.questions import KINDS
from sandtable.engine.state import Battle, Piece, Question, Sorties, Stack, State, with_cargo
from sandtable.errors import SaveError
from sandtable.world.limits import LAST_ROUND, MOST_IN_SPACE, MOST_MONEY, MOST_TOKENS, crowd
from sandtable.world.model import Domain, PowerId, SpaceId, TechId, World

MOST_HIT_GROUPS = 8
MOST_HITS = 10 * MOST_IN_SPACE  # a unit may roll several dice
MOST_ABOARD = 50

Pieces = tuple[tuple[int, Piece], ...]


class _BattleData(Battle, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    doomed: Pieces = ()  # type: ignore[assignment]
    group: Pieces = ()  # type: ignore[assignment]


class _StateData(State, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    units: Mapping[SpaceId, Pieces]  # type: ignore[assignment]
    techs: Mapping[PowerId, tuple[TechId, ...]]  # type: ignore[assignment]
    battle: _BattleData | None = None


def to_data(state: State) -> dict[str, Any]:
    """The fields of the state that differ from the defaults. Mappings keep their order: nothing may depend on it."""
    fields: dict[str, Any] = {name: getattr(state, name) for name in State.__struct_fields__}
    fields["units"] = {space: _pieces(stack) for space, stack in state.units.items()}
    fields["techs"] = {power: tuple(sorted(known)) for power, known in state.techs.items()}
    if state.battle is not None:
        inner: dict[str, Any] = {name: getattr(state.battle, name) for name in Battle.__struct_fields__}
        inner["doomed"] = _pieces(state.battle.doomed)
        inner["group"] = _pieces(state.battle.group)
        fields["battle"] = _BattleData(**inner)
    data: dict[str, Any] = msgspec.to_builtins(_StateData(**fields))
    if data.get("stances") is not None:  # sets have no order, and fingerprints need one
        data["stances"] = {name: sorted(map(list, pairs)) for name, pairs in data["stances"].items()}
    if state.sorties == Sorties():
        data.pop("sorties", None)  # an equal one that is not the default itself would be told
    for hit in data.get("battle", {}).get("hits", ()):
        hit.setdefault("spared", [])  # has always been told, and fingerprints of saved games count on it
    return {name: data[name] for name in State.__struct_fields__ if name in data}


def fingerprint(state: State) -> str:
    """What equal states share, and other ones do not. Fields that a later version adds do not change it by themselves,
    as long as they have their defaults: old games stay loadable."""
    data = to_data(state)
    data["units"] = {space: _sorted(pieces) for space, pieces in data["units"].items()}
    if state.battle is not None:
        for field in ("doomed", "group"):
            if field in data["battle"]:
                data["battle"][field] = _sorted(data["battle"][field])
    return hashlib.blake2b(json.dumps(data, sort_keys=True).encode(), digest_size=16).hexdigest()


def _sorted(pieces: Iterable[Any]) -> list[Any]:
    return sorted(pieces, key=lambda piece: json.dumps(piece, sort_keys=True))


def _pieces(stack: Stack) -> Pieces:
    return tuple((n, piece) for piece, n in stack.items())


def from_data(world: World, data: Mapping[str, Any]) -> State:
    """The state that the data describes. Raises SaveError."""
    try:
        raw = msgspec.convert(data, _StateData)
    except (msgspec.ValidationError, RecursionError) as error:
        raise SaveError(f"The position at the start cannot be read: {error}.") from None
    fields: dict[str, Any] = {name: getattr(raw, name) for name in State.__struct_fields__}
    fields["units"] = {space: _stack(pieces) for space, pieces in raw.units.items()}
    fields["techs"] = {power: frozenset(known) for power, known in raw.techs.items()}
    if raw.battle is not None:
        inner: dict[str, Any] = {name: getattr(raw.battle, name) for name in Battle.__struct_fields__}
        inner["doomed"] = _stack(raw.battle.doomed)
        inner["group"] = _stack(raw.battle.group)
        fields["battle"] = Battle(**inner)
    state = State(**fields)
    _check(world, state)
    return state


def _stack(pieces: Iterable[tuple[int, Piece]]) -> dict[Piece, int]:
    stack: dict[Piece, int] = {}
    for n, piece in pieces:
        if n < 1 or piece in stack:
            raise SaveError("The position at the start counts units in a way that makes no sense.")
        stack[piece] = n
    return stack


# ---------------------------------------------------------------- does it fit the world


def _check(world: World, state: State) -> None:
    _numbers(
        "round, turn or phase",
        (state.round - 1, state.rolls),
        state.round <= LAST_ROUND and 0 <= state.turn < len(world.order) and 0 <= state.phase < len(world.phases),
    )
    for space, stack in state.units.items():
        _known("space", (space,), world.spaces)
        _check_stack(world, stack)
    problem = crowd({space: sum(n for _, n in with_cargo(stack)) for space, stack in state.units.items()})
    if problem is not None:
        raise SaveError(f"The position at the start has {problem}.")
    for owners in (state.owners, state.start_owners):
        _known("space", owners, world.spaces)
        _known("power", owners.values(), world.powers)
    if set(state.treasury) != set(world.powers):
        raise SaveError("The position at the start has to tell the treasury of every power, and of no other.")
    _numbers("money", state.treasury.values(), max(state.treasury.values(), default=0) <= MOST_MONEY)
    _known("power", state.techs, world.powers)
    for known in state.techs.values():
        _known("technology", known, world.technologies)
    _known("power", (*state.waiting, *state.tokens, *state.reserve, *state.projects, *state.pilots), world.powers)
    for running in state.projects.values():
        _known("technology", running, world.technologies)
        _numbers("a project", running.values(), max(running.values(), default=0) < world.rules.track_length)
    _known("event card", [card for card in (state.event, *state.drawn) if card], [card.id for card in world.cards])
    _known("technology", (*state.advanced, *(tech for _, tech in state.revealed)), world.technologies)
    _known("power", state.lettered, world.powers)
    for letters in state.lettered.values():
        _known("technology", letters, world.technologies)
    _known("power", (power for power, _ in state.revealed), world.powers)
    for level in state.pilots.values():
        _numbers("the training of pilots", (), any(step.level == level for step in world.rules.training))
    _numbers("purchases", (state.begun, state.back, *state.bought.values(), *state.spent.values(), state.budget or 0))
    _known("unit", state.bought, world.units)
    _known("space", state.repaired, world.spaces)
    hired = (*state.tokens.values(), *state.repaired.values())
    _numbers("researchers or repairs", hired, max(hired, default=0) <= MOST_TOKENS)
    for new in (state.pool, *state.waiting.values(), *state.reserve.values()):
        _known("unit", new, world.units)
        _numbers("new units", new.values(), sum(new.values()) <= MOST_IN_SPACE)
    for space, facilities in state.damage.items():
        _known("space", (space,), world.spaces)
        _known("unit", facilities, world.units)
        _numbers("damage", facilities.values())
    _known("space", (*state.placed, *state.fought, *state.permitted), world.spaces)
    if state.stances is not None:
        pairs = (*state.stances.wars, *state.stances.alliances, *state.stances.bound)
        _known("power", [power for pair in pairs for power in pair], world.powers)
    _numbers("placed units", state.placed.values())
    for fact in state.history:
        if not in_history(world, fact):
            raise SaveError(f"The position at the start remembers what this game does not ask for: {fact[:60]!r}.")
    for goal, (power, number) in state.goals.items():
        _known("way to win", (goal.partition(" ")[0],), [victory.id for victory in world.victory])
        _known("power", (power,), world.powers)
        _numbers("round", (number - 1,))
    if state.victor is not None:
        _known("power", (state.victor,), world.powers)
    if state.winner is not None:
        _known("side", (state.winner,), world.sides)
    if state.battle is not None:
        _check_battle(world, state.battle)
    for question in state.questions:
        _check_question(world, question)


def _check_question(world: World, question: Question) -> None:
    _known("question", (question.kind,), KINDS)
    _known("power", (question.power,), world.powers)
    _known("space", [space for space in (question.space, *question.places) if space], world.spaces)
    _numbers("a question", (question.count,))
    _check_stack(world, dict(question.units))


def _check_battle(world: World, battle: Battle) -> None:
    _known("kind of battle", (battle.kind,), world.battles)
    _known("space", (battle.space, *battle.origins, *battle.shores, *battle.queue), world.spaces)
    _known("space or unit", battle.told, (*world.spaces, *world.units))
    choosers = (hit.chooser for hit in battle.hits if hit.chooser)
    _known("power", [battle.attacker, *battle.asked, *(power for power, _ in battle.answers), *choosers], world.powers)
    for hit in battle.hits:
        _known("unit or domain", (*hit.spared, *hit.strikes), (*world.units, *get_args(Domain)))
    stacks: list[Iterable[tuple[Piece, int]]] = [battle.doomed.items(), battle.group.items()]
    stacks.extend(units for _, units in battle.answers)
    stacks.extend(hit.victims for hit in battle.hits)
    for units in stacks:
        fighting = dict(units)
        _check_stack(world, fighting)
        _numbers("units in a battle", fighting.values(), sum(fighting.values()) <= MOST_IN_SPACE)
    hits = [hit.count for hit in battle.hits]
    _numbers("hits", hits, len(hits) <= MOST_HIT_GROUPS and sum(hits) <= MOST_HITS)
    _numbers(
        "the step of the battle",
        (battle.step, battle.round, battle.column + 1),
        battle.step <= len(world.battles[battle.kind].steps),
    )


def _check_stack(world: World, stack: Stack) -> None:
    for piece in stack:
        _check_piece(world, piece)
        if len(piece.cargo) > MOST_ABOARD:
            raise SaveError("The position at the start has too many units aboard a transport.")
        for aboard in piece.cargo:
            _check_piece(world, aboard)
            if aboard.cargo:
                raise SaveError("The position at the start has cargo that carries cargo.")


def _check_piece(world: World, piece: Piece) -> None:
    _known("power", (piece.power,), world.powers)
    _known("unit", (piece.type,), world.units)
    _known("space", [space for space in (piece.origin, piece.home) if space], world.spaces)
    if piece.target and piece.target not in world.units:
        _known("space", (piece.target,), world.spaces)
    _known("unit", piece.ashore, world.units)
    _known("mark", piece.marks, (*world.technologies, *world.marks))
    _numbers("moves or hits", (piece.used, piece.hits))


def _known(what: str, found: Iterable[str], known: Iterable[str]) -> None:
    for word in found:
        if word not in known:
            raise SaveError(f"The position at the start names a {what} that does not exist: {word[:60]!r}.")


def _numbers(what: str, found: Iterable[int], condition: bool = True) -> None:
    """None below zero; `record.data` has seen to it that none is too large."""
    if not condition or any(n < 0 for n in found):
        raise SaveError(f"The position at the start has a wrong number for {what}.")
