"""Ids and the like: ASCII slugs (`anglo-egypt-sudan`, `aa-gun`); names are for people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Domain = Literal["land", "air", "sea", "facility"]
SideId = str
PowerId = str
SpaceId = str
UnitId = str
TechId = str
MarkId = str  # a mark on a unit: a technology by whose id it is marked, or a mark of its own
RuleId = str
Value = bool | int | str  # of an option
Pieces = Mapping[PowerId, Mapping[SpaceId, Mapping[UnitId, int]]]
