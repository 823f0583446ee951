"""A position: a patch on a scenario's set-up, as case files and bug reports give it (docs/reference/cases.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.engine.conditions.history import in_history
from sandtable.engine.damage import most_damage
from sandtable.engine.facts import NOTHING_KNOWN, in_brackets, phase_index, turn_index
from sandtable.engine.movement.cargo import fits, has_room
from sandtable.engine.start import starting_state
from sandtable.engine.state import Piece, State, add, load, take, with_cargo
from sandtable.errors import NotationError
from sandtable.notation.names import names
from sandtable.notation.parse import parse_units
from sandtable.world.limits import LAST_ROUND, MOST_IN_SPACE, MOST_MONEY, MOST_TOKENS, crowd
from sandtable.world.model import World

FIELDS = (
    "clear", "units", "marks", "cargo", "damage", "control", "treasury", "technologies", "tokens", "waiting", "at_war",
    "history", "round", "turn", "phase",
)  # fmt: skip


def patched_state(world: World, patch: Mapping[str, Any]) -> State:
    """The scenario's starting state with the patch applied, its turn begun. Raises NotationError."""
    for field in patch:
        if field not in FIELDS:
            raise NotationError(f"position: {field!r} is unknown; known are {', '.join(FIELDS)}.")
    try:
        return _patched(world, patch)
    except (AttributeError, TypeError, ValueError, KeyError) as error:
        raise NotationError(f"position: {error}") from None


