"""The page is built when a source is newer, and its lock file fits every system."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools import page

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A source tree with a page that was built after its sources."""
    for name in (
        "web/package.json",
        "web/src/App.svelte",
        "web/src/api/schema.d.ts",
        "web/src/generated/palettes.json",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    for name in ("index.html", "package-lock.json", "vite.config.ts"):
        (tmp_path / "web" / name).write_text("x")
    maps = tmp_path / "src/sandtable/maps"
    (maps / "icons").mkdir(parents=True)
    (maps / "icons/armor.svg").write_text("x")
    (maps / "palette.py").write_text("x")
    for file in tmp_path.rglob("*"):
        os.utime(file, (1000, 1000))
    page.built(tmp_path).parent.mkdir(parents=True)
    page.built(tmp_path).write_text("x")
    os.utime(page.built(tmp_path), (2000, 2000))
    return tmp_path


def test_a_page_newer_than_its_sources_stays(copy: Path) -> None:
    assert not page.is_stale(copy)


@pytest.mark.parametrize("name", ["web/src/App.svelte", "web/package-lock.json", "src/sandtable/maps/icons/armor.svg"])
def test_a_newer_source_makes_it_stale(copy: Path, name: str) -> None:
    os.utime(copy / name, (3000, 3000))
    assert page.is_stale(copy)


@pytest.mark.parametrize("name", ["web/src/api/schema.d.ts", "web/src/generated/palettes.json"])
def test_what_a_build_generates_does_not(copy: Path, name: str) -> None:
    os.utime(copy / name, (3000, 3000))
    assert not page.is_stale(copy)


def test_a_missing_page_is_stale(copy: Path) -> None:
    page.built(copy).unlink()
    assert page.is_stale(copy)


def test_a_failed_build_says_why(copy: Path) -> None:
    (copy / "web/package.json").write_text('{"name": "x", "version": "0.0.0", "scripts": {"build": "exit 3"}}')
    lock = (
        '{"name": "x", "version": "0.0.0", "lockfileVersion": 3, "packages": {"": {"name": "x", "version": "0.0.0"}}}'
    )
    (copy / "web/package-lock.json").write_text(lock)
    with pytest.raises(page.CannotBuild, match="`npm run build` failed"):
        page.build(copy)


def test_the_lock_file_lists_every_optional_package() -> None:
    """npm leaves out binaries of other systems where it cannot find them; `npm ci` then fails everywhere."""
    packages = json.loads((ROOT / "web/package-lock.json").read_text("utf-8"))["packages"]
    missing = [
        name
        for about in packages.values()
        for name in about.get("optionalDependencies", {})
        if f"node_modules/{name}" not in packages
    ]
    assert not missing


def test_the_colours_are_read_where_nothing_but_msgspec_is_installed() -> None:
    """The page is built in an environment of its own, before the package's dependencies are there."""
    blocked = "import sys\nfor name in ('numpy', 'fastapi', 'sqlalchemy', 'typer'): sys.modules[name] = None\n"
    read = "from sandtable.maps.palette import PALETTES\nassert PALETTES"
    subprocess.run([sys.executable, "-c", blocked + read], check=True, timeout=60)
