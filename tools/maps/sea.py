"""Sea zones: every drop of water goes to the zone whose seed is nearest by way of water.

All zones grow at once, first come first served, under one rule that does most of the work: water close to a coast may
only be claimed by a zone that the board makes adjacent to that land. False contacts between land and sea are then
impossible, and borders reach the coast where two lands meet. Afterwards the borders are tightened like soap films.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from tools.maps import raster
from tools.maps.board import Board
from tools.maps.land import numbers
from tools.maps.raster import WATER, Labels, Mask

_KING = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)]
_KNIGHT = [(2, 1), (2, -1), (-2, 1), (-2, -1), (1, 2), (-1, 2), (1, -2), (-1, -2)]
_STEPS = np.array([*_KING, *_KNIGHT], np.int64)


@dataclass
class Waters:
    """The water of the board on one grid, with the rule which zone may lie where."""

    scale: float
    land: Labels  # territory or scenery number, WATER where water
    water: Mask
    near: NDArray[np.int16]  # row of `allowed` that holds at a pixel
    allowed: NDArray[np.bool_]  # [near, zone]
    coast: NDArray[np.float32]  # distance to the coast in pixels
    pinned: Mask
    zones: list[str]


def zone_names(board: Board) -> list[str]:
    """The competitors: the zones, then water that is no space."""
    return [*board.seas, *(f"~{name}" for name in board.scenery_water)]


def prepare(board: Board, land: Labels, scale: float) -> Waters:
    """Set up a grid of the given scale from the finished land raster."""
    fine = board.parameters.pixels_per_unit
    shape = (round(board.height * scale), round(board.width * scale))
    names = numbers(board)
    lake = len(names) - 1
    if scale == fine:
        labels = land
        water = labels == WATER
    else:
        water = raster.resize_mask(land == WATER, shape)
        labels = raster.resize_labels(land, shape)
        odd = ~water & (labels == WATER)
        raster.nearest_fill(labels, odd, (labels != WATER) & ~odd)
        labels = np.where(water, np.int16(WATER), labels)
    distance, (rows, columns) = ndimage.distance_transform_edt(water, return_indices=True)
    nearest = labels[rows, columns]
    free = len(board.lands)
    guard = max(board.parameters.coast_guard * scale, 1.5)
    lands = board.lands
    near = np.where(water & (distance <= guard) & (nearest < len(lands)), nearest, free).astype(np.int16)
    near[nearest == lake] = free
    zones = zone_names(board)
    allowed = np.ones((free + 1, len(zones)), bool)
    for i, territory in enumerate(lands):
        for j, zone in enumerate(zones):
            allowed[i, j] = zone.startswith("~") or frozenset((territory, zone)) in board.pairs
    pinned = np.zeros(shape, bool)
    yy, xx = np.ogrid[0 : shape[0], 0 : shape[1]]
    for lat, lon, radius in board.pins:
        x, y = board.projection.point((lat, lon))
        pinned |= (xx - x * scale) ** 2 + (yy - y * scale) ** 2 < (radius * scale) ** 2
    return Waters(scale, labels, water, near, allowed, distance.astype(np.float32), pinned, zones)


@numba.njit(cache=True)
def _push(keys: Any, places: Any, owners: Any, count: int, key: float, place: int, owner: int) -> int:
    child = count
    while child > 0:
        parent = (child - 1) >> 1
        if keys[parent] <= key:
            break
        keys[child], places[child], owners[child] = keys[parent], places[parent], owners[parent]
        child = parent
    keys[child], places[child], owners[child] = key, place, owner
    return count + 1


@numba.njit(cache=True)
def _pop(keys: Any, places: Any, owners: Any, count: int) -> int:
    """Remove the first entry of the heap."""
    count -= 1
    key, place, owner = keys[count], places[count], owners[count]
    hole = 0
    while True:
        child = 2 * hole + 1
        if child >= count:
            break
        if child + 1 < count and keys[child + 1] < keys[child]:
            child += 1
        if keys[child] >= key:
            break
        keys[hole], places[hole], owners[hole] = keys[child], places[child], owners[child]
        hole = child
    keys[hole], places[hole], owners[hole] = key, place, owner
    return count


@numba.njit(cache=True)
def _grow(water: Any, near: Any, allowed: Any, start: Any, owner_of: Any, steps: Any, labels: Any) -> None:
    """Dijkstra from all seeds at once; `labels` holds -1 where nothing has arrived."""
    height, width = water.shape
    room = water.size * 3
    keys, places, owners = np.empty(room, np.float32), np.empty(room, np.int32), np.empty(room, np.int16)
    reached = np.full(water.size, np.float32(1e9))
    lengths = np.sqrt((steps[:, 0] ** 2 + steps[:, 1] ** 2).astype(np.float32))
    count = 0
    for i in range(len(start)):
        count = _push(keys, places, owners, count, np.float32(0.0), start[i], owner_of[i])
    while count > 0:
        key, place, owner = keys[0], places[0], owners[0]
        count = _pop(keys, places, owners, count)
        y, x = place // width, place % width
        if labels[y, x] >= 0 and key > 0:
            continue
        labels[y, x] = owner
        for step in range(len(steps)):
            nx, ny = x + steps[step, 0], y + steps[step, 1]
            if nx < 0 or ny < 0 or nx >= width or ny >= height:
                continue
            if not water[ny, nx] or labels[ny, nx] >= 0 or not allowed[near[ny, nx], owner]:
                continue
            if step >= 8:  # a knight's move must not jump over land
                between_x = x + (steps[step, 0] // 2 if abs(steps[step, 0]) == 2 else 0)
                between_y = y + (steps[step, 1] // 2 if abs(steps[step, 1]) == 2 else 0)
                if not water[between_y, between_x]:
                    continue
            far = key + lengths[step]
            target = ny * width + nx
            if far < reached[target] and count < room - 1:
                reached[target] = far
                count = _push(keys, places, owners, count, far, target, owner)


def grow(waters: Waters, seeds: dict[str, list[tuple[float, float]]]) -> tuple[Labels, int]:
    """Zones from seeds in map units. Also says how many pixels no permitted zone could reach."""
    height, width = waters.water.shape
    rows, columns = ndimage.distance_transform_edt(~waters.water, return_distances=False, return_indices=True)
    start, owner = [], []
    for number, zone in enumerate(waters.zones):
        for x, y in seeds[zone]:
            row = min(max(int(y * waters.scale), 0), height - 1)
            column = min(max(int(x * waters.scale), 0), width - 1)
            start.append(int(rows[row, column]) * width + int(columns[row, column]))
            owner.append(number)
    labels = np.full(waters.water.shape, -1, np.int16)
    _grow(waters.water, waters.near, waters.allowed, np.array(start), np.array(owner), _STEPS, labels)
    return labels, fill_rest(waters, labels)


def fill_rest(waters: Waters, labels: Labels) -> int:
    """Water that no permitted zone reached goes to the nearest one all the same."""
    rest = waters.water & (labels < 0)
    raster.nearest_fill(labels, rest, waters.water & ~rest)
    return int(rest.sum())


def tighten(waters: Waters, labels: Labels, sigma: float, rounds: int, frozen: float) -> Labels:
    """Threshold dynamics: blur every zone, give each pixel to the strongest. Borders shrink like soap films.

    The coast rule holds throughout; water within `frozen` units of a coast and pinned places keep their zone.
    """
    spread = sigma * waters.scale
    pad = int(2.2 * spread)
    height, width = labels.shape
    fixed = waters.pinned | (waters.coast <= frozen * waters.scale) if frozen else waters.pinned
    for _ in range(rounds):
        best = np.full(labels.shape, -1, np.float32)
        result = labels.copy()
        for zone, box in enumerate(ndimage.find_objects(labels.astype(np.int32) + 1)):
            if box is None:
                continue
            window = (
                slice(max(box[0].start - pad, 0), min(box[0].stop + pad, height)),
                slice(max(box[1].start - pad, 0), min(box[1].stop + pad, width)),
            )
            strength = ndimage.gaussian_filter(
                (labels[window] == zone).astype(np.float32), spread, mode="nearest", truncate=2.2
            )
            wins = waters.allowed[waters.near[window], zone] & waters.water[window] & (strength > best[window])
            wins &= ~fixed[window]
            best[window][wins] = strength[wins]
            result[window][wins] = zone
        labels = result
    return labels


def refine(board: Board, coarse: Waters, labels: Labels, fine: Waters) -> Labels:
    """Carry zones over to the fine grid, where the coast rule is applied once more at the new coast pixels."""
    result = raster.resize_labels(labels, fine.water.shape)
    result[~fine.water] = -1
    known = result >= 0
    wrong = known & ~fine.allowed[fine.near, np.maximum(result, 0)]
    result[wrong] = -1
    rim = (result >= 0) & ndimage.binary_dilation(fine.water & (result < 0), iterations=3)
    start = np.flatnonzero(rim)
    _grow(fine.water, fine.near, fine.allowed, start, result.ravel()[start].astype(np.int64), _STEPS, result)
    fill_rest(fine, result)
    smallest = board.parameters.zone_crumb_below * fine.scale**2
    return np.where(fine.water, raster.remove_crumbs(result, fine.water, smallest), np.int16(-1))


def seeds_of(board: Board) -> dict[str, list[tuple[float, float]]]:
    """Authored seeds in map units."""
    result = {zone: [board.projection.point(seed) for seed in seeds] for zone, seeds in board.sea.items()}
    for name, entry in board.scenery_water.items():
        result[f"~{name}"] = [board.projection.point(seed) for seed in entry["seeds"]]
    return result


def partition(board: Board, land: Labels) -> tuple[Labels, int]:
    """The finished label raster: land and sea. Also the number of pixels that broke the coast rule."""
    coarse = prepare(board, land, board.parameters.sea_pixels_per_unit)
    zones, unreached = grow(coarse, seeds_of(board))
    for sigma, rounds, frozen in board.parameters.film_passes:
        zones = tighten(coarse, zones, sigma, rounds, frozen)
    smallest = board.parameters.zone_crumb_below * coarse.scale**2
    zones = np.where(coarse.water, raster.remove_crumbs(zones, coarse.water, smallest), np.int16(-1))
    fine = prepare(board, land, board.parameters.pixels_per_unit)
    zones = refine(board, coarse, zones, fine)
    names = numbers(board)
    code = np.array([names.index(zone) for zone in fine.zones], np.int16)
    return np.where(fine.water, code[np.maximum(zones, 0)], land).astype(np.int16), unreached


def contacts(labels: NDArray[Any], scale: float) -> dict[tuple[int, int], float]:
    """Rough border length in map units for every two labels that touch on a raster, across the map's edge too."""
    lengths: dict[tuple[int, int], float] = defaultdict(float)
    views = ((labels[:, :-1], labels[:, 1:]), (labels[:-1], labels[1:]), (labels[:, :1], labels[:, -1:]))
    for one, other in views:
        touching = (one != other) & (one >= 0) & (other >= 0)
        low = np.minimum(one[touching], other[touching]).astype(np.int64)
        high = np.maximum(one[touching], other[touching]).astype(np.int64)
        keys, counts = np.unique(low * 100_000 + high, return_counts=True)
        for key, count in zip(keys.tolist(), counts.tolist(), strict=True):
            lengths[key // 100_000, key % 100_000] += count / scale
    return dict(lengths)
