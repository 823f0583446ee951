"""The map projection: a mild cylindrical base, magnified by lenses where the boards are crowded.

A plain cylindrical projection that gives Europe room stretches everything on Europe's meridians and parallels. A lens
(a Gaussian magnifier) keeps the effect local, so Africa and Siberia stay recognisable. The map is cut along a bent
meridian in the Pacific, so that no land lies on both edges. A board may swell at the end: see `swell`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tools.maps.swell import Spot, Swell

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Lens:
    """A magnifier: offsets from its centre grow by `1 + k` in the middle and by nothing far away."""

    lon: float
    lat: float
    kx: float
    ky: float
    sx: float
    sy: float


class Projection:
    """Maps longitude and latitude to map units (x to the right, y downwards, origin top left)."""

    def __init__(self, spec: dict[str, Any]) -> None:
        self._spec = spec
        self.width = float(spec["width"])
        self.base_x, self.bumps_x = float(spec["F0"]), [tuple(b) for b in spec["F"]]
        self.base_y, self.bumps_y = float(spec["G0"]), [tuple(b) for b in spec["G"]]
        cut = spec["cut"]
        self.cut_reference = float(cut["ref"])
        self.cut_lon, self.cut_lat = tuple(cut["lon"]), tuple(cut["lat"])
        self.cut_reach, self.cut_gap = float(cut["reach"]), float(cut["gap"])
        self.lenses = [Lens(**lens) for lens in spec["lenses"]]
        start = self._stretch_x(np.float64(self.cut_reference))
        self._origin_x = start
        self._scale = self.width / (self._stretch_x(np.float64(self.cut_reference + 360)) - start)
        self._origin_y = self._stretch_y(np.float64(spec["lat_top"]))
        self.height = float(round((self._origin_y - self._stretch_y(np.float64(spec["lat_bottom"]))) * self._scale))
        self.top, self._taller = 0.0, 1.0
        self._swell: Swell | None = None
        if swell := spec.get("swell"):
            self.top = float(swell["top"])
            self._taller = swell["height"] / (self.height + self.top)
            self.height = float(swell["height"])
            spots = []
            for lat, lon, amount, sx, sy, edge in swell["spots"]:
                x, y = self.point((lat, lon))
                spots.append(Spot(x, y * self._taller, amount, sx, sy * self._taller, edge))
            self._swell = Swell(self.width, self.height, spots, tuple(swell["give"]))

    @property
    def swells(self) -> bool:
        return self._swell is not None

    @property
    def flat(self) -> Projection:
        """The same projection before it swells."""
        return Projection({key: value for key, value in self._spec.items() if key != "swell"})

    def _stretch_x(self, lon: Floats | np.float64) -> Any:
        result = self.base_x * lon
        for amount, centre, reach in self.bumps_x:
            for lap in (-360, 0, 360):
                result = result + amount * reach * np.tanh((lon - centre + lap) / reach)
        return result

    def _stretch_y(self, lat: Floats | np.float64) -> Any:
        result = self.base_y * lat
        for amount, centre, reach in self.bumps_y:
            result = result + amount * reach * np.tanh((lat - centre) / reach)
        return result

    def _cut_progress(self, lat: Floats) -> Floats:
        t = np.clip((lat - self.cut_lat[0]) / (self.cut_lat[1] - self.cut_lat[0]), 0, 1)
        return t * t * (3 - 2 * t)

    def unwrap(self, lon: Floats, lat: Floats) -> Floats:
        """Longitudes counted eastwards from the cut, so that neighbours on the map are neighbours in number."""
        cut = self.cut_lon[0] + (self.cut_lon[1] - self.cut_lon[0]) * self._cut_progress(lat)
        return cut + np.mod(lon - cut, 360.0)

    def project(self, lon: Any, lat: Any, unwrapped: bool = False) -> tuple[Floats, Floats]:
        """Project arrays (or numbers). `unwrapped` longitudes are taken as they are."""
        lat = np.asarray(lat, float)
        lon = np.asarray(lon, float) if unwrapped else self.unwrap(np.asarray(lon, float), lat)
        t = self._cut_progress(lat)
        cut = self.cut_lon[0] + (self.cut_lon[1] - self.cut_lon[0]) * t
        # Straighten the bent cut: shift what lies near it, fading out with distance; open a gap at the Bering Strait.
        near_left = (1 + np.cos(np.pi * np.clip((lon - cut) / self.cut_reach, 0, 1))) / 2
        near_right = (1 + np.cos(np.pi * np.clip((cut + 360 - lon) / self.cut_reach, 0, 1))) / 2
        shift = self.cut_reference - cut
        lon = lon + (shift + self.cut_gap * t) * near_left + (shift - self.cut_gap * t) * near_right
        x = (self._stretch_x(lon) - self._origin_x) * self._scale
        y = (self._origin_y - self._stretch_y(lat)) * self._scale
        for lens in self.lenses:
            centre_x = (self._stretch_x(np.float64(lens.lon)) - self._origin_x) * self._scale
            centre_y = (self._origin_y - self._stretch_y(np.float64(lens.lat))) * self._scale
            dx, dy = x - centre_x, y - centre_y
            weight = np.exp(-((dx / lens.sx) ** 2 + (dy / lens.sy) ** 2) / 2)
            x, y = x + lens.kx * dx * weight, y + lens.ky * dy * weight
        return self.swollen(x, y + self.top)

    def swollen(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Where a place of the flat plane, with the strip on top, comes to lie."""
        return (x, y) if self._swell is None else self._swell.move(x, y * self._taller)

    def point(self, lat_lon: Any) -> tuple[float, float]:
        """Project one authored point, written [lat, lon]."""
        x, y = self.project(lat_lon[1], lat_lon[0])
        return float(x), float(y)

    def polygon(self, polygon: shapely.Polygon, step: float = 0.5) -> shapely.Geometry:
        """Project a polygon given in degrees, splitting long segments first so that straight borders bend."""
        rings = [np.array(ring.coords) for ring in (polygon.exterior, *polygon.interiors)]
        for ring in rings:
            ring[:, 0] = np.unwrap(ring[:, 0], period=360)
        outer = rings[0]
        lap = np.round(np.median((self.unwrap(outer[:, 0], outer[:, 1]) - outer[:, 0]) / 360))
        outer[:, 0] += 360 * lap
        for ring in rings[1:]:
            ring[:, 0] += 360 * np.round((outer[:, 0].mean() - ring[:, 0].mean()) / 360)
        degrees = shapely.segmentize(shapely.Polygon(outer, rings[1:]), step)
        projected = shapely.transform(degrees, lambda a: np.column_stack(self.project(a[:, 0], a[:, 1], True)))
        return projected if projected.is_valid else shapely.make_valid(projected)
