"""Infantry that rides with tanks: farther than it walks, and through empty enemy land (AN-TEC-15).

Who takes whom along is a fact of the technology (`takes_along`); passengers come as far and as freely as their leader.
"""

from __future__ import annotations

from collections import Counter

from sandtable.engine.facts import takes_along, type_of
from sandtable.engine.movement import land
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, SpaceId, World

Way = tuple[tuple[SpaceId, ...], int, SpaceId]
"""A leader's route, and how far and from where it had come before: a passenger has to have come with it."""


class Rides:
    """The seats that the leaders of one order offer."""

    def __init__(self, world: World, state: State, power: PowerId) -> None:
        self.world = world
        self.state = state
        self.terms = takes_along(world, state, power)
        self.seats: Counter[Way] = Counter()
        self.leaders: dict[Way, Piece] = {}
        self.led: dict[Piece, Way] = {}

    def leaders_first(self, specs: list[UnitSpec]) -> list[UnitSpec]:
        leader = self.terms.unit if self.terms is not None else None
        return specs if leader is None else sorted(specs, key=lambda s: s.type != leader)

    def route(self, piece: Piece, combat: bool, refusal: Refusal) -> tuple[SpaceId, ...]:
        """The way of a leader with a free seat; without one the refusal to walk stands."""
        if self.terms is None or piece.type != self.terms.passenger:
            raise refusal
        for way, leader in self.leaders.items():
            route, used, origin = way
            if self.seats[way] and (used, origin) == (piece.used, piece.origin):
                land.check(self.world, self.state, piece, route, combat, type_of(self.world, self.state, leader))
                self.led[piece] = way
                return route
        raise refusal

    def seat(self, piece: Piece, number: int, route: tuple[SpaceId, ...]) -> None:
        """Note a leader's seats, or that passengers have taken some."""
        if self.terms is None:
            return
        if piece.type == self.terms.unit:
            way = (route, piece.used, piece.origin)
            self.seats[way] += number * self.terms.number
            self.leaders[way] = piece
        elif piece in self.led:
            self.seats[self.led[piece]] -= number
            if self.seats[self.led[piece]] < 0:
                raise Refusal(
                    "nobody-takes-them-along",
                    f"Each {self.world.units[self.terms.unit].name} takes {self.terms.number} "
                    f"{self.world.units[piece.type].name} along.",
                    (route[0],),
                )
