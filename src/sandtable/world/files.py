"""Reading data files: plain YAML, never code, and no key twice."""

from __future__ import annotations

import re
from collections.abc import Hashable
from importlib.resources.abc import Traversable
from itertools import accumulate
from pathlib import Path
from typing import Any

import yaml

FORMAT = 1
DEEPEST = 50  # levels of lists and mappings in a file
_NO_BRACKET = re.compile(r"[^][{}]+")
_DEEP_LINE = re.compile(rf"^ {{{DEEPEST}}}|(?:[-?:] +){{{DEEPEST}}}", re.MULTILINE)

_ALIAS = re.compile(r"(?:^|[-\[{,:?\s])\*\S")

Folder = Path | Traversable

# libyaml is many times faster, but not part of every build of PyYAML.
FastLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_BOOL = "tag:yaml.org,2002:bool"


class _Loader(FastLoader):  # type: ignore[misc]
    """The safe loader without two of its traps.

    The second of two equal keys does not win in silence, and `on`, `off`, `yes` and `no` are words.
    """

    yaml_implicit_resolvers = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag != _BOOL or first in "tTfF"]
        for first, resolvers in FastLoader.yaml_implicit_resolvers.items()
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
    if _may_be_deep(text) or ("*" in text and _ALIAS.search(text) is not None):
        _refuse_traps(text)
    return yaml.load(text, Loader=_Loader)  # noqa: S506 (a safe loader)


def _may_be_deep(text: str) -> bool:
    """A quick look whether the text could be nested more deeply than any data file is."""
    brackets = _NO_BRACKET.sub("", text)
    flow = accumulate(1 if sign in "[{" else -1 for sign in brackets)
    return max(flow, default=0) > DEEPEST or _DEEP_LINE.search(text) is not None


def _refuse_traps(text: str) -> None:
    """libyaml's loader takes no care of its stack: deep enough nesting would end the process. And a file in which names
    stand for parts of it can be read quickly, but what it then says may have no end."""
    depth = 0
    for event in yaml.parse(text, Loader=FastLoader):
        if isinstance(event, yaml.AliasEvent):
            where: Any = event.start_mark
            raise yaml.MarkedYAMLError(problem="write it out: names for parts are not read", problem_mark=where)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > DEEPEST:
                mark: Any = event.start_mark  # libyaml's own kind, which has lines and columns too
                raise yaml.MarkedYAMLError(problem="this is nested too deeply", problem_mark=mark)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def yaml_problem(error: yaml.YAMLError) -> str:
    """One line for people: where in the file, and what."""
    mark = getattr(error, "problem_mark", None)
    what = getattr(error, "problem", None) or str(error)
    return f"line {mark.line + 1}: {what}" if mark is not None else f"{what}"
