"""The exact solvers against each other and against the engine's own way to settle hits."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.engine.battle.hits import assignable
from sandtable.engine.battle.muster import muster
from sandtable.engine.state import Hits
from sandtable.odds import Odds, Retreat, exact, hits, odds, walk
from sandtable.odds.fleets import Fleet
from sandtable.odds.front import Front
from sandtable.odds.losses import Wanted
from sandtable.odds.model import BattleModel
from sandtable.odds.paper import on_paper
from sandtable.odds.position import model_of
from sandtable.odds.replies import Replies
from sandtable.world.compile import compile_world

CLASSIC = compile_world("classic-1942")
ANNIVERSARY = compile_world("anniversary-1942")
NAVY = ["submarine", "destroyer", "cruiser", "carrier", "fighter", "battleship", "transport"]


def figures(result: Odds) -> list[float]:
    return [result.win, result.draw, result.loss, result.retreat, result.mean_rounds, *result.expected_losses]


# ------------------------------------------------------------ tables of hits


@pytest.mark.parametrize("value", [0, 1, 4, 6, 9])
@pytest.mark.parametrize("dice", [0, 1, 2, 7, 130, 400])
def test_binomial_distributions(dice: int, value: int) -> None:
    hits.forget()
    chance = min(value, 6) / 6
    expected = [math.comb(dice, n) * chance**n * (1 - chance) ** (dice - n) for n in range(dice + 1)]
    assert hits.binomial(dice, value, 6) == pytest.approx(expected, rel=1e-12, abs=2 * hits.VANISHING)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 5)] * 4), min_size=1, max_size=30))
def test_tables_of_hits_agree_with_volleys_one_by_one(rows: list[tuple[int, ...]]) -> None:
    kinds = [(1, 1), (1, 3), (2, 4), (1, 3)]  # two of them hit alike
    table = hits.table(np.array(rows, dtype=np.intp), kinds, 6)
    most = hits.most_hits(table)
    for row, line in zip(rows, table, strict=True):
        alone = hits.volley([(n * dice, value) for n, (dice, value) in zip(row, kinds, strict=True)], 6)
        expected = np.zeros(most + 1)
        expected[: len(alone)] = alone
        assert line[: most + 1] == pytest.approx(expected)
        assert line[most + 1] == 0.0
        assert line[most + 2 :] == pytest.approx([expected[n:].sum() for n in range(most + 1)])


# ------------------------------------------------------------ along lines


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [
        ("12 infantry, 6 armor, 3 fighter, 2 bomber", "15 infantry, 4 armor, 2 fighter, 1 aa-gun"),
        ("60 infantry, 10 armor", "50 infantry, 5 fighter"),
        ("40 fighter, 30 bomber", "60 infantry, 1 aa-gun"),
        ("8 battleship, 4 carrier, 8 fighter, 40 transport", "6 battleship, 50 transport"),
    ],
)
def test_lines_give_what_the_general_way_gives(monkeypatch: Any, attackers: str, defenders: str) -> None:
    quick = odds(CLASSIC, attackers, defenders)
    taken: list[bool] = []
    found = exact.Exact.lines

    def none(self: exact.Exact) -> None:
        taken.append(found.func(self) is not None)

    monkeypatch.setattr(exact.Exact, "lines", property(none))
    plain = odds(CLASSIC, attackers, defenders)
    assert any(taken), "this battle does not go along lines, so the test compares nothing"
    assert figures(quick) == pytest.approx(figures(plain), rel=1e-9, abs=1e-9)
    assert quick.rounds == pytest.approx(plain.rounds, abs=1e-9)
    assert quick.neglected < 1e-9
    ends = {(repr(e.attackers), repr(e.defenders), e.result): e.chance for e in plain.survivors(most=200)}
    for end in quick.survivors(most=100):
        key = repr(end.attackers), repr(end.defenders), end.result
        assert end.chance == pytest.approx(ends[key], rel=1e-6)


def test_many_lines_are_exact_and_agree_with_dice() -> None:
    """Each plane has an AA die of its own, so that 55 different forces go on behind the gun."""
    forces = (
        "60 infantry, 30 armor, 10 fighter, 4 bomber",
        "70 infantry, 15 armor, 10 fighter, 1 aa-gun",
    )
    found = odds(ANNIVERSARY, *forces)
    assert found.exact
    assert found.cells > exact.LARGEST_GRID
    assert found.neglected < 1e-9
    thrown = odds(ANNIVERSARY, *forces, method="play", runs=400, seconds=None, seed=3)
    error = math.sqrt(found.win * (1 - found.win) / 400)
    assert thrown.win == pytest.approx(found.win, abs=4 * error)
    assert thrown.expected_losses == pytest.approx(found.expected_losses, rel=0.06)


# ------------------------------------------------------------ volleys that spare something


@pytest.mark.parametrize(
    ("attackers", "defenders"),
    [
        ("8 transport, 3 submarine, 4 fighter, 2 battleship, 2 carrier", "6 submarine, 3 transport, 2 battleship"),
        ("60 transport, 3 fighter, 1 bomber", "5 submarine, 40 transport"),
        ("6 submarine, 2 battleship, 2 carrier, 3 fighter", "2 submarine, 1 carrier, 2 fighter, 1 battleship"),
    ],
)
def test_volleys_count_as_one_where_it_does_not_matter_who_hits(
    monkeypatch: Any, attackers: str, defenders: str
) -> None:
    together: list[bool] = []
    found: Any = vars(Replies)["_together"]

    def one(self: Replies) -> Any:
        together.append(True)
        return found.func(self)

    monkeypatch.setattr(Replies, "_together", property(one))
    quick = odds(CLASSIC, attackers, defenders)
    assert together, "no volleys were taken together, so the test compares nothing"
    monkeypatch.setattr(Replies, "_alike", property(lambda self: np.full(len(self.fires[0].one_hit), -1)))
    plain = odds(CLASSIC, attackers, defenders)
    assert figures(quick) == pytest.approx(figures(plain), rel=1e-9, abs=1e-9)
    assert quick.rounds == pytest.approx(plain.rounds, abs=1e-9)


# ------------------------------------------------------------ fleets


def fleet_model(attack: dict[str, int], defense: dict[str, int], order: Wanted = "weakest") -> BattleModel:
    theirs = [("uk", unit, n) for unit, n in defense.items()]
    state, space = on_paper(ANNIVERSARY, "germany", tuple(attack.items()), theirs, at_sea=True)
    return model_of(ANNIVERSARY, muster(ANNIVERSARY, state, space, "sea"), attacker_order=order)


def given_one_by_one(model: BattleModel, hits_scored: tuple[Hits, ...]) -> tuple[int, ...]:
    """Along the order, every unit that the engine lets one of the hits be given to."""
    left, chosen = list(model.attack.counts), Counter[str]()
    for kind in model.attack.order:
        more = chosen + Counter({model.attack.kinds[kind].unit: 1})
        if more.total() <= sum(h.count for h in hits_scored) and assignable(ANNIVERSARY, hits_scored, more):
            left[kind] -= 1
            chosen = more
    return tuple(left)


FLEET = st.fixed_dictionaries({unit: st.integers(0, 3) for unit in NAVY}).filter(lambda units: any(units.values()))


@settings(max_examples=60, deadline=None)
@given(
    fleet=FLEET,
    scored=st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)),
    order=st.sampled_from(["weakest", "cheapest", "fighter, 1 submarine, destroyer, 1 transport, submarine"]),
)
def test_hits_are_settled_as_in_the_engine(fleet: dict[str, int], scored: tuple[int, int, int], order: str) -> None:
    """Hits of submarines spare planes, hits of planes spare submarines, others strike anything."""
    model = fleet_model(fleet, {"cruiser": 1}, order)
    ours = Fleet(model, "attack")
    spared: list[tuple[str, ...]] = [("air",), ("submarine",), ()]
    groups = [
        sum(1 << k for k, kind in enumerate(ours.front.kinds) if kind.unit not in safe and kind.domain not in safe)
        for safe in spared
    ]
    state = ours.front.states[0]
    numbers = [np.array([n]) for n in scored]
    after = ours.settler.after(np.array([0]), numbers, groups)
    hits_scored = tuple(Hits(n, safe) for n, safe in zip(scored, spared, strict=True) if n)  # type: ignore[arg-type]
    expected = given_one_by_one(model, hits_scored), state[1]
    assert ours.front.states[int(after[0])] == expected
    assert Front(model.attack).after_hits(state, hits_scored) == expected


def test_many_rounds_are_held_in_the_last_bin(monkeypatch: Any) -> None:
    def battle() -> Odds:
        return odds(
            ANNIVERSARY,
            "2 submarine, 1 cruiser, 1 fighter, 1 transport",
            "1 submarine, 1 cruiser, 1 destroyer, 1 carrier, 1 transport",
            attacker_submarines="leave",
        )

    every = battle()
    monkeypatch.setattr(walk, "MOST_ROUNDS", 3)
    few = battle()
    assert len(few.rounds) < len(every.rounds)
    assert sum(few.rounds) == pytest.approx(1.0)
    assert figures(few) == pytest.approx(figures(every))


@pytest.mark.parametrize(
    "options",
    [{}, {"attacker_submarines": "leave", "defender_submarines": "leave"}, {"retreat": Retreat(rounds=2)}],
)
def test_a_mixed_fleet_by_chance_and_exactly(options: dict[str, Any]) -> None:
    attackers = "4 submarine, 3 destroyer, 2 carrier, 4 fighter, 2 battleship, 2 cruiser, 3 transport"
    defenders = "3 submarine, 4 destroyer, 2 carrier, 4 fighter, 2 battleship, 1 cruiser, 4 transport"
    whole = odds(ANNIVERSARY, attackers, defenders, **options)
    assert whole.exact
    assert whole.neglected < 1e-9
    drawn = odds(ANNIVERSARY, attackers, defenders, method="play", runs=500, seconds=None, seed=3, **options)
    assert not drawn.exact
    for name in ("win", "draw", "loss", "retreat"):
        assert getattr(drawn, name) == pytest.approx(getattr(whole, name), abs=0.09)
    assert drawn.mean_rounds == pytest.approx(whole.mean_rounds, rel=0.06)
    assert drawn.expected_losses == pytest.approx(whole.expected_losses, rel=0.06)


def test_fleets_beyond_counting_are_played_out_and_say_so() -> None:
    huge = ", ".join(f"30 {unit}" for unit in NAVY)
    found = odds(ANNIVERSARY, huge, huge, runs=5, seconds=None)
    assert found.method == "played out"
    assert found.runs == 5
    assert "too many states" in found.why


def test_retreat_by_odds_is_the_chance_from_there_on() -> None:
    """With one cruiser left on each side the attacker's chance is known, so is whether it breaks off."""
    duel = odds(ANNIVERSARY, "1 cruiser, 1 submarine", "1 cruiser, 1 destroyer")
    stays = odds(ANNIVERSARY, "1 cruiser, 1 submarine", "1 cruiser, 1 destroyer", retreat=Retreat(odds=1e-9))
    leaves = odds(ANNIVERSARY, "1 cruiser, 1 submarine", "1 cruiser, 1 destroyer", retreat=Retreat(odds=1.0))
    assert figures(stays) == pytest.approx(figures(duel))
    after_one = odds(ANNIVERSARY, "1 cruiser, 1 submarine", "1 cruiser, 1 destroyer", retreat=Retreat(rounds=1))
    assert figures(leaves) == pytest.approx(figures(after_one))
