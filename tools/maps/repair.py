"""Finds seeds for the sea zones: a hill climber that mends one wrong pair at a time on a coarse raster.

`python -m tools.maps.repair BOARD [rounds]` prints the `sea:` section of the board's file with seeds added and
removed. Look at it, take it over, and let the compiler judge: what is right on the coarse raster is nearly always right
on the map.
"""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import numpy as np
from scipy import ndimage
from scipy.spatial import cKDTree

from tools.maps import land, sea
from tools.maps.board import Board, Pair, load

Seeds = dict[str, list[tuple[float, float]]]
COARSE = 0.5  # pixels per unit


class Workshop:
    """A board on a coarse raster, on which a set of seeds is judged in about a second."""

    def __init__(self, board: Board) -> None:
        quick = dataclasses.replace(board.parameters, pixels_per_unit=1)
        self.board = dataclasses.replace(board, parameters=quick)
        self.waters = sea.prepare(self.board, land.partition(self.board), COARSE)
        self.names = land.numbers(board)
        self.code = np.array([self.names.index(zone) for zone in self.waters.zones], np.int16)
        linked = {frozenset(link["pair"]) for link in board.links}
        self.wanted = {p for p in board.pairs - linked if any(board.spaces[s].kind == "sea" for s in p)}
        self.neighbours: dict[str, set[str]] = {}
        for pair in board.pairs:
            for space in pair:
                self.neighbours.setdefault(space, set()).update(pair - {space})

    def judge(self, seeds: Seeds) -> tuple[float, Any, set[Pair], dict[Pair, float]]:
        """Cost, labels, missing pairs and false pairs with their lengths."""
        zones, _ = sea.grow(self.waters, seeds)
        zones = sea.tighten(self.waters, zones, 12.0, 1, 0.0)
        labels = np.where(self.waters.water, self.code[np.maximum(zones, 0)], self.waters.land)
        lengths = {
            frozenset((self.names[a], self.names[b])): length for (a, b), length in sea.contacts(labels, COARSE).items()
        }
        missing = {pair for pair in self.wanted if lengths.get(pair, 0) < 12}
        false = {
            pair: length
            for pair, length in lengths.items()
            if pair not in self.board.pairs
            and length >= 8
            and pair <= set(self.board.spaces)
            and any(self.board.spaces[s].kind == "sea" for s in pair)
        }
        pieces = 0
        for zone in range(len(self.waters.zones)):
            _, count = ndimage.label(zones == zone)
            pieces += max(count - 1, 0)
        cost = len(missing) + sum(min(1.0, 0.4 + n / 80) for n in false.values()) + 0.1 * pieces
        return cost, labels, missing, false

    def propose(
        self, rng: np.random.Generator, labels: Any, missing: set[Pair], false: dict[Pair, float], seeds: Seeds
    ) -> Seeds:
        """Seeds changed so that one wrong pair may come right."""
        result = {zone: list(points) for zone, points in seeds.items()}
        pool = sorted([("missing", sorted(p)) for p in missing] + [("false", sorted(p)) for p in false])
        kind, (one, other) = pool[rng.integers(len(pool))]
        mask = {name: labels == self.names.index(name) for name in (one, other)}
        if not (mask[one].any() and mask[other].any()):
            return result
        tree = cKDTree(np.argwhere(mask[one]))
        spots = np.argwhere(mask[other])
        distance, index = tree.query(spots)
        order = np.argsort(distance, kind="stable")[: 4 if kind == "missing" else 60]
        chosen = int(order[rng.integers(len(order))])
        here, there = spots[chosen], tree.data[index[chosen]]
        middle = (here + there) / 2

        def away(zone: str) -> float:
            return min(np.hypot(x * COARSE - middle[1], y * COARSE - middle[0]) for x, y in result[zone])

        def add(zone: str, place: Any) -> None:
            if zone in result:
                result[zone].append((float(place[1] / COARSE), float(place[0] / COARSE)))

        def remove_near(zone: str, reach: float) -> None:
            points = result.get(zone, [])
            if len(points) > 1:
                distances = [np.hypot(x * COARSE - middle[1], y * COARSE - middle[0]) for x, y in points]
                nearest = int(np.argmin(distances))
                if distances[nearest] < reach * COARSE:
                    del points[nearest]

        if kind == "missing":
            share = rng.uniform(0, 0.45)
            add(one, middle + (there - middle) * share)
            add(other, middle + (here - middle) * share)
            if rng.random() < 0.6:
                remove_near(min((z for z in result if z not in (one, other)), key=away), 70)
            return result
        common = [z for z in self.neighbours[one] & self.neighbours[other] if z in result]
        if common and rng.random() < 0.7:
            add(min(sorted(common), key=away), middle)
        else:
            remove_near(one if rng.random() < 0.5 else other, 400)
        return result

    def climb(self, seeds: Seeds, rounds: int, generator: int = 0) -> Seeds:
        """Mend until nothing is wrong or the rounds are used up."""
        rng = np.random.default_rng(generator)
        cost, labels, missing, false = self.judge(seeds)
        best = (cost, seeds)
        for turn in range(rounds):
            if turn % 25 == 0:
                print(f"# {turn}: cost {cost:.1f}, {len(missing)} missing, {len(false)} false", file=sys.stderr)
            if not missing and not false:
                break
            trial = self.propose(rng, labels, missing, false, seeds)
            verdict = self.judge(trial)
            heat = 0.3 * (1 - turn / rounds) + 1e-6
            if verdict[0] <= cost or rng.random() < np.exp((cost - verdict[0]) / heat):
                seeds, (cost, labels, missing, false) = trial, verdict
                if cost < best[0]:
                    best = (cost, seeds)
        cost, _, missing, false = self.judge(best[1])
        print(f"# end: cost {cost:.1f}", file=sys.stderr)
        for pair in sorted(map(sorted, missing)):
            print("# missing", *pair, file=sys.stderr)
        for pair in sorted(map(sorted, false)):
            print("# false", *pair, file=sys.stderr)
        return best[1]


def unproject(board: Board) -> Any:
    """Map units back to [lat, lon], by looking the place up in a fine table."""
    lat, lon = np.meshgrid(np.arange(-57, 79.6, 0.25), np.arange(-180, 180, 0.25), indexing="ij")
    x, y = board.projection.project(lon.ravel(), lat.ravel())
    tree = cKDTree(np.column_stack([x, y]))
    table = np.column_stack([lat.ravel(), lon.ravel()])
    return lambda point: [float(v) for v in table[tree.query(point)[1]]]


def main() -> None:
    """Repair a board's seeds and print them."""
    board = load(sys.argv[1]).flat
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    original = sea.seeds_of(board)
    seeds = Workshop(board).climb(original, rounds, int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    back = unproject(board)
    print("sea:")
    for zone in board.seas:
        kept = [
            board.sea[zone][original[zone].index(point)] if point in original[zone] else back(point)
            for point in seeds[zone]
        ]
        print(f"  {zone}: [" + ", ".join(f"[{lat:g}, {lon:g}]" for lat, lon in kept) + "]")


if __name__ == "__main__":
    main()
