"""The few questions before a game: go on with the last one, or who plays what."""

from __future__ import annotations

from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from sandtable.archive.game import SavedGame
from sandtable.cli.show import when
from sandtable.cli.terminal.prompt import Prompt
from sandtable.world.compile import compile_world
from sandtable.world.load import scenarios
from sandtable.world.model import World
from sandtable.world.options import option_text


def wants_to_resume(console: Console, prompt: Prompt, game: SavedGame) -> bool:
    """Offer the game that was kept last."""
    console.print(Text("There is a game in progress: ").append_text(when(game.world, game.state)))
    return ask_yes(console, prompt, "Go on with it?", default=True)


def ask_yes(console: Console, prompt: Prompt, question: str, *, default: bool) -> bool:
    """A question to be answered with yes or no; an empty line takes the default."""
    while True:
        word = prompt.ask(f"{question} [{'Y/n' if default else 'y/N'}] ").strip().lower()
        if not word:
            return default
        if word in ("y", "yes", "n", "no"):
            return word.startswith("y")
        console.print(Text("Answer yes or no."))


def ask_choice(console: Console, prompt: Prompt, question: str, choices: dict[str, str], default: str) -> str:
    """One of a few words; `choices` tells what each means."""
    console.print(Text(question, style="bold"))
    for key, meaning in choices.items():
        console.print(Text.assemble((f"  {key:<{max(8, *map(len, choices))}} ", "cyan"), meaning))
    while True:
        word = prompt.ask(f"[{default}] ").strip().lower() or default
        found = [key for key in choices if key == word] or [key for key in choices if key.startswith(word)]
        if len(found) == 1:
            return found[0]
        console.print(Text(f"Choose {', '.join(choices)}."))


class Wanted(NamedTuple):
    """A new game, as the command line would have it."""

    scenario: str
    seats: list[str]
    players: int | None
    options: list[str]


def ask_for_game(console: Console, prompt: Prompt) -> Wanted:
    """Which game, who plays, and by which rules."""
    games = {info.id: f"{info.edition.title()}, {info.name}" for info in scenarios() if info.playable}
    scenario = ask_choice(console, prompt, "Which game?", games, next(iter(games)))
    world = compile_world(scenario)
    if world.seats.drawn:
        sides = {"one": "you play one power, which the lot gives you, against random bots"}
    else:
        sides = {side: f"you play the {side.title()} against random bots" for side in world.sides}
    players = {str(n): f"{n} people at this screen" for n in sorted(world.seats.presets)}
    watch = {"watch": "nobody: the bots play, you watch"}
    who = ask_choice(console, prompt, "Who plays?", {**sides, **players, **watch}, next(iter(sides)))
    seats, number = [], None
    if who == "watch":
        seats = ["all=random"]
    elif who == "one":
        number, seats = max(world.seats.presets), [f"{power}=random" for power in world.order[1:]]
    elif who in sides:
        number = 2
        seats = [f"{power}=random" for power in world.order if world.side_of(power) != who]
    else:
        number = int(who)
    return Wanted(scenario, seats, number, _ask_for_options(console, prompt, world))


def _ask_for_options(console: Console, prompt: Prompt, world: World) -> list[str]:
    """The choices that change a whole game; the others are for the command line."""
    chosen = []
    for option in world.option_list:
        if option.ask:
            if option.choices:
                texts = {option_text(value): "" for value in option.choices}
                value = ask_choice(console, prompt, option.name + "?", texts, option_text(option.default))
            else:
                console.print(Text(option.help, style="dim"))
                value = option_text(ask_yes(console, prompt, f"{option.name}?", default=bool(option.default)))
            if value != option_text(option.default):
                chosen.append(f"{option.key}={value}")
    return chosen
