"""What units hit at, from declared modifiers: small worlds with house rules, and the books that are to come."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from sandtable.engine.battle.strength import Strength, alone, in_battle, strengths
from sandtable.engine.events import Rolled
from sandtable.engine.start import starting_state
from sandtable.engine.state import Battle, Piece, Role, Stack
from sandtable.world.compile import compile_world
from sandtable.world.model import World
from support.house_rules import house_game, house_world

GLOBAL = compile_world("global-1940")
CLASSIC = compile_world("classic-1942")


def force(power: str, **units: int) -> dict[Piece, int]:
    return {Piece(power, unit.replace("_", "-")): n for unit, n in units.items()}


def table(
    world: World, role: Role, mine: Stack, enemies: Stack | None = None, **more: Any
) -> Mapping[tuple[str, int], int]:
    """(unit, number hit at) -> how many."""
    found: Counter[tuple[str, int]] = Counter()
    for piece, n, strength in strengths(world, starting_state(world), role, mine, enemies=enemies or {}, **more):
        found[piece.type, strength.value] += n
    return found


@pytest.mark.rule("AN-CBT-21", "AN-TEC-01")
def test_artillery_helps_infantry() -> None:
    world = compile_world("anniversary-1941")
    mine = force("germany", infantry=3, artillery=2)
    assert table(world, "attack", mine) == {("infantry", 2): 2, ("infantry", 1): 1, ("artillery", 2): 2}
    assert table(world, "defense", mine) == {("infantry", 2): 3, ("artillery", 2): 2}


def test_an_artillery_helps_one_unit_of_whatever_kind() -> None:
    mine = force("germany", infantry=1, mechanized_infantry=1, artillery=1)
    found = table(GLOBAL, "attack", mine)
    assert found["infantry", 2] + found["mechanized-infantry", 2] == 1


def test_tactical_bombers_in_pairs() -> None:
    mine = force("germany", tactical_bomber=3, armor=1, fighter=1)
    found = table(GLOBAL, "attack", mine)
    assert (found["tactical-bomber", 4], found["tactical-bomber", 3]) == (2, 1)


def test_a_unit_serves_in_one_pairing_and_the_particular_one_first() -> None:
    """An armor can help a tactical bomber or, with the development, mechanized infantry; a fighter only the bomber."""
    state = starting_state(GLOBAL)
    known = type("Known", (), {"techs": {**state.techs, "germany": frozenset({"improved-mechanized-infantry"})}})()
    mine = force("germany", armor=1, fighter=1, tactical_bomber=1, mechanized_infantry=1)
    found = {(p.type, s.value) for p, _, s in strengths(GLOBAL, known, "attack", mine)}
    assert {("tactical-bomber", 4), ("mechanized-infantry", 2)} <= found
    alone_with_armor = force("germany", armor=1, tactical_bomber=1, mechanized_infantry=1)
    found = {(p.type, s.value) for p, _, s in strengths(GLOBAL, known, "attack", alone_with_armor)}
    assert len(found & {("tactical-bomber", 4), ("mechanized-infantry", 2)}) == 1


def test_guns_hold_tanks_down() -> None:
    mine, guns = force("germany", armor=3), force("ussr", aa_gun=2)
    assert table(GLOBAL, "attack", mine, guns) == {("armor", 2): 2, ("armor", 3): 1}
    assert table(GLOBAL, "defense", mine, guns) == {("armor", 3): 3}
    assert table(GLOBAL, "attack", force("germany", armor=1), force("ussr", aa_gun=5)) == {("armor", 2): 1}


def test_a_fortification_helps_six_while_it_stands() -> None:
    mine = force("uk", infantry=7, artillery=1)
    with_fort = {**mine, **force("uk", fortification=1)}
    found = table(GLOBAL, "defense", mine, friends=with_fort)
    assert sum(n for (_, value), n in found.items() if value == 3) == 6
    ruined = table(GLOBAL, "defense", mine, friends=with_fort, damage={"fortification": 6})
    assert sum(n for (_, value), n in ruined.items() if value == 3) == 0


def test_marines_from_the_sea() -> None:
    """At 2 when they land, and no higher with artillery: whoever gains nothing by it leaves it to others."""
    shore = next(space.id for space in GLOBAL.spaces.values() if space.is_land and GLOBAL.sea[space.id])
    battle = Battle(shore, "land", "usa")
    zone = GLOBAL.sea[shore][0]
    ashore = {Piece("usa", "marine", origin=zone): 1}
    overland = force("usa", marine=1)
    assert table(GLOBAL, "attack", ashore, battle=battle) == {("marine", 2): 1}
    assert table(GLOBAL, "attack", overland, battle=battle) == {("marine", 1): 1}
    both = {**ashore, **force("usa", infantry=1, artillery=1)}
    assert table(GLOBAL, "attack", both, battle=battle)["infantry", 2] == 1


def test_the_better_of_two_dice() -> None:
    """A heavy bomber's two dice make one hit at most."""
    world = house_world(units={"bomber": {"modifiers_add": [{"role": "attack", "dice": 2, "best": True}]}})
    position = {
        "units": {"germany": {"germany": {"bomber": 1}}, "karelia-ssr": {"ussr": {"infantry": 3}}},
        "turn": "germany",
        "phase": "combat-move",
    }
    game = house_game(world, position, [6, 4, 6, 6, 6, 1, 1, 6, 6])
    game.play("move 1 bomber: germany -> karelia-ssr")
    game.play("end")
    game.play("press")
    rolled = [e for entry in game.entries for e in entry.events if isinstance(e, Rolled) and e.reason == "attack"]
    assert [(e.faces, e.hits) for e in rolled] == [((6, 4), 1), ((1, 1), 1)]


