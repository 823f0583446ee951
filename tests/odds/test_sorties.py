"""Sea battles of 1940, calculated and played by the engine: they come out alike."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import numpy as np
import pytest
from refereed import agree

from sandtable.engine.battle.fire import columns
from sandtable.engine.battle.forces import strikers
from sandtable.engine.battle.muster import muster
from sandtable.engine.run import Run
from sandtable.engine.state import Role, Stack, State
from sandtable.notation.orders import AnyOrder
from sandtable.odds import Odds, OddsError, Retreat, odds, odds_of_battle
from sandtable.odds.answers import Answers
from sandtable.odds.arms import FIRE, Arms
from sandtable.odds.fleets import Fleets
from sandtable.odds.intentions import Intentions
from sandtable.odds.known import obstacle
from sandtable.odds.paper import on_paper
from sandtable.odds.played import QuickDice, fight
from sandtable.odds.position import model_of
from sandtable.odds.salvos import Picker, Salvos
from sandtable.world.compile import compile_world

GLOBAL = compile_world("global-1940")

BATTLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "ships": ("2 destroyer, 1 cruiser", "1 destroyer, 1 battleship", {}),
    "ships that take two hits": ("1 battleship, 1 carrier, 1 destroyer", "1 battleship, 1 cruiser", {}),
    "planes strike once": ("1 cruiser, 2 fighter, 1 bomber", "2 destroyer, 1 light-carrier, 1 fighter", {}),
    "planes alone": ("2 fighter, 1 tactical-bomber", "1 destroyer, 1 transport", {}),
    "planes alone defend": ("1 carrier, 1 destroyer", "2 fighter, 1 tactical-bomber", {}),
    "planes pick their victims": (
        "1 cruiser, 1 fighter, 3 tactical-bomber",
        "1 battleship, 1 destroyer, 1 light-carrier, 2 transport",
        {},
    ),
    "picks among ships that take two hits": ("4 tactical-bomber", "2 battleship, 1 destroyer", {}),
    "picks beside hits that spare planes": (
        "3 submarine, 3 tactical-bomber, 1 destroyer",
        "1 destroyer, 1 light-carrier, 2 fighter",
        {},
    ),
    "ships fire at planes": ("1 destroyer, 3 fighter, 2 tactical-bomber", "2 cruiser", {}),
    "submarines strike and dive": ("3 submarine, 1 cruiser", "2 submarine, 1 cruiser, 1 battleship", {}),
    "submarines are hunted": ("2 submarine, 1 cruiser", "1 submarine, 2 destroyer", {}),
    "boats stay for transports": ("3 submarine", "1 submarine, 1 cruiser, 2 transport", {}),
    "boats stay for transports that attack": ("1 destroyer, 2 transport", "2 submarine", {}),
    "boats dive at once": ("1 cruiser, 2 fighter", "2 submarine, 1 cruiser", {"defender_submarines": "leave"}),
    "planes cannot see boats": ("2 fighter, 1 cruiser", "1 submarine, 1 cruiser", {}),
    "transports": ("1 destroyer, 2 transport, 1 fighter", "2 destroyer, 1 transport", {}),
    "nobody can hit anybody": (
        "1 cruiser, 1 fighter, 1 transport",
        "1 cruiser, 1 fighter, 1 transport",
        {"attacker_order": "cruiser, fighter", "defender_order": "cruiser, fighter"},
    ),
    "decks of damaged carriers": ("3 destroyer, 1 cruiser", "1 carrier, 3 fighter, 1 tactical-bomber", {}),
    "land near by": ("3 destroyer, 1 cruiser", "1 carrier, 2 fighter", {"shelter": True}),
    "destroyers that hit boats more easily": (
        "2 destroyer, 1 submarine",
        "3 submarine, 1 destroyer",
        {"attacker_techs": ["improved-asw"]},
    ),
    "a retreat": ("2 destroyer, 1 submarine, 1 fighter", "2 destroyer, 1 cruiser", {"retreat": Retreat(rounds=2)}),
    "few are left": ("3 destroyer, 1 fighter", "2 destroyer, 1 cruiser", {"retreat": Retreat(units=3)}),
    "transports behind a boat": ("1 cruiser", "1 submarine, 2 transport", {}),
    "transports when planes have struck": ("2 fighter", "1 cruiser, 2 transport", {}),
    "a surprise": (
        "2 submarine, 1 destroyer, 1 fighter, 2 tactical-bomber",
        "1 battleship, 2 destroyer, 1 cruiser",
        {"kind": "sea-surprise", "attacker_power": "japan"},
    ),
}


def both(attack: Any, defense: Any, runs: int = 250, **options: Any) -> Odds:
    """The exact odds, once they agree with so many battles that were played."""
    found = odds(GLOBAL, attack, defense, method="exact", **options)
    agree(found, odds(GLOBAL, attack, defense, method="play", runs=runs, seconds=None, **options))
    assert sum((found.win, found.draw, found.loss, found.retreat)) == pytest.approx(1)
    assert sum(n * p for n, p in enumerate(found.rounds, 1)) == pytest.approx(found.mean_rounds)
    assert found.neglected < 1e-9
    return found


@pytest.mark.parametrize("name", BATTLES)
def test_calculated_and_played(name: str) -> None:
    attack, defense, options = BATTLES[name]
    both(attack, defense, **options)


FLEET = {
    "submarine": 3,
    "destroyer": 2,
    "cruiser": 2,
    "light-carrier": 1,
    "carrier": 1,
    "battleship": 1,
    "transport": 2,
    "fighter": 2,
    "tactical-bomber": 2,
}
TECHNOLOGIES = ("super-submarines", "heavy-bombers", "improved-asw", "improved-shipyards", "fighter-bombers")


def some(rng: random.Random, most: dict[str, int]) -> dict[str, int]:
    found = {unit: rng.randint(0, n) for unit, n in most.items() if rng.random() < 0.6}
    return {unit: n for unit, n in found.items() if n}


@pytest.mark.parametrize("number", range(8))
def test_any_sea_battle(number: int) -> None:
    rng = random.Random(number)
    attack, defense = {"destroyer": 1, **some(rng, FLEET | {"bomber": 1})}, {"cruiser": 1, **some(rng, FLEET)}
    options: dict[str, Any] = {"kind": rng.choice(("sea", "sea", "sea-surprise"))}
    for role in ("attacker", "defender"):
        options[f"{role}_techs"] = [tech for tech in TECHNOLOGIES if rng.random() < 0.2]
        options[f"{role}_order"] = rng.choice(("weakest", "cheapest", "destroyer, fighter"))
        options[f"{role}_submarines"] = rng.choice(("stay", "leave"))
    if rng.random() < 0.3:
        options["retreat"] = rng.choice((Retreat(units=2), Retreat(only_planes=True), Retreat(rounds=1)))
    both(attack, defense, runs=200, **options)


# ---------------------------------------------------------------- what can be worked out by hand


def test_low_faces_of_submarines_are_followed_by_another_die() -> None:
    found = odds(GLOBAL, "3 submarine", "2 cruiser", method="exact")
    one = 1 / 6 + 1 / 6 * 2 / 3  # exactly one hit of one boat
    missed, hit = (2 / 3) ** 3, 3 * (2 / 3) ** 2 * one
    assert found.left("defense") == pytest.approx([1 - missed - hit, hit, missed])


def test_destroyers_fire_once_more_at_boats_that_dive() -> None:
    found = odds(GLOBAL, "1 destroyer", "1 submarine", method="exact")
    assert found.left("defense")[0] == pytest.approx(1 / 3 + 2 / 3 * 5 / 6 * 1 / 3)
    assert found.left("attack")[0] == pytest.approx(1 / 6)
    sharper = odds(GLOBAL, "1 destroyer", "1 submarine", method="exact", attacker_techs=["improved-asw"])
    assert sharper.left("defense")[0] == pytest.approx(1 / 2 + 1 / 2 * 5 / 6 * 1 / 2)


def test_a_damaged_carrier_takes_no_planes() -> None:
    """One hit on the carrier, and the fighters that the enemy could not reach are lost all the same."""
    found = odds(GLOBAL, "1 submarine", "1 carrier, 2 fighter", method="exact")
    assert found.left("defense") == pytest.approx([1 / 18, 5 / 18, 0, 2 / 3])


def test_no_hope_is_no_fight() -> None:
    """Who wants nearly certain odds breaks off after the first round of any battle that goes on."""
    forces = "2 destroyer, 1 fighter", "1 cruiser, 1 destroyer"
    picky = odds(GLOBAL, *forces, method="exact", retreat=Retreat(odds=0.9999))
    brief = odds(GLOBAL, *forces, method="exact", retreat=Retreat(rounds=1))
    assert picky.survivors() == brief.survivors()
    bold = odds(GLOBAL, *forces, method="exact", retreat=Retreat(odds=1e-9))
    never = odds(GLOBAL, *forces, method="exact")
    assert bold.win == pytest.approx(never.win)
    careful = odds(GLOBAL, *forces, method="exact", retreat=Retreat(odds=0.5))
    assert 0 < careful.retreat < brief.retreat
    assert careful.win < never.win


# ---------------------------------------------------------------- the engine's own word


def test_salvos_are_those_of_the_engine() -> None:
    """Numbers, dice and aims of a whole fleet, as the engine's own volley has them."""
    state, space = on_paper(
        GLOBAL,
        "japan",
        (("submarine", 2), ("destroyer", 1), ("cruiser", 2), ("fighter", 2), ("tactical-bomber", 3), ("battleship", 1)),
        [("usa", "submarine", 1), ("usa", "carrier", 1), ("usa", "fighter", 2), ("usa", "destroyer", 1)],
        at_sea=True,
    )
    start = muster(GLOBAL, state, space)
    assert start is not None
    model = model_of(GLOBAL, start)
    fleets, arms = Fleets(model, Intentions()), Arms(model)
    roles: tuple[tuple[Role, Stack, Stack], ...] = (
        ("attack", start.attackers, start.defenders),
        ("defense", start.defenders, start.attackers),
    )
    for first in (True, False):
        salvos = Salvos(fleets, arms, first=first)
        run = Run(GLOBAL, start.state, QuickDice(""))
        run.note(round=1 if first else 2, step=model.steps.index("attackers-fire"))
        for role, stack, enemies in roles:
            early = strikers(GLOBAL, start.state, role, stack, enemies)
            firing = {p: n for p, n in stack.items() if p not in early}
            fired: dict[str, float] = {"hits": 0.0, "picked": 0.0}
            for value, column in columns(run, role, firing):
                for shooter in column:
                    once_more = 1 - shooter.again / 6
                    fired["hits"] += shooter.dice * (value - min(shooter.picks, value)) / 6 / once_more
                    fired["picked"] += shooter.dice * min(shooter.picks, value) / 6
            salvo = salvos.salvo(role, 0, ~0, FIRE[role])
            axes = [
                salvo.chances.sum(axis=tuple(a for a in range(salvo.chances.ndim) if a != axis))
                for axis in range(salvo.chances.ndim)
            ]
            mean = [sum(n * p for n, p in enumerate(axis.tolist())) for axis in axes]
            assert mean[-1] == pytest.approx(fired["picked"])
            assert sum(mean[:-1]) == pytest.approx(fired["hits"], rel=0.02)  # more than there are targets is left out


