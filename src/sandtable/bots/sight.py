"""A position as a planner looks at it: who stands where, who can come where, and what everything is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

import msgspec

from sandtable.bots import neutrals
from sandtable.bots.atlas import FAR, Atlas, atlas
from sandtable.bots.battles import Army, price
from sandtable.bots.front import Way, way_to_goal
from sandtable.bots.goals import land_to_win
from sandtable.engine import access
from sandtable.engine.bases import steps_left
from sandtable.engine.battle.forces import fights
from sandtable.engine.facts import NOTHING, canal_closed, drops, is_hostile_sea, production, turn_index, type_of, works
from sandtable.engine.movement import land, sea
from sandtable.engine.movement.air import spread
from sandtable.engine.relations import enemies, friends
from sandtable.engine.state import Piece, State, pair
from sandtable.world.conditions import Production, leaves
from sandtable.world.model import PowerId, SpaceId, UnitId, UnitType, World
from sandtable.world.profiles import Profile, profile

NEAR = 12.0  # I.P.C. of production
ROUNDS_OF_INCOME = 3  # that count as worth, beside units and money
AHEAD = 2.0  # times the enemies' worth, from which on their losses weigh more than ours
MOST_FOR_LOSSES = 4.0  # times their price, that enemy losses are worth at most


class Reach(msgspec.Struct, frozen=True):
    """Units of one power that could attack a space on its next turn."""

    start: SpaceId
    unit: UnitId
    count: int
    by_sea: bool = False  # carried by transports


class Sight:
    """What one power sees in one state. Everything is worked out when first asked for, and kept."""

    def __init__(
        self, world: World, state: State, power: PowerId, before: Sight | None = None, wars: State | None = None
    ) -> None:
        """`before` is an earlier look in the same turn: the way to the goal stays what it was. Who is a friend and who
        an enemy is taken from `wars`, if that is given (`with_wars_to_come`)."""
        self.world = world
        self.state = state
        self.power = power
        self.side = world.side_of(power)
        self.atlas: Atlas = atlas(world)
        known = before if before is not None and before.power == power else None
        self.friends: frozenset[PowerId] = known.friends if known else friends(world, wars or state, power)
        self.foes: frozenset[PowerId] = known.foes if known else enemies(world, wars or state, power)
        self.enemies = tuple(  # whoever may attack us, though a pact may still keep us from attacking him
            p for p in world.order if p in self.foes or power in enemies(world, wars or state, p)
        )
        self.allies = tuple(p for p in world.order if p in self.friends and p != power)
        self._profiles: dict[PowerId, Profile] = {}
        self._threats: dict[PowerId, dict[SpaceId, list[Reach]]] = {}
        self._forces: dict[tuple[SpaceId, PowerId], Army] = {}
        self._before = before
        self._fighters: dict[tuple[SpaceId, bool], Army] = {}
        self._guns: dict[tuple[SpaceId, bool], Army] = {}
        self.bonuses: dict[tuple[SpaceId, PowerId], float] = {}  # kept by `stakes`
        self.theatres: dict[SpaceId, float | None] = {}
        self.paid: dict[tuple[str, PowerId], int] = {}  # bonuses as things are
        self.decisive: dict[SpaceId, bool] = {}  # kept by `front`: would taking this land end the war?

    def after(self, state: State) -> Sight:
        """The position after own quiet moves: what enemies can reach is taken to be the same."""
        later = Sight(self.world, state, self.power, self)
        later._threats = self._threats
        later._forces = self._forces
        later.bonuses = self.bonuses
        later.theatres = self.theatres
        return later

    # ------------------------------------------------------------ who stands where

    def kind(self, power: PowerId, unit: UnitId) -> UnitType:
        """What such a unit of the power can do, with its edits and technologies."""
        return self.profile(power)[unit]

    def sign(self, power: PowerId) -> float:
        """What is good for this power is good for us (1), bad (-1), or neither."""
        return 1.0 if power in self.friends else -1.0 if power in self.foes else 0.0

    def own(self, unit: UnitId) -> UnitType:
        return self.profile(self.power)[unit]

    def type_of(self, piece: Piece) -> UnitType:
        """What this very piece can do, its marks included."""
        return type_of(self.world, self.state, piece) if piece.marks else self.profile(piece.power)[piece.type]

    def profile(self, power: PowerId) -> Profile:
        found = self._profiles.get(power)
        if found is None:
            found = self._profiles[power] = profile(self.world, power, self.state.techs.get(power, NOTHING))
        return found

    def is_mine(self, space: SpaceId) -> bool:
        return self.state.owners.get(space) == self.power

    def is_ours(self, space: SpaceId) -> bool:
        return self.state.owners.get(space) in self.friends

    def is_theirs(self, space: SpaceId) -> bool:
        return self.state.owners.get(space) in self.foes

    def fighters(self, space: SpaceId, ours: bool) -> Army:
        """Everybody there who would fight in a battle, of our side or of theirs."""
        known = self._fighters.get((space, ours))
        if known is not None:
            return known
        stack = self.state.units.get(space)
        found: dict[tuple[PowerId, UnitId], int] = {}
        world, wanted = self.world, self.friends if ours else self.foes
        for piece, n in stack.items() if stack else ():
            if piece.power in wanted and (fights(world, self.state, piece) or self._is_bulwark(piece, space)):
                found[piece.power, piece.type] = found.get((piece.power, piece.type), 0) + n
        if not ours and space in self.prey:
            found.update({(power, unit): n for power, unit, n in neutrals.defenders(world, self.state, space)})
        force = self._fighters[space, ours] = tuple((p, u, n) for (p, u), n in sorted(found.items()))
        return force

    def _is_bulwark(self, piece: Piece, space: SpaceId) -> bool:
        """A fortification that fights along with the garrison."""
        return piece.type in self.world.bulwarks and works(self.state, space, self.world.units[piece.type])

    @cached_property
    def prey(self) -> frozenset[SpaceId]:
        """Land of nobody that leans to the enemy, so that it may be attacked."""
        return frozenset(neutrals.to_conquer(self.world, self.state, self.power))

    def guns(self, space: SpaceId, ours: bool) -> Army:
        """Antiaircraft guns there, of our side or of theirs."""
        known = self._guns.get((space, ours))
        if known is None:
            found: dict[tuple[PowerId, UnitId], int] = {}
            wanted = self.friends if ours else self.foes
            for piece, n in self.state.at(space).items():
                if piece.power in wanted and self.type_of(piece).anti_air:
                    found[piece.power, piece.type] = found.get((piece.power, piece.type), 0) + n
            known = self._guns[space, ours] = tuple((p, u, n) for (p, u), n in sorted(found.items()))
        return known

    def ours(self, space: SpaceId) -> Army:
        return self.fighters(space, True)

    def theirs(self, space: SpaceId) -> Army:
        return self.fighters(space, False)

    def mine(self, space: SpaceId) -> dict[UnitId, int]:
        found: dict[UnitId, int] = {}
        for piece, n in self.state.at(space).items():
            if piece.power == self.power:
                found[piece.type] = found.get(piece.type, 0) + n
        return found

    def cargo(self, space: SpaceId, ours: bool) -> int:
        """The price of the troops aboard our (or their) transports in a zone: they go down with them."""
        return sum(
            price(self.world, aboard.power, aboard.type) * n
            for piece, n in self.state.at(space).items()
            if piece.cargo and piece.power in (self.friends if ours else self.foes)
            for aboard in piece.cargo
        )

    def complex(self, space: SpaceId) -> bool:
        return any(self.type_of(p).complex for p in self.state.at(space))

    @cached_property
    def capital(self) -> SpaceId | None:
        return self.world.powers[self.power].capital

    def production(self, power: PowerId) -> int:
        return production(self.world, self.state, power)

    def armies(self, power: PowerId) -> Iterator[tuple[SpaceId, Piece, int]]:
        for space, stack in self.state.units.items():
            for piece, n in stack.items():
                if piece.power == power:
                    yield space, piece, n

    @cached_property
    def is_poorer(self) -> bool:
        """The enemies together produce more than our side."""
        if self._before is not None:
            return self._before.is_poorer
        ours = sum(self.production(p) for p in (self.power, *self.allies))
        return ours < sum(self.production(p) for p in self.enemies)

    @cached_property
    def rate(self) -> float:
        """What an I.P.C. of the enemies' losses is worth in our own: more than one to a side that is far ahead, for it
        wins by every exchange."""
        if self._before is not None:
            return self._before.rate if self._before.power == self.power else 1.0
        if self.world.declarations:  # sides there are not yet what they will be
            return 1.0
        ours, theirs = (sum(self.worth_of(p) for p in side) for side in ((self.power, *self.allies), self.enemies))
        return max(1.0, min(MOST_FOR_LOSSES, ours / max(theirs, 1.0) / AHEAD))

    @cached_property
    def is_late(self) -> bool:
        """The war is for its last goals: our side holds an enemy capital, or is far ahead."""
        if self._before is not None:
            return self._before.is_late
        if self.world.declarations:
            return False
        taken = (self.world.powers[p].capital for p in self.enemies)
        return self.rate > 1.0 or any(c is not None and self.is_ours(c) for c in taken)

    def worth_of(self, power: PowerId) -> float:
        """What a power has and earns, in I.P.C."""
        units = sum(price(self.world, power, p.type) * n for _, p, n in self.armies(power))
        return ROUNDS_OF_INCOME * self.production(power) + units + self.state.treasury[power]

    @cached_property
    def near_victory(self) -> float:
        """How near a side is to the production that wins the war: 1 when it stands at it, 0 from `NEAR` away."""
        if self._before is not None:
            return self._before.near_victory
        found = 0.0
        for victory in self.world.victory:
            for part in leaves(victory.when):
                if isinstance(part, Production) and victory.winner in self.world.sides:
                    level = sum(self.production(p) for p in self.world.members(victory.winner))
                    found = max(found, 1.0 - abs(part.at_least - level) / NEAR)
        return found

    @cached_property
    def gates(self) -> frozenset[SpaceId]:
        """Land beside capitals that our side holds: whoever stands there attacks them next."""
        if self._before is not None and self._before.power == self.power:
            return self._before.gates
        homes = (self.world.powers[p].capital for p in self.friends)
        return frozenset(s for home in homes if home is not None and self.is_ours(home) for s in self.world.land[home])

    @cached_property
    def land_to_win(self) -> Mapping[SpaceId, float]:
        """What land is worth beyond its income because few more like it would win the war."""
        return land_to_win(self) if self._before is None else self._before.land_to_win

    # ------------------------------------------------------------ distances

    @cached_property
    def way(self) -> Way:
        """Turns from each land to the nearest goal, and where the way leads next."""
        return way_to_goal(self) if self._before is None else self._before.way

    @property
    def time(self) -> dict[SpaceId, float]:
        """Turns from each land to the nearest goal."""
        return self.way[0]

    @cached_property
    def closed(self) -> frozenset[tuple[SpaceId, SpaceId]]:
        """Canals that the power's ships cannot use."""
        return frozenset(
            (a, b) for a, b in self.world.canals if canal_closed(self.world, self.state, self.power, a, b, "")
        )

    @cached_property
    def sea_distance(self) -> dict[SpaceId, Mapping[SpaceId, int]]:
        return dict(self.atlas.sea(self.closed))

    @cached_property
    def air_to_enemy(self) -> dict[SpaceId, int]:
        """How far each space is from enemy land as a plane flies."""
        return spread((s for s in self.state.owners if self.is_theirs(s)), self.world.air, self.atlas.neutral)

    @cached_property
    def air_to_home(self) -> dict[SpaceId, int]:
        """How far each space is from an own complex or a capital of our side as a plane flies."""
        homes = (
            s
            for s in self.state.owners
            if self.is_ours(s) and (self.world.spaces[s].capital_of or (self.is_mine(s) and self.complex(s)))
        )
        return spread(homes, self.world.air, self.atlas.neutral)

    @cached_property
    def sea_to_enemy(self) -> dict[SpaceId, int]:
        """How far each sea zone is from enemy ships."""
        zones = (s for s in self.state.units if self.world.spaces[s].is_sea and self.theirs(s))
        return spread(zones, self.world.sea, ())

    # ------------------------------------------------------------ what enemies can do

    def threats(self, enemy: PowerId) -> dict[SpaceId, list[Reach]]:
        """For every space, the units that this enemy could attack it with on its next turn."""
        found = self._threats.get(enemy)
        if found is None:
            found = _reaches(self, enemy)
            for space in self._out_of_bounds(enemy):
                found.pop(space, None)
            self._threats[enemy] = found
        return found

    def _out_of_bounds(self, enemy: PowerId) -> set[SpaceId]:
        """Where a rule forbids the enemy to attack. What only peace closes to it is open as soon as it declares war."""
        if not self.world.bans:
            return set()
        shut = set(access.spared(self.world, self.state, enemy))
        return shut if self.world.declarations else shut.union(access.banned(self.world, self.state, enemy))

    def threat(self, space: SpaceId, enemy: PowerId) -> Army:
        """Everything that the enemy could throw at the space at once."""
        known = self._forces.get((space, enemy))
        if known is None:
            total: dict[UnitId, int] = {}
            for reach in self.threats(enemy).get(space, ()):
                total[reach.unit] = total.get(reach.unit, 0) + reach.count
            known = self._forces[space, enemy] = tuple((enemy, u, n) for u, n in sorted(total.items()))
        return known


