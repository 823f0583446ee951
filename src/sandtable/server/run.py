"""Running the server: a socket on this machine, uvicorn, and the browser."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path

import uvicorn
from uvicorn.config import Config

from sandtable.errors import SandtableError
from sandtable.server import smooth
from sandtable.server.app import create_app
from sandtable.server.neighbours import Neighbourhood
from sandtable.server.protocol import CarefulProtocol
from sandtable.server.settings import Settings
from sandtable.server.storage.database import open_database

PORT = 8765


class Server(uvicorn.Server):
    """Says where it listens as soon as it does, and opens the browser there."""

    def __init__(self, config: Config, url: str, *, open_browser: bool) -> None:
        super().__init__(config)
        self.url = url
        self.open_browser = open_browser
        self._sweeping: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"Sandtable is at {self.url}", flush=True)
            if self.open_browser:
                await asyncio.to_thread(webbrowser.open, self.url)
            self._sweeping = asyncio.create_task(smooth.sweep())

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()
        await super().shutdown(sockets)

    def stop(self) -> None:
        """As an interrupt does: answers under way are finished, live connections closed."""
        self.should_exit = True


def serve(
    host: str = "127.0.0.1",
    port: int | None = PORT,
    *,
    open_browser: bool = True,
    data_dir: Path | str | None = None,
    settings: Settings | None = None,
    path: str = "",
) -> None:
    """Run the server until it is interrupted, or told to stop by Quit in its page.

    Port 0 takes any free one; a port in use is an error. None takes the usual port or, if that is in use, any free one:
    a browser keeps preferences for each port apart. Only this machine can reach it unless another host is given. The
    browser opens at `path`. Raises SandtableError when it cannot start.
    """
    chosen = replace(settings or Settings(), host=host)
    if data_dir is not None:
        chosen = replace(chosen, data_dir=Path(data_dir))
    asyncio.run(_try_database(chosen))
    listening = bind_somewhere(host) if port is None else bind(host, port)
    taken = listening.getsockname()[1]
    app = create_app(chosen)
    smooth.prepare(app, editions=chosen.people)
    CarefulProtocol.most_per_address = chosen.connections_each
    CarefulProtocol.trusted = frozenset(part.strip() for part in chosen.proxies.split(",") if part.strip())
    config = Config(
        app,
        http=CarefulProtocol,
        log_level="warning",
        lifespan="on",
        ws_max_size=100_000,
        ws_per_message_deflate=False,  # half a millisecond and 300 kB for each that connects; messages are small
        timeout_graceful_shutdown=2,
        server_header=False,
        proxy_headers=bool(chosen.proxies),
        forwarded_allow_ips=chosen.proxies or None,
    )
    server = Server(config, address_shown(chosen, taken, path), open_browser=open_browser)
    if chosen.announce:
        address = host if host not in ("0.0.0.0", "", "localhost") else own_address()  # noqa: S104
        app.state.neighbourhood = Neighbourhood(socket.gethostname(), server.url, address, taken)
    for line in warnings(chosen):
        print(line, file=sys.stderr, flush=True)
    app.state.stop = server.stop
    with listening, contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        raise SandtableError("The server could not start.")
    print("Sandtable has stopped. All games are kept.", flush=True)


def address_shown(settings: Settings, port: int, path: str = "") -> str:
    """Where people find the server: under its public address, or under one of this machine that works for others."""
    if settings.public_url:
        return f"{settings.public_url.rstrip('/')}/{path}"
    host = settings.host
    if host in ("0.0.0.0", "", "::"):  # noqa: S104
        host = own_address() if host != "::" else socket.gethostname()
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/{path}"


def own_address() -> str:
    """The address by which others on the network reach this machine, as far as can be told without asking anybody."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # a documentation address; nothing is sent, only the route is looked up
        return str(probe.getsockname()[0])
    return "127.0.0.1"


def warnings(settings: Settings) -> list[str]:
    """What whoever starts the server should know before others come."""
    found = []
    if not settings.is_local and not settings.people:
        found.append(
            "Warning: everybody who reaches this server may play every seat and delete every game. "
            "`sandtable serve` asks people who they are."
        )
    if not settings.is_local and settings.people and not settings.is_https:
        found.append(
            "Warning: without TLS passwords and games can be read on the way. On the internet, put a reverse proxy "
            "with TLS in front and say --public-url https://… (docs/how-to/host-a-server.md)."
        )
    return found


async def _try_database(settings: Settings) -> None:
    """Open it once beforehand, so that what is wrong with it is said in a sentence."""
    await (await open_database(settings.database)).dispose()


def bind_somewhere(host: str) -> socket.socket:
    """A socket on the usual port, or on any free one. Raises SandtableError."""
    try:
        return bind(host, PORT)
    except SandtableError:
        return bind(host, 0)


def bind(host: str, port: int) -> socket.socket:
    """A listening socket. Raises SandtableError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        raise SandtableError(f"The server cannot listen on {host}, port {port}: {error}.") from None
    return listening
