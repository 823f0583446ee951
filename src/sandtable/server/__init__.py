"""The server under the browser game: games over HTTP and WebSocket, kept in SQLite, bots in processes of their own.

It decides nothing about the rules: every order, every legality question and every state comes from the engine. What it
adds is storage that survives a crash, numbered messages for whoever looks on, and views in a form that a page can use.

    from sandtable.server import serve
    serve()                       # opens the browser on http://127.0.0.1:8765

Needs the extra `server`: pip install "sandtable[server]".
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sandtable.server.app import create_app
    from sandtable.server.run import serve
    from sandtable.server.settings import Settings

__all__ = ["Settings", "create_app", "serve"]

NEEDED = ("fastapi", "starlette", "uvicorn", "sqlalchemy", "alembic", "aiosqlite", "pydantic", "argon2", "httpx2")
"""Packages of the extra; without one of them nothing here but the bots' workers can be imported."""

_HOMES = {"Settings": "settings", "create_app": "app", "serve": "run"}


def __getattr__(name: str) -> Any:
    """Import on first use: a bot's worker process needs none of the web libraries."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sandtable.server' has no attribute {name!r}")
    return getattr(import_module(f"sandtable.server.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
