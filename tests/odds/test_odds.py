"""Figures, options and refusals of the calculator."""

from __future__ import annotations

import doctest
import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sandtable.odds
from sandtable.errors import NotationError, SandtableError
from sandtable.odds import OddsError, Retreat, odds, parse_battle, raid_odds, read, report
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.model import World

WORLD = compile_world("classic-1942")

REFERENCE = [
    ("30 infantry, 15 armor, 6 fighter vs 40 infantry, 8 armor, 6 fighter", 9.7, 0.2, 90.1),
    ("60 infantry, 30 armor, 10 fighter, 4 bomber vs 70 infantry, 15 armor, 10 fighter, 1 aa-gun", 75.4, 0.3, 24.2),
    ("4 infantry, 2 armor, 2 fighter, 2 battleship vs 5 infantry, 1 fighter", 95.2, 1.0, 3.7),
    ("1 battleship, 1 transport vs 1 submarine, 1 transport", 65.1, 13.1, 21.8),
    (
        "2 battleship, 1 carrier, 2 fighter, 3 submarine, 2 transport vs "
        "1 battleship, 2 submarine, 2 transport, 1 carrier, 2 fighter",
        80.3,
        3.1,
        16.6,
    ),
    ("6 submarine, 4 fighter, 2 bomber vs 2 battleship, 2 carrier, 4 fighter, 4 transport", 41.0, 3.6, 55.4),
    (
        "8 battleship, 5 carrier, 10 fighter, 15 submarine, 10 transport vs "
        "8 battleship, 5 carrier, 10 fighter, 12 submarine, 15 transport",
        8.3,
        0.3,
        91.4,
    ),
]


def of(text: str, **options: Any) -> sandtable.odds.Odds:
    return odds(WORLD, *parse_battle(text, WORLD), **options)


@pytest.mark.parametrize(("text", "win", "draw", "loss"), REFERENCE)
def test_figures_of_another_calculator(text: str, win: float, draw: float, loss: float) -> None:
    """Simulated elsewhere, with an error of about half a per cent."""
    result = of(text)
    assert result.exact
    assert result.neglected < 1e-9
    assert (100 * result.win, 100 * result.draw, 100 * result.loss) == pytest.approx((win, draw, loss), abs=0.5)


def test_one_against_one_by_hand() -> None:
    """Infantry hits with 1/6 and is hit with 2/6: eight ninths... worked out on paper."""
    result = of("1 infantry vs 1 infantry")
    ends = 1 - 5 / 6 * 4 / 6  # a round that decides something
    assert result.win == pytest.approx(1 / 6 * 4 / 6 / ends)
    assert result.draw == pytest.approx(1 / 6 * 2 / 6 / ends)
    assert result.loss == pytest.approx(5 / 6 * 2 / 6 / ends)
    assert result.mean_rounds == pytest.approx(1 / ends)
    assert result.rounds[:2] == pytest.approx((ends, ends * (1 - ends)))
    lost = 3 * (result.draw + result.loss), 3 * (result.draw + result.win)
    assert result.expected_losses == pytest.approx(lost)
    assert result.swing == pytest.approx(lost[1] - lost[0])
    assert result.take_and_hold() == pytest.approx(result.win)
    assert result.take_and_hold(2) == 0


def test_planes_cannot_take_land_and_a_kept_unit_can() -> None:
    text = "2 infantry, 3 fighter vs 3 infantry"
    loose, kept = of(text), of(text, keep_land=1)
    assert loose.take_and_hold() < loose.win
    assert kept.take_and_hold() > loose.take_and_hold()
    assert kept.win < loose.win
    assert kept.take_and_hold(2) < kept.take_and_hold(1)
    two = of(text, keep_land=2)
    assert two.take_and_hold(2) > kept.take_and_hold(2)


def test_orders_of_loss() -> None:
    text = "4 infantry, 2 armor, 1 fighter vs 4 infantry, 1 fighter"
    assert of(text).win > of(text, attacker_order=["fighter", "armor", "infantry"]).win
    part = of(text, attacker_order="2 infantry, fighter, infantry, armor")
    assert of(text, attacker_order=["fighter"]).win < part.win < of(text).win
    assert of(text, defender_order="fighter").win > of(text).win
    sea = "2 carrier, 2 fighter, 4 submarine vs 2 transport, 1 submarine"
    weak, cheap = of(sea), of(sea, attacker_order="cheapest")
    assert weak.win > cheap.win
    assert weak.expected_losses[0] > cheap.expected_losses[0]


