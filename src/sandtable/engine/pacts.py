"""Pacts: an attack on a power brings land that is loyal to it to its side (Mongolia, G40-POL-59, G40-POL-60).

What is loyal to whom is a trait of the board (`loyal_to: ussr`); `tables.yaml` says from whose attacks the pact
protects, and which other land is watched besides that which borders on the loyal.
"""

from __future__ import annotations

from typing import Any

from sandtable.engine.conditions.history import void
from sandtable.engine.events import Noted
from sandtable.engine.neutral import STRICT, join
from sandtable.engine.relations import leaning
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, World


def honour(run: Run) -> None:
    """Settle what this turn's attacks mean for pacts, when the combat phase is over."""
    for name, pact in run.world.traits.get("pacts", {}).items():
        _honour(run, name, pact)


def _honour(run: Run, name: str, pact: dict[str, Any]) -> None:
    world, state = run.world, run.state
    loyal = [s for s, space in world.spaces.items() if space.traits.get("loyal_to") == pact["protects"]]
    beside = {s for land in loyal for s in world.land[land] if s not in loyal}
    if run.power == pact["protects"]:
        watched = beside | set(pact["and"])
        strict = all(leaning(world, state, s) == STRICT for s in loyal)
        if strict and _has_attacked(world, state, run.power, pact["from"], watched):
            run.emit(Noted(void(name)))
        return
    holds = run.power == pact["from"] and void(name) not in state.history
    if holds and _has_attacked(world, state, run.power, pact["protects"], beside):
        side = world.side_of(pact["protects"])
        for space in loyal:
            if leaning(world, run.state, space) in (STRICT, f"pro-{side}", side):
                join(run, pact["protects"], space)


def _has_attacked(world: World, state: State, power: PowerId, victim: PowerId, land: set[SpaceId]) -> bool:
    """The power has fought this turn for land that was the victim's, or has walked into it."""
    return any(
        state.start_owners.get(s) == victim and (s in state.fought or state.owners.get(s) != victim) for s in land
    )
