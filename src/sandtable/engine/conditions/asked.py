"""A position with whoever a condition is asked for, and the answer in numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.engine.facts import listed, name
from sandtable.engine.state import State
from sandtable.world.conditions import SELF, Places, Who, fits
from sandtable.world.model import PowerId, SpaceId, World


class Measure(NamedTuple):
    """How far a condition is: it holds when `have` has reached `need`."""

    have: int
    need: int

    @property
    def met(self) -> bool:
        return self.have >= self.need


class Asked(NamedTuple):
    """A position, and whoever the condition is asked for (a power or a side)."""

    world: World
    state: State
    who: Who = ""

    def members(self, who: Who) -> tuple[PowerId, ...]:
        """The powers that a word stands for; a side stands for any of its powers (AN-INC-06)."""
        who = self.who if who == SELF else who
        return self.world.members(who) if who in self.world.sides else (who,)

    def subject(self, who: Who) -> str:
        """`the Axis`, `Germany`"""
        who = self.who if who == SELF else who
        if who in self.world.sides:
            return f"the {who.capitalize()}"
        return self.world.powers[who].name if who in self.world.powers else "the power"

    def verb(self, who: Who, plural: str, singular: str) -> str:
        """Sides are many, powers are one."""
        return plural if (self.who if who == SELF else who) in self.world.sides else singular

    def subjects(self, all_of: Iterable[Who], joint: str = "and") -> str:
        return listed([self.subject(who) for who in all_of], joint)

    def spaces(self, places: Places) -> tuple[SpaceId, ...]:
        """The spaces that are meant now."""
        world = self.world
        if places.held_by is None and (places.spaces or places == Places()):
            return places.spaces
        holders = self.members(places.held_by) if places.held_by is not None else ()
        return tuple(
            space.id
            for space in world.spaces.values()
            if fits(places, space, self.members)
            and (places.held_by is None or self.state.owners.get(space.id) in holders)
            and (not places.spaces or space.id in places.spaces)
        )

    def names(self, spaces: Iterable[SpaceId], joint: str = "and") -> str:
        return listed([name(self.world, s) for s in spaces], joint)
