"""Options that add and change parts of a game, alone and together, on the scratch edition."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sandtable.errors import DataError
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.conditions import Cities
from sandtable.world.library import open_edition
from sandtable.world.load import load_builtin
from sandtable.world.options import allowed, fewest, resolve
from support.choices import fitting
from support.scratch import FOLDER, scratch_edition, scratch_world

EDITIONS = ("classic", "anniversary", "global1940", "scratch")


def edition_called(name: str) -> Any:
    return scratch_edition() if name == "scratch" else load_builtin(name)


# ---------------------------------------------------------------- what an option can change


def test_a_new_kind_of_unit() -> None:
    world = scratch_world(guns=True)
    assert list(world.units)[:3] == ["infantry", "artillery", "armor"]
    assert {"artillery": 1} in world.units["transport"].loads
    assert {"infantry": 2} in world.units["transport"].loads
    assert world.setup.units["red"]["redport"]["artillery"] == 1
    assert world.setup.units["red"]["redport"]["infantry"] == 3
    assert list(world.technologies) == ["better-tanks", "long-flights", "big-guns"]


def test_changes_reach_what_other_options_bring() -> None:
    assert scratch_world(guns=True, dear_units="one").units["artillery"].cost == 5
    assert scratch_world(guns=True, dear_units="two").units["artillery"].cost == 7, "beside each other one more"
    assert scratch_world(dear_units="two").units["infantry"].cost == 5


def test_a_new_power() -> None:
    world = scratch_world(grey_power=True)
    assert world.order == ("red", "blue", "grey", "orange", "green")
    assert list(world.powers) == ["red", "blue", "grey", "orange", "green"]
    assert world.spaces["moor"].owner == "grey"
    assert world.spaces["moor"].original == "grey"
    assert world.spaces["moor"].capital_of == "grey"
    assert world.powers["grey"].treasury == 3
    assert world.seats.presets[5] == (("red",), ("blue",), ("grey",), ("orange",), ("green",))


def test_a_power_out_of_play() -> None:
    world = scratch_world(without_orange=True)
    assert world.order == ("red", "blue", "green")
    assert "orange" not in world.powers
    assert "orange" not in world.setup.units
    assert world.spaces["orangeland"].owner is None
    assert world.seats.presets == {2: (("red",), ("blue", "green")), 3: (("red",), ("blue",), ("green",))}
    both = scratch_world(without_orange=True, grey_power=True)
    assert both.order == ("red", "blue", "grey", "green")
    assert both.seats.presets[4] == (("red",), ("blue",), ("grey",), ("green",))


def test_a_change_of_sides() -> None:
    world = scratch_world(turncoat=True)
    assert world.members("east") == ("red", "orange", "green")
    assert world.opponents["green"] == {"blue"}


def test_phases_and_steps() -> None:
    plain = scratch_world()
    assert scratch_world(late_purchase=True).phases[:4] == ("research", "combat-move", "combat", "purchase")
    assert scratch_world(late_purchase=True, two_incomes=True).phases[2:4] == ("purchase", "research")
    assert scratch_world(two_incomes=True).phases[:2] == ("purchase", "research")
    assert "research" not in scratch_world(no_research=True).phases
    assert scratch_world(quick_end=True).battles["land"].steps[:2] == ("aa-fire", "check-end")
    gone = scratch_world(quick_end=True, blind_guns=True).battles["land"].steps
    assert gone[:2] == ("check-end", "support-shot"), "what stands after a step that another option takes out stays"
    assert scratch_world(bold=True).battles["sea"].steps.count("check-end") == 1
    assert "overflight" not in plain.battles
    assert scratch_world(flak=True).battles["overflight"].steps == ("aa-fire",)
    raid = scratch_world(no_raids_first=True).battles["raid"]
    assert (raid.first, raid.counts, raid.steps) == (False, False, plain.battles["raid"].steps)


def test_ends_and_bonuses() -> None:
    assert [v.id for v in scratch_world(short_war=True).victory] == ["west-falls", "east-falls", "rounds"]
    assert scratch_world(cities=True).victory[-1].when == Cities(who="self", at_least=3)
    assert scratch_world(cities=True, grey_power=True).victory[-1].when == Cities(who="self", at_least=4)
    total = scratch_world(total_war=True)
    assert total.objectives == ()
    assert total.powers["red"].treasury == 20


# ---------------------------------------------------------------- which options fit together


def test_an_option_brings_others_with_it() -> None:
    world = scratch_world(total_war=True)
    assert world.options["guns"] is True
    assert world.options["dear_units"] == "one"
    assert "artillery" in world.units
    assert fewest(world.option_list, world.options) == {"total_war": True}


@pytest.mark.parametrize(
    ("chosen", "problem"),
    [
        ({"heavy_guns": True}, "heavy_guns=true needs guns=true"),
        ({"total_war": True, "short_war": True}, "total_war=true and short_war=true exclude each other"),
        ({"turncoat": True, "grey_power": True}, "turncoat=true and grey_power=true exclude each other"),
        ({"total_war": True, "guns": False}, "total_war=true brings guns=true with it, but guns=false is chosen"),
    ],
)
def test_contradictions_are_told(chosen: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError) as caught:
        scratch_world(**chosen)
    assert f"options: {problem}" in caught.value.problems


def test_what_is_required_may_come_with_another() -> None:
    assert scratch_world(heavy_guns=True, total_war=True).units["artillery"].attack == 3


def test_an_idle_option_changes_nothing() -> None:
    world = scratch_world(heavy_guns=True, guns=True, bold=True)
    assert world.options["bold"] is True
    assert world.idle == ("bold",)
    assert world.battles == scratch_world().battles


def test_soft_defaults_yield_and_implications_do_not() -> None:
    second = {"second_edition": True}
    assert compile_world("classic-1942", second).options["several_aa_guns"] is False
    assert compile_world("classic-1942", {**second, "several_aa_guns": True}).options["several_aa_guns"] is True


# ---------------------------------------------------------------- any combination


@pytest.mark.parametrize("name", EDITIONS)
def test_any_combination_compiles(name: str) -> None:
    """Hundreds of subsets of all options: either they contradict each other, or there is a game."""
    edition = edition_called(name)
    rng = random.Random(name)
    seen = set()
    for _ in range(400):
        wanted = {o.key: rng.choice(allowed(o)) for o in edition.options if rng.random() < 0.5}
        for scenario in edition.scenarios:
            options = edition.options_for(scenario)  # some have other defaults
            chosen = fitting(options, dict(wanted))
            seen.add(tuple(sorted(chosen.items())))
            world = compile_edition(edition, scenario, chosen)
            assert world.options == resolve(options, chosen)
            assert resolve(options, fewest(options, world.options)) == world.options
            assert len(world.phases) == len(world.actors)
            assert set(world.order) <= set(world.powers)
    assert len(seen) > 8


@pytest.mark.parametrize("name", EDITIONS)
def test_every_option_changes_something(name: str) -> None:
    """No option does nothing: each value but one gives another world, where the options that it needs are on."""
    edition = edition_called(name)
    idle_so_far = {"blind_research", "event_cards"} if name == "global1940" else set()
    scenario = next(iter(edition.scenarios))
    for option in edition.options:
        if option.key in idle_so_far:
            continue
        found = []
        for value in allowed(option):
            world = compile_edition(edition, scenario, fitting(edition.options, {option.key: value}))
            assert world.options[option.key] == value
            found.append(world)
        plain = [(w.rules, w.units, w.phases, w.battles, w.powers, w.setup, w.victory, w.neighbours) for w in found]
        more = [(w.technologies, w.objectives, w.order, w.bans, w.idle) for w in found]
        assert any((p, m) != (plain[0], more[0]) for p, m in zip(plain, more, strict=True)), option.key


# ---------------------------------------------------------------- wrong data


Broken = Callable[[str], list[str]]


@pytest.fixture
def broken(tmp_path: Path) -> Broken:
    """What is said about the scratch edition with one more option."""

    def problems(option: str) -> list[str]:
        folder = tmp_path / "mine"
        shutil.copytree(FOLDER, folder, dirs_exist_ok=True)
        text = (FOLDER / "options.yaml").read_text()
        head = "  extra:\n    name: Extra\n    help: For a test.\n    default: false\n"
        (folder / "options.yaml").write_text(f"{text}\n{head}{option}")
        with pytest.raises(DataError) as caught:
            compile_edition(open_edition(folder), "scratch", {"extra": True})
        return caught.value.problems

    return problems


def effect(text: str) -> str:
    return f'    effects:\n      "true": {text}\n'


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        (
            effect("{steps: {land: [{put: x, after: aa-fir}]}}"),
            "effects.true.steps.land.0: unknown anchor 'aa-fir' (did",
        ),
        (effect("{steps: {sea: [{put: x, after: check-end}]}}"), "steps.sea.0: check-end stands there 2 times: say"),
        (effect("{steps: {lnd: [{remove: aa-fire}]}}"), "effects.true.steps: unknown kind of battle 'lnd'"),
        (effect("{steps: {land: [{put: x}]}}"), "steps.land.0: says where by exactly one of before, after, instead_of"),
        (effect("{phases: [{put: politics, before: purchas}]}"), "phases.0: unknown anchor 'purchas' (did you mean"),
        (effect("{phases: {research: []}}"), "effects.true.phases: expected array, got object"),
        (effect("{order: [{put: grey, after: red}]}"), "order.0: unknown power 'grey'"),
        (effect("{order: [{remove: purple}]}"), "order.0: unknown anchor 'purple'"),
        (effect("{units: {artillery: {cost: 2}}}"), "units.artillery: unknown unit 'artillery'"),
        (effect("{units: {transport: {loads_ad: []}}}"), "units.transport.loads_ad: unknown field 'loads_ad'"),
        (effect("{units: {transport: {cost_add: [1]}}}"), "cost_add: cost is neither a list nor a mapping"),
        (effect("{units: {transport: {loads_add: 3}}}"), "units.transport.loads_add: expected array, got int"),
        (
            effect("{add_units: {infantry: {name: a, plural: a, domain: land, cost: 1}}}"),
            "the edition has infantry already",
        ),
        (
            effect("{add_units: {moose: {name: a, plural: a, domain: land, cost: 1, after: elk}}}"),
            "unknown anchor 'elk'",
        ),
        (effect("{add_units: {moose: {name: a, plural: a, domain: land}}}"), "add_units.moose.cost: is missing"),
        (
            effect("{add_units: {ship: {name: a, plural: a, domain: sea, cost: 1, loads: [{moose: 1}]}}}"),
            "unknown unit 'moose'",
        ),
        (
            effect("{add_powers: {pink: {name: P, adjective: P, side: est, colour: pink}}}"),
            "add_powers.pink.side: unknown side",
        ),
        (effect("{remove_powers: [purple]}"), "remove_powers: unknown power 'purple'"),
        (effect("{powers: {red: {sid: west}}}"), "powers.red.sid: unknown field 'sid' (did you mean 'side'?)"),
        (effect("{powers: {red: {side: north}}}"), "options.extra.effects.true.powers.red.side: unknown side 'north'"),
        (effect("{add_setup: {red: {redport: {infantry: 0}}}}"), "expected a number from 1 on, got 0"),
        (
            effect("{add_setup: {red: {blueport: {infantry: 1}}}}"),
            "options.extra.effects.true: setup.red.blueport: Blueport",
        ),
        (
            effect("{remove_setup: {red: {redport: {armor: 5}}}}"),
            "remove_setup.red.redport: 5 armor cannot be taken from 1",
        ),
        (effect("{treasury: {red: -1}}"), "treasury.red: cannot be less than 0"),
        (effect("{control: {north-sea: red}}"), "control.north-sea: north-sea is not a land territory"),
        (effect("{spaces: {moor: {kind: sea}}}"), "spaces.moor.kind: unknown field 'kind'"),
        (effect("{technologies: {jets: {roll: 1}}}"), "technologies.jets: unknown technology 'jets'"),
        (effect("{remove_technologies: [jets]}"), "remove_technologies: unknown technology 'jets'"),
        (effect("{victory: {east-fals: {name: x}}}"), "victory.east-fals: unknown way to win 'east-fals' (did you"),
        (
            effect("{victory: {east-falls: {when: {controls: est, all: [moor]}}}}"),
            "when.who: unknown power or side",
        ),
        (effect("{add_victory: {new: {when: {ever: x}}}}"), "add_victory.new.when.ever: unknown milestone 'x'"),
        (effect("{remove_victory: [rounds]}"), "remove_victory: unknown way to win 'rounds'"),
        (effect("{remove_objectives: [mine]}"), "remove_objectives: unknown objective 'mine'"),
        (effect("{battles: {lnd: {first: true}}}"), "effects.true.battles: unknown kind of battle 'lnd'"),
        (effect("{battles: {land: {steps: [retreat]}}}"), "battles.land.steps: unknown field 'steps'"),
        (effect("{battles: {land: {repeats: maybe}}}"), "battles.land.repeats: "),
        (
            effect("{add_battles: {land: {steps: [retreat]}}}"),
            "add_battles.land: the edition has such a kind of battle",
        ),
        (effect("{seats: {presets: {1: [[red]]}, maximum: 3}}"), "seats.maximum: unknown field 'maximum'"),
        (
            effect("{phases: [{put: research, after: combat}]}"),
            "options.extra.effects.true.phases: together they put research",
        ),
        ("    requires: [gunz]\n", "effects.true.requires: unknown option 'gunz' (did you mean 'guns'?)"),
        ("    requires: {dear_units: three}\n", "requires: expected one of none, one, two, got three"),
        ("    excludes: [extra]\n", "excludes: extra is this option itself"),
        ("    implies: {guns: maybe}\n", "implies.guns: expected one of true, false, got maybe"),
        ("    idles: [gunz]\n", "idles: unknown option 'gunz'"),
        ("    choices: [a, b]\n    requires: [guns]\n", "requires: stands under the value to which it belongs"),
        (effect("{beside: [{units: {}}]}"), "beside.0.with: names the other options and their values"),
        (
            effect("{beside: [{with: {guns: true}, options: {guns: true}}]}"),
            "beside.0.options: belongs to the value itself",
        ),
        (effect("{beside: [{with: {scenario: x}}]}"), "beside.0.with: unknown scenario 'x'"),
        (
            "    implies: {guns: true}\n    excludes: [guns]\n",
            "extra=true and guns=true exclude each other",
        ),
    ],
)
def test_wrong_options(broken: Broken, option: str, problem: str) -> None:
    found = broken(option)
    assert any(problem in line for line in found), found
    assert len(found) <= 3, found


def test_what_comes_with_another_option_can_be_named(broken: Broken, tmp_path: Path) -> None:
    """`requires` makes sure that the unit is there; without it, some combination would not have it."""
    assert "unknown unit 'artillery'" in broken(effect("{units: {artillery: {attack: 1}}}"))[0]
    text = (FOLDER / "options.yaml").read_text()
    head = "  extra:\n    name: Extra\n    help: For a test.\n    default: false\n    requires: [guns]\n"
    more = effect(
        "{units: {artillery: {attack: 1}}, "
        "add_units: {mortar: {name: m, plural: m, domain: land, cost: 3, after: artillery}}}"
    )
    (tmp_path / "mine" / "options.yaml").write_text(f"{text}\n{head}{more}")
    world = compile_edition(open_edition(tmp_path / "mine"), "scratch", {"extra": True, "guns": True})
    assert list(world.units)[:3] == ["infantry", "artillery", "mortar"]
    assert world.units["artillery"].attack == 1


def test_defaults_have_to_fit_together(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(FOLDER, folder)
    text = (folder / "options.yaml").read_text()
    text = text.replace(
        "help: Artillery attacks at 3. It needs artillery.\n    default: false", "help: x\n    default: true"
    )
    (folder / "options.yaml").write_text(text)
    with pytest.raises(DataError, match="the defaults do not fit together: heavy_guns=true needs guns=true"):
        open_edition(folder)


def test_an_impossible_combination_names_both_options(tmp_path: Path) -> None:
    """Two options that each work alone and together bring the same unit."""
    folder = tmp_path / "mine"
    shutil.copytree(FOLDER, folder)
    unit = "{add_units: {artillery: {name: a, plural: a, domain: land, cost: 9}}}"
    head = "  extra:\n    name: Extra\n    help: For a test.\n    default: false\n"
    (folder / "options.yaml").write_text((folder / "options.yaml").read_text() + "\n" + head + effect(unit))
    edition = open_edition(folder)
    assert compile_edition(edition, "scratch", {"extra": True}).units["artillery"].cost == 9
    with pytest.raises(
        DataError, match=r"options.extra.effects.true.add_units.artillery: there is a artillery already"
    ):
        compile_edition(edition, "scratch", {"extra": True, "guns": True})
