"""Orders, and how they are read and written as text."""

from sandtable.notation.canonical import canonical
from sandtable.notation.parse import parse_order
from sandtable.notation.write import format_order, format_units

__all__ = ["canonical", "format_order", "format_units", "parse_order"]
