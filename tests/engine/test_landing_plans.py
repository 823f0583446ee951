"""CL-AIR-11 judged a second time: every way to send the carriers and to share out their decks is tried, one by one."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from sandtable.engine.game import Game
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import World
from support.positions import game_at

OCEAN = (
    "wake-island-sea", "hawaiian-sea", "midway-sea", "north-pacific-sea", "solomon-islands-sea", "caroline-islands-sea",
    "okinawa-sea", "new-guinea-sea", "south-pacific-sea", "alaska-sea", "mexico-sea", "new-zealand-sea",
)  # fmt: skip
SHORES = ("wake-island", "hawaiian-islands", "midway", "solomon-islands", "caroline-islands", "okinawa", "new-guinea")


def position(world: World, rng: random.Random) -> dict[str, object]:
    """A few carriers of two allies, fighters on them, enemy ships round about, few islands to land on."""
    units: dict[str, dict[str, dict[str, int]]] = {}
    for zone in rng.sample(OCEAN, 2):
        ships = rng.choice((1, 1, 2))
        fighters = rng.randint(1, 2 * ships)
        units[zone] = {"japan": {"carrier": ships, "fighter": fighters}}
        if rng.random() < 0.4:
            guests = rng.randint(0, 2 * ships - fighters)
            if guests:
                units[zone]["germany"] = {"fighter": guests}
    if rng.random() < 0.4:
        zone = rng.choice([z for z in OCEAN if z not in units])
        units[zone] = {"germany": {"carrier": 1}}
    for zone in OCEAN:
        if zone not in units and rng.random() < 0.4:
            units[zone] = {"usa": {"transport": 1}}
    control = {s.id: "usa" for s in world.spaces.values() if s.owner is not None}
    control |= {s: "japan" for s in SHORES if rng.random() < 0.15}
    return {"clear": "all", "units": units, "control": control, "turn": "japan", "phase": "combat-move"}


def within(world: World, start: str, most: int, barred: set[str]) -> set[str]:
    found, edge = {start}, {start}
    for _ in range(most):
        edge = {n for s in edge for n in world.neighbours[s] if n not in barred} - found
        found |= edge
    return found


def all_can_land(world: World, game: Game, planes: list[tuple[str, int]], cleared: set[str]) -> bool:
    """Whether some way to send Japan's carriers gives every plane (where it is, how far it can fly) a place."""
    state = game.state
    neutral = {s.id for s in world.spaces.values() if s.is_land and s.id not in state.owners}
    land = {s for s, owner in state.owners.items() if owner in ("japan", "germany")}
    reach = [within(world, space, left, neutral) for space, left in planes]
    needy = [r for r in reach if not r & land]
    if not needy:
        return True
    hostile = {
        s for s, k in state.units.items() if s not in cleared and any(p.power in ("usa", "uk", "ussr") for p in k)
    }
    dry = {s.id for s in world.spaces.values() if s.is_land}
    embattled = {s for s, k in state.units.items() if any(p.power in ("usa", "uk", "ussr") for p in k)}
    closed = hostile | dry
    own: list[tuple[list[str], str]] = []
    fixed: list[str] = []
    for zone, stack in state.units.items():
        own_ships = sum(n for p, n in stack.items() if p.type == "carrier" and p.power == "japan")
        allied = sum(n for p, n in stack.items() if p.type == "carrier" and p.power == "germany")
        guests = sum(n for p, n in stack.items() if p.type == "fighter" and p.power == "germany")
        places = [zone] * (2 * allied)
        taken = min(guests, len(places))
        fixed += places[taken:]
        riding = guests - taken
        for _ in range(own_ships):
            aboard = min(2, riding)
            riding -= aboard
            quiet = within(world, zone, 2, closed)
            fought = {n for s in within(world, zone, 1, embattled | dry) for n in world.neighbours[s]} & embattled
            own.append((sorted(quiet | fought), "x" * (2 - aboard)))
    useful = set().union(*needy)
    choices = [sorted({z for z in zones if z in useful} or {zones[0]}) for zones, _ in own]
    for spots in product(*choices):
        decks = fixed + [z for z, (_, room) in zip(spots, own, strict=True) for _ in room]
        if _seat_all(needy, Counter(decks)):
            return True
    return False


def _seat_all(needy: list[set[str]], left: Counter[str]) -> bool:
    """Plain search: each plane in turn tries every deck that it reaches."""
    if not needy:
        return True
    for zone in needy[0]:
        if left[zone]:
            left[zone] -= 1
            if _seat_all(needy[1:], left):
                return True
            left[zone] += 1
    return False


@pytest.mark.rule("CL-AIR-11")
@pytest.mark.parametrize("seed", range(30))
def test_attacks_by_carrier_planes(classic_world: World, seed: int) -> None:
    """Fighter after fighter is sent out; each attack is legal exactly if all that are out can still land."""
    rng = random.Random(seed)
    game = game_at(classic_world, position(classic_world, rng), seed)  # type: ignore[arg-type]
    out: list[tuple[str, int]] = []
    for _ in range(3):
        bases = sorted(
            s for s, k in game.state.units.items()
            if any(p.power == "japan" and p.type == "fighter" and not p.origin for p in k)
        )  # fmt: skip
        targets = sorted(s for s, k in game.state.units.items() if any(p.power == "usa" for p in k))
        if not bases or not targets:
            return
        accepted: list[tuple[str, str, int]] = []
        for base in bases:
            at_base = [
                (s, 4) for s, k in game.state.units.items() for p, n in k.items()
                if p.power == "japan" and p.type == "fighter" and not p.origin for _ in range(n)
            ]  # fmt: skip
            at_base.remove((base, 4))
            for target in targets:
                order = Move((UnitSpec("fighter"),), (base, target))
                distance = next((d for d in range(1, 5) if target in within(classic_world, base, d, set())), None)
                legal = game.legal.why_not(order) is None
                if distance is None:
                    assert not legal
                    continue
                cleared = {target, *(s for s, _ in out)}
                possible = all_can_land(classic_world, game, [*out, *at_base, (target, 4 - distance)], cleared)
                assert legal == possible, f"{base} -> {target}, already out {out}: engine {legal}, by hand {possible}"
                if legal:
                    accepted.append((base, target, distance))
        if not accepted:
            return
        base, target, distance = rng.choice(accepted)
        game.play(Move((UnitSpec("fighter"),), (base, target)))
        out.append((target, 4 - distance))
