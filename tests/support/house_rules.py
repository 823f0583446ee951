"""Worlds with rules that no edition has: a built-in edition with some of its records changed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.world import changes
from sandtable.world.compile import compile_edition
from sandtable.world.edition import Edition
from sandtable.world.load import edition_of, load_builtin
from sandtable.world.model import BattleKind, Mark, Technology, UnitType, World

Fields = Mapping[str, Any]


def house_world(
    scenario: str = "classic-1942",
    *,
    units: Mapping[str, Fields] | None = None,
    new_units: Mapping[str, Fields] | None = None,
    technologies: Mapping[str, Fields] | None = None,
    marks: Mapping[str, Fields] | None = None,
    battles: Mapping[str, Fields] | None = None,
    new_battles: Mapping[str, BattleKind] | None = None,
    rules: Fields | None = None,
) -> World:
    """The scenario with changed units, technologies, kinds of battle and rules, and with new units and marks."""
    edition = load_builtin(edition_of(scenario))

    def changed(records: Mapping[str, Any], by: Mapping[str, Fields] | None) -> dict[str, Any]:
        return {**records, **{name: changes.apply(records[name], fields) for name, fields in (by or {}).items()}}

    kinds: dict[str, UnitType] = changed(edition.units, units)
    for name, fields in (new_units or {}).items():
        kinds[name] = msgspec.convert({"id": name, "name": name, "plural": f"{name}s", **fields}, UnitType)
    known: dict[str, Technology] = changed(edition.technologies, technologies)
    made: Edition = msgspec.structs.replace(
        edition,
        units=kinds,
        technologies=known,
        marks={name: msgspec.convert({"id": name, "name": name, **f}, Mark) for name, f in (marks or {}).items()},
        battles={**changed(edition.battles, battles), **(new_battles or {})},
        rules=changes.apply(edition.rules, rules or {}),
    )
    return compile_edition(made, scenario)


def house_game(world: World, position: Mapping[str, Any], dice: list[int], seats: Any = None) -> Game:
    return Game(world, dice=ScriptedDice(dice), start=patched_state(world, {"clear": "all", **position}), seats=seats)
