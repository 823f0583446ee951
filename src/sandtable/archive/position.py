"""A position: a patch on a scenario's set-up, as case files and bug reports give it (docs/reference/cases.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.engine.conditions.history import in_history, released
from sandtable.engine.damage import most_damage
from sandtable.engine.facts import Known, in_brackets, phase_index, turn_index, type_of
from sandtable.engine.movement.cargo import fits, has_room
from sandtable.engine.relations import Powers, friends
from sandtable.engine.start import starting_state
from sandtable.engine.state import Piece, Stances, State, add, load, pair, piece_key, take, with_cargo
from sandtable.errors import NotationError
from sandtable.notation.names import names
from sandtable.notation.parse import parse_units
from sandtable.world.conditions import fact
from sandtable.world.limits import LAST_ROUND, MOST_IN_SPACE, MOST_MONEY, MOST_TOKENS, crowd
from sandtable.world.model import World

FIELDS = (
    "clear", "units", "marks", "cargo", "damage", "control", "treasury", "technologies", "tokens", "projects", "pilots",
    "building", "waiting", "at_war", "peace", "alliances", "neutrals", "drops", "permitted", "pact", "history", "round",
    "turn", "phase",
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
    unfunded = tuple(p for p in state.unfunded if p not in {find["power"](t) for t in patch.get("treasury") or {}})
    techs = dict(state.techs)
    for power_text, known in (patch.get("technologies") or {}).items():
        techs[find["power"](power_text)] = frozenset(find["technology"](t) for t in known or ())
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
                there = (n for p, n in units.get(space, {}).items() if (p.power, p.type) == (power, ship))
                missing = len(loads or ()) - sum(there)
                units[space] = add(units.get(space, {}), ((Piece(power, ship), max(0, missing)),))
                for cargo in loads or ():
                    units[space] = _loaded(world, Known(techs), units.get(space, {}), power, ship, cargo or {}, space)
    stances = _allied(world, _stances(world, state, patch), patch.get("alliances"))
    for space, power, unit, n in aboard:
        ours = world.comrades[power] | friends(world, msgspec.structs.replace(state, stances=stances), power)
        for _ in range(n):
            units[space] = _embarked(world, Known(techs), units.get(space, {}), ours, Piece(power, unit), space)
    for space, stack in units.items():
        _check_decks(world, Known(techs), space, stack)
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
    building = _building(world, patch.get("building") or {}, units)
    damage = _damage(world, Known(techs), patch.get("damage") or {}, units)
    projects = _projects(world, patch.get("projects") or {}, techs)
    pilots: dict[str, int] = {}
    for power_text, level in (patch.get("pilots") or {}).items():
        if level not in [step.level for step in world.rules.training]:
            raise NotationError(f"position: pilots.{power_text}: there is no level {level!r}.")
        pilots[find["power"](power_text)] = level
    tokens: dict[str, int] = {}
    for power_text, n in (patch.get("tokens") or {}).items():
        _check_number(n, f"tokens.{power_text}", most=MOST_TOKENS)
        tokens[find["power"](power_text)] = n
    waiting: dict[str, dict[str, int]] = {}
    for power_text, new in (patch.get("waiting") or {}).items():
        for unit_text, n in (new or {}).items():
            _check_number(n, f"waiting.{power_text}.{unit_text}", least=1, most=MOST_IN_SPACE)
            waiting.setdefault(find["power"](power_text), {})[find["unit"](unit_text)] = n
    drops = patch.get("drops", 0)
    _check_number(drops, "drops", most=MOST_TOKENS)
    if drops and (world.rules.drops is None or not world.rules.drops.fee):
        raise NotationError("position: no drops are paid for in this game.")
    leanings = {}
    for space_text, leaning in (patch.get("neutrals") or {}).items():
        space = find["space"](space_text)
        known = ("strict", *(f"pro-{side}" for side in world.sides), *world.sides)
        if leaning not in known or world.rules.neutrals != "armies" or world.spaces[space].traits.get("army") is None:
            raise NotationError(f"position: neutrals.{space} must be {', '.join(known)}, of neutral land with an army.")
        leanings[space] = leaning
    permitted = {find["space"](text) for text in patch.get("permitted") or ()}
    if permitted and world.rules.grants is None:
        raise NotationError("position: permitted: nobody opens land to others in this game.")
    facts = {str(each) for each in patch.get("history") or ()} | _pact(world, patch.get("pact") or {})
    history = tuple(sorted(facts))
    for each in history:
        if not in_history(world, each):
            raise NotationError(f"position: no condition of this game asks for {each!r}.")
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
        unfunded=unfunded,
        techs=techs,
        damage=damage,
        building=building,
        projects=projects,
        lettered={power: tuple(running) for power, running in projects.items()} if world.rules.blind_research else {},
        pilots={power: level for power, level in pilots.items() if level},
        tokens={power: n for power, n in tokens.items() if n},
        pool=waiting.pop(world.order[turn], {}) if world.phases[phase] in ("mobilize", "income") else {},
        waiting=waiting,
        drops=drops,
        stances=stances,
        leanings=leanings,
        permitted=tuple(space for space in world.spaces if space in permitted),
        history=history,
    )


def _allied(world: World, stances: Stances | None, pairs: Any) -> Stances | None:
    """Exactly these alliances, where they can be made."""
    if pairs is None or (pairs == [] and world.rules.relations != "alliances"):
        return stances
    if stances is None or world.rules.relations != "alliances":
        raise NotationError("position: alliances are fixed in this game.")
    if not isinstance(pairs, list) or not all(isinstance(p, list) and len(p) == 2 for p in pairs):
        raise NotationError("position: alliances is a list of pairs of powers.")
    find = names(world, "power").find
    found = frozenset(pair(find(str(one)), find(str(other))) for one, other in pairs)
    if any(one == other for one, other in found):
        raise NotationError("position: an alliance joins two different powers.")
    return msgspec.structs.replace(stances, alliances=found)


def _stances(world: World, state: State, patch: Mapping[str, Any]) -> Stances | None:
    """The wars of the set-up with those of `at_war` and without those of `peace`."""
    wars = set(state.stances.wars) if state.stances is not None else set()
    for field in ("at_war", "peace"):
        pairs = patch.get(field)
        if pairs is None:
            continue
        if not isinstance(pairs, list) or not all(isinstance(both, list) and len(both) == 2 for both in pairs):
            raise NotationError(f"position: {field} is a list of pairs of powers.")
        found = {pair(*(names(world, "power").find(power) for power in both)) for both in pairs}
        wars = wars | found if field == "at_war" else wars - found
    if state.stances is None:
        return None  # sides are fixed: all of one are at war with all of the other
    return msgspec.structs.replace(state.stances, wars=frozenset(wars))


def _pact(world: World, pact: Mapping[str, Any]) -> set[str]:
    """What the history of the game says about a pact: who is free of it, and what has been attacked."""
    if pact and not world.restraints:
        raise NotationError("position: there is no pact in this game.")
    for key in pact:
        if key not in ("released", "attacked"):
            raise NotationError(f"position: pact: {key!r} is unknown; known are released and attacked.")
    found = set()
    for text in pact.get("released") or ():
        milestone = released(names(world, "power").find(text))
        if milestone not in world.milestones:
            raise NotationError(f"position: pact: {text} keeps no pact in this game.")
        found.add(milestone)
    for text in pact.get("attacked") or ():
        space = names(world, "space").find(text)
        facts = {fact("attacked", power, space) for ban in world.restraints for power in ban.powers}
        found |= facts & world.watched  # where no condition asks for it, nothing comes of it
    return found


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


def _projects(
    world: World, wanted: Mapping[str, Any], techs: Mapping[str, frozenset[str]]
) -> dict[str, dict[str, int]]:
    """Markers on the research track; none that has reached its end."""
    found: dict[str, dict[str, int]] = {}
    for power_text, running in wanted.items():
        power = names(world, "power").find(power_text)
        for text, n in (running or {}).items():
            technology = names(world, "technology").find(text)
            _check_number(n, f"projects.{power}.{technology}", most=world.rules.track_length - 1)
            if technology in techs[power]:
                raise NotationError(f"position: {power} has developed {technology} already.")
            found.setdefault(power, {})[technology] = n
    return found


def _building(
    world: World, wanted: Mapping[str, Any], units: Mapping[str, Mapping[Piece, int]]
) -> dict[str, dict[str, int]]:
    """Turns until facilities work, by space and facility; they stand there already."""
    found: dict[str, dict[str, int]] = {}
    for space_text, facilities in wanted.items():
        space = names(world, "space").find(space_text)
        for unit_text, n in (facilities or {}).items():
            unit = names(world, "unit").find(unit_text)
            rules = world.units[unit].facility
            if not any(piece.type == unit for piece in units.get(space, ())):
                raise NotationError(f"position: there is no {unit} in {space} to be built.")
            _check_number(n, f"building.{space}.{unit}", most=rules.build_turns if rules is not None else 0)
            if n:
                found.setdefault(space, {})[unit] = n
    return found


def _damage(
    world: World, known: Known, wanted: Mapping[str, Any], units: dict[str, dict[Piece, int]]
) -> dict[str, dict[str, int]]:
    """Markers by space and facility; only on a facility that is there, and no more than it can take. Ships are hit."""
    damage: dict[str, dict[str, int]] = {}
    for space_text, facilities in wanted.items():
        space = names(world, "space").find(space_text)
        for unit_text, n in facilities.items():
            unit = names(world, "unit").find(unit_text)
            _check_number(n, f"damage.{space}.{unit}", most=MOST_MONEY)
            if not any(piece.type == unit for piece in units.get(space, ())):
                raise NotationError(f"position: there is no {unit} in {space} to damage.")
            if any(type_of(world, known, p).hits > 1 for p in units[space] if p.type == unit):
                units[space] = _hit(world, known, units[space], unit, n, space)
                continue
            if n > most_damage(world, space, unit):
                raise NotationError(
                    f"position: the {unit} in {space} takes {most_damage(world, space, unit)} damage at most."
                )
            if n:
                damage.setdefault(space, {})[unit] = n
    return damage


def _hit(world: World, known: Known, stack: Mapping[Piece, int], unit: str, hits: int, space: str) -> dict[Piece, int]:
    """The stack with so many hits on ships of the kind, one each before anybody has two."""
    found = dict(stack)
    for _ in range(hits):
        able = [p for p in found if p.type == unit and p.hits < type_of(world, known, p).hits - 1]
        if not able:
            raise NotationError(f"position: the {unit} in {space} cannot be damaged that much.")
        piece = min(able, key=lambda p: (p.hits, piece_key(p)))
        found = add(take(found, ((piece, 1),)), ((msgspec.structs.replace(piece, hits=piece.hits + 1), 1),))
    return found


def _check_number(n: object, field: str, least: int = 0, *, most: int) -> None:
    if not isinstance(n, int) or isinstance(n, bool) or not least <= n <= most:
        raise NotationError(f"position: {field} must be a whole number from {least} to {most:,}, not {n!r}.")


def _loaded(
    world: World, known: Known, stack: dict[Piece, int], power: str, ship: str, cargo: Mapping[str, Any], space: str
) -> dict[Piece, int]:
    """The stack with one of its empty ships carrying this: `{infantry: 2}` or `{ussr infantry: 1}`."""
    aboard: list[Piece] = []
    for text, n in cargo.items():
        _check_number(n, f"cargo.{space}.{text}", most=MOST_IN_SPACE)
        (spec,) = parse_units(world, str(text))
        aboard.extend([Piece(spec.power or power, spec.type)] * n)
    wanted = Counter(p.type for p in aboard)
    ships = sorted((s for s in stack if (s.power, s.type, s.cargo) == (power, ship, ())), key=lambda s: s.marks)
    empty = next((s for s in ships if fits(type_of(world, known, s).loads, wanted)), None)
    if empty is None:
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


def _embarked(
    world: World, known: Known, stack: dict[Piece, int], ours: Powers, piece: Piece, space: str
) -> dict[Piece, int]:
    """The stack with one more unit aboard a transport of its power or of a friend."""
    able = [t for t in stack if t.power in ours and has_room(world, known, t, piece.type)]
    if not able:
        raise NotationError(f"position: no transport in {space} has room for 1 {piece.type}.")
    ship = min(able, key=lambda t: (t.power != piece.power, -len(t.cargo)))
    return add(take(stack, ((ship, 1),)), ((load(ship, (*ship.cargo, piece)), 1),))


def _check_decks(world: World, known: Known, space: str, stack: Mapping[Piece, int]) -> None:
    """Planes in a sea zone stand on carriers that can take them (CL3-AIR-01)."""
    if world.spaces[space].is_land:
        return
    landable = {plane for p in stack for plane in type_of(world, known, p).deck}
    for piece in stack:
        if world.units[piece.type].domain == "air" and piece.type not in landable:
            by_rule = in_brackets(world, "plane-never-lands-on-carriers")
            raise NotationError(f"position: no carrier in {space} can hold 1 {piece.type}{by_rule}.")
