"""Rooms: a game in memory with those who look on, and the bots that sit at it. The lobby opens and closes rooms.

Every change goes the same way: apply it to the journal, commit it to storage, then tell everybody. Readers wait for the
commit, so nobody ever sees an order that a crash could still lose. If storage fails, the room is closed and the game
read again from what is stored.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable

import msgspec

from sandtable.archive import snapshot
from sandtable.engine.state import State
from sandtable.errors import Refusal, SandtableError
from sandtable.notation.orders import AnyOrder
from sandtable.server import lessons
from sandtable.server.bots import registry
from sandtable.server.bots.registry import HUMAN
from sandtable.server.bots.worker import Job, Reason
from sandtable.server.bots.workers import BotFailed, Workers
from sandtable.server.errors import ApiError, logger, not_found, stale
from sandtable.server.journal import Damaged, Journal, Note, NothingToRedo, rebuild
from sandtable.server.settings import Settings
from sandtable.server.storage.store import Header, Overtaken, Seat, StorageError, Store, UnreadableError
from sandtable.server.views.changes import Deleted, Presence, Thinking, Transient, Trouble, Viewer

PROGRESS = 0.5  # seconds between two signs that a bot is thinking

Apply = Callable[[Journal], Note]


class Subscriber:
    """A live connection. It knows the last number that it has sent; what it missed is in the journal."""

    def __init__(self, viewer: int, name: str, number: int) -> None:
        self.viewer = viewer
        self.name = name
        self.number = number
        self.waiting: deque[Transient] = deque(maxlen=100)  # whatever is older than that is of no interest any more
        self.wake = asyncio.Event()
        self.closed = False


class Room:
    """One game that is open."""

    def __init__(self, journal: Journal, store: Store, workers: Workers, closed: Callable[[Room], None]) -> None:
        self.journal = journal
        self.lock = asyncio.Lock()
        self.subscribers: dict[int, Subscriber] = {}
        self.bots_running = True
        self.thinking: Thinking | None = None
        self.trouble: Trouble | None = None
        self.is_open = True
        self._store = store
        self._workers = workers
        self._closed = closed
        self._driver: asyncio.Task[None] | None = None
        self._next_viewer = 1

    @property
    def id(self) -> str:
        return self.journal.header.id

    @property
    def busy(self) -> bool:
        """Somebody looks on, or something is going on."""
        return bool(self.subscribers) or self.lock.locked() or self._is_driving()

    # ------------------------------------------------------------ changes

    async def change(self, apply: Apply, version: int | None = None) -> Note:
        """Carry a change out and store it. Whoever asked may go away meanwhile: what was begun is finished."""
        task = asyncio.create_task(self._change(apply, version))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # seen, even if nobody waits
        return await asyncio.shield(task)

    async def _change(self, apply: Apply, version: int | None) -> Note:
        async with self.lock:
            if not self.is_open:
                raise ApiError(409, "stale", "The game was closed in the meantime. Read it again.")
            if version is not None and version != self.journal.version:
                raise stale(version, self.journal.version)
            change = apply(self.journal)
            try:
                step = self.journal.step(change)
                await self._store.append(self.id, step, self.journal.summary(step.digest))
            except Overtaken as error:
                self.close()
                raise ApiError(409, "stale", str(error)) from error
            except StorageError as error:
                self.close()
                raise ApiError(503, "storage", str(error)) from error
        self._tell()
        return change

    @contextlib.asynccontextmanager
    async def reading(self) -> AsyncIterator[Journal]:
        """The journal when nothing is half done."""
        async with self.lock:
            yield self.journal

    async def play(self, order: AnyOrder | str, version: int | None) -> Note:
        """An order of a person."""

        def apply(journal: Journal) -> Note:
            self._check_seat(journal)
            lessons.check(journal, order)
            return journal.play(order)

        return await self._by_person(apply, version)

    async def undo(self, version: int | None, at: int | None = None) -> Note:
        """Take the last order back, or the one that led to place `at`."""

        def apply(journal: Journal) -> Note:
            if journal.game.entries:
                self._check_person(journal, journal.game.entries[-1].power)
            return journal.undo() if at is None or at == journal.place else journal.drop(at)

        return await self._by_person(apply, version)

    async def redo(self, version: int | None) -> Note:
        def apply(journal: Journal) -> Note:
            try:
                return journal.redo()
            except NothingToRedo as error:
                raise ApiError(409, "nothing-to-redo", str(error)) from None

        return await self._by_person(apply, version)

    async def rewind(self, place: int, version: int | None) -> Note:
        return await self._by_person(lambda journal: journal.rewind(place), version)

    async def sit(self, seat: str, player: str, style: str, version: int | None) -> Note:
        """Give a seat to a person or a bot. A bot that is thinking for it stops."""
        if player != HUMAN:
            bot = registry.find(player)
            if style and style not in bot.styles:
                raise SandtableError(f"{player} has no style {style!r}.")
        return await self._by_person(lambda journal: journal.sit(seat, player, style), version)

    async def _by_person(self, apply: Apply, version: int | None) -> Note:
        """A bot that was thinking about the position before has nothing to think about any more."""
        change = await self.change(apply, version)
        self.trouble = None
        await self._stop_driver()
        self.poke()
        return change

    def _check_seat(self, journal: Journal) -> None:
        question = journal.game.decision
        if question is not None:
            self._check_person(journal, question.power)

    def _check_person(self, journal: Journal, power: str) -> None:
        seat = journal.seat_of(power)
        if seat.player != HUMAN:
            name = journal.game.world.powers[power].name
            raise ApiError(
                409,
                "not-your-seat",
                f"{name} is played by {seat.player}: take the seat over to answer for it.",
                details={"seat": seat.name, "player": seat.player},
            )

    # ------------------------------------------------------------ those who look on

    def join(self, name: str, number: int) -> Subscriber:
        subscriber = Subscriber(self._next_viewer, name, number)
        self._next_viewer += 1
        self.subscribers[subscriber.viewer] = subscriber
        self.send(Presence(viewers=self.viewers()))
        self.poke()
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        if self.subscribers.pop(subscriber.viewer, None) is not None:
            self.send(Presence(viewers=self.viewers()))

    def rename(self, subscriber: Subscriber, name: str) -> None:
        subscriber.name = name
        self.send(Presence(viewers=self.viewers()))

    def viewers(self) -> list[Viewer]:
        return [Viewer(id=s.viewer, name=s.name) for s in self.subscribers.values()]

    def send(self, message: Transient) -> None:
        """Something that is of interest only now, and has no number."""
        for subscriber in self.subscribers.values():
            subscriber.waiting.append(message)
        self._tell()

    def _tell(self) -> None:
        for subscriber in self.subscribers.values():
            subscriber.wake.set()

    def close(self, message: Transient | None = None) -> None:
        """End all connections; whoever opens the game again gets it from storage."""
        if message is not None:
            self.send(message)
        self.is_open = False
        if self._driver is not None:
            self._driver.cancel()
        for subscriber in self.subscribers.values():
            subscriber.closed = True
        self._tell()
        self._closed(self)

    # ------------------------------------------------------------ bots

    def _is_driving(self) -> bool:
        return self._driver is not None and not self._driver.done()

    async def run_bots(self, running: bool) -> None:
        """Let bots go on, also after one has failed, or stop them."""
        self.bots_running = running
        self.trouble = None
        if running:
            self.poke()
        else:
            await self._stop_driver()

    def poke(self) -> None:
        """Let a bot answer if it has to and nobody is at it yet.

        A game between bots alone is played only while somebody looks on.
        """
        watched = bool(self.subscribers) or any(seat.player == HUMAN for seat in self.journal.seats)
        wanted = self.is_open and self.bots_running and self.trouble is None and watched
        if wanted and not self._is_driving() and self._job() is not None:
            self._driver = asyncio.create_task(self._drive())

    def _job(self) -> tuple[Job, str, str] | None:
        """The question for a bot, with its power and kind; None when a person has to answer or the game is over."""
        question = self.journal.game.decision
        if question is None:
            return None
        seat = self.journal.seat_of(question.power)
        if seat.player == HUMAN:
            return None
        return self._job_for(seat, self.journal.game.state), question.power, question.kind

    def _job_for(self, seat: Seat, state: State, *, explain: bool = False) -> Job:
        header, bundle = self.journal.header, self.journal.game.world.bundle
        return Job(
            player=seat.player,
            style=seat.style,
            seed=f"{header.seed}/{seat.name}",
            number=self.journal.version,
            seat=seat.name,
            powers=seat.powers,
            scenario=header.scenario,
            edition=bundle.packed if bundle is not None else "",
            options=header.options,
            edits=header.edits,
            state=snapshot.to_data(state),
            explain=explain,
        )

    async def plan(self, seat: Seat, state: State) -> tuple[Reason, ...]:
        """What whoever plays this seat, or would, means to do in this state."""
        return await self._workers.explain(self._job_for(seat, state, explain=True))

    async def _drive(self) -> None:
        """Let bots answer as long as they have to."""
        began, orders, player = time.monotonic(), 0, ""
        try:
            while self.bots_running and (found := self._job()) is not None:
                if not self.subscribers and all(seat.player != HUMAN for seat in self.journal.seats):
                    break
                job, power, kind = found
                if (job.player, power) != (player, self.thinking.power if self.thinking else None):
                    began, orders, player = time.monotonic(), 0, job.player
                self.thinking = Thinking(
                    active=True,
                    power=power,
                    seat=job.seat,
                    player=job.player,
                    question=kind,
                    orders=orders,
                    seconds=round(time.monotonic() - began, 1),
                )
                self.send(self.thinking)
                version = self.journal.version
                answer = await self._ask(job, began)
                try:
                    await self.change(lambda journal, text=answer, by=player: journal.play(text, by), version)  # type: ignore[misc]
                except ApiError as error:
                    if error.body.kind != "stale" or not self.is_open:
                        raise
                orders += 1
        except BotFailed as error:
            self._fail(str(error))
        except Refusal as refusal:
            self._fail(f"{player} gave an order that is not legal: {refusal}")
        except (SandtableError, ApiError) as error:
            self._fail(f"{player}: {error}")
        finally:
            if self.thinking is not None:
                done = self.thinking.model_copy(update={"active": False, "orders": orders})
                self.thinking = None
                self.send(done)

    async def _ask(self, job: Job, began: float) -> str:
        """The bot's answer; meanwhile those who look on hear that it is at work."""
        asking = asyncio.create_task(self._workers.ask(job))
        try:
            while True:
                done, _ = await asyncio.wait({asking}, timeout=PROGRESS)
                if done:
                    return asking.result()
                if self.thinking is not None:
                    seconds = round(time.monotonic() - began, 1)
                    self.thinking = self.thinking.model_copy(update={"seconds": seconds})
                    self.send(self.thinking)
        finally:
            if not asking.done():
                asking.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await asking

    def _fail(self, message: str) -> None:
        thinking = self.thinking
        if thinking is None or not self.is_open:
            return
        logger.warning("game %s: %s", self.id, message)
        self.trouble = Trouble(seat=thinking.seat, player=thinking.player, message=message)
        self.send(self.trouble)

    async def _stop_driver(self) -> None:
        driver = self._driver
        if driver is not None and not driver.done():
            driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await driver


