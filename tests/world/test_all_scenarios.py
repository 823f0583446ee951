"""What holds for every scenario of every edition."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.errors import DataError
from sandtable.rulebook import rule_ids
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.edition import Edition
from sandtable.world.load import load_builtin, scenarios
from sandtable.world.model import World
from sandtable.world.placement import fits_aboard, fits_on_decks

SCENARIOS = ["classic-1942", "anniversary-1941", "anniversary-1942", "global-1940"]


@pytest.fixture(params=SCENARIOS)
def world(request: pytest.FixtureRequest) -> World:
    return compile_world(request.param)


def test_the_list_of_scenarios() -> None:
    assert [tuple(info) for info in scenarios()] == [
        ("classic-1942", "classic", "Spring 1942", True),
        ("pacific-theater", "classic", "Pacific Theater", True),
        ("world-domination", "classic", "World Domination", True),
        ("anniversary-1941", "anniversary", "1941", True),
        ("anniversary-1942", "anniversary", "1942", True),
        ("global-1940", "global1940", "1940", True),
    ]


def test_borders_are_symmetric(world: World) -> None:
    for space, others in world.neighbours.items():
        assert space not in others
        assert len(set(others)) == len(others)
        for other in others:
            assert space in world.neighbours[other]


def test_neighbours_stand_in_board_order(world: World) -> None:
    order = list(world.spaces)
    for others in world.neighbours.values():
        assert list(others) == sorted(others, key=order.index)


def test_kinds_of_neighbours(world: World) -> None:
    for space, others in world.neighbours.items():
        assert set(world.land[space]) == {
            o for o in others if world.spaces[o].is_land and not world.spaces[o].impassable
        }
        assert set(world.sea[space]) == {o for o in others if world.spaces[o].is_sea}
        assert set(world.air[space]) == {o for o in others if not world.spaces[o].impassable}


def test_the_board_hangs_together(world: World) -> None:
    """Planes can get everywhere, ships to every sea zone but the inland ones."""
    passable = {space.id for space in world.spaces.values() if not space.impassable}
    assert reached(world.air, next(iter(passable))) == passable
    open_sea = {space.id for space in world.spaces.values() if space.is_sea and not space.inland}
    assert reached(world.sea, next(iter(open_sea))) == open_sea


def reached(ways: object, start: str) -> set[str]:
    seen, todo = {start}, [start]
    while todo:
        for other in ways[todo.pop()]:  # type: ignore[index]
            if other not in seen:
                seen.add(other)
                todo.append(other)
    return seen


def test_canals_work_both_ways(world: World) -> None:
    assert world.canals
    for (a, b), canal in world.canals.items():
        assert world.canals[b, a] is canal
        assert b in world.sea[a]
        assert all(world.spaces[bank].is_land for bank in canal.banks)


def test_money_is_production(world: World) -> None:
    production = dict.fromkeys(world.powers, 0)
    for space in world.spaces.values():
        if space.owner is not None:
            production[space.owner] += space.ipc
    for power in world.powers.values():
        if power.collects_income:
            assert production[power.id] == power.treasury, power.id


def test_positions_are_on_the_globe(world: World) -> None:
    for space in world.spaces.values():
        assert -90 < space.lat < 90
        assert -180 <= space.lon <= 180
    assert len({(space.lat, space.lon) for space in world.spaces.values()}) == len(world.spaces)


def test_ids_are_slugs(world: World) -> None:
    slug = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
    for name in (*world.spaces, *world.powers, *world.units, *world.technologies, *world.sides):
        assert slug.fullmatch(name)


def test_pieces_at_sea_have_room(world: World) -> None:
    for side in world.sides:
        for space in world.spaces.values():
            if space.is_sea:
                here: dict[str, int] = {}
                for power in world.members(side):
                    for unit, number in world.setup.units.get(power, {}).get(space.id, {}).items():
                        here[unit] = here.get(unit, 0) + number
                planes = {u: n for u, n in here.items() if world.units[u].domain == "air"}
                cargo = {u: n for u, n in here.items() if world.units[u].domain == "land"}
                assert fits_on_decks(planes, {u: n for u, n in here.items() if world.units[u].deck}, world.units)
                assert fits_aboard(cargo, {u: n for u, n in here.items() if world.units[u].loads}, world.units)


@pytest.mark.parametrize("edition", ["classic", "anniversary", "global1940"])
def test_cited_rules_exist(edition: str) -> None:
    known = set(rule_ids())
    cited = set(_cited(load_builtin(edition)))
    assert cited
    assert cited <= known


def _cited(edition: Edition) -> Iterator[str]:
    for record in (
        *edition.canals,
        *edition.options,
        *edition.technologies.values(),
        *edition.objectives,
        *edition.victory,
        edition.seats,
    ):
        yield from record.rules
    for option in edition.options:
        for patch in option.effects.values():
            for fields in patch.victory.values():
                yield from fields.get("rules", ())
            for added in patch.add_victory.values():
                yield from added.record.rules


def test_world_can_be_written_down(world: World) -> None:
    """A World is plain data: what a browser or a log shows of it needs no special cases."""
    assert msgspec.json.encode(msgspec.to_builtins(world.spaces))
    assert msgspec.json.encode(world.units)


@settings(max_examples=30, deadline=None)
@given(st.dictionaries(st.sampled_from([o.key for o in load_builtin("classic").options]), st.booleans()))
def test_compiling_is_deterministic(chosen: dict[str, bool]) -> None:
    options = {key: value for key, value in chosen.items() if key != "joint_casualties"}
    try:
        world = compile_world("classic-1942", options)
    except DataError as error:
        assert "options: " in str(error)  # noqa: PT017  (a choice that contradicts itself)
        return
    again = compile_edition(load_builtin("classic"), "classic-1942", options)
    assert world == again
    assert msgspec.json.encode(again.neighbours) == msgspec.json.encode(world.neighbours)
    assert compile_world("classic-1942", dict(reversed(options.items()))) is world
    for key, value in options.items():
        assert world.options[key] is value


def test_the_same_bytes_in_another_process() -> None:
    """No order depends on the hash seed of a process."""
    code = (
        "import hashlib, msgspec; from sandtable.world.compile import compile_world; "
        "w = compile_world('classic-1942', {'second_edition': True}); "
        "print(hashlib.sha256(msgspec.json.encode([w.neighbours, w.setup, w.units, w.options, w.victory])).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


def test_compiling_is_quick() -> None:
    edition = load_builtin("classic")
    start = time.perf_counter()
    compile_edition(edition, "classic-1942")
    assert time.perf_counter() - start < 0.2  # usually a few milliseconds