def test_an_enemy_picks_what_wastes_no_hit() -> None:
    """One hit of a submarine, which spares planes, and one that may be placed at will."""
    state, space = on_paper(
        GLOBAL,
        "japan",
        (("submarine", 1), ("tactical-bomber", 1)),
        [("usa", "cruiser", 1), ("usa", "fighter", 1)],
        at_sea=True,
    )
    start = muster(GLOBAL, state, space)
    assert start is not None
    fleets = Fleets(model_of(GLOBAL, start), Intentions())
    front = fleets.defense.front
    cruiser, fighter = (next(k for k, kind in enumerate(front.kinds) if kind.unit == u) for u in ("cruiser", "fighter"))
    picker = Picker(front, [cruiser, fighter])
    ships, all_of_them = 1 << cruiser, 1 << cruiser | 1 << fighter
    picked = picker.pick(np.array([0, 0]), [np.array([0, 1])], [ships], np.array([1, 1]), all_of_them).tolist()
    left = [{front.kinds[k].unit for k, n in enumerate(front.states[state][0]) if n} for state in picked]
    assert left == [{"fighter"}, {"cruiser"}]


# ---------------------------------------------------------------- positions

FOUGHT: dict[str, tuple[str, str, dict[str, int], dict[str, int]]] = {
    "boats and planes": (
        "germany",
        "uk",
        {"submarine": 3, "cruiser": 1, "battleship": 1, "fighter": 2, "tactical-bomber": 2, "transport": 1},
        {"submarine": 2, "cruiser": 2, "carrier": 1, "fighter": 2, "transport": 2},
    ),
    "destroyers and picked victims": (
        "japan",
        "usa",
        {"destroyer": 2, "cruiser": 2, "battleship": 1, "fighter": 2, "tactical-bomber": 3, "submarine": 1},
        {"submarine": 2, "destroyer": 2, "carrier": 1, "fighter": 2, "battleship": 1},
    ),
}


