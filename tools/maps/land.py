"""Land: countries become territories on the raster.

A territory is a union of countries. A country claimed by several territories is split: every point goes to the claimant
with the nearest seed, measured on a gently warped plane, so that the new border looks drawn and not ruled.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial import cKDTree
from shapely import affinity

from tools.maps import geography, raster
from tools.maps.board import Board
from tools.maps.raster import WATER, Labels

_ISLET_GENERATOR = 7  # fixed, or outlines would move with every build


def numbers(board: Board) -> list[str]:
    """Names by label number: lands, zones, then what is no space (scenery land, scenery water, lakes)."""
    return [*board.lands, *board.seas, "~land", *(f"~{name}" for name in board.scenery_water), "~lake"]


def claimants(board: Board) -> dict[str, list[str]]:
    """Country to the territories that claim it, in authored order."""
    result: dict[str, list[str]] = defaultdict(list)
    for name, entry in board.land.items():
        for country in (*entry.get("countries", ()), *entry.get("parts_of", ())):
            result[country].append(name)
    for country in board.scenery_land:
        result[country].append("~land")
    return dict(result)


def _near(board: Board, rule: list[Any], country: str, polygon: shapely.Polygon) -> bool:
    """Does [country, lat, lon, radius, ...] mean this polygon?"""
    named = rule[0] if isinstance(rule[0], list) else [rule[0]]
    return country in named and polygon.centroid.distance(shapely.Point(board.projection.point(rule[1:3]))) < rule[3]


def _pieces(board: Board, wanted: set[str]) -> list[tuple[str, shapely.Polygon, bool]]:
    """Projected polygons of the wanted countries: dropped, moved and enlarged as authored; and whether to keep it."""
    world = geography.countries()
    if missing := wanted - set(world):
        raise SystemExit(f"{board.id}: no such country: {sorted(missing)}")
    frame = shapely.box(0, 0, board.width, board.height)
    pieces = []
    for country in sorted(wanted):
        for polygon in world[country]:
            for part in raster.polygons(board.projection.polygon(polygon).intersection(frame)):
                if not any(_near(board, rule, country, part) for rule in board.drop):
                    kept = any(_near(board, rule, country, part) for rule in board.keep)
                    pieces.append((country, part, kept))
    for rule in board.move:
        factor, dx, dy = rule[4:7]
        chosen = [i for i, (country, part, _) in enumerate(pieces) if _near(board, rule, country, part)]
        if not chosen:
            raise SystemExit(f"{board.id}: nothing to move at {rule}")
        middle = shapely.union_all([pieces[i][1] for i in chosen]).centroid
        for i in chosen:
            country, part, kept = pieces[i]
            origin = (middle.x, middle.y)
            moved = affinity.translate(affinity.scale(part, factor, factor, origin=origin), dx, dy)
            pieces[i] = (country, moved, kept)
    return pieces


def _blob(
    rng: np.random.Generator, x: float, y: float, radius: float, stretch: float = 1.0, turn: float = 0.0
) -> shapely.Polygon:
    """An islet: a circle with a few random waves on it."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    size = np.ones(40)
    for wave in (2, 3, 4, 5):
        size += 0.32 / wave * np.cos(wave * angle + rng.uniform(0, 6.28)) * rng.uniform(0.4, 1)
    across, along = radius * size * np.cos(angle) * stretch, radius * size * np.sin(angle) / stretch
    c, s = math.cos(turn), math.sin(turn)
    return shapely.Polygon(np.column_stack([x + c * across - s * along, y + s * across + c * along])).buffer(0)


def islets(board: Board) -> dict[str, shapely.Geometry]:
    """Territories drawn as a group of islets around their footprint."""
    rng = np.random.default_rng(_ISLET_GENERATOR)
    result = {}
    for name, entry in board.land.items():
        if "footprint" in entry:
            x, y = board.projection.point(entry["footprint"])
            result[name] = shapely.union_all([_blob(rng, x + i[0], y + i[1], *i[2:5]) for i in entry["islets"]])
    return result


def _strip(board: Board, entry: dict[str, Any]) -> shapely.Polygon:
    return shapely.LineString([board.projection.point(p) for p in entry["line"]]).buffer(entry["width"])


def _close_channels(countries: NDArray[np.int32], radius: int) -> None:
    """Close fjords and narrow gaps, country by country: closing them all at once would weld Denmark to Sweden."""
    reach = np.arange(-radius, radius + 1)
    disc = reach[:, None] ** 2 + reach[None, :] ** 2 <= radius**2 + 1
    for number, box in enumerate(ndimage.find_objects(countries), start=1):
        if box is None:
            continue
        pad = tuple(
            slice(max(side.start - radius - 1, 0), min(side.stop + radius + 1, size))
            for side, size in zip(box, countries.shape, strict=True)
        )
        closed = ndimage.binary_closing(countries[pad] == number, disc)
        countries[pad][closed & (countries[pad] == 0)] = number


