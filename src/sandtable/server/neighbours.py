"""Tables on the same network, found without typing an address (DNS-SD; off unless asked for)."""

from __future__ import annotations

import asyncio
import socket
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.errors import SandtableError

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf

KIND = "_sandtable._tcp.local."
LOOK = 1.5  # seconds to look around


class Neighbour(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    url: str


class Neighbourhood:
    """Says that there is a server here, and knows the others."""

    def __init__(self, name: str, url: str, address: str, port: int) -> None:
        if find_spec("zeroconf") is None:
            raise SandtableError(
                "To announce a table on the network takes a package more: pip install 'sandtable[lan]'."
            )
        self._name = name
        self._url = url
        self._address = address
        self._port = port
        self._zeroconf: AsyncZeroconf | None = None
        self._found: dict[str, Neighbour] = {}
        self._browser: Any = None

    async def open(self) -> None:
        from zeroconf import ServiceStateChange, Zeroconf
        from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

        self._zeroconf = AsyncZeroconf(interfaces=[self._address])
        info = AsyncServiceInfo(
            KIND,
            f"{self._name}.{KIND}",
            addresses=[socket.inet_aton(self._address)],
            port=self._port,
            properties={"url": self._url},
            server=f"{socket.gethostname()}-{self._port}.local.",
        )
        await self._zeroconf.async_register_service(info, allow_name_change=True)
        own = info.name

        def heard(zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
            if state_change is ServiceStateChange.Removed:
                self._found.pop(name, None)
            elif name != own:
                task = asyncio.ensure_future(self._ask(name))
                task.add_done_callback(lambda done: done.cancelled() or done.exception())

        self._browser = AsyncServiceBrowser(self._zeroconf.zeroconf, KIND, handlers=[heard])

    async def _ask(self, name: str) -> None:
        from zeroconf.asyncio import AsyncServiceInfo

        assert self._zeroconf is not None
        info = AsyncServiceInfo(KIND, name)
        if await info.async_request(self._zeroconf.zeroconf, int(LOOK * 1000)):
            url = (info.properties or {}).get(b"url")
            if url is not None and url.startswith((b"http://", b"https://")):
                self._found[name] = Neighbour(
                    name=name.removesuffix(f".{KIND}"), url=url.decode(errors="replace")[:200]
                )

    def neighbours(self) -> list[Neighbour]:
        return sorted(self._found.values(), key=lambda each: each.name)

    async def close(self) -> None:
        if self._browser is not None:
            await self._browser.async_cancel()
        if self._zeroconf is not None:
            await self._zeroconf.async_unregister_all_services()
            await self._zeroconf.async_close()
