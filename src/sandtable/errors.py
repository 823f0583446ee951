"""Everything that Sandtable raises on purpose."""

from __future__ import annotations

import re
from collections.abc import Mapping


def one_stop(text: str) -> str:
    """The same sentence with one full stop, where a name such as “Ukraine S.S.R.” ends it and brings its own."""
    return re.sub(r"(?<!\.)\.\.(?!\.)", ".", text)


class SandtableError(Exception):
    """Base of all errors that are meant for a person to read."""


class DataError(SandtableError):
    """Data files that do not fit together. Lists every problem: `file: line 3: field: what is wrong`."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        several = f"{len(problems)} problems in the data:\n  " + "\n  ".join(problems)
        super().__init__(problems[0] if len(problems) == 1 else several)


class NotationError(SandtableError):
    """Text that cannot be read as an order. `rules` are ledger ids where a rule says what there is to name."""

    def __init__(self, text: str, rules: tuple[str, ...] = ()) -> None:
        self.rules = rules
        super().__init__(text)


class SaveError(SandtableError):
    """A file that is not a game of ours, or a damaged one."""


class Refusal(SandtableError):
    """An order that is well formed but against the rules. Nothing has changed.

    `reason` is a stable name of the cause, the same in every edition; `text` is the sentence for a player; `rules` are
    ledger ids, the most telling one first; `culprits` are the spaces and units at fault.

    Code that refuses names no rules: which rule of the game on the table says so is the edition's to tell. `rules=` is
    for ids that data carry, such as those of a canal.
    """

    def __init__(self, reason: str, text: str, culprits: tuple[str, ...] = (), *, rules: tuple[str, ...] = ()) -> None:
        self.reason = reason
        self.text = one_stop(text)
        self.culprits = culprits
        self.rules = rules
        super().__init__(reason, text, culprits)

    def __str__(self) -> str:
        return f"{self.rule}: {self.text}" if self.rules else self.text

    @property
    def rule(self) -> str:
        """The most telling rule; nothing if none is cited."""
        return self.rules[0] if self.rules else ""

    def cited(self, citations: Mapping[str, tuple[str, ...]]) -> Refusal:
        """The same refusal with the rules that an edition gives for its reason, behind those that it has already."""
        rules = tuple(dict.fromkeys((*self.rules, *citations.get(self.reason, ()))))
        return self if rules == self.rules else Refusal(self.reason, self.text, self.culprits, rules=rules)
