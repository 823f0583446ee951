"""What the rules say about a board's map: the one place where these tests ask the engine."""

from __future__ import annotations

from dataclasses import dataclass

from sandtable.world.compile import compile_world

SCENARIOS = {"classic": "classic-1942", "anniversary": "anniversary-1941", "global1940": "global-1940"}

Pair = frozenset[str]


@dataclass(frozen=True)
class Facts:
    """Spaces with their kind and reference point, and every adjacent pair."""

    kind: dict[str, str]
    place: dict[str, tuple[float, float]]  # lat, lon
    value: dict[str, int]
    pairs: frozenset[Pair]


def board_facts(board: str) -> Facts:
    """The board that the engine plays on."""
    world = compile_world(SCENARIOS[board])
    return Facts(
        kind={s.id: s.kind for s in world.spaces.values()},
        place={s.id: (s.lat, s.lon) for s in world.spaces.values()},
        value={s.id: s.ipc for s in world.spaces.values()},
        pairs=frozenset(frozenset((a, b)) for a, others in world.neighbours.items() for b in others),
    )
