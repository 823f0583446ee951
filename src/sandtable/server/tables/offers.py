"""What needs the consent of others: going back, a draw, surrender, an end without a result."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from sandtable.server.errors import ApiError
from sandtable.server.notifying import Notifier
from sandtable.server.people import Person
from sandtable.server.storage.tablestore import (
    Offer,
    Result,
    Table,
)
from sandtable.server.tables.company import Company
from sandtable.server.tables.setup import people_by_side, sides_of


class Offers:
    def __init__(
        self, company: Company, notifier: Notifier, end: Callable[[str, Result | None], Awaitable[None]]
    ) -> None:
        self.company = company
        self.store = company.store
        self._notifier = notifier
        self._end = end
        self._nothing_offered: set[str] = set()  # tables of which that is known, so that an order need not look

    async def make(self, table: Table, who: Person, kind: str, at: int | None) -> Table:
        """Ask the others for something. If nobody else is concerned, it is done at once."""
        room = await self.company.room(table)
        if table.stage == "over":
            raise ApiError(409, "halted", "The game is over.")
        with room.in_use():
            journal = room.journal
            sides = people_by_side(journal)
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
        return await self.company.changed(table.id)

    async def answer(self, table: Table, who: Person, offer: str, yes: bool) -> Table:
        settled = await self.store.answer(offer, who.id, yes)
        if settled is None or settled.table != table.id:
            raise ApiError(409, "stale", "That offer is settled already, or not for you.")
        if settled.state == "accepted":
            await self._carry_out(table, settled)
        return await self.company.changed(table.id)

    async def withdraw(self, table: Table, who: Person, offer: str) -> Table:
        found = [each for each in await self.store.offers(table.id) if each.id == offer and each.person == who.id]
        if not found:
            raise ApiError(409, "stale", "That offer is settled already, or not yours.")
        await self.store.settle(offer, "withdrawn")
        return await self.company.changed(table.id)

    async def _carry_out(self, table: Table, offer: Offer) -> None:
        """All have agreed."""
        who = Person(id=offer.person, name=table.name_of(offer.person))
        if offer.kind == "rewind":
            room = await self.company.room(table)
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
            room = await self.company.room(table)
            world = room.journal.game.world
            others = [side for side in sides_of(world) if side != offer.data["side"]]
            winner = others[0] if len(others) == 1 else ""
        kinds: dict[str, Any] = {"draw": "draw", "surrender": "surrender", "close": "closed"}
        await self._end(table.id, Result(kind=kinds[offer.kind], winner=winner, by=offer.person))

    async def open_ones(self, name: str) -> list[Offer]:
        if name in self._nothing_offered:
            return []
        found = await self.store.offers(name)
        if not found:
            self._nothing_offered.add(name)
        return found

    def heard(self, table: str) -> None:
        """Something has changed there: perhaps there is an offer."""
        self._nothing_offered.discard(table)
