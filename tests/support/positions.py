"""Odd but possible positions, made at random in the words of case files, so that a failure can be pasted into one."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from sandtable.archive.position import patched_state
from sandtable.engine.game import Game
from sandtable.engine.movement.cargo import fits
from sandtable.world.model import World


def random_patch(world: World, rng: random.Random, *, phase: str | None = None) -> dict[str, Any]:
    """A position that play could bring about, crowded with what is rare: shared zones, guests on decks, allied cargo,
    captured capitals, violated neutrals, any technologies, any amount of money."""
    powers = list(world.powers)
    control: dict[str, str | None] = {}
    units: dict[str, dict[str, dict[str, int]]] = {}
    cargo: dict[str, Any] = {}
    for space in world.spaces.values():
        if space.is_land:
            owner = space.owner
            if (owner is None and rng.random() < 0.15) or (owner is not None and rng.random() < 0.25):
                owner = rng.choice(powers)
            if space.impassable or (space.owner is None and world.rules.neutrals == "closed"):
                continue
            if owner != space.owner:
                control[space.id] = owner
            if owner is not None and rng.random() < 0.7:
                units[space.id] = _garrison(world, rng, owner)
        elif rng.random() < 0.35:
            sides = list(world.sides) if rng.random() < 0.1 else [rng.choice(world.sides)]
            for side in sides:
                sailors = [p for p in world.members(side) if not world.powers[p].area]
                _fleet(world, rng, space.id, sailors, units, cargo)
    return {
        "clear": "all",
        "units": units,
        "cargo": cargo,
        "control": control,
        "treasury": {p: rng.choice((0, 2, 5, 17, 40)) for p in world.order},
        "technologies": {p: [t for t in world.technologies if rng.random() < 0.3] for p in world.order},
        "turn": rng.choice(world.order),
        "phase": phase or rng.choice(("purchase", "combat-move", "combat-move", "combat-move", "noncombat-move")),
    }


def _garrison(world: World, rng: random.Random, owner: str) -> dict[str, dict[str, int]]:
    stack: dict[str, dict[str, int]] = {}
    allies = world.members(world.side_of(owner))
    guest = rng.choice(allies) if world.rules.sharing is None else owner
    for power in [owner] if guest == owner or rng.random() < 0.7 else [owner, guest]:
        troops = [u.id for u in world.units.values() if u.domain in ("land", "air") and u.casualty]
        kinds = rng.sample(("infantry", *troops), rng.choice((0, 1, 1, 2, 3)))
        for unit in kinds:
            stack.setdefault(power, {})[unit] = rng.choice((1, 1, 2, 3))
    if rng.random() < 0.25:
        stack.setdefault(owner, {})["aa-gun"] = 1
    if rng.random() < 0.2:
        stack.setdefault(owner, {})["industrial-complex"] = 1
    return {p: u for p, u in stack.items() if u}


def _fleet(
    world: World,
    rng: random.Random,
    zone: str,
    members: list[str],
    units: dict[str, dict[str, dict[str, int]]],
    cargo: dict[str, Any],
) -> None:
    room = 0
    owners = rng.sample(members, rng.choice((1, 1, 2)))
    for power in owners:
        carriers = 2 - sum("carrier" in fleets.get(power, {}) for fleets in units.values())
        known = [u.id for u in world.units.values() if u.domain == "sea"]
        ships = rng.sample(("transport", *known), rng.choice((1, 2, 3)))
        fleet = {ship: rng.choice((1, 1, 2)) for ship in ships if ship != "carrier" or carriers > 0}
        units.setdefault(zone, {})[power] = fleet
        room += 2 * fleet.get("carrier", 0)
        loads = [_load(world, rng, power, members) for _ in range(fleet.get("transport", 0))]
        loads = [load for load in loads if load]
        if loads:
            cargo.setdefault(zone, {})[power] = {"transport": loads}
    for power in rng.sample(members, len(members)):
        fighters = rng.randint(0, room)
        room -= fighters
        if fighters:
            units.setdefault(zone, {}).setdefault(power, {})["fighter"] = fighters


def _load(world: World, rng: random.Random, power: str, members: list[str]) -> dict[str, int]:
    load: dict[str, int] = {}
    total: dict[str, int] = {}
    for _ in range(rng.choice((0, 1, 2, 2))):
        unit = rng.choice(("infantry", "infantry", "armor", "aa-gun"))
        more = {**total, unit: total.get(unit, 0) + 1}
        if fits(world.units["transport"].loads, Counter(more)):
            total = more
            owner = power if rng.random() < 0.7 else rng.choice(members)
            word = unit if owner == power else f"{owner} {unit}"
            load[word] = load.get(word, 0) + 1
    return load


def game_at(world: World, patch: dict[str, Any], seed: int = 0) -> Game:
    return Game(world, seed=seed, start=patched_state(world, patch))
