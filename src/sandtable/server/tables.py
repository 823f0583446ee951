"""What happens at a table: coming and going, the host's set-up, beginning, seats, offers, time, and the end.

The store keeps it, the hub tells it, the lobby has the game. All that somebody may or may not do at a table is decided
here or in `access.py`.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Annotated, Any

import msgspec
from fastapi import Depends
from starlette.requests import HTTPConnection

from sandtable.engine.game import check_playable, check_seats
from sandtable.engine.legal import Legal
from sandtable.errors import SandtableError
from sandtable.notation.orders import AnyOrder, Surrender
from sandtable.play import committed as dice
from sandtable.server import clocks, standing
from sandtable.server.bots import registry
from sandtable.server.bots.registry import HUMAN
from sandtable.server.bring import new_id
from sandtable.server.errors import ApiError, logger, not_found
from sandtable.server.hub import Hub
from sandtable.server.journal import Journal, Note
from sandtable.server.ladder import Ladder
from sandtable.server.notifying import Notifier
from sandtable.server.people import Person
from sandtable.server.rooms import Lobby, Room
from sandtable.server.settings import Settings
from sandtable.server.storage.store import Header, Overtaken, Seat, now
from sandtable.server.storage.tablestore import (
    Given,
    Member,
    Offer,
    Result,
    Role,
    Standing,
    Stop,
    Table,
    TableData,
    TableStore,
    To,
    Visibility,
)
from sandtable.server.views.tables import (
    AskView,
    Ejected,
    MannerView,
    MemberView,
    Said,
    TableChanged,
    TableView,
    TimeView,
    chat_view,
    clock_view,
    commitment,
    given_views,
    offer_view,
    own_view,
)
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.model import World
from sandtable.world.options import fewest

NOTICE = (
    "Nobody supervises what is said here. Do not give out personal information: no real name, address or phone number."
)
STAND_IN = "4star"  # who plays on for somebody whose time is up, where a table wants that
BY_STANDING = "standing orders"
RETRIES = 8  # of a change at a table that others change at the same time
TICK = 1.0  # seconds between two looks at the clocks


class Seating:
    def __init__(
        self, lobby: Lobby, store: TableStore, hub: Hub, notifier: Notifier, ladder: Ladder, settings: Settings
    ) -> None:
        self.lobby = lobby
        self.store = store
        self.hub = hub
        self._notifier = notifier
        self._ladder = ladder
        self._settings = settings
        self._tasks: set[asyncio.Task[None]] = set()
        self.tell_elsewhere: Callable[[str], Awaitable[None]] | None = (
            None  # other processes, that somebody came or went
        )
        self._nothing_offered: set[str] = set()  # tables of which that is known, so that an order need not look
        lobby.opened = self.prepare
        lobby.changed = self.noticed
        notifier.waiting = self.waiting_for

    # ------------------------------------------------------------ the set-up screen

    async def create(self, host: Person, name: str | None, visibility: Visibility, data: TableData) -> Table:
        """A new table with its host."""
        await self._check_number(host)
        world = _world(data)
        data = msgspec.structs.replace(data, secret=dice.new_secret(), given=_given(world, {}))
        return await self.store.create(
            new_id(), host, name=name or world.scenario_name, visibility=visibility, data=data
        )

    async def own_game(self, host: Person, game: str, name: str, data: TableData) -> Table:
        """The table of a game that one person has made for himself; others can be let in later."""
        return await self.store.create(game, host, name=name, visibility="link", data=data, stage="playing")

    async def _check_number(self, host: Person) -> None:
        if await self.store.number_of(host.id) >= self._settings.tables_each:
            raise ApiError(
                409, "forbidden", f"You have {self._settings.tables_each} games going already. End one of them first."
            )

    async def set_up(self, table: Table, *, name: str | None, visibility: Visibility | None, **fields: Any) -> Table:
        """The host changes something. Everybody sees it."""
        changed = {key: value for key, value in fields.items() if value is not None}
        wanted = {"name": name, "visibility": visibility}
        values = {key: value for key, value in wanted.items() if value is not None}

        def make(table: Table) -> dict[str, Any]:
            return {**values, "data": _changed_data(table, changed)}

        found = await self._update(table, make)
        if name is not None and table.stage != "setup":
            await self.lobby.rename(table.id, name)
        await self.tell(found)
        return found

    async def _update(self, table: Table, make: Callable[[Table], dict[str, Any]]) -> Table:
        """Change a table as it is now: who is overtaken by somebody else's change looks again."""
        for _ in range(RETRIES):
            fresh = await self.store.read(table.id)
            if fresh is None:
                raise not_found("The table is gone.")
            with contextlib.suppress(Overtaken):
                return await self.store.change(fresh, **make(fresh))
        raise ApiError(409, "stale", "The table was changed at the same moment. Look at it, and try again.")

    async def reset(self, table: Table) -> Table:
        """All options and units as they are by default."""
        return await self.set_up(table, name=None, visibility=None, options={}, edits={})

    async def assign(self, table: Table, given: Mapping[str, Given]) -> Table:
        """The host decides who plays which powers."""
        if table.stage != "setup":
            raise ApiError(409, "halted", "The game has begun: seats change hands one by one now.")
        world = _world(table.data)
        known = _given(world, table.data.given)
        for power, each in given.items():
            if power not in known:
                raise SandtableError(f"There is no power {power[:60]!r} to be played.")
            if each.person and each.person not in {member.id for member in table.players}:
                raise SandtableError("That person is not here.")
            if each.player != HUMAN:
                bot = registry.find(each.player)
                if each.style and each.style not in bot.styles:
                    raise SandtableError(f"{each.player} has no style {each.style!r}.")
        found = await self._update(
            table, lambda fresh: {"data": msgspec.structs.replace(fresh.data, given={**fresh.data.given, **given})}
        )
        await self.tell(found)
        return found

    async def contribute(self, table: Table, person: Person, text: str) -> Table:
        """Somebody's part of the dice, until the game begins."""
        if table.stage != "setup":
            raise ApiError(409, "halted", "The game has begun: its dice are settled.")
        if person.id not in {member.id for member in table.players}:
            raise ApiError(403, "forbidden", "Those who look on add nothing to the dice.")
        added = {person.id: dice.clean(text)}
        found = await self._update(
            table,
            lambda fresh: {
                "data": msgspec.structs.replace(fresh.data, contributions={**fresh.data.contributions, **added})
            },
        )
        await self.tell(found)
        return found

    async def begin(self, table: Table) -> Table:
        """The game begins for everybody."""
        table = await self.store.read(table.id) or table
        if table.stage != "setup":
            raise ApiError(409, "halted", "The game has begun already.")
        world = _world(table.data)
        seats = _seats(world, table)
        if await self.lobby.store.listed(table.id) is None:
            named = {_unique(table, person): text for person, text in table.data.contributions.items()}
            header = Header(
                id=table.id,
                name=table.name,
                scenario=world.scenario,
                options=dict(world.options),
                edits=table.data.edits,
                seats=seats,
                seed=dice.seed_of(table.data.secret, named),
            )
            await self.lobby.create(Journal(header))
        found = await self.store.change(table, stage="playing", check=False)
        await self._follow(found)
        await self.tell(found)
        room = await self.lobby.open(table.id)
        self._later(self._after(room))
        return found

    # ------------------------------------------------------------ coming and going

    async def join(self, link: str, person: Person) -> Table:
        """Come by a link: as a player, or to look on."""
        found = await self.store.by_link(link)
        if found is None:
            raise not_found("This link leads nowhere. Perhaps the game is gone, or the host has made another link.")
        return await self.enter(found[0], person, found[1])

    async def enter(self, name: str, person: Person, role: Role) -> Table:
        table = await self.store.read(name)
        if table is None:
            raise not_found("The table is gone.")
        member = table.members.get(person.id)
        if member is not None and member.role == "ejected":
            raise ApiError(403, "forbidden", "The host has removed you from this game.")
        if member is not None and (member.role == "player" or role == "spectator"):
            return table
        if role == "player" and len(table.players) >= table.data.most:
            raise ApiError(409, "taken", f"This game takes {table.data.most} people, and they are here already.")
        await self.store.set_member(name, person.id, role)
        return await self._changed(name)

    async def eject(self, table: Table, person: str) -> Table:
        """The host removes somebody."""
        if person == table.host:
            raise ApiError(409, "forbidden", "The host stays. To go, leave the table.")
        if person not in table.members:
            raise not_found("That person is not here.")
        await self._vacate(table, person)
        await self.store.set_member(table.id, person, "ejected")
        self._show_out(table.id, person, "The host has removed you from this game.")
        return await self._changed(table.id)

    async def leave(self, table: Table, person: Person) -> None:
        """Somebody goes. What he played waits for somebody else, and a host hands the table on."""
        await self._vacate(table, person.id)
        await self.store.set_member(table.id, person.id, None)
        self._show_out(table.id, person.id, "You have left this game.")
        left = [member for member in table.people if member.id != person.id]
        if person.id == table.host:
            players = [member for member in left if member.role == "player"]
            if not players and table.stage == "setup":
                for member in left:
                    self._show_out(table.id, member.id, "The host has closed the table.")
                await self.store.delete(table.id)
                return
            found = await self.store.read(table.id)
            if found is not None:
                await self.store.change(found, host=(players or left)[0].id if left else "", check=False)
        await self._changed(table.id)

    async def leave_everything(self, person: Person) -> None:
        for name, _ in await self.store.list_own(person.id, 10_000, 0):
            table = await self.store.read(name)
            if table is not None:
                await self.leave(table, person)

    async def close(self, table: Table) -> None:
        """The host deletes a table and its game for good."""
        await self.lobby.delete(table.id)
        for member in table.people:
            self._show_out(table.id, member.id, "The host has closed the table.")
        await self.store.delete(table.id)

    async def new_links(self, table: Table) -> Table:
        """Other links: who has the old ones cannot come with them any more."""
        found = await self._update(
            table,
            lambda _: {"join_link": secrets.token_urlsafe(12), "watch_link": secrets.token_urlsafe(12)},
        )
        await self.tell(found)
        return found

    async def _vacate(self, table: Table, person: str) -> None:
        if table.stage == "setup":
            await self._update(table, lambda fresh: {"data": _without(fresh.data, person)})
            return
        room = await self.lobby.open(table.id)
        with room.in_use():
            for seat in room.journal.seats:
                if seat.person == person:
                    await room.sit(seat.name, seat.player, seat.style, None, Person(id=person, name=""), person="")
            for subscriber in room.subscribers.values():
                if subscriber.person == person:
                    subscriber.closed = True
                    subscriber.wake.set()

    def _show_out(self, table: str, person: str, message: str) -> None:
        self.hub.send(table, Ejected(message=message), (person,))
        for listener in self.hub.listeners(table):
            if listener.person == person:
                listener.put(None)

    # ------------------------------------------------------------ seats in a game

    async def take_seat(
        self, table: Table, who: Person, seat: str, *, person: str | None, player: str, style: str
    ) -> Table:
        """Sit down in a free seat, come back to one's own; the host also gives free seats to others or to computers."""
        room = await self._room(table)
        with room.in_use():
            now_there = room.journal.seat(seat)
            target = who.id if person is None and player == HUMAN else person or ""
            is_host = table.role(who) == "host" or who.is_admin
            own = now_there.person == who.id
            stands_in = is_host and player != HUMAN and _late(room, table) == seat
            if now_there.person and not own and now_there.player == HUMAN and not stands_in:
                raise ApiError(409, "taken", f"{table.name_of(now_there.person)} sits there.")
            free = not now_there.person and now_there.player == HUMAN
            if not is_host and not (own or (free and target == who.id and player == HUMAN)):
                raise ApiError(403, "forbidden", "The host decides about that seat.")
            if player == HUMAN and target not in {member.id for member in table.players}:
                raise ApiError(403, "forbidden", "Only players of this table can sit down.")
            kept = now_there.person if stands_in else ""  # he can come back to it
            await room.sit(seat, player, style, None, who, person=target if player == HUMAN else kept)
        return await self._changed(table.id)

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

        found = table if table.data.paused == paused else await self._update(table, make)
        await self._follow(found)
        await self.tell(found)
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

        found = await self._update(table, make)
        await self._follow(found)
        await self.tell(found)
        return found

    async def set_own(
        self,
        table: Table,
        person: Person,
        *,
        answers: Mapping[str, str] | None,
        quiet: bool | None,
        muted: list[str] | None,
    ) -> Table:
        """One's own standing orders, silence, and whom one does not want to hear."""
        member = table.members.get(person.id)
        if member is None:
            raise ApiError(403, "forbidden", "You are not at this table.")
        settings = member.settings
        if answers is not None:
            settings = msgspec.structs.replace(settings, standing=Standing(answers=standing.check(answers)))
        if quiet is not None:
            settings = msgspec.structs.replace(settings, quiet=quiet)
        if muted is not None:
            settings = msgspec.structs.replace(settings, muted=tuple(dict.fromkeys(muted)))
        await self.store.set_member(table.id, person.id, member.role, settings)
        found = await self._changed(table.id)
        if answers is not None and table.stage == "playing":
            self._later(self._after(await self.lobby.open(table.id)))
        return found

    # ------------------------------------------------------------ chat

    async def say(self, table: Table, who: Person, text: str, to: To, person: str | None) -> Said:
        audience: tuple[str, ...] = ()
        if to == "allies":
            audience = await self._allies(table, who)
        elif to == "person":
            if person not in {member.id for member in table.people}:
                raise not_found("That person is not here.")
            audience = (who.id, person or "")
        message = await self.store.say(table.id, who.id, to, audience, text)
        said = Said(message=chat_view(message, table))
        deaf = {member.id for member in table.people if who.id in member.settings.muted}
        for listener in self.hub.listeners(table.id):
            if message.is_for(listener.person) and listener.person not in deaf:
                listener.put(said)
        return said

    async def _allies(self, table: Table, who: Person) -> tuple[str, ...]:
        """Those who play on the same side."""
        if table.stage == "setup":
            raise ApiError(409, "forbidden", "There are no allies before the game begins.")
        room = await self._room(table)
        sides = _sides(room.journal)
        own = {side for side, people in sides.items() if who.id in people}
        if not own:
            raise ApiError(403, "forbidden", "Those who look on have no allies.")
        return tuple(dict.fromkeys([who.id, *(person for side in own for person in sides[side])]))

    # ------------------------------------------------------------ offers

    async def offer(self, table: Table, who: Person, kind: str, at: int | None) -> Table:
        """Ask the others for something. If nobody else is concerned, it is done at once."""
        room = await self._room(table)
        if table.stage == "over":
            raise ApiError(409, "halted", "The game is over.")
        with room.in_use():
            journal = room.journal
            sides = _sides(journal)
            if who.id not in {person for people in sides.values() for person in people}:
                raise ApiError(403, "forbidden", "Only those who play can make offers.")
            data: dict[str, Any] = {}
            if kind == "rewind":
                place = journal.place - 1 if at is None else at
                journal.state_at(place)
                data = {"at": place, "version": journal.version}
            asked = room.others(journal, who)
            if kind == "surrender":
                own = next(side for side, people in sides.items() if who.id in people)
                data = {"side": own}
                asked = [person for person in sides[own] if person != who.id]
            for old in await self.store.offers(table.id):
                if old.person == who.id and old.kind == kind:
                    await self.store.settle(old.id, "withdrawn")
            offer = await self.store.offer(table.id, who.id, kind, data, asked)
            self._nothing_offered.discard(table.id)
            if not asked:
                await self._carry_out(table, offer)
        for person in asked:
            self._notifier.later(person)
        return await self._changed(table.id)

    async def answer(self, table: Table, who: Person, offer: str, yes: bool) -> Table:
        settled = await self.store.answer(offer, who.id, yes)
        if settled is None or settled.table != table.id:
            raise ApiError(409, "stale", "That offer is settled already, or not for you.")
        if settled.state == "accepted":
            await self._carry_out(table, settled)
        return await self._changed(table.id)

    async def withdraw(self, table: Table, who: Person, offer: str) -> Table:
        found = [each for each in await self.store.offers(table.id) if each.id == offer and each.person == who.id]
        if not found:
            raise ApiError(409, "stale", "That offer is settled already, or not yours.")
        await self.store.settle(offer, "withdrawn")
        return await self._changed(table.id)

    async def _carry_out(self, table: Table, offer: Offer) -> None:
        """All have agreed."""
        who = Person(id=offer.person, name=table.name_of(offer.person))
        if offer.kind == "rewind":
            room = await self._room(table)
            try:
                with room.in_use():
                    await room.rewind(int(offer.data["at"]), int(offer.data["version"]), who, agreed=True)
            except ApiError:
                await self.store.settle(offer.id, "overtaken")
                raise
            await self.store.settle(offer.id, "accepted")
            return
        await self.store.settle(offer.id, "accepted")
        winner = ""
        if offer.kind == "surrender":
            room = await self._room(table)
            world = room.journal.game.world
            others = [side for side in _sides_of(world) if side != offer.data["side"]]
            winner = others[0] if len(others) == 1 else ""
        kinds: dict[str, Any] = {"draw": "draw", "surrender": "surrender", "close": "closed"}
        await self._end(table.id, Result(kind=kinds[offer.kind], winner=winner, by=offer.person))

    async def _end(self, name: str, result: Result | None) -> None:
        """The game is over, by itself or by agreement."""
        table = await self.store.read(name)
        if table is None or table.stage == "over":
            return

        def make(fresh: Table) -> dict[str, Any]:
            if fresh.stage == "over":
                raise ApiError(409, "halted", "The game is over.")
            return {"data": msgspec.structs.replace(fresh.data, result=result), "stage": "over", "due": None}

        with contextlib.suppress(ApiError):
            table = await self._update(table, make)
            room = await self._room(table)
            await self._follow(table)
            if table.data.rated and self._settings.ladder:
                await self._ladder.rate(room.journal, result)
            await self.tell(table)

    # ------------------------------------------------------------ the game goes on

    async def prepare(self, room: Room) -> None:
        """A room opens: it has to know whether its table lets anybody play."""
        if self._settings.people:
            table = await self.store.read(room.id)
            if table is not None:
                room.halted, room.ended = halted(table), table.stage == "over"

    async def _follow(self, table: Table) -> None:
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
            self._later(self._after(room))

    async def _after(self, room: Room) -> None:
        """Standing orders, clocks, offers that are out of date, whom it waits for, the end."""
        table = await self.store.find(room.id)
        if table is None or not room.is_open:
            return
        journal = room.journal
        if journal.game.state.over:
            if table.stage != "over":
                await self._end(table.id, None)
            return
        if await self._stand_in(room, table):
            return  # and that is noticed in its turn
        stale = False
        for offer in await self._open_offers(table.id):
            if offer.kind == "rewind" and offer.data.get("version") != journal.version:
                await self.store.settle(offer.id, "overtaken")
                stale = True
        await self._set_due(room, table)
        if stale or table.data.clock.kind != "none":
            await self._changed(table.id)
        seat = clocks.asked(journal)
        if seat is not None and seat.person not in self.hub.present(table.id):
            member = table.members.get(seat.person)
            if member is not None and not member.settings.quiet:
                self._notifier.later(seat.person)

    async def _open_offers(self, name: str) -> list[Offer]:
        if name in self._nothing_offered:
            return []
        found = await self.store.offers(name)
        if not found:
            self._nothing_offered.add(name)
        return found

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
                    await self._changed(name)
                case "computer":
                    who = Person(id=seat.person, name=seat.name)
                    await room.sit(seat.name, STAND_IN, "", None, who, person=seat.person)
                    await self._changed(name)
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
                late = _late(room, table) if person == table.host else None
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
        for people in _sides(room.journal).values():
            if who.id in people and len(people) > 1:
                raise ApiError(409, "consent", "Your allies have to agree to that: make them an offer.")

    # ------------------------------------------------------------ telling

    async def view(self, table: Table, person: Person) -> TableView:
        """The table as somebody there sees it."""
        role = table.role(person)
        assert role
        present = set(self.hub.present(table.id))
        room = self.lobby.get(table.id)
        answers, mine, times, late = None, False, {}, None
        if table.stage != "setup":
            listed = await self.lobby.store.listed(table.id)
            answers = listed.summary.answers if listed is not None and listed.summary is not None else None
            if room is None and answers is not None:
                room = await self.lobby.open(table.id)
            if room is not None:
                seat = clocks.asked(room.journal)
                mine = seat is not None and seat.person == person.id and table.stage == "playing"
                late = _late(room, table)
                if table.data.clock.kind != "none":
                    left = clocks.left(room.journal, table.data.clock, table.data.stops, now())
                    runs = seat is not None and table.due is not None
                    times = {
                        name: TimeView(
                            seconds=round(time.seconds, 1),
                            reserve=round(time.reserve, 1),
                            running=runs and seat is not None and seat.name == name,
                        )
                        for name, time in left.items()
                    }
        offers = await self.store.offers(table.id) if table.stage == "playing" else []
        data = table.data
        return TableView(
            id=table.id,
            name=table.name,
            host=table.host,
            role=role,
            visibility=table.visibility,
            stage=table.stage,
            revision=table.revision,
            members=[_member_view(member, table, present) for member in table.people],
            most=data.most,
            scenario=data.scenario,
            options=dict(data.options),
            edits=dict(data.edits),
            variants=variants(data),
            given=given_views(table),
            connection=data.connection,
            clock=clock_view(table),
            times=times,
            due=table.due,
            paused=data.paused,
            result=_result(table),
            rated=data.rated,
            commitment=commitment(table),
            contributed=sorted(data.contributions),
            join_link=table.join_link if role in ("host", "player", "admin") else None,
            watch_link=table.watch_link,
            offers=[
                offer_view(offer, table)
                for offer in offers
                if offer.kind != "surrender" or person.id == offer.person or person.id in offer.answers
            ],
            mine=own_view(table, person.id),
            asks=ask_views(data),
            late=late,
            answers=answers,
            your_turn=mine,
            updated=table.updated,
        )

    async def tell(self, table: Table) -> None:
        """The table has changed: everybody there gets it as he may see it."""
        for listener in self.hub.listeners(table.id):
            person = Person(id=listener.person, name="")
            if table.role(person):
                listener.put(TableChanged(table=await self.view(table, person)))

    async def show(self, name: str) -> None:
        """Somebody has come or gone at another process."""
        if self.hub.listeners(name) and (table := await self.store.find(name)) is not None:
            await self.tell(table)

    async def came_or_went(self, table: Table) -> None:
        """Somebody has connected to this process, or is not connected any more."""
        await self.tell(table)
        if self.tell_elsewhere is not None:
            await self.tell_elsewhere(table.id)

    async def _changed(self, name: str) -> Table:
        table = await self.store.read(name)
        if table is None:
            raise not_found("The table is gone.")
        await self.tell(table)
        return table

    async def heard(self, name: str) -> None:
        """Another process has changed a table."""
        self.store.forget(name)
        self._nothing_offered.discard(name)
        table = await self.store.read(name)
        if table is None:
            return
        for listener in self.hub.listeners(name):
            if not table.role(Person(id=listener.person, name="")):
                self._show_out(name, listener.person, "You are not in this game any more.")
        room = self.lobby.get(name)
        if room is not None:
            room.halted, room.ended = halted(table), table.stage == "over"
            room.poke()
        await self.tell(table)

    async def heard_chat(self, name: str, number: int) -> None:
        message, table = await self.store.message(number), await self.store.find(name)
        if message is None or table is None:
            return
        deaf = {member.id for member in table.people if message.person in member.settings.muted}
        said = Said(message=chat_view(message, table))
        for listener in self.hub.listeners(name):
            if message.is_for(listener.person) and listener.person not in deaf:
                listener.put(said)

    async def _room(self, table: Table) -> Room:
        if table.stage == "setup":
            raise ApiError(409, "halted", "The game has not begun yet.")
        return await self.lobby.open(table.id)

    def _later(self, work: Any) -> None:
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


