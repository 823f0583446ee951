"""Rule cases: a position, orders, dice and what must come of them, in one YAML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from sandtable.archive.files import FileError, read_file
from sandtable.archive.position import patched_state
from sandtable.engine import pilots
from sandtable.engine.conditions.history import released
from sandtable.engine.damage import hits_on_ships
from sandtable.engine.dice import OutOfDice, ScriptedDice
from sandtable.engine.facts import active, production
from sandtable.engine.game import Game, Seats, preset_seats
from sandtable.engine.objectives import met, objectives_of
from sandtable.engine.progress import city_count
from sandtable.engine.relations import at_war, leaning
from sandtable.engine.state import State, with_cargo
from sandtable.errors import NotationError, Refusal, SandtableError
from sandtable.notation import parse_order
from sandtable.notation.names import names
from sandtable.notation.orders import AnyOrder, End, Move, Undo
from sandtable.world.compile import compile_world
from sandtable.world.conditions import fact
from sandtable.world.edits import Edits, parse_edits
from sandtable.world.files import DEEPEST, FastLoader
from sandtable.world.model import SpaceId, UnitId, World

LARGEST = 1_000_000  # bytes; a case is a page of text
UNREADABLE = "notation"  # in place of a rule: there is no such order, so that no rule has to forbid it
LARGEST_NUMBER = 1_000_000_000  # either side of zero


class CaseError(SandtableError):
    """A file that is not a well-formed case."""


class Case(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    case: str
    steps: list[Any]
    scenario: str = "classic-1942"
    rules: list[str] = []
    options: dict[str, Any] = {}
    edits: dict[str, Any] = {}
    position: dict[str, Any] = {}
    dice: list[int] = []
    seats: dict[str, list[str]] | None = None
    players: int | None = None  # people at the table, seated as the edition does it; else one for each power
    note: str = ""


class Failure(msgspec.Struct, frozen=True):
    step: int  # 1 is the first; 0 the position itself
    expected: str
    came: str

    def __str__(self) -> str:
        return f"step {self.step}: expected {self.expected}; {self.came}"


class Result(msgspec.Struct, frozen=True):
    case: str
    ok: bool
    failures: tuple[Failure, ...]
    state: Mapping[str, Any]


def read_cases(path: Path) -> list[Case]:
    """The case of a file, or several if it holds a list or several documents. Raises CaseError."""
    try:
        text = read_file(path, LARGEST, "a case")
    except FileError as error:
        raise CaseError(str(error)) from None
    return parse_cases(text, str(path))


def parse_cases(text: str, source: str = "case") -> list[Case]:
    try:
        documents = [document for document in _documents(text) if document is not None]
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        if "digits" in str(error):
            raise CaseError(f"{source}: a number is beyond {LARGEST_NUMBER:,}") from None
        raise CaseError(f"{source}: not YAML: {' '.join(str(error).split())}") from None
    odd = _odd_value(documents)
    if odd is not None:
        raise CaseError(f"{source}: {odd}")
    raw = [case for d in documents for case in (d if isinstance(d, list) else [d])]
    if not raw:
        raise CaseError(f"{source}: holds no case")
    found = []
    for entry in raw:
        try:
            found.append(msgspec.convert(entry, Case))
        except msgspec.ValidationError as error:
            raise CaseError(f"{source}: {error}") from None
    return found


def _odd_value(documents: list[Any]) -> str | None:
    """What YAML can say and no case means: dates, bytes, and numbers that nobody could even print."""
    waiting: list[Any] = list(documents)
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            waiting.extend(value)
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
        elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            return f"a number is beyond {LARGEST_NUMBER:,}"
        elif value is not None and not isinstance(value, str | int | float):
            return f"a {type(value).__name__} is neither text nor a number: put it in quotation marks"
    return None


def _documents(text: str) -> list[Any]:
    """What the text holds. Whatever is odd about it is left to the careful loader, whose errors quote the line."""
    try:
        if _is_ordinary(text):
            return list(yaml.load_all(text, Loader=FastLoader))
    except yaml.YAMLError:
        pass
    return list(yaml.load_all(text, Loader=_Careful))


def _is_ordinary(text: str) -> bool:
    depth = 0
    for event in yaml.parse(text, Loader=FastLoader):
        if isinstance(event, yaml.events.AliasEvent):
            return False
        if isinstance(event, yaml.events.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                return False
        elif isinstance(event, yaml.events.CollectionEndEvent):
            depth -= 1
    return True


class _Careful(yaml.SafeLoader):
    """Plain data without aliases: a few of them can blow up to gigabytes."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.YAMLError("aliases are not allowed")
        return super().compose_node(parent, index)


