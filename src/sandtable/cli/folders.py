"""Where the terminal game keeps things on this machine."""

from __future__ import annotations

from pathlib import Path

from sandtable.folders import data_folder


def autosaves() -> Path:
    return data_folder() / "autosaves"


def history() -> Path:
    """The file of the lines typed so far."""
    return data_folder() / "history"
