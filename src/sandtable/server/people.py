"""People: who somebody is, passwords, and the secrets by which a browser or a program is known again.

A guest is somebody with a name and a browser. An account has a password, too, and can sign in from anywhere. A server
on one's own machine knows nobody: there, whoever asks is `LOCAL` and may do everything.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
import secrets
import unicodedata
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from sandtable.server.errors import ApiError

SHORTEST = 8  # characters of a password
LONGEST = 200
NAME = 40  # characters of a name

Done = TypeVar("Done")


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is known."""

    id: str
    name: str
    is_account: bool = False
    is_admin: bool = False

    @property
    def is_local(self) -> bool:
        """Whoever sits at the machine on which the server runs for him alone."""
        return not self.id


LOCAL = Person(id="", name="", is_account=True, is_admin=True)


def clean_name(text: str) -> str:
    """A name as others see it. Raises ApiError."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name or len(name) > NAME or not name.isprintable():
        raise ApiError(422, "validation", f"A name has 1 to {NAME} characters that can be printed.")
    return name


def login_of(name: str) -> str:
    """What two accounts must not have in common: neither case nor look-alike characters make a name another."""
    return unicodedata.normalize("NFKC", name).casefold()


def check_email(text: str) -> str:
    if len(text) > 200 or not re.fullmatch(r"[^@\s,;<>]+@[^@\s,;<>]+\.[^@\s,;<>.]+", text):
        raise ApiError(422, "validation", "That is no e-mail address.")
    return text


def new_secret() -> str:
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """What is kept of a secret: whoever reads the database cannot sign in with it."""
    return hashlib.sha256(secret.encode()).hexdigest()


class Passwords:
    """Argon2id, in threads of its own: one takes a good part of a tenth of a second, and others play meanwhile."""

    def __init__(self) -> None:
        self._hasher = PasswordHasher()
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="passwords")
        self._nobody = ""

    async def hash(self, password: str) -> str:
        """Raises ApiError if it is no good password."""
        if not SHORTEST <= len(password) <= LONGEST:
            raise ApiError(422, "validation", f"A password has {SHORTEST} to {LONGEST} characters.")
        return await self._run(self._hasher.hash, password)

    async def is_right(self, kept: str | None, password: str) -> bool:
        """Takes as long for somebody who does not exist: the time tells nothing."""
        if not self._nobody:
            self._nobody = await self._run(self._hasher.hash, "nobody")
        found = await self._run(self._verify, kept or self._nobody, password[:LONGEST])
        return found and kept is not None

    def _verify(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password)
        except (Argon2Error, InvalidHashError, UnicodeEncodeError):
            return False

    async def _run(self, work: Callable[..., Done], *values: str) -> Done:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *values)

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
