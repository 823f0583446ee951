"""Those at a table: what each of them sees of it, hears and says."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from sandtable.errors import SandtableError
from sandtable.server import clocks, standing
from sandtable.server.errors import ApiError, not_found
from sandtable.server.hub import Hub
from sandtable.server.people import Person
from sandtable.server.rooms import Lobby, Room
from sandtable.server.storage.store import Overtaken, now
from sandtable.server.storage.tablestore import (
    Member,
    Table,
    TableData,
    TableStore,
    To,
)
from sandtable.server.tables.setup import late_seat, people_by_side, result_of, variants, world_of
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

NOTICE = (
    "Nobody supervises what is said here. Do not give out personal information: no real name, address or phone number."
)
RETRIES = 8  # of a change at a table that others change at the same time


class Company:
    def __init__(self, lobby: Lobby, store: TableStore, hub: Hub) -> None:
        self.lobby = lobby
        self.store = store
        self.hub = hub
        self.tell_elsewhere: Callable[[str], Awaitable[None]] | None = None  # that somebody came or went

    async def room(self, table: Table) -> Room:
        if table.stage == "setup":
            raise ApiError(409, "halted", "The game has not begun yet.")
        return await self.lobby.open(table.id)

    async def update(self, table: Table, make: Callable[[Table], dict[str, Any]]) -> Table:
        """Change a table as it is now: who is overtaken by somebody else's change looks again."""
        for _ in range(RETRIES):
            fresh = await self.store.read(table.id)
            if fresh is None:
                raise not_found("The table is gone.")
            with contextlib.suppress(Overtaken):
                return await self.store.change(fresh, **make(fresh))
        raise ApiError(409, "stale", "The table was changed at the same moment. Look at it, and try again.")

    async def changed(self, name: str) -> Table:
        table = await self.store.read(name)
        if table is None:
            raise not_found("The table is gone.")
        await self.tell(table)
        return table

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
                late = late_seat(room, table)
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
            result=result_of(table),
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

    async def came_or_went(self, table: Table) -> None:
        """Somebody has connected to this process, or is not connected any more."""
        await self.tell(table)
        if self.tell_elsewhere is not None:
            await self.tell_elsewhere(table.id)

    async def show(self, name: str) -> None:
        """Somebody has come or gone at another process."""
        if self.hub.listeners(name) and (table := await self.store.find(name)) is not None:
            await self.tell(table)

    def show_out(self, table: str, person: str, message: str) -> None:
        self.hub.send(table, Ejected(message=message), (person,))
        for listener in self.hub.listeners(table):
            if listener.person == person:
                listener.put(None)

    async def say(self, table: Table, who: Person, text: str, to: To, person: str | None) -> Said:
        audience: tuple[str, ...] = ()
        if to == "allies":
            audience = await self.allies_of(table, who)
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

    async def allies_of(self, table: Table, who: Person) -> tuple[str, ...]:
        """Those who play on the same side."""
        if table.stage == "setup":
            raise ApiError(409, "forbidden", "There are no allies before the game begins.")
        room = await self.room(table)
        sides = people_by_side(room.journal)
        own = {side for side, people in sides.items() if who.id in people}
        if not own:
            raise ApiError(403, "forbidden", "Those who look on have no allies.")
        return tuple(dict.fromkeys([who.id, *(person for side in own for person in sides[side])]))

    async def heard_chat(self, name: str, number: int) -> None:
        message, table = await self.store.message(number), await self.store.find(name)
        if message is None or table is None:
            return
        deaf = {member.id for member in table.people if message.person in member.settings.muted}
        said = Said(message=chat_view(message, table))
        for listener in self.hub.listeners(name):
            if message.is_for(listener.person) and listener.person not in deaf:
                listener.put(said)


def ask_views(data: TableData) -> list[AskView]:
    try:
        world = world_of(data)
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
