"""Random games in which much is flown: raids, escorts, interceptors, drops, airlifts, kamikazes, air battles.

Positions are crowded with planes, options are drawn at random, and moves with a role are preferred to others.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from sandtable.archive.saves import from_text, to_text
from sandtable.engine.facts import paid_ahead
from sandtable.engine.game import Game
from sandtable.engine.movement import paradrop
from sandtable.notation import format_order
from sandtable.notation.orders import AnyOrder, Move, UnitSpec
from sandtable.world.compile import compile_world
from sandtable.world.model import World
from support.play import check_destinations, play_checked, probe, some_stacks
from support.positions import game_at

RULES = (
    *("artillery", "air_transport", "paratroopers", "kamikazes", "aa_target_selection", "additional_bombing_targets"),
    *("raid_interceptors", "raid_escorts", "air_battles_land", "air_battles_sea"),
)
BESIDE = (
    *("second_edition", "alternate_action_sequence", "expanded_weapons", "high_tech_production", "lend_lease"),
    *("naval_task_forces", "anglo_american_operations", "russo_japanese_pact"),
)


def draw_options(rng: random.Random) -> dict[str, Any]:
    chosen = {key: True for key in RULES if rng.random() < 0.7}
    if "raid_escorts" in chosen:
        chosen["raid_interceptors"] = True
    return chosen | {key: True for key in BESIDE if rng.random() < 0.2}


def crowded(world: World, rng: random.Random, power: str) -> dict[str, Any]:
    """A board of planes, with something to raid, to drop on and to sink everywhere."""
    units: dict[str, dict[str, dict[str, int]]] = {}
    for space, place in world.spaces.items():
        if place.is_land and place.owner is not None and rng.random() < 0.6:
            own = {"infantry": rng.randint(0, 2), "fighter": rng.randint(0, 2), "bomber": rng.randint(0, 1)}
            if rng.random() < 0.3:
                own["aa-gun"] = 1
            if rng.random() < 0.3:
                own["industrial-complex"] = 1
            if "artillery" in world.units:
                own["artillery"] = rng.randint(0, 1)
            units[space] = {place.owner: own}
        elif place.is_sea and rng.random() < 0.4:
            fleet = {"carrier": 1, "fighter": rng.randint(0, 2), "submarine": rng.randint(0, 1)}
            units[space] = {rng.choice(world.order): fleet | {"transport": rng.randint(0, 1)}}
    treasury = {p: rng.randint(0, 30) for p in world.order}
    phase = rng.choice(("combat-move", world.phases[0]))
    drops = {"drops": 3} if world.rules.drops is not None and paid_ahead(world) else {}
    return {"clear": "all", "units": units, "treasury": treasury, "turn": power, "phase": phase} | drops


def draw_order(game: Game, rng: random.Random) -> AnyOrder:
    """A move with a role if one can be found quickly, else any legal order."""
    question = game.decision
    assert question is not None
    quiet = question.kind == "noncombat-move"
    if question.kind in ("combat-move", "noncombat-move") and rng.random() < (0.2 if quiet else 0.7):
        stacks = some_stacks(game, rng, 16)
        rng.shuffle(stacks)
        for space, unit in stacks[:6]:
            by_plane = paradrop.AIRLIFT if quiet else paradrop.ROLE
            found: list[str] = game.legal.roles(unit)
            if paradrop.riders(game.world, game.state, question.power, space, unit, by_plane):
                found.append(by_plane)
            if not found:
                continue
            role = rng.choice(found)
            routes = list(game.legal.destinations(space, unit, role).values())
            if routes:
                ride = paradrop.ride_for(game.world, game.state, question.power, role)
                along = (UnitSpec(ride.passenger),) if role == by_plane and ride is not None else ()
                return Move((UnitSpec(unit), *along), rng.choice(routes), role)
    return game.legal.sample(rng)


def fly(seed: int, orders: int, options: dict[str, Any] | None = None) -> tuple[Game, Counter[str]]:
    rng = random.Random(seed)
    options = draw_options(rng) if options is None else options
    world = compile_world("classic-1942", options)
    power = "japan" if rng.random() < 0.4 else rng.choice(world.order)
    game = game_at(world, crowded(world, rng, power), seed)
    met: Counter[str] = Counter()
    try:
        for _ in range(orders):
            question = game.decision
            if question is None:
                break
            met[question.kind] += 1
            if rng.random() < 0.1:
                probe(game, rng, 1)
            if question.kind in ("combat-move", "noncombat-move") and rng.random() < 0.04:
                for space, unit in some_stacks(game, rng, 2):
                    for role in (None, *game.legal.roles(unit)):
                        check_destinations(game, space, unit, role)
            order = draw_order(game, rng)
            met[getattr(order, "role", None) or ""] += 1
            play_checked(game, order)
    except BaseException:
        told = "\n".join(format_order(entry.order) for entry in game.entries[-12:])
        print(f"seed {seed}, options {options}, last orders:\n{told}")
        raise
    return game, met


@pytest.mark.parametrize("block", range(6))
def test_crowded_skies_are_lawful(block: int) -> None:
    """All laws hold, what is offered is legal, and a saved game is the same when it is loaded and replayed."""
    for seed in range(8 * block, 8 * block + 8):
        game, _ = fly(seed, 60)
        loaded = from_text(to_text(game))
        assert [entry.events for entry in loaded.entries] == [entry.events for entry in game.entries]
        assert loaded.state.digest() == game.state.digest()


def test_every_way_of_flying_is_met() -> None:
    """The games above mean something: with all rules on, all of it is flown."""
    met: Counter[str] = Counter()
    for seed in range(100, 108):
        met += fly(seed, 40, dict.fromkeys(RULES, True))[1]
    assert all(met[what] for what in ("raid", "escort", "intercept", "kamikaze", "paradrop", "airlift")), met
