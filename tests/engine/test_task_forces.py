"""Divided assaults at random: whatever is sent in which role, every law holds, and each position can be saved."""

from __future__ import annotations

import random
from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.archive.snapshot import fingerprint, from_data, to_data
from sandtable.engine.game import Game
from sandtable.notation import parse_order
from sandtable.world.compile import compile_world
from support.play import play_checked

OTHERS = ("second_edition", "air_battles_sea", "air_battles_land", "kamikazes", "alternate_action_sequence")
ZONES = ("north-pacific-sea", "wake-island-sea")
SHIPS = ("submarine", "submarine", "battleship", "battleship", "carrier", "transport", "transport")


def some(rng: random.Random, *kinds: str) -> dict[str, int]:
    return {kind: n for kind in kinds if (n := rng.randint(0, 2))}


def assault(rng: random.Random) -> dict[str, Any]:
    fleet = {"transport": 2, "carrier": 1, "fighter": rng.randint(0, 2), **some(rng, "submarine", "battleship")}
    second = {"carrier": 1, "fighter": rng.randint(0, 2), **some(rng, "submarine", "battleship")}
    return {
        "clear": "all",
        "units": {
            ZONES[0]: {"japan": fleet},
            ZONES[1]: {"japan": second},
            "midway-sea": {"usa": some(rng, "submarine", "transport", "battleship") or {"transport": 1}},
            "midway": {"usa": some(rng, "infantry", "fighter") or {"infantry": 1}},
            "japan": {"japan": {"bomber": 1}},
        },
        "cargo": {ZONES[0]: {"japan": {"transport": [{"infantry": 2}]}}},
        "turn": "japan",
        "phase": "combat-move",
    }


@pytest.mark.rule("MX07-01", "MX07-08", "MX07-15")
@pytest.mark.parametrize("seed", range(30))
def test_a_divided_assault_is_lawful(seed: int) -> None:
    rng = random.Random(seed)
    chosen = dict.fromkeys(("naval_task_forces", *(o for o in OTHERS if rng.random() < 0.4)), True)
    world = compile_world("classic-1942", chosen)
    game = Game(world, start=patched_state(world, assault(rng)), seed=seed)

    def give(text: str) -> None:
        order = parse_order(world, text)
        refusal = game.legal.why_not(order)
        if refusal is None:
            play_checked(game, order)
        else:
            assert refusal.rules, text

    for zone in ZONES:
        for end in ("midway", "midway-sea"):
            if rng.random() < 0.4:
                give(f"move 1 fighter: {zone} -> {end}")
        for ship in SHIPS:
            if rng.random() < 0.8:
                give(f"move 1 {ship}: {zone} -> midway-sea as {rng.choice(('attack', 'invasion'))}")
    give("move 2 infantry: midway-sea -> midway")
    for _ in range(40):
        if game.decision is None or game.state.turn != world.order.index("japan"):
            break
        again = from_data(world, to_data(game.state))
        assert again == game.state
        assert fingerprint(again) == fingerprint(game.state)
        play_checked(game, game.legal.sample(rng))
