"""What the page is told of Global 1940: politics, convoys, research tracks, and what answers bring."""

from __future__ import annotations

from typing import Any

from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.legal import Legal
from sandtable.notation import parse_order
from sandtable.odds.after import outlooks
from sandtable.server.views.decision import purchase_view
from sandtable.server.views.politics import politics_view
from sandtable.world.compile import compile_world

WORLD = compile_world("global-1940")


def politics(**position: Any) -> Any:
    return politics_view(WORLD, patched_state(WORLD, position))


def test_what_a_declaration_would_set_off() -> None:
    found = {(each.by, each.on): each for each in politics().declarations}
    japan = found["japan", "uk"]
    assert japan.open
    assert {(war.one, war.other) for war in japan.wars} == {("japan", "uk"), ("anzac", "japan")}
    assert {each.one for each in japan.opens} == {"usa"}
    assert not found["usa", "japan"].open
    assert "round 4" in found["usa", "japan"].missing
    assert found["germany", "ussr"].ends_peace == ["ussr"]


def test_convoys_at_risk_and_damaged_facilities() -> None:
    found = politics(
        clear=["sz-119"],
        units={"sz-119": {"germany": {"submarine": 2}}},
        damage={"united-kingdom": {"air-base": 2}},
    )
    convoy = next(each for each in found.convoys if (each.power, each.zone) == ("uk", "sz-119"))
    assert 0 < convoy.expected <= convoy.value
    assert [(each.space, each.unit, each.damage) for each in found.facilities] == [("united-kingdom", "air-base", 2)]


def test_every_facility_is_repaired_and_every_project_listed() -> None:
    state = patched_state(WORLD, {"turn": "uk", "phase": "purchase", "damage": {"united-kingdom": {"air-base": 2}}})
    offer = purchase_view(Legal(WORLD, state), "uk")
    assert [(each.words, each.damage) for each in offer.repairs] == [("united-kingdom air-base", 2)]
    assert offer.projects is not None
    assert {each.place for each in offer.projects.projects} == {0}
    jets = next(price for price in offer.prices if price.unit == "jet-fighter")
    assert (jets.affordable, bool(jets.why_not)) == (0, True)


def test_answers_are_played_out_with_the_same_dice() -> None:
    position = {
        "clear": ["sz-110", "sz-112"],
        "units": {"sz-112": {"germany": {"cruiser": 1}}, "sz-110": {"uk": {"destroyer": 1}}},
        "turn": "germany",
        "phase": "combat-move",
    }
    state = patched_state(WORLD, position)
    for text in ("move 1 cruiser: sz-112 -> sz-110", "end"):
        state, _ = Legal(WORLD, state).try_out(parse_order(WORLD, text), ScriptedDice(()))
    answers = [parse_order(WORLD, text) for text in ("stay", "scramble 3 fighter: united-kingdom -> sz-110")]
    stay, scramble = outlooks(WORLD, state, "uk", answers, runs=6, seconds=None)
    assert stay.runs == scramble.runs == 6
    assert scramble.killed > stay.killed
    assert outlooks(WORLD, state, "uk", answers, runs=6, seconds=None) == [stay, scramble]
