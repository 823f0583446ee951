"""What can be set when the server starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sandtable.errors import SandtableError
from sandtable.folders import data_folder

PREFIX = "SANDTABLE_"


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How one server runs. The defaults are for one person, or friends around one screen, on this machine."""

    data_dir: Path = field(default_factory=data_folder)
    database_url: str = ""  # PostgreSQL or another file than the one in data_dir
    host: str = "127.0.0.1"  # what it listens on; also a name under which it may be called
    names: tuple[str, ...] = ()  # further host names under which it may be called
    origins: tuple[str, ...] = ()  # pages from elsewhere that may talk to it, as http://localhost:5173
    public_url: str = ""  # under which others know it, as https://table.example
    proxies: str = ""  # addresses of reverse proxies whose word about the client is believed, with commas between
    static_dir: Path | None = None  # the built page; None: the one in the package
    largest_body: int = 1_000_000  # bytes of a request; an imported game may have more
    heartbeat: float = 15.0  # seconds of silence on a live connection after which a sign of life is sent
    loaded_games: int = 32  # games kept in memory; others are read again when somebody opens them
    idle: float = 900.0  # seconds after which a game at which nobody is leaves memory
    bot_workers: int = 1  # processes in which bots think
    bot_timeout: float = 120.0  # seconds for one answer of a bot
    bot_modules: tuple[str, ...] = ()  # modules that register further bots, imported here and in the workers
    calculators: int = 1  # threads for odds, imports and analyses
    # several people
    people: bool = False  # whoever asks has to say who he is, and may do what his seat allows
    registration: str = "open"  # open: anybody may come; closed: accounts by the admin, guests by a link
    tables_each: int = 50  # games that one person may have going as a host
    ladder: bool = True  # rate finished games between people
    announce: bool = False  # tell the local network that there is a table here
    rate: int = 1200  # requests a minute by one person or address
    connections_each: int = 200  # from one address at a time
    sockets_each: int = 100  # live connections of one person at a time
    # telling people that a game waits
    smtp_url: str = ""  # smtp://user:password@host:587, smtps://… ; nothing: no e-mail
    mail_from: str = ""
    push_key: str = ""  # the private VAPID key for notifications of browsers; nothing: none
    webhooks: bool = True  # people may have a post sent to an address of theirs
    private_webhooks: bool = False  # also to one in a private network, or without TLS
    bundle: float = 60.0  # seconds in which what waits for somebody is gathered

    @property
    def database(self) -> Path | str:
        return self.database_url or self.data_dir / "games.sqlite"

    @property
    def is_local(self) -> bool:
        """Only this machine can reach the server."""
        return self.host in ("127.0.0.1", "localhost", "::1")

    @property
    def is_https(self) -> bool:
        return self.public_url.startswith("https://")

    @property
    def known_names(self) -> tuple[str, ...]:
        """Host names under which it may be called, that of the public address among them."""
        own = urlsplit(self.public_url).hostname if self.public_url else None
        return (*self.names, *((own,) if own else ()))

    @property
    def known_origins(self) -> tuple[str, ...]:
        return (*self.origins, *((self.public_url.rstrip("/"),) if self.public_url else ()))


def from_environment(base: Settings, environment: Mapping[str, str] | None = None) -> Settings:
    """Settings with what the environment says: SANDTABLE_DATABASE_URL, SANDTABLE_NAMES=a,b and so on."""
    found: dict[str, Any] = {}
    known = {f"{PREFIX}{each.name.upper()}": each.name for each in fields(Settings)}
    for key, text in (os.environ if environment is None else environment).items():
        if key in known:
            found[known[key]] = _value(key, getattr(base, known[key]), known[key], text)
    return replace(base, **found)


def _value(key: str, default: object, name: str, text: str) -> object:
    try:
        if isinstance(default, bool):
            return {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}[text.lower()]
        if isinstance(default, int):
            return int(text)
        if isinstance(default, float):
            return float(text)
    except (KeyError, ValueError):
        raise SandtableError(f"{key} cannot be {text!r}.") from None
    if isinstance(default, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip())
    return Path(text) if name in ("data_dir", "static_dir") else text
