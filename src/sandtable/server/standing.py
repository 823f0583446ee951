"""Standing orders: what somebody wants to be answered for him when he is asked in another's turn.

A manner is `usual` (the sensible answer of somebody who does not want to think: cheapest losses first, fight on), or an
order as text, several of them with `;` between: the first that is legal is given. For losses, an order of units such as
`infantry, armor, fighter` says who goes first. What has no manner, or cannot be answered by it, is asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.engine.decision import Decision
from sandtable.engine.facts import active
from sandtable.engine.legal import Legal
from sandtable.engine.questions import KINDS
from sandtable.errors import SandtableError
from sandtable.notation import parse_order
from sandtable.notation.names import names
from sandtable.notation.orders import AnyOrder
from sandtable.server.journal import Journal

USUAL = "usual"
LONGEST = 500  # characters of a manner
IN_OTHERS_TURNS = ("casualties", "retreat", "submarines", "stranded", "target")
"""Kinds that may be asked in another's turn. A new kind can be given a manner as soon as it is in the engine."""


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
        try:
            order = parse_order(legal.world, text.strip())
        except SandtableError:
            continue
        if order in legal:
            return order
    return None


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
