"""Facts of a unit are read through the profile of the piece, not from the bare type: technologies, edits and marks
change them. Whoever reads `world.units[…]` in the engine needs a reason that stands here."""

from __future__ import annotations

import ast
from pathlib import Path

import sandtable.engine
from sandtable.world.changes import FIXED_FOR_UNITS, SHARED

ENGINE = Path(sandtable.engine.__file__).parent
OF_THE_TYPE = {"id", "name", "plural", "domain", "complex", "hides_from"}
"""What nothing can change for single units."""

REASONS = {
    "battle/steps/drop_bombs.py": {"kind": "damage is kept by type, whoever owns the facility"},
    "damage.py": {"traits": "what a facility can take is the same for everybody"},
    "facts.py": {"kind": "words for players"},
    "movement/move.py": {"all_such": "words for players"},
    "movement/pieces.py": {"unit": "words for players"},
    "offer.py": {"all_such": "words for players"},
    "phases/mobilize.py": {"_needs_better": "words for players"},
    "phases/purchase.py": {"all_such": "words for players"},
}
"""File -> the field that is read, or the name or function that the whole type is given to -> why."""


def bare_reads(path: Path) -> set[str]:
    """Fields read from a type by its id; a type that is put aside counts by the name that it gets."""
    tree = ast.parse(path.read_text("utf-8"))
    above = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    found = set()
    for node in ast.walk(tree):
        if not (
            isinstance(node, ast.Subscript) and isinstance(node.value, ast.Attribute) and node.value.attr == "units"
        ):
            continue
        owner = node.value.value
        if (owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")) != "world":
            continue
        parent = above[node]
        if isinstance(parent, ast.Attribute):
            found.add(parent.attr)
        elif isinstance(parent, ast.Call):
            found.add(ast.unparse(parent.func))
        else:
            assert isinstance(parent, ast.Assign), f"{path}: line {node.lineno}"
            found.add(ast.unparse(parent.targets[0]))
    return found - OF_THE_TYPE


def test_nobody_reads_a_bare_type_without_a_reason() -> None:
    found = {
        path.relative_to(ENGINE).as_posix(): fields
        for path in sorted(ENGINE.rglob("*.py"))
        if (fields := bare_reads(path))
    }
    assert found == {file: set(fields) for file, fields in REASONS.items()}


def test_what_may_be_read_from_a_type_cannot_change() -> None:
    assert {*FIXED_FOR_UNITS, *SHARED} >= OF_THE_TYPE
