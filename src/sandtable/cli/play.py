"""`sandtable play --terminal`: the game in the terminal."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.text import Text

from sandtable.archive import saves
from sandtable.archive.game import SavedGame
from sandtable.cli import console, folders
from sandtable.cli.arguments import UsageError, typed
from sandtable.cli.setup import new_game, table_for
from sandtable.cli.terminal import dialogue
from sandtable.cli.terminal.commands import COMMANDS
from sandtable.cli.terminal.completion import LineCompleter
from sandtable.cli.terminal.keeper import AutosaveKeeper, FileKeeper, Keeper, last_game, new_folder
from sandtable.cli.terminal.prompt import PipePrompt, Prompt, TerminalPrompt, is_interactive
from sandtable.cli.terminal.session import Session
from sandtable.engine.facts import listed


def play_file(path: Path, rounds: int | None) -> None:
    """Go on with a saved game, which is kept up to date."""
    _play(console.output(), read(path), FileKeeper(path), rounds)


def read(path: Path) -> SavedGame:
    """A saved game. Raises SandtableError with a sentence."""
    if not path.exists():
        raise UsageError(f"There is no file {path}. `sandtable new {typed(path)}` makes a game there.")
    return saves.load(path)


def play_new(game: SavedGame, rounds: int | None) -> None:
    """Play a new game, which is kept among the autosaves."""
    _play(console.output(), game, _new_keeper(), rounds)


def play(rounds: int | None, *, resume: bool) -> None:
    """Offer the last game or, after a short dialogue, a new one."""
    out = console.output()
    prompt: Prompt = TerminalPrompt() if is_interactive(out) else PipePrompt(out)
    last = last_game(folders.autosaves())
    if resume and last is None:
        raise UsageError("There is no game to go on with. `sandtable play` begins one.")
    try:
        if last is not None and (resume or dialogue.wants_to_resume(out, prompt, last[0])):
            game, keeper = last[0], AutosaveKeeper(last[1])
        else:
            wanted = dialogue.ask_for_game(out, prompt)
            game = new_game(wanted.scenario, wanted.options, wanted.seats, wanted.players)
            keeper = _new_keeper()
    except (EOFError, KeyboardInterrupt):
        out.print()
        return
    _play(out, game, keeper, rounds)


def _new_keeper() -> AutosaveKeeper:
    return AutosaveKeeper(new_folder(folders.autosaves()))


def _play(out: Console, game: SavedGame, keeper: Keeper, rounds: int | None) -> None:
    table = table_for(game)
    _welcome(out, game)
    Session(table, out, _prompt_for, keeper, COMMANDS, rounds).run()


def _prompt_for(session: Session) -> Prompt:
    if not is_interactive(session.console):
        return PipePrompt(session.console)
    return TerminalPrompt(LineCompleter(lambda: session.game, COMMANDS), folders.history())


def _welcome(out: Console, game: SavedGame) -> None:
    world = game.world
    out.print(
        Text(f"{world.edition_name}: {world.scenario_name}", style="bold"), Text(f"seed {game.seed}", style="dim")
    )
    for seat, powers in game.seats.items():
        names = listed([world.powers[p].name for p in powers])
        out.print(Text(names if seat == names else f"{seat}: {names}"))
    out.print(Text("`help` explains the commands; `quit` leaves and keeps the game.", style="dim"))
