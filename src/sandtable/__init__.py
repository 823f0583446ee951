"""Sandtable: the table, the rulebook, the referee and the archive for a family of WWII grand-strategy board games.

>>> from sandtable import Game
>>> game = Game.new("classic-1942", seed=7)
>>> _ = game.play("buy 3 infantry")
>>> game.state.treasury["ussr"]
15

The public names are below; each is imported when it is first used, so that `import sandtable` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable.archive.game import Game
    from sandtable.engine.decision import Decision
    from sandtable.engine.state import State
    from sandtable.errors import DataError, NotationError, Refusal, SandtableError, SaveError
    from sandtable.notation import format_order, parse_order
    from sandtable.rulebook import rule
    from sandtable.world.compile import compile_world
    from sandtable.world.library import open_edition
    from sandtable.world.load import scenarios
    from sandtable.world.model import World

__all__ = [
    "DataError",
    "Decision",
    "Game",
    "NotationError",
    "Refusal",
    "SandtableError",
    "SaveError",
    "State",
    "World",
    "__version__",
    "compile_world",
    "format_order",
    "open_edition",
    "parse_order",
    "rule",
    "scenarios",
]

_HOMES = {
    "DataError": "errors",
    "Decision": "engine.decision",
    "Game": "archive.game",
    "NotationError": "errors",
    "Refusal": "errors",
    "SandtableError": "errors",
    "SaveError": "errors",
    "State": "engine.state",
    "World": "world.model",
    "compile_world": "world.compile",
    "format_order": "notation",
    "open_edition": "world.library",
    "parse_order": "notation",
    "rule": "rulebook",
    "scenarios": "world.load",
}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        value: Any = _version()
    elif name in _HOMES:
        value = getattr(import_module(f"sandtable.{_HOMES[name]}"), name)
    else:
        raise AttributeError(f"module 'sandtable' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("sandtable")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "0+unknown"