@pytest.mark.parametrize("name", FOUGHT)
def test_odds_in_the_middle_of_a_battle(name: str) -> None:
    """From every kind of question on that comes up in a battle."""
    power, enemy, attack, defense = FOUGHT[name]
    state, space = on_paper(
        GLOBAL, power, tuple(attack.items()), [(enemy, unit, n) for unit, n in defense.items()], at_sea=True
    )
    start = muster(GLOBAL, state, space)
    assert start is not None
    answers = Answers(model_of(GLOBAL, start), Intentions())
    moments: dict[tuple[bool, int, str], State] = {}

    def reply(run: Run) -> AnyOrder:
        battle, asked = run.battle, run.state.questions[0]
        moments.setdefault((battle.round > 1, battle.step, asked.kind), run.state)
        return answers.to(run)

    fight(GLOBAL, start.state, QuickDice("x0"), reply)
    assert {"casualties", "target", "retreat"} <= {kind for _, _, kind in moments}
    for moment in moments.values():
        exact = odds_of_battle(GLOBAL, moment, space, method="exact")
        agree(exact, odds_of_battle(GLOBAL, moment, space, method="play", runs=100, seconds=None))


def test_planes_on_a_friends_carrier() -> None:
    """They fight, unless it was damaged before: then they are cargo, which the calculator does not follow."""
    state, space = on_paper(
        GLOBAL, "japan", (("destroyer", 3),), [("uk", "carrier", 1), ("usa", "fighter", 2)], at_sea=True
    )
    exact = odds_of_battle(GLOBAL, state, space, method="exact")
    agree(exact, odds_of_battle(GLOBAL, state, space, method="play", runs=300, seconds=None))
    here = {msgspec.structs.replace(p, hits=int(p.type == "carrier")): n for p, n in state.units[space].items()}
    state = msgspec.structs.replace(state, units={**state.units, space: here})
    with pytest.raises(OddsError, match="caught on a damaged carrier"):
        odds_of_battle(GLOBAL, state, space, method="exact")


def test_what_cannot_be_calculated_says_so() -> None:
    """A boat that has stayed: the rules know of none in a second round."""
    state, space = on_paper(
        GLOBAL, "japan", (("destroyer", 2),), [("usa", "submarine", 1), ("usa", "cruiser", 1)], at_sea=True
    )
    start = muster(GLOBAL, state, space)
    assert start is not None
    assert obstacle(model_of(GLOBAL, start), start) is None
    late = msgspec.structs.replace(start.battle, round=2, step=0)
    state = msgspec.structs.replace(start.state, battle=late)
    found = odds_of_battle(GLOBAL, state, space, runs=20)
    assert not found.exact
    assert "submarines are still there" in found.why


def test_whole_fleets() -> None:
    fleet = "5 submarine, 5 destroyer, 2 cruiser, 3 carrier, 6 fighter, 3 battleship, 5 transport"
    found = odds(GLOBAL, fleet, fleet, method="exact")
    assert found.neglected < 1e-9
    assert sum(found.left("attack")) == pytest.approx(1)
    assert found.survivors(most=5)
