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
from sandtable.server.app import create_app
from sandtable.server.settings import Settings
from sandtable.server.storage.database import open_database

PORT = 8765


class Server(uvicorn.Server):
    """Says where it listens as soon as it does, and opens the browser there."""

    def __init__(self, config: Config, url: str, *, open_browser: bool) -> None:
        super().__init__(config)
        self.url = url
        self.open_browser = open_browser

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"Sandtable is at {self.url}", flush=True)
            if self.open_browser:
                await asyncio.to_thread(webbrowser.open, self.url)

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
    shown = "127.0.0.1" if host in ("0.0.0.0", "") else f"[{'::1' if host == '::' else host}]" if ":" in host else host  # noqa: S104
    app = create_app(chosen)
    config = Config(
        app,
        log_level="warning",
        lifespan="on",
        ws_max_size=100_000,
        timeout_graceful_shutdown=2,
        server_header=False,
    )
    server = Server(config, f"http://{shown}:{taken}/{path}", open_browser=open_browser)
    app.state.stop = server.stop
    with listening, contextlib.suppress(KeyboardInterrupt):
        server.run(sockets=[listening])
    if not server.started:
        raise SandtableError("The server could not start.")
    print("Sandtable has stopped. All games are kept.", flush=True)


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
