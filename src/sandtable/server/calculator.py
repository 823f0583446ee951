"""What takes a while and is no game: odds, imports, analyses. Worked out beside the event loop, in fair shares.

Everybody who asks has a queue of his own, and the queues take turns: one person with many questions only delays
himself. A question is dropped when nobody waits for its answer any more, and a queue takes so many and no more.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, TypeVar

from fastapi import Depends
from starlette.requests import HTTPConnection, Request

from sandtable.server.errors import ApiError

WAITING = 16  # questions of one person at a time
ALL_WAITING = 200  # of all together
LOOK = 0.5  # seconds between two looks whether somebody still waits

Found = TypeVar("Found")


class Calculator:
    def __init__(self, threads: int = 1) -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="calculator")
        self._free = threads
        self._queues: OrderedDict[str, deque[tuple[asyncio.Future[Any], Callable[[], Any]]]] = OrderedDict()
        self._asked: Counter[str] = Counter()  # questions of each person, at work or waiting

    async def work(self, question: Callable[[], Found], who: str = "", request: Request | None = None) -> Found:
        """The answer to a person's question. Raises ApiError when too many wait already, or nobody waits any more."""
        if self._asked[who] >= WAITING or self._asked.total() >= ALL_WAITING:
            raise ApiError(503, "busy", "The calculator has too much to do at the moment. Try again in a second.")
        future: asyncio.Future[Found] = asyncio.get_running_loop().create_future()
        self._queues.setdefault(who, deque()).append((future, question))
        self._asked[who] += 1
        self._next()
        try:
            while not (await asyncio.wait({future}, timeout=LOOK))[0]:
                if request is not None and await request.is_disconnected():
                    raise ApiError(503, "busy", "Nobody waits for the answer any more.")
        finally:
            self._asked[who] -= 1
            if not self._asked[who]:
                del self._asked[who]
            future.cancel()  # of no effect if the answer is there; if not, the question is passed over
        return future.result()

    def _next(self) -> None:
        while self._free and self._queues:
            who, queue = self._queues.popitem(last=False)
            future, question = queue.popleft()
            if queue:
                self._queues[who] = queue  # at the end of the line
            if future.cancelled():
                continue
            self._free -= 1
            running = asyncio.get_running_loop().run_in_executor(self._pool, question)
            running.add_done_callback(lambda done, asked=future: self._done(done, asked))  # type: ignore[misc]

    def _done(self, running: asyncio.Future[Any], asked: asyncio.Future[Any]) -> None:
        self._free += 1
        if running.cancelled():
            asked.cancel()
        elif (error := running.exception()) is not None:
            if not asked.cancelled():
                asked.set_exception(error)
        elif not asked.cancelled():
            asked.set_result(running.result())
        self._next()

    def close(self) -> None:
        for queue in self._queues.values():
            for future, _ in queue:
                future.cancel()
        self._queues.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)


async def the_calculator(connection: HTTPConnection) -> Calculator:
    calculator: Calculator = connection.app.state.calculator
    return calculator


AtCalculator = Annotated[Calculator, Depends(the_calculator)]
