"""Quick pictures of a compiled asset, for the author's eyes only (needs pillow)."""

from __future__ import annotations

import colorsys
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw, ImageFont


def _curves(asset: dict[str, Any]) -> list[list[tuple[float, float]]]:
    curves = []
    for arc in asset["arcs"]:
        x, y = 0, 0
        points = []
        for dx, dy in zip(arc[::2], arc[1::2], strict=True):
            x, y = x + dx, y + dy
            points.append((x * asset["scale"], y * asset["scale"]))
        curves.append(points)
    return curves


def picture(asset: dict[str, Any], path: Path, zoom: float = 1.0, box: tuple[float, ...] | None = None) -> None:
    """Draw the map (or the part in `box`: x0, y0, x1, y1) with names, badges and slots."""
    x0, y0, x1, y1 = box or (0, 0, asset["width"], asset["height"])
    factor = 2 * zoom
    image = Image.new("RGB", (round((x1 - x0) * factor), round((y1 - y0) * factor)), "#ffffff")
    pen = ImageDraw.Draw(image)
    curves = _curves(asset)

    def place(point: tuple[float, float]) -> tuple[float, float]:
        return (point[0] - x0) * factor, (point[1] - y0) * factor

    def ring(references: list[int]) -> list[tuple[float, float]]:
        points: list[tuple[float, float]] = []
        for reference in references:
            curve = curves[reference] if reference >= 0 else curves[~reference][::-1]
            points += [place(p) for p in curve[1:]]
        return points

    def tint(number: int, kind: str) -> tuple[int, ...]:
        hue = number * 0.618 % 1
        colour = (
            colorsys.hls_to_rgb(0.08 + 0.2 * hue, 0.68 + 0.12 * (number % 3) / 2, 0.35)
            if kind == "land"
            else colorsys.hls_to_rgb(0.52 + 0.08 * hue, 0.74 + 0.1 * (number % 3) / 2, 0.35)
        )
        return tuple(round(255 * c) for c in colour)

    flat = {"ice": "#eef4f6", "lake": "#a9cad6", "land": "#e6e2d8", "impassable": "#d8d2c4"}
    # holes are covered by what lies in them, so large spaces come first
    jobs = []
    for number, (name, space) in enumerate(asset["spaces"].items()):
        for polygon in space["rings"]:
            jobs.append((ring(polygon[0]), tint(number, space["kind"]), name))
    for scenery in asset["scenery"]:
        for polygon in scenery["rings"]:
            jobs.append((ring(polygon[0]), flat[scenery["kind"]], ""))

    def extent(points: list[tuple[float, float]]) -> float:
        return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1], strict=True)))

    for points, colour, _ in sorted(jobs, key=lambda job: -extent(job[0])):
        pen.polygon(points, fill=colour)
    for key, colour, width in (("borders_sea", "#f8f6ee", 2), ("borders_land", "#6a5a48", 1), ("coast", "#33261a", 2)):
        for index in asset[key]:
            pen.line([place(p) for p in curves[index]], fill=colour, width=max(1, round(width * zoom)))
    for river in asset.get("rivers", ()):
        x, y, points = 0, 0, []
        for dx, dy in zip(river[::2], river[1::2], strict=True):
            x, y = x + dx, y + dy
            points.append(place((x * asset["scale"], y * asset["scale"])))
        pen.line(points, fill="#7fa6b5", width=1)

    def disc(x: float, y: float, radius: float, **style: Any) -> None:
        px, py = place((x, y))
        pen.ellipse([px - radius * factor, py - radius * factor, px + radius * factor, py + radius * factor], **style)

    for space in asset["spaces"].values():
        if callout := space.get("callout"):
            px, py = place((callout["x"], callout["y"]))
            w, h = callout["w"] * factor, callout["h"] * factor
            pen.line([place((space["anchor"]["x"], space["anchor"]["y"])), (px + w / 2, py + h / 2)], fill="#993333")
            pen.rectangle([px, py, px + w, py + h], fill="#fffbe9", outline="#993333")
        for slot in space.get("slots", ()):
            disc(slot["x"], slot["y"], slot["r"], outline="#b03030")
        if badge := space.get("badge"):
            disc(badge["x"], badge["y"], badge.get("r", 4), fill="#704020")
        if emblem := space.get("emblem"):
            disc(emblem["x"], emblem["y"], emblem.get("r", 5), fill="#c09020")
        if label := space.get("label"):
            size = max(6, round(label["size"] * factor))
            try:
                font: Any = ImageFont.load_default(size)
            except TypeError:  # pragma: no cover
                font = ImageFont.load_default()
            for i, text in enumerate(label["lines"]):
                offset = (i - (len(label["lines"]) - 1) / 2) * label["size"] * 1.15
                pen.text(place((label["x"], label["y"] + offset)), text, fill="#201810", font=font, anchor="mm")
    for link in asset.get("links", ()):
        for x, y in link.get("at", ()):
            disc(x, y, 3, fill="#d02020")
    image.save(path)
