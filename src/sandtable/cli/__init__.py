"""The command line. `main` is what the `sandtable` command runs."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """Run the command line; without its optional packages, say how to get them."""
    try:
        from sandtable.cli.app import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich", "prompt_toolkit"):
            raise
        print("The command line needs a few packages more: pip install 'sandtable[cli]'", file=sys.stderr)
        raise SystemExit(2) from None
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a pipe may have another encoding: odd characters become question marks
            stream.reconfigure(errors="replace")
    app()
