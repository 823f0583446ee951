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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import islice

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from sandtable.archive import snapshot
from sandtable.engine.state import State
from sandtable.errors import Refusal, SandtableError
from sandtable.notation.orders import AnyOrder
from sandtable.server import lessons, sight
from sandtable.server.bots import registry
from sandtable.server.bots.registry import HUMAN
from sandtable.server.bots.worker import Job, Reason
from sandtable.server.bots.workers import BotFailed, Workers
from sandtable.server.errors import ApiError, logger, not_found, stale
from sandtable.server.journal import Damaged, Journal, Note, NothingToRedo, follow, rebuild
from sandtable.server.people import LOCAL, Person
from sandtable.server.settings import Settings
from sandtable.server.storage.store import Header, Overtaken, Seat, StorageError, Store, UnreadableError
from sandtable.server.views.changes import (
    Deleted,
    Presence,
    Thinking,
    Transient,
    Trouble,
    Viewer,
    as_json,
    change_view,
)

PROGRESS = 0.5  # seconds between two signs that a bot is thinking
PRESENCE = 0.5  # seconds between two messages about who looks on
NAMED = 50  # of those who look on; the others are only counted
KEPT_TEXTS = 16  # changes that are kept as they were sent
KEPT_SIGHTS = 20  # different ways to see a game in which something is hidden

Apply = Callable[[Journal], Note]


