"""Telling people who are not there that a game waits for them: by webhook, e-mail, or a notification of the browser.

What waits is told once, for all games together, after a short while in which somebody may come by himself, and never
in quiet hours. Nothing here can hold a game up: what cannot be delivered is logged and forgotten.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import json
import socket
from collections.abc import Awaitable, Callable
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import httpx2

from sandtable.server.errors import ApiError, logger
from sandtable.server.mail import Mailer
from sandtable.server.settings import Settings
from sandtable.server.storage.people import People, Profile
from sandtable.server.storage.store import now

PATIENCE = 10.0  # seconds for an answer
AGAIN = 600.0  # seconds after which quiet hours are looked at again

Waiting = Callable[[str], Awaitable[list[str]]]
"""Gives, for a person, a line for each game that waits for him; none if he has come meanwhile."""


class Notifier:
    def __init__(self, settings: Settings, people: People, mailer: Mailer) -> None:
        self._settings = settings
        self._people = people
        self._mailer = mailer
        self._pending: dict[str, asyncio.Task[None]] = {}
        self.waiting: Waiting | None = None
        self.public_key = public_key(settings.push_key)

    def later(self, person: str) -> None:
        """Something waits for somebody: tell him in a while, unless that is about to happen anyway."""
        if person and person not in self._pending:
            task = self._pending[person] = asyncio.create_task(self._tell(person))
            task.add_done_callback(lambda _: self._pending.pop(person, None))

    async def _tell(self, person: str) -> None:
        try:
            await asyncio.sleep(self._settings.bundle)
            while True:
                profile = await self._people.profile(person)
                lines = await self.waiting(person) if self.waiting is not None else []
                if profile is None or not lines:
                    return
                if profile.settings.quiet is None or not profile.settings.quiet.hold(now()):
                    break
                await asyncio.sleep(AGAIN)
            await self.send(profile, lines)
        except Exception as error:  # whatever goes wrong here must harm nobody's game
            logger.warning("somebody could not be told that a game waits: %s", error)

    async def send(self, profile: Profile, lines: list[str]) -> None:
        """One message for all that waits, by every way that somebody has chosen."""
        title = "A game waits for you" if len(lines) == 1 else f"{len(lines)} games wait for you"
        text = "\n".join(lines)
        settings = profile.settings
        if settings.webhook and self._settings.webhooks:
            await self._post(settings.webhook, title, text)
        if settings.email and profile.email:
            await self._mailer.send(profile.email, title, f"{text}\n\nHow you are told is set in your profile.")
        for subscription in settings.push:
            await self._push(subscription, title, text)

    async def _post(self, address: str, title: str, text: str) -> None:
        """One JSON post that Discord (`content`) and Slack (`text`) understand as it is."""
        body = {"content": f"**{title}**\n{text}", "text": f"*{title}*\n{text}"}
        try:
            target, host = await _pinned(address, self._settings)
            async with httpx2.AsyncClient(timeout=PATIENCE, follow_redirects=False) as client:
                await client.post(target, json=body, headers={"host": host}, extensions={"sni_hostname": host})
        except (httpx2.HTTPError, ApiError, OSError) as error:
            logger.warning("a webhook did not answer: %s", error)

    async def check_subscription(self, subscription: dict[str, Any]) -> dict[str, Any]:
        """A browser's subscription with what is needed and no more. Raises ApiError."""
        keys = subscription.get("keys")
        endpoint = subscription.get("endpoint")
        if not self.public_key:
            raise ApiError(403, "forbidden", "This server sends no notifications to browsers.")
        if not isinstance(endpoint, str) or len(endpoint) > 1000 or not isinstance(keys, dict):
            raise ApiError(422, "validation", "That is no subscription of a browser.")
        found = {name: keys.get(name) for name in ("p256dh", "auth")}
        if not all(isinstance(key, str) and len(key) < 200 for key in found.values()):
            raise ApiError(422, "validation", "That is no subscription of a browser.")
        await check_webhook(endpoint, self._settings)
        return {"endpoint": endpoint, "keys": found}

    async def _push(self, subscription: dict[str, Any], title: str, text: str) -> None:
        if not self.public_key:
            return
        from pywebpush import WebPushException, webpush  # type: ignore[import-untyped,unused-ignore]

        claims = {"sub": self._settings.public_url or "mailto:nobody@localhost"}
        data = json.dumps({"title": title, "text": text})
        try:
            await _pinned(subscription["endpoint"], self._settings)
            await asyncio.to_thread(
                webpush, subscription, data, self._settings.push_key, claims, timeout=PATIENCE, ttl=86_400
            )
        except (WebPushException, ApiError, OSError, ValueError) as error:
            logger.warning("a browser could not be notified: %s", error)

    async def close(self) -> None:
        for task in list(self._pending.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def public_key(private: str) -> str:
    """The key that browsers need, from the server's own; nothing where no notifications can be sent."""
    if not private or find_spec("pywebpush") is None:
        return ""
    from base64 import urlsafe_b64encode

    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
    from py_vapid import Vapid  # type: ignore[import-untyped,unused-ignore]

    key = Vapid.from_string(private).public_key
    raw = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


async def check_webhook(address: str, settings: Settings) -> None:
    """Whether a person's address may be posted to. Raises ApiError."""
    if not settings.webhooks:
        raise ApiError(403, "forbidden", "This server posts to no addresses.")
    await _pinned(address, settings)


async def _pinned(address: str, settings: Settings) -> tuple[str, str]:
    """The address with the host's number in it, and the host: nobody can make the server talk to its own network."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        raise ApiError(422, "validation", "That is no address.") from None
    if (parts.scheme != "https" and not settings.private_webhooks) or not host or parts.username is not None:
        raise ApiError(422, "validation", "Notifications can be posted to an https:// address only.")
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise ApiError(422, "validation", f"There is no host {host[:100]}.") from None
    number = ipaddress.ip_address(found[0][4][0])
    if not number.is_global and not settings.private_webhooks:
        raise ApiError(422, "validation", "That address is in a private network.")
    place = f"[{number}]:{port}" if number.version == 6 else f"{number}:{port}"
    return urlunsplit((parts.scheme, place, parts.path or "/", parts.query, "")), host
