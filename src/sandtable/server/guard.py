"""Who may talk to the server at all: decided before anything else sees a request.

A page of another site can make a browser send requests to 127.0.0.1. Two checks stop that, for HTTP and WebSockets
alike. The `Host` must be a name or address of this server: a foreign name that was made to point here (DNS rebinding)
is not. And an `Origin`, which browsers add to whatever a page sends, must be this server's own, or one that was
allowed. Bodies that are too large are cut off while they arrive.
"""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sandtable.server import errors
from sandtable.server.quotas import Limits
from sandtable.server.settings import Settings

IMPORT = "/api/games/import"
LARGEST_IMPORT = 16_000_000  # bytes
SAFE = ("GET", "HEAD")
SHARED = 5  # people who may share an address before its requests are too many for one
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' data: blob:; style-src 'self'; connect-src 'self' ws: wss:; "
        b"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    ),
]


class Guard:
    """ASGI middleware around the whole app."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.limits = Limits(settings.rate * SHARED, enabled=settings.people)
        self.names = {"localhost", settings.host.lower(), *(name.lower() for name in settings.known_names)}
        if not settings.is_local:
            self.names.add(socket.gethostname().lower())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        problem = self._stranger(scope, headers)
        if problem is not None:
            await _refuse(scope, receive, send, errors.ApiError(403, "forbidden", problem))
            return
        try:
            if scope["path"].startswith("/api/"):
                self.limits.check("requests", (scope.get("client") or ("",))[0])
        except errors.ApiError as error:
            await _refuse(scope, receive, send, error)
            return
        if scope["type"] == "websocket":
            await self.app(scope, receive, send)
        else:
            await self._limited(scope, headers, receive, send)

    def _stranger(self, scope: Scope, headers: Headers) -> str | None:
        """Why the request is not answered."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return "This server is not known under that host name."
        origins = headers.getlist("origin")
        if not origins:
            crossing = headers.get("sec-fetch-site") in ("cross-site", "same-site")
            changes = scope["type"] == "websocket" or scope["method"] not in SAFE
            return "Pages of other sites cannot change anything here." if crossing and changes else None
        if len(origins) == 1 and (origins[0] in self.settings.known_origins or urlsplit(origins[0]).netloc == hosts[0]):
            return None
        return "Pages of other sites cannot talk to this server."

    def _is_ours(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        if name in self.names:
            return True
        try:
            address = ipaddress.ip_address(name)
        except ValueError:
            return False
        return address.is_loopback or not self.settings.is_local  # an address cannot be rebound, a name can

    async def _limited(self, scope: Scope, headers: Headers, receive: Receive, send: Send) -> None:
        limit = LARGEST_IMPORT if scope["path"] == IMPORT else self.settings.largest_body
        message = f"The request is too large: at most {limit:,} bytes are taken."
        announced = headers.get("content-length", "0")
        if not announced.isascii() or not announced.isdigit() or len(announced) > 12 or int(announced) > limit:
            await _refuse(scope, receive, send, errors.ApiError(413, "too-large", message))
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            part = await receive()
            if part["type"] == "http.request":
                seen += len(part.get("body", b""))
                if seen > limit:
                    raise HTTPException(413, message)  # answered like every other error of the app
            return part

        async def marked(part: Message) -> None:
            if part["type"] == "http.response.start":
                part = {**part, "headers": [*part["headers"], *HEADERS]}
            await send(part)

        await self.app(scope, counted, marked)


async def _refuse(scope: Scope, receive: Receive, send: Send, error: errors.ApiError) -> None:
    if scope["type"] == "websocket":
        await receive()  # the client's request to connect
        await send({"type": "websocket.close", "code": 1008, "reason": error.body.message})
        return
    request = Request(scope, receive)
    await errors.response(error)(request.scope, receive, send)