class Subscriber:
    """A live connection. It knows the last number that it has sent; what it missed is in the journal."""

    def __init__(self, viewer: int, name: str, number: int, person: str = "") -> None:
        self.viewer = viewer
        self.name = name
        self.person = person
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
        self._hurried: tuple[int, int] | None = None  # the round and turn in which bots are to hurry
        self.trouble: Trouble | None = None
        self.is_open = True
        self._store = store
        self._workers = workers
        self._closed = closed
        self._driver: asyncio.Task[None] | None = None
        self._next_viewer = 1
        self.used = time.monotonic()  # when somebody last asked for it
        self.users = 0  # requests that are at it: the room must not be closed under them
        self.halted = ""  # why nobody may play at the moment, for those at a table
        self.changed: Callable[[Room, Note], None] | None = None  # told of every change, for clocks and notifications
        self.ended = False  # by agreement: nothing has to be hidden any more
        self._texts: OrderedDict[tuple[sight.Eyes | None, int], str] = OrderedDict()  # the newest, as they are sent
        self._sights: dict[sight.Eyes, sight.Sight] = {}
        self._last_presence = 0.0
        self._presence_timer: asyncio.TimerHandle | None = None

    @property
    def id(self) -> str:
        return self.journal.header.id

    @property
    def busy(self) -> bool:
        """Somebody looks on, or something is going on."""
        return bool(self.subscribers) or self.users > 0 or self.lock.locked() or self._is_driving()

    @contextlib.contextmanager
    def in_use(self) -> Iterator[Room]:
        """As long as this lasts, the room stays open."""
        self.users += 1
        try:
            yield self
        finally:
            self.users -= 1

    # ------------------------------------------------------------ changes

    async def change(self, apply: Apply, version: int | None = None, person: str = "") -> Note:
        """Carry a change out and store it. Whoever asked may go away meanwhile: what was begun is finished."""
        task = asyncio.create_task(self._change(apply, version, person))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # seen, even if nobody waits
        return await asyncio.shield(task)

    async def _change(self, apply: Apply, version: int | None, person: str) -> Note:
        async with self.lock:
            if not self.is_open:
                raise ApiError(409, "stale", "The game was closed in the meantime. Read it again.")
            if version is not None and version != self.journal.version:
                raise stale(version, self.journal.version)
            change = apply(self.journal)
            if person:
                change = self.journal.sign(person)
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
        if self.changed is not None:
            self.changed(self, change)
        return change

    async def catch_up(self) -> None:
        """Read what another process has done in this game."""
        async with self.lock:
            if not self.is_open:
                return
            try:
                follow(self.journal, await self._store.since(self.id, self.journal.version))
            except (Damaged, SQLAlchemyError, ValueError):
                self.close()  # whoever comes back reads all of it, and hears what is wrong
                return
        await self._stop_driver()
        self._tell()
        self.poke()

    def seen(self, who: Person) -> Journal:
        """The journal as somebody may see it."""
        known = None if self.ended else sight.eyes(self.journal, who)
        return self.journal if known is None else self._sight(known).of(self.journal)

    def _sight(self, known: sight.Eyes) -> sight.Sight:
        if known not in self._sights and len(self._sights) >= KEPT_SIGHTS:
            self._sights.clear()
        return self._sights.setdefault(known, sight.Sight(known))

    def text_of(self, who: Person, number: int) -> str:
        """A change as it is sent to somebody, and to all who see as much of it."""
        key = (None if self.ended else sight.eyes(self.journal, who), number)
        text = self._texts.get(key)
        if text is None:
            journal = self.seen(who)
            text = self._texts[key] = as_json(change_view(journal, journal.changes[number - 1]))
            while len(self._texts) > KEPT_TEXTS:
                self._texts.popitem(last=False)
        return text

    @contextlib.asynccontextmanager
    async def reading(self, who: Person) -> AsyncIterator[Journal]:
        """The journal when nothing is half done, as somebody may see it."""
        async with self.lock:
            yield self.seen(who)

    @contextlib.asynccontextmanager
    async def reading_all(self) -> AsyncIterator[Journal]:
        """The same with everything that is hidden, for what does not show it."""
        async with self.lock:
            yield self.journal

    async def play(self, order: AnyOrder | str, version: int | None, who: Person = LOCAL) -> Note:
        """An order of a person."""

        def apply(journal: Journal) -> Note:
            question = journal.game.decision
            if question is not None:
                self._check_person(journal, question.power, who)
            lessons.check(journal, order)
            return journal.play(order)

        return await self._by_person(apply, version, who)

    async def undo(self, version: int | None, at: int | None = None, who: Person = LOCAL) -> Note:
        """Take the last order back, or the one that led to place `at`."""

        def apply(journal: Journal) -> Note:
            self._check_open(journal, who)
            last = at is None or at == journal.place
            for entry in journal.game.entries[-1:] if at is None or last else journal.game.entries[max(0, at - 1) :]:
                self._check_person(journal, entry.power, who)
            return journal.undo() if at is None or last else journal.drop(at)

        return await self._by_person(apply, version, who)

    async def redo(self, version: int | None, who: Person = LOCAL) -> Note:
        def apply(journal: Journal) -> Note:
            if not who.is_local and journal.to_redo is not None:
                self._check_person(journal, journal.to_redo.power, who)
            try:
                return journal.redo()
            except NothingToRedo as error:
                raise ApiError(409, "nothing-to-redo", str(error)) from None

        return await self._by_person(apply, version, who)

    async def rewind(self, place: int, version: int | None, who: Person = LOCAL, *, agreed: bool = False) -> Note:
        """Go on from an earlier point. Where others sit at the table, they have to agree first."""

        def apply(journal: Journal) -> Note:
            if not who.is_local:
                self._check_open(journal, who)
                if not agreed and self.others(journal, who):
                    raise ApiError(409, "consent", "That concerns others, too: make them an offer.")
            return journal.rewind(place)

        return await self._by_person(apply, version, who)

    async def sit(
        self, seat: str, player: str, style: str, version: int | None, who: Person = LOCAL, *, person: str = ""
    ) -> Note:
        """Give a seat to a person or a bot. A bot that is thinking for it stops."""
        if player != HUMAN:
            bot = registry.find(player)
            if style and style not in bot.styles:
                raise SandtableError(f"{player} has no style {style!r}.")
        return await self._by_person(
            lambda journal: journal.sit(seat, player, style, person=person), version, who, halted=True
        )

    async def _by_person(self, apply: Apply, version: int | None, who: Person, *, halted: bool = False) -> Note:
        """A bot that was thinking about the position before has nothing to think about any more."""
        if self.halted and not halted:
            raise ApiError(409, "halted", self.halted)
        change = await self.change(apply, version, who.id)
        self.trouble = None
        await self._stop_driver()
        self.poke()
        return change

    @staticmethod
    def _check_open(journal: Journal, who: Person) -> None:
        """Where people are known, what is over stays over: its dice are told."""
        if not who.is_local and journal.game.state.over:
            raise ApiError(409, "forbidden", "The game is over and its dice are known. Copy it to play on.")

    @staticmethod
    def others(journal: Journal, who: Person) -> list[str]:
        """The people at the table besides somebody."""
        found = dict.fromkeys(seat.person for seat in journal.seats if seat.player == HUMAN and seat.person)
        return [person for person in found if person != who.id]

    def _check_person(self, journal: Journal, power: str, who: Person) -> None:
        seat = journal.seat_of(power)
        if seat.player == HUMAN and (who.is_local or seat.person == who.id):
            return
        name = journal.game.world.powers[power].name
        if seat.player != HUMAN:
            told = f"{name} is played by {seat.player}: take the seat over to answer for it."
        elif seat.person:
            told = f"{name} is played by {seat.name}."
        else:
            told = f"Nobody plays {name} at the moment."
        raise ApiError(409, "not-your-seat", told, details={"seat": seat.name, "player": seat.player})

    # ------------------------------------------------------------ those who look on

    def join(self, name: str, number: int, person: str = "") -> Subscriber:
        subscriber = Subscriber(self._next_viewer, name, number, person)
        self._next_viewer += 1
        self.subscribers[subscriber.viewer] = subscriber
        self._tell_presence()
        self.poke()
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        if self.subscribers.pop(subscriber.viewer, None) is not None:
            self._tell_presence()

    def rename(self, subscriber: Subscriber, name: str) -> None:
        subscriber.name = name
        self._tell_presence()

    def viewers(self) -> list[Viewer]:
        return [Viewer(id=s.viewer, name=s.name) for s in islice(self.subscribers.values(), NAMED)]

    def _tell_presence(self) -> None:
        """At once if nothing was said for a while, else a little later once for all: crowds come and go together."""
        if self._presence_timer is not None:
            return
        wait = self._last_presence + PRESENCE - time.monotonic()
        if wait > 0:
            self._presence_timer = asyncio.get_running_loop().call_later(wait, self._send_presence)
        else:
            self._send_presence()

    def _send_presence(self) -> None:
        self._presence_timer = None
        self._last_presence = time.monotonic()
        self.send(Presence(viewers=self.viewers(), total=len(self.subscribers)))

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
        if self._presence_timer is not None:
            self._presence_timer.cancel()
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

    async def hurry(self) -> None:
        """Let the bot that is thinking start anew and be quick about it, and about the rest of this turn."""
        if self.thinking is None or not self.thinking.can_hurry:
            return
        state = self.journal.game.state
        self._hurried = (state.round, state.turn)
        await self._stop_driver()
        self.poke()

    def poke(self) -> None:
        """Let a bot answer if it has to and nobody is at it yet.

        A game between bots alone is played only while somebody looks on.
        """
        watched = bool(self.subscribers) or any(seat.player == HUMAN for seat in self.journal.seats)
        wanted = self.is_open and self.bots_running and self.trouble is None and watched and not self.halted
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
        state = self.journal.game.state
        job = self._job_for(seat, state)
        quick = registry.hurried(job.player, job.style)
        if quick is not None and self._hurried == (state.round, state.turn):
            job = msgspec.structs.replace(job, style=quick)
        return job, question.power, question.kind

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
                    can_hurry=registry.hurried(job.player, job.style) is not None,
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
        self._opening: dict[str, asyncio.Task[Room]] = {}
        self.catching_up = asyncio.Semaphore(1)  # old changes are written out for one reader at a time
        self.changed: Callable[[Room, Note], None] | None = None
        self.opened: Callable[[Room], Awaitable[None]] | None = None  # asked before anybody gets a room

    async def open(self, game: str) -> Room:
        """The room of a game, read from storage if it is not open. Raises ApiError."""
        while (room := self._rooms.get(game)) is None:
            reading = self._opening.get(game)
            if reading is None:
                reading = self._opening[game] = asyncio.create_task(self._read(game))
                reading.add_done_callback(lambda done: self._read_it(game, done))
            await asyncio.shield(reading)  # it may have been closed for others before we come to it: then once more
        self._rooms.move_to_end(game)
        room.used = time.monotonic()
        return room

    def _read_it(self, game: str, reading: asyncio.Task[Room]) -> None:
        del self._opening[game]
        if not reading.cancelled():
            reading.exception()  # seen, even if nobody waits any more

    def get(self, game: str) -> Room | None:
        """The room of a game if it is open."""
        return self._rooms.get(game)

    @property
    def rooms(self) -> list[Room]:
        return list(self._rooms.values())

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
        return await self._add(journal)

    async def _add(self, journal: Journal) -> Room:
        room = Room(journal, self.store, self.workers, self._forget)
        room.changed = self.changed
        if self.opened is not None:
            await self.opened(room)
        self._rooms[room.id] = room
        if self.store.database.is_postgres:
            await room.catch_up()  # what another process did while this one was reading, of which nobody was told here
        for other in list(self._rooms.values()):
            if len(self._rooms) <= self.settings.loaded_games:
                break
            if other is not room and not other.busy:
                other.close()
        room.poke()
        return room

    def close_idle(self, seconds: float) -> None:
        """Close games at which nobody has been for so long; whoever comes back reads them again."""
        for room in self.rooms:
            if not room.busy and room.bots_running and room.used + seconds < time.monotonic():
                room.close()

    async def watch_idle(self) -> None:
        """For ever: let games that nobody plays leave memory."""
        while True:
            await asyncio.sleep(self.settings.idle / 4)
            self.close_idle(self.settings.idle)

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
        return await self._add(journal)

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
