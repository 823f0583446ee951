"""Where a person's games are kept on this machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def data_folder(environment: Mapping[str, str] | None = None, platform: str | None = None) -> Path:
    """The user's folder for our files, as the platform wants it, or what SANDTABLE_DATA says. It need not exist yet."""
    environment = os.environ if environment is None else environment
    platform = sys.platform if platform is None else platform
    if environment.get("SANDTABLE_DATA"):
        return Path(environment["SANDTABLE_DATA"])
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
