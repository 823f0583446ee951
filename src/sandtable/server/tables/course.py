"""The course of a game at its table: standing orders, clocks and pauses, whom it waits for, and the end."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta
from typing import Any

import msgspec

from sandtable.engine.legal import Legal
from sandtable.errors import SandtableError
from sandtable.notation.orders import AnyOrder, Surrender
from sandtable.server import clocks, standing
from sandtable.server.errors import ApiError, logger
from sandtable.server.journal import Note
from sandtable.server.ladder import Ladder
from sandtable.server.notifying import Notifier
from sandtable.server.people import Person
from sandtable.server.rooms import Room
from sandtable.server.settings import Settings
from sandtable.server.storage.store import now
from sandtable.server.storage.tablestore import (
    Result,
    Stop,
    Table,
)
from sandtable.server.tables.company import Company
from sandtable.server.tables.offers import Offers
from sandtable.server.tables.setup import halted, late_seat, people_by_side

STAND_IN = "4star"  # who plays on for somebody whose time is up, where a table wants that
BY_STANDING = "standing orders"
TICK = 1.0  # seconds between two looks at the clocks


class Course:
    def __init__(self, company: Company, notifier: Notifier, ladder: Ladder, settings: Settings) -> None:
        self.company = company
        self.offers = Offers(company, notifier, self.end)
        self.lobby, self.store, self.hub = company.lobby, company.store, company.hub
        self._notifier = notifier
        self._ladder = ladder
        self._settings = settings
        self._tasks: set[asyncio.Task[None]] = set()
        self.lobby.opened = self.prepare
        self.lobby.changed = self.noticed
        notifier.waiting = self.waiting_for

    async def prepare(self, room: Room) -> None:
        """A room opens: it has to know whether its table lets anybody play."""
        if self._settings.people:
            table = await self.store.read(room.id)
            if table is not None:
                room.halted, room.ended = halted(table), table.stage == "over"

    async def heard(self, name: str) -> None:
        """Another process has changed a table."""
        self.store.forget(name)
        self.offers.heard(name)
        table = await self.store.read(name)
        if table is None:
            return
        for listener in self.hub.listeners(name):
            if not table.role(Person(id=listener.person, name="")):
                self.company.show_out(name, listener.person, "You are not in this game any more.")
        room = self.lobby.get(name)
        if room is not None:
            room.halted, room.ended = halted(table), table.stage == "over"
            room.poke()
        await self.company.tell(table)

    async def follow(self, table: Table) -> None:
        """The game does what its table says."""
        room = self.lobby.get(table.id)
        if room is None:
            if table.data.clock.kind != "none" and table.stage == "playing":
                room = await self.lobby.open(table.id)
            else:
                return
        room.halted, room.ended = halted(table), table.stage == "over"
        if not room.halted:
            room.poke()
        await self._set_due(room, table)

    def noticed(self, room: Room, change: Note) -> None:
        """Something was done in a game."""
        if self._settings.people:
            self.later(self.after(room))

    async def after(self, room: Room) -> None:
        """Standing orders, clocks, offers that are out of date, whom it waits for, the end."""
        table = await self.store.find(room.id)
        if table is None or not room.is_open:
            return
        journal = room.journal
        if journal.game.state.over:
            if table.stage != "over":
                await self.end(table.id, None)
            return
        if await self._stand_in(room, table):
            return  # and that is noticed in its turn
        stale = False
        for offer in await self.offers.open_ones(table.id):
            if offer.kind == "rewind" and offer.data.get("version") != journal.version:
                await self.store.settle(offer.id, "overtaken")
                stale = True
        await self._set_due(room, table)
        if stale or table.data.clock.kind != "none":
            await self.company.changed(table.id)
        seat = clocks.asked(journal)
        if seat is not None and seat.person not in self.hub.present(table.id):
            member = table.members.get(seat.person)
            if member is not None and not member.settings.quiet:
                self._notifier.later(seat.person)

    async def _stand_in(self, room: Room, table: Table) -> bool:
        """Answer for somebody by his standing orders."""
        seat = clocks.asked(room.journal)
        member = table.members.get(seat.person) if seat is not None else None
        if seat is None or member is None or not member.settings.standing.answers or room.halted:
            return False
        version = room.journal.version
        order = standing.answer(room.journal, member.settings.standing.answers)
        return order is not None and await self._answer_for(room, order, version, seat.person)

    async def _answer_for(self, room: Room, order: AnyOrder, version: int, person: str) -> bool:
        try:
            await room.change(lambda journal: journal.play(order, BY_STANDING), version, person)
        except (ApiError, SandtableError) as error:
            logger.info("game %s: a standing order was not carried out: %s", room.id, error)
            return False
        room.poke()
        return True

    async def pause(self, table: Table, paused: bool) -> Table:
        """The host stops the game and its clocks, or lets them go on."""

        def make(fresh: Table) -> dict[str, Any]:
            stops = tuple(
                msgspec.structs.replace(stop, end=now()) if stop.end is None and not stop.person else stop
                for stop in fresh.data.stops
            )
            if paused:
                stops = (*stops, Stop(start=now()))
            return {"data": msgspec.structs.replace(fresh.data, paused=paused, stops=stops[-200:])}

        found = table if table.data.paused == paused else await self.company.update(table, make)
        await self.follow(found)
        await self.company.tell(found)
        return found

    async def vacation(self, table: Table, person: Person, days: int) -> Table:
        """A player is away for some days: his clock stands still, as long as he has days left."""

        def make(fresh: Table) -> dict[str, Any]:
            taken = fresh.data.vacation.get(person.id, 0)
            left = max(0, fresh.data.clock.vacation - taken)
            if days > left:
                raise ApiError(409, "forbidden", f"You have {left} days of vacation left in this game.")
            stop = Stop(start=now(), end=now() + timedelta(days=days), person=person.id)
            stops = (*fresh.data.stops, stop)[-200:]
            vacation = {**fresh.data.vacation, person.id: taken + days}
            return {"data": msgspec.structs.replace(fresh.data, stops=stops, vacation=vacation)}

        found = await self.company.update(table, make)
        await self.follow(found)
        await self.company.tell(found)
        return found

    async def _set_due(self, room: Room, table: Table) -> None:
        clock = table.data.clock
        if clock.kind == "none" and table.due is None:
            return
        due = clocks.due(room.journal, clock, table.data.stops, now()) if table.stage == "playing" else None
        if due != table.due:
            await self.store.set_due(table.id, due)

    async def watch_clocks(self) -> None:
        """For ever: see whose time is up."""
        while True:
            await asyncio.sleep(TICK)
            try:
                names = await self.store.due(now())
            except Exception as error:  # the database will be back
                logger.warning("the clocks: %s", error)
                continue
            for name in names:
                try:
                    await self._time_is_up(name)
                except Exception as error:  # one table's trouble must not stop the clocks of others
                    logger.warning("the clock of %s: %s", name, error)

    async def _time_is_up(self, name: str) -> None:
        table = await self.store.read(name)
        if table is None or table.stage != "playing":
            await self.store.set_due(name, None)
            return
        room = await self.lobby.open(name)
        with room.in_use():
            seat = clocks.asked(room.journal)
            due = clocks.due(room.journal, table.data.clock, table.data.stops, now())
            if seat is None or due is None or due > now() + timedelta(seconds=TICK) or room.halted:
                await self._set_due(room, table)
                return
            match table.data.clock.late:
                case "host":
                    await self.store.set_due(name, None)
                    self._notifier.later(table.host)
                    await self.company.changed(name)
                case "computer":
                    who = Person(id=seat.person, name=seat.name)
                    await room.sit(seat.name, STAND_IN, "", None, who, person=seat.person)
                    await self.company.changed(name)
                case "orders":
                    version = room.journal.version
                    member = table.members.get(seat.person)
                    answers = member.settings.standing.answers if member is not None else {}
                    order = standing.answer(room.journal, answers)
                    game = room.journal.game
                    await self._answer_for(room, order or Legal(game.world, game.state).default(), version, seat.person)

    async def waiting_for(self, person: str) -> list[str]:
        """A line for each game that waits for somebody who is not there."""
        found = []
        for name, answers in await self.store.list_own(person, 200, 0):
            table = await self.store.find(name)
            if table is None or table.stage != "playing" or person in self.hub.present(name):
                continue
            member = table.members.get(person)
            if member is None or member.settings.quiet:
                continue
            link = f" {self._settings.public_url.rstrip('/')}/game/{name}" if self._settings.public_url else ""
            if any(offer.answers.get(person, True) is None for offer in await self.store.offers(name)):
                found.append(f"{table.name}: there is an offer for you.{link}")
            elif answers is not None:
                room = await self.lobby.open(name)
                seat = clocks.asked(room.journal)
                late = late_seat(room, table) if person == table.host else None
                if late is not None:
                    found.append(f"{table.name}: the time of {late} is up, and you decide what comes of it.{link}")
                elif seat is not None and seat.person == person:
                    found.append(
                        f"{table.name}: you are asked as {room.journal.game.world.powers[answers].name}.{link}"
                    )
        return found

    def check_order(self, table: Table | None, room: Room, who: Person, order: AnyOrder) -> None:
        """To surrender, one's allies have to agree."""
        if table is None or not isinstance(order, Surrender):
            return
        for people in people_by_side(room.journal).values():
            if who.id in people and len(people) > 1:
                raise ApiError(409, "consent", "Your allies have to agree to that: make them an offer.")

    async def end(self, name: str, result: Result | None) -> None:
        """The game is over, by itself or by agreement."""
        table = await self.store.read(name)
        if table is None or table.stage == "over":
            return

        def make(fresh: Table) -> dict[str, Any]:
            if fresh.stage == "over":
                raise ApiError(409, "halted", "The game is over.")
            return {"data": msgspec.structs.replace(fresh.data, result=result), "stage": "over", "due": None}

        with contextlib.suppress(ApiError):
            table = await self.company.update(table, make)
            room = await self.company.room(table)
            await self.follow(table)
            if table.data.rated and self._settings.ladder:
                await self._ladder.rate(room.journal, result)
            await self.company.tell(table)

    def later(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("after a change: %s", error)

    async def stop(self) -> None:
        for task in list(self._tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await task
