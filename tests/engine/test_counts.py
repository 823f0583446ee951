"""Counting legal orders, as chess programs count moves: a rule that lets too much or too little through shows.

`counts.txt` holds the numbers with their split by unit type. Run `python tests/engine/test_counts.py` to write it anew
after a rule has changed on purpose, and read the difference before you keep it. The tests at the end count some of the
same things by other means.
"""

from __future__ import annotations

import sys
from collections import Counter, deque
from functools import cache
from pathlib import Path
from typing import Any

import pytest

if __name__ == "__main__":  # as a command, outside pytest's search path
    sys.path.insert(0, str(Path(__file__).parents[1]))

from sandtable.archive.position import patched_state
from sandtable.engine.dice import SeededDice
from sandtable.engine.game import Game
from sandtable.engine.legal import Legal
from sandtable.notation import orders
from sandtable.world.compile import compile_world
from sandtable.world.model import World
from support.positions import game_at

FILE = Path(__file__).with_name("counts.txt")
WORLD = compile_world("classic-1942")
SECOND = compile_world("classic-1942", {"second_edition": True})
POWERS = ("ussr", "germany", "uk", "japan", "usa")

SMALL: dict[str, dict[str, Any]] = {
    "tank-corps": {
        "units": {"libya": {"germany": {"armor": 2}}, "anglo-egypt-sudan": {"uk": {"infantry": 1}}},
        "turn": "germany",
    },
    "ferry": {
        "units": {
            "united-kingdom": {"uk": {"infantry": 2, "armor": 1}},
            "north-sea": {"uk": {"transport": 2, "battleship": 1}},
            "western-europe": {"germany": {"infantry": 1}},
        },
        "turn": "uk",
    },
    "carrier-group": {
        "units": {
            "wake-island-sea": {"japan": {"carrier": 1, "fighter": 2}},
            "hawaiian-sea": {"usa": {"transport": 1}},
            "midway-sea": {"usa": {"submarine": 1}},
        },
        "turn": "japan",
    },
    "bombers": {
        "units": {
            "united-kingdom": {"uk": {"bomber": 1, "fighter": 1}},
            "germany": {"germany": {"infantry": 1, "industrial-complex": 1, "aa-gun": 1}},
            "southern-europe": {"germany": {"industrial-complex": 1}},
            "baltic-sea": {"germany": {"submarine": 1}},
        },
        "turn": "uk",
    },
}


def by_type(game: Game) -> Counter[str]:
    """Legal single-unit orders by what they are about; `end` is left out."""
    found: Counter[str] = Counter()
    for order in game.legal.orders():
        match order:
            case orders.Move(units=units, role=role):
                found[units[0].type + (f"-{role}" if role else "")] += 1
            case orders.Buy(units=units) | orders.Place(units=units):
                found[units[0].type] += 1
            case orders.Research():
                found["research"] += 1
            case _:
                pass
    return found


def second_step(game: Game) -> Counter[str]:
    """Pairs of such orders, by the first one's unit type; an order that opens a battle ends its line."""
    found: Counter[str] = Counter()
    dice = SeededDice(1)
    for order in game.legal.orders():
        if isinstance(order, orders.Move | orders.Buy | orders.Place):
            state, _ = game.legal.try_out(order, dice)
            if state.battle is None:
                more = [o for o in Legal(game.world, state).orders() if not isinstance(o, orders.End)]
                found[order.units[0].type] += len(more)
    return found


@cache
def lines() -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for power in POWERS:
        for phase in ("research", "purchase", "combat-move", "noncombat-move"):
            game = game_at(WORLD, {"turn": power, "phase": phase})
            found[f"start {power} {phase}"] = by_type(game)
        game = game_at(WORLD, {"turn": power, "phase": "purchase", "treasury": {power: 200}})
        found[f"start {power} purchase twice"] = second_step(game)
        for unit in ("infantry", "fighter", "aa-gun", "transport", "battleship", "industrial-complex"):
            game.play(f"buy 1 {unit}")
        game.play("end")
        while game.decision is not None and game.decision.kind != "mobilize":
            game.play("end")
        found[f"start {power} mobilize"] = by_type(game)
        found[f"start {power} mobilize twice"] = second_step(game)
    for name, patch in SMALL.items():
        for phase in ("combat-move", "noncombat-move"):
            game = game_at(WORLD, {"clear": "all", "phase": phase, **patch})
            found[f"{name} {phase}"] = by_type(game)
            found[f"{name} {phase} twice"] = second_step(game)
    game = game_at(SECOND, {"clear": "all", "phase": "combat-move", **SMALL["ferry"]})
    found["ferry combat-move second-edition"] = by_type(game)
    return found


def written(name: str, split: Counter[str]) -> str:
    parts = " ".join(f"{what}:{split[what]}" for what in sorted(split))
    return f"{name} = {split.total()}  {parts}".rstrip()


