"""What can be set when the server starts."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from sandtable.folders import data_folder


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How one server runs. The defaults are for one person, or friends around one screen, on this machine."""

    data_dir: Path = field(default_factory=data_folder)
    host: str = "127.0.0.1"  # what it listens on; also a name under which it may be called
    names: tuple[str, ...] = ()  # further host names under which it may be called
    origins: tuple[str, ...] = ()  # pages from elsewhere that may talk to it, as http://localhost:5173
    static_dir: Path | None = None  # the built page; None: the one in the package
    largest_body: int = 1_000_000  # bytes of a request; an imported game may have more
    heartbeat: float = 15.0  # seconds of silence on a live connection after which a sign of life is sent
    loaded_games: int = 32  # games kept in memory; others are read again when somebody opens them
    bot_workers: int = 1  # processes in which bots think
    bot_timeout: float = 120.0  # seconds for one answer of a bot
    bot_modules: tuple[str, ...] = ()  # modules that register further bots, imported here and in the workers

    @property
    def database(self) -> Path:
        return self.data_dir / "games.sqlite"

    @property
    def is_local(self) -> bool:
        """Only this machine can reach the server."""
        return self.host in ("127.0.0.1", "localhost", "::1")