def with_wars_to_come(world: World, state: State, power: PowerId) -> Sight:
    """The position as it will be when everybody is at war who can be: what an army is raised and posted for."""
    if not world.declarations or state.stances is None:
        return Sight(world, state, power)
    wars = frozenset(pair(one, other) for d in world.declarations for one in d.by for other in d.on)
    stances = msgspec.structs.replace(state.stances, wars=state.stances.wars | wars)
    return Sight(world, state, power, wars=msgspec.structs.replace(state, stances=stances))


def in_turn(world: World, power: PowerId) -> list[PowerId]:
    """The other powers in the order in which they move after this one."""
    here = turn_index(world, power)
    return [*world.order[here + 1 :], *world.order[:here]]


def fresh(piece: Piece) -> Piece:
    """The piece as it will be at the beginning of its owner's next turn."""
    return Piece(piece.power, piece.type, cargo=tuple(Piece(c.power, c.type) for c in piece.cargo))


def _reaches(sight: Sight, power: PowerId) -> dict[SpaceId, list[Reach]]:
    world, state = sight.world, sight.state
    found: dict[SpaceId, list[Reach]] = {}
    landing = _landing_distance(sight, power)
    ships: list[tuple[SpaceId, Piece, int]] = []
    for space, stack in state.units.items():
        for piece, n in stack.items():
            if piece.power != power:
                continue
            kind = sight.type_of(piece)
            if not kind.attacks or not kind.casualty:
                continue
            if kind.domain == "land":
                for end in _land_ends(sight, fresh(piece), space):
                    found.setdefault(end, []).append(Reach(space, piece.type, n))
            elif kind.domain == "air":
                range_ = steps_left(world, state, fresh(piece), space)  # farther from a base
                for end, distance in sight.atlas.near(space, range_):
                    back = max(landing.get(end, FAR), 1 if world.spaces[end].is_land else 0)  # it is lost by then
                    if distance + back <= range_ and end != space:
                        found.setdefault(end, []).append(Reach(space, piece.type, n))
            elif kind.loads:
                ships.append((space, piece, n))
            else:
                for end in sea.reach(world, state, fresh(piece), space, True):
                    found.setdefault(end, []).append(Reach(space, piece.type, n))
    _landings(sight, power, ships, found)
    _drops(sight, power, found)
    return found


