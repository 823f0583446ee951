"""Odds of battles as they stand in a game: planned, waiting, or at any question inside a round."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import msgspec
import pytest
from refereed import GROUNDS, NAMES, Battle, deviation, expected_ends, reply, small_board

from sandtable.archive.position import patched_state
from sandtable.engine.dice import SeededDice
from sandtable.engine.events import BattleEnded, Damaged, Rolled
from sandtable.engine.game import Game
from sandtable.engine.state import Piece, State
from sandtable.odds import OddsError, Retreat, odds, odds_of_battle, raid_odds, raid_odds_of
from sandtable.world.compile import compile_world

THIRD = compile_world("classic-1942")
ZONE = GROUNDS["classic"].zone
SECOND = compile_world("classic-1942", {"second_edition": True})
ANNIVERSARY = compile_world("anniversary-1941")
GLOBAL = compile_world("global-1940")
LAND_ATTACK = ["infantry", "armor", "fighter", "bomber"]
LAND_DEFENSE = ["infantry", "armor", "fighter"]
SEA_ATTACK = ["transport", "carrier", "submarine", "fighter", "battleship"]
SEA_DEFENSE = ["transport", "submarine", "carrier", "fighter", "battleship"]

OPEN = {
    "land": Battle(
        world=THIRD,
        attackers={"infantry": 2, "armor": 1, "fighter": 3, "bomber": 2},
        defenders={"infantry": 3, "fighter": 2, "aa-gun": 1},
        attacker_order=LAND_ATTACK,
        defender_order=LAND_DEFENSE,
        techs={"ussr": ["jet-power"]},
    ),
    "landing": Battle(
        world=THIRD,
        attackers={"infantry": 3, "armor": 1, "fighter": 2},
        defenders={"infantry": 3, "armor": 1, "fighter": 1},
        attacker_order=LAND_ATTACK,
        defender_order=LAND_DEFENSE,
        support={"battleship": 2},
        landed=True,
    ),
    "sea": Battle(
        world=THIRD,
        attackers={"submarine": 3, "carrier": 1, "fighter": 2, "transport": 1},
        defenders={"submarine": 2, "carrier": 1, "fighter": 1, "transport": 2},
        kind="sea",
        attacker_order=SEA_ATTACK,
        defender_order=SEA_DEFENSE,
    ),
    "sea, column by column": Battle(
        world=SECOND,
        attackers={"submarine": 2, "carrier": 1, "fighter": 3, "transport": 1, "battleship": 1},
        defenders={"submarine": 2, "carrier": 1, "fighter": 1, "transport": 2, "battleship": 1},
        kind="sea",
        attacker_order=SEA_ATTACK,
        defender_order=SEA_DEFENSE,
    ),
}


def questions(battle: Battle, seeds: int) -> dict[tuple[str, str, int], State]:
    """One state for each kind of question that comes up: (what is asked, by whose fire, round at most 2)."""
    found: dict[tuple[str, str, int], State] = {}
    for seed in range(seeds):
        game = Game(small_board(battle.world), dice=SeededDice(seed), start=battle.state())
        while (fighting := game.state.battle) is not None:
            step = battle.world.battles[battle.kind].steps[fighting.step]
            found.setdefault((game.state.questions[0].kind, step, min(fighting.round, 2)), game.state)
            game.play(reply(battle, game))
    return found


def left(state: State, battle: Battle, side: str) -> tuple[tuple[str, int], ...]:
    """Who is in the space at the end; nobody leaves it in these battles."""
    mine = Counter[str]()
    for piece, n in state.at(battle.space).items():
        if (piece.power == "germany") == (side == "attack") and piece.type not in ("aa-gun", "industrial-complex"):
            mine[piece.type] += n
    return tuple(sorted(mine.items()))


@pytest.mark.parametrize("name", OPEN)
def test_at_every_question_the_odds_are_those_of_the_game(name: str) -> None:
    battle = OPEN[name]
    asked = questions(battle, 25)
    steps = {step for _, step, _ in asked}
    wanted = {"attackers-fire", "defenders-fire"}
    wanted |= {"submarine-fire", "submarines-withdraw"} if battle.kind == "sea" else set()
    wanted |= {"aa-fire"} if "aa-gun" in battle.defenders else set()
    wanted |= {"support-shot"} if battle.support else set()
    assert wanted <= steps, "the questions that this test is about come up"
    for key, state in asked.items():
        result = odds_of_battle(battle.world, state, battle.space)
        seen: Counter[Any] = Counter()
        for seed in range(80):
            game = Game(small_board(battle.world), dice=SeededDice(f"{key} {seed}"), start=state)
            while game.state.battle is not None:
                game.play(reply(battle, game))
            ended = next(e for e in game.events if isinstance(e, BattleEnded))
            end = (left(game.state, battle, "attack"), left(game.state, battle, "defense"))
            seen[NAMES[ended.result], *end] += 1
        assert deviation(expected_ends(result), seen) < 4, key


def test_a_planned_attack_is_the_battle_on_paper() -> None:
    battle = OPEN["land"]
    there = odds_of_battle(THIRD, battle.state(), battle.space)
    paper = odds(THIRD, battle.attackers, battle.defenders, defender_techs=["jet-power"])
    assert expected_ends(there) == pytest.approx(expected_ends(paper))
    shore = OPEN["landing"]
    there = odds_of_battle(THIRD, shore.state(), shore.space)
    assert there.win == pytest.approx(odds(THIRD, {**shore.attackers, **shore.support}, shore.defenders).win)


def _at_sea(units: dict[Piece, int], **more: dict[Piece, int]) -> State:
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    placed = {name.replace("_", "-"): stack for name, stack in more.items()}
    return msgspec.structs.replace(base, units={**base.units, ZONE: units, **placed})


def test_cargo_goes_down_with_its_transport_the_empty_one_first() -> None:
    loaded = Piece("germany", "transport", origin="north-sea", cargo=(Piece("germany", "armor"),))
    empty = Piece("germany", "transport", origin="north-sea")
    ship = Piece("germany", "battleship", origin="north-sea")
    enemy = {Piece("uk", "submarine"): 1}
    bare = odds_of_battle(THIRD, _at_sea({empty: 1, ship: 1, **enemy}), ZONE)
    full = odds_of_battle(THIRD, _at_sea({loaded: 1, ship: 1, **enemy}), ZONE)
    both = odds_of_battle(THIRD, _at_sea({loaded: 1, empty: 1, ship: 1, **enemy}), ZONE)
    lost = sum(end.chance for end in full.survivors() if "transport" not in end.attackers)
    assert full.expected_losses[0] == pytest.approx(bare.expected_losses[0] + 5 * lost)
    assert [k.worth for k in both.model.attack.kinds if k.unit == "transport"] == [8, 13]
    assert both.model.attack.order[:2] == (0, 1)


def test_a_landing_that_waits_for_its_sea_battle() -> None:
    rider = Piece("germany", "infantry", target="karelia-ssr")
    transport = Piece("germany", "transport", origin="north-sea", cargo=(rider, rider))
    gunship = Piece("germany", "battleship", origin="north-sea")
    shore = {Piece("ussr", "infantry"): 1}
    clear = _at_sea({transport: 1, gunship: 1}, karelia_ssr=shore)
    result = odds_of_battle(THIRD, clear, "karelia-ssr")
    assert result.win == pytest.approx(odds(THIRD, "2 infantry, 1 battleship", "1 infantry").win)
    contested = _at_sea({transport: 1, gunship: 1, Piece("uk", "transport"): 1}, karelia_ssr=shore)
    result = odds_of_battle(THIRD, contested, "karelia-ssr")
    assert result.win == pytest.approx(odds(THIRD, "2 infantry", "1 infantry").win)


@pytest.mark.parametrize("edition", ["classic", "anniversary"])
def test_ships_that_had_to_fight_give_no_support(edition: str) -> None:
    """A shore is attacked from a zone that has to be won first: planned, between the battles, and as the engine has it.

    A wrong version counted the battleship's shot all the same.
    """
    world = {"classic": THIRD, "anniversary": ANNIVERSARY}[edition]
    zone, shore = {"classic": ("baltic-sea", "karelia-ssr"), "anniversary": ("sz-5", "baltic-states")}[edition]
    transport, gunship = Piece("germany", "transport"), Piece("germany", "battleship")
    near = world.sea[zone][0]
    rider = Piece("germany", "infantry", target=shore)
    fleet = {
        msgspec.structs.replace(transport, origin=near, cargo=(rider, rider)): 1,
        msgspec.structs.replace(gunship, origin=near): 1,
    }
    stacks = {shore: {Piece("ussr", "infantry"): 1}, zone: {**fleet, Piece("uk", "battleship"): 1}}
    base = patched_state(world, {"clear": "all", "turn": "germany", "phase": "combat"})
    contested = msgspec.structs.replace(base, units=stacks)
    bare = odds(world, "2 infantry", "1 infantry", attacker_power="germany", defender_power="ussr")
    helped = odds(world, "2 infantry, 1 battleship", "1 infantry", attacker_power="germany", defender_power="ussr")
    assert helped.win > bare.win + 0.05
    assert odds_of_battle(world, contested, shore).win == pytest.approx(bare.win)
    fought = msgspec.structs.replace(base, units={**stacks, zone: fleet}, fought=(zone,))
    assert odds_of_battle(world, fought, shore).win == pytest.approx(bare.win)
    clear = msgspec.structs.replace(base, units={**stacks, zone: fleet})
    assert odds_of_battle(world, clear, shore).win == pytest.approx(helped.win)
    for state, expected in ((fought, bare), (clear, helped)):  # and the game says the same
        game = Game(world, dice=SeededDice(3), start=state)
        shots = [e for e in game.events if isinstance(e, Rolled) and e.reason == "support"]
        assert bool(shots) == (expected is helped)


@pytest.mark.parametrize(("landed", "overland"), [(1, 1), (2, 1), (0, 2), (3, 2)])
def test_artillery_helps_as_many_infantry_as_there_are_guns_wherever_they_come_from(landed: int, overland: int) -> None:
    """Landed and overland infantry are told apart, and one gun must not help one of each."""
    ground = GROUNDS["anniversary"]
    stack = {
        Piece("germany", "artillery", origin=ground.land_origin): 1,
        Piece("germany", "infantry", origin=ground.land_origin): overland,
        Piece("germany", "infantry", origin=ground.landing_zone): landed,
        Piece("ussr", "infantry"): 2,
        Piece("ussr", "artillery"): 1,
    }
    base = patched_state(ANNIVERSARY, {"clear": "all", "turn": "germany", "phase": "combat"})
    units = {ground.land: {piece: n for piece, n in stack.items() if n}}
    state = msgspec.structs.replace(base, units=units)
    found = odds_of_battle(ANNIVERSARY, state, ground.land)
    force = {"infantry": landed + overland, "artillery": 1}
    paper = odds(ANNIVERSARY, force, {"infantry": 2, "artillery": 1}, kind="land")
    assert found.exact
    assert found.win == pytest.approx(paper.win)
    rolled = next(
        e
        for e in Game(ANNIVERSARY, dice=SeededDice(1), start=state).events
        if isinstance(e, Rolled) and e.reason == "attack" and e.needed == 2
    )
    assert {unit: n for _, unit, n in rolled.shooters} == {"infantry": 1, "artillery": 1}


def test_allies_defend_with_their_own_technologies() -> None:
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    stack = {
        Piece("germany", "armor", origin="eastern-europe"): 4,
        Piece("ussr", "infantry"): 1,
        Piece("uk", "fighter"): 1,
        Piece("usa", "fighter"): 1,
    }
    state = msgspec.structs.replace(
        base, units={"ukraine-ssr": stack}, techs={**base.techs, "usa": frozenset({"jet-power"})}
    )
    kinds = odds_of_battle(THIRD, state, "ukraine-ssr").model.defense.kinds
    assert [(k.power, k.unit, k.value) for k in kinds] == [
        ("ussr", "infantry", 2),
        ("uk", "fighter", 4),
        ("usa", "fighter", 5),
    ]


def test_nowhere_to_retreat_to() -> None:
    """Attackers who were there already have no way back; planes always have."""
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    for origin, expected in (("eastern-europe", True), ("", False)):
        stack = {Piece("germany", "infantry", origin=origin): 5, Piece("ussr", "infantry"): 5}
        state = msgspec.structs.replace(base, units={"ukraine-ssr": stack})
        result = odds_of_battle(THIRD, state, "ukraine-ssr", retreat=Retreat(rounds=1))
        assert (result.retreat > 0) == expected


def test_submarines_leave_only_where_the_rules_let_them() -> None:
    """In the second edition they need a free zone next to the battle, in the third they can submerge."""
    for world, free, leaves in ((SECOND, True, True), (SECOND, False, False), (THIRD, False, True)):
        base = patched_state(world, {"clear": "all", "turn": "germany", "phase": "combat-move"})
        fleet = {Piece("germany", "battleship"): 1, Piece("uk", "submarine"): 2}
        units = {ZONE: fleet} if free else {ZONE: fleet, "north-sea": {Piece("germany", "transport"): 1}}
        state = msgspec.structs.replace(base, units=units)
        result = odds_of_battle(world, state, ZONE, defender_submarines="leave")
        assert (len(result.rounds) == 1) == leaves


def test_islands_shelter_fighters() -> None:
    base = patched_state(THIRD, {"clear": "all", "turn": "germany", "phase": "combat-move"})
    fleet = {Piece("germany", "submarine"): 2, Piece("uk", "carrier"): 1, Piece("uk", "fighter"): 2}
    for zone, island in (("north-sea", True), ("baltic-sea", False)):
        assert odds_of_battle(THIRD, msgspec.structs.replace(base, units={zone: fleet}), zone).model.shelter == island


def test_places_without_a_battle() -> None:
    state = patched_state(THIRD, {"turn": "germany", "phase": "combat-move"})
    with pytest.raises(OddsError):
        odds_of_battle(THIRD, state, "germany")
    with pytest.raises(OddsError):
        raid_odds_of(THIRD, state, "united-kingdom")


def test_a_planned_raid() -> None:
    game = Game(
        THIRD,
        start=patched_state(
            THIRD,
            {
                "clear": "all",
                "turn": "germany",
                "phase": "combat-move",
                "units": {
                    "germany": {"germany": {"bomber": 2}},
                    "united-kingdom": {"uk": {"industrial-complex": 1, "aa-gun": 1}},
                },
            },
        ),
    )
    game.play("move 2 bomber: germany -> united-kingdom as raid")
    money = game.state.treasury["uk"]
    assert raid_odds_of(THIRD, game.state, "united-kingdom") == raid_odds(THIRD, {"bomber": 2}, most=money)


@pytest.mark.parametrize(("damage", "bombers", "guns"), [(0, 4, 1), (5, 3, 0), (11, 2, 1), (12, 2, 0)])
def test_a_raid_damages_a_complex_no_more_than_it_can_take(damage: int, bombers: int, guns: int) -> None:
    """Damage markers are limited by the territory's value, whatever money its owner has."""
    value = ANNIVERSARY.spaces["france"].ipc
    most = 2 * value - damage
    base = patched_state(
        ANNIVERSARY,
        {
            "clear": "all",
            "turn": "uk",
            "phase": "combat",
            "units": {"france": {"germany": {"industrial-complex": 1, "aa-gun": guns}}},
            "damage": {"france": {"industrial-complex": damage}} if damage else {},
            "treasury": {"germany": 1},
        },
    )
    raid = {**base.at("france"), Piece("uk", "bomber", mark="raid"): bombers}
    start = msgspec.structs.replace(base, units={**base.units, "france": raid})
    found = raid_odds_of(ANNIVERSARY, start, "france")
    assert found == raid_odds(ANNIVERSARY, {"bomber": bombers}, power="uk", aa_guns=guns, most=most)
    assert len(found.damage) == min(most, 6 * bombers) + 1
    seen: Counter[Any] = Counter()
    for seed in range(150):
        game = Game(ANNIVERSARY, dice=SeededDice(f"raid {seed}"), start=start)
        hurt = sum(e.points for e in game.events if isinstance(e, Damaged))
        left = sum(n for p, n in game.state.at("france").items() if p.type == "bomber")
        seen[bombers - left, hurt] += 1
    expected = {(i, j): p for i, row in enumerate(found.joint) for j, p in enumerate(row) if p}
    assert deviation(expected, seen) < 4