def run_case(case: Case) -> Result:
    """Play the case. Raises CaseError when it is malformed: unknown fields, names or orders that cannot be read."""
    try:
        world = compile_world(case.scenario, case.options, _edits(case.edits))
        start = patched_state(world, case.position)
        seats = _seats(world, case)
        game = Game(world, edits=_edits(case.edits), seats=seats, dice=ScriptedDice(case.dice), start=start)
    except OutOfDice as error:
        return Result(case.case, False, (Failure(0, "enough dice", str(error)),), {})
    except SandtableError as error:
        raise CaseError(f"{case.case}: {error}") from None
    failures: list[Failure] = []
    for number, step in enumerate(case.steps, 1):
        try:
            problem = _play_step(game, step)
        except SandtableError as error:  # names, orders or dice that make no sense
            raise CaseError(f"{case.case}: step {number}: {error}") from None
        if problem:
            failures.extend(Failure(number, *p) for p in problem)
            if isinstance(step, str):
                break  # what follows would only repeat this
    if not failures and game.state.rolls < len(case.dice):
        left = case.dice[game.state.rolls :]
        failures.append(Failure(len(case.steps), "all dice to be rolled", f"left over: {left}"))
    return Result(case.case, not failures, tuple(failures), summary(world, game.state, game))


def _seats(world: World, case: Case) -> Seats | None:
    if case.players is None and case.seats is None and world.rules.joint_casualties == "players":
        return preset_seats(world, min(world.seats.presets))  # one person runs each side
    if case.players is None:
        return None if case.seats is None else {name: tuple(powers) for name, powers in case.seats.items()}
    if case.seats is not None:
        raise SandtableError("`seats` say who plays, so that `players` is not said as well.")
    return preset_seats(world, case.players)


def _edits(raw: dict[str, Any]) -> Edits | None:
    return parse_edits(raw) if raw else None


Problem = tuple[str, str]


def _play(game: Game, order: AnyOrder) -> None:
    """Play the order. Once research dice are rolled, a case may leave out the `end`s before its first move."""
    while (
        isinstance(order, Move)
        and (game.state.researched or game.state.focused)
        and "combat-move" in game.world.phases[game.state.phase :]
        and game.decision is not None
        and game.decision.kind in ("research", "purchase")
    ):
        game.play(End())
    game.play(order)


def _play_step(game: Game, step: object) -> list[Problem]:
    if isinstance(step, str):
        try:
            _play(game, parse_order(game.world, step))
        except Refusal as refusal:
            return [(f"{step!r} to be accepted", f"refused: {refusal}")]
        except OutOfDice as error:
            return [(f"{step!r} to be carried out with the dice given", str(error))]
        return []
    if not isinstance(step, dict):
        raise CaseError(f"a step is an order or a mapping, not {step!r}")
    unknown = set(step) - {"illegal", "legal", "expect", "rule"}
    if unknown or not {"illegal", "legal", "expect"} & set(step):
        raise CaseError(f"a step has illegal, legal or expect, not {', '.join(map(str, step))}")
    problems: list[Problem] = []
    if "illegal" in step:
        problems += _illegal(game, str(step["illegal"]), step.get("rule"))
    if "legal" in step:
        order = parse_order(game.world, str(step["legal"]))
        reason = _would_refuse(game, order)
        if reason is not None:
            problems.append((f"{step['legal']!r} to be legal", f"refused: {reason}"))
    if "expect" in step:
        problems += _expect(game, step["expect"] or {})
    return problems


def _would_refuse(game: Game, order: Any) -> Refusal | None:
    place, entries = game.cursor, list(game.entries)
    if isinstance(order, Undo):
        try:
            game.undo()
        except Refusal as refusal:
            return refusal
        finally:
            game.entries, game.cursor = entries, place
        return None
    return game.legal.why_not(order)


