"""Battles of 1940, whose first round is unlike the others: calculated and played by the engine, they come out alike."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import msgspec
import pytest
from refereed import agree

from sandtable.engine.battle.fire import columns
from sandtable.engine.battle.muster import muster
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Role, Stack, State
from sandtable.notation.orders import AnyOrder
from sandtable.odds import Odds, Retreat, odds, odds_of_battle
from sandtable.odds.answers import Answers
from sandtable.odds.arms import Arms
from sandtable.odds.intentions import Intentions
from sandtable.odds.model import Force
from sandtable.odds.paper import Shore, on_paper
from sandtable.odds.played import QuickDice, fight
from sandtable.odds.position import model_of
from sandtable.world.compile import compile_world

GLOBAL = compile_world("global-1940")
GERMANS_DEFEND = {"attacker_power": "ussr", "defender_power": "germany"}

BATTLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "planes strike once": ("3 infantry, 2 fighter, 1 bomber", "3 infantry, 1 fighter", {}),
    "planes alone": ("2 fighter, 1 tactical-bomber", "2 infantry, 1 fighter", {}),
    "guns hold tanks down": ("2 infantry, 3 armor", "3 infantry, 2 aa-gun", {}),
    "guns fire at planes that still strike": ("3 infantry, 3 fighter", "2 infantry, 2 aa-gun", {}),
    "guns against tanks": (
        "2 infantry, 2 armor, 1 mechanized-infantry",
        "2 infantry, 2 aa-gun, 1 fighter",
        GERMANS_DEFEND,
    ),
    "guns against tanks behind walls": (
        "2 infantry, 2 armor, 1 bomber",
        "1 infantry, 1 aa-gun, 1 fortification",
        GERMANS_DEFEND,
    ),
    "a wall picks its victims": ("5 infantry, 2 artillery, 1 bomber", "2 infantry, 1 fortification", {}),
    "a wall alone": ("4 armor", "1 fortification", {}),
    "tactical bombers pick theirs": ("2 infantry, 2 armor, 3 tactical-bomber", "2 infantry, 1 armor, 1 artillery", {}),
    "pairings": ("3 infantry, 2 artillery, 2 mechanized-infantry", "4 infantry, 1 aa-gun", {}),
    "a landing": (
        "2 infantry, 1 marine, 1 cruiser, 1 battleship",
        "1 infantry, 1 fortification",
        {"attacker_power": "usa"},
    ),
    "heavy bombers": ("2 infantry, 2 bomber", "2 infantry, 1 aa-gun", {"attacker_techs": ["heavy-bombers"]}),
    "tanks beside mechanized infantry": (
        "2 mechanized-infantry, 2 armor, 1 tactical-bomber",
        "3 infantry, 1 fighter",
        {"attacker_techs": ["improved-mechanized-infantry", "heavy-armor"], "defender_techs": ["radar"]},
    ),
    "a retreat": ("3 infantry, 1 fighter", "3 infantry, 1 aa-gun", {"retreat": Retreat(rounds=2)}),
    "a surprise": (
        "2 infantry, 1 fighter",
        "2 infantry, 1 fighter",
        {"kind": "land-surprise", "attacker_power": "japan"},
    ),
}


def both(attack: str, defense: str, runs: int = 250, **options: Any) -> Odds:
    """The exact odds, once they agree with so many battles that were played."""
    found = odds(GLOBAL, attack, defense, method="exact", **options)
    agree(found, odds(GLOBAL, attack, defense, method="play", runs=runs, seconds=None, **options))
    assert sum((found.win, found.draw, found.loss, found.retreat)) == pytest.approx(1)
    return found


@pytest.mark.parametrize("name", BATTLES)
def test_calculated_and_played(name: str) -> None:
    attack, defense, options = BATTLES[name]
    both(attack, defense, **options)


ATTACK = {
    "infantry": 3,
    "artillery": 2,
    "mechanized-infantry": 2,
    "armor": 2,
    "fighter": 2,
    "tactical-bomber": 1,
    "bomber": 1,
}
DEFENSE = {
    "infantry": 3,
    "artillery": 1,
    "armor": 1,
    "fighter": 1,
    "tactical-bomber": 1,
    "aa-gun": 2,
    "fortification": 1,
}
TECHNOLOGIES = (
    "advanced-artillery",
    "radar",
    "heavy-bombers",
    "heavy-armor",
    "improved-mechanized-infantry",
    "fighter-bombers",
)


def some(rng: random.Random, most: dict[str, int]) -> dict[str, int]:
    found = {unit: rng.randint(0, n) for unit, n in most.items() if rng.random() < 0.7}
    return {unit: n for unit, n in found.items() if n}


@pytest.mark.parametrize("number", range(8))
def test_any_land_battle(number: int) -> None:
    rng = random.Random(number)
    attack, defense = some(rng, ATTACK), {"infantry": 1, **some(rng, DEFENSE)}
    landing = {"cruiser": rng.randint(1, 2)} if rng.random() < 0.3 else {}
    options: dict[str, Any] = dict(zip(("attacker_power", "defender_power"), rng.choice(SIDES), strict=True))
    for role in ("attacker", "defender"):
        options[f"{role}_techs"] = [tech for tech in TECHNOLOGIES if rng.random() < 0.2]
        options[f"{role}_order"] = rng.choice(("weakest", "cheapest", "armor, infantry"))
    if rng.random() < 0.3:
        options["retreat"] = rng.choice((Retreat(units=2), Retreat(only_planes=True), Retreat(odds=0.3)))
    forces = {"infantry": 1, **attack, **landing}, defense
    found = odds(GLOBAL, *forces, method="exact", **options)
    if options.get("retreat") != Retreat(odds=0.3):  # played out, a chance is only guessed at
        agree(found, odds(GLOBAL, *forces, method="play", runs=200, seconds=None, **options))
    assert found.neglected < 1e-9
    assert sum(n * p for n, p in enumerate(found.rounds, 1)) == pytest.approx(found.mean_rounds)


SIDES = (("germany", "ussr"), ("ussr", "germany"), ("usa", "japan"), ("italy", "uk"))


# ---------------------------------------------------------------- positions


def invasion(damage: int = 0) -> tuple[State, str]:
    """Two transports have put troops ashore under a fortification."""
    state, space = on_paper(
        GLOBAL,
        "usa",
        (),
        [("germany", "infantry", 1), ("germany", "fortification", 1)],
        at_sea=False,
        shores=[Shore((("infantry", 3), ("armor", 1)))],
    )
    zone = next(piece.origin for piece in state.units[space] if piece.power == "usa")
    crews = (("infantry", "infantry"), ("armor", "infantry"))
    fleet = {Piece("usa", "transport", target=space, ashore=crew): 1 for crew in crews}
    hurt = {space: {"fortification": damage}} if damage else {}
    return msgspec.structs.replace(state, units={**state.units, zone: fleet}, damage=hurt), space


@pytest.mark.parametrize("damage", [0, 4, 6])
def test_a_coast_fires_at_the_fleet(damage: int) -> None:
    state, space = invasion(damage)
    exact = odds_of_battle(GLOBAL, state, space, method="exact")
    agree(exact, odds_of_battle(GLOBAL, state, space, method="play", runs=300, seconds=None))
    if damage < 6:
        drowned = odds_of_battle(GLOBAL, state, space, method="play", runs=1, seconds=None).model.coast
        assert sum(chance for chance, _ in drowned) == pytest.approx(1)
        assert any(any(lost) for _, lost in drowned)


def test_arms_are_those_of_the_engine() -> None:
    """Numbers and dice of a whole force, as the engine's own volley has them."""
    state, space = on_paper(
        GLOBAL,
        "germany",
        (("infantry", 4), ("artillery", 2), ("armor", 3), ("fighter", 1), ("tactical-bomber", 3)),
        [("ussr", "infantry", 7), ("ussr", "aa-gun", 2), ("ussr", "fighter", 1), ("ussr", "fortification", 1)],
        at_sea=False,
    )
    found = muster(GLOBAL, state, space)
    assert found is not None
    model = model_of(GLOBAL, found)
    arms = Arms(model)
    roles: tuple[tuple[Role, Force, Force, Stack], ...] = (
        ("attack", model.attack, model.defense, found.attackers),
        ("defense", model.defense, model.attack, found.defenders),
    )
    for first in (True, False):
        run = Run(GLOBAL, found.state, QuickDice(""))
        run.note(round=1 if first else 2)
        for role, force, enemy, stack in roles:
            asked: Counter[tuple[int, int]] = Counter()
            for shots in arms.fire(role, force.counts, enemy.counts, first=first):
                asked[shots.value, shots.picks] += shots.dice
            volley = Counter({(v, s.picks): 0 for v, column in columns(run, role, stack) for s in column})
            for value, column in columns(run, role, stack):
                for shooter in column:
                    volley[value, shooter.picks] += shooter.dice
            assert asked == volley


