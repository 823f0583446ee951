"""The course of battles step by step, and what a click needs, with the answer to an order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from server_help import get, order, orders, problem
from starlette.testclient import TestClient

from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.decision import Decision
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.questions import KINDS
from sandtable.server.views.course import BattleFrame, battle_reports, course, steps_of
from sandtable.server.views.forms import forms
from sandtable.server.views.legal import aloft, ending
from sandtable.world.compile import compile_world

NewGame = Callable[..., str]

SUDAN: dict[str, Any] = {
    "clear": ["libya", "anglo-egypt-sudan"],
    "units": {
        "libya": {"germany": {"infantry": 2, "armor": 2, "fighter": 1}},
        "anglo-egypt-sudan": {"uk": {"infantry": 2, "armor": 1, "aa-gun": 1}},
    },
    "turn": "germany",
    "phase": "combat-move",
}
MOVE = "move 2 infantry, 2 armor, 1 fighter: libya -> anglo-egypt-sudan"


def played(dice: Sequence[int], *texts: str) -> tuple[Game, list[list[BattleFrame]]]:
    """The frames that each order brings."""
    world = compile_world("classic-1942")
    game = Game(world, start=patched_state(world, SUDAN), dice=ScriptedDice(tuple(dice)))
    found = []
    for text in texts:
        before = game.state
        game.play(text)
        found.append(course(world, before, game.entries[-1].events))
    return game, found


def told(frames: Sequence[BattleFrame]) -> list[tuple[str, str | None, list[str]]]:
    return [(f.kind, f.role, [f"{u.count} {u.unit}" for u in f.units]) for f in frames]


def test_guns_volleys_and_victims_come_one_after_the_other() -> None:
    _, (moved, ended, lost) = played((1, 1, 4, 2, 4, 2, 6, 5), MOVE, "end", "casualties 2 infantry")
    assert moved == []
    assert told(ended) == [
        ("opened", None, []),
        ("volley", "defense", []),
        ("hit", "attack", ["1 fighter"]),
        ("volley", "attack", []),
    ]
    guns, victims, volley = ended[1:]
    assert [roll.faces for roll in guns.rolls] == [[1]]
    assert (victims.still_firing, [u.unit for c in victims.battle.attack.columns for u in c.units]) == (
        False, ["infantry", "armor", "fighter"],
    )  # fmt: skip
    assert [roll.faces for roll in volley.rolls] == [[1, 4], [2, 4]]  # column by column
    assert [roll.latest for roll in volley.battle.rolls] == [False, True, True]  # the guns' die stays on the board
    assert told(lost) == [("hit", "defense", ["2 infantry"]), ("volley", "defense", [])]
    assert lost[0].still_firing is True


def test_it_is_told_which_columns_need_not_roll() -> None:
    """The infantry hit both defenders who can be hit: there is nobody left for the armor."""
    world = compile_world("classic-1942")
    start = patched_state(world, {**SUDAN, "units": {**SUDAN["units"], "anglo-egypt-sudan": {"uk": {"infantry": 2}}}})
    game = Game(world, start=start, dice=ScriptedDice((1, 1, 6, 6)))
    game.play("move 2 infantry, 2 armor: libya -> anglo-egypt-sudan")
    before = game.state
    game.play("end")
    events = game.entries[-1].events
    for steps in (course(world, before, events), steps_of(world, events)):
        volleys = [(step.role, [roll.needed for roll in step.rolls], step.unneeded) for step in steps if step.rolls]
        assert volleys == [("attack", [1], [3]), ("defense", [2], [])]


def test_a_step_in_which_nobody_fires_spares_no_dice() -> None:
    """Nobody bombards the shore: the guns before it had somebody to hit."""
    world = compile_world("classic-1942")
    units = {
        "north-sea": {"uk": {"transport": 1}},
        "united-kingdom": {"uk": {"infantry": 2, "fighter": 2}},
        "karelia-ssr": {"germany": {"infantry": 3, "aa-gun": 1}},
    }
    clear = ["north-sea", "karelia-sea", "united-kingdom", "karelia-ssr"]
    start = patched_state(world, {"clear": clear, "units": units, "turn": "uk", "phase": "combat-move"})
    game = Game(world, start=start, dice=ScriptedDice((4, 2, 6, 6, 6, 6, 6, 6, 6)))
    game.play("move 2 infantry: united-kingdom -> north-sea -> karelia-sea -> karelia-ssr")
    game.play("move 2 fighter: united-kingdom -> north-sea -> finland-norway -> karelia-ssr")
    before = game.state
    game.play("end")
    events = game.entries[-1].events
    for steps in (course(world, before, events), steps_of(world, events)):
        volleys = [(step.role, [roll.needed for roll in step.rolls], step.unneeded) for step in steps if step.rolls]
        assert volleys[:2] == [("defense", [1], []), ("attack", [1, 3], [])]


def test_the_end_is_told_with_its_report_and_the_story_with_every_round(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end", "move 3 infantry, 1 armor: karelia-ssr -> finland-norway")
    change = order(client, game, "end")
    assert [frame["kind"] for frame in change["course"]][:2] == ["opened", "volley"]
    for _ in range(40):
        if change["battles"]:
            break
        question = change["state"]["decision"]
        change = order(client, game, question["suggestion"])
    last = change["course"][-1]
    assert (last["kind"], last["report"]) == ("ended", 0)
    steps = change["battles"][0]["steps"]
    assert steps[0]["kind"] == "opened"
    assert steps[-1]["kind"] == "ended"
    assert [r["faces"] for step in steps for r in step["rolls"]] == [r["faces"] for r in change["battles"][0]["rolls"]]
    assert {step["round"] for step in steps} == set(range(1, change["battles"][0]["rounds"] + 1))


def test_losses_are_told_once() -> None:
    game, _ = played((1, 1, 4, 2, 4, 2, 6, 5), MOVE, "end", "casualties 2 infantry")
    game.play("casualties 1 infantry")
    events = [event for entry in game.entries for event in entry.events]
    hit = [f"{u.count} {u.unit}" for step in steps_of(game.world, events) if step.units for u in step.units]
    assert hit == ["1 fighter", "2 infantry", "1 infantry"]


def test_the_answer_to_an_order_tells_what_the_next_click_needs(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    move = "move 1 infantry: karelia-ssr -> finland-norway"
    asks = {"space": "karelia-ssr", "units": ["infantry", "armor"]}
    change = client.post(f"/api/games/{game}/orders", json={"order": move, "asks": asks}).json()
    turn = change["turn"]
    assert turn["version"] == change["number"]
    assert turn["reach"]["units"] == ["infantry", "armor"]
    assert "finland-norway" in {each["space"] for each in turn["reach"]["destinations"]}
    assert [each["order"] for each in turn["moves"]] == [move]
    assert turn["ending"]["dice"] is True
    assert turn == get(client, game, "legal/turn", space="karelia-ssr", units=["infantry", "armor"])
    assert "turn" not in order(client, game, "move 2 infantry: karelia-ssr -> finland-norway")
    left = get(client, game, "legal/turn", space="karelia-ssr", units=["infantry"])
    assert "reach" not in left  # all of them have gone
    problem(
        client.get(f"/api/games/{game}/legal/turn", params={"space": "nowhere", "units": "infantry"}), 422, "notation"
    )


def test_planes_aloft_come_with_the_orders_that_land_them(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end", "move 1 fighter, 3 infantry: karelia-ssr -> finland-norway")
    change = order(client, game, "end")
    while change["state"]["phase"] == "combat":
        change = order(client, game, change["state"]["decision"]["suggestion"])
    aloft = get(client, game, "legal/turn")["aloft"]
    if aloft:  # it lives
        assert (aloft[0]["space"], aloft[0]["unit"], aloft[0]["count"]) == ("finland-norway", "fighter", 1)
        nearest = aloft[0]["ways"][0]
        assert get(client, game, "legal/turn")["ending"]["message"].startswith("Planes that can still land")
        order(client, game, nearest["order"])
        assert get(client, game, "legal/turn")["aloft"] == []


def test_planes_are_first_offered_to_land_beside_troops() -> None:
    position = {
        "clear": "all",
        "units": {"ukraine-ssr": {"ussr": {"fighter": 1}}, "russia": {"ussr": {"infantry": 1}}},
        "control": {"ukraine-ssr": "germany"},
        "turn": "ussr",
        "phase": "noncombat-move",
    }
    world = compile_world("classic-1942")
    (plane,) = aloft(world, patched_state(world, position))
    assert plane.ways[0].space == "russia"  # Caucasus and Karelia are nearer, and empty
    assert {"caucasus", "karelia-ssr"} <= {way.space for way in plane.ways}


def test_what_would_be_lost_by_ending_a_phase_is_said(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "buy 2 infantry", "end", "end", "end")
    turn = get(client, game, "legal/turn")
    assert turn["ending"]["message"].startswith("New units have to be placed first")
    assert (turn["places"]["unit"], turn["places"]["power"]) == ("infantry", "ussr")
    order(client, game, "place 2 infantry: russia")
    turn = get(client, game, "legal/turn")
    assert (turn["ending"].get("message"), turn["ending"]["waiting"]) == (None, [])
    assert turn["placements"] == [{"at": 5, "space": "russia", "units": [{"unit": "infantry", "count": 2}]}]


def test_undo_goes_back_over_a_phase_but_not_over_dice(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "buy 2 infantry", "end")
    assert get(client, game, "state")["can_undo"] is True
    change = client.post(f"/api/games/{game}/undo").json()
    assert (change["order"], change["state"]["phase"]) == ("end", "purchase")
    orders(client, game, "end", "move 3 infantry: karelia-ssr -> finland-norway", "end")
    assert get(client, game, "state")["can_undo"] is False


def test_every_question_that_is_not_a_phase_can_be_answered_by_a_form() -> None:
    """Whatever an engine asks: its answers have forms whose parts a page can fill in."""
    game = Game.new("classic-1942")
    legal, phases = game.legal, game.world.phases
    for name, kind in KINDS.items():
        if name in phases or not kind.answers:
            continue
        found = forms(legal, Decision("germany", name, charts=(1,)))
        assert {form.word for form in found} <= set(kind.answers)
        assert found or name == "stranded", name  # its moves are listed
        for form in found:
            assert all(field.kind != "other" for field in form.fields), form


def test_what_comes_of_an_attack_that_nobody_may_leave_is_told() -> None:
    """Dropped troops fight to the end: with dice that never hit, trying the end of the moves would go on for ever."""
    world = compile_world("classic-1942", {"paratroopers": True})
    start = {
        "clear": ["germany", "karelia-ssr"],
        "units": {
            "germany": {"germany": {"infantry": 1, "bomber": 1}},
            "karelia-ssr": {"ussr": {"infantry": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
        "drops": 1,
    }
    game = Game(world, start=patched_state(world, start))
    game.play("move 1 bomber, 1 infantry: germany -> karelia-ssr as paradrop")
    found = ending(world, game.state)
    assert found is not None
    assert found.dice


def test_planes_that_an_air_combat_drove_off_are_told_apart_from_those_that_go_home() -> None:
    """Who is left of the interceptors flies home, and was not turned back."""
    world = compile_world("global-1940")
    position = {
        "clear": "all",
        "units": {
            "united-kingdom": {"uk": {"bomber": 4}},
            "western-germany": {"germany": {"fighter": 9, "major-complex": 1}},
        },
        "turn": "uk",
        "phase": "combat-move",
    }
    dice = ScriptedDice((3, 3, 3, 3, 6, 6, 6, 6, 6, 6))
    game = Game(world, start=patched_state(world, position), dice=dice)
    raid = "move 4 bomber: united-kingdom -> sz-110 -> sz-112 -> western-germany as raid"
    for text in (raid, "end", "intercept 9 fighter"):
        game.play(text)
    events = game.entries[-1].events
    (report,) = battle_reports(world, events, iter(game.entries[-2::-1]))
    told = {power: {each.unit: each.count for each in units} for power, units in report.turned_back.items()}
    assert told == {"germany": {"fighter": 3}}
    assert [step.words for step in report.steps if step.kind == "left" and step.role == "defense"] == [
        ["3 German fighters break off over Western Germany."]
    ]
    assert "4 German fighters return from over Western Germany." in report.sentences
