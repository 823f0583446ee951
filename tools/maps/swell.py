"""A swelling of the finished plane: crowded parts get the area they need, the rest gives way evenly.

A lens takes its room from the ring around it, so a strong one crushes its neighbours. Here a density says how much
area every part shall have, and the plane flows until it is even (the flow-based cartogram of Gastner, Seguy and More).
Such a flow never folds, keeps the frame and the seam straight and spreads what is lost over the whole world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_CELL = 12.0  # of the grid on which the flow is worked out, in map units
_STEPS = 32
_SEAM = 900.0  # how far from the seam it is straightened


@dataclass(frozen=True)
class Spot:
    """A part that grows: its middle and half its size in map units before the flow, and how much denser it is."""

    x: float
    y: float
    amount: float
    sx: float
    sy: float
    edge: float = 4.0  # 2 is a bell, more has a flat top

    def density(self, x: Floats, y: Floats, width: float) -> Floats:
        across = np.abs(np.mod(x - self.x + width / 2, width) - width / 2)
        far = (across / self.sx) ** 2 + ((y - self.y) / self.sy) ** 2
        result: Floats = self.amount * np.exp(-(far ** (self.edge / 2)))
        return result


class Swell:
    """Moves points of a plane of the given size; the plane wraps sideways, its top and bottom edge stay."""

    def __init__(self, width: float, height: float, spots: Sequence[Spot], give: tuple[float, float]) -> None:
        self.width, self.height = width, height
        columns, rows = round(width / _CELL), round(height / _CELL)
        self._dx, self._dy = width / columns, height / rows
        x, y = np.meshgrid((np.arange(columns) + 0.5) * self._dx, (np.arange(rows) + 0.5) * self._dy)
        density = 1 + sum((spot.density(x, y, width) for spot in spots), np.zeros_like(x))
        self._density = density / density.mean()
        self._flux = self._solve(give)
        self._shift = self._flow()

    def _solve(self, give: tuple[float, float]) -> tuple[Floats, Floats]:
        """The flux that evens the density out: mirrored at top and bottom, so that nothing passes there."""
        rows, columns = self._density.shape
        source = np.fft.rfft2(np.vstack([self._density, self._density[::-1]]) - 1)
        kx = 2 * np.pi * np.fft.rfftfreq(columns, self._dx)[None, :]
        ky = 2 * np.pi * np.fft.fftfreq(2 * rows, self._dy)[:, None]
        power = give[0] * kx**2 + give[1] * ky**2
        power[0, 0] = 1
        potential = source / power
        shape = (2 * rows, columns)
        return (
            -give[0] * np.fft.irfft2(1j * kx * potential, s=shape)[:rows],
            -give[1] * np.fft.irfft2(1j * ky * potential, s=shape)[:rows],
        )

    def _flow(self) -> tuple[Floats, Floats]:
        """How far the nodes of the table move: one node for each corner of a cell, the last column being the first."""
        rows, columns = self._density.shape
        x0, y0 = np.meshgrid(np.arange(columns) * self._dx, np.arange(rows + 1) * self._dy)
        x, y = x0.copy(), y0.copy()
        # One more row above and below: everything is mirrored there, and what goes up in front comes down behind.
        density, across, down = (
            np.vstack([sign * field[:1], field, sign * field[-1:]])
            for field, sign in ((self._density, 1), (self._flux[0], 1), (self._flux[1], -1))
        )

        def speed(x: Floats, y: Floats, t: float) -> tuple[Floats, Floats]:
            u, v = x / self._dx - 0.5, np.clip(y / self._dy, 0, rows) + 0.5
            thick = (1 - t) * _between(density, u, v) + t
            return _between(across, u, v) / thick, _between(down, u, v) / thick

        for step in range(_STEPS):
            t, h = step / _STEPS, 1 / _STEPS
            ax, ay = speed(x, y, t)
            bx, by = speed(x + ax * h / 2, y + ay * h / 2, t + h / 2)
            x, y = x + bx * h, y + by * h
        away = np.minimum(x0, self.width - x0)
        near = (1 + np.cos(np.pi * np.clip(away / _SEAM, 0, 1))) / 2
        shift_x, shift_y = x - x0, y - y0
        shift_y[0] = shift_y[-1] = 0.0
        return shift_x - shift_x[:, :1] * near, shift_y

    def move(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Where points of the plane come to lie: the table read with cubic curves between its nodes."""
        table_x, table_y = self._shift
        rows, columns = table_x.shape
        u, v = x / self._dx, np.clip(y / self._dy, 0, rows - 1)
        left, top = np.floor(u).astype(int), np.minimum(np.floor(v).astype(int), rows - 2)
        across, down = _catmull_rom(u - left), _catmull_rom(v - top)
        dx, dy = np.zeros_like(u), np.zeros_like(u)
        for j, weight_y in enumerate(down):
            row = np.clip(top + j - 1, 0, rows - 1)
            for i, weight_x in enumerate(across):
                column = (left + i - 1) % columns
                dx = dx + weight_x * weight_y * table_x[row, column]
                dy = dy + weight_x * weight_y * table_y[row, column]
        return x + dx, y + dy


def _between(field: Floats, u: Floats, v: Floats) -> Floats:
    """A field between its columns and rows; columns go round the world."""
    rows, columns = field.shape
    left, top = np.floor(u).astype(int), np.minimum(np.floor(v).astype(int), rows - 2)
    a, b = u - left, v - top
    left, right = left % columns, (left + 1) % columns
    upper = field[top, left] * (1 - a) + field[top, right] * a
    lower = field[top + 1, left] * (1 - a) + field[top + 1, right] * a
    return np.asarray(upper * (1 - b) + lower * b)


def _catmull_rom(t: Floats) -> tuple[Any, Any, Any, Any]:
    """Weights of the four nodes around a place, `t` of the way between the middle ones."""
    return (
        t * (-0.5 + t * (1 - 0.5 * t)),
        1 + t * t * (-2.5 + 1.5 * t),
        t * (0.5 + t * (2 - 1.5 * t)),
        t * t * (-0.5 + 0.5 * t),
    )
