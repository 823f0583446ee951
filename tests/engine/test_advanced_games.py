"""The advanced rules 15 to 20 in whole games: random play under their options, both scenarios, seats, saves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from sandtable.archive.game import SavedGame
from sandtable.archive.log import log
from sandtable.engine.events import AllianceBroken, AllianceMade, Rolled
from sandtable.engine.game import Game, drawn_seats, preset_seats
from sandtable.errors import DataError, SandtableError
from sandtable.notation import format_order
from sandtable.odds.raid import raid_odds
from sandtable.play.random_bot import RandomBot
from sandtable.world.compile import compile_world
from support import choices
from support.laws import check_state, check_step
from support.play import play_on

WEAPONS = ("second_edition", "expanded_weapons", "focused_weapons", "high_tech_production", "alternate_victory")
SCENARIOS = ("classic-1942", "pacific-theater", "world-domination")


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_random_games(scenario: str) -> None:
    """Every law holds after every order, and the same orders give the same game."""

    @settings(max_examples=6)
    @given(st.sets(st.sampled_from(WEAPONS)), choices.seeds)
    def check(chosen: set[str], seed: int) -> None:
        options = dict.fromkeys(sorted(chosen), True)
        game = Game.new(scenario, options=options, seed=seed)
        check_state(game.world, game.state)
        check_step(game.world, game.start, game.opening.events, game.opening.state, game.opening.faces)
        try:
            play_on(game, random.Random(seed), 200)
        except BaseException:
            note("\n".join(format_order(entry.order) for entry in game.entries))
            raise
        again = Game.new(scenario, options=options, seed=seed)
        for entry in game.entries:
            assert again.play(format_order(entry.order)) == entry.events
        assert again.state.digest() == game.state.digest()

    check()


@pytest.mark.parametrize(("scenario", "players"), [(SCENARIOS[0], 2), (SCENARIOS[1], 2), (SCENARIOS[2], 5)])
def test_saves(scenario: str, players: int, tmp_path: Path) -> None:
    options = dict.fromkeys(("expanded_weapons", "high_tech_production", "alternate_victory"), True)
    game = SavedGame.new(scenario, options=options, seed=11, seats=players)
    play_on(game, random.Random(3), 250)
    game.save(tmp_path / "game.sandtable")
    again = SavedGame.load(tmp_path / "game.sandtable")
    assert again.world.scenario == scenario
    assert again.state.digest() == game.state.digest()
    assert again.seats == game.seats
    assert [line.sentences for line in log(again)] == [line.sentences for line in log(game)]


# ---------------------------------------------------------------- scenarios are options underneath


@pytest.mark.parametrize(
    ("scenario", "option"), [("pacific-theater", "pacific_theater"), ("world-domination", "world_domination")]
)
def test_a_scenario_switches_its_option_on(scenario: str, option: str) -> None:
    world, plain = compile_world(scenario), compile_world("classic-1942", {option: True})
    assert world.options == plain.options
    assert world.options[option] is True
    assert (world.powers, world.victory, world.setup, world.order) == (
        plain.powers,
        plain.victory,
        plain.setup,
        plain.order,
    )
    assert world.scenario_name != plain.scenario_name


@pytest.mark.rule("MX20-01", "MX19-01", "MX00-04")
def test_the_two_exclude_each_other() -> None:
    with pytest.raises(DataError, match=r"^options: .* exclude each other \(MX19-01\)$"):
        compile_world("classic-1942", {"pacific_theater": True, "world_domination": True})
    with pytest.raises(DataError, match="brings alternate_action_sequence=true"):
        compile_world("classic-1942", {"pacific_theater": True, "alternate_action_sequence": False})


@pytest.mark.rule("MX00-04", "MX03-07", "MX13-12")
@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("raid_escorts", "options: raid_escorts=true needs raid_interceptors=true (MX13-12)"),
        ("lend_lease_mandatory", "options: lend_lease_mandatory=true needs lend_lease=true (MX03-07)"),
    ],
)
def test_what_an_option_needs_is_one_sentence_with_its_rule(option: str, sentence: str) -> None:
    with pytest.raises(DataError) as refused:
        compile_world("classic-1942", {option: True})
    assert str(refused.value) == sentence


# ---------------------------------------------------------------- seats


@pytest.mark.rule("MX20-01")
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_world_domination_is_for_five(players: int) -> None:
    with pytest.raises(SandtableError, match=r"for 5 players, not \d \(MX20-01\)"):
        Game.new("world-domination", seats=players)


@pytest.mark.rule("MX20-01")
def test_nobody_plays_two_countries_in_world_domination() -> None:
    seats = {"Ann": ("ussr", "uk"), "Ben": ("germany",), "Cem": ("japan",), "Dee": ("usa",)}
    with pytest.raises(SandtableError, match="MX20-01"):
        Game.new("world-domination", seats=seats)


@pytest.mark.rule("MX20-02")
def test_countries_are_drawn() -> None:
    """Each player can get each country, by the seed alone; nobody chooses."""
    seats = {name: (power,) for name, power in zip("ABCDE", ("ussr", "germany", "uk", "japan", "usa"), strict=True)}
    drawn = [Game.new("world-domination", seats=seats, seed=seed).seats for seed in range(40)]
    for dealt in drawn:
        assert sorted(dealt) == list("ABCDE")
        assert sorted(p for powers in dealt.values() for p in powers) == ["germany", "japan", "uk", "usa", "ussr"]
    assert {dealt["A"] for dealt in drawn} == {("ussr",), ("germany",), ("uk",), ("japan",), ("usa",)}
    assert drawn[7] == Game.new("world-domination", seats=seats, seed=7).seats
    assert Game.new("world-domination", seed=7).world.order == ("ussr", "germany", "uk", "japan", "usa")


def test_a_seat_that_is_called_like_a_power_goes_by_what_it_draws() -> None:
    world = compile_world("world-domination")
    names = {power.name: (power.id,) for power in world.powers.values()}
    for name, (power,) in drawn_seats(world, names, 5).items():
        assert world.powers[power].name == name


@pytest.mark.rule("MX19-01")
def test_the_pacific_theater_is_for_two() -> None:
    world = compile_world("pacific-theater")
    assert preset_seats(world, 2) == {"Player 1": ("japan",), "Player 2": ("uk", "usa")}
    with pytest.raises(SandtableError, match=r"for 2 players, not 3 \(MX19-01\)"):
        Game.new("pacific-theater", seats=3)
    with pytest.raises(SandtableError, match=r"Japan and United Kingdom with United States \(MX19-01\)"):
        Game.new("pacific-theater", seats={"A": ("japan", "uk"), "B": ("usa",)})
    with pytest.raises(SandtableError, match="no power called 'germany'"):
        Game.new("pacific-theater", seats={"A": ("japan",), "B": ("uk", "usa"), "C": ("germany",)})


# ---------------------------------------------------------------- what players read, and what bots do


def test_alliances_are_told_and_remembered() -> None:
    game = Game.new("world-domination", seed=1)
    game.play("ally with germany")
    question = game.decision
    assert question is not None
    assert (question.power, question.kind) == ("germany", "permit")
    assert game.legal.default() in game.legal
    assert AllianceMade("ussr", "germany") in game.play("permit")
    assert game.play("break with germany") == (AllianceBroken("ussr", "germany"),)
    told = [sentence for line in log(game) for sentence in line.sentences]
    assert "The U.S.S.R. and Germany are allied." in told
    assert "The U.S.S.R. breaks with Germany." in told


@pytest.mark.rule("MX19-12", "MX19-28")
def test_dice_of_the_pacific_theater_come_in_their_order() -> None:
    game = Game.new("pacific-theater", seed=2)
    opening = [event for event in game.opening.events if isinstance(event, Rolled)]
    assert [(roll.reason, roll.power, len(roll.faces)) for roll in opening] == [("income", "uk", 2)]
    assert game.state.treasury["uk"] == sum(opening[0].faces)


@pytest.mark.parametrize("scenario", ["pacific-theater", "world-domination"])
def test_the_simplest_bot_plays_on_and_on(scenario: str) -> None:
    game = Game.new(scenario, seed=4)
    players = {power: RandomBot(4, power) for power in game.world.powers}
    for _ in range(300):
        question = game.decision
        if question is None:
            break
        game.play(players[question.power].decide(game.view(game.seat_of(question.power)), game.legal, question))
    assert game.state.round > 1


@pytest.mark.rule("MX15-14", "MX15-15")
def test_odds_of_raids_count_the_extra_point() -> None:
    """Two dice, each with one more: 4 to 14, 9 on average."""
    world = compile_world("classic-1942", {"expanded_weapons": True})
    found = raid_odds(world, {"bomber": 1}, techs=["heavy-bombers"], aa_guns=0)
    assert not found.runs
    assert [damage for damage, chance in enumerate(found.damage) if chance] == list(range(4, 15))
    assert sum(damage * chance for damage, chance in enumerate(found.damage)) == pytest.approx(9)
