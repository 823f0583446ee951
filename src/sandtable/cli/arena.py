"""`sandtable arena`: bots play each other, with progress, and the results as a table or as JSON."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from sandtable.arena import GameResult, Results, run
from sandtable.arena.rating import MISSING, available
from sandtable.arena.results import failure
from sandtable.cli.console import errors, output


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What the command's flags say."""

    scenario: str
    axis: str
    allies: str
    sides: Mapping[str, str]
    games: int
    seed: str
    workers: int
    swap: bool
    rounds: int
    decided: float
    backend: str
    save: Path | None
    options: Mapping[str, Any]
    random_options: str
    as_json: bool
    quiet: bool


def show(wishes: Wishes) -> None:
    """Play the tournament and print what came of it; progress goes to the error stream, so results can be piped."""
    screen = errors()
    if not available():
        screen.print(MISSING)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=screen,
        disable=wishes.quiet or not screen.is_terminal,
        transient=True,
    ) as bar:
        task = bar.add_task("games", total=wishes.games)
        began = time.monotonic()

        def after(game: GameResult, done: int, total: int) -> None:
            bar.update(task, completed=done, description=_words(game))
            if not wishes.quiet and not screen.is_terminal:
                screen.print(f"{done}/{total} {time.monotonic() - began:.0f} s: {_words(game)}")

        results = run(
            wishes.scenario,
            wishes.axis,
            wishes.allies,
            wishes.games,
            wishes.seed,
            wishes.workers,
            backend=wishes.backend,
            swap=wishes.swap,
            rounds=wishes.rounds,
            options=wishes.options,
            random_options=wishes.random_options,
            sides=wishes.sides,
            decided_at=wishes.decided,
            save_to=wishes.save,
            progress=after,
        )
    output().print(_json(results) if wishes.as_json else results.table(), soft_wrap=True)


def _words(game: GameResult) -> str:
    """One game in a line: who won, when and how."""
    if game.failed:
        return failure(game)
    if game.winner is None:
        return f"game {game.number} drawn after {game.rounds} rounds"
    return f"game {game.number}: {game.bots[game.winner]} ({game.winner}), round {game.rounds}, {game.ending}"


def _json(results: Results) -> str:
    return msgspec.json.format(msgspec.json.encode(results.to_json()), indent=2).decode()
