"""Where the terminal game keeps things on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def data_folder(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Path:
    """The user's folder for our files, as the platform wants it. It need not exist yet."""
    home = Path(environment.get("HOME") or Path.home())
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return Path(local) / "sandtable" if local else home / "AppData" / "Local" / "sandtable"
    if platform == "darwin":
        return home / "Library" / "Application Support" / "sandtable"
    chosen = environment.get("XDG_DATA_HOME")
    if chosen and Path(chosen).is_absolute():  # a relative one is to be ignored, says its specification
        return Path(chosen) / "sandtable"
    return home / ".local" / "share" / "sandtable"


def autosaves() -> Path:
    return data_folder() / "autosaves"


def history() -> Path:
    """The file of the lines typed so far."""
    return data_folder() / "history"
