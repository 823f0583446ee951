"""HTTP with limits: a header that never ends, a request that never comes, and one address with all the connections.

A reverse proxy has such limits, too; the server does not rely on one.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, ClassVar

from uvicorn.config import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

LARGEST_HEAD = 32_768  # bytes of the first line and the headers, beside the piece in which they began
HEAD_TIME = 10.0  # seconds in which they have to come, from the connection or from the first byte on
BODY_TIME = 60.0  # seconds for the rest of a request
READ_TIME = 60.0  # seconds in which the other side has to take something of an answer that waits for it


class CarefulProtocol(HttpToolsProtocol):
    """The usual protocol, which ends connections that cost more than they bring."""

    per_address: ClassVar[Counter[str]] = Counter()
    most_per_address: ClassVar[int] = 200
    trusted: ClassVar[frozenset[str]] = frozenset()  # proxies: all the world comes from them; `*` is any
    head_time: ClassVar[float] = HEAD_TIME
    body_time: ClassVar[float] = BODY_TIME
    read_time: ClassVar[float] = READ_TIME

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._in_head = True
        self._seen = 0
        self._timer: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._counted = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        address = self.client[0] if self.client else ""
        if address and not self.trusted & {address, "*"}:
            self._counted = address
            self.per_address[address] += 1
            if self.per_address[address] > self.most_per_address:
                self._end("503 Service Unavailable", "There are too many connections from your address.")
                return
        self._wait(self.head_time)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._stop_reading()
        self._uncount()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """The other side does not read, and what is sent piles up here: not for ever."""
        super().pause_writing()
        self._stop_reading()
        self._reading = self.loop.call_later(self.read_time, self.transport.abort)

    def resume_writing(self) -> None:
        self._stop_reading()
        super().resume_writing()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _uncount(self) -> None:
        if self._counted:
            self.per_address[self._counted] -= 1
            if self.per_address[self._counted] <= 0:
                del self.per_address[self._counted]
            self._counted = ""

    def data_received(self, data: bytes) -> None:
        if self.transport.is_closing():
            return
        if self._in_head:
            self._seen += len(data)
            if self._timer is None:
                self._wait(self.head_time)
        super().data_received(data)
        if self._in_head and self._seen > LARGEST_HEAD and not self.transport.is_closing():
            self._end("431 Request Header Fields Too Large", "The headers are too large.")

    def on_message_begin(self) -> None:
        self._in_head, self._seen = True, 0
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._stop_waiting()
        super().on_headers_complete()
        if not self.transport.is_closing():
            self._wait(self.body_time)

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()
        self._in_head, self._seen = True, 0

    def handle_websocket_upgrade(self) -> None:
        self._stop_waiting()
        super().handle_websocket_upgrade()
        self._uncount()  # signed-in people's sockets are limited elsewhere

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._timer = self.loop.call_later(seconds, self._too_slow)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        if not self.transport.is_closing():
            self._end("408 Request Timeout", "The request did not come in time.")

    def _end(self, status: str, message: str) -> None:
        body = message.encode()
        head = (
            f"HTTP/1.1 {status}\r\ncontent-type: text/plain\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(head.encode() + body)
        self.transport.close()