def test_strength_can_depend_on_the_step() -> None:
    """Bombers hit at 1 in an air battle and at 4 afterwards, and loaded ones roll no dice there."""
    world = house_world(
        units={
            "bomber": {
                "modifiers_add": [
                    {"during": ["aa-fire"], "role": "attack", "value": 1},
                    {"during": ["aa-fire"], "only": ["loaded"], "dice": 0},
                ]
            }
        }
    )
    steps = world.battles["land"].steps
    bombers = {Piece("germany", "bomber"): 1, Piece("germany", "bomber", cargo=(Piece("germany", "infantry"),)): 1}
    state = starting_state(world)
    early = Battle("karelia-ssr", "land", "germany", step=steps.index("aa-fire"))
    late = Battle("karelia-ssr", "land", "germany", step=steps.index("attackers-fire"))
    assert [s for _, _, s in in_battle(world, state, early, "attack", bombers)] == [Strength(1), Strength(1, dice=0)]
    assert [s for _, _, s in in_battle(world, state, late, "attack", bombers)] == [Strength(4), Strength(4)]


def test_alone_knows_only_what_always_holds() -> None:
    assert alone(CLASSIC.units["infantry"], "attack") == Strength(1)
    assert alone(GLOBAL.units["marine"], "attack") == Strength(1)
    assert alone(GLOBAL.units["tactical-bomber"], "attack") == Strength(3, picks=1)


def test_no_number_falls_below_nothing() -> None:
    world = house_world(units={"infantry": {"modifiers": [{"units": ["armor"], "enemies": True, "amount": -9}]}})
    found = table(world, "attack", force("germany", armor=2), force("ussr", infantry=1))
    assert found == {("armor", 0): 2}
    assert not any(s.fires for _, _, s in strengths(world, starting_state(world), "attack", {}))


def test_a_modifier_is_for_its_role() -> None:
    world = house_world(units={"bomber": {"modifiers": [{"role": "attack", "dice": 3}]}})
    bombers = force("germany", bomber=1)
    state = starting_state(world)
    assert [s.dice for _, _, s in strengths(world, state, "attack", bombers)] == [3]
    assert [s.dice for _, _, s in strengths(world, state, "defense", bombers)] == [1]


def test_help_never_hurts() -> None:
    """What raises others to 2 leaves alone who hits at 3 already, and is not used up by it."""
    helping = {"modifiers": [{"units": ["armor", "fighter"], "role": "attack", "value": 3, "number": 1}]}
    world = house_world(units={"infantry": helping, "armor": {"attack": 4}, "fighter": {"attack": 1}})
    found = table(world, "attack", force("germany", infantry=2, armor=2, fighter=1))
    assert found == {("infantry", 1): 2, ("armor", 4): 2, ("fighter", 3): 1}
