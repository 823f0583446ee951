"""What could come next in the line being typed: verbs, units, spaces, commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from sandtable.engine import permission
from sandtable.engine.decision import Decision
from sandtable.engine.facts import unit_type
from sandtable.engine.game import Game
from sandtable.engine.movement.reach import movable
from sandtable.engine.progress import damaged_complexes
from sandtable.errors import NotationError
from sandtable.notation.names import names
from sandtable.notation.parse import parse_units
from sandtable.rulebook import rule_ids

STEPS = ("order", "phase", "turn", "round")

_WORD = re.compile(r"[^\s,:]*$")


def suggestions(game: Game, text: str, commands: Iterable[str]) -> list[tuple[str, str]]:
    """Words that fit where the line ends, each with what it is; text after the last blank is what they begin with."""
    head = text[: len(text) - len(_tail(text))]
    fragment = _tail(text).lower()
    if not head.strip():
        found = [(verb, "order") for verb in _verbs(game)] + [(c, "command") for c in commands]
    else:
        verb, _, rest = head.strip().partition(" ")
        found = list(_arguments(game, verb.lower(), rest))
    begins = [item for item in found if item[0].lower().startswith(fragment)]
    inside = [item for item in found if fragment and fragment in item[0].lower() and item not in begins]
    return list({word: (word, what) for word, what in reversed(begins + inside)}.values())[::-1]


def _tail(text: str) -> str:
    match = _WORD.search(text)
    return match[0] if match else ""


def _verbs(game: Game) -> tuple[str, ...]:
    question = game.decision
    return question.answers if question is not None else ()


def _arguments(game: Game, verb: str, rest: str) -> Iterable[tuple[str, str]]:
    question = game.decision
    if verb == "why":
        inner, _, more = rest.partition(" ")
        return _arguments(game, inner.lower(), more) if inner else [(v, "order") for v in _verbs(game)]
    if verb == "permit":
        return _spaces(game, permission.places(game.world, game.state))
    if verb in ("board", "battle", "retreat", "withdraw", "rocket"):
        return _places(game, verb, question, rest)
    if verb == "moves":
        spaces = dict.fromkeys(space for space, _ in movable(game.world, game.state))
        if not rest:
            return _spaces(game, spaces)
        return _units_at(game, rest.split()[0])
    if verb == "odds":
        return _spaces(game, game.world.spaces)
    if verb == "plan":
        from sandtable.bots import names as opponents  # needs numpy, which a game without bots does not

        return [(name, "opponent") for name in opponents()]
    if verb == "rule":
        return [(id_, "rule") for id_ in rule_ids()]
    if verb == "progress":
        return [(p.id, p.name) for p in game.world.powers.values()]
    if verb in ("back", "forward"):
        return [(step, "step") for step in STEPS]
    if verb in ("log", "standing"):
        return [(w, "") for w in (("all",) if verb == "log" else ("on", "off"))]
    reader = _ORDERS.get(verb)
    return reader(game, question, rest) if reader is not None and question is not None else ()


def _spaces(game: Game, spaces: Iterable[str]) -> list[tuple[str, str]]:
    return [(space, game.world.spaces[space].name) for space in spaces]


def _places(game: Game, verb: str, question: Decision | None, rest: str) -> list[tuple[str, str]]:
    if verb == "board":
        powers = [(p.id, p.name) for p in game.world.powers.values()]
        return [*powers, ("sea", "sea zones"), ("all", "everything"), *_spaces(game, game.world.spaces)]
    if question is None:
        return []
    if verb == "rocket":
        if "->" in rest:
            gun = rest.split("->")[0].strip()
            return _spaces(game, (target for g, target in question.launches if g == gun))
        return _spaces(game, dict.fromkeys(gun for gun, _ in question.launches))
    return _spaces(game, question.places)


def _move(game: Game, question: Decision, rest: str) -> Iterable[tuple[str, str]]:
    """Units before the colon, the start after it, then destinations of what was named."""
    units, colon, route = rest.partition(":")
    if not colon:
        kinds = dict.fromkeys(unit for _, unit in movable(game.world, game.state))
        return [(unit, "unit") for unit in kinds]
    try:
        wanted = [spec.type for spec in parse_units(game.world, units)]
    except NotationError:
        return []
    if "->" not in route:
        have = movable(game.world, game.state)
        places = dict.fromkeys(space for space, _ in have)
        return _spaces(game, (p for p in places if all((p, unit) in have for unit in wanted)))
    try:
        start = names(game.world, "space").find(route.split("->")[0])
    except NotationError:
        return []
    found = [set(game.legal.destinations(start, unit)) for unit in wanted]
    for reached, unit in zip(found, wanted, strict=True):
        for role in game.legal.roles(unit):
            reached.update(game.legal.destinations(start, unit, role))
    return _spaces(game, (s for s in game.world.spaces if all(s in places for places in found)))


def _buy(game: Game, question: Decision, rest: str) -> Iterable[tuple[str, str]]:
    for unit in game.world.units:
        cost = unit_type(game.world, game.state, question.power, unit).cost
        if cost is not None:
            yield unit, f"costs {cost}"


def _place(game: Game, question: Decision, rest: str) -> Iterable[tuple[str, str]]:
    units, colon, _ = rest.partition(":")
    if not colon:
        own = [(unit, f"{n} to place") for unit, n in game.state.pool.items()]
        return own + [(f"{p} {u}", f"{n} to place") for p in _wards(game) for u, n in game.state.waiting[p].items()]
    try:
        wanted = [(spec.type, spec.power or question.power) for spec in parse_units(game.world, units)]
    except NotationError:
        return []
    found = [game.legal.places(u, power) for u, power in wanted if u in game.state.pool_of(game.world, power)]
    return _spaces(game, (s for s in game.world.spaces if found and all(s in places for places in found)))


def _wards(game: Game) -> list[str]:
    """Powers that place units beside the one whose turn it is (China)."""
    return [p for p in game.state.waiting if game.world.powers[p].played_by == game.world.order[game.state.turn]]


def _repair(game: Game, question: Decision, rest: str) -> Iterable[tuple[str, str]]:
    """Damaged complexes, then how much there is to repair."""
    words = rest.split()
    for damaged in damaged_complexes(game.world, game.state):
        if damaged.owner == question.power:
            if not words:
                yield damaged.space, f"damage {damaged.damage}"
            elif words == [damaged.space]:
                yield str(damaged.damage), "all of it"


def _chart(game: Game, question: Decision, rest: str) -> Iterable[tuple[str, str]]:
    return [(str(chart), "chart") for chart in question.charts]


def _casualties(game: Game, question: Decision, rest: str) -> Iterable[tuple[str, str]]:
    return [(unit, f"up to {n}") for _, unit, n in question.units]


def _units_at(game: Game, text: str) -> list[tuple[str, str]]:
    try:
        space = names(game.world, "space").find(text)
    except NotationError:
        return []
    return [(unit, "unit") for place, unit in movable(game.world, game.state) if place == space]


_ORDERS: dict[str, Callable[[Game, Decision, str], Iterable[tuple[str, str]]]] = {
    "move": _move,
    "buy": _buy,
    "place": _place,
    "repair": _repair,
    "chart": _chart,
    "casualties": _casualties,
}


class LineCompleter(Completer):
    """The suggestions for prompt_toolkit. `game` is asked each time, since a session may change its game."""

    def __init__(self, game: Callable[[], Game], commands: Iterable[str]) -> None:
        self._game = game
        self._commands = tuple(commands)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        text = document.text_before_cursor
        for word, meta in suggestions(self._game(), text, self._commands):
            yield Completion(word, start_position=-len(_tail(text)), display_meta=meta)