def _patched(world: World, patch: Mapping[str, Any]) -> State:
    state = starting_state(world)
    units = {space: dict(stack) for space, stack in state.units.items()}
    find = {what: names(world, what).find for what in ("space", "power", "unit", "technology")}
    clear = patch.get("clear") or ()
    if clear == "all":
        units.clear()
    elif isinstance(clear, str):
        raise NotationError("position: clear takes a list of spaces, or all.")
    else:
        for text in clear:
            units.pop(find["space"](text), None)
    aboard: list[tuple[str, str, str, int]] = []
    for space_text, powers in (patch.get("units") or {}).items():
        space = find["space"](space_text)
        for power_text, pieces in (powers or {}).items():
            power = find["power"](power_text)
            for unit_text, n in (pieces or {}).items():
                unit = find["unit"](unit_text)
                stack = {p: k for p, k in units.get(space, {}).items() if (p.power, p.type) != (power, unit)}
                _check_number(n, f"units.{space}.{power}.{unit}", most=MOST_IN_SPACE)
                if world.spaces[space].is_sea and world.units[unit].domain == "facility":
                    raise NotationError(f"position: {unit} cannot stand in {space}.")
                if world.spaces[space].is_sea and world.units[unit].domain == "land":
                    aboard.append((space, power, unit, n))  # land units at sea are aboard transports
                    continue
                if world.spaces[space].is_land and world.units[unit].domain == "sea":
                    raise NotationError(f"position: {unit} cannot stand on land ({space}).")
                units[space] = add(stack, ((Piece(power, unit), n),))
    for space_text, powers in (patch.get("marks") or {}).items():
        space = find["space"](space_text)
        for power_text, kinds in (powers or {}).items():
            power = find["power"](power_text)
            for unit_text, lists in (kinds or {}).items():
                unit = find["unit"](unit_text)
                units[space] = _marked(world, units.get(space, {}), power, unit, lists, space)
    for space_text, powers in (patch.get("cargo") or {}).items():
        space = find["space"](space_text)
        for power_text, ships in (powers or {}).items():
            power = find["power"](power_text)
            for unit_text, loads in (ships or {}).items():
                ship = find["unit"](unit_text)
                _check_number(len(loads or ()), f"cargo.{space}.{power}.{ship}", most=MOST_IN_SPACE)
                missing = len(loads or ()) - units.get(space, {}).get(Piece(power, ship), 0)
                units[space] = add(units.get(space, {}), ((Piece(power, ship), max(0, missing)),))
                for cargo in loads or ():
                    units[space] = _loaded(world, units.get(space, {}), power, ship, cargo or {}, space)
    for space, power, unit, n in aboard:
        for _ in range(n):
            units[space] = _embarked(world, units.get(space, {}), power, unit, space)
    for space, stack in units.items():
        _check_decks(world, space, stack)
    problem = crowd({space: sum(n for _, n in with_cargo(stack)) for space, stack in units.items()})
    if problem is not None:
        raise NotationError(f"position: {problem}.")
    owners = dict(state.owners)
    for space_text, owner in (patch.get("control") or {}).items():
        space = find["space"](space_text)
        if world.spaces[space].is_sea:
            raise NotationError(f"position: {space} is a sea zone and has no owner.")
        if owner in (None, "neutral", "none"):
            owners.pop(space, None)
            continue
        power = owners[space] = find["power"](owner)
        units[space] = add(
            {},
            (
                (msgspec.structs.replace(p, power=power) if world.units[p.type].captured else p, n)
                for p, n in units.get(space, {}).items()
            ),
        )
    treasury = dict(state.treasury)
    for power_text, money in (patch.get("treasury") or {}).items():
        _check_number(money, f"treasury.{power_text}", most=MOST_MONEY)
        treasury[find["power"](power_text)] = money
    techs = dict(state.techs)
    for power_text, known in (patch.get("technologies") or {}).items():
        techs[find["power"](power_text)] = frozenset(find["technology"](t) for t in known or ())
    damage = _damage(world, patch.get("damage") or {}, units)
    tokens: dict[str, int] = {}
    for power_text, n in (patch.get("tokens") or {}).items():
        _check_number(n, f"tokens.{power_text}", most=MOST_TOKENS)
        tokens[find["power"](power_text)] = n
    waiting: dict[str, dict[str, int]] = {}
    for power_text, new in (patch.get("waiting") or {}).items():
        for unit_text, n in (new or {}).items():
            _check_number(n, f"waiting.{power_text}.{unit_text}", least=1, most=MOST_IN_SPACE)
            waiting.setdefault(find["power"](power_text), {})[find["unit"](unit_text)] = n
    if patch.get("at_war") is not None and not all(len(pair) == 2 for pair in patch["at_war"]):
        raise NotationError("position: at_war is a list of pairs of powers.")
    history = tuple(sorted({str(fact) for fact in patch.get("history") or ()}))
    for fact in history:
        if not in_history(world, fact):
            raise NotationError(f"position: no condition of this game asks for {fact!r}.")
    number = patch.get("round", 1)
    _check_number(number, "round", least=1, most=LAST_ROUND)
    turn, phase = _moment(world, find["power"](patch.get("turn") or world.order[0]), patch.get("phase"))
    return msgspec.structs.replace(
        state,
        round=number,
        turn=turn,
        phase=phase,
        units={s: k for s, k in units.items() if k},
        owners=owners,
        start_owners=owners,
        treasury=treasury,
        techs=techs,
        damage=damage,
        tokens={power: n for power, n in tokens.items() if n},
        pool=waiting.pop(world.order[turn], {}) if world.phases[phase] in ("mobilize", "income") else {},
        waiting=waiting,
        history=history,
    )


def _moment(world: World, power: str, phase: str | None) -> tuple[int, int]:
    """Whose turn and which phase, as indices.

    A power that another one plays acts in that one's turn; a phase without a part of its own they share.
    """
    if phase is not None and phase not in world.phases:
        phases = ", ".join(dict.fromkeys(world.phases))
        raise NotationError(f"position: there is no phase {phase!r}; phases are {phases}.")
    if phase is None:
        part = (p for p, actor in zip(world.phases, world.actors, strict=True) if actor == power)
        phase = next(part, world.phases[0])
    return turn_index(world, power), phase_index(world, power, phase)


