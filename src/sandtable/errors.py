"""Everything that Sandtable raises on purpose."""

from __future__ import annotations


class SandtableError(Exception):
    """Base of all errors that are meant for a person to read."""


class DataError(SandtableError):
    """Data files that do not fit together. Lists every problem: `file: field: what is wrong`."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        count = len(problems)
        super().__init__(f"{count} problem{'s' if count != 1 else ''} in the data:\n  " + "\n  ".join(problems))


class NotationError(SandtableError):
    """Text that cannot be read as an order. `rules` are ledger ids where a rule says what there is to name."""

    def __init__(self, reason: str, rules: tuple[str, ...] = ()) -> None:
        self.rules = rules
        super().__init__(reason)


class SaveError(SandtableError):
    """A file that is not a game of ours, or a damaged one."""


class Refusal(SandtableError):
    """An order that is well formed but against the rules. Nothing has changed.

    `rules` are ledger ids, the most telling one first; `culprits` are the spaces and units at fault.
    """

    def __init__(self, rules: str | tuple[str, ...], reason: str, culprits: tuple[str, ...] = ()) -> None:
        self.rules: tuple[str, ...] = (rules,) if isinstance(rules, str) else rules
        self.reason = reason.replace("..", ".")  # a name such as “Ukraine S.S.R.” may end the sentence itself
        self.culprits = culprits
        super().__init__(f"{self.rule}: {self.reason}")

    @property
    def rule(self) -> str:
        return self.rules[0]

    def by(self, rulebooks: tuple[str, ...]) -> Refusal:
        """The same refusal with only the ids from these rulebooks, as long as there is one.

        Code names the rules of every edition that it serves; a player wants those of the game on the table.
        """
        own = tuple(rule for rule in self.rules if rule.startswith(rulebooks))
        return Refusal(own, self.reason, self.culprits) if own else self
