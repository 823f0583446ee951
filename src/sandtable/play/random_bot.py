"""The simplest opponent: any legal order will do."""

from __future__ import annotations

import random

from sandtable.engine.decision import Decision
from sandtable.engine.game import View
from sandtable.engine.legal import Legal
from sandtable.notation.orders import AnyOrder


class RandomBot:
    """Plays legal orders drawn at random, from a stream of its own, so that the game's dice stay what they are."""

    def __init__(self, seed: int | str = 0, name: str = "random") -> None:
        self.name = name
        self._random = random.Random(f"{seed}/{name}")  # noqa: S311 (play, not secrets)

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        return legal.sample(self._random)