class Lobby:
    """All games: those that are open, and the way to those that are not."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.workers = Workers(settings.bot_workers, settings.bot_timeout, settings.bot_modules)
        self.damaged: dict[str, str] = {}
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._opening: dict[str, asyncio.Lock] = {}

    async def open(self, game: str) -> Room:
        """The room of a game, read from storage if it is not open. Raises ApiError."""
        room = self._rooms.get(game)
        if room is None:
            async with self._opening.setdefault(game, asyncio.Lock()):
                room = self._rooms.get(game)
                if room is None:
                    room = await self._read(game)
            self._opening.pop(game, None)
        self._rooms.move_to_end(game)
        return room

    async def _read(self, game: str) -> Room:
        try:
            found = await self.store.read(game)
            if found is None:
                raise not_found(f"There is no game {game[:60]!r}.")
            journal = await asyncio.to_thread(rebuild, *found)
        except (Damaged, UnreadableError) as error:
            logger.warning("game %s is damaged: %s", game, error)
            self.damaged[game] = str(error)
            raise ApiError(409, "damaged", str(error)) from None
        except StorageError as error:
            raise ApiError(503, "storage", str(error)) from error
        self.damaged.pop(game, None)
        return self._add(journal)

    def _add(self, journal: Journal) -> Room:
        room = Room(journal, self.store, self.workers, self._forget)
        self._rooms[room.id] = room
        for other in list(self._rooms.values()):
            if len(self._rooms) <= self.settings.loaded_games:
                break
            if other is not room and not other.busy:
                other.close()
        room.poke()
        return room

    def _forget(self, room: Room) -> None:
        if self._rooms.get(room.id) is room:
            del self._rooms[room.id]

    async def create(self, journal: Journal) -> Room:
        """Store a new game and open it."""
        steps = [journal.step(change) for change in journal.changes]
        try:
            await self.store.create(journal.header, steps, journal.summary())
        except StorageError as error:
            raise ApiError(503, "storage", str(error)) from error
        return self._add(journal)

    async def delete(self, game: str) -> bool:
        room = self._rooms.get(game)
        if room is None:
            self.damaged.pop(game, None)
            return await self.store.delete(game)
        async with room.lock:
            found = await self.store.delete(game)
            room.close(Deleted())
        return found

    async def rename(self, game: str, name: str) -> None:
        await self.store.rename(game, name)
        room = self._rooms.get(game)
        if room is not None:
            header: Header = msgspec.structs.replace(room.journal.header, name=name)
            room.journal.header = header

    async def close(self) -> None:
        for room in list(self._rooms.values()):
            await room._stop_driver()
            room.close()
        await self.workers.close()
        await self.store.close()