# ------------------------------------------------------------ what follows from the data


def _without(data: TableData, person: str) -> TableData:
    """The set-up without somebody who goes."""
    given = {p: Given() if each.person == person else each for p, each in data.given.items()}
    parts = {who: text for who, text in data.contributions.items() if who != person}
    return msgspec.structs.replace(data, given=given, contributions=parts)


def _changed_data(table: Table, changed: Mapping[str, Any]) -> TableData:
    """The set-up with the host's changes. Raises SandtableError if they do not fit, ApiError if it is too late."""
    data = table.data
    game = {"scenario", "options", "edits", "connection", "rated"} & set(changed)
    if table.stage != "setup" and game:
        raise ApiError(409, "halted", "The game has begun: its rules stay as they are.")
    if "scenario" in changed and changed["scenario"] != data.scenario:
        data = msgspec.structs.replace(data, options={}, edits={})
    data = msgspec.structs.replace(data, **changed)
    if not game:
        return data
    world = _world(data)
    if len(table.players) > data.most:
        raise ApiError(409, "forbidden", f"A direct connection has two ends; {len(table.players)} are here.")
    return msgspec.structs.replace(
        data, options=fewest(world.option_list, world.options), given=_given(world, data.given)
    )


def _late(room: Room, table: Table) -> str | None:
    """The seat whose time is up, where the host decides about it."""
    clock, seat = table.data.clock, clocks.asked(room.journal)
    if seat is None or clock.kind == "none" or clock.late != "host" or room.halted or table.stage != "playing":
        return None
    due = clocks.due(room.journal, clock, table.data.stops, now())
    return seat.name if due is not None and due <= now() else None