def wanted() -> dict[str, str]:
    text = [line for line in FILE.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return {line.partition(" = ")[0]: line for line in text}


@pytest.mark.parametrize("name", list(wanted()) if FILE.exists() else [])
def test_counts(name: str) -> None:
    assert name in lines(), "the file counts something that is not counted any more"
    assert written(name, lines()[name]) == wanted()[name]


def test_the_file_is_complete() -> None:
    assert list(wanted()) == list(lines())


# ---------------------------------------------------------------- the same numbers by other means

PRICES = {
    "infantry": 3, "armor": 5, "fighter": 12, "bomber": 15, "aa-gun": 5, "transport": 8, "submarine": 8, "carrier": 18,
    "battleship": 24, "industrial-complex": 15,
}  # fmt: skip


@pytest.mark.parametrize("money", [0, 2, 3, 7, 8, 15, 23, 24, 36])
def test_purchases_are_all_that_money_buys(money: int) -> None:
    """One purchase after another: as many pairs as there are pairs of prices within the money."""
    patch = {"turn": "usa", "phase": "purchase", "treasury": {"usa": money}}
    game = game_at(WORLD, patch)
    pairs = sum(a + b <= money for a in PRICES.values() for b in PRICES.values())
    singles = {unit for unit, price in PRICES.items() if price <= money}
    if not singles:
        assert game.decision is not None
        assert game.decision.kind == "combat-move", "without money the phase passes by itself"
        return
    assert set(by_type(game)) == singles
    assert second_step(game).total() == pairs


def steps(world: World, start: str, most: int, graph: dict[str, list[str]]) -> dict[str, int]:
    """Plain breadth-first search."""
    found = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if found[here] < most:
            for there in graph[here]:
                if there not in found:
                    found[there] = found[here] + 1
                    queue.append(there)
    return found


def graph_of(world: World, allowed: set[str]) -> dict[str, list[str]]:
    return {s: [n for n in world.neighbours[s] if n in allowed] for s in world.spaces}


@pytest.mark.parametrize("power", POWERS)
def test_quiet_moves_of_the_start(power: str) -> None:
    """Without battles and enemies the non-combat moves of infantry, armor and planes are plain distances."""
    game = game_at(WORLD, {"turn": power, "phase": "noncombat-move"})
    state = game.state
    friendly = {s for s, owner in state.owners.items() if WORLD.same_side(owner, power)}
    sea = {s.id for s in WORLD.spaces.values() if s.is_sea}
    over_land = graph_of(WORLD, friendly)
    by_air = graph_of(WORLD, set(state.owners) | sea)
    for space, stack in state.units.items():
        for piece in stack:
            if piece.power != power or WORLD.spaces[space].is_sea:
                continue
            reached = game.legal.destinations(space, piece.type)
            if piece.type in ("infantry", "armor"):
                near = steps(WORLD, space, {"infantry": 1, "armor": 2}[piece.type], over_land)
                assert {s for s in reached if s not in sea} == set(near) - {space}
            elif piece.type == "bomber":
                near = steps(WORLD, space, 6, by_air)
                assert set(reached) == (set(near) & friendly) - {space}
            elif piece.type == "fighter":
                near = steps(WORLD, space, 4, by_air)
                assert {s for s in reached if s not in sea} == (set(near) & friendly) - {space}


@pytest.mark.parametrize("power", POWERS)
def test_quiet_voyages_of_the_start(power: str) -> None:
    """Ships go two zones, not into or through zones of the enemy; canals are left out by the zones beside them."""
    game = game_at(WORLD, {"turn": power, "phase": "noncombat-move"})
    state = game.state
    hostile = {s for s, k in state.units.items() if any(not WORLD.same_side(p.power, power) for p in k)}
    free = {s.id for s in WORLD.spaces.values() if s.is_sea and s.id not in hostile}
    canals = {frozenset(ends) for ends in WORLD.canals}
    graph = {s: [n for n in WORLD.neighbours[s] if n in free and frozenset((s, n)) not in canals] for s in WORLD.spaces}
    with_canals = {s: [n for n in WORLD.neighbours[s] if n in free] for s in WORLD.spaces}
    for space, stack in state.units.items():
        for piece in stack:
            if piece.power == power and WORLD.units[piece.type].domain == "sea":
                reached = set(game.legal.destinations(space, piece.type))
                least = set(steps(WORLD, space, 2, graph)) - {space}
                most = set(steps(WORLD, space, 2, with_canals)) - {space}
                assert least <= reached <= most, (space, piece.type)


@pytest.mark.parametrize(
    ("power", "complexes", "zones"),
    [
        ("ussr", {"karelia-ssr", "russia"}, {"baltic-sea", "karelia-sea", "caspian-sea"}),
        ("germany", {"germany", "southern-europe"}, {"baltic-sea", "central-mediterranean-sea"}),
        ("uk", {"united-kingdom"}, {"north-sea"}),
        ("japan", {"japan"}, {"japan-sea"}),
        ("usa", {"eastern-usa", "western-usa"}, {"eastern-usa-sea", "gulf-of-mexico-sea", "western-usa-sea"}),
    ],
)
def test_places_for_new_units(power: str, complexes: set[str], zones: set[str]) -> None:
    """Known from the board: complexes of the set-up, and the zones that border them."""
    state = patched_state(WORLD, {"turn": power, "phase": "mobilize"})
    legal = Legal(WORLD, state)
    assert set(legal.places("infantry")) == set(legal.places("fighter")) == complexes
    assert set(legal.places("transport")) == zones
    sites = {s for s, owner in state.owners.items() if owner == power} - complexes
    assert set(legal.places("industrial-complex")) == sites


def test_tank_corps_by_hand() -> None:
    """Libya borders Algeria (own), Egypt (defended) and French Equatorial Africa (empty, British).

    Attack: Egypt; French Equatorial Africa; and through the latter Belgian Congo and French West Africa, and back to
    Libya or on to Algeria, which a blitz may end in. Egypt stops.
    """
    game = game_at(WORLD, {"clear": "all", "phase": "combat-move", **SMALL["tank-corps"]})
    assert set(game.legal.destinations("libya", "armor")) == {
        "anglo-egypt-sudan", "french-equatorial-africa", "belgian-congo", "french-west-africa", "libya", "algeria",
    }  # fmt: skip


if __name__ == "__main__":
    HEAD = "# Legal orders of one unit each (twice: pairs of them), with the split by unit type. See test_counts.py.\n"
    FILE.write_text(HEAD + "".join(written(n, c) + "\n" for n, c in lines().items()), "utf-8")
