"""`sandtable replay`: go through a saved game."""

from __future__ import annotations

import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

from sandtable.archive import saves
from sandtable.archive.game import SavedGame
from sandtable.archive.log import log
from sandtable.cli import board, console
from sandtable.cli.arguments import UsageError
from sandtable.cli.logs import print_lines
from sandtable.cli.show import print_heading
from sandtable.cli.statistics import print_statistics
from sandtable.cli.terminal.narrator import Narrator
from sandtable.cli.terminal.prompt import PipePrompt, Prompt, TerminalPrompt, is_interactive

HELP = "Enter: next order · phase, turn, round: further · back [order|phase|turn|round] · board · quit"
STEPS = ("order", "phase", "turn", "round")


def replay(path: Path, to: str | None, *, whole_log: bool) -> None:
    """Print the log, show the board at a point, or step through the game."""
    if not path.exists():
        raise UsageError(f"There is no file {path}.")
    game = saves.load(path)
    game.go_to(len(game.entries))
    out = console.output()
    if to is not None:
        game.go_to(place_of(game, to))
    if whole_log:
        print_lines(out, game.world, log(game))
        return
    if to is not None and not is_interactive(out):
        _board(out, game)
        return
    if to is None:
        game.go_to(0)
    _step_through(out, game)


def place_of(game: SavedGame, text: str) -> int:
    """Where in the record round and turn begin: `3.2` is the second power's turn of round 3, `3` its first."""
    match = re.fullmatch(r"(\d{1,4})(?:\.([\w .-]+))?", text.strip())
    if match is None:
        raise UsageError(f"--to takes a round and a turn, as 3.2 or 3.germany, not {text!r}.")
    number, turn = int(match[1]), _turn(game, match[2] or "1")
    states = [game.opening.state, *(entry.state for entry in game.entries)]
    for place, state in enumerate(states):
        if (state.round, state.turn) >= (number, turn):
            if (state.round, state.turn) != (number, turn):
                break
            return place
    last = states[-1]
    raise UsageError(f"The game does not come to {text}: it stands at {last.round}.{last.turn + 1}.")


def _turn(game: SavedGame, text: str) -> int:
    order = game.world.order
    if text.isdigit():
        number = int(text)
        if not 1 <= number <= len(order):
            raise UsageError(f"A round has the turns 1 to {len(order)}, not {text}.")
        return number - 1
    if text.lower() not in order:
        raise UsageError(f"There is no turn of {text!r}; turns are {', '.join(order)}.")
    return order.index(text.lower())


def _board(out: Console, game: SavedGame) -> None:
    print_heading(out, game.world, game.state)
    out.print()
    out.print(board.status_table(out, game.world, game.state))
    out.print()
    board.print_board(out, game.world, game.state)


def _step_through(out: Console, game: SavedGame) -> None:
    narrator = Narrator(out, game.world)
    prompt: Prompt = TerminalPrompt() if is_interactive(out) else PipePrompt(out)
    out.print(Text(HELP, style="dim"))
    if game.cursor == 0:
        narrator.tell(game.start, game.opening.events)
    while True:
        try:
            words = prompt.ask(f"{game.cursor}/{len(game.entries)}> ").lower().split() or ["order"]
        except (EOFError, KeyboardInterrupt):
            return
        match words:
            case ["quit" | "q" | "exit"]:
                return
            case ["board"]:
                _board(out, game)
            case ["stats"]:
                print_statistics(out, game)
            case ["back"] | ["back", _]:
                _travel(out, game, words[1] if len(words) == 2 else "order", -1)
            case ["forward"] | ["forward", _]:
                _forward(out, narrator, game, words[1] if len(words) == 2 else "order")
            case [step] if step in STEPS:
                _forward(out, narrator, game, step)
            case _:
                out.print(Text(HELP))


def _travel(out: Console, game: SavedGame, step: str, direction: int) -> None:
    if step not in STEPS:
        out.print(Text(f"Steps are by {', '.join(STEPS)}."))
    elif game.step(step, direction):
        print_heading(out, game.world, game.state)
    else:
        out.print(Text("This is the beginning."))


def _forward(out: Console, narrator: Narrator, game: SavedGame, step: str) -> None:
    """Tell everything on the way."""
    if step not in STEPS:
        out.print(Text(f"Steps are by {', '.join(STEPS)}."))
        return
    first = game.cursor
    if not game.step(step, +1):
        out.print(Text("This is the end of the record."))
        return
    lines = log(game)
    for place in range(first, game.cursor):
        entry = game.entries[place]
        before = game.entries[place - 1].state if place else game.opening.state
        out.print(Text(f"{game.world.powers[entry.power].name}: {lines[place + 1].order}", style="cyan"))
        narrator.tell(before, entry.events)