def _damage(
    world: World, wanted: Mapping[str, Any], units: Mapping[str, Mapping[Piece, int]]
) -> dict[str, dict[str, int]]:
    """Markers by space and facility; only on a facility that is there, and no more than it can take."""
    damage: dict[str, dict[str, int]] = {}
    for space_text, facilities in wanted.items():
        space = names(world, "space").find(space_text)
        for unit_text, n in facilities.items():
            unit = names(world, "unit").find(unit_text)
            _check_number(n, f"damage.{space}.{unit}", most=MOST_MONEY)
            if not any(piece.type == unit for piece in units.get(space, ())):
                raise NotationError(f"position: there is no {unit} in {space} to damage.")
            if n > most_damage(world, space):
                raise NotationError(
                    f"position: the {unit} in {space} takes {most_damage(world, space)} damage at most."
                )
            if n:
                damage.setdefault(space, {})[unit] = n
    return damage


def _check_number(n: object, field: str, least: int = 0, *, most: int) -> None:
    if not isinstance(n, int) or isinstance(n, bool) or not least <= n <= most:
        raise NotationError(f"position: {field} must be a whole number from {least} to {most:,}, not {n!r}.")


def _loaded(
    world: World, stack: dict[Piece, int], power: str, ship: str, cargo: Mapping[str, Any], space: str
) -> dict[Piece, int]:
    """The stack with one of its empty ships carrying this: `{infantry: 2}` or `{ussr infantry: 1}`."""
    empty = Piece(power, ship)
    aboard: list[Piece] = []
    for text, n in cargo.items():
        _check_number(n, f"cargo.{space}.{text}", most=MOST_IN_SPACE)
        (spec,) = parse_units(world, str(text))
        aboard.extend([Piece(spec.power or power, spec.type)] * n)
    if not fits(world.units[ship].loads, Counter(p.type for p in aboard)):
        by_rule = in_brackets(world, "no-room-aboard")
        raise NotationError(f"position: cargo.{space}: no {ship} can carry {dict(cargo)}{by_rule}.")
    return add(take(stack, ((empty, 1),)), ((load(empty, aboard), 1),))


def _marked(
    world: World, stack: Mapping[Piece, int], power: str, unit: str, lists: Any, space: str
) -> dict[Piece, int]:
    """The stack with some of its units of a kind marked, one list of marks for each."""
    if not isinstance(lists, list) or not all(isinstance(marks, list) for marks in lists):
        raise NotationError(f"position: marks.{space}.{power}.{unit} is a list of lists of marks, one for each unit.")
    plain = Piece(power, unit)
    if stack.get(plain, 0) < len(lists):
        raise NotationError(f"position: marks.{space}.{power}.{unit}: there are only {stack.get(plain, 0)} of them.")
    found = [tuple(sorted({names(world, "mark").find(str(mark)) for mark in marks})) for marks in lists]
    rest = take(stack, ((plain, len(lists)),)) if lists else dict(stack)
    return add(rest, ((Piece(power, unit, marks=marks), 1) for marks in found))


def _embarked(world: World, stack: dict[Piece, int], power: str, unit: str, space: str) -> dict[Piece, int]:
    """The stack with one more unit aboard a transport of the power or its side."""
    able = [t for t in stack if world.same_side(t.power, power) and has_room(world, NOTHING_KNOWN, t, unit)]
    if not able:
        raise NotationError(f"position: no transport in {space} has room for 1 {unit}.")
    ship = min(able, key=lambda t: (t.power != power, -len(t.cargo)))
    return add(take(stack, ((ship, 1),)), ((load(ship, (*ship.cargo, Piece(power, unit))), 1),))


def _check_decks(world: World, space: str, stack: Mapping[Piece, int]) -> None:
    """Planes in a sea zone stand on carriers that can take them (CL3-AIR-01)."""
    if world.spaces[space].is_land:
        return
    landable = {plane for p in stack for plane in world.units[p.type].deck}
    for piece in stack:
        if world.units[piece.type].domain == "air" and piece.type not in landable:
            by_rule = in_brackets(world, "plane-never-lands-on-carriers")
            raise NotationError(f"position: no carrier in {space} can hold 1 {piece.type}{by_rule}.")
