"""From units on paper, or from a position, to odds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sandtable.engine.battle.casualties import pick_order
