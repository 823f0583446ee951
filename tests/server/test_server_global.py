"""What the page is told of Global 1940: politics, convoys, research tracks, and what answers bring."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.legal import Legal
from sandtable.engine.state import Battle
from sandtable.notation import parse_order
from sandtable.odds.after import outlooks
from sandtable.server.routes.odds import in_position
from sandtable.server.views.battle import battle_view, bulwark_views
from sandtable.server.views.convoys import convoy_views
from sandtable.server.views.decision import peace_moves_view, purchase_view
from sandtable.server.views.politics import politics_view
from sandtable.server.views.progress import income_view
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
    assert [(stake.power, stake.name, stake.amount) for stake in japan.stakes] == [
        ("japan", "Trade with the United States", -10),
        ("uk", "Kwangtung and Malaya", 5),
        ("anzac", "Malaya and homeland", 5),
    ]
    assert not found["usa", "japan"].open
    assert "round 4" in found["usa", "japan"].missing
    assert found["germany", "ussr"].ends_peace == ["ussr"]


def test_convoys_at_risk() -> None:
    position = {"clear": ["sz-119"], "units": {"sz-119": {"germany": {"submarine": 2}}}}
    found = convoy_views(WORLD, patched_state(WORLD, position))
    convoy = next(each for each in found if (each.power, each.zone) == ("uk", "sz-119"))
    assert 0 < convoy.expected <= convoy.value


def test_damaged_facilities_and_what_they_bear() -> None:
    found = politics(damage={"united-kingdom": {"air-base": 2}}).facilities
    assert [(each.space, each.unit, each.damage) for each in found] == [("united-kingdom", "air-base", 2)]
    assert (found[0].fails_at, found[0].most, found[0].works) == (3, 6, True)


def test_pilots_are_those_that_are_trained() -> None:
    found = politics(pilots={"germany": 1})
    assert {each.power: each.pilots for each in found.research if each.power in ("germany", "china")} == {
        "germany": 1,
        "china": None,
    }
    assert found.pilot_levels == [-3, -2, -1, 0, 1, 2, 3]


def test_income_tells_what_objectives_bring() -> None:
    found = income_view(WORLD, patched_state(WORLD, {}), "germany")
    assert {gain.name: gain.amount for gain in found.gains} == {"Soviet trade": 5, "Scandinavian iron ore": 5}
    assert (found.production, found.certain) == (30, 40)


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


def test_a_fortification_stands_on_the_battle_board() -> None:
    position = {
        "clear": ["malta"],
        "units": {"malta": {"uk": {"infantry": 1, "fortification": 1}}},
        "damage": {"malta": {"fortification": 2}},
        "turn": "italy",
        "phase": "combat",
    }
    battle = Battle(space="malta", kind="land", attacker="italy")
    wall = bulwark_views(WORLD, patched_state(WORLD, position), battle)
    assert [(each.power, each.unit, each.value, each.damage, each.room) for each in wall] == [
        ("uk", "fortification", 2, 2, 4)
    ]


def test_a_fortification_that_takes_no_more_hits_says_so() -> None:
    state = patched_state(WORLD, {"damage": {"malta": {"fortification": 6}}})
    found = bulwark_views(WORLD, state, Battle(space="malta", kind="land", attacker="italy"))
    assert [(each.unit, each.damage, each.room) for each in found] == [("fortification", 6, 0)]


def test_a_line_that_the_moves_call_up_is_told() -> None:
    state = patched_state(WORLD, {"turn": "germany", "phase": "combat-move"})
    from_the_north = in_position(WORLD, state, "france", ["move 3 armor: holland-belgium -> france"])
    assert from_the_north.notes == []
    across_the_line = in_position(WORLD, state, "france", ["move 3 infantry: western-germany -> france"])
    assert across_the_line.notes == [
        "A French fortification joins the defence, because troops come from Western Germany."
    ]


def test_land_that_is_loyal_to_a_power() -> None:
    (pact,) = politics(control={"olgiy": "ussr"}).pacts
    assert (pact.power, pact.attacker, pact.broken) == ("ussr", "japan", False)
    assert "olgiy" not in pact.spaces
    assert "ulaanbaatar" in pact.spaces


def test_complexes_that_grow_by_themselves_in_war() -> None:
    def offered(**position: Any) -> dict[str, bool]:
        state = patched_state(WORLD, {"turn": "usa", "phase": "purchase", **position})
        return {each.space: each.comes for each in purchase_view(Legal(WORLD, state), "usa").upgrades}

    assert offered() == dict.fromkeys(("central-united-states", "eastern-united-states", "western-united-states"), True)
    assert not any(offered(at_war=[["japan", "usa"]]).values())


def test_how_many_units_a_power_at_peace_may_move() -> None:
    state = patched_state(WORLD, {"turn": "usa", "phase": "noncombat-move"})
    assert peace_moves_view(WORLD, state, "usa") is None
    state, _ = Legal(WORLD, replace(state, moves=4)).try_out(
        parse_order(WORLD, "move 2 fighter: hawaiian-islands -> midway"), ScriptedDice(())
    )
    left = peace_moves_view(WORLD, state, "usa")
    assert left is not None
    assert (left.allowed, left.moved) == (4, 2)


def test_planes_that_meet_on_the_chart_stand_by_their_air_factors() -> None:
    """What they hit on afterwards is no business of the chart."""
    position = {
        "clear": ["france"],
        "units": {"france": {"france": {"infantry": 1, "fighter": 2}, "germany": {"tactical-bomber": 3}}},
        "turn": "germany",
        "phase": "combat",
    }
    state = patched_state(WORLD, position)
    values = []
    for kind in ("air", "land"):
        view = battle_view(WORLD, replace(state, battle=Battle(space="france", kind=kind, attacker="germany")), [])
        assert view is not None
        assert (view.air is not None) == (kind == "air")
        values.append([column.value for column in view.attack.columns])
    assert values == [[1], [3]]
