"""Where new units appear: where they save most from the enemy's attacks, else at the complex nearest to the front.

One unit alone seldom saves a place that a stack would hold, so whole stacks are tried at every complex before single
units are moved about.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from sandtable.bots.atlas import FAR
from sandtable.bots.bases import paying_site
from sandtable.bots.battles import Army
from sandtable.bots.front import future
from sandtable.bots.plan import Step
from sandtable.bots.risk import feared, merged, risk
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight, with_wars_to_come
from sandtable.bots.style import Style
from sandtable.bots.works import best_wall
from sandtable.bots.yards import yard_site
from sandtable.engine.complexes import home, output, working_complexes
from sandtable.engine.facts import active
from sandtable.notation.orders import Place, UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId

Posting = dict[SpaceId, dict[UnitId, int]]

CAPITAL_LOST = 250.0  # what a capital at more than the risk that is put up with costs, times the chance
NEARER = 0.5  # I.P.C. that a new unit gains by appearing one turn nearer to the goal
AHEAD = 0.3  # I.P.C. that a new ship gains by appearing one turn nearer to the goal
WALLED = 3.0  # rounds of income of land that counts where a wall is to stand
STEPS = 12  # improvements of a posting at most


def posting(sight: Sight, style: Style) -> Posting:
    """Where the land units and planes that have been bought will do best, as things stand now."""
    units = {
        u: n
        for u, n in sight.state.pool_of(sight.world, sight.power).items()
        if sight.own(u).domain in ("land", "air") and n
    }
    rooms = _rooms(sight)
    if not units or not rooms:
        return {}
    return Postings(sight, style, units, rooms).best()


def _rooms(sight: Sight) -> dict[SpaceId, int]:
    """Complexes and how many units each can take."""
    found = {}
    if not sight.world.powers[sight.power].builds:
        return dict.fromkeys(home(sight.world, sight.state, sight.power), 1000)
    for space in working_complexes(sight.world, sight.state, sight.power):
        most = output(sight.world, sight.state, sight.power, space)
        found[space] = 1000 if most is None else most - sight.state.placed.get(space, 0)
    return found


class Postings:
    """Compares ways to share new units out among the complexes."""

    def __init__(self, sight: Sight, style: Style, units: Mapping[UnitId, int], rooms: Mapping[SpaceId, int]) -> None:
        self.sight = sight
        self.style = style
        self.units = units
        self.rooms = rooms
        self._costs: dict[tuple[SpaceId, Army], float] = {}

    def best(self) -> Posting:
        starts = [self._all_in(first) for first in sorted(self.rooms)]
        best = min(starts, key=self.cost)
        cost = self.cost(best)
        for _ in range(STEPS):
            others = [(self.cost(other), i, other) for i, other in enumerate(self._neighbours(best))]
            if not others or min(others)[0] >= cost - 1e-9:
                break
            cost, _, best = min(others)
        return best

    def _all_in(self, first: SpaceId) -> Posting:
        """Everything here; what finds no room goes to the complexes nearest to the goal."""
        time = self.sight.time
        order = [first, *sorted((s for s in self.rooms if s != first), key=lambda s: (time.get(s, FAR), s))]
        left = dict(self.rooms)
        found: Posting = {}
        for unit, n in self.units.items():
            for space in order:
                some = min(n, left[space])
                if some > 0:
                    found.setdefault(space, {})[unit] = some
                    left[space] -= some
                    n -= some
        return found

    def _neighbours(self, now: Posting) -> list[Posting]:
        """The same with half of a stack or a single unit elsewhere."""
        found = []
        for here, units in sorted(now.items()):
            for unit, n in sorted((u, n) for u, n in units.items() if n):
                for there in sorted(self.rooms):
                    used = sum(now.get(there, {}).values())
                    for some in {1, (n + 1) // 2}:
                        if there != here and used + some <= self.rooms[there]:
                            other = {s: dict(k) for s, k in now.items()}
                            other[here][unit] = n - some
                            other.setdefault(there, {})
                            other[there][unit] = other[there].get(unit, 0) + some
                            found.append(other)
        return found

    def cost(self, posted: Posting) -> float:
        """What the enemy may win at all complexes, and how far new units stand from the goal."""
        total = 0.0
        for space in self.rooms:
            units = posted.get(space, {})
            total += self._danger(space, units)
            total += NEARER * min(self.sight.time.get(space, FAR), 20.0) * sum(units.values())
        return total

    def _danger(self, space: SpaceId, units: Mapping[UnitId, int]) -> float:
        sight, style = self.sight, self.style
        new = tuple((sight.power, u, n) for u, n in sorted(units.items()) if n and sight.own(u).casualty)
        garrison = merged(sight.ours(space), new)
        found = self._costs.get((space, garrison))
        if found is None:
            danger = risk(
                sight, space, garrison, future=future(sight, style), exact=style.alert or space == sight.capital
            )
            found = feared(danger, style.caution, style.doom if sight.is_poorer else 0.0)
            if space == sight.capital and danger.chance > style.capital_risk:
                found += CAPITAL_LOST * danger.chance
            self._costs[space, garrison] = found
        return found


def plan_places(scratch: Scratch, power: PowerId, style: Style, before: Sight | None = None) -> list[Step]:
    """Put the new units on the scratch paper's board; then those of powers that this one plays."""
    steps = _places_of(scratch, power, style, before)
    for ward in scratch.world.powers.values():
        if ward.played_by == power:
            steps += _places_of(scratch, ward.id, style, None)
    return steps


