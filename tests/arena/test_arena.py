"""Tournaments: games are played, adjudicated, counted, saved and rated."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from sandtable.archive.game import Game
from sandtable.arena import GameResult, Job, Results, match, play, rating, run, verdict, wilson
from sandtable.arena.match import PowerReport
from sandtable.cli import arena as arena_command
from sandtable.cli.app import app
from sandtable.errors import SandtableError


def result(number: int, axis: str, allies: str, winner: str | None, ending: str = "victory") -> GameResult:
    return GameResult(
        number=number,
        seed="s",
        bots={"axis": axis, "allies": allies},
        winner=winner,
        ending=ending,  # type: ignore[arg-type]
        rounds=5,
        reason="",
        shares={"axis": 0.5, "allies": 0.5},
        powers={
            "ussr": PowerReport(
                production=24,
                units=100,
                treasury=0,
                captures=2,
                capital_lost=False,
                turns=5,
                median_turn=0.1,
                longest_turn=0.2,
            )
        },
    )


GAME = result(1, "4star", "3star", "axis")


def results(*games: GameResult) -> Results:
    return Results(scenario="classic-1942", players=("4star", "3star"), seed=1, rounds=8, games=games)


def test_scores_by_player_and_side() -> None:
    found = results(
        result(1, "4star", "3star", "axis"),
        result(2, "3star", "4star", "axis"),
        result(3, "4star", "3star", None, "adjudicated"),
        result(4, "3star", "4star", "allies"),
        result(5, "4star", "3star", None, "failed"),
    )
    four = found.score("4star")
    assert (four.games, four.wins, four.losses, four.draws) == (4, 2, 1, 1)
    assert four.rate == pytest.approx(0.625)
    assert found.score("4star", "axis").games == 2
    assert found.side_score("axis").wins == 2
    assert len(found.failures) == 1
    ratings = found.ratings()
    assert ratings["4star"].mu > ratings["3star"].mu
    table = found.table()
    assert "4star" in table
    assert "62.5%" in table
    assert "game 5 failed" in table
    assert json.loads(json.dumps(found.to_json()))["scores"]["4star"]["wins"] == 2


def test_without_openskill_there_is_a_table_and_a_word_before_the_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """The games used to be played, and then nothing was told of them."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == "openskill" else find(name))
    monkeypatch.setitem(sys.modules, "openskill", None)
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    said: list[str] = []

    def played(*_: object, **__: object) -> Results:
        said.append("played")
        return results(GAME)

    monkeypatch.setattr(arena_command, "run", played)
    monkeypatch.setattr(arena_command, "errors", lambda: _Screen(said))
    outcome = CliRunner().invoke(app, ["arena", "--games", "1", "--quiet"])
    assert outcome.exit_code == 0
    assert said == [rating.MISSING, "played"]
    assert "4star" in outcome.output
    assert "100.0%" in outcome.output
    assert rating.MISSING in outcome.output
    assert json.loads(json.dumps(results(GAME).to_json()))["ratings"] == {}


class _Screen(Console):
    """Keeps what is told on the error stream."""

    def __init__(self, said: list[str]) -> None:
        super().__init__(stderr=True)
        self.said = said

    def print(self, *objects: object, **more: object) -> None:
        self.said += [str(o) for o in objects]


