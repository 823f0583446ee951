"""Ships fire once in support of a landing, unless they had to fight at sea first.

Rules: CL-AMP-03 to CL-AMP-06, CL-AMP-10, AN-AMP-06 to AN-AMP-11. Units hit still fire in the first round. Where no more
ships may fire than units go ashore, the strongest do.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.casualties import effective, merge, settle, targets
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.forces import seaborne
from sandtable.engine.events import Change, SupportGiven
from sandtable.engine.facts import type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Hits, Piece, piece_key
from sandtable.world.model import SpaceId


def support_shot(run: Run) -> bool:
    world = run.world
    battle = run.battle
    if battle.column < 0:
        volleys: dict[int, list[Shooter]] = {}
        for zone in battle.shores:
            for piece, n in _ships(run, zone, battle.space):
                kind = type_of(world, run.state, piece)
                volleys.setdefault(kind.support, []).append(Shooter(piece.power, piece.type, n))
                fired = msgspec.structs.replace(piece, mark="unloaded" if piece.mark == "unloaded" else "fired")
                run.emit(SupportGiven(battle.space, zone, (Change(zone, ((piece, n),), ((fired, n),)),)))
        for value in sorted(volleys):
            now = run.battle
            victims = targets(world, run.state, now, "defense")
            enough = effective(world, run.state, now.hits, victims)
            if effective(world, run.state, merge(now.hits, (Hits(1),)), victims) > enough:
                hits = roll_volley(run, "support", value, volleys[value])
                run.note(hits=merge(now.hits, hits))
        now = run.battle
        run.note(column=1)
    return settle(run, "defense", "doomed")


def _ships(run: Run, zone: SpaceId, shore: SpaceId) -> list[tuple[Piece, int]]:
    """The attacker's ships there that may still give support; a sea battle used up their shot (CL-AMP-10)."""
    if zone in run.state.fought:
        return []
    world, state = run.world, run.state
    ships = [
        (p, n)
        for p, n in state.at(zone).items()
        if p.power == run.power and type_of(world, state, p).support and p.mark != "fired"
    ]
    if not world.rules.support_per_landed:
        return ships
    left = sum(
        n for p, n in seaborne(world, run.battle, state.at(shore)).items() if (p.power, p.origin) == (run.power, zone)
    )
    chosen = []
    for piece, n in sorted(ships, key=lambda item: (-type_of(world, state, item[0]).support, piece_key(item[0]))):
        if some := min(n, left):
            chosen.append((piece, some))
            left -= some
    return chosen