def drop(guns: int, orders: list[str]) -> State:
    """Britain attacks France, with troops that are going to jump."""
    patch = {
        "clear": "all",
        "units": {
            "united-kingdom": {"uk": {"fighter": 1, "bomber": 3, "infantry": 3}},
            "france": {"germany": {"infantry": 2, "aa-gun": guns}},
        },
        "turn": "uk",
        "phase": "combat-move",
        "technologies": {"uk": ["paratroopers"]},
    }
    game = Game(ANNIVERSARY, start=patched_state(ANNIVERSARY, patch), dice=SeededDice(1))
    for order in orders:
        game.play(order)
    return game.state


DROP = [
    "move 2 bomber, 2 infantry: united-kingdom -> france as paradrop",
    "move 1 bomber, 1 fighter: united-kingdom -> france",
]


def test_troops_that_will_be_dropped_count_as_attackers() -> None:
    found = odds_of_battle(ANNIVERSARY, drop(0, DROP), "france")
    paper = odds(ANNIVERSARY, "2 infantry, 1 fighter, 3 bomber", "2 infantry")
    assert found.forces == paper.forces
    assert found.win == pytest.approx(paper.win)
    assert found.take_and_hold(1) == pytest.approx(paper.take_and_hold(1)) != 0
    assert found.expected_losses == pytest.approx(paper.expected_losses)