def halted(table: Table) -> str:
    """Why nobody may play at the moment."""
    if table.data.result is not None:
        return _result(table) or ""
    return "The host has paused the game." if table.data.paused else ""


def _result(table: Table) -> str | None:
    result = table.data.result
    if result is None:
        return None
    match result.kind:
        case "draw":
            return "The game is over: a draw was agreed."
        case "surrender":
            return f"The game is over: {table.name_of(result.by)} and allies have surrendered."
        case _:
            return "The game was ended without a result."


def _world(data: TableData) -> World:
    """Raises SandtableError if scenario, options and edits do not fit."""
    world = compile_world(data.scenario, data.options, parse_edits(data.edits))
    check_playable(world)
    return world


def _given(world: World, before: Mapping[str, Given]) -> dict[str, Given]:
    """Who plays what; powers that another one plays, or nobody, are not given to anybody."""
    return {p: before.get(p, Given()) for p in world.seated}


def _unique(table: Table, person: str) -> str:
    """A name for a seat: two guests may be called the same."""
    name = table.name_of(person)
    same = [member.id for member in table.people if member.name == name]
    return name if len(same) < 2 else f"{name} {same.index(person) + 1}"


def _seats(world: World, table: Table) -> tuple[Seat, ...]:
    """The seats as the host has dealt them out: one for each person, one for each power that a computer plays."""
    people: dict[str, list[str]] = {}
    found: list[Seat] = []
    missing: list[str] = []
    for power, given in _given(world, table.data.given).items():
        if given.person:
            people.setdefault(given.person, []).append(power)
        elif given.player != HUMAN:
            name = f"{world.powers[power].name} ({given.player})"
            found.append(Seat(name=name, powers=(power,), player=given.player, style=given.style))
        else:
            missing.append(world.powers[power].name)
    if missing:
        raise SandtableError(f"Nobody plays {', '.join(missing)}: give them to somebody, or to a computer.")
    seats = (
        *(Seat(name=_unique(table, who), powers=tuple(powers), person=who) for who, powers in people.items()),
        *found,
    )
    check_seats(world, {seat.name: seat.powers for seat in seats})
    return seats


