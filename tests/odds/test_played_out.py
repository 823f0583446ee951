"""What the calculator cannot calculate is played out by the engine, and what both can do comes out the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import msgspec
import pytest
import test_anniversary_odds
import test_game_and_calculator
from refereed import agree

from sandtable.archive.position import patched_state
from sandtable.engine.battle.casualties import lose
from sandtable.engine.battle.forces import attackers
from sandtable.engine.battle.steps import STEPS, Step
from sandtable.engine.events import Rolled
from sandtable.engine.game import Game
from sandtable.engine.questions import KINDS, Decision, Kind
from sandtable.engine.run import Run
from sandtable.engine.state import Question, in_order
from sandtable.notation.orders import AnyOrder, Stay
from sandtable.odds import Odds, OddsError, Retreat, known, odds, odds_of_battle, raid_odds, report
from sandtable.odds.paper import on_paper
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.load import scenarios
from sandtable.world.model import Modifier, UnitType, World

CLASSIC = compile_world("classic-1942")
ANNIVERSARY = compile_world("anniversary-1942")
WORLDS = {"classic": CLASSIC, "anniversary": ANNIVERSARY}

LAND = ("4 infantry, 1 armor, 1 fighter", "3 infantry, 1 fighter, 1 aa-gun")
LANDING = ("3 infantry, 1 armor, 1 battleship", "3 infantry")
SEA = ("1 battleship, 2 submarine, 1 carrier, 1 fighter", "1 battleship, 1 submarine, 2 transport, 1 fighter")
BATTLES = {"land": LAND, "landing": LANDING, "sea": SEA}


def played(world: World, forces: tuple[str, str], runs: int = 250, **options: Any) -> Odds:
    return odds(world, *forces, method="play", runs=runs, seconds=None, **options)


# ---------------------------------------------------------------- both ways, the same odds


KINDS_OF_BATTLE = {
    **{f"classic: {name}": battle for name, battle in test_game_and_calculator.BATTLES.items()},
    **{f"anniversary: {name}": battle for name, battle in test_anniversary_odds.BATTLES.items()},
}


@pytest.mark.parametrize("name", KINDS_OF_BATTLE)
def test_battles_of_every_kind_come_out_the_same(name: str) -> None:
    battle, options = KINDS_OF_BATTLE[name]
    forces: tuple[Mapping[str, int], Mapping[str, int]] = ({**battle.attackers, **battle.support}, battle.defenders)
    options = {"kind": battle.kind, "amphibious": battle.landed, **options}
    exact = odds(battle.world, *forces, **options)
    agree(exact, odds(battle.world, *forces, method="play", runs=250, seconds=None, **options))


def switches() -> Iterator[tuple[str, str, Any]]:
    """Every option of the playable editions, with each of its values that is not the default."""
    for name, world in WORLDS.items():
        for option in world.option_list:
            for value in option.choices or (not option.default,):
                if value != option.default:
                    yield name, option.key, value


def fitting(world: World, forces: tuple[str, str]) -> bool:
    return all(word.split()[1] in world.units for force in forces for word in force.split(", "))


@pytest.mark.parametrize(("edition", "option", "value"), list(switches()))
def test_every_option_is_calculated_or_played_out(edition: str, option: str, value: Any) -> None:
    """Whatever an option does, the odds are those of the game with it."""
    scenario = "anniversary-1942" if edition == "anniversary" else "classic-1942"
    patch = next(o for o in WORLDS[edition].option_list if o.key == option).effects.get(str(value).lower())
    needed = {key: values[0] for key, values in patch.requires.items()} if patch else {}
    world = compile_world(scenario, {option: value, **needed})
    for forces in BATTLES.values():
        if fitting(world, forces):
            found = odds(world, *forces, runs=100, seconds=None)
            if found.exact:
                agree(found, played(world, forces, 100))
            else:
                assert found.why


@pytest.mark.parametrize(("edition", "battle"), list(product(WORLDS, BATTLES)))
def test_twelve_faces(edition: str, battle: str) -> None:
    world = WORLDS[edition]
    world = msgspec.structs.replace(world, rules=msgspec.structs.replace(world.rules, dice_sides=12))
    found = odds(world, *BATTLES[battle])
    assert found.win != pytest.approx(odds(WORLDS[edition], *BATTLES[battle]).win)
    agree(found, played(world, BATTLES[battle]))


def changed(world: World, **units: Mapping[str, Any]) -> World:
    """A house-rule edition: other abilities for all powers."""
    made = {u: msgspec.structs.replace(t, **units.get(u, {})) for u, t in world.units.items()}
    return msgspec.structs.replace(world, units=made, hiders=tuple(u for u, t in made.items() if t.hides_from))


HOUSE_RULES: dict[str, tuple[World, tuple[str, str], bool]] = {
    "armor takes two hits": (changed(CLASSIC, armor={"hits": 2}), LAND, True),
    "landed armor takes two hits": (changed(ANNIVERSARY, armor={"hits": 2}), LANDING, True),
    "armor has two dice": (changed(CLASSIC, armor={"modifiers": (Modifier(role="attack", dice=2),)}), LAND, True),
    "armor has two dice on defence": (
        changed(CLASSIC, infantry={"modifiers": (Modifier(role="defense", dice=2),)}),
        LAND,
        True,
    ),
    "landed infantry is stronger": (
        changed(CLASSIC, infantry={"modifiers": (Modifier(role="attack", only=("landed",), amount=1),)}),
        LANDING,
        True,
    ),
    "of two dice the better": (
        changed(CLASSIC, armor={"modifiers": (Modifier(role="attack", dice=2, best=True),)}),
        LAND,
        False,
    ),
    "fighters name their victims": (changed(CLASSIC, fighter={"modifiers": (Modifier(picks=1),)}), LAND, False),
    "guns hold armor down": (
        changed(CLASSIC, infantry={"modifiers": (Modifier(units=("armor",), enemies=True, amount=-1, number=1),)}),
        LAND,
        False,
    ),
    "guns make infantry brave": (
        changed(CLASSIC, **{"aa-gun": {"modifiers": (Modifier(units=("infantry",), role="defense", amount=1),)}}),
        LAND,
        False,
    ),
    "fighters hit planes only": (changed(CLASSIC, fighter={"hits_only": ("air",)}), LAND, True),
    "fighters hit armor only": (changed(CLASSIC, fighter={"hits_only": ("armor",)}), LAND, False),
    "fighters take two hits": (changed(CLASSIC, fighter={"hits": 2}), LAND, False),
    "submarines take two hits": (changed(CLASSIC, submarine={"hits": 2}), SEA, False),
    "infantry lies in hiding": (changed(CLASSIC, infantry={"hides_from": ("air",)}), LAND, False),
    "carriers hunt submarines": (changed(CLASSIC, carrier={"hunts": ("submarine",)}), SEA, False),
    "defending fighters fire first": (changed(CLASSIC, fighter={"first_shot": ("defense",)}), LAND, False),
    "infantry helps armor": (
        changed(CLASSIC, infantry={"modifiers": (Modifier(units=("armor",), role="attack", amount=1, number=1),)}),
        LAND,
        True,
    ),
    "infantry helps armor twice as much": (
        changed(CLASSIC, infantry={"modifiers": (Modifier(units=("armor",), role="attack", amount=2, number=1),)}),
        LAND,
        False,
    ),
    "transports are lost last": (changed(CLASSIC, transport={"chosen_last": True}), SEA, True),
    "armor spares planes, fighters spare armor": (
        changed(CLASSIC, armor={"cannot_hit": ("air",)}, fighter={"cannot_hit": ("land",)}),
        ("2 infantry, 2 armor, 2 fighter", "2 infantry, 1 armor, 1 fighter"),
        False,
    ),
    "a trait that nobody has heard of": (changed(CLASSIC, armor={"traits": {"fearless": True}}), LAND, False),
}


@pytest.mark.parametrize("name", HOUSE_RULES)
def test_units_with_other_abilities(name: str) -> None:
    """What is calculated agrees with the engine; what cannot be is not calculated."""
    world, forces, calculated = HOUSE_RULES[name]
    found = odds(world, *forces, runs=60, seconds=None)
    assert found.exact == calculated, found.why
    if calculated:
        agree(found, played(world, forces))
        assert found.win != pytest.approx(odds(CLASSIC, *forces).win)
    else:
        with pytest.raises(OddsError, match="no exact odds"):
            odds(world, *forces, method="exact")


def test_a_field_that_the_calculator_was_never_told_of() -> None:
    """A new field of units or rules is not understood until it is listed, unless it is left alone."""

    class Newer(UnitType, frozen=True, kw_only=True):
        defense_dice: int = 1

    def newer(world: World, **fields: Any) -> World:
        plain = {f: getattr(world.units["infantry"], f) for f in world.units["infantry"].__struct_fields__}
        return msgspec.structs.replace(world, units={**world.units, "infantry": Newer(**plain, **fields)})

    assert odds(newer(CLASSIC), *LAND).exact
    found = odds(newer(CLASSIC, defense_dice=2), *LAND, runs=20, seconds=None)
    assert (found.exact, found.runs) == (False, 20)
    assert "'defense_dice'" in found.why


# ---------------------------------------------------------------- steps


def quiet(run: Run) -> bool:
    """A step that does nothing."""
    return True


def ambush(run: Run) -> bool:
    """Three dice at the attackers, a hit on 3 or less; the cheapest go."""
    battle = run.battle

    def tell(faces: tuple[int, ...]) -> Rolled:
        return Rolled("defense", battle.attacker, faces, battle.space, 3, (), sum(f <= 3 for f in faces))

    hits = sum(face <= 3 for face in run.roll(3, tell))
    for piece, n in in_order(attackers(run.world, run.state, battle)):
        some = min(n, hits)
        if some:
            lose(run, ((piece, some),), "attack", "battle", battle.attacker)
            hits -= some
    return True


class Parley(Kind):
    """A question that only this test knows."""

    name = "parley"
    answers = ("stay",)

    def answer(self, run: Run, question: Question, order: AnyOrder) -> None:
        run.close()
        run.note(asked=(*run.battle.asked, question.power))

    def default(self, legal: Any, asked: Decision) -> AnyOrder:
        return Stay()


def parley(run: Run) -> bool:
    if run.battle.attacker in run.battle.asked:
        return True
    run.ask(Question("parley", run.battle.attacker, run.battle.space, "attack"))
    return False


@pytest.fixture
def house_steps(monkeypatch: pytest.MonkeyPatch) -> Callable[..., World]:
    """Makes a world with a step of its own in land battles."""

    def make(step: Callable[[Run], bool], *, once: bool = False, kind: str = "land") -> World:
        name = f"the-{step.__name__}"
        monkeypatch.setitem(STEPS, name, Step(step, once=once))
        return with_steps(CLASSIC, kind, (name, *CLASSIC.battles[kind].steps))

    return make


def with_steps(world: World, kind: str, steps: tuple[str, ...]) -> World:
    of = msgspec.structs.replace(world.battles[kind], steps=steps)
    return msgspec.structs.replace(world, battles={**world.battles, kind: of})


def test_an_unknown_step_is_played(house_steps: Callable[..., World]) -> None:
    world = house_steps(quiet)
    found = odds(world, *LAND, runs=300, seconds=None)
    assert found.method == "played out"
    assert found.runs == 300
    assert "'the-quiet'" in found.why
    low, high = found.interval
    assert low < found.win < high
    plain = odds(CLASSIC, *LAND)
    agree(plain, found)
    assert low - 0.03 < plain.win < high + 0.03
    assert "played out: 300 battles by the engine" in report.table(found, world)
    assert "'the-quiet'" in report.table(found, world)
    with pytest.raises(OddsError, match="'the-quiet'"):
        odds(world, *LAND, method="exact")


def test_what_an_unknown_step_does_counts(house_steps: Callable[..., World]) -> None:
    once = odds(house_steps(ambush, once=True), *LAND, runs=200, seconds=None)
    assert once.win < odds(CLASSIC, *LAND).win - 0.1


def test_a_question_that_nobody_foresaw_is_answered(
    house_steps: Callable[..., World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, "parley", Parley())
    agree(odds(CLASSIC, *LAND), odds(house_steps(parley), *LAND, runs=200, seconds=None))


def test_a_step_in_anothers_place_is_not_mistaken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STEPS, "defenders-fire", Step(quiet, fate="battle"))
    found = odds(CLASSIC, *LAND, runs=100, seconds=None)
    assert not found.exact
    assert found.win == 1.0


def test_a_fate_that_the_calculator_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    fire = msgspec.structs.replace(STEPS["defenders-fire"], fate="first-shot")
    monkeypatch.setitem(STEPS, "defenders-fire", fire)
    assert "treats its casualties" in odds(CLASSIC, *LAND, runs=20, seconds=None).why


@pytest.mark.parametrize(
    "steps",
    [
        ("defenders-fire", "attackers-fire", "remove-casualties", "check-end", "retreat"),
        ("attackers-fire", "defenders-fire", "attackers-fire", "remove-casualties", "check-end", "retreat"),
        ("attackers-fire", "defenders-fire", "remove-casualties", "check-end", "bombs"),
    ],
)
def test_a_sequence_that_cannot_be_read_is_played(steps: tuple[str, ...]) -> None:
    world = with_steps(CLASSIC, "land", steps)
    found = odds(world, "3 infantry", "2 infantry", runs=50, seconds=None)
    assert "does not understand" in found.why
    assert found.win + found.draw + found.loss + found.retreat == pytest.approx(1)


def test_a_battle_without_end_is_a_draw() -> None:
    world = with_steps(CLASSIC, "land", ("remove-casualties", "retreat"))
    found = odds(world, "2 fighter", "1 infantry", runs=2, seconds=None)
    assert (found.draw, found.runs) == (1.0, 2)


@pytest.mark.parametrize("forces", [LAND, SEA])
def test_a_new_kind_of_battle(forces: tuple[str, str]) -> None:
    """One that is like those that are known is calculated; one with a single round is not."""
    place = "sea" if forces is SEA else "land"
    like = {**CLASSIC.battles, "skirmish": CLASSIC.battles[place]}
    world = msgspec.structs.replace(CLASSIC, battles=like)
    assert odds(world, *forces, kind="skirmish").win == pytest.approx(odds(CLASSIC, *forces).win)
    brief = msgspec.structs.replace(CLASSIC.battles[place], repeats=False)
    world = msgspec.structs.replace(CLASSIC, battles={**CLASSIC.battles, "skirmish": brief})
    found = odds(world, *forces, kind="skirmish", runs=100, seconds=None)
    assert "'skirmish'" in found.why
    assert found.rounds == (1.0,)
    assert found.win < odds(CLASSIC, *forces).win


def test_raids_are_played_out_too(house_steps: Callable[..., World]) -> None:
    plain = raid_odds(CLASSIC, "3 bomber")
    assert plain.exact
    found = raid_odds(house_steps(quiet, kind="raid"), "3 bomber", runs=400, seconds=None)
    assert (found.method, found.runs) == ("played out", 400)
    assert found.expected_damage == pytest.approx(plain.expected_damage, rel=0.12)
    assert found.expected_lost == pytest.approx(plain.expected_lost, abs=0.12)
    assert found.interval[0] - 0.03 < plain.lost[0] < found.interval[1] + 0.03
    assert "played out: 400 raids" in report.raid_table(found)
    mixed = changed(ANNIVERSARY, fighter={"raid_dice": 1})  # a die for each plane: the guns pick among them
    both = raid_odds(mixed, "2 fighter, 2 bomber", runs=400, seconds=None)
    assert not both.exact
    assert both.loss_worth == pytest.approx(4 * (10 + 12) / 2 / 6, rel=0.3)


# ---------------------------------------------------------------- how often, and how long


def test_the_same_seed_plays_the_same_battles() -> None:
    one, two = (played(CLASSIC, LAND, 40, seed=3).to_json() for _ in range(2))
    assert one == two
    assert one != played(CLASSIC, LAND, 40, seed=4).to_json()


def test_a_short_time_plays_few_battles_and_the_interval_tells() -> None:
    short = odds(CLASSIC, *LAND, method="play", runs=100_000, seconds=0.1)
    assert 1 <= short.runs < 2_000
    assert short.interval[1] - short.interval[0] > 0.01
    long = odds(CLASSIC, *LAND, method="play", runs=short.runs, seconds=None)
    assert long.to_json() == short.to_json()  # time decides how many, not which


@pytest.mark.parametrize("chance", [0.2, 0.5])
def test_a_retreat_by_odds_needs_no_exact_odds(chance: float) -> None:
    forces = ("5 infantry, 2 armor", "5 infantry, 1 fighter")
    exact = odds(CLASSIC, *forces, retreat=Retreat(odds=chance))
    drawn = played(CLASSIC, forces, 500, retreat=Retreat(odds=chance))
    assert drawn.retreat == pytest.approx(exact.retreat, abs=0.12)
    assert drawn.win == pytest.approx(exact.win, abs=0.12)


HUGE = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))
from sandtable.odds import odds, raid_odds
from sandtable.world.compile import compile_world
for world in (compile_world("classic-1942"), compile_world("anniversary-1942")):
    for forces in (
        ({"infantry": 10_000}, {"infantry": 10_000}),
        ({"infantry": 1, "fighter": 9_000}, {"infantry": 5, "aa-gun": 1}),
        ({"infantry": 5_900}, {"infantry": 60}),
        ({"infantry": 1_900}, {"infantry": 200}),
        ({"fighter": 300, "bomber": 300}, {"infantry": 900, "aa-gun": 1}),
        ({"fighter": 1_900, "bomber": 90}, {"infantry": 2, "aa-gun": 1}),
    ):
        found = odds(world, *forces, runs=2, seconds=0.2)
        assert found.exact or found.runs
    huge = {unit: 300 for unit, kind in world.units.items() if kind.domain in ("sea", "air")}
    assert odds(world, huge, huge, runs=2, seconds=0.2).runs
    assert raid_odds(world, {"bomber": 9_000}, runs=2, seconds=0.2).runs
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system does not bound memory this way")
def test_work_is_bounded() -> None:
    """Battles that no table has room for take neither the memory nor the time of the machine."""
    done = subprocess.run([sys.executable, "-c", HUGE], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_armies_beyond_all_measure_are_refused() -> None:
    state, space = on_paper(CLASSIC, "germany", (("infantry", 12_000_000),), [("ussr", "infantry", 5)], at_sea=False)
    with pytest.raises(OddsError, match=r"12,000,005 units is too large"):
        odds_of_battle(CLASSIC, state, space)


# ---------------------------------------------------------------- what is declared


PLAYED_OUT_ON_PURPOSE = {"global-1940"}  # its planes strike once, its fortifications absorb hits


@pytest.mark.parametrize("scenario", [s.id for s in scenarios() if s.playable and s.id not in PLAYED_OUT_ON_PURPOSE])
def test_everything_in_the_editions_is_known(scenario: str) -> None:
    """A rule, a step or an ability that comes in has to be taught to the calculator, or be played out on purpose."""
    world = compile_world(scenario)
    for kind, of in world.battles.items():
        assert list(known.steps_unknown(of.steps)) == [], kind
    everything = frozenset(world.technologies)
    assert list(known.facts_unknown(world, ((unit, everything) for unit in world.units.values()))) == []
    for battle in BATTLES.values():
        assert odds(world, *battle).exact


def test_edits_of_one_power_count_for_that_power() -> None:
    edits = parse_edits({"units": {"germany": {"infantry": {"attack": 2}}}})
    world = compile_world("classic-1942", None, edits)
    better = odds(world, *LAND, attacker_power="germany", defender_power="ussr")
    agree(better, played(world, LAND, attacker_power="germany", defender_power="ussr"))
    assert better.win > odds(world, *LAND, attacker_power="japan", defender_power="ussr").win


@pytest.mark.rule("MX10-09")
def test_fighters_whose_carrier_a_kamikaze_sinks_are_counted() -> None:
    """One hit in five of six takes the carrier and both its fighters, for one plane."""
    world = compile_world("classic-1942", {"kamikazes": True})
    place = {"japan": {"japan": {"fighter": 1}}, "okinawa-sea": {"usa": {"carrier": 1, "fighter": 2}}}
    position = {"turn": "japan", "phase": "combat-move", "clear": list(place), "units": place}
    game = Game(world, start=patched_state(world, position))
    game.play("move 1 fighter: japan -> japan-sea -> okinawa-sea as kamikaze")
    found = odds_of_battle(world, game.state, "okinawa-sea", runs=300, seconds=None)
    assert found.expected_losses == pytest.approx((12, 5 / 6 * 42), abs=3)
