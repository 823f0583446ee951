"""The opponents by name: `3star`, `4star`, `5star`, each also `-cautious` and `-bold`; and `random`, the recruit."""

from __future__ import annotations

from sandtable.bots.bot import Bot, StarBot
from sandtable.bots.recruit import Recruit
from sandtable.bots.sparring import SPARRING
from sandtable.bots.style import LEVELS, STYLES, style
from sandtable.errors import SandtableError


def names() -> tuple[str, ...]:
    """Every name that `make` knows."""
    stars_and_styles = (
        f"{stars}star" if manner == "balanced" else f"{stars}star-{manner}"
        for stars in LEVELS
        for manner in ("balanced", *(s for s in STYLES if s != "balanced"))
    )
    return (*stars_and_styles, Recruit.name)


def make(name: str, seed: int | str = 0) -> Bot:
    """The bot of this name. Raises SandtableError with the names there are."""
    if name.lower() == Recruit.name:
        return Recruit(seed)
    if name in SPARRING:
        return StarBot(SPARRING[name], seed, name)
    level, _, manner = name.lower().partition("-")
    manner = manner or "balanced"
    stars = next((s for s in LEVELS if level in (f"{s}star", f"{s}stars")), None)
    if stars is None or manner not in STYLES:
        raise SandtableError(f"There is no opponent called {name!r}; there are {', '.join(names())}.")
    return StarBot(style(stars, manner), seed)
