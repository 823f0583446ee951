"""Options: which values hold and what they change."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandtable.errors import DataError
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.library import open_edition
from sandtable.world.model import World

FIVE = (
    "submerging_submarines",
    "planes_retreat_from_assaults",
    "several_aa_guns",
    "ships_placed_among_enemies",
    "western_canada_off_atlantic",
)


@pytest.mark.rule("CL3-OPT-01")
def test_third_edition_is_the_default(classic: World) -> None:
    assert all(classic.options[key] is True for key in FIVE)
    assert classic.options["second_edition"] is False
    assert classic.units["submarine"].submerges == ("defense",)
    assert classic.units["aa-gun"].limit is None
    assert classic.rules.planes_retreat_from_assault
    assert classic.rules.new_ships_among_enemies
    assert classic.rules.joint_casualties == "owner"
    assert not classic.rules.casualties_by_column


@pytest.mark.rule("CL3-OPT-02")
def test_second_edition_removes_all_five(second_edition: World) -> None:
    assert all(second_edition.options[key] is False for key in FIVE)
    assert second_edition.units["submarine"].submerges == ()
    assert second_edition.units["aa-gun"].limit == 1
    assert not second_edition.rules.planes_retreat_from_assault
    assert not second_edition.rules.new_ships_among_enemies
    assert "western-canada" in second_edition.neighbours["eastern-canada-sea"]
    assert second_edition.rules.joint_casualties == "agreement"
    assert second_edition.rules.casualties_by_column


@pytest.mark.rule("CL3-OPT-03")
@pytest.mark.parametrize("key", FIVE)
def test_each_switches_by_itself(classic: World, second_edition: World, key: str) -> None:
    on = compile_world("classic-1942", {"second_edition": True, key: True})
    assert {k: v for k, v in on.options.items() if v != second_edition.options[k]} == {key: True}
    off = compile_world("classic-1942", {key: False})
    assert {k: v for k, v in off.options.items() if v != classic.options[k]} == {key: False}
    assert off != classic


def test_attacking_submarines() -> None:
    both = compile_world("classic-1942", {"attacking_submarines_submerge": True})
    assert both.units["submarine"].submerges == ("attack", "defense")
    none = compile_world("classic-1942", {"attacking_submarines_submerge": True, "submerging_submarines": False})
    assert none.units["submarine"].submerges == ()


def test_piece_limits(classic: World) -> None:
    assert classic.rules.pieces == {}
    assert compile_world("classic-1942", {"piece_limits": True}).rules.pieces == {"carrier": 2}


def test_every_option_is_explained() -> None:
    for scenario in ("classic-1942", "anniversary-1941", "global-1940"):
        for option in compile_world(scenario).option_list:
            assert option.name
            assert option.help.endswith(".")
            assert option.rules


def test_unknown_options_name_the_known_ones() -> None:
    with pytest.raises(DataError) as caught:
        compile_world("classic-1942", {"xyz": True, "joint_casualties": "nobody", "piece_limit": 1})
    first, second, third = caught.value.problems
    assert "xyz" in first
    assert "several_aa_guns" in first
    assert second == "options: joint_casualties: expected one of owner, agreement, got nobody"
    assert "did you mean 'piece_limits'?" in third


@pytest.mark.parametrize("value", [1, 0, "true", None, "yes"])
def test_switches_take_truth_values_only(value: object) -> None:
    with pytest.raises(DataError, match="second_edition: expected one of true, false"):
        compile_world("classic-1942", {"second_edition": value})


def test_unknown_scenario() -> None:
    with pytest.raises(DataError, match="did you mean 'classic-1942'"):
        compile_world("classic-1941x")


def test_patches_swap_phases_steps_and_borders(folder: Path) -> None:
    text = (folder / "options.yaml").read_text()
    text += """
  odd_rules:
    name: Odd rules
    help: For this test.
    default: 0
    choices: [0, 7]
    effects:
      7:
        phases: [{remove: research}, {put: politics, before: purchase}]
        steps: {land: [{put: tactical-air-battle, before: aa-fire}]}
        remove_borders: [[algeria, libya]]
        units: {"*": {cost_change: 2}, infantry: {attack: 2}}
        remove_victory: all
        add_victory: {rounds: {when: {from_round: 3}, winner: nobody, checked: round}}
"""
    (folder / "options.yaml").write_text(text)
    edition = open_edition(folder)
    plain = compile_edition(edition, "classic-1942")
    odd = compile_edition(edition, "classic-1942", {"odd_rules": 7})
    assert odd.phases == ("politics", "purchase", *plain.phases[2:])
    assert odd.battles["land"].steps[:3] == ("tactical-air-battle", "aa-fire", "support-shot")
    assert odd.battles["sea"] == plain.battles["sea"]
    assert "libya" not in odd.neighbours["algeria"]
    assert "algeria" not in odd.land["libya"]
    assert (odd.units["infantry"].cost, odd.units["infantry"].attack) == (5, 2)
    assert [victory.id for victory in odd.victory] == ["rounds"]


def test_citations_of_an_option_come_first(folder: Path) -> None:
    text = (folder / "options.yaml").read_text()
    (folder / "options.yaml").write_text(
        text
        + """
  other_money:
    name: Other money
    help: Cites another rule for the lack of it.
    default: false
    effects:
      "true": {citations: {not-enough-money: [CL-TEC-02, CL-SET-07], game-over: [CL-VIC-04]}}
"""
    )
    edition = open_edition(folder)
    plain = compile_edition(edition, "classic-1942")
    other = compile_edition(edition, "classic-1942", {"other_money": True})
    assert plain.cite("not-enough-money") == ("CL-PUR-02", "CL-SET-07")
    assert other.cite("not-enough-money") == ("CL-TEC-02", "CL-SET-07", "CL-PUR-02")
    assert other.cite("game-over") == ("CL-VIC-04", "CL-VIC-03", "PC-VIC-01")
    assert other.cite("no-such-ship") == plain.cite("no-such-ship")
    assert other.cite("nobody-says-this") == ()
