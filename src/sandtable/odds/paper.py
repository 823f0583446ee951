"""A battle on paper as a position: two forces put on a quiet spot of the edition's own board.

From there on the engine is asked, as in a game: who fights, which ships support whom, what a gun may fire at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import msgspec

from sandtable.engine.facts import phase_index, turn_index
from sandtable.engine.start import starting_state
from sandtable.engine.state import Piece, Stances, State, add, pair
from sandtable.odds.model import OddsError
from sandtable.world.model import PowerId, SpaceId, TechId, UnitId, World

Army = Sequence[tuple[PowerId, UnitId, int]]
Techs = Mapping[PowerId, frozenset[TechId]]


class Shore(msgspec.Struct, frozen=True):
    """What comes from one sea zone: troops that are put ashore, and ships that lie there to support them."""

    troops: tuple[tuple[UnitId, int], ...] = ()
    ships: tuple[tuple[UnitId, int], ...] = ()


class Ground(msgspec.Struct, frozen=True):
    """Where battles on paper take place. Empty: the board has no such place."""

    field: SpaceId  # on land
    overland: SpaceId  # land from which attackers come
    shores: tuple[SpaceId, ...]  # zones off the field
    zone: SpaceId  # at sea
    seaward: SpaceId  # the zone from which attackers come
    refuges: tuple[SpaceId, ...]  # land beside the zone of the sea battle


KEPT = 8  # boards

_grounds: dict[int, tuple[World, Ground, State]] = {}


def _ground(world: World) -> tuple[Ground, State]:
    """The place for this board, and a position without units."""
    known = _grounds.get(id(world))
    if known is None or known[0] is not world:
        empty = msgspec.structs.replace(starting_state(world), units={})
        while len(_grounds) >= KEPT:
            del _grounds[next(iter(_grounds))]
        known = _grounds[id(world)] = (world, _find(world), empty)
    return known[1:]


def _find(world: World) -> Ground:
    """Land with as many shores as possible that is nobody's capital; a zone with islands or at least land beside it."""
    plain = [s for s in world.spaces.values() if s.is_land and not s.impassable and s.capital_of is None]
    field = max(
        plain, key=lambda s: (bool(world.land[s.id]), len(world.sea[s.id]), not s.victory_city, s.id), default=None
    )
    zones = [s for s in world.spaces.values() if s.is_sea]
    zone = max(
        zones,
        key=lambda s: (
            bool(world.sea[s.id]),
            any(world.spaces[x].island for x in world.land[s.id]),
            len(world.land[s.id]) > 0,
            s.id,
        ),
        default=None,
    )
    return Ground(
        field.id if field else "",
        next(iter(world.land[field.id]), "") if field else "",
        tuple(world.sea[field.id]) if field else (),
        zone.id if zone else "",
        next(iter(world.sea[zone.id]), "") if zone else "",
        tuple(world.land[zone.id]) if zone else (),
    )


def _fighting(world: World, power: PowerId) -> int:
    """A phase in which the power acts."""
    try:
        return phase_index(world, power, "combat")
    except KeyError:  # an edition that calls it otherwise
        return next((i for i, actor in enumerate(world.actors) if actor in (None, power)), 0)


def _at_war(attacker: PowerId, defenders: Sequence[PowerId]) -> Stances:
    """Whatever the powers are to each other elsewhere, here the defenders stand together against the attacker."""
    return Stances(
        frozenset(pair(attacker, power) for power in defenders),
        frozenset(pair(one, other) for one, other in combinations(defenders, 2)),
    )


def on_paper(
    world: World,
    attacker: PowerId,
    attack: Sequence[tuple[UnitId, int]],
    defense: Army,
    *,
    at_sea: bool,
    shores: Sequence[Shore] = (),
    techs: Techs | None = None,
    shelter: bool = False,
) -> tuple[State, SpaceId]:
    """The position in which this is the only battle, and where it is.

    `attack` come overland, or by sea to a sea battle. What comes from more shores than the field has is put together in
    the last one. With `shelter` there is land beside a sea battle for planes that have lost their carrier.
    """
    ground, base = _ground(world)
    space, origin = (ground.zone, ground.seaward) if at_sea else (ground.field, ground.overland)
    if not space:
        raise OddsError(f"The board of {world.edition_name} has no place for such a battle.")
    if shores and not ground.shores:
        raise OddsError(f"The board of {world.edition_name} has no shore to land on.")
    defenders = list(dict.fromkeys(power for power, _, _ in defense))
    owner = defenders[0] if defenders else attacker
    stack = add({}, ((Piece(attacker, unit, origin=origin), n) for unit, n in attack))
    units: dict[SpaceId, dict[Piece, int]] = {}
    for number, shore in enumerate(shores):
        zone = ground.shores[min(number, len(ground.shores) - 1)]
        stack = add(stack, ((Piece(attacker, unit, origin=zone), n) for unit, n in shore.troops))
        units[zone] = add(units.get(zone, {}), ((Piece(attacker, unit), n) for unit, n in shore.ships))
    units[space] = add(stack, ((Piece(power, unit), n) for power, unit, n in defense))
    owners = dict(base.owners)
    if at_sea:
        owners |= dict.fromkeys(ground.refuges, owner if shelter else attacker)
    else:
        owners |= {space: owner, origin: attacker} if origin else {space: owner}
    state = msgspec.structs.replace(
        base,
        turn=turn_index(world, attacker),
        phase=_fighting(world, attacker),
        units={place: found for place, found in units.items() if found},
        owners=owners,
        start_owners=owners,
        techs={**base.techs, **(techs or {})},
        stances=base.stances and _at_war(attacker, defenders),
    )
    return state, space
