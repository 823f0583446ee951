"""A tournament of bots: so many games, the same dice for all sides when they are swapped."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from os import PathLike, fspath

from sandtable.arena import chance_options
from sandtable.arena.backends import backend as find_backend
from sandtable.arena.match import GameResult, Job
from sandtable.arena.results import Results
from sandtable.bots import make
from sandtable.errors import SandtableError
from sandtable.world.compile import compile_world
from sandtable.world.library import packed_for, plain

Progress = Callable[[GameResult, int, int], None]
"""Called after each game with its result, how many are done, and how many there will be."""


def run(
    scenario: str = "classic-1942",
    axis: str = "5star",
    allies: str = "4star",
    games: int = 2,
    seed: int | str = 0,
    workers: int = 1,
    *,
    backend: str = "process",
    swap: bool = False,
    rounds: int = 12,
    options: Mapping[str, bool | int | str] | None = None,
    random_options: str = "",
    sides: Mapping[str, str] | None = None,
    decided_at: float = 0.0,
    save_to: str | PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Results:
    """Let bots play each other, one for each side.

    With `swap`, every second game is played with the same seed and the sides exchanged (with five sides, so are the
    next four, everybody moving on by one). A game that nobody has won
    after `rounds` rounds is adjudicated (`sandtable.arena.verdict`); with `decided_at` (a share of all worth, say 0.8)
    it is given to a side that is so far ahead. `save_to` is a folder for the games.
    `random_options` names a group of options that chance sets for each game beside `options`, the same for games with
    the same dice.

    A game whose sides are not called axis and allies says by `sides` which bot plays which.
    """
    if games < 1:
        raise SandtableError(f"A tournament needs at least one game, not {games}.")
    if rounds < 1:
        raise SandtableError(f"A game needs at least one round, not {rounds}.")
    fixed = dict(options or {})
    world = compile_world(scenario, fixed)
    among = chance_options.drawn_from(scenario, random_options, fixed) if random_options else []
    players = dict(sides) if sides else {"axis": axis, "allies": allies}
    if set(world.sides) != set(players):
        names = ", ".join(world.sides)
        raise SandtableError(f"{plain(scenario)} has the sides {names}; say for each of them which bot plays it.")
    for name in players.values():
        make(name)  # a wrong name is told now, not by every process
    seats, bots = tuple(players), tuple(players.values())
    jobs = []
    for number in range(games):
        group, turn = divmod(number, len(seats)) if swap else (number, 0)
        jobs.append(
            Job(
                number=number + 1,
                scenario=scenario,
                edition=packed_for(scenario),
                bots=dict(zip(seats, (*bots[turn:], *bots[:turn]), strict=True)),
                seed=f"{seed}/{group}",
                rounds=rounds,
                options=chance_options.draw(scenario, among, fixed, _chance(seed, group)) if among else fixed,
                decided_at=decided_at,
                save_to=fspath(save_to) if save_to is not None else "",
            )
        )
    found: list[GameResult] = []
    for result in find_backend(backend, workers).run(jobs):
        found.append(result)
        if progress is not None:
            progress(result, len(found), len(jobs))
    return Results(
        scenario=plain(scenario),
        players=bots,
        seed=seed,
        rounds=rounds,
        games=tuple(sorted(found, key=lambda g: g.number)),
    )


def _chance(seed: int | str, group: int) -> random.Random:
    """The chance that sets options; its own, so that dice are the same with and without it."""
    return random.Random(f"{seed}/{group}/options")  # noqa: S311 (play)
