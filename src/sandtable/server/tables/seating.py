"""The set-up screen, coming and going, and seats that change hands."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from fastapi import Depends
from starlette.requests import HTTPConnection

from sandtable.errors import SandtableError
from sandtable.play import committed as dice
from sandtable.server import standing
from sandtable.server.bots import registry
from sandtable.server.bots.registry import HUMAN
from sandtable.server.bring import new_id
from sandtable.server.errors import ApiError, not_found
from sandtable.server.hub import Hub
from sandtable.server.journal import Journal
from sandtable.server.ladder import Ladder
from sandtable.server.notifying import Notifier
from sandtable.server.people import Person
from sandtable.server.rooms import Lobby
from sandtable.server.settings import Settings
from sandtable.server.storage.store import Header
from sandtable.server.storage.tablestore import (
    Given,
    Role,
    Standing,
    Table,
    TableData,
    TableStore,
    Visibility,
)
from sandtable.server.tables.company import Company
from sandtable.server.tables.course import Course
from sandtable.server.tables.setup import changed_data, given_of, late_seat, seat_name, seats_of, without, world_of


class Seating:
    """What people do at tables; `company`, `offers` and `course` are its parts."""

    def __init__(
        self, lobby: Lobby, store: TableStore, hub: Hub, notifier: Notifier, ladder: Ladder, settings: Settings
    ) -> None:
        self.lobby, self.store, self.hub = lobby, store, hub
        self.company = Company(lobby, store, hub)
        self.course = Course(self.company, notifier, ladder, settings)
        self.offers = self.course.offers
        self._settings = settings

    async def create(self, host: Person, name: str | None, visibility: Visibility, data: TableData) -> Table:
        """A new table with its host."""
        await self._check_number(host)
        world = world_of(data)
        data = msgspec.structs.replace(data, secret=dice.new_secret(), given=given_of(world, {}))
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
            return {**values, "data": changed_data(table, changed)}

        found = await self.company.update(table, make)
        if name is not None and table.stage != "setup":
            await self.lobby.rename(table.id, name)
        await self.company.tell(found)
        return found

    async def reset(self, table: Table) -> Table:
        """All options and units as they are by default."""
        return await self.set_up(table, name=None, visibility=None, options={}, edits={})

    async def assign(self, table: Table, given: Mapping[str, Given]) -> Table:
        """The host decides who plays which powers."""
        if table.stage != "setup":
            raise ApiError(409, "halted", "The game has begun: seats change hands one by one now.")
        world = world_of(table.data)
        known = given_of(world, table.data.given)
        for power, each in given.items():
            if power not in known:
                raise SandtableError(f"There is no power {power[:60]!r} to be played.")
            if each.person and each.person not in {member.id for member in table.players}:
                raise SandtableError("That person is not here.")
            if each.player != HUMAN:
                bot = registry.find(each.player)
                if each.style and each.style not in bot.styles:
                    raise SandtableError(f"{each.player} has no style {each.style!r}.")
        found = await self.company.update(
            table, lambda fresh: {"data": msgspec.structs.replace(fresh.data, given={**fresh.data.given, **given})}
        )
        await self.company.tell(found)
        return found

    async def contribute(self, table: Table, person: Person, text: str) -> Table:
        """Somebody's part of the dice, until the game begins."""
        if table.stage != "setup":
            raise ApiError(409, "halted", "The game has begun: its dice are settled.")
        if person.id not in {member.id for member in table.players}:
            raise ApiError(403, "forbidden", "Those who look on add nothing to the dice.")
        added = {person.id: dice.clean(text)}
        found = await self.company.update(
            table,
            lambda fresh: {
                "data": msgspec.structs.replace(fresh.data, contributions={**fresh.data.contributions, **added})
            },
        )
        await self.company.tell(found)
        return found

    async def begin(self, table: Table) -> Table:
        """The game begins for everybody."""
        table = await self.store.read(table.id) or table
        if table.stage != "setup":
            raise ApiError(409, "halted", "The game has begun already.")
        world = world_of(table.data)
        seats = seats_of(world, table)
        if await self.lobby.store.listed(table.id) is None:
            named = {seat_name(table, person): text for person, text in table.data.contributions.items()}
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
        await self.course.follow(found)
        await self.company.tell(found)
        room = await self.lobby.open(table.id)
        self.course.later(self.course.after(room))
        return found

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
        return await self.company.changed(name)

    async def eject(self, table: Table, person: str) -> Table:
        """The host removes somebody."""
        if person == table.host:
            raise ApiError(409, "forbidden", "The host stays. To go, leave the table.")
        if person not in table.members:
            raise not_found("That person is not here.")
        await self._vacate(table, person)
        await self.store.set_member(table.id, person, "ejected")
        self.company.show_out(table.id, person, "The host has removed you from this game.")
        return await self.company.changed(table.id)

    async def leave(self, table: Table, person: Person) -> None:
        """Somebody goes. What he played waits for somebody else, and a host hands the table on."""
        await self._vacate(table, person.id)
        await self.store.set_member(table.id, person.id, None)
        self.company.show_out(table.id, person.id, "You have left this game.")
        left = [member for member in table.people if member.id != person.id]
        if person.id == table.host:
            players = [member for member in left if member.role == "player"]
            if not players and table.stage == "setup":
                for member in left:
                    self.company.show_out(table.id, member.id, "The host has closed the table.")
                await self.store.delete(table.id)
                return
            found = await self.store.read(table.id)
            if found is not None:
                await self.store.change(found, host=(players or left)[0].id if left else "", check=False)
        await self.company.changed(table.id)

    async def leave_everything(self, person: Person) -> None:
        for name, _ in await self.store.list_own(person.id, 10_000, 0):
            table = await self.store.read(name)
            if table is not None:
                await self.leave(table, person)

    async def close(self, table: Table) -> None:
        """The host deletes a table and its game for good."""
        await self.lobby.delete(table.id)
        for member in table.people:
            self.company.show_out(table.id, member.id, "The host has closed the table.")
        await self.store.delete(table.id)

    async def new_links(self, table: Table) -> Table:
        """Other links: who has the old ones cannot come with them any more."""
        found = await self.company.update(
            table,
            lambda _: {"join_link": secrets.token_urlsafe(12), "watch_link": secrets.token_urlsafe(12)},
        )
        await self.company.tell(found)
        return found

    async def _vacate(self, table: Table, person: str) -> None:
        if table.stage == "setup":
            await self.company.update(table, lambda fresh: {"data": without(fresh.data, person)})
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

    async def take_seat(
        self, table: Table, who: Person, seat: str, *, person: str | None, player: str, style: str
    ) -> Table:
        """Sit down in a free seat, come back to one's own; the host also gives free seats to others or to computers."""
        room = await self.company.room(table)
        with room.in_use():
            now_there = room.journal.seat(seat)
            target = who.id if person is None and player == HUMAN else person or ""
            is_host = table.role(who) == "host" or who.is_admin
            own = now_there.person == who.id
            stands_in = is_host and player != HUMAN and late_seat(room, table) == seat
            if now_there.person and not own and now_there.player == HUMAN and not stands_in:
                raise ApiError(409, "taken", f"{table.name_of(now_there.person)} sits there.")
            free = not now_there.person and now_there.player == HUMAN
            if not is_host and not (own or (free and target == who.id and player == HUMAN)):
                raise ApiError(403, "forbidden", "The host decides about that seat.")
            if player == HUMAN and target not in {member.id for member in table.players}:
                raise ApiError(403, "forbidden", "Only players of this table can sit down.")
            kept = now_there.person if stands_in else ""  # he can come back to it
            await room.sit(seat, player, style, None, who, person=target if player == HUMAN else kept)
        return await self.company.changed(table.id)

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
        found = await self.company.changed(table.id)
        if answers is not None and table.stage == "playing":
            self.course.later(self.course.after(await self.lobby.open(table.id)))
        return found


async def the_seating(connection: HTTPConnection) -> Seating:
    seating: Seating = connection.app.state.seating
    return seating


WithSeating = Annotated[Seating, Depends(the_seating)]
