"""Declarations of war: who may go to war with whom, and what a declaration brings about.

The rights are data (`declarations.yaml`): each names who may declare war on whom, under which condition, and who is
drawn in. Without any, nobody declares war.
"""

from __future__ import annotations

from sandtable.engine.conditions import holds, lacking
from sandtable.engine.events import WarDeclared
from sandtable.engine.facts import active, listed, phase_name
from sandtable.engine.relations import at_war
from sandtable.engine.run import Run
from sandtable.engine.state import Pair, State, pair
from sandtable.errors import Refusal
from sandtable.world.model import Declaration, PowerId, World


def rights(world: World, state: State, power: PowerId, on: PowerId) -> list[Declaration]:
    """Every way in which the power could go to war with the other one in this phase of its turn."""
    return [d for d in world.declarations if power in d.by and on in d.on and d.at == phase_name(world, state)]


def open_targets(world: World, state: State, power: PowerId) -> list[PowerId]:
    """Powers that this one may declare war on now, as far as the time of the turn allows it."""
    return [
        other
        for other in world.powers
        if not at_war(world, state, power, other)
        and any(holds(world, state, d.when, power) for d in rights(world, state, power, other))
    ]


def has_moved(world: World, state: State) -> bool:
    """The power that acts has moved something this turn."""
    power = active(world, state)
    return any(
        piece.power == power and (piece.used or piece.origin or any(c.used for c in piece.cargo))
        for stack in state.units.values()
        for piece in stack
    )


def declare(run: Run, on: PowerId) -> None:
    """Go to war before anything moves (G40-POL-43)."""
    world, state, power = run.world, run.state, run.power
    name, other = world.powers[power].name, world.powers[on].name
    if world.declarations and at_war(world, state, power, on):
        raise Refusal("at-war-already", f"{name} and {other} are at war already.")
    if not any(power in d.by and on in d.on for d in world.declarations):
        raise Refusal("no-declaration", f"{name} cannot declare war on {other} in this game.")
    ways = rights(world, state, power, on)
    if phase_name(world, state) == "combat-move" and has_moved(world, state):
        raise Refusal("declaration-too-late", "War is declared before the first move of the turn.")
    if not any(holds(world, state, way.when, power) for way in ways):
        missing = listed([listed(lacking(world, state, way.when, power)) for way in ways], "or")
        text = f"{name} cannot declare war on {other} yet. It takes {missing}."
        raise Refusal("declaration-barred", text, rules=tuple(rule for way in ways for rule in way.rules))
    run.emit(WarDeclared(power, on, pairs_at_war(world, power, on, ways)))


def pairs_at_war(world: World, power: PowerId, on: PowerId, ways: list[Declaration]) -> tuple[Pair, ...]:
    """The two, and those that are drawn in: on the side of the one against the other."""
    found = {pair(power, on)}
    for way in ways:
        for third in way.draws_in:
            if third not in (power, on):
                found.add(pair(third, on if world.same_side(third, power) else power))
    return tuple(sorted(found))