def test_wilson_interval() -> None:
    low, high = wilson(140, 200)
    assert low == pytest.approx(0.633, abs=0.002)
    assert high == pytest.approx(0.759, abs=0.002)
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_short_tournament(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    found = run(
        "classic-1942",
        "3star",
        "random",
        2,
        7,
        swap=True,
        rounds=1,
        save_to=tmp_path,
        progress=lambda g, i, n: told.append((i, n)),
    )
    assert told == [(1, 2), (2, 2)]
    assert not found.failures, found.table()
    assert [dict(g.bots) for g in found.games] == [
        {"axis": "3star", "allies": "random"},
        {"axis": "random", "allies": "3star"},
    ]
    assert found.games[0].seed == found.games[1].seed
    assert {g.ending for g in found.games} == {"adjudicated"}
    for game in found.games:
        assert Game.load(game.file).state.round == 2
        assert set(game.powers) == {"ussr", "germany", "uk", "japan", "usa"}


def test_five_sides_move_on_by_one() -> None:
    """World Domination: each side has its bot, with the same dice for all who change places."""
    seats = dict(zip(("ussr", "germany", "uk", "japan", "usa"), ("3star", *["random"] * 4), strict=True))
    results = run("world-domination", sides=seats, games=2, swap=True, rounds=1, seed=3)
    assert [game.failed for game in results.games] == [False, False]
    assert [game.seed for game in results.games] == ["3/0", "3/0"]
    assert [next(s for s, bot in g.bots.items() if bot == "3star") for g in results.games] == ["ussr", "usa"]
    assert results.score("3star").games == 2
    assert results.score("random").games == 8
    with pytest.raises(SandtableError, match="say for each of them which bot plays it"):
        run("world-domination", games=1)


def test_the_same_seed_gives_the_same_games() -> None:
    job = Job(number=1, scenario="classic-1942", bots={"axis": "3star", "allies": "3star"}, seed="k", rounds=1)
    first, second = play(job), play(job)
    assert (first.winner, first.shares, first.reason) == (second.winner, second.shares, second.reason)


def test_processes_play_the_same_games() -> None:
    here = run("classic-1942", "random", "random", 2, 3, workers=1, rounds=1)
    there = run("classic-1942", "random", "random", 2, 3, workers=2, rounds=1)
    assert [g.shares for g in here.games] == [g.shares for g in there.games]


def test_a_side_far_ahead_has_won() -> None:
    found = run("classic-1942", "random", "random", 1, 3, rounds=3, decided_at=0.5)
    assert found.games[0].ending == "decided"
    assert found.games[0].winner == "allies"


def test_adjudication_measures_growth(classic_world: object) -> None:
    game = Game.new("classic-1942", seed=1)
    assert verdict.ahead(game.world, game.start, game.start) is None
    shares = [verdict.share(game.world, game.start, side) for side in game.world.sides]
    assert sum(shares) == pytest.approx(1.0)
    owners = {**game.start.owners, "russia": "germany", "karelia-ssr": "germany"}
    import msgspec

    later = msgspec.structs.replace(game.start, owners=owners)
    assert verdict.ahead(game.world, game.start, later) == "axis"


def test_a_bot_that_breaks_a_rule_loses_no_other_game(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "broken"

        def decide(self, *_: object) -> object:
            raise RuntimeError("no idea")

    monkeypatch.setattr(match, "make", lambda name, seed=0: Broken())
    job = Job(number=1, scenario="classic-1942", bots={"axis": "3star", "allies": "3star"}, seed="k", rounds=1)
    failed = play(job)
    assert failed.failed
    assert "no idea" in failed.reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"axis": "7star"}, "7star"),
        ({"games": 0}, "at least one game"),
        ({"rounds": 0}, "at least one round"),
        ({"workers": 0}, "At least one worker"),
        ({"backend": "cloud"}, "process and ray"),
    ],
)
def test_wrong_arguments_are_told(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(SandtableError, match=words):
        run(**arguments)  # type: ignore[arg-type]


@pytest.mark.skipif(importlib.util.find_spec("ray") is not None, reason="Ray is installed")
def test_ray_is_asked_for_only_when_wanted() -> None:
    with pytest.raises(SandtableError, match=r"sandtable\[ray\]"):
        run("classic-1942", "random", "random", 1, rounds=1, backend="ray")


def test_the_command_tells_results_as_a_table_and_as_json(tmp_path: Path) -> None:
    runner = CliRunner()
    words = [
        "arena",
        "classic-1942",
        "--axis",
        "random",
        "--allies",
        "random",
        "--games",
        "2",
        "--rounds",
        "1",
        "--swap",
    ]
    shown = runner.invoke(app, [*words, "--save", str(tmp_path)])
    assert shown.exit_code == 0, shown.output
    assert "all axis" in shown.output
    assert len(list(tmp_path.glob("*.sandtable"))) == 2
    told = runner.invoke(app, [*words, "--json", "--quiet"])
    data = json.loads(told.stdout)
    assert data["sides"]["axis"]["games"] == 2
    assert set(data["powers"]) == {"ussr", "germany", "uk", "japan", "usa"}


def test_the_command_names_the_bots_there_are() -> None:
    found = CliRunner().invoke(app, ["arena", "--axis", "6star", "--games", "1"])
    assert found.exit_code == 2
    assert "5star-bold" in found.output
