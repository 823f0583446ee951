"""A ladder by edition, from games between people that were played to their end or given up."""

from __future__ import annotations

from importlib.util import find_spec

import msgspec
from sqlalchemy import select

from sandtable.server.journal import Journal
from sandtable.server.storage.connection import Database
from sandtable.server.storage.store import now
from sandtable.server.storage.tables import PersonRow, RatingRow
from sandtable.server.storage.tablestore import Result


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    edition: str
    mu: float
    sigma: float
    games: int
    won: int

    @property
    def rating(self) -> float:
        """What somebody is almost certainly worth."""
        return self.mu - 3 * self.sigma


class Ladder:
    def __init__(self, database: Database) -> None:
        self._database = database
        self.works = find_spec("openskill") is not None

    async def standings(self, edition: str | None, limit: int, skip: int) -> list[Standing]:
        """The best first."""
        query = (
            select(RatingRow, PersonRow.name)
            .join(PersonRow, PersonRow.id == RatingRow.person)
            .order_by((RatingRow.mu - 3 * RatingRow.sigma).desc(), RatingRow.person)
            .limit(limit)
            .offset(skip)
        )
        if edition is not None:
            query = query.where(RatingRow.edition == edition)
        async with self._database.reading() as session:
            rows = (await session.execute(query)).all()
        return [
            Standing(name=name, edition=row.edition, mu=row.mu, sigma=row.sigma, games=row.games, won=row.won)
            for row, name in rows
        ]

    async def rate(self, journal: Journal, result: Result | None) -> None:
        """A game is over: who won against whom. Games without accounts on two sides tell nothing."""
        if not self.works or (result is not None and result.kind == "closed"):
            return
        world, state = journal.game.world, journal.game.state
        teams: dict[str, list[str]] = {}
        for seat in journal.seats:
            for power in seat.powers:
                people = teams.setdefault(world.powers[power].side, [])
                if seat.person and seat.person not in people:
                    people.append(seat.person)
        teams = {side: people for side, people in teams.items() if people}
        everybody = [person for people in teams.values() for person in people]
        if len(teams) < 2 or len(set(everybody)) != len(everybody):
            return  # somebody played both sides
        winner = state.winner if result is None else result.winner or None
        if winner is None and (result is None or result.kind != "draw"):
            return
        await self._write(world.edition, teams, winner)

    async def _write(self, edition: str, teams: dict[str, list[str]], winner: str | None) -> None:
        from openskill.models import PlackettLuce  # type: ignore[import-untyped,unused-ignore]

        model = PlackettLuce()
        async with self._database.writing() as session:
            accounts = set(
                await session.scalars(
                    select(PersonRow.id).where(
                        PersonRow.login.is_not(None), PersonRow.id.in_([p for people in teams.values() for p in people])
                    )
                )
            )
            rated = {side: [p for p in people if p in accounts] for side, people in teams.items()}
            rated = {side: people for side, people in rated.items() if people}
            if len(rated) < 2:
                return
            rows = {p: await session.get(RatingRow, (p, edition)) for people in rated.values() for p in people}
            before = [
                [
                    model.create_rating([row.mu, row.sigma]) if (row := rows[p]) is not None else model.rating()
                    for p in people
                ]
                for people in rated.values()
            ]
            ranks = [0.0 if winner is None or side == winner else 1.0 for side in rated]
            after = model.rate(before, ranks=ranks)
            for (side, people), ratings in zip(rated.items(), after, strict=True):
                for person, rating in zip(people, ratings, strict=True):
                    row = rows[person]
                    if row is None:
                        row = RatingRow(person=person, edition=edition, games=0, won=0)
                        session.add(row)
                    row.mu, row.sigma, row.updated = rating.mu, rating.sigma, now()
                    row.games += 1
                    row.won += side == winner
