"""Standing orders: what somebody wants to be answered for him when he is asked in another's turn.

A manner is `usual` (the sensible answer of somebody who does not want to think: cheapest losses first, fight on), or an
order as text, several of them with `;` between: the first that is legal is given. A word alone, such as `submerge` or
`intercept`, does that with as many units as may. `submerge below 3` is a limit: as long as three units of one's own
are there, one stays. For losses, an order of units such as `infantry, armor, fighter` says who goes first. What has no
manner, or cannot be answered by it, is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import islice

import msgspec

from sandtable.engine.decision import Decision
from sandtable.engine.facts import active
from sandtable.engine.legal import Legal
from sandtable.engine.questions import KINDS
from sandtable.errors import SandtableError
from sandtable.notation import format_order, parse_order
from sandtable.notation.names import names
from sandtable.notation.orders import AnyOrder
from sandtable.server.journal import Journal
from sandtable.world.model import World

USUAL = "usual"
LIMIT = re.compile(r"(.+?) below (\d{1,3})")
LONGEST = 500  # characters of a manner
LOOKED_AT = 500  # answers among which one with a word alone is looked for


class Ask(msgspec.Struct, frozen=True):
    """Something that may be asked in another's turn, with manners that are offered for it; others can be said, too."""

    title: str
    manners: tuple[tuple[str, str], ...]  # what is kept, and in words
    arises: Callable[[World], bool] = lambda world: True


def _flies(world: World) -> bool:
    return world.rules.sorties


IN_OTHERS_TURNS: dict[str, Ask] = {
    "casualties": Ask("Losses", ((USUAL, "Cheapest first"),)),
    "target": Ask("Whom to hit", ((USUAL, "As usual"),)),
    "retreat": Ask("Retreat", (("press", "Fight on"), ("retreat; press", "Retreat"), (USUAL, "As usual"))),
    "submarines": Ask(
        "Submarines",
        (
            ("stay", "Stay"),
            ("submerge; withdraw; stay", "Leave"),
            ("submerge below 2; withdraw below 2", "The last leaves"),
        ),
    ),
    "stranded": Ask("Planes that lost their carrier", ((USUAL, "As usual"),)),
    "intercept": Ask(
        "Fighters against bombers",
        (("intercept; stay", "All go up"), ("stay", "None")),
        lambda world: world.rules.raid_interceptors or world.rules.sorties,
    ),
    "scramble": Ask("Scrambling", (("scramble; stay", "All go up"), ("stay", "None")), _flies),
    "interdict": Ask(
        "Ships within reach of a base",
        (("interdict; stay", "Attack"), ("stay", "Let them pass")),
        lambda world: bool(world.rules.interdiction),
    ),
    "abort": Ask("Planes that break off", ((USUAL, "As usual"),), _flies),
    "ambush": Ask("Submarines that are passed", ((USUAL, "As usual"), ("stay", "Let them pass")), _flies),
    "permit": Ask("Leave for others", (("permit", "Always"), ("stay", "Never"))),
    "counter-intelligence": Ask(
        "Enemy agents",
        (("contest", "Always contest"), ("stay", "Never")),
        lambda world: world.rules.developments == "tracked",
    ),
    "anti-tank": Ask("Guns against tanks", ((USUAL, "As usual"), ("stay", "None")), _flies),
    "free-troops": Ask("Troops of a freed country", ((USUAL, "As usual"), ("stay", "None")), _flies),
    "land": Ask("Where planes land", ((USUAL, "As usual"),)),
    "sabotaged-ships": Ask("Ships that commandos hit", ((USUAL, "As usual"),), _flies),
    "capital": Ask("A new capital", ((USUAL, "As usual"),), _flies),
}
"""What there are manners for on the screen. A new kind can be given one as soon as it is in the engine."""


def asks(world: World) -> dict[str, Ask]:
    """What may be asked in others' turns in this game."""
    return {kind: ask for kind, ask in IN_OTHERS_TURNS.items() if ask.arises(world)}