@pytest.mark.parametrize("text", [t for t, *_ in REFERENCE[2:6]] + ["3 infantry, 2 fighter vs 2 infantry, 1 aa-gun"])
def test_the_figures_fit_together(text: str) -> None:
    result = of(text)
    ends = result.survivors()
    assert sum(end.chance for end in ends) == pytest.approx(1)
    assert ends == sorted(ends, key=lambda end: -end.chance)
    for name in ("win", "draw", "loss"):
        assert sum(e.chance for e in ends if e.result == name) == pytest.approx(getattr(result, name))
    for side, index in (("attack", 0), ("defense", 1)):
        force = getattr(result.model, side)
        worth = {k.unit: k.worth for k in force.kinds}
        had = dict(zip([k.unit for k in force.kinds], force.counts, strict=True))
        left = [(end.chance, end.attackers if side == "attack" else end.defenders) for end in ends]
        lost = {u: sum(p * (n - units.get(u, 0)) for p, units in left) for u, n in had.items()}
        assert result.losses_by_type[index] == pytest.approx(lost)
        assert result.expected_losses[index] == pytest.approx(sum(worth[u] * n for u, n in lost.items()))
        counted = [0.0] * (sum(had.values()) + 1)
        for p, units in left:
            counted[sum(units.values())] += p
        assert result.left(side) == pytest.approx(counted[: len(result.left(side))])  # type: ignore[arg-type]
    assert sum(result.rounds) == pytest.approx(1)
    assert sum(i * p for i, p in enumerate(result.rounds, 1)) == pytest.approx(result.mean_rounds)
    assert result.survivors(at_least=ends[1].chance) == ends[:2]


forces = st.fixed_dictionaries(
    {}, optional={u: st.integers(1, 4) for u in ("infantry", "armor", "fighter", "bomber")}
).filter(bool)
fleets = st.fixed_dictionaries(
    {}, optional={u: st.integers(1, 3) for u in ("transport", "submarine", "carrier", "fighter", "battleship")}
).filter(bool)
plans = st.fixed_dictionaries(
    {},
    optional={
        "retreat": st.builds(
            Retreat,
            rounds=st.sampled_from((None, 1, 3)),
            units=st.integers(0, 4),
            only_planes=st.booleans(),
            odds=st.sampled_from((0.0, 0.4)),
        ),
        "attacker_submarines": st.sampled_from(("stay", "leave")),
        "defender_submarines": st.sampled_from(("stay", "leave")),
        "attacker_order": st.sampled_from(("weakest", "cheapest", "fighter")),
        "keep_land": st.integers(0, 2),
        "attacker_techs": st.sampled_from(((), ("heavy-bombers", "super-submarines"))),
    },
)


@settings(max_examples=60)
@given(st.one_of(st.tuples(forces, forces), st.tuples(fleets, fleets)), plans, st.booleans())
def test_chances_always_add_up(sides: tuple[dict[str, int], dict[str, int]], plan: dict[str, Any], gun: bool) -> None:
    attackers, defenders = sides
    if gun and not {"transport", "submarine", "carrier", "battleship"} & {*attackers, *defenders}:
        defenders = {**defenders, "aa-gun": 1}
    sea = bool({"transport", "submarine", "carrier", "battleship"} & {*attackers, *defenders})
    result = odds(WORLD, attackers, defenders, kind="sea" if sea else "land", **plan)
    assert result.win + result.draw + result.loss + result.retreat == pytest.approx(1)
    assert sum(end.chance for end in result.survivors()) == pytest.approx(1)
    assert sum(result.rounds) == pytest.approx(1)
    assert sum(i * p for i, p in enumerate(result.rounds, 1)) == pytest.approx(result.mean_rounds)
    assert all(p >= -1e-15 for p in result.left("attack"))
    more = odds(WORLD, attackers, {**defenders, "fighter": defenders.get("fighter", 0) + 1}, kind=result.model.kind)
    assert more.win <= odds(WORLD, attackers, defenders, kind=result.model.kind).win + 1e-9


