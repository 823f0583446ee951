"""The opponents by name: `3star`, `4star`, `5star`, each also `-cautious` and `-bold`; and `random`, the recruit.

Who compares plans can be told how long to think: `5star-quick`, `5star-bold-patient`.
"""

from __future__ import annotations

from sandtable.bots.bot import Bot, StarBot
from sandtable.bots.recruit import Recruit
from sandtable.bots.sparring import SPARRING
from sandtable.bots.style import LEVELS, STYLES, THINKING, style, thinking
from sandtable.errors import SandtableError


def names() -> tuple[str, ...]:
    """Every name that `make` knows."""
    stars_and_styles = (
        f"{stars}star" if manner == "balanced" else f"{stars}star-{manner}"
        for stars in LEVELS
        for manner in ("balanced", *(s for s in STYLES if s != "balanced"))
    )
    thinkers = (f"{stars}star-{think}" for stars, level in LEVELS.items() if level.plans > 1 for think in THINKING)
    return (*stars_and_styles, *thinkers, Recruit.name)


def make(name: str, seed: int | str = "") -> Bot:
    """The bot of this name. Raises SandtableError with the names there are.

    A seed gives it a temper of its own, within its level; without one it is the level itself.
    """
    if name.lower() == Recruit.name:
        return Recruit(seed)
    if name in SPARRING:
        return StarBot(SPARRING[name], seed, name)
    level, *words = name.lower().split("-")
    think = words.pop() if words and words[-1] in THINKING else ""
    manner = words.pop() if words else "balanced"
    stars = next((s for s in LEVELS if level in (f"{s}star", f"{s}stars")), None)
    if stars is None or words or manner not in STYLES or (think and LEVELS[stars].plans <= 1):
        raise SandtableError(f"There is no opponent called {name!r}; there are {', '.join(names())}.")
    minded = style(stars, manner)
    if not think:
        return StarBot(minded, seed)
    plain = StarBot(minded, seed).name
    return StarBot(thinking(minded, think), seed, f"{plain}-{think}")
