"""Units that take others along: farther than these go alone, and through empty enemy land.

Who takes whom is a fact of the game (`Rules.takes_along`: G40-MOV-15, G40-MOV-16) or of a technology (AN-TEC-15). A
passenger comes as far and as freely as its leader, which may be somebody's passenger itself.
"""

from __future__ import annotations

from collections import Counter

import msgspec

from sandtable.engine.facts import takes_along, type_of
from sandtable.engine.movement import land
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, Ride, SpaceId, UnitId, World

Way = tuple[tuple[SpaceId, ...], int, SpaceId]
"""A leader's route, and how far and from where it had come before: a passenger has to have come with it."""


class Rides:
    """The seats that the leaders of one order offer."""

    def __init__(self, world: World, state: State, power: PowerId) -> None:
        self.world = world
        self.state = state
        self.terms = takes_along(world, state, power)
        self.seats: Counter[tuple[Ride, Way]] = Counter()
        self.leaders: dict[tuple[Ride, Way], Piece] = {}
        self.led: dict[Piece, tuple[Ride, Way]] = {}

    def leaders_first(self, specs: list[UnitSpec]) -> list[UnitSpec]:
        return sorted(specs, key=lambda s: self._rank(s.type)) if self.terms else specs

    def _rank(self, unit: UnitId) -> int:
        """How many leaders can be before it in a row."""
        return max((1 + self._rank(term.unit) for term in self.terms if term.passenger == unit), default=0)

    def route(self, piece: Piece, combat: bool, refusal: Refusal) -> tuple[SpaceId, ...]:
        """The way of a leader with a free seat; without one the refusal to walk stands."""
        for seat, leader in self.leaders.items():
            term, (route, used, origin) = seat
            if term.passenger != piece.type or not self.seats[seat] or (used, origin) != (piece.used, piece.origin):
                continue
            if not self._goes(term, piece.power, route, combat):
                continue
            free = msgspec.structs.replace(type_of(self.world, self.state, leader), blitz=True)  # it goes there itself
            land.check(self.world, self.state, piece, route, combat, free)
            self.led[piece] = seat
            return route
        raise refusal

    def _goes(self, term: Ride, power: PowerId, route: tuple[SpaceId, ...], combat: bool) -> bool:
        """The leader takes passengers on such a move."""
        if not term.only:
            return True
        if not combat:
            return "noncombat" in term.only
        passed = route[1:-1]
        return "blitz" in term.only and any(
            land.blitzed_through(self.world, self.state, power, space) for space in passed
        )

    def seat(self, piece: Piece, number: int, route: tuple[SpaceId, ...]) -> None:
        """Note a leader's seats, and that passengers have taken some."""
        for term in self.terms:
            if piece.type == term.unit:
                way = (term, (route, piece.used, piece.origin))
                self.seats[way] += number * term.number
                self.leaders[way] = piece
        taken = self.led.get(piece)
        if taken is not None:
            self.seats[taken] -= number
            if self.seats[taken] < 0:
                term = taken[0]
                raise Refusal(
                    "nobody-takes-them-along",
                    f"Each {self.world.units[term.unit].name} takes {term.number} "
                    f"{self.world.units[piece.type].name} along.",
                    (route[0],),
                )
