"""What powers are to each other, and what is closed to whoever moves, as the page is told."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.server.views.relations import Closed, closed_views, relation_views
from sandtable.world.compile import compile_world


def closed(options: dict[str, Any], power: str, **more: Any) -> dict[str, Closed]:
    world = compile_world("classic-1942", options)
    state = patched_state(world, {"turn": power, "phase": "combat-move", **more})
    return {each.space: each for each in closed_views(world, state, power)}


def test_nothing_is_closed_where_no_rule_closes_it() -> None:
    world = compile_world("classic-1942")
    state = patched_state(world, {"turn": "japan", "phase": "combat-move"})
    assert closed_views(world, state, "japan") == []
    assert relation_views(world, state) == []


def test_a_pact_closes_land_to_both_until_it_is_broken() -> None:
    pact = {"russo_japanese_pact": True}
    found = closed(pact, "japan")
    assert found["yakut-ssr"].kind == "closed"
    assert found["yakut-ssr"].text.startswith("Japanese units do not enter Soviet soil")
    assert found["yakut-ssr"].rules == ["MX05-01"]
    assert "china" not in found
    assert set(closed(pact, "ussr")) == {"china", "india", "sinkiang"}
    released = closed(pact, "japan", pact={"released": ["japan", "ussr"]})
    assert "yakut-ssr" not in released
    assert released["russia"].kind == "spared"


def test_land_of_allies_is_closed_until_it_is_opened() -> None:
    guarded = {"soviet_sovereignty": True}
    assert closed(guarded, "uk")["karelia-ssr"].rules[0] == "MX04-07"
    assert "karelia-ssr" not in closed(guarded, "uk", permitted=["karelia-ssr"])


@pytest.mark.parametrize(("pair", "stance"), [(("ussr", "usa"), "ally"), (("germany", "japan"), "enemy")])
def test_alliances_of_the_day_are_told(pair: tuple[str, str], stance: str) -> None:
    world = compile_world("world-domination")
    state = patched_state(world, {"turn": "ussr", "phase": "combat-move", "alliances": [["ussr", "usa"]]})
    found = {(each.one, each.other): each.stance for each in relation_views(world, state)}
    assert found[pair] == stance
