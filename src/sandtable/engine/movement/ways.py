"""Ways over the board, whoever holds it."""

from __future__ import annotations

from sandtable.world.model import SpaceId, World


def shortest(world: World, start: SpaceId, end: SpaceId, kind: str) -> tuple[SpaceId, ...] | None:
    """A shortest way over spaces of the kind, whoever holds them: for explaining why it is barred."""
    graph = {"land": world.land, "sea": world.sea, "air": world.air}[kind]
    routes: dict[SpaceId, tuple[SpaceId, ...]] = {start: (start,)}
    layer = [start]
    while layer:
        following = []
        for here in layer:
            for space in graph[here]:
                if space not in routes:
                    routes[space] = (*routes[here], space)
                    if space == end:
                        return routes[space]
                    following.append(space)
        layer = following
    return None
