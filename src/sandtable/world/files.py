"""Reading data files: plain YAML, never code, and no key twice."""

from __future__ import annotations

from collections.abc import Hashable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml

FORMAT = 1

Folder = Path | Traversable

# libyaml is many times faster, but not part of every build of PyYAML.
_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_BOOL = "tag:yaml.org,2002:bool"


class _Loader(_Base):  # type: ignore[misc]
    """The safe loader without two of its traps.

    The second of two equal keys does not win in silence, and `on`, `off`, `yes` and `no` are words.
    """

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _BOOL or first in "tTfF"]
        for first, resolvers in _Base.yaml_implicit_resolvers.items()
    }

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        found: dict[Hashable, Any] = super().construct_mapping(node, deep=deep)
        if len(found) != len(node.value):
            seen = set()
            for key_node, _ in node.value:
                key = self.construct_object(key_node, deep=True)
                if key in seen:
                    raise yaml.MarkedYAMLError(problem=f"`{key}` stands there twice", problem_mark=key_node.start_mark)
                seen.add(key)
        return found


def read_yaml(text: str) -> Any:
    """The content of a YAML text. Raises `yaml.YAMLError`."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 (a safe loader)


def yaml_problem(error: yaml.YAMLError) -> str:
    """One line for people: where in the file, and what."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}: {what}" if mark is not None else f"{what}"