def _illegal(game: Game, text: str, rule: object) -> list[Problem]:
    reason: Refusal | NotationError | None
    try:
        reason = _would_refuse(game, parse_order(game.world, text))
    except NotationError as error:  # it cannot even be said
        reason = error
    if reason is None:
        return [(f"{text!r} to be refused", "it is legal")]
    if isinstance(reason, Refusal) and not reason.rules:
        return [(f"{text!r} to be refused by a rule", f"none is cited for {reason.reason!r}: {reason}")]
    if rule == UNREADABLE:
        return [] if isinstance(reason, NotationError) else [(f"{text!r} to be no order at all", f"refused: {reason}")]
    if rule is not None and str(rule) not in reason.rules:
        return [
            (f"{text!r} to be refused by {rule}", f"refused: {reason} (also {', '.join(reason.rules[1:]) or 'none'})")
        ]
    return []


# ---------------------------------------------------------------- expectations


def board_units(state: State, space: str) -> dict[str, dict[str, int]]:
    """All units of a space, cargo and facilities included: power -> unit -> number."""
    found: dict[str, dict[str, int]] = {}
    for piece, n in with_cargo(state.at(space)):
        mine = found.setdefault(piece.power, {})
        mine[piece.type] = mine.get(piece.type, 0) + n
    return found


def _expect(game: Game, expected: Mapping[str, Any]) -> list[Problem]:
    problems: list[Problem] = []
    if not isinstance(expected, Mapping):
        raise CaseError(f"expect takes a mapping, not {expected!r}")
    for field, want in expected.items():
        check = EXPECTATIONS.get(str(field))
        if check is None:
            raise CaseError(f"expect: {field!r} is unknown; known are {', '.join(EXPECTATIONS)}")
        try:
            problems += check(game, want)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise CaseError(f"expect: {field} does not have that form: {want!r}") from None
    return problems


def unmet(game: Game, expected: Mapping[str, Any]) -> list[str]:
    """What of `expected`, written as in a case file, does not hold now. Raises CaseError when it is malformed."""
    return [f"expected {want}; {came}" for want, came in _expect(game, expected)]


def _compare(what: str, want: object, have: object) -> list[Problem]:
    return [] if want == have else [(f"{what} {want!r}", f"it is {have!r}")]


