"""Distances on the board, worked out once per world."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.world.model import SpaceId, World

FAR = 99
LAKE = 3  # zones of a sea that leads nowhere

Distances = Mapping[SpaceId, int]
Lanes = tuple[tuple[SpaceId, int], ...]


class Atlas:
    """How far spaces are from each other by air, land and sea, whoever holds them. Neutral land is gone round."""

    def __init__(self, world: World) -> None:
        self.world = world
        neutral = {s.id for s in world.spaces.values() if s.is_land and (s.owner is None or s.impassable)}
        self.neutral = frozenset(neutral)
        self.land = {s: _distances(world.land, s, neutral) for s in world.spaces if world.spaces[s].is_land}
        self.air = {s: _distances(world.air, s, neutral) for s in world.spaces}
        self._near: dict[tuple[SpaceId, int], tuple[tuple[SpaceId, int], ...]] = {}
        self._sea: dict[frozenset[tuple[SpaceId, SpaceId]], dict[SpaceId, Distances]] = {}
        self._lanes: dict[tuple[frozenset[tuple[SpaceId, SpaceId]], int], dict[SpaceId, Lanes]] = {}
        seas = {z: tuple(n for n in world.sea[z] if world.spaces[n].is_sea) for z in world.spaces}
        self.lakes = frozenset(
            z for z in world.spaces if world.spaces[z].is_sea and len(_distances(seas, z, ())) <= LAKE
        )
        self.shores = {
            z: tuple(s for s in world.land[z] if s not in neutral) for z in world.spaces if world.spaces[z].is_sea
        }

    def near(self, space: SpaceId, limit: int) -> tuple[tuple[SpaceId, int], ...]:
        """Spaces within so many steps by air, with their distance."""
        found = self._near.get((space, limit))
        if found is None:
            found = self._near[space, limit] = tuple((s, d) for s, d in self.air[space].items() if d <= limit)
        return found

    def sea(self, closed: frozenset[tuple[SpaceId, SpaceId]]) -> dict[SpaceId, Distances]:
        """Distances between sea zones while these passages are closed."""
        found = self._sea.get(closed)
        if found is None:
            graph = {
                a: tuple(b for b in near if (a, b) not in closed)
                for a, near in self.world.sea.items()
                if self.world.spaces[a].is_sea
            }
            found = self._sea[closed] = {zone: _distances(graph, zone, ()) for zone in graph}
        return found

    def lanes(self, closed: frozenset[tuple[SpaceId, SpaceId]], longest: int) -> dict[SpaceId, Lanes]:
        """From each zone, the zones with a shore within so many steps, and how many more turns than one they take."""
        found = self._lanes.get((closed, longest))
        if found is None:
            found = self._lanes[closed, longest] = {
                zone: tuple(
                    (other, max(0, (distance - 1) // 2))
                    for other, distance in distances.items()
                    if distance <= longest and self.shores[other]
                )
                for zone, distances in self.sea(closed).items()
            }
        return found


def _distances(graph: Mapping[SpaceId, tuple[SpaceId, ...]], start: SpaceId, barred: object) -> Distances:
    found = {start: 0}
    layer = [start]
    while layer:
        following = []
        for here in layer:
            for space in graph[here]:
                if space not in found and space not in barred:  # type: ignore[operator]
                    found[space] = found[here] + 1
                    following.append(space)
        layer = following
    return found


_known: list[tuple[World, Atlas]] = []


def atlas(world: World) -> Atlas:
    """The world's atlas; the last few worlds are remembered."""
    for known, found in _known:
        if known is world:
            return found
    found = Atlas(world)
    _known.insert(0, (world, found))
    del _known[4:]
    return found
