"""A surprise attack: in one turn, in some sea zones and from them, victims of the first round do not answer.

G40-SPC-16 to G40-SPC-20. A move `as surprise` names its zone; which steps such a battle has is told by the edition's
kinds of battle (`BattleKind.surprise`).
"""

from __future__ import annotations

from sandtable.engine.events import SurprisePlanned
from sandtable.engine.facts import name, phase_name
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation.orders import Move
from sandtable.world.model import PowerId, SpaceId, World
from sandtable.world.specials import Surprise

ROLE = "surprise"


def carry_out(run: Run, order: Move) -> None:
    """An ordinary move or landing that makes its zone one of surprise."""
    from sandtable.engine.movement.move import carry_out as carry_out_move  # it knows this role, too

    world, power = run.world, run.power
    right = world.powers[power].special.surprise
    if right is None or phase_name(world, run.state) != "combat-move":
        raise Refusal("no-surprise", f"{world.powers[power].name} surprises nobody now.")
    if world.spaces[order.route[0]].is_land and any(world.units[spec.type].domain == "land" for spec in order.units):
        text = "Troops strike by surprise from ships that they boarded before this turn: they do not set out on land."
        raise Refusal("loaded-too-late-for-surprise", text, (order.route[0],))
    zone = order.route[-1] if world.spaces[order.route[-1]].is_sea else order.route[0]
    _check(world, run.state, power, right, zone, order.route[-1])
    _check_loads(run, order)
    carry_out_move(run, Move(order.units, order.route, None, order.facility, order.ship))
    if zone not in run.state.surprise:
        run.emit(SurprisePlanned(power, zone))


def _check(world: World, state: State, power: PowerId, right: Surprise, zone: SpaceId, end: SpaceId) -> None:
    who = world.powers[power].name
    if world.spaces[zone].is_land or world.spaces[zone].traits.get("map") != right.map or end in right.never:
        text = f"{who} strikes by surprise from zones of the {right.map.capitalize()} map, and not at everything there."
        raise Refusal("no-surprise-there", text, (end,))
    if zone in state.surprise:
        return
    if not state.surprise and state.spent.get(f"surprise {power}"):
        text = "The time for a surprise is over: it comes once in a game, and before the enemy has declared war."
        raise Refusal("surprise-is-over", text, (zone,), rules=right.rules)
    if len(state.surprise) >= right.zones:
        there = " and ".join(name(world, s) for s in state.surprise)
        text = f"Surprise reaches {right.zones} sea zones, which are {there}."
        raise Refusal("too-many-surprises", text, (zone,), rules=right.rules)


def _check_loads(run: Run, order: Move) -> None:
    """Whatever takes part has to be aboard since before this turn."""
    world, start = run.world, order.route[0]
    kinds = {spec.type for spec in order.units}
    for piece in run.state.at(start):
        if piece.power != run.power:
            continue
        loaded = any(c.used or c.origin for c in piece.cargo)
        named = piece.type in kinds or any(c.type in kinds and (c.used or c.origin) for c in piece.cargo)
        if loaded and named:
            text = (
                f"The troops boarded in {name(world, start)} this turn: for a surprise they must be aboard before it."
            )
            raise Refusal("loaded-too-late-for-surprise", text, (start,))


def offers(world: World, state: State, power: PowerId) -> bool:
    """The power could still plan a surprise this turn."""
    right = world.powers[power].special.surprise
    if right is None or phase_name(world, state) != "combat-move":
        return False
    return bool(state.surprise) or not state.spent.get(f"surprise {power}")


def strikes(world: World, state: State, power: PowerId, space: SpaceId, shores: tuple[SpaceId, ...]) -> bool:
    """The battle there is one of surprise: in a zone that was named, or a landing from one."""
    if not state.surprise:
        return False
    right = world.powers[power].special.surprise
    if right is None or space in right.never:
        return False
    return space in state.surprise or any(shore in state.surprise for shore in shores)
