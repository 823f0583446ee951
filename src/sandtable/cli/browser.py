"""`sandtable play`: the game in the browser, served on this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path

from sandtable.archive.game import SavedGame
from sandtable.cli.arguments import UsageError
from sandtable.cli.play import read
from sandtable.server import NEEDED


def play(new: SavedGame | None, save: Path | None, *, resume: bool, port: int | None, open_browser: bool) -> None:
    """Serve the page until interrupted and open it: on a new game, a saved one, the last one, or the menu."""
    try:
        from sandtable.server import Settings, bring, page, serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        raise UsageError(
            "The browser game needs a few packages more: pip install 'sandtable[server]'. "
            "`sandtable play --terminal` plays without them."
        ) from None
    if not page.is_built():
        raise UsageError(
            "The page of the browser game has not been built yet. In a copy of the source, `make play` builds it; "
            "`sandtable play --terminal` plays without it."
        )
    settings = Settings()
    game = None
    if new is not None:
        game = asyncio.run(bring.bring(settings, new))
    elif save is not None:
        game = asyncio.run(bring.bring(settings, read(save), save.stem))
    elif resume:
        game = asyncio.run(bring.latest(settings))
        if game is None:
            raise UsageError("There is no game to go on with. `sandtable play` begins one.")
    path = "" if game is None else f"game/{game}"
    serve(port=port, open_browser=open_browser, settings=settings, path=path)
