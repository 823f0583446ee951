"""A position with whoever a condition is asked for, and the answer in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sandtable.engine.facts import listed, name, the
from sandtable.engine.state import State
from sandtable.world.conditions import SELF, Places, Who, fits
from sandtable.world.model import PowerId, Space, SpaceId, World

KEPT = 16  # places that are asked for again and again until land changes hands
_FOUND: list[tuple[Mapping[SpaceId, PowerId], Places, World, Who, tuple[SpaceId, ...]]] = []


class Measure(NamedTuple):
    """How far a condition is: it holds when `have` has reached `need`."""

    have: int
    need: int

    @property
    def met(self) -> bool:
        return self.have >= self.need


class Viewpoint(NamedTuple):
    """A position, and whoever the condition is asked for (a power or a side)."""

    world: World
    state: State
    who: Who = ""

    def members(self, who: Who) -> tuple[PowerId, ...]:
        """The powers that a word stands for; a side stands for any of its powers (AN-INC-06)."""
        who = self.who if who == SELF else who
        return self.world.members(who) if who in self.world.sides else (who,)

    def subject(self, who: Who) -> str:
        """`the Axis`, `Germany`, `the United Kingdom`"""
        who = self.who if who == SELF else who
        if who in self.world.powers:  # where each is a side of its own, it goes by its name
            return the(self.world, who)
        return f"the {who.capitalize()}" if who in self.world.sides else "the power"

    def verb(self, who: Who, plural: str, singular: str) -> str:
        """Sides are many, powers are one."""
        who = self.who if who == SELF else who
        return plural if who in self.world.sides and who not in self.world.powers else singular

    def subjects(self, all_of: Iterable[Who], joint: str = "and") -> str:
        return listed([self.subject(who) for who in all_of], joint)

    def spaces(self, places: Places) -> tuple[SpaceId, ...]:
        """The spaces that are meant now."""
        world = self.world
        if not places.changes and (places.spaces or places == Places()):
            return places.spaces
        owners = self.state.owners
        for known in _FOUND:
            if known[0] is owners and known[1] is places and known[2] is world and known[3] == self.who:
                return known[4]
        found: tuple[SpaceId, ...]
        if places.spaces:  # they fit: that was seen when the world was compiled
            found = tuple(s for s in places.spaces if self._is_so_now(places, world.spaces[s]))
        else:
            everywhere = world.spaces.values()
            found = tuple(s.id for s in everywhere if fits(places, s, self.members) and self._is_so_now(places, s))
        _FOUND.insert(0, (owners, places, world, self.who, found))
        del _FOUND[KEPT:]
        return found

    def _is_so_now(self, places: Places, space: Space) -> bool:
        """What the places say about who holds land holds for this one."""
        owners = self.state.owners
        owner = owners.get(space.id)
        if places.held_by is not None and owner not in self.members(places.held_by):
            return False
        if places.not_held_by is not None and (space.is_sea or owner in self.members(places.not_held_by)):
            return False
        for who, meant in ((places.beside, True), (places.away_from, False)):
            if who is not None:
                holders = self.members(who)
                if space.is_land or meant != any(owners.get(s) in holders for s in self.world.land[space.id]):
                    return False
        return True

    def names(self, spaces: Iterable[SpaceId], joint: str = "and") -> str:
        return listed([name(self.world, s) for s in spaces], joint)
