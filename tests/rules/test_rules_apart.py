"""Each field of Rules says one thing: what editions combine can be combined otherwise."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.game import Game
from sandtable.errors import Refusal
from sandtable.world.compile import compile_world


def game(position: dict[str, Any], dice: tuple[int, ...] = (), scenario: str = "classic-1942", **rules: Any) -> Game:
    """A game on the edition's board with other rules."""
    world = compile_world(scenario)
    world = msgspec.structs.replace(world, rules=msgspec.structs.replace(world.rules, **rules))
    return Game(world, start=patched_state(world, position), dice=ScriptedDice(dice))


ROCKETS = {
    "clear": "all",
    "units": {
        "germany": {"germany": {"aa-gun": 1}},
        "western-europe": {"germany": {"aa-gun": 1}},
        "united-kingdom": {"uk": {"industrial-complex": 1}},
        "karelia-ssr": {"ussr": {"industrial-complex": 1}},
    },
    "technologies": {"germany": ["rockets"]},
    "turn": "germany",
    "phase": "combat",
}


@pytest.mark.parametrize(("limit", "again"), [("one", False), ("per-gun", True)])
@pytest.mark.parametrize("damage", ["money", "markers"])
def test_how_many_rockets_is_not_when_nor_what_they_do(limit: str, again: bool, damage: str) -> None:
    playing = game(ROCKETS, (4, 3), rocket_limit=limit, rocket_time="before-raids", rocket_damage=damage)
    before = playing.state.treasury["uk"]
    playing.play("rocket western-europe -> united-kingdom")
    if damage == "money":
        assert playing.state.treasury["uk"] == before - 4
        assert not playing.state.damage
    else:
        assert playing.state.treasury["uk"] == before
        assert playing.state.damage == {"united-kingdom": {"industrial-complex": 4}}
    if again:
        playing.play("rocket germany -> karelia-ssr")
    else:
        with pytest.raises(Refusal, match="Only one rocket"):
            playing.play("rocket germany -> karelia-ssr")


@pytest.mark.parametrize(("breakthroughs", "found"), [("each", 2), ("one", 1)])
@pytest.mark.parametrize("researchers", [True, False])
def test_who_stays_is_not_how_much_is_found(breakthroughs: Any, found: int, researchers: bool) -> None:
    playing = game(
        {"turn": "usa", "phase": "research", "treasury": {"usa": 30}},
        (6, 6, 2, 1, 2),
        researchers=researchers,
        breakthroughs=breakthroughs,
    )
    playing.play("research 3")
    assert len(playing.state.techs["usa"]) == found
    assert not playing.state.tokens, "after a success nobody stays"
    other = game({"turn": "usa", "phase": "research"}, (2,), researchers=researchers, breakthroughs=breakthroughs)
    other.play("research 1")
    assert other.state.tokens == ({"usa": 1} if researchers else {})


@pytest.mark.parametrize("must", [True, False])
@pytest.mark.parametrize("left", ["lost", "kept"])
def test_what_becomes_of_new_units_is_not_whether_they_must_be_placed(must: bool, left: Any) -> None:
    position = {"turn": "ussr", "phase": "purchase"}
    playing = game(position, must_place=must, unplaced_units=left)
    for order in ("buy 1 infantry", "end", "end", "end"):
        playing.play(order)
    assert playing.decision is not None
    assert playing.decision.kind == "mobilize"
    if must:
        with pytest.raises(Refusal, match="New units have to be placed first"):
            playing.play("end")
        return
    playing.play("end")
    assert playing.state.pool_of(playing.world, "ussr") == ({"infantry": 1} if left == "kept" else {})


@pytest.mark.parametrize("time", ["battle", "phase"])
@pytest.mark.parametrize("reach", ["island", "one-space"])
def test_where_stranded_planes_go_is_not_when(time: Any, reach: Any) -> None:
    """A submarine sinks a carrier and is sunk by its fighter, off a coast that is no island; battles follow."""
    position = {
        "clear": "all",
        "units": {
            "kwangtung-sea": {"japan": {"carrier": 1, "fighter": 1}, "usa": {"submarine": 1}},
            "okinawa-sea": {"japan": {"battleship": 1}, "usa": {"battleship": 1}},
            "wake-island-sea": {"japan": {"battleship": 1}, "usa": {"battleship": 1}},
        },
        "turn": "usa",
        "phase": "combat",
    }
    playing = game(position, (1, 1, 1, 1, 1, 1), stranded_reach=reach, stranded_time=time)
    playing.play("battle kwangtung-sea")

    def homes() -> list[str]:
        return [s for s, stack in playing.state.units.items() for p in stack if p.type == "fighter"]

    home = ["kwangtung"] if reach == "one-space" else []
    assert homes() == (home if time == "battle" else ["kwangtung-sea"])
    playing.play("battle okinawa-sea")
    assert homes() == home


@pytest.mark.parametrize("output", ["by-kind", "value"])
def test_what_complexes_receive_is_not_how_facilities_are_built(output: Any) -> None:
    position = {
        "turn": "italy",
        "phase": "purchase",
        "treasury": {"italy": 40},
        "clear": "all",
        "units": {
            "northern-italy": {"italy": {"minor-complex": 1}},
            "southern-italy": {"italy": {"naval-base": 1, "air-base": 1}},
            "sz-97": {"italy": {"battleship": 1}},
        },
        "damage": {"sz-97": {"battleship": 1}},
        "building": {"southern-italy": {"air-base": 1}},
    }
    playing = game(position, scenario="global-1940", complex_output=output, training=())
    playing.play("upgrade northern-italy")
    assert any(piece.type == "major-complex" for piece in playing.state.at("northern-italy"))
    playing.play("end")
    assert not playing.state.building, "work goes on"
    assert not any(piece.hits for piece in playing.state.at("sz-97")), "ships are mended"


@pytest.mark.parametrize("again", [False, True])
def test_one_rocket_a_gun_is_not_one_a_target(again: bool) -> None:
    playing = game(ROCKETS, (4, 3), rocket_limit="per-gun", rockets_share_targets=again)
    playing.play("rocket western-europe -> united-kingdom")
    if again:
        playing.play("rocket germany -> united-kingdom")
    else:
        with pytest.raises(Refusal, match="the target of one rocket"):
            playing.play("rocket germany -> united-kingdom")
