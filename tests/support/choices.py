"""Hypothesis strategies for what is chosen before a game: options, edits, seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from sandtable.errors import DataError
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.model import Option, World
from sandtable.world.options import allowed, option_text, resolve

CLASSIC = compile_world("classic-1942")

OTHER_GAMES = ("pacific_theater", "world_domination")
"""Options that make another game of it, with other powers and sides: `test_advanced_games` plays those."""

seeds = st.integers(min_value=0, max_value=10_000_000)


@st.composite
def options(draw: st.DrawFn, world: World = CLASSIC) -> dict[str, Any]:
    """Any combination of values that fit together; what is left out keeps its default."""
    return draw(choices_of([option for option in world.option_list if option.key not in OTHER_GAMES]))


@st.composite
def choices_of(draw: st.DrawFn, options: Sequence[Option]) -> dict[str, Any]:
    chosen = {}
    for option in options:
        value = draw(st.sampled_from((None, *allowed(option))), label=option.key)
        if value is not None:
            chosen[option.key] = value
    return fitting(options, chosen)


def fitting(options: Sequence[Option], chosen: dict[str, Any]) -> dict[str, Any]:
    """The choices with what they require, and without those that contradict others."""
    for option in options:
        patch = option.effects.get(option_text(chosen.get(option.key)))
        if patch is not None:
            chosen.update({key: values[0] for key, values in patch.requires.items()})
    while True:
        try:
            resolve(options, chosen)
        except DataError:
            chosen = dict(list(chosen.items())[:-1])
        else:
            return chosen


def _unit_edits() -> st.SearchStrategy[dict[str, Any]]:
    fighting = [u for u in CLASSIC.units.values() if u.domain != "facility"]
    values = st.fixed_dictionaries(
        {},
        optional={
            "cost": st.integers(1, 20),
            "attack": st.integers(0, 6),
            "defense": st.integers(0, 6),
            "move": st.integers(0, 4),
        },
    )
    return st.dictionaries(st.sampled_from([u.id for u in fighting]), values, max_size=3)


@st.composite
def edits(draw: st.DrawFn) -> dict[str, Any]:
    """Other unit values for some or all, a few more pieces, and sometimes another end of the game."""
    found: dict[str, Any] = {}
    units = draw(st.dictionaries(st.sampled_from(("all", *CLASSIC.powers)), _unit_edits(), max_size=2))
    if units:
        found["units"] = units
    setup = []
    for power in draw(st.lists(st.sampled_from(list(CLASSIC.powers)), max_size=3)):
        home = CLASSIC.powers[power].capital
        unit = draw(st.sampled_from(("infantry", "armor", "fighter", "bomber")))
        setup.append({"power": power, "unit": unit, "count": draw(st.integers(1, 4)), "space": home})
        zones = list(CLASSIC.sea[str(home)])
        if zones:
            ship = draw(st.sampled_from(("transport", "submarine", "battleship")))
            setup.append({"power": power, "unit": ship, "count": 1, "space": zones[0]})
    if setup:
        found["setup"] = setup
    if draw(st.booleans()):
        found["victory"] = draw(
            st.sampled_from(
                (
                    {"none": True},
                    {"rounds": 2},
                    {"economy": {"axis": 70, "allies": 95}},
                    {"capitals": {"axis": [1, ["russia"]], "allies": [1, ["germany", "japan"]]}},
                )
            )
        )
    return found


@cache
def _world(key: tuple[tuple[str, Any], ...]) -> World:
    return compile_world("classic-1942", dict(key))


def world_with(chosen: Mapping[str, Any], edits: Mapping[str, Any] | None = None) -> World:
    if edits:
        return compile_world("classic-1942", chosen, parse_edits(edits))
    return _world(tuple(sorted(chosen.items())))
