"""The enemy's answer, played out: each enemy attacks as a good player would, in turn order, until we move again."""

from __future__ import annotations

import msgspec

from sandtable.bots.aftermath import after_battles
from sandtable.bots.attack import Attack, Mind
from sandtable.bots.front import prize
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight, fresh, value_of
from sandtable.bots.style import Style
from sandtable.engine.facts import phase_index, turn_index
from sandtable.engine.state import Piece, State
from sandtable.world.model import PowerId, World


def after_replies(
    world: World, state: State, power: PowerId, style: Style, looks: dict[PowerId, Sight]
) -> tuple[State, float]:
    """The state when all enemies have attacked with the results to be expected, and what those results leave in doubt.

    The second figure is in our favour: an attack that is reckoned as won may still fail. `looks` keeps each enemy's
    first look at the board: its way to the goal stays what it was.
    """
    doubt = 0.0
    mind = Mind(style=msgspec.structs.replace(style, plans=1, guards_capital=False, spares_ships=False))
    for enemy in _in_turn(world, power):
        if world.side_of(enemy) == world.side_of(power):
            continue
        state = _begin(world, state, enemy)
        sight = Sight(world, state, enemy, looks.get(enemy))
        looks.setdefault(enemy, sight)
        scratch = Scratch(world, state)
        strikes = [strike for strike, _ in Attack(sight, mind).plan(scratch)]
        for strike in strikes:
            land = world.spaces[strike.target].is_land
            chance = strike.look.take if land and strike.look.take else strike.look.win
            stake = prize(sight, strike.target, 0.5, style.future) if land else 0.0
            doubt += (1.0 - chance) * stake
            doubt += max(0.0, value_of(sight, sight.theirs(strike.target)) - strike.look.defender_loss)
        state = after_battles(world, scratch.state, enemy, strikes)
    return _begin(world, state, power), doubt


def _in_turn(world: World, power: PowerId) -> list[PowerId]:
    """The other powers in the order in which they move after this one."""
    here = turn_index(world, power)
    return [*world.order[here + 1 :], *world.order[:here]]


def _begin(world: World, state: State, power: PowerId) -> State:
    """The same board at the beginning of a power's combat move, everybody rested."""
    units: dict[str, dict[Piece, int]] = {}
    for space, stack in state.units.items():
        rested: dict[Piece, int] = {}
        for piece, n in stack.items():
            again = fresh(piece)
            rested[again] = rested.get(again, 0) + n
        units[space] = rested
    return msgspec.structs.replace(
        state,
        units=units,
        start_owners=state.owners,
        turn=turn_index(world, power),
        phase=phase_index(world, power, "combat-move"),
        pool={},
        placed={},
        fought=(),
        battle=None,
    )
