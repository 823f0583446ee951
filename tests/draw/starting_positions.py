"""Starting positions as the drawing takes them, straight from the shipped data files."""

from __future__ import annotations

from importlib import resources
from typing import Any

import yaml

from sandtable.maps import Position, Stack

SCENARIOS = {"classic": "classic-1942", "anniversary": "anniversary-1941", "global1940": "global-1940"}
LEANINGS = {"strict": "strict-neutral", "pro-axis": "pro-axis", "pro-allies": "pro-allies"}


def read(board: str, file: str) -> Any:
    folder = resources.files("sandtable").joinpath("data", board)
    return yaml.safe_load(folder.joinpath(file).read_text(encoding="utf-8"))


def starting_position(board: str) -> Position:
    land = read(board, "board.yaml")["land"]
    sea = read(board, "board.yaml")["sea"]
    powers = read(board, "powers.yaml")["powers"]
    scenario = read(board, f"scenario-{SCENARIOS[board]}.yaml")
    owner: dict[str, str | None] = {}
    for name, space in land.items():
        leaning = space.get("traits", {}).get("leaning")
        owner[name] = "impassable" if space.get("impassable") else space.get("owner") or LEANINGS.get(leaning)
    owner |= {name: holder for name, holder in scenario.get("control", {}).items() if name in owner}
    units: dict[str, list[Stack]] = {}
    for power, places in scenario["setup"].items():
        for place, pieces in places.items():
            units.setdefault(place, []).extend(Stack(power, unit, count) for unit, count in pieces.items())
    return Position(
        names={name: space["name"] for name, space in (land | sea).items()},
        owner=owner,
        ipc={name: space.get("ipc", 0) for name, space in land.items()},
        capitals={power["capital"]: name for name, power in powers.items() if power.get("capital")},
        cities={name: space["victory_city"] for name, space in land.items() if space.get("victory_city")},
        units=units,
        powers={name: power["name"] for name, power in powers.items()},
        unit_names={name: unit["name"] for name, unit in read(board, "units.yaml")["units"].items()},
    )