# ---------------------------------------------------------------- retreat


def test_retreat_by_odds() -> None:
    text = "6 infantry, 2 armor vs 6 infantry, 1 fighter"
    never, rarely, soon = of(text), of(text, retreat=Retreat(odds=0.1)), of(text, retreat=Retreat(odds=0.6))
    assert never.retreat == 0
    assert 0 < rarely.retreat < soon.retreat
    assert soon.win < rarely.win <= never.win
    assert rarely.expected_losses[0] < never.expected_losses[0]
    hopeless = of("1 infantry vs 10 infantry", retreat=Retreat(odds=0.5))
    assert hopeless.rounds == pytest.approx((1.0,))
    assert hopeless.retreat == pytest.approx((5 / 6 + 1 / 6) * (4 / 6) ** 10)


def test_retreat_after_rounds_ends_the_battle() -> None:
    result = of("20 infantry vs 20 infantry", retreat=Retreat(rounds=2))
    assert result.rounds == pytest.approx((0.0, 1.0), abs=1e-8)
    assert 0.99 < result.retreat < 1.0
    assert result.mean_rounds == pytest.approx(2.0)


def test_landed_troops_do_not_retreat() -> None:
    landing = of("3 infantry, 1 fighter, 1 battleship vs 5 infantry", retreat=Retreat(rounds=1))
    assert all(end.attackers == {"fighter": 1} for end in landing.survivors() if end.result == "retreat")
    assert landing.retreat < 0.2  # troops all dead in the first round, the plane alive
    overland = of("3 infantry, 1 fighter vs 5 infantry", retreat=Retreat(rounds=1))
    assert overland.retreat > 0.9
    planes = sum(end.chance for end in landing.survivors() if end.result == "loss" and end.attackers == {"fighter": 1})
    assert planes > 0.5


@pytest.mark.parametrize("retreat", [Retreat(rounds=0), Retreat(units=-1), Retreat(odds=1.5)])
def test_retreats_that_make_no_sense(retreat: Retreat) -> None:
    with pytest.raises(OddsError):
        of("1 infantry vs 1 infantry", retreat=retreat)


# ---------------------------------------------------------------- steps, editions, edits


def _with_steps(steps: tuple[str, ...]) -> World:
    return msgspec.structs.replace(
        WORLD, battles={**WORLD.battles, "land": msgspec.structs.replace(WORLD.battles["land"], steps=steps)}
    )


def test_a_step_that_does_not_exist_is_told() -> None:
    world = _with_steps(("tactical-air-battle", *WORLD.battles["land"].steps))
    with pytest.raises(OddsError, match="no step called 'tactical-air-battle'"):
        odds(world, "1 infantry", "1 infantry")


def test_the_steps_of_the_world_are_fought() -> None:
    """Without AA fire and support in the list, neither happens."""
    plain = _with_steps(tuple(s for s in WORLD.battles["land"].steps if s not in ("aa-fire", "support-shot")))
    with_gun = odds(plain, "2 infantry, 2 fighter, 2 battleship", "3 infantry, 1 aa-gun")
    assert with_gun.win == pytest.approx(odds(plain, "2 infantry, 2 fighter", "3 infantry").win)
    assert with_gun.win != pytest.approx(of("2 infantry, 2 fighter, 2 battleship vs 3 infantry, 1 aa-gun").win)


def test_edits_change_the_odds() -> None:
    edited = compile_world("classic-1942", None, parse_edits({"units": {"germany": {"infantry": {"attack": 2}}}}))
    mine = odds(edited, "5 infantry", "5 infantry", attacker_power="germany")
    assert mine.win > of("5 infantry vs 5 infantry").win
    other = odds(edited, "5 infantry", "5 infantry", attacker_power="japan")
    assert other.win == pytest.approx(of("5 infantry vs 5 infantry").win)


