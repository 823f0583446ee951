"""Small tools for label rasters: arrays in which every pixel holds the number of the space it belongs to.

The whole map is drawn on one raster first. On a raster nothing can overlap and no gap can open, so adjacency is settled
there; curves are only made from it at the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from scipy import ndimage

Labels = NDArray[np.int16]
Mask = NDArray[np.bool_]
WATER = -1


def draw(shape: tuple[int, int], scale: float, items: Iterable[tuple[int, shapely.Polygon]]) -> NDArray[np.int32]:
    """Paint polygons with their numbers on zeros, large ones first, so that enclaves survive."""
    image = Image.new("I", (shape[1], shape[0]), 0)
    pen = ImageDraw.Draw(image)
    for number, polygon in sorted(items, key=lambda item: -shapely.Polygon(item[1].exterior).area):
        pen.polygon([(x * scale - 0.5, y * scale - 0.5) for x, y in polygon.exterior.coords], fill=number)
        for hole in polygon.interiors:
            pen.polygon([(x * scale - 0.5, y * scale - 0.5) for x, y in hole.coords], fill=0)
    return np.array(image)


def polygons(geometry: shapely.Geometry) -> list[shapely.Polygon]:
    """The polygons inside any geometry."""
    return [part for part in shapely.get_parts(geometry) if part.geom_type == "Polygon" and not part.is_empty]


def mask_of(shape: tuple[int, int], scale: float, geometry: shapely.Geometry) -> Mask:
    return draw(shape, scale, [(1, part) for part in polygons(geometry)]) > 0


def nearest_fill(labels: Labels, holes: Mask, donors: Mask) -> None:
    """Give every pixel of `holes` the label of the nearest pixel of `donors`, in place."""
    if holes.any():
        rows, columns = ndimage.distance_transform_edt(~donors, return_distances=False, return_indices=True)
        labels[holes] = labels[rows[holes], columns[holes]]


def remove_crumbs(
    labels: Labels, inside: Mask, smallest: float, seeds: Mapping[int, Iterable[tuple[int, int]]] | None = None
) -> Labels:
    """Hand detached bits below `smallest` pixels to their neighbours.

    The largest bit of a label always stays, and so does one that holds a seed (row, column) of its own: somebody put it
    there on purpose.
    """
    result = labels.copy()
    crumbs = np.zeros(labels.shape, bool)
    boxes = ndimage.find_objects(np.where(inside, labels + 1, 0).astype(np.int32))
    for label, box in enumerate(boxes):
        if box is None:
            continue
        parts, count = ndimage.label((labels[box] == label) & inside[box])
        if count <= 1:
            continue
        sizes = np.bincount(parts.ravel())
        sizes[0] = 0
        keep = {int(sizes.argmax())}
        for row, column in (seeds or {}).get(label, ()):
            y, x = row - box[0].start, column - box[1].start
            if 0 <= y < parts.shape[0] and 0 <= x < parts.shape[1]:
                keep.add(int(parts[y, x]))
        small = [part for part in range(1, count + 1) if part not in keep and sizes[part] < smallest]
        if small:
            crumbs[box] |= np.isin(parts, small)
    nearest_fill(result, crumbs, inside & ~crumbs)
    return result


def resize_mask(mask: Mask, shape: tuple[int, int]) -> Any:
    """The mask on a coarser grid: a coarse pixel is set when at least half of it was."""
    image = Image.fromarray(mask.astype(np.uint8) * 255)
    return np.array(image.resize((shape[1], shape[0]), Image.Resampling.BOX)) >= 127


def resize_labels(labels: Labels, shape: tuple[int, int]) -> Labels:
    """Nearest-pixel copy of a label raster on another grid."""
    rows = np.minimum(((np.arange(shape[0]) + 0.5) * labels.shape[0] / shape[0]).astype(int), labels.shape[0] - 1)
    columns = np.minimum(((np.arange(shape[1]) + 0.5) * labels.shape[1] / shape[1]).astype(int), labels.shape[1] - 1)
    return labels[np.ix_(rows, columns)]
