"""Writes the compiled map as a compact JSON asset (docs/reference/map-format.md)."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from tools.maps import geography
from tools.maps.board import Board
from tools.maps.compile import Map, arc_class, kinds, outline

FORMAT = 1


def _delta(points: list[tuple[float, float]], quantum: float) -> list[int]:
    """Whole numbers: the first point, then the steps from point to point."""
    result: list[int] = []
    x = y = 0
    for px, py in points:
        ix, iy = round(px / quantum), round(py / quantum)
        result += [ix - x, iy - y]
        x, y = ix, iy
    return result


def _rivers(board: Board, solid: shapely.Geometry) -> list[list[int]]:
    """The larger rivers, where they run over drawn land."""
    settings = board.parameters
    result = []
    for river in (line for line in geography.rivers() if line.length > 0.5):
        line = shapely.transform(
            shapely.segmentize(river, 0.5), lambda a: np.column_stack(board.projection.project(a[:, 0], a[:, 1]))
        )
        if line.length > board.width / 2:
            continue
        for part in shapely.get_parts(shapely.line_merge(line.intersection(solid))):
            if part.geom_type == "LineString" and part.length >= settings.river_minimum:
                thin = part.simplify(settings.river_simplify)
                result.append(_delta(list(thin.coords), settings.quantum))
    return sorted(result)


def asset(result: Map, placed: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """The asset as plain objects. `placed` has label, badge, emblem, slots, callout and anchor of each space."""
    board = result.board
    kind = kinds(board)
    classes: dict[str, list[int]] = {"coast": [], "land": [], "sea": [], "ice": [], "frame": []}
    for i, arc in enumerate(result.arcs):
        classes[arc_class(kind, arc)].append(i)
    spaces, scenery = {}, []
    for number, name in enumerate(result.names):
        rings = result.polygons.get(number)
        if rings is None:
            continue
        if name in board.spaces:
            spaces[name] = {"kind": kind[number], "rings": rings, **placed.get(name, {})}
        else:
            scenery.append({"kind": kind[number], "rings": rings})
    links = []
    for entry in (*board.links, *board.exceptions.get("editions", ())):
        a, b = entry["pair"]
        at = [[round(v, 1) for v in board.projection.point(p)] for p in entry["at"]]
        link = {"a": a, "b": b, "kind": entry["kind"], "name": entry["name"], "at": at, "reason": entry["reason"]}
        if "edition" in entry:
            link["edition"] = entry["edition"]
        links.append(link)
    wrap = board.exceptions.get("wrap", {"pairs": [], "reason": ""})
    links += [{"a": a, "b": b, "kind": "wrap", "reason": wrap["reason"]} for a, b in wrap["pairs"]]
    solid = shapely.union_all(
        [
            shapely.Polygon(outline(result.arcs, polygon[0]))
            for number, polygons in result.polygons.items()
            if kind[number] == "land"
            for polygon in polygons
        ]
    )
    return {
        "board": board.id,
        "format": FORMAT,
        "width": board.width,
        "height": board.height,
        "wraps": True,
        "scale": board.parameters.quantum,
        "threshold": board.parameters.threshold,
        "arcs": [_delta(arc.points, board.parameters.quantum) for arc in result.arcs],
        "spaces": spaces,
        "scenery": scenery,
        "coast": classes["coast"],
        "borders_land": classes["land"],
        "borders_sea": classes["sea"],
        "borders_ice": classes["ice"],
        "frame": classes["frame"],
        "rivers": _rivers(board, solid),
        "links": links,
    }


def write(data: dict[str, Any], path: Path) -> int:
    """Write the asset; returns its size in bytes when gzipped."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n", encoding="utf-8")
    return len(gzip.compress(text.encode(), mtime=0))