def test_nobody_can_hit_anybody() -> None:
    edits = parse_edits({"units": {"all": {"infantry": {"attack": 0, "defense": 0}}}})
    harmless = compile_world("classic-1942", None, edits)
    result = odds(harmless, "2 infantry", "1 infantry")
    assert result.draw == pytest.approx(1.0)
    assert result.survivors()[0].attackers == {}  # who cannot take the land cannot stay in it
    assert result.expected_losses == pytest.approx((6.0, 0.0))


def test_fighters_without_a_deck() -> None:
    text = "1 submarine vs 1 carrier, 2 fighter"
    lost, saved = of(text), of(text, shelter=True)
    assert lost.loss == pytest.approx(saved.loss)
    assert lost.expected_losses[1] > saved.expected_losses[1]
    assert not any(end.defenders == {"fighter": 2} for end in lost.survivors())
    assert any(end.defenders == {"fighter": 2} for end in saved.survivors())


# ---------------------------------------------------------------- reading and refusing


def test_reading_battles() -> None:
    assert parse_battle("10 infantry, 2 AA guns vs. 1 Fighter and 3 bombers", WORLD) == (
        {"infantry": 10, "aa-gun": 2},
        {"fighter": 1, "bomber": 3},
    )
    assert parse_battle("2x infantry + armor AGAINST infantry; 1 infantry") == (
        {"infantry": 2, "armor": 1},
        {"infantry": 2},
    )
    assert parse_battle("5xinfantry 2 armor & 1 bomber vs 3 × infantry", WORLD) == (
        {"infantry": 5, "armor": 2, "bomber": 1},
        {"infantry": 3},
    )
    for text in (
        "2.5 infantry vs 1 armor",
        "2,5 infantry vs 1 armor",
        "-3 infantry vs 1 armor",
        "3 infantry vs -1 armor",
    ):
        with pytest.raises(NotationError, match="whole number"):
            parse_battle(text, WORLD)
    with pytest.raises(NotationError, match="0 to 10,000 of infantry"):
        parse_battle("10000000 infantry vs 1 armor", WORLD)
    for text in ("", "2 infantry", "vs", "1 infantry vs", "a vs b vs c", "3 vs 4"):
        with pytest.raises(NotationError):
            parse_battle(text)
    with pytest.raises(NotationError, match="infantry"):
        parse_battle("1 infantryy vs 1 armor", WORLD)
    with pytest.raises(NotationError):
        parse_battle("999999 infantry vs 1 infantry")


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("1 infantry vs 1 aa-gun", {}, "nobody to fight"),
        ("1 aa-gun vs 1 infantry", {}, "never attack"),
        ("1 industrial-complex vs 1 infantry", {}, "never attack"),
        ("1 transport vs 1 infantry", {"kind": "land"}, "no part in a land battle"),
        ("1 battleship vs 1 infantry", {"kind": "land"}, "Nobody attacks"),
        ("1 infantry vs 1 transport", {"kind": "sea"}, "cannot fight at sea"),
        ("1 infantry vs 1 transport", {"kind": "land"}, "cannot defend land"),
        ("1 infantry vs 1 infantry", {"kind": "raid"}, "no battle of the kind"),
        ("1 infantry vs 1 infantry", {"attacker_power": "uk", "defender_power": "usa"}, "do not fight"),
        ("1 infantry vs 1 infantry", {"attacker_power": "atlantis"}, "no power"),
        ("1 infantry vs 1 infantry", {"attacker_techs": ["lasers"]}, "no technology"),
        ("1 infantry vs 1 infantry", {"attacker_order": "wizards"}, "no unit"),
        ("1 infantry vs 1 infantry", {"attacker_order": [""]}, "order of losses"),
        ("1 infantry vs 1 infantry", {"keep_land": -1}, "cannot be kept"),
        ("1 infantry vs 1 infantry", {"method": "guess"}, "method"),
        ("1 infantry vs 1 infantry", {"method": "play", "seconds": 0.0}, "seconds are not enough"),
        ("1 infantry, 1 battleship vs 1 infantry", {"amphibious": False}, "support a landing only"),
        ("1 infantry vs 1 infantry", {"method": "play", "runs": 0}, "at least once"),
        ("1 submarine vs 1 submarine", {"defender_submarines": "hide"}, "stay or leave"),
    ],
)
def test_refusals_are_sentences(text: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(SandtableError, match=words):
        of(text, **options)


# ---------------------------------------------------------------- raids


def test_raids_by_hand() -> None:
    one = raid_odds(WORLD, "1 bomber")
    assert one.lost == pytest.approx((5 / 6, 1 / 6))
    assert one.expected_damage == pytest.approx(3.5 * 5 / 6)
    assert one.swing == pytest.approx(3.5 * 5 / 6 - 15 / 6)
    assert raid_odds(WORLD, "1 bomber", aa_guns=0).damage == pytest.approx((0, *([1 / 6] * 6)))
    heavy = raid_odds(WORLD, "1 bomber", techs=["heavy-bombers"], aa_guns=3)
    assert heavy.expected_damage == pytest.approx(10.5 * 5 / 6)
    assert raid_odds(WORLD, "1 bomber", aa_guns=0, most=2).damage == pytest.approx((0, 1 / 6, 5 / 6))
    over = raid_odds(WORLD, "1 fighter, 1 bomber", kind="overflight", aa_guns=2)
    assert over.lost[0] == pytest.approx((5 / 6) ** 4)
    assert over.expected_damage == 0
    first = 1 - (25 / 36) ** 2  # a fighter is lost whenever anything is
    assert over.loss_worth == pytest.approx(12 * first + 15 * over.lost[2])
    for planes, options in (
        ("1 infantry", {}),
        ("1 fighter", {}),
        ("1 bomber", {"kind": "sea"}),
        ("1 bomber", {"aa_guns": -1}),
    ):
        with pytest.raises(SandtableError):
            raid_odds(WORLD, planes, **options)  # type: ignore[arg-type]
    assert json.loads(json.dumps(one.to_json()))["swing"] == pytest.approx(one.swing)


# ---------------------------------------------------------------- text


def test_report() -> None:
    result = of("10 infantry, 6 armor, 3 fighter, 1 bomber vs 12 infantry, 2 armor, 2 fighter, 1 aa-gun")
    text = report.table(result, WORLD, hold=(1, 3))
    assert f"attacker wins                         {100 * result.win:.1f} %" in text
    assert f"land taken with 3 land units or more  {100 * result.take_and_hold(3):.1f} %" in text
    assert "exact odds" in text
    assert "retreats" not in text
    assert "attacker retreats" in report.table(of("3 infantry vs 3 infantry", retreat=Retreat(rounds=1)))
    assert "land taken" not in report.table(of("1 submarine vs 1 transport"))
    assert "win      1 submarine against nobody" in report.table(of("1 submarine vs 1 transport"), WORLD)
    bars = report.plot(result, width=20).splitlines()
    assert bars[0] == "attackers left"
    assert max(line.count(report.BAR) for line in bars) == 20
    assert report.histogram([]) == ""
    assert "5.8 I.P.C." in report.raid_table(raid_odds(WORLD, "2 bomber"))


def test_report_explains_what_may_surprise() -> None:
    fleet = compile_world("anniversary-1942")
    fleeing = report.table(odds(fleet, "1 transport, 1 cruiser", "2 battleship"), fleet)
    assert "attacker retreats" in fleeing
    assert "AN-SEA-15" in fleeing
    assert "AN-SEA-15" not in report.table(odds(fleet, "2 cruiser", "2 battleship"), fleet)
    assert "(AN-SEA-18)" in report.table(odds(fleet, "2 cruiser", "2 fighter", kind="sea"), fleet)
    assert "(CL-AIR-17)" in report.table(of("2 transport vs 2 fighter", kind="sea"), WORLD)
    assert "CL-AIR-17" not in report.table(of("2 fighter vs 1 carrier, 2 fighter"), WORLD)


def test_plain_data() -> None:
    result = of("3 infantry vs 2 infantry")
    data = json.loads(json.dumps(result.to_json(ends=3)))
    assert data["win"] == pytest.approx(result.win)
    assert data["attackers"] == {"infantry": 3}
    assert len(data["survivors"]) == 3
    assert sum(data["rounds"]) == pytest.approx(1)


@pytest.mark.parametrize("module", [read, report, sandtable.odds])
def test_examples_in_docstrings(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
