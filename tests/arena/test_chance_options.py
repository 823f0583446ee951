"""Tournaments whose options are set by chance: valid sets, the same for the same seed, and told with the results."""

from __future__ import annotations

import json
import random

import pytest
from typer.testing import CliRunner

from sandtable.arena import chance_options, run
from sandtable.arena.results import failure
from sandtable.cli.app import app
from sandtable.errors import SandtableError
from sandtable.world.compile import compile_world


def test_any_draw_is_a_valid_set() -> None:
    among = chance_options.drawn_from("classic-1942", "advanced", {})
    drawn = [chance_options.draw("classic-1942", among, {}, random.Random(seed)) for seed in range(60)]
    for chosen in drawn:
        assert compile_world("classic-1942", chosen).sides
    assert set().union(*drawn) == {option.key for option in among}
    assert all(chosen.get("raid_interceptors") for chosen in drawn if chosen.get("raid_escorts"))
    assert drawn[3] == chance_options.draw("classic-1942", among, {}, random.Random(3))


def test_nobody_else_is_seated_and_choices_stand() -> None:
    keys = {o.key for o in chance_options.drawn_from("classic-1942", "advanced", {"artillery": False})}
    assert not keys & {"pacific_theater", "world_domination", "artillery"}
    among = chance_options.drawn_from("classic-1942", "all", {"second_edition": True})
    drawn = [chance_options.draw("classic-1942", among, {"second_edition": True}, random.Random(n)) for n in range(9)]
    assert all(chosen["second_edition"] is True for chosen in drawn)
    with pytest.raises(SandtableError, match=r"no options of the group 'advance'; there are .*advanced"):
        chance_options.drawn_from("classic-1942", "advance", {})


def test_games_with_the_same_dice_have_the_same_options() -> None:
    found = run("classic-1942", "random", "random", 4, "x", swap=True, rounds=1, random_options="advanced")
    first, second, third, _ = (dict(game.options) for game in found.games)
    assert first == second != third
    assert not found.failures
    again = run("classic-1942", "random", "random", 1, "x", swap=True, rounds=1, random_options="advanced")
    assert dict(again.games[0].options) == first


def test_the_command_tells_the_options() -> None:
    words = ["arena", "--axis", "random", "--allies", "random", "--games", "1", "--rounds", "1", "--json", "--quiet"]
    shown = CliRunner().invoke(app, [*words, "--random-options", "advanced", "--seed", "3"])
    game = json.loads(shown.stdout)["games"][0]
    among = chance_options.drawn_from("classic-1942", "advanced", {})
    assert game["options"] == chance_options.draw("classic-1942", among, {}, random.Random("3/0/options"))


def test_a_failure_is_told_with_its_options() -> None:
    found = run("classic-1942", "random", "random", 1, rounds=1, options={"artillery": True})
    assert failure(found.games[0]).endswith("(with artillery=true)")