def _land_ends(sight: Sight, piece: Piece, space: SpaceId) -> list[SpaceId]:
    """Land that the unit could fight its way into, land of its own side included: it may have been lost by then."""
    world, state = sight.world, sight.state
    kind = sight.type_of(piece)
    found = list(world.land[space])
    layer = found
    for _ in range(kind.move - 1):
        following = []
        for here in layer:
            ground = land.ground(world, state, piece.power, here)
            if ground == "friendly" or (ground == "empty" and kind.blitz):
                following += [s for s in world.land[here] if s not in found and s != space]
        layer = list(dict.fromkeys(following))
        found += layer
    return found


def _drops(sight: Sight, power: PowerId, found: dict[SpaceId, list[Reach]]) -> None:
    """Troops that planes could drop on land where nobody else could take it; those planes do not fight themselves."""
    ride = drops(sight.world, sight.state, power)
    if ride is None:
        return
    kinds = sight.profile(power)
    for end, reaches in found.items():
        if sight.world.spaces[end].is_sea or any(kinds[r.unit].captures for r in reaches):
            continue
        for reach in [r for r in reaches if r.unit == ride.unit]:
            here = sight.state.at(reach.start)
            troops = sum(n for p, n in here.items() if (p.power, p.type) == (power, ride.passenger))
            planes = min(reach.count, troops // ride.number)
            if planes:
                reaches.remove(reach)
                reaches.append(Reach(reach.start, ride.passenger, planes * ride.number))
                if reach.count > planes:
                    reaches.append(Reach(reach.start, reach.unit, reach.count - planes))


def _landing_distance(sight: Sight, power: PowerId) -> dict[SpaceId, int]:
    """How far each space is from a place where the power's planes can land: friendly land, or near a carrier."""
    world, state = sight.world, sight.state
    partners = friends(world, state, power)
    fields = [space for space, owner in state.owners.items() if owner in partners]
    for space, piece, _ in sight.armies(power):
        if sight.type_of(piece).deck:
            fields += (space, *world.sea[space])
    return spread(fields, world.air, sight.atlas.neutral)


def _landings(
    sight: Sight, power: PowerId, ships: list[tuple[SpaceId, Piece, int]], found: dict[SpaceId, list[Reach]]
) -> None:
    """Troops that the power's transports could put ashore: those aboard, or two infantry or an armor a ship."""
    world, state = sight.world, sight.state
    for zone, piece, n in ships:
        fresh_ship = fresh(piece)
        reach = {zone: (zone,), **sea.reach(world, state, fresh_ship, zone, True)}
        move = steps_left(world, state, fresh_ship, zone)
        aboard = [c.type for c in piece.cargo if c.power == power]
        if aboard:
            for shore in dict.fromkeys(s for end in reach for s in world.land[end]):
                for unit in sorted(set(aboard)):
                    found.setdefault(shore, []).append(Reach(zone, unit, aboard.count(unit) * n, True))
            continue
        shores: dict[SpaceId, tuple[UnitId, int]] = {}
        for pickup, way in reach.items():
            if is_hostile_sea(world, state, power, pickup):
                continue
            load = _best_load(sight, power, pickup)
            if load is None:
                continue
            left = move - (len(way) - 1)
            distances = sight.sea_distance.get(pickup, {})
            for end in reach:
                if distances.get(end, FAR) <= left:
                    for shore in world.land[end]:
                        if shore not in shores or load[1] > shores[shore][1]:
                            shores[shore] = load
        for shore, (unit, count) in shores.items():
            found.setdefault(shore, []).append(Reach(zone, unit, count * n, True))


def _best_load(sight: Sight, power: PowerId, zone: SpaceId) -> tuple[UnitId, int] | None:
    best: tuple[UnitId, int] | None = None
    units = sight.profile(power)
    for shore in sight.world.land[zone]:
        for piece, n in sight.state.at(shore).items():
            if piece.power != power:
                continue
            for full in (f for t in units.values() for f in t.loads):
                room = min(full.get(piece.type, 0), n)
                kind = units[piece.type]
                punch = best[1] * units[best[0]].attack if best is not None else 0
                if room and kind.attacks and room * kind.attack >= punch:
                    best = (piece.type, room)
    return best


def value_of(sight: Sight, force: Army) -> int:
    return sum(price(sight.world, p, u) * n for p, u, n in force)
