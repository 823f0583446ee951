"""Compiles one board: land, sea, arcs, curves, the proof, labels and slots, the asset."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely

from tools.maps import check, land, sea, simplify, topology
from tools.maps.board import Board
from tools.maps.raster import Labels
from tools.maps.topology import OUTSIDE, Arc

Progress = Callable[[str], None]


@dataclass
class Map:
    """A compiled board before labels are placed."""

    board: Board
    names: list[str]
    labels: Labels
    arcs: list[Arc]
    polygons: dict[int, list[list[list[int]]]]
    verdict: check.Verdict
    shrunk: list[tuple[str, str]]


def kinds(board: Board) -> list[str]:
    """Kind of every label number: land, sea, or the kind of scenery."""
    scenery = [entry.get("kind", "ice") for entry in board.scenery_water.values()]
    return ["land"] * len(board.lands) + ["sea"] * len(board.seas) + ["land", *scenery, "lake"]


def progress_printer() -> Progress:
    """Prints what has been done, with the time it took."""
    begin = last = time.monotonic()

    def say(text: str) -> None:
        nonlocal last
        now = time.monotonic()
        print(f"[{now - begin:6.1f}s +{now - last:5.1f}] {text}", flush=True)
        last = now

    return say


def arc_class(kind: list[str], arc: Arc) -> str:
    """coast, land (border between lands), sea, ice (sea against ice) or frame."""
    if OUTSIDE in (arc.left, arc.right):
        return "frame"
    sides = {kind[arc.left], kind[arc.right]}
    if sides == {"land"}:
        return "land"
    if "land" in sides:
        return "coast"
    return "sea" if sides == {"sea"} else "ice"


def build(board: Board, say: Progress) -> Map:
    """Everything up to the proof."""
    settings = board.parameters
    scale = settings.pixels_per_unit
    names = land.numbers(board)
    kind = kinds(board)
    flat = board.flat
    ground = land.partition(flat)
    say(f"land: {len(board.lands)} territories on {ground.shape[1]}x{ground.shape[0]} pixels")
    labels, unreached = sea.partition(flat, ground)
    say(f"sea: {len(board.seas)} zones, {unreached} pixels out of reach of a permitted zone")
    is_land = np.array([k == "land" for k in kind])
    labels = _heighten(labels, round(board.projection.top * scale), kind)
    labels = topology.untie(labels, is_land)
    arcs = topology.trace(labels)

    def limit(arc: Arc) -> float:
        if OUTSIDE in (arc.left, arc.right) or kind[arc.left] != kind[arc.right]:
            return 0.0
        one, other = names[arc.left], names[arc.right]
        if one.startswith("~") or other.startswith("~") or frozenset((one, other)) in board.pairs:
            return 0.0
        return settings.contract_false_border if kind[arc.left] == "sea" else settings.contract_false_border / 3

    arcs, places, shrunk = topology.contract(arcs, limit, is_land, scale)
    places = simplify.coast_positions(is_land[labels], settings.smooth_coast, scale) | places
    say(f"arcs: {len(arcs)}, {len(shrunk)} false borders shrunk to a point")
    smoothing = {"coast": settings.smooth_coast, "land": settings.smooth_land, "frame": 0.0}
    smoothing |= {"sea": settings.smooth_sea, "ice": settings.smooth_sea}
    tolerance = {"coast": settings.simplify_coast, "land": settings.simplify_land, "frame": 0.01}
    tolerance |= {"sea": settings.simplify_sea, "ice": settings.simplify_sea}
    retreated = simplify.draw(
        arcs, places, lambda arc: arc_class(kind, arc), smoothing, tolerance, settings.quantum, scale
    )
    if board.projection.swells:
        retreated += simplify.carry(
            arcs, board.projection.swollen, lambda arc: tolerance[arc_class(kind, arc)], settings.quantum
        )
    polygons = topology.faces(arcs)
    say(f"curves: {sum(len(a.points) for a in arcs)} points, {retreated} curves kept closer to the raster")
    verdict = judge(board, names, arcs)
    return Map(board, names, labels, arcs, polygons, verdict, [(names[a.left], names[a.right]) for a in shrunk])


def _heighten(labels: Labels, rows: int, kind: list[str]) -> Labels:
    """Room above the map, for what swells to flow into: water goes on, land ends at the ice."""
    if not rows:
        return labels
    is_land = np.array([k == "land" for k in kind])
    strip = np.where(is_land[labels[:1]], np.int16(kind.index("ice")), labels[:1])
    return np.vstack([np.repeat(strip, rows, axis=0), labels])


def judge(board: Board, names: list[str], arcs: list[Arc]) -> check.Verdict:
    """Compare what the arcs draw with what the board says."""
    name = {OUTSIDE: "", **dict(enumerate(names))}
    inside, across = check.border_lengths(((a.points, name[a.left], name[a.right]) for a in arcs), board.width)
    linked = {frozenset(link["pair"]) for link in board.links}
    return check.compare(inside, across, board.pairs, linked, set(board.spaces), board.parameters.threshold)


def report(result: Map) -> bool:
    """Print the verdict; true if the map is right."""
    verdict, board = result.verdict, result.board
    lengths = verdict.drawn
    only_across = [
        pair
        for pair, n in verdict.across.items()
        if pair in board.pairs and lengths.get(pair, 0) < board.parameters.threshold <= n
    ]
    right = len(board.pairs) - len(verdict.missing) - len(board.links)
    print(
        f"  {len(board.pairs)} pairs: {right} drawn ({len(only_across)} of them across the edge),"
        f" {len(board.links)} links, {len(verdict.missing)} missing, {len(verdict.false)} false"
    )
    text = " | ".join
    for pair, length in sorted(verdict.missing.items(), key=lambda t: sorted(t[0])):
        print(f"  MISSING {text(sorted(pair))} {length:.1f}")
    for pair, length in sorted(verdict.false.items(), key=lambda t: sorted(t[0])):
        print(f"  FALSE   {text(sorted(pair))} {length:.1f}")
    print("  weakest true: " + ", ".join(f"{n:.0f} {text(sorted(p))}" for n, p in verdict.weakest_true))
    print("  wrong contacts: " + ", ".join(f"{n:.1f} {text(sorted(p))}" for n, p in verdict.strongest_false))
    print("  shrunk: " + ", ".join(f"{a} | {b}" for a, b in result.shrunk))
    right_so_far = not verdict.missing and not verdict.false
    for number, name in enumerate(result.names):
        pieces = len(result.polygons.get(number, ()))
        if name in board.spaces and not pieces:
            print(f"  NOT DRAWN {name}")
            right_so_far = False
        elif name in board.seas and pieces > 1:
            print(f"  zone in {pieces} pieces: {name}")
    listed = {frozenset(pair) for pair in board.exceptions["wrap"]["pairs"]}
    if listed != set(only_across):
        right_so_far = False
        print(f"  exceptions.wrap should be {sorted(map(sorted, only_across))}")
    strays = {name for name in board.lands if not _holds(result, name)}
    if strays != {entry["space"] for entry in board.exceptions["moved_anchors"]}:
        right_so_far = False
        print(f"  exceptions.moved_anchors should be {sorted(strays)}")
    return right_so_far


def _holds(result: Map, name: str) -> bool:
    """Does a land's drawn shape hold the board's reference point?"""
    space = result.board.spaces[name]
    place = shapely.Point(result.board.projection.point((space.lat, space.lon)))
    rings = (polygon[0] for polygon in result.polygons.get(result.names.index(name), ()))
    return any(shapely.Polygon(outline(result.arcs, ring)).contains(place) for ring in rings)


def outline(arcs: list[Arc], ring: list[int]) -> list[tuple[float, float]]:
    """The points of a ring, the first one not repeated."""
    points: list[tuple[float, float]] = []
    for reference in ring:
        curve = arcs[reference].points if reference >= 0 else arcs[~reference].points[::-1]
        points += curve[:-1]
    return points
