"""The authored file of a board, read into plain objects."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import yaml

from tools.maps.projection import Projection

BOARDS = ("classic", "anniversary", "global1940")
FOLDER = Path(__file__).parent / "boards"

Pair = frozenset[str]


@dataclass(frozen=True)
class Parameters:
    """Lengths in map units, areas in square map units."""

    pixels_per_unit: int = 2  # raster on which land and coasts are drawn
    sea_pixels_per_unit: float = 1.0  # coarser raster on which the zones grow
    min_island_area: float = 22.0  # smaller land masses are left out
    channel_closing: float = 1.6  # fjords and gaps between islands of one country narrower than twice this are closed
    pond_below: float = 60.0  # smaller enclosed waters become land
    whole_piece_below: float = 300.0  # smaller pieces of a split country go to one territory as a whole
    crumb_below: float = 300.0  # smaller detached bits of a split go to the neighbour, unless they hold a seed
    land_noise: tuple[tuple[float, float], ...] = ((4.5, 16.0), (1.8, 6.0))  # amplitude, wavelength of split borders
    coast_guard: float = 4.0  # water this close to a coast only goes to a zone that is adjacent to that land
    # soap-film smoothing of zone borders: sigma, rounds, distance from the coast that stays as it is
    film_passes: tuple[tuple[float, int, float], ...] = ((18.0, 3, 24.0), (9.0, 3, 0.0))
    zone_crumb_below: float = 80.0  # smaller detached bits of a zone go to the neighbour
    contract_false_border: float = 50.0  # a shorter false border between zones shrinks to a four-corner point
    smooth_coast: float = 0.7
    smooth_land: float = 2.0
    smooth_sea: float = 9.0
    simplify_coast: float = 0.4
    simplify_land: float = 0.35
    simplify_sea: float = 0.3
    quantum: float = 0.1  # coordinates are whole multiples of this
    threshold: float = 6.0  # a shared border at least this long makes two spaces adjacent on the map
    river_simplify: float = 0.8
    river_minimum: float = 45.0  # shorter rivers are left out


@dataclass(frozen=True)
class Space:
    """One space of the board, as the rules know it."""

    id: str
    name: str
    kind: str
    lat: float
    lon: float
    value: int = 0
    mark: str = ""
    impassable: bool = False


@dataclass
class Board:
    """Everything authored about one board."""

    id: str
    projection: Projection
    parameters: Parameters
    spaces: dict[str, Space]
    pairs: set[Pair]
    land: dict[str, dict[str, Any]]
    sea: dict[str, list[list[float]]]
    scenery_land: list[str] = field(default_factory=list)
    scenery_water: dict[str, dict[str, Any]] = field(default_factory=dict)
    lakes: dict[str, list[float]] = field(default_factory=dict)
    carve: list[dict[str, Any]] = field(default_factory=list)
    fill: list[dict[str, Any]] = field(default_factory=list)
    drop: list[list[Any]] = field(default_factory=list)
    keep: list[list[Any]] = field(default_factory=list)
    move: list[list[Any]] = field(default_factory=list)
    pins: list[list[float]] = field(default_factory=list)
    exceptions: dict[str, Any] = field(default_factory=dict)

    @property
    def flat(self) -> Board:
        """The board on the plane before it swells, on which land and sea are parted."""
        return replace(self, projection=self.projection.flat)

    @property
    def width(self) -> float:
        return self.projection.width

    @property
    def height(self) -> float:
        return self.projection.height

    @property
    def lands(self) -> list[str]:
        return [s.id for s in self.spaces.values() if s.kind == "land"]

    @property
    def seas(self) -> list[str]:
        return [s.id for s in self.spaces.values() if s.kind == "sea"]

    @property
    def links(self) -> list[dict[str, Any]]:
        """Adjacent pairs that are drawn by a symbol, not by a border."""
        return list(self.exceptions.get("links", []))


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def load(board: str) -> Board:
    """Read `boards/<board>.yaml` and check that it speaks of the board's spaces and of no others."""
    data = yaml.safe_load((FOLDER / f"{board}.yaml").read_text(encoding="utf-8"))
    facts = data.pop("facts")
    spaces = {entry["id"]: Space(**entry) for entry in facts["spaces"]}
    pairs = {frozenset((a, b)) for a, others in facts["adjacency"].items() for b in others}
    known = {f.name for f in fields(Parameters)}
    parameters = data.pop("parameters", {})
    if unknown := set(parameters) - known:
        raise SystemExit(f"{board}: unknown parameters {sorted(unknown)}")
    result = Board(
        id=data.pop("board"),
        projection=Projection(data.pop("projection")),
        parameters=Parameters(**{name: _tuples(value) for name, value in parameters.items()}),
        spaces=spaces,
        pairs=pairs,
        **data,
    )
    for name, authored, ids in (("land", result.land, result.lands), ("sea", result.sea, result.seas)):
        if odd := set(authored) ^ set(ids):
            raise SystemExit(f"{board}: {name} section and facts differ in {sorted(odd)}")
    if odd := {space for pair in pairs for space in pair} - set(spaces):
        raise SystemExit(f"{board}: adjacency names unknown spaces {sorted(odd)}")
    return result
