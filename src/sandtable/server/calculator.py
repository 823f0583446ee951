"""Odds are worked out beside the event loop, one after the other, and only so many may wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from sandtable.server.errors import ApiError

WAITING = 16  # questions that may wait

Found = TypeVar("Found")


class Calculator:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="odds")
        self._waiting = 0

    async def work(self, question: Callable[[], Found]) -> Found:
        """The answer to the question. Raises ApiError when too many wait already."""
        if self._waiting >= WAITING:
            raise ApiError(503, "busy", "The calculator has too much to do at the moment. Try again in a second.")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, question)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        self._thread.shutdown(wait=True, cancel_futures=True)
