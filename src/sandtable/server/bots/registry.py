"""The bots that can take a seat, by name.

Another module registers its own with `register` when it is imported; `Settings.bot_modules` names such modules, which
are imported by the server and by its workers.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import msgspec

from sandtable.errors import SandtableError
from sandtable.play import Player, RandomBot
from sandtable.training import INSTRUCTOR, Instructor, lesson

HUMAN = "human"
QUICK = "quick"  # the style of who thinks as briefly as it can

Make = Callable[[str, str, int], Player]
"""Gives a player from a seed, which is the same all through a game, a style, and the number of the question.

It is asked for one answer and then forgotten; what a bot wants to remember, it keeps beside itself, in the worker.
"""


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of computer player."""

    name: str  # what a seat says: `random`
    title: str  # for people
    help: str
    stars: int  # 0 (any legal move) to 5
    styles: tuple[str, ...] = ()
    plans: bool = False  # can say what it means to do
    listed: bool = True  # can be chosen for a seat of a new game
    make: Make


bots: dict[str, Bot] = {}


def register(bot: Bot) -> None:
    """Make a bot known. The same name replaces the earlier one."""
    if bot.name == HUMAN or not bot.name:
        raise SandtableError(f"A bot cannot be called {bot.name!r}.")
    bots[bot.name] = bot


def find(name: str) -> Bot:
    if name not in bots:
        raise SandtableError(f"There is no computer player {name!r}; there are: {', '.join(bots)}.")
    return bots[name]


def hurried(name: str, style: str) -> str | None:
    """The style in which this player answers when it is asked to hurry; None if it thinks no faster than it does."""
    if name not in bots or QUICK not in bots[name].styles or style.endswith(QUICK):
        return None
    manner = style.removesuffix("patient").removesuffix("-")
    return f"{manner}-{QUICK}" if manner else QUICK


def is_planner(name: str) -> bool:
    """Whether this player can say what it means to do."""
    return name in bots and bots[name].plans


def load(modules: tuple[str, ...]) -> None:
    """Import modules that register bots."""
    for module in modules:
        try:
            import_module(module)
        except ImportError as error:
            raise SandtableError(f"The bots of {module} cannot be loaded: {error}.") from None


register(
    Bot(
        name="random",
        title="Recruit",
        help="Plays any legal order. For trying things out.",
        stars=0,
        make=lambda seed, style, number: RandomBot(f"{seed}/{number}"),
    )
)


def _instructor(seed: str, style: str, number: int) -> Player:
    """The style is the lesson."""
    return Instructor(lesson(style))


register(
    Bot(
        name=INSTRUCTOR,
        title="Instructor",
        help="Plays the other side in the lessons of Basic Training.",
        stars=0,
        listed=False,
        make=_instructor,
    )
)


def _star(stars: int) -> Make:
    """Imported when one is asked: the server itself never needs to know how bots think."""

    def make(seed: str, style: str, number: int) -> Player:
        from sandtable import bots as opponents

        return opponents.make(f"{stars}star-{style}" if style else f"{stars}star", seed)

    return make


for _stars, _title, _help in (
    (3, "Captain", "Takes what can be taken this turn, and does not look further."),
    (4, "Colonel", "Looks at what the enemy can do next, keeps reserves and uses transports."),
    (5, "General", "Compares several plans for a turn with the enemy's answers to them."),
):
    register(
        Bot(
            name=f"{_stars}star",
            title=_title,
            help=_help,
            stars=_stars,
            styles=("cautious", "balanced", "bold", *((QUICK, "patient") if _stars == 5 else ())),
            plans=True,
            make=_star(_stars),
        )
    )
