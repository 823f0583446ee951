"""The worker processes: a bot thinks there and never in the server's own loop.

A process is started when it is first needed and kept. It is killed when its bot takes too long, when nobody wants the
answer any more, and when it breaks the protocol; the next question gets a new one.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys

import msgspec

from sandtable.errors import SandtableError
from sandtable.server.bots.worker import READY, Answer, Job, Reason

LONGEST = 16_000_000  # bytes of a line
START = 60.0  # seconds for a process to come up


class BotFailed(SandtableError):
    """A bot gave no usable answer; its seat waits for somebody to take over."""


class Workers:
    """So many processes, each answering one question at a time."""

    def __init__(self, number: int, timeout: float, modules: tuple[str, ...] = ()) -> None:
        self.timeout = timeout
        self.modules = modules
        self._free = asyncio.Semaphore(number)
        self._idle: list[asyncio.subprocess.Process] = []
        self._all: set[asyncio.subprocess.Process] = set()

    async def ask(self, job: Job) -> str:
        """The bot's order as text. Raises BotFailed. Cancelling the call kills the process that was thinking."""
        reply = await self._reply(job)
        if not reply.order:
            raise BotFailed(f"{job.player} failed: it gave no order")
        return reply.order

    async def explain(self, job: Job) -> tuple[Reason, ...]:
        """What the bot means to do, and why. Raises BotFailed."""
        return (await self._reply(job)).plan

    async def _reply(self, job: Job) -> Answer:
        async with self._free:
            process = await self._process()
            try:
                async with asyncio.timeout(self.timeout):
                    reply = await _exchange(process, job)
            except TimeoutError:
                await self._kill(process)
                raise BotFailed(f"{job.player} gave no answer within {self.timeout:g} seconds.") from None
            except (OSError, ValueError, msgspec.DecodeError, asyncio.IncompleteReadError):
                await self._kill(process)
                raise BotFailed(f"The process in which {job.player} was thinking has died.") from None
            except BaseException:
                await self._kill(process)
                raise
            self._idle.append(process)
        if reply.error:
            raise BotFailed(f"{job.player} failed: {reply.error}"[:500])
        return reply

    async def _process(self) -> asyncio.subprocess.Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._all.discard(process)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sandtable.server.bots.worker",
            *self.modules,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            limit=LONGEST,
        )
        self._all.add(process)
        try:
            async with asyncio.timeout(START):
                assert process.stdout is not None
                if await process.stdout.readline() != READY:
                    raise OSError
        except (OSError, TimeoutError):
            await self._kill(process)
            raise BotFailed("A process for bots could not be started.") from None
        except BaseException:
            await self._kill(process)
            raise
        return process

    async def _kill(self, process: asyncio.subprocess.Process) -> None:
        self._all.discard(process)
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await asyncio.shield(process.wait())

    async def close(self) -> None:
        """End all processes."""
        for process in list(self._all):
            await self._kill(process)
        self._idle.clear()


async def _exchange(process: asyncio.subprocess.Process, job: Job) -> Answer:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(msgspec.json.encode(job) + b"\n")
    await process.stdin.drain()
    line = await process.stdout.readuntil(b"\n")
    return msgspec.json.decode(line, type=Answer)
