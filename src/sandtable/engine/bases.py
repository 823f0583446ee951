"""Facilities that work or do not, and the movement that bases give to units which set out from them.

Rules: G40-AIR-08, G40-AIR-09, G40-NAV-01 to G40-NAV-03, G40-SBR-14, G40-SBR-15.
"""

from __future__ import annotations

from sandtable.engine.facts import friendly_at_start, type_of, works
from sandtable.engine.state import Piece, State
from sandtable.world.model import Domain, PowerId, SpaceId, World


def steps_left(world: World, state: State, piece: Piece, space: SpaceId) -> int:
    """How far the piece can still go this turn from where it is."""
    kind = type_of(world, state, piece)
    if piece.lift:
        return kind.move + piece.lift - piece.used
    return kind.move - piece.used + (lift(world, state, piece, space) if kind.domain in world.bases else 0)


def lift(world: World, state: State, piece: Piece, space: SpaceId) -> int:
    """What a base adds to the piece's movement if it sets out from this space now; what it has got already counts."""
    if piece.lift or piece.used:
        return piece.lift
    domain = world.units[piece.type].domain
    if domain not in world.bases:
        return 0
    if domain == "sea":
        served = world.land[space] if world.spaces[space].is_sea else ()
    else:
        served = (space,) if world.spaces[space].is_land else ()
    return max((_gives(world, state, piece.power, place, domain) for place in served), default=0)


def _gives(world: World, state: State, power: PowerId, space: SpaceId, domain: Domain) -> int:
    """The best of the working bases there, in land that has been friendly since before this turn."""
    best = 0
    for facility in state.at(space):
        if facility.type in world.bases[domain]:
            kind = type_of(world, state, facility)
            if works(state, space, kind) and friendly_at_start(world, state, power, space):
                best = max(best, kind.lifts.get(domain, 0))
    return best
