"""What the rules say about a board's map: the one place where these tests ask the engine's data."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources

import yaml

Pair = frozenset[str]


@dataclass(frozen=True)
class Facts:
    """Spaces with their kind and reference point, and every adjacent pair."""

    kind: dict[str, str]
    place: dict[str, tuple[float, float]]  # lat, lon
    value: dict[str, int]
    pairs: frozenset[Pair]


def board_facts(board: str) -> Facts:
    """Read a board as the engine ships it."""
    text = resources.files("sandtable").joinpath("data", board, "board.yaml").read_text(encoding="utf-8")
    data = yaml.safe_load(text)
    spaces = {name: (kind, entry) for kind in ("land", "sea") for name, entry in data[kind].items()}
    return Facts(
        kind={name: kind for name, (kind, _) in spaces.items()},
        place={name: (entry["lat"], entry["lon"]) for name, (_, entry) in spaces.items()},
        value={name: entry.get("ipc", 0) for name, (_, entry) in spaces.items()},
        pairs=frozenset(frozenset((a, b)) for a, others in data["borders"].items() for b in others),
    )
