"""The non-combat move: guard what is threatened, ferry troops, gather at the front, land planes, keep ships."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from sandtable.bots.airlift import best_flight
from sandtable.bots.atlas import FAR
from sandtable.bots.battles import Army
from sandtable.bots.convoys import plunder
from sandtable.bots.ferries import Passage, passages, reachable, transports, voyages
from sandtable.bots.front import ASSAULT, future, own_value
from sandtable.bots.mobilize import posting
from sandtable.bots.neutrals import dowry, to_join
from sandtable.bots.overhead import Patrols
from sandtable.bots.plan import Step
from sandtable.bots.rail import best_transfer
from sandtable.bots.risk import arriving, capital_danger, feared, merged, risk, without
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.stakes import bonus
from sandtable.bots.style import Style
from sandtable.engine.bases import lift
from sandtable.engine.facts import amounts, deck_space
from sandtable.engine.movement.aloft import unlanded
from sandtable.engine.movement.landing import homeless
from sandtable.engine.movement.reach import movable
from sandtable.engine.relations import friends
from sandtable.engine.state import Piece
from sandtable.notation.orders import AnyOrder, End, Move, UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId, World

Garrison = Callable[[SpaceId], Army]
"""Who would stand in a space as the plan is so far."""
Movers = dict[tuple[SpaceId, UnitId], int]
Ends = dict[tuple[SpaceId, UnitId], list[SpaceId]]
Ships = tuple[tuple[UnitId, int], ...]
Routes = tuple[tuple[SpaceId, ...], ...]
Shift = Callable[[SpaceId, UnitId, SpaceId, int], None]

FALLEN = 375.0  # I.P.C. that it costs to lose the capital
LIFT = 0.4  # I.P.C. for each space that a base lets a plane or ship go farther next turn
ABROAD = 0.1  # of what a plane saves counts where it would guard a partner's land
CONVOY = 0.8  # I.P.C. that a transport gains by the company of a warship
TOGETHER = 0.5  # I.P.C. that a transport gains by the company of any own ships: a fleet can guard one zone only
EMBARKED = 0.3  # turns that it costs to be bound to a ship, when there is nothing else left to be done than to sail
ASTRAY = -1.0  # turns that troops lose at most who go where land waits for them
PLUNDER = 1.2  # of what ships take from convoys in a round: they are likely to stay for more
SHIPS = 2.0  # times as much counts the danger of ships to those who are alert
ABANDONED, SAFE = 0.8, 0.2  # chances to lose land from which on a gun leaves it, and up to which it goes there
TRIPS, HASTY = 40, 3  # of transports at most, in earnest and to compare attacks by
ROUNDS = 60  # improvements of the position at most


class Noncombat:
    def __init__(
        self,
        scratch: Scratch,
        power: PowerId,
        style: Style,
        before: Sight | None = None,
        fear: float = 1.0,
        posts: frozenset[SpaceId] = frozenset(),
    ) -> None:
        """`posts` are lands that at least one unit has to keep closed."""
        self.posts = posts
        self.scratch = scratch
        self.world: World = scratch.world
        self.power = power
        self.style = style
        self.before = before
        self.sight = Sight(scratch.world, scratch.state, power, before)
        self.units = self.sight.profile(power)
        self._refused: set[Passage] = set()
        self.fear = fear  # times the usual caution
        self.doom = style.doom if self.sight.is_poorer else 0.0  # the richer side gains by every exchange of troops
        self.steps: list[Step] = []
        self.arriving = {
            space: tuple((power, u, n) for u, n in sorted(units.items()) if n and self.units[u].casualty)
            for space, units in posting(self.sight, style).items()
        }  # where new units will stand before the enemy moves
        self._costs: dict[tuple[SpaceId, Army], float] = {}
        self._afloats: dict[SpaceId, float] = {}
        self.patrols = Patrols(self.sight)
        self.willing = frozenset(to_join(self.world, self.sight.state, power))  # neutral land that waits for us

    def plan(self, hastily: bool = False) -> list[Step]:
        """All quiet moves; hastily: planes that may stay do, which is near enough to compare attacks by."""
        self._close_roads()
        self._guard_capital()
        self._transfer()
        self._join_neutrals()
        self._ferry(HASTY if hastily else TRIPS)
        self._fly_troops()
        self._march()
        self.doom = self.style.doom
        self._costs.clear()
        self._land_planes(only_aloft=True)
        self._sail()
        if not hastily:
            self._land_planes()
            self._guns()
        self._finish()
        return self.steps

    def _look_again(self) -> None:
        """The board has changed by own moves only."""
        self.sight = self.sight.after(self.scratch.state)
        self._costs.clear()

    def _note(self, reason: str, since: int, space: SpaceId = "") -> None:
        orders = tuple(self.scratch.done[since:])
        if orders:
            self.steps.append(Step(reason, orders, space))

    # ------------------------------------------------------------ the worth of a position

    def cost(self, space: SpaceId, garrison: Army) -> float:
        """What the enemy can be expected to gain by attacking this garrison."""
        key = (space, garrison)
        found = self._costs.get(key)
        if found is None:
            whole = merged(garrison, self.arriving.get(space, ()))
            sight, ahead = self.sight, future(self.sight, self.style)
            danger = risk(sight, space, whole, future=ahead, exact=space == sight.capital)
            ships = SHIPS if self.style.alert and self.world.spaces[space].is_sea else 1.0
            found = feared(danger, ships * self.fear * self.style.caution, self.doom)
            if space == self.sight.capital and danger.chance > self.style.capital_risk:
                found += FALLEN * danger.chance
            self._costs[key] = found
        return found

    def time(self, space: SpaceId) -> float:
        return min(self.sight.time.get(space, FAR), 20.0)

    # ------------------------------------------------------------ the capital

    def _guard_capital(self) -> None:
        """Call home what the capital needs against the worst attack that can be seen, if that can save it."""
        capital = self.sight.capital
        if capital is None or not self.sight.is_mine(capital):
            return
        limit = self.style.capital_risk
        garrison = merged(self.sight.ours(capital), arriving(self.sight, capital))
        joint = self.style.joint
        chance = capital_danger(self.sight, garrison, joint)
        if chance <= limit:
            return
        comers = self._comers(capital)
        everyone = merged(garrison, *(((self.power, unit, n),) for _, unit, n in comers))
        if capital_danger(self.sight, everyone, joint) > 0.6:
            return
        since = len(self.scratch.done)
        for space, unit, n in comers:
            for _ in range(n):
                if chance <= limit:
                    break
                if self.scratch.play(Move((UnitSpec(unit),), (space, capital))):
                    garrison = merged(garrison, ((self.power, unit, 1),))
                    chance = capital_danger(self.sight, garrison, joint)
        name = self.world.spaces[capital].name
        self._note(f"Guard {name}: {chance:.0%} to fall after this", since, capital)
        self._look_again()

    def _close_roads(self) -> None:
        """One unit for each post that stands empty; what enemies can reach is another thing then."""
        since = len(self.scratch.done)
        for post in sorted(self.posts):
            if any(self.sight.kind(p, u).captures for p, u, _ in self.sight.ours(post)):
                continue
            able = [
                (self.units[unit].cost or 0, space == self.sight.capital, space, unit)
                for space, unit in movable(self.world, self.scratch.state)
                if self.units[unit].captures
                and self.world.spaces[space].is_land
                and space not in self.posts
                and post in self.scratch.legal.destinations(space, unit)
            ]
            if able:
                *_, space, unit = min(able)
                self.scratch.play(Move((UnitSpec(unit),), (space, post)))
        if len(self.scratch.done) > since:
            self._note("Close the roads to the capital", since)
            self.sight = Sight(self.world, self.scratch.state, self.power, self.before)
            self._costs.clear()

    def _comers(self, capital: SpaceId) -> list[tuple[SpaceId, UnitId, int]]:
        """Own units that can get to the capital now, those first that defend best for what they leave behind."""
        found = []
        for space, unit in movable(self.world, self.scratch.state):
            kind = self.units[unit]
            if not kind.casualty or kind.domain == "sea" or (self.world.spaces[space].is_sea and kind.domain == "land"):
                continue
            if capital in self.scratch.legal.destinations(space, unit):
                n = sum(
                    k
                    for p, k in self.scratch.state.at(space).items()
                    if p.power == self.power and p.type == unit and not p.done and p.used < kind.move
                )
                found.append((space, unit, n))
        found.sort(key=lambda c: (self.units[c[1]].domain != "land", self.cost(c[0], self.sight.ours(c[0])) > 5, c))
        return found

    def _transfer(self) -> None:
        """Troops that may go by rail to where they are of more use."""
        while (order := best_transfer(self.sight)) is not None:
            since = len(self.scratch.done)
            if not self.scratch.play(order):
                return
            troops = amounts(self.world, [(spec.type, spec.count) for spec in order.units])
            self._note(f"By rail to {self.world.spaces[order.route[-1]].name}: {troops}", since, order.route[-1])
            self._look_again()

    # ------------------------------------------------------------ neutral land

    def _join_neutrals(self) -> None:
        """One man for each land that joins whoever of its side enters first."""
        for target in sorted(self.willing):
            if any(self.units[u].captures for u in self.sight.mine(target)):
                continue
            able = [
                (self.units[unit].move > 1, self.units[unit].cost or 0, self.time(space) < 3, space, unit, ways[target])
                for space, unit in movable(self.world, self.scratch.state)
                if self.units[unit].captures and not self.world.spaces[space].is_sea
                and target in (ways := self.scratch.legal.destinations(space, unit))
                and sum(n for _, _, n in self.sight.ours(space)) > 1
            ]  # fmt: skip
            gain = self.joining(target)
            if able and gain > 0:
                *_, unit, route = min(able)
                since = len(self.scratch.done)
                if self.scratch.play(Move((UnitSpec(unit),), route)):
                    self._note(f"{self.world.spaces[target].name} joins us with its army", since, target)
                    self._look_again()

    def joining(self, target: SpaceId) -> float:
        """What it brings to enter land of nobody that waits for us, or land that we may take over; 0 for other land."""
        owner = self.sight.state.owners.get(target)
        ipc = self.world.spaces[target].ipc
        if target in self.willing:
            return dowry(self.sight, target) + 1.0 + ipc * (1.0 + future(self.sight, self.style))
        if owner is not None and self.power in self.world.powers[owner].guards:
            worth = ipc * (1.0 + future(self.sight, self.style))
            return worth + bonus(self.sight, target, self.power) * (1.0 + self.style.future)
        return 0.0

    # ------------------------------------------------------------ ferries

    def _free(self) -> dict[tuple[SpaceId, UnitId], int]:
        found: dict[tuple[SpaceId, UnitId], int] = {}
        for space, piece, n in self.sight.armies(self.power):
            kind = self.units[piece.type]
            if (
                kind.domain == "land"
                and kind.attacks
                and not piece.done
                and not piece.used
                and self.world.spaces[space].is_land
            ):
                found[space, piece.type] = found.get((space, piece.type), 0) + n
        return found

    def _ferry(self, trips: int) -> None:
        """Send transports with troops to where they are nearer to the goal, then the others to where troops wait."""
        for _ in range(trips):
            best = self._best_passage()
            if best is None:
                break
            _, passage = best
            since = len(self.scratch.done)
            if not self.scratch.play_all(passage.orders()):
                self._refused.add(passage)
                continue
            troops = amounts(self.world, passage.load)
            shore = self.world.spaces[passage.shore or passage.drop].name
            self._note(f"Ship {troops} to {shore}, nearer to the front", since, passage.shore or passage.drop)
            self._look_again()
        if self.style.voyages and trips == TRIPS:
            self._embark()
        self._reposition()

    def _best_passage(self) -> tuple[float, Passage] | None:
        free = self._free()
        best: tuple[float, Passage] | None = None
        friendly = {s for s in self.sight.state.owners if self.sight.is_ours(s)} | self.willing
        for passage, _ in passages(self.sight, free, False, friendly):
            if passage in self._refused or (passage.source and passage.shore in self.world.land[passage.source]):
                continue
            gain = self._passage_gain(passage)
            if gain > 0.4 and (best is None or gain > best[0] + 1e-9):
                best = (gain, passage)
        return best

    def _passage_gain(self, passage: Passage) -> float:
        shore = passage.shore
        assert shore is not None
        number = sum(n for _, n in passage.load)
        troops: Army = tuple((self.power, u, n) for u, n in passage.load)
        garrison = self.sight.ours(shore)
        joins = 0.0 if any(p == self.power for p, _, _ in garrison) else self.joining(shore)
        gain = self.cost(shore, garrison) - self.cost(shore, merged(garrison, troops))
        if shore != self.sight.capital:  # nothing is too much for the capital
            gain = max(min(gain, 12.0), -8.0)
        if passage.source is not None:
            there = self.sight.ours(passage.source)
            rest = there
            for u, n in passage.load:
                rest = without(rest, self.power, u, n)
            nearer = self.time(passage.source) - self.time(shore)
            gain += self.style.march * 2 * number * (max(nearer, ASTRAY) if joins else nearer)
            gain -= max(0.0, self.cost(passage.source, rest) - self.cost(passage.source, there))
        elif self.style.voyages:  # better aboard than on an island from which they would have to embark again
            gain += self.style.march * 2 * number * (self._afloat(passage.zone) - self.time(shore)) + 0.3 * number
        else:
            gain += 0.6 * number + self.style.march * number * max(-2.0, 6.0 - self.time(shore))
        ship: Army = ((self.power, passage.ship, 1),)
        if passage.drop != passage.zone:
            guard = self.sight.ours(passage.drop)
            gain -= self.cost(passage.drop, merged(guard, ship)) - self.cost(passage.drop, guard)
            if self.style.skies:
                gain -= self.patrols.cost(passage.drop, passage.ship, 1)
            gain += TOGETHER * any(p == self.power for p, _, _ in guard)
        return gain + joins - 0.05 * len(passage.lane)

    def _embark(self) -> None:
        """Where no ship can put troops ashore nearer to the goal in one turn, they sail for several."""
        for _ in range(20):
            best: tuple[float, Passage] | None = None
            for passage in voyages(self.sight, self._free()):
                if passage in self._refused:
                    continue
                gain = self._voyage_gain(passage)
                if gain > 0.4 and (best is None or gain > best[0] + 1e-9):
                    best = (gain, passage)
            if best is None:
                return
            since = len(self.scratch.done)
            if not self.scratch.play_all(best[1].orders()):
                self._refused.add(best[1])
                continue
            troops = amounts(self.world, best[1].load)
            zone = self.world.spaces[best[1].drop].name
            self._note(f"Embark {troops} and sail by {zone}: the way is longer than a turn", since, best[1].drop)
            self._look_again()

    def _voyage_gain(self, passage: Passage) -> float:
        source = passage.source
        assert source is not None
        if not self._needs_ship(source) or self._afloat(passage.drop) >= self._afloat(passage.lane[0]):
            return 0.0
        number = sum(n for _, n in passage.load)
        nearer = self.time(source) - (EMBARKED if self.sight.is_late else 1.0) - self._afloat(passage.drop)
        there = rest = self.sight.ours(source)
        for u, n in passage.load:
            rest = without(rest, self.power, u, n)
        gain = self.style.march * 2 * number * nearer
        gain -= max(0.0, self.cost(source, rest) - self.cost(source, there))
        guard = self.sight.ours(passage.drop)
        ship: Army = ((self.power, passage.ship, 1),)
        danger = risk(self.sight, passage.drop, merged(guard, ship)).chance
        cargo = sum(n * (self.units[u].cost or 0) for u, n in passage.load)
        gain -= self.cost(passage.drop, merged(guard, ship)) - self.cost(passage.drop, guard) + danger * cargo
        return gain

    def _afloat(self, zone: SpaceId) -> float:
        """Turns to the goal for troops aboard a ship in this zone."""
        found = self._afloats.get(zone)
        if found is None:
            found = self._afloats[zone] = min(
                (
                    max(1, (distance + 1) // 2) + self.time(s) + (0.0 if self.sight.is_ours(s) else ASSAULT)
                    for z, distance in self.sight.sea_distance[zone].items()
                    for s in self.sight.atlas.shores[z]
                ),
                default=20.0,
            )
        return found

    def _reposition(self) -> None:
        """Empty transports go where troops wait for a ship; full ones towards a shore.

        Those of one kind that lie together sail together, but when the last goals lie across the world: then each goes
        where troops wait who have no ship yet.
        """
        for zone, piece, number in list(transports(self.sight)):
            if piece.used:
                continue
            n = 1 if self.sight.is_late and not piece.cargo else number
            for _ in range(number // n):
                if not self._send_on(zone, piece, n):
                    break

    def _send_on(self, zone: SpaceId, piece: Piece, n: int) -> bool:
        """Move so many transports to where they are of more use; False if that is where they are."""
        loaded = piece.cargo != ()
        best, best_value = (
            None,
            self._waiting(zone, loaded, n) + 0.2 - self._ship_cost(zone, piece.type, n, leaving=True),
        )
        others = n if not loaded else 0
        for end, route in reachable(self.sight, piece, zone, False).items():
            if end == zone:
                continue
            value = self._waiting(end, loaded, others, zone) - self._ship_cost(end, piece.type, n, leaving=False)
            if value > best_value:
                best, best_value = route, value
        if best is None:
            return False
        since = len(self.scratch.done)
        cargo = tuple(sorted((u, [c.type for c in piece.cargo].count(u)) for u in {c.type for c in piece.cargo}))
        if not self.scratch.play(Move((UnitSpec(piece.type, n, cargo=cargo),), best)):
            return False
        where = self.world.spaces[best[-1]].name
        self._note(f"Transports to {where}, where they are of more use", since, best[-1])
        self._look_again()
        return True

    def _ship_cost(self, zone: SpaceId, unit: UnitId, n: int, *, leaving: bool) -> float:
        there = self.sight.ours(zone)
        ships: Army = ((self.power, unit, n),)
        if leaving:
            return self.cost(zone, there)
        met = self.patrols.cost(zone, unit, n) if self.style.skies else 0.0
        return self.cost(zone, merged(there, ships)) - self.cost(zone, there) + met

    def _waiting(self, zone: SpaceId, loaded: bool, besides: int = 0, start: SpaceId = "") -> float:
        """How useful a transport is in this zone: for troops to be fetched, or for those aboard.

        When the last goals lie across the world, ships share the troops out: those who have one already need no other
        (`besides` are the ships themselves, that lie in `start`, or here).
        """
        if loaded and self.style.voyages:
            return -self._afloat(zone) * 1.5
        if loaded:
            shores = [self.time(s) for s in self.world.land[zone] if s not in self.sight.atlas.neutral]
            far = min(
                (self.time(s) + d for z, d in self.sight.sea_distance[zone].items() for s in self.world.land[z]),
                default=20.0,
            )
            return -min([*shores, far]) * 1.5
        best = 0.0
        for z, distance in self.sight.sea_distance[zone].items():
            if distance > 8:
                continue
            for shore in self.world.land[z]:
                if not self.sight.is_ours(shore):
                    continue
                mine = self.sight.mine(shore)
                troops = sum(k for u, k in mine.items() if self.units[u].captures)
                if self.sight.is_mine(shore) and self.sight.complex(shore):
                    troops += 3 + sum(k for u, k in self.sight.state.pool.items() if self.units[u].captures)
                if self.sight.is_late:
                    troops -= self._berths(z) - self._room * (besides if z == (start or zone) else 0)
                if troops > 0 and self._needs_ship(shore):
                    best = max(best, min(troops, 8) * 0.6 - distance * 1.1)
        return best

    @cached_property
    def _room(self) -> int:
        """Troops that a transport carries."""
        return max((n for kind in self.units.values() for load in kind.loads for n in load.values()), default=0)

    def _berths(self, zone: SpaceId) -> int:
        """Troops for whom there are empty own transports in a zone."""
        here = self.scratch.state.at(zone).items()
        return self._room * sum(
            n for p, n in here if p.power == self.power and self.units[p.type].loads and not p.cargo
        )

    def _needs_ship(self, shore: SpaceId) -> bool:
        """The way to the goal from here leads over the sea: no neighbour on land is nearer."""
        now = self.time(shore)
        return not any(self.time(s) < now - 0.5 for s in self.world.land[shore])

    def _fly_troops(self) -> None:
        """Planes that stayed at home take troops along, where the game lets them."""
        while (flight := best_flight(self)) is not None:
            since = len(self.scratch.done)
            if not self.scratch.play(flight.move):
                return
            troops = amounts(self.world, [(spec.type, spec.count) for spec in flight.move.units[1:]])
            self._note(f"Fly {troops} to {self.world.spaces[flight.end].name}", since, flight.end)
            self._look_again()

    # ------------------------------------------------------------ land units

    def _march(self) -> None:
        sight = self.sight
        legal = self.scratch.legal
        movers: dict[tuple[SpaceId, UnitId], int] = {}
        ends: dict[tuple[SpaceId, UnitId], list[SpaceId]] = {}
        for space, unit in movable(self.world, sight.state):
            kind = self.units[unit]
            if kind.domain != "land" or not kind.attacks or self.world.spaces[space].is_sea:
                continue
            found = [e for e in legal.destinations(space, unit) if self.world.spaces[e].is_land]
            n = sum(
                k
                for p, k in sight.state.at(space).items()
                if p.power == self.power and p.type == unit and not p.done and p.used < self.units[unit].move
            )
            if found and n:
                movers[space, unit] = n
                ends[space, unit] = found
        garrisons: dict[SpaceId, Army] = {}

        def there(space: SpaceId) -> Army:
            if space not in garrisons:
                garrisons[space] = sight.ours(space)
            return garrisons[space]

        left = dict(movers)
        moved: dict[tuple[SpaceId, UnitId, SpaceId], int] = {}

        def shift(space: SpaceId, unit: UnitId, end: SpaceId, n: int) -> None:
            garrisons[space] = without(there(space), self.power, unit, n)
            garrisons[end] = merged(there(end), ((self.power, unit, n),))
            left[space, unit] -= n
            moved[space, unit, end] = moved.get((space, unit, end), 0) + n

        self._man_posts(left, ends, there, shift)
        self._mass(left, ends, there, shift)
        for _ in range(ROUNDS):
            best: tuple[float, SpaceId, UnitId, SpaceId, int] | None = None
            for (space, unit), n in left.items():
                if not n:
                    continue
                for end in ends[space, unit]:
                    for k in {n, 1, (n + 1) // 2}:
                        gain = self._march_gain(space, unit, end, k, there)
                        if gain > 0.15 and (best is None or gain > best[0] + 1e-9):
                            best = (gain, space, unit, end, k)
            if best is None:
                break
            _, space, unit, end, k = best
            shift(space, unit, end, k)
        for (space, unit, end), n in moved.items():
            since = len(self.scratch.done)
            k = n
            while k and not self.scratch.play(Move((UnitSpec(unit, k),), (space, end))):
                k -= 1
            if k:
                nearer = self.time(end) < self.time(space)
                why = "nearer to the front" if nearer else "where they are needed or safer"
                self._note(
                    f"March {amounts(self.world, [(unit, k)])} from {self.world.spaces[space].name} "
                    f"to {self.world.spaces[end].name}, {why}",
                    since,
                    end,
                )
        self._look_again()

    def _man_posts(self, left: Movers, ends: Ends, there: Garrison, shift: Shift) -> None:
        """One unit stays in each post, or goes there."""
        for post in sorted(self.posts):
            able = [key for key, n in left.items() if n and self.units[key[1]].captures]
            here = [key for key in able if key[0] == post]
            near = [key for key in able if post in ends[key] and key[0] not in self.posts]
            if here:
                left[min(here, key=lambda k: (self.units[k[1]].cost or 0, k))] -= 1
            elif near and not any(self.sight.kind(p, u).captures for p, u, _ in there(post)):
                space, unit = min(near, key=lambda k: (self.units[k[1]].cost or 0, k[0] == self.sight.capital, k))
                shift(space, unit, post, 1)

    def _march_gain(self, space: SpaceId, unit: UnitId, end: SpaceId, k: int, there: Garrison) -> float:
        units: Army = ((self.power, unit, k),)
        before = self.cost(space, there(space)) + self.cost(end, there(end))
        after = self.cost(space, without(there(space), self.power, unit, k)) + self.cost(end, merged(there(end), units))
        return before - after + self.style.march * k * (self.time(space) - self.time(end))

    def _mass(
        self,
        left: Movers,
        ends: Ends,
        there: Garrison,
        shift: Shift,
    ) -> None:
        """Try to bring everything that can come to one place: together they may stand where few could not."""
        by_end: dict[SpaceId, list[tuple[SpaceId, UnitId]]] = {}
        for key, places in ends.items():
            for end in places:
                by_end.setdefault(end, []).append(key)
        order = sorted(by_end, key=lambda e: (self.time(e), e))
        for end in order:
            comers = [key for key in by_end[end] if left[key] and self.time(key[0]) > self.time(end)]
            if len(comers) < 2:
                continue
            before = self.cost(end, there(end))
            after_garrison = there(end)
            gain = 0.0
            rests: dict[SpaceId, Army] = {}
            for space, unit in comers:
                n = left[space, unit]
                rests[space] = without(rests.get(space, there(space)), self.power, unit, n)
                after_garrison = merged(after_garrison, ((self.power, unit, n),))
                gain += self.style.march * n * (self.time(space) - self.time(end))
            gain += before - self.cost(end, after_garrison)
            gain += sum(self.cost(s, there(s)) - self.cost(s, rest) for s, rest in rests.items())
            if gain > 0.5:
                for space, unit in comers:
                    shift(space, unit, end, left[space, unit])

    # ------------------------------------------------------------ planes

    def _land_planes(self, *, only_aloft: bool = False) -> None:
        """Each plane to the place where it helps most and is safe; those that have to land go first."""
        tried: set[tuple[SpaceId, UnitId, SpaceId]] = set()
        for _ in range(40):
            aloft = {(s, p.type) for s, p, _ in unlanded(self.world, self.scratch.state, self.power)}
            stacks = [(s, u) for s, u in movable(self.world, self.scratch.state) if self.units[u].domain == "air"]
            stacks.sort(key=lambda k: (k not in aloft, k))
            progress = False
            for space, unit in stacks:
                must = (space, unit) in aloft
                if only_aloft and not must:
                    continue
                ways = self.scratch.legal.destinations(space, unit)
                choice = self._best_base(space, unit, list(ways), must, tried)
                if choice is None:
                    continue
                since = len(self.scratch.done)
                tried.add((space, unit, choice))
                if self._play_kindly(Move((UnitSpec(unit),), ways[choice])):
                    self._note(
                        f"Land {amounts(self.world, [(unit, 1)])} in {self.world.spaces[choice].name}", since, choice
                    )
                    self._look_again()
                    tried = {t for t in tried if t[0] != space}
                    progress = True
                    break
            if not progress:
                return

    def _best_base(
        self, space: SpaceId, unit: UnitId, ends: list[SpaceId], must: bool, tried: set[tuple[SpaceId, UnitId, SpaceId]]
    ) -> SpaceId | None:
        plane: Army = ((self.power, unit, 1),)
        best: SpaceId | None = None
        best_value = -1e9
        if not must:
            here = self.sight.ours(space)
            best_value = (
                self.base_value(space, here)
                + self._lifted(space, unit)
                - self.cost(space, here)
                + self.cost(space, without(here, self.power, unit, 1))
                + 0.6
            )
        for end in ends:
            if (space, unit, end) in tried or not self._has_room(end, unit):
                continue
            there = self.sight.ours(end)
            saved = self.cost(end, there) - self.cost(end, merged(there, plane))
            if saved > 0 and self.style.hangar and not self._is_dear(end):
                saved *= ABROAD
            value = self.base_value(end, there) + saved + self._lifted(end, unit)
            if value > best_value + 1e-9:
                best, best_value = end, value
        return best

    def _lifted(self, space: SpaceId, unit: UnitId) -> float:
        """What it is worth to set out from there next turn, where a base gives more movement."""
        if not self.style.skies or not self.world.bases:
            return 0.0
        return LIFT * lift(self.world, self.scratch.state, Piece(self.power, unit), space)

    def _is_dear(self, space: SpaceId) -> bool:
        """Land that its own planes ought to help to hold: the power's, or a partner's capital."""
        return self.sight.is_mine(space) or self.world.spaces[space].capital_of is not None

    def _play_kindly(self, order: AnyOrder) -> bool:
        """Play the order unless it takes away the last place where another plane could land."""
        before, lost = self.scratch.state, homeless(self.world, self.scratch.state, self.power)
        if not self.scratch.play(order):
            return False
        if homeless(self.world, self.scratch.state, self.power) > lost:
            self.scratch.state = before
            self.scratch.done.pop()
            return False
        return True

    def _has_room(self, space: SpaceId, unit: UnitId) -> bool:
        """Land, or a deck that is there already: carriers that would have to come may be held up."""
        if self.world.spaces[space].is_land:
            return True
        stack = self.scratch.state.at(space)
        ours = friends(self.world, self.scratch.state, self.sight.power)
        aboard = sum(n for p, n in stack.items() if self.sight.type_of(p).domain == "air" and p.power in ours)
        return deck_space(self.world, self.scratch.state, stack, ours).get(unit, 0) > aboard

    def base_value(self, space: SpaceId, garrison: Army) -> float:
        """Near land that is to be fought for and among own troops; at sea only when there is nothing better."""
        far = self.sight.air_to_enemy.get(space, 10)
        if self.sight.rate > 1.0 and not any(self.sight.threat(space, enemy) for enemy in self.sight.enemies):
            return -max(0, far - 2) + 0.5 * self.world.spaces[space].is_land  # none can come, and all have to get there
        near = 0.0
        for other, _ in self.sight.atlas.near(space, 2):
            if self.sight.is_theirs(other):
                near += 0.15 * (1 + self.world.spaces[other].ipc)
        troops = sum(n for p, u, n in garrison if self.sight.kind(p, u).captures)
        home = 0.5 if self.world.spaces[space].is_land else 0.0
        home -= self.style.hangar * max(0, self.sight.air_to_home.get(space, 10) - 2)
        return (
            min(near, 2.0) + home + 0.25 * min(troops, 6) - 0.15 * min(self.time(space), 10.0) - 0.3 * max(0, far - 2)
        )

    # ------------------------------------------------------------ ships

    def _sail(self) -> None:
        """Warships guard transports, join each other and keep out of reach of what would sink them: kind by kind, or
        all from one zone together, for a fleet may stand where each part of it would be sunk."""
        refused: set[tuple[SpaceId, Ships, SpaceId]] = set()
        for _ in range(12):
            best: tuple[float, SpaceId, Ships, Routes] | None = None
            for space, fleet in self._fleets():
                for end, routes in self._ends_of(space, fleet).items():
                    if (space, fleet, end) in refused:
                        continue
                    gain = self._sail_gain(space, fleet, end)
                    if gain > 0.5 and (best is None or gain > best[0] + 1e-9):
                        best = (gain, space, fleet, routes)
            if best is None:
                return
            _, space, fleet, routes = best
            end = routes[0][-1]
            state, since = self.scratch.state, len(self.scratch.done)
            if not all(
                self._play_kindly(Move((UnitSpec(u, n),), route)) for (u, n), route in zip(fleet, routes, strict=True)
            ):
                self.scratch.state = state
                del self.scratch.done[since:]
                refused.add((space, fleet, end))
                continue
            self._note(f"{amounts(self.world, fleet)} to {self.world.spaces[end].name}", since, end)
            self._look_again()

    def _fleets(self) -> list[tuple[SpaceId, Ships]]:
        """Warships that may still sail: those of each kind in a zone, and all of them together."""
        zones: dict[SpaceId, list[tuple[UnitId, int]]] = {}
        for space, unit in movable(self.world, self.scratch.state):
            kind = self.units[unit]
            if kind.domain != "sea" or kind.loads or (kind.deck and self._is_field(space)):
                continue
            n = sum(
                k
                for p, k in self.scratch.state.at(space).items()
                if p.power == self.power and p.type == unit and not p.done and not p.used
            )
            if n:
                zones.setdefault(space, []).append((unit, n))
        found: list[tuple[SpaceId, Ships]] = []
        for space, kinds in zones.items():
            found += [(space, (kind,)) for kind in kinds]
            if len(kinds) > 1:
                found.append((space, tuple(kinds)))
        return found

    def _ends_of(self, space: SpaceId, fleet: Ships) -> dict[SpaceId, Routes]:
        """Zones that all of these ships can reach, with the way of each kind."""
        ways = [self.scratch.legal.destinations(space, unit) for unit, _ in fleet]
        return {end: tuple(way[end] for way in ways) for end in ways[0] if all(end in way for way in ways)}

    def _sail_gain(self, space: SpaceId, fleet: Ships, end: SpaceId) -> float:
        number = sum(n for _, n in fleet)
        ships: Army = tuple((self.power, unit, n) for unit, n in fleet)
        there, at_end = self.sight.ours(space), self.sight.ours(end)
        rest = there
        for unit, n in fleet:
            rest = without(rest, self.power, unit, n)
        gain = self.cost(space, there) - self.cost(space, rest)
        gain += self.cost(end, at_end) - self.cost(end, merged(at_end, ships))
        gain += len(fleet) * (self._post(end) - self._post(space))
        gain += self._convoy(end, 0) - self._convoy(space, number)
        if self.style.skies:
            for unit, n in fleet:
                gain -= self.patrols.cost(end, unit, n)
                gain += n * (self._lifted(end, unit) - self._lifted(space, unit))
                gain += PLUNDER * (self._raided(end, unit, n) - self._raided(space, unit, n))
        return gain

    def _raided(self, zone: SpaceId, unit: UnitId, n: int) -> float:
        """What ships in this zone cost the enemies' convoys."""
        return plunder(self.sight, zone, self.power, unit, n)

    def _is_field(self, zone: SpaceId) -> bool:
        """Planes have come down here this turn: their carrier stays with them."""
        return any(
            p.power == self.power and p.used and self.units[p.type].domain == "air" for p in self.scratch.state.at(zone)
        )

    def _post(self, zone: SpaceId) -> float:
        """How near a zone is to enemy ships and shores that matter."""
        return -0.3 * min(self.sight.sea_to_enemy.get(zone, 6), 6)

    def _convoy(self, zone: SpaceId, among: int) -> float:
        """What it is worth that warships go with own transports which nobody else guards; so many of them are there."""
        if not self.style.voyages:
            return 0.0
        ships = guards = 0
        for piece, n in self.scratch.state.at(zone).items():
            if piece.power in self.sight.friends and self.sight.type_of(piece).domain == "sea":
                if not self.sight.type_of(piece).loads:
                    guards += n
                elif piece.power == self.power:
                    ships += n
        return CONVOY * min(ships, 4) if guards <= among else 0.0

    # ------------------------------------------------------------ the rest

    def _guns(self) -> None:
        """AA guns follow the army to land worth guarding, and leave land that is as good as lost; but a capital or a
        complex is never left without one."""
        for space, unit in movable(self.world, self.scratch.state):
            kind = self.units[unit]
            if not kind.anti_air or self.world.spaces[space].is_sea:
                continue
            here = sum(n for p, n in self.scratch.state.at(space).items() if p.type == unit)
            if here == 1 and (self.sight.complex(space) or self.world.spaces[space].capital_of):
                continue
            ways = self.scratch.legal.destinations(space, unit)
            flees = self._danger(space) > ABANDONED
            worth = {
                e: own_value(self.sight, e, 1.0)
                for e in ways
                if (not self.sight.guns(e, True) and self.sight.ours(e)) or (flees and self._danger(e) < SAFE)
            }
            best = max(worth, key=lambda e: (worth[e], e), default=None)
            if best is not None and (flees or here > 1 or worth[best] > own_value(self.sight, space, 1.0) + 3):
                since = len(self.scratch.done)
                if self.scratch.play(Move((UnitSpec(unit),), ways[best])):
                    self._note(f"Bring up an AA gun to {self.world.spaces[best].name}", since, best)

    def _danger(self, space: SpaceId) -> float:
        """The chance that the enemy takes the land, new units counted."""
        return risk(self.sight, space, merged(self.sight.ours(space), self.arriving.get(space, ()))).chance

    def _finish(self) -> None:
        """Every plane that can land has to: if the plan forgot one, any legal landing will do."""
        for _ in range(60):
            if self.scratch.legal.why_not(End()) is None:
                return
            since = len(self.scratch.done)
            if not any(self.scratch.play(order) for order in self._last_moves()):
                return
            self._note("Bring the last planes home", since)

    def _last_moves(self) -> list[AnyOrder]:
        aloft = unlanded(self.world, self.scratch.state, self.power)
        found: list[AnyOrder] = []
        for space, piece, _ in aloft:
            ways = self.scratch.legal.destinations(space, piece.type, marks=piece.marks)
            ranked = sorted(ways, key=lambda e: (self.world.spaces[e].is_sea, self.cost(e, self.sight.ours(e)), e))
            marks = piece.marks if self.scratch.legal.marks(space, piece.type) != [None] else None
            found += [Move((UnitSpec(piece.type, marks=marks),), ways[e]) for e in ranked]
        over = {s for s, _, _ in aloft}
        for space, unit in movable(self.world, self.scratch.state):
            if self.units[unit].deck:
                for end, route in self.scratch.legal.destinations(space, unit).items():
                    if end in over:
                        found.insert(0, Move((UnitSpec(unit),), route))
        return found
