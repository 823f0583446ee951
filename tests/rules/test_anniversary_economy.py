"""The turn and the economy of the Anniversary edition: what case files cannot ask about."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sandtable.archive import saves
from sandtable.archive.game import Game as SavedGame
from sandtable.archive.position import patched_state
from sandtable.archive.statistics import statistics
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Kept, ObjectiveMet, PhaseBegan, Reinforced
from sandtable.engine.facts import active
from sandtable.engine.game import Game
from sandtable.engine.progress import Income, city_count, expected_income, objective_list, progress
from sandtable.engine.victory import individual_winners
from sandtable.errors import DataError, NotationError, Refusal, SandtableError
from sandtable.notation.orders import Place, UnitSpec
from sandtable.world.compile import compile_world

SCENARIOS = ("anniversary-1941", "anniversary-1942")


def game_at(position: dict[str, Any], dice: tuple[int, ...] = (), scenario: str = "anniversary-1941") -> Game:
    world = compile_world(scenario)
    return Game(world, dice=ScriptedDice(dice), start=patched_state(world, position))


# ---------------------------------------------------------------- seats and turns


@pytest.mark.rule("AN-SET-03", "AN-CHN-01")
def test_china_sits_with_the_united_states() -> None:
    game = Game.new("anniversary-1941", seats=2)
    assert game.seats["Player 1"] == ("ussr", "uk", "usa", "china")
    assert game.seat_of("china") == "Player 1"
    again = Game.new("anniversary-1941", seats=game.seats)
    assert again.seats == game.seats
    with pytest.raises(SandtableError, match="China is played by United States"):
        Game.new("anniversary-1941", seats={"a": ("germany", "italy", "japan", "china"), "b": ("ussr", "uk", "usa")})


@pytest.mark.rule("AN-SET-03")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_two_to_six_can_play(players: int) -> None:
    game = Game.new("anniversary-1942", seats=players)
    assert len(game.seats) == players
    assert sorted(p for powers in game.seats.values() for p in powers) == sorted(game.world.powers)
    for powers in game.seats.values():
        assert len({game.world.side_of(p) for p in powers}) == 1


@pytest.mark.rule("AN-CHN-15", "AN-TRN-01")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_phases_of_the_american_turn(scenario: str) -> None:
    """America's three, then China's three, then both mobilize."""
    game = game_at({"turn": "usa", "phase": "research"}, scenario=scenario)
    seen = []
    while game.state.round == 1:
        seen += [(e.power, e.phase) for e in game.play("end") if isinstance(e, PhaseBegan)]
    assert seen[:9] == [
        ("usa", "purchase"),
        ("usa", "combat-move"),
        ("usa", "combat"),
        ("usa", "noncombat-move"),
        ("china", "combat-move"),
        ("china", "combat"),
        ("china", "noncombat-move"),
        ("usa", "mobilize"),
        ("usa", "income"),
    ]
    assert active(game.world, game.state) == game.world.order[0]


@pytest.mark.rule("AN-TRN-03", "AN-CHN-15")
def test_nobody_else_acts_in_the_turns_of_the_others() -> None:
    game = Game.new("anniversary-1941", options={"research_and_development": False})
    powers = set()
    while active(game.world, game.state) != "usa":
        powers.add(active(game.world, game.state))
        game.play("end")
    assert "china" not in powers


@pytest.mark.rule("AN-CHN-01")
def test_surrender_during_the_chinese_part_is_americas() -> None:
    game = game_at({"turn": "china", "phase": "combat-move"})
    game.play("surrender")
    assert game.state.winner == "axis"
    assert "United States" in game.events[-1].reason  # type: ignore[union-attr]


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize("scenario", ["classic-1942", *SCENARIOS])
def test_refusals_give_the_rules_of_the_game_on_the_table(scenario: str) -> None:
    game = Game.new(scenario, seed=1)
    for order in ("buy 99 bomber", "place 1 infantry: russia", "move 1 infantry: russia -> caucasus", "research 99"):
        with pytest.raises(Refusal) as caught:
            game.play(order)
        books = ("AN",) if scenario in SCENARIOS else ("CL", "PC")
        assert caught.value.rules
        assert all(rule.startswith(books) for rule in caught.value.rules), caught.value.rules


# ---------------------------------------------------------------- research


@pytest.mark.rule("AN-RES-03", "AN-RES-05", "AN-RES-06")
def test_a_breakthrough_is_asked_saved_and_settled(tmp_path: Path) -> None:
    game = Game.new("anniversary-1941", dice=(2, 6))
    game.play("research 2")
    question = game.decision
    assert question is not None
    assert (question.kind, question.charts, question.answers) == ("chart", (1, 2), ("chart",))
    assert game.state.tokens == {}
    for order in ("end", "buy 1 infantry", "research 1", "chart 3"):
        with pytest.raises(Refusal):
            game.play(order)
    with pytest.raises(Refusal, match="Dice have been rolled"):
        game.undo()
    path = tmp_path / "game.sandtable"
    seeded = SavedGame.new("anniversary-1941", seed=_seed_with_breakthrough())
    seeded.play("research 6")
    assert seeded.state.breakthrough
    seeded.save(path)
    loaded = saves.load(path)
    assert loaded.state == seeded.state
    loaded.play("chart 2")
    seeded.play("chart 2")
    assert loaded.state == seeded.state
    assert len(seeded.state.techs["germany"]) == 1


def _seed_with_breakthrough() -> int:
    for seed in range(100):
        game = Game.new("anniversary-1941", seed=seed)
        game.play("research 6")
        if game.state.breakthrough:
            return seed
    raise AssertionError("a hundred seeds without a six among six dice")


@pytest.mark.rule("AN-RES-08")
def test_naming_the_only_chart_there_is_changes_nothing() -> None:
    chart = ["super-submarines", "jet-fighters", "improved-shipyards", "radar", "long-range-aircraft", "heavy-bombers"]
    game = game_at({"turn": "japan", "phase": "research", "technologies": {"japan": chart}}, dice=(6, 2))
    game.play("research 1")
    after = game.state
    assert "rockets" in after.techs["japan"]
    with pytest.raises(Refusal, match="AN-RES"):
        game.play("chart 2")
    game.play("chart 1")
    assert game.state == after
    game.play("end")
    with pytest.raises(Refusal):
        game.play("chart 1")


@pytest.mark.rule("AN-TEC-13")
def test_half_price_is_counted_for_each_complex() -> None:
    position = {
        "turn": "ussr",
        "phase": "purchase",
        "damage": {"russia": {"industrial-complex": 5}, "caucasus": {"industrial-complex": 3}},
        "technologies": {"ussr": ["increased-factory-production"]},
    }
    game = game_at(position)
    for order, money in (("repair russia 3", 28), ("repair caucasus 1", 27), ("repair russia 1", 27)):
        game.play(order)
        assert game.state.treasury["ussr"] == money, order


@pytest.mark.rule("AN-RES-04")
def test_buying_waits_until_the_researchers_have_rolled() -> None:
    game = game_at({"turn": "germany", "phase": "research", "tokens": {"germany": 1}}, dice=(3,))
    with pytest.raises(Refusal, match="AN-RES-03"):
        game.play("buy 1 infantry")
    assert game.state.rolls == 0
    game.play("end")
    assert game.state.rolls == 1
    game.play("buy 1 infantry")


@pytest.mark.rule("AN-RES-04")
def test_researchers_roll_by_themselves_when_nobody_can_be_hired() -> None:
    game = game_at(
        {"turn": "germany", "phase": "research", "tokens": {"germany": 2}, "treasury": {"germany": 4}}, dice=(3, 5)
    )
    assert game.decision is not None
    assert game.decision.kind == "purchase"
    assert game.state.tokens == {"germany": 2}


# ---------------------------------------------------------------- purchase, repair, mobilization


@pytest.mark.rule("AN-BUY-02", "AN-TEC-13")
def test_repairs_can_be_taken_back() -> None:
    damage = {"germany": {"industrial-complex": 5}}
    game = game_at({"turn": "germany", "phase": "research", "damage": damage})
    before = game.state
    game.play("repair germany 3")
    assert game.state.damage == {"germany": {"industrial-complex": 2}}
    assert game.state.treasury["germany"] == 28
    game.undo()
    assert game.state == before


@pytest.mark.rule("AN-BUY-02")
@pytest.mark.parametrize("order", ["repair france 1", "repair germany 6", "repair karelia-ssr 1", "repair sz-5 1"])
def test_repairs_that_make_no_sense(order: str) -> None:
    damage = {"germany": {"industrial-complex": 5}, "karelia-ssr": {"industrial-complex": 1}}
    game = game_at({"turn": "germany", "phase": "purchase", "damage": damage})
    with pytest.raises(Refusal, match="AN-BUY-02"):
        game.play(order)


@pytest.mark.rule("AN-BUY-03", "AN-MOB-02")
def test_the_legal_view_lists_repairs_and_what_can_still_be_bought() -> None:
    game = game_at({"turn": "italy", "phase": "purchase", "damage": {"italy": {"industrial-complex": 6}}})
    listed = {str(type(order).__name__) for order in game.legal.orders()}
    assert listed == {"Repair", "End"}  # 10 IPCs buy no complex, and nothing else can be produced
    game.play("repair italy 1")
    assert {"Buy", "Repair", "End"} == {str(type(order).__name__) for order in game.legal.orders()}


@pytest.mark.rule("AN-MOB-09")
def test_waiting_units_come_back_on_the_next_turn() -> None:
    game = game_at({"turn": "italy", "phase": "mobilize", "waiting": {"italy": {"infantry": 2}}})
    events = game.play("end")
    assert [e for e in events if isinstance(e, Kept)] == [Kept("italy", (("infantry", 2),))]
    assert game.state.pool == {}
    assert game.state.waiting == {"italy": {"infantry": 2}}
    while active(game.world, game.state) != "italy":
        game.play("end")
    assert game.state.pool_of(game.world, "italy") == {"infantry": 2}
    while game.decision is None or game.decision.kind != "mobilize":
        game.play("end")
    assert game.state.pool == {"infantry": 2}
    assert "italy" not in game.state.waiting


@pytest.mark.rule("AN-MOB-09", "AN-BUY-01")
def test_waiting_units_alone_are_nothing_to_buy() -> None:
    """Without money the purchase passes, whatever waits to be placed."""
    waiting = {"italy": {"infantry": 2}}
    game = game_at({"turn": "italy", "phase": "purchase", "waiting": waiting, "treasury": {"italy": 2}})
    assert game.decision is not None
    assert game.decision.kind == "combat-move"


@pytest.mark.rule("AN-CHN-04", "AN-CHN-05")
def test_places_of_both_powers_are_listed_in_one_phase() -> None:
    game = game_at(
        {
            "turn": "usa",
            "phase": "mobilize",
            "waiting": {"china": {"infantry": 2}, "usa": {"infantry": 1}},
        }
    )
    orders = [order for order in game.legal.orders() if isinstance(order, Place)]
    chinese = {order.space for order in orders if order.units[0].power == "china"}
    assert chinese == {s for s, owner in game.state.owners.items() if owner == "china"}
    assert {o.space for o in orders if o.units[0].power is None} == {"eastern-united-states", "western-united-states"}
    assert all(order in game.legal for order in orders)
    game.play(Place((UnitSpec("infantry", 2),), "sikang"))  # whose they are follows from the place
    assert game.state.waiting == {}
    assert game.state.pool == {"infantry": 1}


@pytest.mark.rule("AN-CHN-04", "AN-CHN-17")
def test_china_receives_its_infantry_even_when_washington_is_lost() -> None:
    game = game_at({"turn": "italy", "phase": "mobilize", "control": {"eastern-united-states": "germany"}})
    events = game.play("end")
    assert Reinforced("china", (("infantry", 3),)) in events
    assert game.decision is not None
    assert game.decision.kind == "combat-move"


# ---------------------------------------------------------------- how the war stands


@pytest.mark.rule("AN-SET-06", "AN-SET-07", "AN-VIC-01")
@pytest.mark.parametrize(("scenario", "axis"), [("anniversary-1941", 6), ("anniversary-1942", 8)])
def test_cities_are_counted(scenario: str, axis: int) -> None:
    game = Game.new(scenario, options={"victory_cities": 13})
    counts = {c.side: c for c in city_count(game.world, game.state)}
    assert len(counts["axis"].held) == axis
    assert len(counts["allies"].held) == 18 - axis
    assert counts["axis"].needed == counts["allies"].needed == 13
    standing = {s.side: (s.have, s.needs) for s in progress(game.world, game.state).standings}
    assert standing == {"axis": (axis, 13), "allies": (18 - axis, 13)}


def test_progress_of_a_game_without_cities_and_objectives() -> None:
    game = Game.new("classic-1942")
    found = progress(game.world, game.state)
    assert found.cities == ()
    assert found.objectives == ()
    assert found.complexes == ()
    assert {(s.side, s.needs) for s in found.standings} >= {("axis", 84)}
    assert expected_income(game.world, game.state, "ussr") == Income("ussr", 24)


@pytest.mark.rule("AN-INC-03", "AN-INC-05")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_progress_promises_is_paid(scenario: str) -> None:
    """For every power in turn: production and bonuses before the income phase are what it collects."""
    game = Game.new(scenario, options={"research_and_development": False})
    for power in game.world.order:
        while active(game.world, game.state) != power or game.decision.kind != "mobilize":  # type: ignore[union-attr]
            game.play("end")
        promised = expected_income(game.world, game.state, power)
        bonuses = [o for o in objective_list(game.world, game.state, power) if o.met]
        money = game.state.treasury[power]
        events = game.play("end")
        assert [e.objective for e in events if isinstance(e, ObjectiveMet)] == [o.id for o in bonuses]
        assert [gain.name for gain in promised.gains] == [o.name for o in bonuses]
        assert game.state.treasury[power] == money + promised.certain


@pytest.mark.rule("AN-OBJ-07", "AN-OBJ-17", "AN-OBJ-16")
def test_what_is_missing_is_told() -> None:
    game = game_at(
        {
            "turn": "italy",
            "phase": "mobilize",
            "control": {"libya": "uk"},
            "units": {"sz-14": {"uk": {"destroyer": 1, "submarine": 2}}, "russia": {"uk": {"fighter": 1}}},
        }
    )
    missing = {o.id: o.missing for p in ("italy", "ussr") for o in objective_list(game.world, game.state, p)}
    assert missing["italy-mediterranean-mastery"] == (
        "Libya in the hands of the Axis",
        "1 British destroyer to leave Sea Zone 14",
    )
    assert missing["ussr-sovereign-homeland"] == ("1 British fighter to leave Russia",)
    assert missing["ussr-eastern-europe"][0].startswith("3 more of Balkans, ")


@pytest.mark.rule("AN-SBR-06", "AN-MOB-02")
def test_damage_is_told() -> None:
    game = game_at({"turn": "germany", "damage": {"germany": {"industrial-complex": 12}}})
    (damaged,) = progress(game.world, game.state).complexes
    assert (damaged.space, damaged.owner, damaged.damage, damaged.most, damaged.output) == (
        "germany",
        "germany",
        12,
        20,
        0,
    )


@pytest.mark.rule("AN-VIC-08")
def test_the_whole_side_wins() -> None:
    cities = [s.id for s in compile_world("anniversary-1941").spaces.values() if s.victory_city]
    held = [city for city in cities if city != "eastern-united-states"][:15]
    game = game_at({"turn": "usa", "phase": "mobilize", "control": dict.fromkeys(held, "japan")})
    game.play("end")
    assert game.state.winner == "axis"
    start = dict.fromkeys(game.world.powers, 1)
    assert set(individual_winners(game.world, game.state, start)) == {"germany", "japan", "italy"}


def test_cities_as_edited_conditions() -> None:
    game = Game.new("anniversary-1941", edits={"victory": {"cities": {"axis": 6, "allies": 18}}})
    while game.state.round == 1 and not game.state.over:
        game.play("end")
    assert game.state.winner == "axis"
    with pytest.raises(DataError, match="18 victory cities, not 19"):
        Game.new("anniversary-1941", edits={"victory": {"cities": {"axis": 19}}})


# ---------------------------------------------------------------- positions, saves and numbers


@pytest.mark.parametrize(
    "patch",
    [
        {"damage": {"germany": {"industrial-complex": 21}}},
        {"damage": {"france": {"industrial-complex": 1}}},
        {"tokens": {"germany": -1}},
        {"waiting": {"germany": {"infantry": 0}}},
        {"turn": "germany", "phase": "diplomacy"},
    ],
)
def test_positions_that_make_no_sense(patch: dict[str, Any]) -> None:
    with pytest.raises(NotationError):
        patched_state(compile_world("anniversary-1941"), patch)


@pytest.mark.rule("AN-INC-05", "AN-TEC-14")
def test_statistics_count_bonuses_cities_and_damage() -> None:
    game = game_at(
        {
            "turn": "italy",
            "phase": "mobilize",
            "technologies": {"italy": ["war-bonds"]},
            "damage": {"italy": {"industrial-complex": 2}},
        },
        dice=(4,),
    )
    game.play("end")
    row = statistics(game)[-1].powers["italy"]
    assert (row.bonus, row.objectives, row.cities, row.damage, row.technologies) == (9, 1, 1, 2, 1)
    assert row.treasury == 10 + 10 + 5 + 4


def test_a_saved_game_keeps_waiting_units_tokens_and_damage(tmp_path: Path) -> None:
    position = {
        "turn": "usa",
        "phase": "mobilize",
        "tokens": {"italy": 3},
        "waiting": {"china": {"infantry": 2}, "italy": {"fighter": 1}, "usa": {"infantry": 2}},
        "damage": {"germany": {"industrial-complex": 7}},
    }
    world = compile_world("anniversary-1942")
    game = SavedGame(world, seed=5, start=patched_state(world, position))
    game.play("place 1 china infantry: sikang")
    path = tmp_path / "game.sandtable"
    game.save(path)
    loaded = saves.load(path)
    assert loaded.state == game.state
    assert loaded.state.digest() == game.state.digest()
    assert loaded.state.tokens == {"italy": 3}
    assert loaded.state.waiting == {"china": {"infantry": 1}, "italy": {"fighter": 1}}
    loaded.go_to(0)
    assert loaded.state.waiting["china"] == {"infantry": 2}