def _places_of(scratch: Scratch, power: PowerId, style: Style, before: Sight | None) -> list[Step]:
    world = scratch.world
    if not scratch.state.pool_of(world, power):
        return []
    named = None if power == active(world, scratch.state) else power
    sight = (
        before.after(scratch.state) if before is not None else with_wars_to_come(world, scratch.state, power)
    )  # new units change nothing about what enemies can reach
    placed: dict[tuple[UnitId, SpaceId], int] = {}
    for space, units in posting(sight, style).items():
        for unit, n in units.items():
            some = n
            while some and not scratch.play(Place((UnitSpec(unit, some, named),), space)):
                some -= 1
            if some:
                placed[unit, space] = placed.get((unit, space), 0) + some
    _place_one_by_one(scratch, sight, named, placed)
    return [
        Step(
            f"{n} {world.units[u].name if n == 1 else world.units[u].plural} in {world.spaces[s].name}",
            (Place((UnitSpec(u, n, named),), s),),
            s,
        )
        for (u, s), n in placed.items()
    ]


def _place_one_by_one(
    scratch: Scratch, sight: Sight, named: PowerId | None, placed: dict[tuple[UnitId, SpaceId], int]
) -> None:
    """Ships and facilities, and whatever found no room."""
    for unit, n in dict(scratch.state.pool_of(scratch.world, sight.power)).items():
        for _ in range(n):
            places = scratch.legal.places(unit, sight.power)
            if not places:
                break
            now = sight.after(scratch.state)
            best = _best_place(now, unit, places)
            if not scratch.play(Place((UnitSpec(unit, power=named),), best)):
                break
            placed[unit, best] = placed.get((unit, best), 0) + 1


def _best_place(sight: Sight, unit: UnitId, places: Collection[SpaceId]) -> SpaceId:
    kind = sight.own(unit)
    if kind.bulwark:
        return best_wall(sight, unit, places, WALLED)
    if kind.domain == "facility" and not kind.complex:
        site = paying_site(sight, kind)
        return site if site is not None and site in places else max(places)
    yard = yard_site(sight, unit) if kind.complex else None
    if yard is not None and yard in places:
        return yard
    return max(places, key=lambda s: (_worth(sight, unit, s), s))


def _worth(sight: Sight, unit: UnitId, space: SpaceId) -> float:
    world = sight.world
    kind = sight.own(unit)
    there = sight.ours(space)
    if kind.complex:
        return world.spaces[space].ipc * 2 - sight.time.get(space, FAR) - 20 * risk(sight, space, there).chance
    if not kind.casualty:
        return 10.0 * (not sight.guns(space, True)) + world.spaces[space].ipc
    if kind.domain == "sea":
        after = risk(sight, space, merged(there, ((sight.power, unit, 1),)))
        waiting = sum(n for s in world.land[space] for u, n in sight.mine(s).items() if sight.own(u).captures)
        if space in sight.atlas.lakes:
            return -FAR
        far = min((sight.time.get(s, FAR) for s in world.land[space]), default=FAR)
        return 0.3 * min(waiting, 8) - after.cost - AHEAD * min(far, 20.0)
    return -sight.time.get(space, FAR)