def check(answers: Mapping[str, str]) -> dict[str, str]:
    """Manners that make sense, by kind of question. Raises SandtableError."""
    for kind, manner in answers.items():
        if kind not in KINDS:
            raise SandtableError(f"Nobody is ever asked {kind[:60]!r}; questions are {', '.join(KINDS)}.")
        if len(manner) > LONGEST:
            raise SandtableError("A standing order has at most 500 characters.")
    return {kind: manner.strip() for kind, manner in answers.items() if manner.strip()}


def answer(journal: Journal, answers: Mapping[str, str]) -> AnyOrder | None:
    """The answer to the open question by somebody's standing orders; None if he has to be asked."""
    question = journal.game.decision
    if question is None or question.kind not in answers:
        return None
    world, state = journal.game.world, journal.game.state
    if journal.seat_of(active(world, state)).name == journal.seat_of(question.power).name:
        return None  # in one's own turn one decides oneself
    return by_manner(Legal(world, state), question, answers[question.kind])


def by_manner(legal: Legal, question: Decision, manner: str) -> AnyOrder | None:
    if manner == USUAL:
        return legal.default()
    if question.kind == "casualties" and not manner.startswith("casualties"):
        return _losses(legal, question, manner)
    for text in manner.split(";"):
        order = _limited(legal, question, text.strip())
        if order is not None:
            return order
    return None


def _limited(legal: Legal, question: Decision, text: str) -> AnyOrder | None:
    """An order, unless so many units are there that it need not be given yet."""
    limit = LIMIT.fullmatch(text)
    if limit is None:
        return _legal(legal, text) or _by_word(legal, question, text)
    there = legal.state.at(question.space) if question.space is not None else {}
    if sum(n for piece, n in there.items() if piece.power == question.power) < int(limit[2]):
        return _limited(legal, question, limit[1])
    return _legal(legal, "press") or _legal(legal, "stay")


def _by_word(legal: Legal, question: Decision, word: str) -> AnyOrder | None:
    """The answer that begins with a word and is about the most units."""
    found = [
        order
        for order in islice(KINDS[question.kind].orders(legal, question), LOOKED_AT)
        if format_order(order).partition(" ")[0] == word and order in legal
    ]
    return max(found, key=_size, default=None)


def _size(order: AnyOrder) -> int:
    units = getattr(order, "units", ())
    return sum(spec.count for spec in units) or int(getattr(order, "count", 0) or 0)


def _losses(legal: Legal, question: Decision, manner: str) -> AnyOrder | None:
    """Losses in the order of units that was given; those that it does not name come after, as usual."""
    wanted = []
    for word in manner.split(","):
        try:
            wanted.append(names(legal.world, "unit").find(word.strip()))
        except SandtableError:
            return None
    usual = legal.default()
    left = question.count
    parts: list[str] = []
    for unit in wanted:
        for power, kind, number in question.units:
            if kind == unit and left > 0:
                parts.append(f"{min(number, left)} {power} {kind}")
                left -= min(number, left)
    if left > 0:
        return usual if not parts else _completed(legal, question, parts, left, set(wanted))
    return _legal(legal, f"casualties {', '.join(parts)}")


def _completed(legal: Legal, question: Decision, parts: list[str], left: int, named: set[str]) -> AnyOrder | None:
    rest = sorted(
        ((power, kind, number) for power, kind, number in question.units if kind not in named),
        key=lambda unit: legal.world.units[unit[1]].cost or 0,
    )
    for power, kind, number in rest:
        if left > 0:
            parts = [*parts, f"{min(number, left)} {power} {kind}"]
            left -= min(number, left)
    return _legal(legal, f"casualties {', '.join(parts)}")


def _legal(legal: Legal, text: str) -> AnyOrder | None:
    try:
        order = parse_order(legal.world, text)
    except SandtableError:
        return None
    return order if order in legal else None