def _sides_of(world: World) -> list[str]:
    return list(dict.fromkeys(power.side for power in world.powers.values() if power.played))


def _sides(journal: Journal) -> dict[str, list[str]]:
    """Side -> the people who play on it."""
    world = journal.game.world
    found: dict[str, list[str]] = {}
    for seat in journal.seats:
        for power in seat.powers:
            people = found.setdefault(world.powers[power].side, [])
            if seat.person and seat.person not in people:
                people.append(seat.person)
    return found


def variants(data: TableData) -> list[str]:
    """What is not as usual, in words."""
    try:
        world = _world(data)
    except SandtableError as error:
        return [str(error)]
    chosen = fewest(world.option_list, world.options)
    names = {option.key: option.name for option in world.option_list}
    found = []
    for key, value in chosen.items():
        told = "on" if value is True else "off" if value is False else str(value)
        found.append(f"{names[key]}: {told}")
    words = {"units": "Units were edited.", "victory": "Other victory conditions.", "setup": "The set-up was edited."}
    return [*found, *(words.get(key, f"{key} was edited.") for key, value in data.edits.items() if value)]


def ask_views(data: TableData) -> list[AskView]:
    try:
        world = _world(data)
    except SandtableError:
        return []
    return [
        AskView(kind=kind, title=ask.title, manners=[MannerView(value=v, text=text) for v, text in ask.manners])
        for kind, ask in standing.asks(world).items()
    ]


def _member_view(member: Member, table: Table, present: set[str]) -> MemberView:
    role = "host" if member.id == table.host else "player" if member.role == "player" else "spectator"
    return MemberView(
        id=member.id,
        name=member.name,
        account=member.is_account,
        role=role,  # type: ignore[arg-type]
        present=member.id in present,
    )


async def the_seating(connection: HTTPConnection) -> Seating:
    seating: Seating = connection.app.state.seating
    return seating


WithSeating = Annotated[Seating, Depends(the_seating)]