def _drop_small(countries: NDArray[np.int32], smallest: float, kept: NDArray[np.bool_]) -> None:
    """Remove land masses below `smallest` pixels, save those marked to be kept."""
    masses, _ = ndimage.label(countries > 0)
    small = np.bincount(masses.ravel()) < smallest
    small[np.unique(masses[kept])] = False
    countries[small[masses] & (masses > 0)] = 0


def _warp(board: Board, shape: tuple[int, int], scale: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Pixel centres in map units, shifted by smooth noise."""
    rows, columns = np.mgrid[0 : shape[0], 0 : shape[1]]
    x, y = (columns + 0.5) / scale, (rows + 0.5) / scale
    coarse = 4
    for seed, (amplitude, length) in enumerate(board.parameters.land_noise):
        for axis, plane in enumerate((x, y)):
            rng = np.random.default_rng(1 + 2 * axis + seed)
            noise = rng.standard_normal((shape[0] // coarse + 2, shape[1] // coarse + 2))
            noise = ndimage.gaussian_filter(noise, length * scale / coarse, mode="wrap")
            plane += ndimage.zoom(noise / noise.std(), coarse, order=1)[: shape[0], : shape[1]] * amplitude
    return x, y


def partition(board: Board) -> Labels:
    """The land raster: a territory's number, scenery or lake, or WATER."""
    settings = board.parameters
    scale = settings.pixels_per_unit
    shape = (round(board.height * scale), round(board.width * scale))
    number = {name: i for i, name in enumerate(numbers(board))}
    claims = claimants(board)
    pieces = _pieces(board, set(claims))
    names = sorted(claims)
    index = {name: i + 1 for i, name in enumerate(names)}
    countries = raster.draw(shape, scale, [(index[country], part) for country, part, _ in pieces])
    kept = raster.draw(shape, scale, [(1, part) for _, part, keep in pieces if keep]) > 0

    _drop_small(countries, settings.min_island_area * scale * scale, kept)
    _close_channels(countries, max(1, round(settings.channel_closing * scale)))
    for entry in board.fill:
        countries[raster.mask_of(shape, scale, _strip(board, entry)) & (countries == 0)] = index[entry["country"]]
    for entry in board.carve:
        countries[raster.mask_of(shape, scale, _strip(board, entry))] = 0
    _drop_small(countries, settings.min_island_area * scale * scale, kept)

    labels = np.full(shape, WATER, np.int16)
    split = np.zeros(shape, bool)
    seeds = {name: [board.projection.point(seed) for seed in board.land[name].get("seeds", ())] for name in board.lands}
    x, y = _warp(board, shape, scale)
    windows = ndimage.find_objects(countries, max_label=len(names))
    for country, owners in claims.items():
        window = windows[index[country] - 1]
        if window is None:
            continue
        inside = countries[window] == index[country]
        if len(owners) == 1:
            labels[window][inside] = number[owners[0]]
            continue
        points = [(point, number[owner]) for owner in owners for point in seeds[owner]]
        tree, owner_of = cKDTree([p for p, _ in points]), np.array([o for _, o in points], np.int16)
        _, nearest = tree.query(np.column_stack([x[window][inside], y[window][inside]]))
        labels[window][inside] = owner_of[nearest]
        parts, count = ndimage.label(inside)
        areas = np.bincount(parts.ravel()) / scale**2
        for part, (row, column) in enumerate(
            ndimage.center_of_mass(inside, parts, range(1, count + 1)) if count else (), start=1
        ):
            if areas[part] < settings.whole_piece_below:
                place = ((column + window[1].start + 0.5) / scale, (row + window[0].start + 0.5) / scale)
                labels[window][parts == part] = owner_of[tree.query(place)[1]]
            else:
                split[window] |= parts == part
    pixels = {number[name]: [(int(py * scale), int(px * scale)) for px, py in points] for name, points in seeds.items()}
    cleaned = raster.remove_crumbs(labels, split, settings.crumb_below * scale**2, pixels)
    labels[split] = cleaned[split]

    for name, geometry in islets(board).items():
        labels[raster.mask_of(shape, scale, geometry)] = number[name]
    for lake in board_lakes(board):
        chosen = raster.mask_of(shape, scale, lake)
        labels[chosen & (labels != WATER)] = number["~lake"]
    # Slivers of water between countries are seams of the source, not seas.
    waters, _ = ndimage.label(labels == WATER)
    tiny = np.bincount(waters.ravel()) < settings.pond_below * scale * scale
    tiny[0] = False
    raster.nearest_fill(labels, tiny[waters], (labels != WATER) & (labels != number["~lake"]))
    return labels


def board_lakes(board: Board) -> list[shapely.Geometry]:
    """The authored lakes, projected."""
    if not board.lakes:
        return []
    world = geography.lakes()
    result = []
    for lat, lon in board.lakes.values():
        place = shapely.Point(lon, lat)
        lake = min(world, key=lambda polygon, p=place: polygon.distance(p))
        result.append(board.projection.polygon(shapely.Polygon(lake.exterior)))
    return result