def _control(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, owner in want.items():
        space = _find(game.world, "space", text)
        meant = None if owner in (None, "neutral", "none") else _find(game.world, "power", owner)
        problems += _compare(f"control of {space} by", meant, game.state.owners.get(space))
    return problems


def _units(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, powers in want.items():
        space = _find(game.world, "space", text)
        meant = {
            _find(game.world, "power", p): {_find(game.world, "unit", u): n for u, n in (units or {}).items() if n}
            for p, units in (powers or {}).items()
        }
        problems += _compare(f"units in {space}", {p: u for p, u in meant.items() if u}, board_units(game.state, space))
    return problems


def _production(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, level in want.items():
        power = _find(game.world, "power", text)
        problems += _compare(f"production of {power}", level, production(game.world, game.state, power))
    return problems


def _treasury(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, money in want.items():
        power = _find(game.world, "power", text)
        problems += _compare(f"treasury of {power}", money, game.state.treasury[power])
    return problems


def _technologies(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, known in want.items():
        power = _find(game.world, "power", text)
        meant = sorted(_find(game.world, "technology", t) for t in known or ())
        problems += _compare(f"technologies of {power}", meant, sorted(game.state.techs.get(power, ())))
    return problems


def _decision(game: Game, want: Any) -> list[Problem]:
    question = game.decision
    if want is None or question is None:
        return _compare("decision", want, None if question is None else _words(question.power, question.kind))
    problems = []
    if "power" in want:
        problems += _compare("decision of", _find(game.world, "power", want["power"]), question.power)
    kinds = (question.kind, *question.answers)
    if game.state.researched:
        kinds = (*kinds, "purchase")  # nothing but going on to it is left of research
    if "kind" in want and want["kind"] not in kinds:
        problems += _compare("decision about", want["kind"], question.kind)
    if "space" in want:
        problems += _compare("decision in", _find(game.world, "space", want["space"]), question.space)
    return problems


def _words(power: str, kind: str) -> str:
    return f"{power}: {kind}"


def _winner(game: Game, want: Any) -> list[Problem]:
    return _compare("winner", want, game.state.victor or game.state.winner)


def _alliances(game: Game, want: Any) -> list[Problem]:
    """Pairs that must be allied; an empty list means that nobody is."""
    stances = game.state.stances
    have = sorted(map(list, stances.alliances)) if stances is not None else []
    meant = sorted(sorted(_find(game.world, "power", p) for p in two) for two in want or ())
    if not meant:
        return _compare("alliances", [], have)
    return [problem for two in meant for problem in ([] if two in have else _compare("alliance", two, have))]


def _reachable(game: Game, want: Any) -> list[Problem]:
    space = _find(game.world, "space", want["from"])
    unit = _find(game.world, "unit", want["unit"])
    meant = sorted(_find(game.world, "space", s) for s in want["to"] or ())
    have = sorted(game.legal.destinations(space, unit, want.get("role")))
    if meant == have:
        return []
    missing, extra = sorted(set(meant) - set(have)), sorted(set(have) - set(meant))
    return [(f"{unit} in {space} to reach {meant}", f"missing {missing}, too many {extra}")]


def _round(game: Game, want: Any) -> list[Problem]:
    return _compare("round", want, game.state.round)


def damage_in(world: World, state: State, space: SpaceId) -> dict[UnitId, int]:
    """Markers on facilities and hits on ships there."""
    return {**state.damage.get(space, {}), **hits_on_ships(world, state.at(space))}


def _damage(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, facilities in want.items():
        space = _find(game.world, "space", text)
        meant = {_find(game.world, "unit", u): n for u, n in (facilities or {}).items() if n}
        problems += _compare(f"damage in {space}", meant, damage_in(game.world, game.state, space))
    return problems


def marked_units(state: State, space: str) -> dict[str, dict[str, list[list[str]]]]:
    """The marks of all marked units of a space, those aboard included: power -> unit -> a list for each."""
    found: dict[str, dict[str, list[list[str]]]] = {}
    for piece, n in with_cargo(state.at(space)):
        if piece.marks:
            found.setdefault(piece.power, {}).setdefault(piece.type, []).extend([list(piece.marks)] * n)
    return {p: {u: sorted(lists) for u, lists in units.items()} for p, units in found.items()}


def _marks(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, powers in want.items():
        space = _find(game.world, "space", text)
        meant = {
            _find(game.world, "power", p): {
                _find(game.world, "unit", u): sorted(
                    sorted(_find(game.world, "mark", m) for m in marks) for marks in lists
                )
                for u, lists in (units or {}).items()
                if lists
            }
            for p, units in (powers or {}).items()
        }
        have = marked_units(game.state, space)
        problems += _compare(f"marks in {space}", {p: units for p, units in meant.items() if units}, have)
    return problems


def _projects(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, running in want.items():
        power = _find(game.world, "power", text)
        meant = {_find(game.world, "technology", t): n for t, n in (running or {}).items() if n}
        have = {t: n for t, n in game.state.projects.get(power, {}).items() if n}
        problems += _compare(f"projects of {power}", meant, have)
    return problems


def _pilots(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, wanted in want.items():
        power = _find(game.world, "power", text)
        problems += _compare(f"pilots of {power}", wanted, pilots.level(game.world, game.state, power))
    return problems


def _tokens(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, number in want.items():
        power = _find(game.world, "power", text)
        problems += _compare(f"researchers of {power}", number, game.state.tokens.get(power, 0))
    return problems


def _waiting(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, units in want.items():
        power = _find(game.world, "power", text)
        meant = {_find(game.world, "unit", u): n for u, n in (units or {}).items() if n}
        problems += _compare(f"new units of {power}", meant, dict(game.state.pool_of(game.world, power)))
    return problems


def _permitted(game: Game, want: Any) -> list[Problem]:
    meant = sorted(_find(game.world, "space", text) for text in want or ())
    return _compare("opened land", meant, sorted(game.state.permitted))


def pact_told(world: World, state: State) -> dict[str, list[str]]:
    """Who is free of a pact, and what those whom it binds have attacked, as far as it is remembered."""
    bound = list(dict.fromkeys(power for ban in world.restraints for power in ban.powers))
    return {
        "released": sorted(power for power in bound if released(power) in state.history),
        "attacked": sorted(
            space for space in world.spaces if any(fact("attacked", power, space) in state.history for power in bound)
        ),
    }


def _pact(game: Game, want: Any) -> list[Problem]:
    have = pact_told(game.world, game.state)
    problems = []
    for key, what in (("released", "power"), ("attacked", "space")):
        if key in want:
            meant = sorted(_find(game.world, what, text) for text in want[key] or ())
            problems += _compare(f"pact: {key}", meant, have[key])
    return problems


def _cities(game: Game, want: Any) -> list[Problem]:
    held = {side.side: len(side.held) for side in city_count(game.world, game.state)}
    return _compare("victory cities", dict(want), {side: held[side] for side in want})


def _objectives(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, ids in want.items():
        power = _find(game.world, "power", text)
        have = [o.id for o in objectives_of(game.world, power) if met(game.world, game.state, o, power)]
        problems += _compare(f"objectives of {power}", sorted(ids or ()), sorted(have))
    return problems


def _wars(game: Game, want: Any, meant: bool) -> list[Problem]:
    problems = []
    for one, other in want or ():
        a, b = _find(game.world, "power", one), _find(game.world, "power", other)
        problems += _compare(f"war between {a} and {b}", meant, at_war(game.world, game.state, a, b))
    return problems


def _building(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, chips in want.items():
        space = _find(game.world, "space", text)
        meant = {_find(game.world, "unit", unit): n for unit, n in (chips or {}).items() if n}
        problems += _compare(f"building in {space}", meant, dict(game.state.building.get(space, {})))
    return problems


def _neutrals(game: Game, want: Any) -> list[Problem]:
    problems = []
    for text, leans in want.items():
        space = _find(game.world, "space", text)
        problems += _compare(f"leaning of {space}", leans, leaning(game.world, game.state, space))
    return problems


EXPECTATIONS = {
    "control": _control,
    "units": _units,
    "marks": _marks,
    "production": _production,
    "treasury": _treasury,
    "technologies": _technologies,
    "decision": _decision,
    "winner": _winner,
    "alliances": _alliances,
    "reachable": _reachable,
    "round": _round,
    "damage": _damage,
    "tokens": _tokens,
    "projects": _projects,
    "pilots": _pilots,
    "waiting": _waiting,
    "permitted": _permitted,
    "pact": _pact,
    "drops": lambda game, want: _compare("drops paid for", want, game.state.drops),
    "cities": _cities,
    "objectives": _objectives,
    "at_war": lambda game, want: _wars(game, want, True),
    "peace": lambda game, want: _wars(game, want, False),
    "neutrals": _neutrals,
    "building": _building,
}


def _find(world: World, what: str, text: object) -> str:
    return names(world, what).find(str(text))


def summary(world: World, state: State, game: Game) -> dict[str, Any]:
    """The state in the words of a case file."""
    question = game.decision
    return {
        "round": state.round,
        "turn": active(world, state),
        "phase": world.phases[state.phase],
        "units": {s: board_units(state, s) for s in world.spaces if state.at(s)},
        "marks": {s: marks for s in world.spaces if (marks := marked_units(state, s))},
        "control": {s: state.owners[s] for s in world.spaces if s in state.owners},
        "treasury": dict(state.treasury),
        "production": {p: production(world, state, p) for p in world.powers},
        "technologies": {p: sorted(t) for p, t in state.techs.items() if t},
        "tokens": dict(state.tokens),
        "projects": {p: dict(running) for p, running in state.projects.items()},
        "pilots": dict(state.pilots),
        "waiting": {p: dict(new) for p in world.powers if (new := state.pool_of(world, p))},
        "alliances": sorted(map(list, state.stances.alliances)) if state.stances is not None else [],
        "damage": {s: found for s in world.spaces if (found := damage_in(world, state, s))},
        **({"permitted": list(state.permitted)} if world.rules.grants is not None else {}),
        **({"pact": pact_told(world, state)} if world.restraints else {}),
        **({"drops": state.drops} if world.rules.drops is not None and world.rules.drops.fee else {}),
        "decision": None if question is None else {"power": question.power, "kind": question.kind},
        "winner": state.victor or state.winner,
    }
