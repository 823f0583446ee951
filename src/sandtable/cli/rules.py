"""`sandtable rules`: read and search the rulebook."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from sandtable.cli import console
from sandtable.cli.arguments import UsageError
from sandtable.rulebook import Group, RuleEntry, UnknownRuleError, groups, rule, search
from sandtable.rulebook.books import BOOKS

READABLE = 88  # columns; longer lines tire the eye


def look_up(words: str, book: str | None, limit: int) -> None:
    """The rule with that id, the group with that id, or the rules that contain the words."""
    out = console.output()
    if book is not None and book not in (known := [b.id for b in BOOKS]):
        raise UsageError(f"There is no book {book!r}. Books are {', '.join(known)}.")
    if not words:
        _list_groups(out, book)
        return
    if (group := _group(words)) is not None:
        _print_group(out, group)
        return
    if " " not in words and "-" in words and any(c.isdigit() for c in words):
        try:
            print_rule(out, rule(words))
            return
        except UnknownRuleError as error:
            found = search(words, book)
            if not found:
                raise UsageError(f"T{str(error)[1:]}") from None
    else:
        found = search(words, book)
    if not found:
        raise UsageError(f"No rule contains {words!r}. Fewer or shorter words find more.")
    if len(found) == 1:
        print_rule(out, found[0])
        return
    _print_list(out, found[:limit])
    more = len(found) - limit
    if more > 0:
        out.print(Text(f"and {more} more; `--limit {len(found)}` shows them all.", style="dim"))


def print_rule(out: Console, entry: RuleEntry) -> None:
    """One rule with everything that the rulebook tells about it."""
    width = min(out.width, READABLE)
    out.print(Text.assemble((entry.id, "bold cyan"), "  ", (entry.title, "bold")), width=width)
    out.print(Padding(Text(entry.rule), (0, 0, 0, 2)), width=width)
    parts = [("Source", entry.source), ("Check", entry.check), ("Note", entry.note), ("Option", entry.option)]
    parts += [("See also", text) for text in entry.interactions]
    for label, text in parts:
        if text:
            out.print(Padding(Text.assemble((f"{label}: ", "bold dim"), text), (0, 0, 0, 2)), width=width)


def _group(words: str) -> Group | None:
    return next((g for g in groups() if g.id == words.strip().upper()), None)


def _list_groups(out: Console, book: str | None) -> None:
    titles = {b.title for b in BOOKS if book in (None, b.id)}
    grid = console.table(out, "group", "about", "rules", "book", right=("rules",))
    for group in groups():
        if group.book in titles:
            grid.add_row(group.id, group.name, str(len(group.rules)), group.book)
    out.print(grid)
    out.print()
    out.print(Text("`sandtable rules GROUP` lists a group, `sandtable rules ID` prints a rule.", style="dim"))


def _print_group(out: Console, group: Group) -> None:
    out.print(Text.assemble((group.name, "bold"), (f"  ({group.book})", "dim")))
    _print_list(out, [rule(id_) for id_ in group.rules])


def _print_list(out: Console, entries: list[RuleEntry]) -> None:
    grid = console.table(out, "rule", "title")
    for entry in entries:
        grid.add_row(Text(entry.id, style="cyan"), entry.title)
    out.print(grid)
