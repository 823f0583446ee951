"""The likely state of things when a plan's battles have been fought: what plans are compared by.

Battles are opened and ended by the engine; only who is left of the two forces comes from the odds.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.bots.attack import Strike
from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.battle.muster import Misses, opened
from sandtable.engine.events import Change, Lost
from sandtable.engine.facts import phase_index
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Stack, State, in_order, units_of
from sandtable.world.model import PowerId, UnitId, World


def after_battles(world: World, state: State, power: PowerId, strikes: Sequence[Strike]) -> State:
    """The board at the beginning of the non-combat move, every battle won with the survivors to be expected."""
    for strike in sorted(strikes, key=lambda s: world.spaces[s.target].is_land):  # landings wait for sea battles
        state = _after(world, state, strike)
    return msgspec.structs.replace(state, phase=phase_index(world, power, "noncombat-move"), battle=None)


def _after(world: World, state: State, strike: Strike) -> State:
    run = Run(world, opened(world, state, strike.target), Misses())
    battle = run.state.battle
    if battle is None:  # there was nobody to fight
        return run.state
    fallen = _fallen(attackers(world, run.state, battle), strike)
    beaten = dict(defenders(world, run.state, battle))
    for power, unit, n in strike.look.escaped:
        _spare(beaten, power, unit, n)
    if fallen or beaten:
        lost = units_of({**fallen, **beaten})
        run.emit(Lost(battle.space, "battle", lost, (Change(battle.space, minus=lost),)))
    finish(run, "attacker")
    return run.state


def _fallen(force: Stack, strike: Strike) -> dict[Piece, int]:
    """Own pieces that are lost; where nothing is known of survivors, nobody is."""
    if not strike.look.survivors:
        return {}
    left: dict[UnitId, int] = dict(strike.look.survivors)
    sent = strike.force()
    fallen: dict[Piece, int] = {}
    for piece, n in in_order(force):
        if piece.type not in sent:  # transports that bring troops behind the battle
            continue
        some = min(n, left.get(piece.type, 0))
        left[piece.type] = left.get(piece.type, 0) - some
        if n > some:
            fallen[piece] = n - some
    return fallen


def _spare(beaten: dict[Piece, int], power: PowerId, unit: UnitId, number: int) -> None:
    """So many boats got away and are still in the zone."""
    for piece in [p for p in beaten if (p.power, p.type) == (power, unit)]:
        some = min(beaten[piece], number)
        number -= some
        beaten[piece] -= some
        if not beaten[piece]:
            del beaten[piece]
