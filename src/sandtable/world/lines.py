"""On which line of a data file something stands, for whoever has to mend it."""

from __future__ import annotations

import re
from collections.abc import Mapping

import yaml

from sandtable.world.files import FastLoader

_PARTS = re.compile(r"[^.[\]]+")


def located(problems: list[str], texts: Mapping[str, str]) -> list[str]:
    """Problems as `file: field: what is wrong`, each with the line of the field: `file: line 3: field: ...`."""
    roots: dict[str, yaml.Node | None] = {}
    found = []
    for problem in problems:
        file, _, rest = problem.partition(": ")
        field, _, _ = rest.partition(": ")
        if file in texts and " " not in field:
            if file not in roots:
                roots[file] = yaml.compose(texts[file], Loader=FastLoader)
            found.append(f"{file}: line {_line(roots[file], field)}: {rest}")
        else:
            found.append(problem)
    return found


def _line(node: yaml.Node | None, field: str) -> int:
    """The line of the field, or of the nearest thing around it that there is."""
    line = 1
    for part in _PARTS.findall(field):
        if isinstance(node, yaml.SequenceNode) and part.isdigit() and int(part) < len(node.value):
            node = node.value[int(part)]
            line = node.start_mark.line + 1
        elif isinstance(node, yaml.MappingNode) and (pair := _entry(node, part)) is not None:
            line, node = pair[0].start_mark.line + 1, pair[1]
        else:
            break
    return line


def _entry(node: yaml.MappingNode, name: str) -> tuple[yaml.Node, yaml.Node] | None:
    return next((pair for pair in node.value if pair[0].value == name), None)
