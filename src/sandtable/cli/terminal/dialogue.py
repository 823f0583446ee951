"""The few questions before a game: go on with the last one, or who plays what."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from sandtable.archive.game import Game
from sandtable.cli.show import when
from sandtable.cli.terminal.prompt import Prompt

SIDES = {"allies": ("germany", "japan"), "axis": ("ussr", "uk", "usa")}


def wants_to_resume(console: Console, prompt: Prompt, game: Game) -> bool:
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
        console.print(Text.assemble((f"  {key:<8}", "cyan"), meaning))
    while True:
        word = prompt.ask(f"[{default}] ").strip().lower() or default
        found = [key for key in choices if key == word] or [key for key in choices if key.startswith(word)]
        if len(found) == 1:
            return found[0]
        console.print(Text(f"Choose {', '.join(choices)}."))


def ask_for_game(console: Console, prompt: Prompt) -> tuple[list[str], int | None, list[str]]:
    """Seats, number of players and options for a new game, as the command line has them."""
    who = ask_choice(
        console,
        prompt,
        "Who plays?",
        {
            "allies": "you play the Allies against random bots",
            "axis": "you play the Axis against random bots",
            "2": "two people at this screen, one a side",
            "3": "three people",
            "4": "four people",
            "5": "five people, one a power",
            "watch": "nobody: the bots play, you watch",
        },
        "allies",
    )
    seats, players = [], None
    if who == "watch":
        seats = ["all=random"]
    elif who in SIDES:
        players = 2
        seats = [f"{power}=random" for power in SIDES[who]]
    else:
        players = int(who)
    rules = ask_choice(
        console,
        prompt,
        "Which rules?",
        {"third": "third edition, as on the computer", "second": "second edition, as in the box"},
        "third",
    )
    return seats, players, ["second_edition=true"] if rules == "second" else []
