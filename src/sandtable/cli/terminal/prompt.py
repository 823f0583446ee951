"""Asking for a line: with editing, history and completion on a terminal, plainly from a pipe."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import Completer
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output
from rich.console import Console
from rich.text import Text

LONGEST = 4000  # characters of a line; whoever sends more is no person


class Prompt(Protocol):
    """Gives one line after another. Raises EOFError or KeyboardInterrupt when the person leaves."""

    def ask(self, question: str) -> str: ...


class TerminalPrompt:
    """A line editor; Tab completes."""

    def __init__(
        self,
        completer: Completer | None = None,
        history: Path | None = None,
        *,
        input: Input | None = None,  # noqa: A002 (prompt_toolkit's own word)
        output: Output | None = None,
    ) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=_history(history),
            completer=completer,
            complete_while_typing=False,
            reserve_space_for_menu=5,
            input=input,
            output=output,
        )

    def ask(self, question: str) -> str:
        return self._session.prompt(question)


def _history(path: Path | None) -> History:
    if path is not None:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        except OSError:
            return InMemoryHistory()  # a game without memory is better than none
        return FileHistory(str(path))
    return InMemoryHistory()


class PipePrompt:
    """Lines from standard input, echoed, so that the transcript reads like a game."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def ask(self, question: str) -> str:
        line = sys.stdin.readline(LONGEST + 1)
        if not line:
            raise EOFError
        if len(line) > LONGEST:
            self._console.print(Text(f"A line has at most {LONGEST} characters; what follows is not read."))
            raise EOFError
        self._console.print(Text(f"{question}{line.rstrip()}"))
        return line.rstrip("\r\n")


def is_interactive(console: Console) -> bool:
    """A person sits at both ends."""
    return sys.stdin.isatty() and console.is_terminal
