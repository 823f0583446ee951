"""Bots for the tests, registered when the module is imported: by the server, and by its workers."""

from __future__ import annotations

import os
import time

from sandtable.engine.decision import Decision
from sandtable.engine.game import View
from sandtable.engine.legal import Legal
from sandtable.notation.orders import AnyOrder, Buy, UnitSpec
from sandtable.play import RandomBot
from sandtable.server.bots.registry import Bot, Make, register


class Odd:
    """Does what its name says."""

    def __init__(self, name: str, style: str = "") -> None:
        self.name = name
        self.style = style

    def decide(self, view: View, legal: Legal, question: Decision) -> AnyOrder:
        match self.name:
            case "crashing":
                os._exit(7)
            case "raising":
                raise RuntimeError("no idea")
            case "sleeping":
                time.sleep(60)
            case "pondering":
                time.sleep(0 if self.style.endswith("quick") else 60)
                return RandomBot(1).decide(view, legal, question)
            case "chatty":
                print("thinking aloud")
                return RandomBot(1).decide(view, legal, question)
            case "patient":
                time.sleep(1.2)
                return RandomBot(1).decide(view, legal, question)
        return Buy((UnitSpec("battleship", 900),))  # cheating


def _make(name: str) -> Make:
    return lambda seed, style, number: Odd(name, style)


for each in ("crashing", "raising", "sleeping", "chatty", "patient", "cheating"):
    register(Bot(name=each, title=each, help=each, stars=0, styles=("loud",), make=_make(each)))

register(
    Bot(name="pondering", title="", help="", stars=0, styles=("bold", "patient", "quick"), make=_make("pondering"))
)