@pytest.mark.parametrize("method", ["exact", "play"])
def test_troops_go_down_with_their_planes(method: Any) -> None:
    """Every plane has a die of its own; a bomber that is shot down takes its passenger along."""
    state = drop(1, DROP)
    found = odds_of_battle(ANNIVERSARY, state, "france", method=method, runs=1500, seconds=None)
    win = hold = 0.0
    for laden, empty, fighters in product(range(3), range(2), range(2)):
        planes = laden + empty + fighters
        share = (2 if laden == 1 else 1) * (5 / 6) ** planes * (1 / 6) ** (4 - planes)
        if planes:
            force = {"infantry": laden, "fighter": fighters, "bomber": laden + empty}
            left = odds(ANNIVERSARY, force, {"infantry": 2})
            win += share * left.win
            hold += share * left.take_and_hold(1)
    close = {"abs": 0.04} if method == "play" else {"rel": 1e-9}
    assert found.win == pytest.approx(win, **close)
    assert found.take_and_hold(1) == pytest.approx(hold, **close)


def test_dropped_troops_can_retreat_like_others() -> None:
    planned = odds_of_battle(ANNIVERSARY, drop(0, DROP), "france", retreat=Retreat(rounds=1))
    assert planned.retreat == pytest.approx(1 - planned.win - planned.draw - planned.loss)
    # nobody holds land beside France, so only planes could leave
    assert planned.model.can_retreat is False


def test_a_fortification_that_the_moves_call_up_is_counted() -> None:
    """Before the moves are done it is not on the board, and the battle is another one with it (G40-SPC-29)."""

    def planned(**walls: int) -> float:
        patch: dict[str, Any] = {
            "clear": ["france", "western-germany"],
            "units": {
                "france": {"france": {"infantry": 4, **walls}},
                "western-germany": {"germany": {"armor": 5, "infantry": 2}},
            },
            "turn": "germany",
            "phase": "combat-move",
        }
        game = Game(GLOBAL, start=patched_state(GLOBAL, patch))
        game.play("move 5 armor, 2 infantry: western-germany -> france")
        return odds_of_battle(GLOBAL, game.state, "france").win

    assert planned() == planned(fortification=1) < 0.5
