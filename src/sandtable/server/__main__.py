"""`python -m sandtable.server` runs the server."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sandtable.errors import SandtableError
from sandtable.server import NEEDED


def main() -> None:
    """Run the server; without its optional packages, say how to get them."""
    try:
        from sandtable.server.run import PORT, serve
        from sandtable.server.settings import Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in NEEDED:
            raise
        print("The server needs a few packages more: pip install 'sandtable[server]'", file=sys.stderr)
        raise SystemExit(2) from None
    parser = argparse.ArgumentParser(prog="sandtable.server", description="Serve the browser game.")
    parser.add_argument("--host", default="127.0.0.1", help="listen here; this machine only by default")
    parser.add_argument("--port", type=int, default=PORT, help="0: any free one (default: %(default)s)")
    parser.add_argument("--data-dir", type=Path, help="where games are kept")
    parser.add_argument("--page", type=Path, metavar="FOLDER", help="serve the page that was built there")
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")
    chosen = parser.parse_args()
    try:
        serve(
            chosen.host,
            chosen.port,
            open_browser=not chosen.no_browser,
            data_dir=chosen.data_dir,
            settings=Settings(static_dir=chosen.page),
        )
    except SandtableError as error:
        print(f"sandtable.server: {error}", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