def test_guns_that_are_asked_serve_against_tanks() -> None:
    """Whoever has not answered yet does what the engine would do."""
    state, space = on_paper(
        GLOBAL, "ussr", (("armor", 2),), [("germany", "infantry", 1), ("germany", "aa-gun", 2)], at_sea=False
    )
    found = muster(GLOBAL, state, space)
    assert found is not None
    assert {piece.marks for piece in found.defenders if piece.type == "aa-gun"} == {("anti-tank",)}


FOUGHT: dict[str, tuple[str, dict[str, int], dict[str, int]]] = {
    "planes and guns": (
        "germany",
        {"infantry": 3, "armor": 2, "fighter": 3, "tactical-bomber": 2},
        {"infantry": 4, "aa-gun": 2, "fighter": 1},
    ),
    "walls and guns against tanks": (
        "ussr",
        {"infantry": 3, "armor": 3, "bomber": 1},
        {"infantry": 3, "aa-gun": 2, "fortification": 1},
    ),
}


@pytest.mark.parametrize("name", FOUGHT)
def test_odds_in_the_middle_of_a_battle(name: str) -> None:
    """From every question of a battle on, that which enemy is picked among them."""
    power, attack, defense = FOUGHT[name]
    enemy = "ussr" if power == "germany" else "germany"
    state, space = on_paper(
        GLOBAL, power, tuple(attack.items()), [(enemy, unit, n) for unit, n in defense.items()], at_sea=False
    )
    start = muster(GLOBAL, state, space)
    assert start is not None
    answers = Answers(model_of(GLOBAL, start), Intentions())
    moments: list[State] = []

    def reply(run: Run) -> AnyOrder:
        moments.append(run.state)
        return answers.to(run)

    fight(GLOBAL, start.state, QuickDice("a battle"), reply)
    kinds = {moment.questions[0].kind for moment in moments}
    assert {"casualties", "retreat"} <= kinds
    for moment in moments[:5]:
        exact = odds_of_battle(GLOBAL, moment, space, method="exact")
        agree(exact, odds_of_battle(GLOBAL, moment, space, method="play", runs=120, seconds=None))


def test_planes_that_are_left_over_fly_home() -> None:
    """Nobody is lost, nothing is taken, and it is no win for either."""
    found = both("2 bomber", "3 infantry", runs=300)
    assert found.win < 0.01 < found.draw


def test_forty_against_forty() -> None:
    found = odds(
        GLOBAL,
        "15 infantry, 6 artillery, 4 mechanized-infantry, 8 armor, 4 fighter, 2 tactical-bomber, 1 bomber",
        "22 infantry, 5 artillery, 4 armor, 2 aa-gun, 5 fighter, 1 tactical-bomber, 1 fortification",
        method="exact",
    )
    assert found.neglected < 1e-9
    assert sum(found.left("attack")) == pytest.approx(1)
    assert found.survivors(most=5)
