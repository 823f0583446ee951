"""What keeps a server from pausing: everybody who plays waits while it does.

Python looks for garbage that refers to itself by going through all objects there are. With a hundred games that takes a
tenth of a second and more, in which nothing is answered. Nearly everything here lives long, so what has survived one
look is set aside and not looked at again, but for once in a long while.
"""

from __future__ import annotations

import asyncio
import gc

from fastapi import FastAPI

from sandtable.world.load import load_builtin, scenarios

YOUNG, OLD, NEVER = 5_000, 10, 1_000_000  # new objects between two looks at them, such looks between two at older ones
EVERY = 5.0  # seconds between two looks at what has come since the last
THOROUGHLY = 720  # such looks between two at everything


def prepare(app: FastAPI, *, editions: bool) -> None:
    """Do what would otherwise be done when somebody asks for the first time."""
    for route in app.routes:
        route.matches({"type": "http", "method": "GET", "path": "/api/", "root_path": "", "headers": []})
    if editions:
        for edition in {scenario.edition for scenario in scenarios() if scenario.playable}:
            load_builtin(edition)
    set_aside()


async def sweep() -> None:
    """For ever: look for garbage often and briefly."""
    looks = 0
    while True:
        await asyncio.sleep(EVERY)
        looks = looks % THOROUGHLY + 1
        if looks == THOROUGHLY:
            gc.unfreeze()
        if looks == THOROUGHLY or gc.get_count()[2]:  # else little has happened
            set_aside()


def set_aside() -> None:
    """Collect what is garbage among the newer objects; what is not will not be looked at again."""
    gc.set_threshold(YOUNG, OLD, NEVER)
    gc.collect()
    gc.freeze()
