"""The combat move: which spaces to attack, with what, and what it should bring."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from sandtable.bots.atlas import FAR
from sandtable.bots.battles import Army, Outlook, Shores, army, flak, price, support, worth
from sandtable.bots.convoys import plunder
from sandtable.bots.drives import drive_on
from sandtable.bots.front import future, prize
from sandtable.bots.glance import foresee, weigh
from sandtable.bots.overhead import landing
from sandtable.bots.plan import Step
from sandtable.bots.risk import arriving, merged, risk, without
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight
from sandtable.bots.skies import meet, risers
from sandtable.bots.style import Style
from sandtable.bots.survey import Free, Group, Sent, ShipKey, Survey
from sandtable.bots.together import together
from sandtable.engine.facts import amounts, is_hostile_sea
from sandtable.engine.special.lines import line_across
from sandtable.notation.orders import AnyOrder
from sandtable.odds.paper import Shore
from sandtable.world.model import PowerId, SpaceId, UnitId

NEVER = -1e9
LOST = 0.6  # chance of losing the capital from which on nothing is kept back for it
SURE = 0.9  # chance to win that a sea battle needs on which the whole plan hangs
WALK_IN = 2  # I.P.C. of empty land that comes before any battle
FARTHEST_BACK = 4.0  # turns by which a unit can lose ground, as far as that counts
DARING = 0.2  # of the least odds that a side far ahead does without, for each time that enemy losses weigh more
HOPELESS = 0.1  # chance to take land up to which an attack is made for what it destroys, if at all
CLEARED = 0.8  # chance to win a sea battle from which on troops are sent behind it


class Strike(msgspec.Struct, frozen=True):
    """An attack worth making."""

    target: SpaceId
    chosen: Sent
    look: Outlook
    gain: float
    hold: float
    company: Sent = ()  # warships that sail with the transports

    def force(self) -> dict[UnitId, int]:
        total: dict[UnitId, int] = {}
        for group, n in self.chosen:
            for u, k in group.force(n).items():
                total[u] = total.get(u, 0) + k
        return total

    def orders(self) -> list[AnyOrder]:
        found: list[AnyOrder] = [group.move(n) for group, n in self.company]
        for group, n in sorted(self.chosen, key=lambda c: c[0].passage is not None):
            if group.passage is None:
                found.append(group.move(n))
            else:
                for _ in range(n):
                    found += group.passage.orders()
        return found


class Mind(msgspec.Struct, frozen=True, kw_only=True):
    """How one particular plan is to be made: the style, and what sets this plan apart from its alternatives."""

    style: Style
    odds_shift: float = 0.0  # added to the least odds
    greed_shift: float = 0.0
    first: SpaceId | None = None  # the target to begin with
    barred: frozenset[SpaceId] = frozenset()  # targets to leave alone
    keep_reserve: bool = True
    foresight: float = 0.0  # how much of the worst counter-attack is set against each attack by itself, 0 to 1
    thrift: float = 1.0  # how dear units are that could be used elsewhere
    rough: bool = False  # a glance at each battle will do: to see what a war would bring, not to fight it


class Attack:
    """Plans the combat move of one position."""

    def __init__(self, sight: Sight, mind: Mind, survey: Survey | None = None) -> None:
        self.sight = sight
        self.mind = mind
        self.style = mind.style
        self.world = sight.world
        self.units = sight.profile(sight.power)
        self.survey = survey or Survey(sight, Scratch(sight.world, sight.state), mind.style)
        self.free: Free = dict(self.survey.free)
        self.by_target = {t: list(g) for t, g in self.survey.by_target.items() if t not in mind.barred}
        self.drops = {t: g for t, g in self.survey.drops.items() if t not in mind.barred}
        self.committed = {t: u for t, u in self.survey.committed.items() if t not in mind.barred}
        self.urgent = frozenset(self.world.sea[mind.first] if mind.first is not None else ())  # ships off that shore
        self.ration = mind.style.ration * mind.thrift  # how much dearer units are as long as others may need them
        self._fire: dict[tuple[SpaceId, SpaceId], dict[UnitId, int]] = {}  # by shore and zone, ships told to support it
        self._struck: set[SpaceId] = set()
        self._holds: dict[tuple[SpaceId, Army], tuple[float, float]] = {}
        self._walls: dict[SpaceId, Army] = {}  # what comes into play when troops cross a border of their choice
        self._ships_left: dict[ShipKey, int] = {}
        self._keep_reserve()

    def _keep_reserve(self) -> None:
        """Take what the capital needs out of the units that may be sent."""
        capital = self.sight.capital
        if capital is None or not self.mind.keep_reserve or not self.sight.is_mine(capital):
            return
        garrison = merged(self.sight.ours(capital), arriving(self.sight, capital))
        limit = self.style.capital_risk
        power = self.sight.power
        order = sorted(
            (u for s, u in self.free if s == capital and self.units[u].casualty),
            key=lambda u: (self.units[u].domain != "air", -self.units[u].attack),
        )
        if self._danger(garrison) > limit:
            for unit in order:
                if self.units[unit].domain != "sea":
                    self.free[capital, unit] = 0
            if self.style.alert:
                self._call_home(capital, garrison)
            return
        for unit in order:
            have = self.free[capital, unit]
            sent = 0
            while sent < have:
                rest = without(garrison, power, unit, 1)
                if self._danger(rest) > limit:
                    break
                garrison = rest
                sent += 1
            self.free[capital, unit] = sent

    def _danger(self, garrison: Army) -> float:
        """The chance that the capital falls with this garrison."""
        assert self.sight.capital is not None
        return risk(self.sight, self.sight.capital, garrison).chance

    def _call_home(self, capital: SpaceId, garrison: Army) -> None:
        """Keep units elsewhere back that can come to a capital in danger, if that can save it."""
        power, atlas = self.sight.power, self.sight.atlas
        near = []
        for (space, unit), n in self.free.items():
            kind = self.sight.kind(power, unit)
            ways = {"land": atlas.land.get(space, {}), "air": atlas.air[space]}.get(kind.domain, {})
            if n and space != capital and kind.casualty and ways.get(capital, FAR) <= kind.move:
                near.append((kind.domain == "air", kind.attack, space, unit, n))
        everybody = merged(garrison, *(((power, unit, n),) for *_, unit, n in near))
        if self._danger(everybody) > LOST:
            return
        for _, _, space, unit, n in sorted(near):
            for _ in range(n):
                if self._danger(garrison) <= self.style.capital_risk:
                    return
                garrison = merged(garrison, ((power, unit, 1),))
                self.free[space, unit] -= 1

    # ------------------------------------------------------------ what an attack is worth

    def hold(self, target: SpaceId, left: Army) -> tuple[float, float]:
        """The chance that the survivors keep the space, and what the counter-attack would cost."""
        found = self._holds.get((target, left))
        if found is not None:
            return found
        sight = self.sight
        land = self.world.spaces[target].is_land
        worst_chance, worst_cost = 0.0, 0.0
        for enemy in sight.enemies:
            units: dict[UnitId, int] = {}
            for reach in sight.threats(enemy).get(target, ()):
                if reach.start != target:
                    units[reach.unit] = units.get(reach.unit, 0) + reach.count
            if not units or (land and not any(sight.kind(enemy, u).captures for u in units)):
                continue
            look = weigh(self.world, sight.state, army(enemy, units), left)
            chance = look.take if land else look.win
            worst_chance = max(worst_chance, chance)
            worst_cost = max(worst_cost, (look.defender_loss - 0.8 * look.attacker_loss) if look.win > 0.35 else 0.0)
        found = self._holds[target, left] = (1.0 - worst_chance, worst_cost)
        return found

    def judge(
        self, target: SpaceId, units: Mapping[UnitId, int], shores: Shores, exact: bool
    ) -> tuple[float, Outlook, float]:
        """(gain, outlook, chance to hold) of attacking with these units; NEVER if it is out of the question."""
        sight, style, world = self.sight, self.style, self.world
        land = world.spaces[target].is_land
        ours, theirs = army(sight.power, units), (*sight.theirs(target), *self._walls.get(target, ()))
        look = self._look(target, ours, theirs, shores, exact)
        if style.skies and theirs and (planes := self._risers(target)):
            met = self._look(target, ours, merged(theirs, planes), shores, exact)
            if met.swing < look.swing or met.win < look.win:
                look = met
        capital = land and world.spaces[target].capital_of is not None
        least = style.least_odds + self.mind.odds_shift - (0.12 if capital else 0.0)
        least -= DARING * (sight.rate - 1.0)
        if target in self.urgent:
            least = SURE
        taken, anyway = together(sight, target, look) if capital and style.joint else (0.0, 0.0)
        bad = look.win < least or (land and any(self.units[u].captures for u in units) and look.take < least - 0.1)
        if bad and not taken:
            return NEVER, look, 0.0
        left = army(
            sight.power,
            {
                u: n
                for u, n in (look.survivors or tuple(units.items()))
                if self.units[u].domain == ("land" if land else "sea")
            },
        )
        held, counter = style.held, 0.0
        sees = max(self.mind.foresight, style.foresight)
        if sees:
            worst, counter = self.hold(target, left) if left else (0.0, 0.0)
            held = held * (1 - sees) + worst * sees
        gain = sight.rate * look.defender_loss - look.attacker_loss - sees * counter * look.win
        if land:
            gain += max(look.take, taken - anyway) * prize(sight, target, held, future(sight, style))
        else:
            gain += look.win * sight.cargo(target, False)
            if style.skies and look.defender_loss:
                gain += look.win * sum(plunder(sight, target, p, u, n) for p, u, n in theirs)
        return gain, look, held

    def _look(self, target: SpaceId, ours: Army, theirs: Army, shores: Shores, exact: bool) -> Outlook:
        """What the battle would bring; for those who think of it, after the planes of both sides have met."""
        sight, world = self.sight, self.world
        land = world.spaces[target].is_land
        guns = sight.guns(target, False) if land and theirs else ()
        meeting = meet(world, sight.state, ours, theirs) if self.style.skies else None
        if meeting is not None:
            ours, theirs = meeting.ours, meeting.theirs
            if not ours:
                return Outlook(0.0, 0.0, meeting.our_loss, meeting.their_loss)
        if exact and not self.mind.rough:
            look = foresee(world, sight.state, ours, theirs, kind="land" if land else "sea", shores=shores, guns=guns)
        else:
            fire = support(world, sight.state, sight.power, shores)
            gun = flak(world, sight.state, sight.power, guns)
            look = weigh(world, sight.state, ours, theirs, support=fire, gun=gun)
        return look if meeting is None else meeting.told(look)

    def _risers(self, target: SpaceId) -> Army:
        if target not in self.survey.risers:
            self.survey.risers[target] = risers(self.sight, target)
        return self.survey.risers[target]

    def best(self, target: SpaceId) -> Strike | None:
        """The cheapest force that does best against a target; with dropped troops where it would not do without."""
        strike = self._round_or_across(target)
        if target in self.drops and (strike is None or not strike.look.take):
            return self._best(target, [*self.drops[target], *self.by_target.get(target, [])]) or strike
        return strike

    def _round_or_across(self, target: SpaceId) -> Strike | None:
        """The best force; where a line would stand in the way of some, that without them or that of all against it."""
        able = self.by_target.get(target, [])
        self._walls.pop(target, None)
        walls = [wall for g in able if (wall := self._wall(g)) is not None]
        if not walls:
            return self._best(target, able)
        around = self._best(target, [g for g in able if self._wall(g) is None])
        self._walls[target] = tuple(walls[:1])
        across = self._best(target, able)
        if across is not None and (around is None or across.gain > around.gain):
            return across
        del self._walls[target]
        return around

    def _wall(self, group: Group) -> tuple[PowerId, UnitId, int] | None:
        """The fortification that rises when these troops go the way they would."""
        if group.passage is not None or self.units[group.units[0][0]].domain != "land":
            return None
        return line_across(self.world, self.sight.state, self.sight.power, group.route[-2], group.route[-1])

    def _best(self, target: SpaceId, able: list[Group]) -> Strike | None:
        """The best force; a landing also with the warships that could come along, to fire at the shore and to guard
        the transports."""
        strike = self._leanest(target, able, False)
        if any(g.passage is not None and g.passage.drop in self.survey.company for g in able):
            along = self._leanest(target, able, True)
            if along is not None and along.company and (strike is None or along.gain > strike.gain):
                return along
        return strike

    def _leanest(self, target: SpaceId, able: list[Group], along: bool) -> Strike | None:
        """Everything that can come, less what is not needed."""
        groups = [g for g in able if self._available(g)]
        already = self.committed.get(target, {})
        land = self.world.spaces[target].is_land
        numbers = self._all_in(groups, target)
        if not any(numbers) and not already:
            return None
        if land and not self._can_hold(groups, numbers, already) and not self.sight.theirs(target):
            return None
        shores = self._shores(groups, numbers, target, along)
        score, look, held = self.judge(target, self._units(groups, numbers, already), shores, False)
        if score == NEVER:
            return None
        order = sorted(range(len(groups)), key=lambda i: -self._dearness(groups[i], target))
        improved = True
        while improved:
            improved = False
            for i in order:
                while numbers[i]:
                    numbers[i] -= 1
                    units = self._units(groups, numbers, already)
                    if not units:
                        numbers[i] += 1
                        break
                    trial_shores = self._shores(groups, numbers, target, along)
                    trial = self.judge(target, units, trial_shores, False)[0]
                    if trial == NEVER or trial < score - self._dearness(groups[i], target):
                        numbers[i] += 1
                        break
                    score, improved = trial, True
        units = self._units(groups, numbers, already)
        shores = self._shores(groups, numbers, target, along)
        gain, look, held = self.judge(target, units, shores, True)
        if gain == NEVER:  # a glance was too hopeful: send everything, if that is enough
            numbers = self._all_in(groups, target)
            units = self._units(groups, numbers, already)
            gain, look, held = self.judge(target, units, self._shores(groups, numbers, target, along), True)
        chosen = tuple((g, n) for g, n in zip(groups, numbers, strict=True) if n)
        company = self._company(groups, numbers) if along else ()
        gain -= self._exposed(chosen, company) + self._bared(chosen)
        gain -= sum(n * (self._afield(g) + g.fee) for g, n in chosen)
        if gain > 0:
            gain *= min((g.chance for g, _ in chosen), default=1.0)
        gain -= sum(n * (1.0 - g.chance) * worth(self.world, army(self.sight.power, g.force(1))) for g, n in chosen)
        if self.style.skies:
            gain = self._under_planes(chosen, gain)
        idle = gain <= 0 and not look.defender_loss and not land  # submarines that would only dive, for one
        if (idle or gain < self._need(target, chosen, look)) and not already and target not in self.urgent:
            return None
        return Strike(target, chosen, look, gain, held, company) if chosen else None

    def _need(self, target: SpaceId, chosen: Sequence[tuple[Group, int]], look: Outlook) -> float:
        """The gain that an attack has to promise: only land that is taken may cost more than it seems to bring."""
        need = self.style.greed + self.mind.greed_shift
        takes = look.take > HOPELESS and self.world.spaces[target].is_land
        takes = takes and any(self.units[u].captures for g, _ in chosen for u, _ in g.units)
        return need if takes else max(need, 0.0)

    def _all_in(self, groups: list[Group], target: SpaceId) -> list[int]:
        """Everything at once, each unit and each transport used once."""
        free = dict(self.free)
        ships: dict[ShipKey, int] = {}
        for g in groups:
            if g.ship_key is not None:
                left = self._ships_left.get(g.ship_key, g.count)
                ships[g.ship_key] = max(ships.get(g.ship_key, 0), min(left, g.count))
        numbers = []
        for g in groups:
            n = g.count if g.ship_key is None else min(g.count, ships[g.ship_key])
            if g.passage is None or g.passage.source is not None:
                for u, k in g.units:
                    n = min(n, free.get((g.start, u), 0) // k)
            numbers.append(n)
            if g.ship_key is not None:
                ships[g.ship_key] -= n
            if g.passage is None or g.passage.source is not None:
                for u, k in g.units:
                    free[g.start, u] = free.get((g.start, u), 0) - n * k
        return numbers

    def _available(self, group: Group) -> bool:
        if group.ship_key is not None and self._ships_left.get(group.ship_key, group.count) <= 0:
            return False
        if group.passage is not None and group.passage.source is None:
            return True
        return all(self.free.get((group.start, u), 0) >= k for u, k in group.units)

    def _units(self, groups: list[Group], numbers: list[int], already: Mapping[UnitId, int]) -> dict[UnitId, int]:
        total = dict(already)
        for g, n in zip(groups, numbers, strict=True):
            if n:
                for u, k in g.force(n).items():
                    total[u] = total.get(u, 0) + k
        return total

    def _can_hold(self, groups: list[Group], numbers: list[int], already: Mapping[UnitId, int]) -> bool:
        return any(self.units[u].captures for u in self._units(groups, numbers, already))

    def _shores(self, groups: list[Group], numbers: list[int], target: SpaceId, along: bool = False) -> Shores:
        """The zones from which troops land, with ships that lie there already and are not sent elsewhere, and those
        that come along."""
        coming: dict[SpaceId, dict[UnitId, int]] = {}
        for ships, n in self._company(groups, numbers) if along else ():
            there = coming.setdefault(ships.route[-1], {})
            for unit, k in ships.force(n).items():
                there[unit] = there.get(unit, 0) + k
        troops: dict[SpaceId, dict[UnitId, int]] = {}
        for group, n in zip(groups, numbers, strict=True):
            if n and group.passage is not None:
                landed = troops.setdefault(group.passage.drop, {})
                for unit, k in group.force(n).items():
                    landed[unit] = landed.get(unit, 0) + k
        found = []
        for zone in sorted(troops):
            guns = dict(self._fire.get((target, zone), {}))
            for unit, n in (*((u, self.free[zone, u]) for _, u in self._gunners(zone)), *coming.get(zone, {}).items()):
                guns[unit] = guns.get(unit, 0) + n
            found.append(Shore(tuple(sorted(troops[zone].items())), tuple(sorted(guns.items()))))
        return tuple(found)

    def _company(self, groups: list[Group], numbers: list[int]) -> Sent:
        """Ships that are free to come to where these troops land."""
        found: list[tuple[Group, int]] = []
        taken: set[tuple[SpaceId, UnitId]] = set()
        for zone in sorted(
            {g.passage.drop for g, n in zip(groups, numbers, strict=True) if n and g.passage is not None}
        ):
            for ships in self.survey.company.get(zone, ()):
                key = (ships.start, ships.units[0][0])
                if self.free.get(key, 0) > 0 and key not in taken:
                    taken.add(key)
                    found.append((ships, self.free[key]))
        return tuple(found)

    def _gunners(self, zone: SpaceId) -> list[tuple[SpaceId, UnitId]]:
        """Own ships that can fire in support of a landing from where they are; those among enemies have to fight."""
        if is_hostile_sea(self.world, self.sight.state, self.sight.power, zone):
            return []
        here = [key for key, n in self.free.items() if n and key[0] == zone]
        return [(place, unit) for place, unit in here if self.units[unit].support]

    def _exposed(self, chosen: Sent, company: Sent) -> float:
        """What it costs to leave transports off the shore where they put troops ashore, with those who come along."""
        if not self.style.ships:
            return 0.0
        ships: dict[SpaceId, Army] = {}
        for group, n in chosen:
            if group.passage is not None:
                ship = ((self.sight.power, group.passage.ship, n),)
                ships[group.passage.drop] = merged(ships.get(group.passage.drop, ()), ship)
        total = 0.0
        for group, n in company:
            unit, home = group.units[0][0], self.sight.ours(group.start)
            ships[group.route[-1]] = merged(ships[group.route[-1]], ((self.sight.power, unit, n),))
            rest = without(home, self.sight.power, unit, n)
            total -= risk(self.sight, group.start, home).cost - risk(self.sight, group.start, rest).cost
        for zone, fleet in ships.items():
            there = self.sight.ours(zone)
            total += risk(self.sight, zone, merged(there, fleet)).cost - risk(self.sight, zone, there).cost
        return self.style.ships * max(0.0, total)

    def _under_planes(self, chosen: Sequence[tuple[Group, int]], gain: float) -> float:
        """What is left of the gain when enemy planes rise against transports, or strike at ships that come."""
        fleets: dict[SpaceId, Army] = {}
        troops: dict[SpaceId, Army] = {}
        for group, n in chosen:
            if group.passage is not None:
                zone, ship = group.passage.drop, group.passage.ship
                fleets[zone] = merged(fleets.get(zone, ()), ((self.sight.power, ship, n),))
                troops[zone] = merged(troops.get(zone, ()), army(self.sight.power, group.force(n)))
                if zone != group.passage.zone:
                    gain -= self._struck_at(zone, ship, n)
            elif self.units[group.units[0][0]].domain == "sea":
                gain -= self._struck_at(group.route[-1], group.units[0][0], n)
        if not fleets:
            return gain
        chance, cost = landing(self.sight, fleets, troops)
        return (gain * chance if gain > 0 else gain) - cost

    def _struck_at(self, zone: SpaceId, unit: UnitId, n: int) -> float:
        """What ships lose as they come; planes that rise instead are reckoned with elsewhere."""
        return 0.0 if self._risers(zone) else self.survey.patrols.cost(zone, unit, n)

    def _bared(self, chosen: Sent) -> float:
        """What it costs to leave the land open from which troops are sent."""
        if not self.style.bared:
            return 0.0
        sight, total = self.sight, 0.0
        leaving: dict[SpaceId, dict[UnitId, int]] = {}
        for group, n in chosen:
            if group.start != sight.capital and sight.is_ours(group.start):  # the capital has its reserve
                gone = leaving.setdefault(group.start, {})
                for unit, k in group.force(n).items():
                    gone[unit] = gone.get(unit, 0) + k
        for space, units in leaving.items():
            there = sight.ours(space)
            for (place, unit), n in self.survey.free.items():
                if place == space:
                    there = without(there, sight.power, unit, n - self.free[place, unit])
            left = there
            for unit, n in units.items():
                left = without(left, sight.power, unit, n)
            total += max(0.0, risk(sight, space, left).cost - risk(sight, space, there).cost)
        return self.style.bared * total

    def _guards(self, space: SpaceId) -> int:
        """Units that no attack has taken away from here so far."""
        gone = sum(n - self.free[s, u] for (s, u), n in self.survey.free.items() if s == space)
        return sum(n for _, _, n in self.sight.ours(space)) - gone

    def _dearness(self, group: Group, target: SpaceId) -> float:
        """What it is worth to keep the units for something else: more if they would leave the front for this."""
        total = 0.0
        for u, k in group.units:
            kind = self.units[u]
            cost = price(self.world, self.sight.power, u)
            total += k * (0.05 * cost + (0.35 if kind.domain == "air" else 0.0))
        total *= self.ration
        if self.style.backward and self.world.spaces[target].is_land:
            time = self.sight.time
            back = min(time.get(target, FAR) - time.get(group.start, FAR), FARTHEST_BACK)
            troops = sum(k for u, k in group.units if self.units[u].domain == "land")
            total += self.style.backward * troops * max(0.0, back)
        return total + self._afield(group) + (0.5 if group.passage is not None else 0.0)

    def _afield(self, group: Group) -> float:
        """What a plane stands to lose where it will have to land."""
        unit = group.units[0][0]
        if not self.style.fields or self.units[unit].domain != "air":
            return 0.0
        danger = self.survey.landing_danger(unit, group.route)
        return self.style.fields * danger * price(self.world, self.sight.power, unit)

    # ------------------------------------------------------------ the plan

    def plan(self, scratch: Scratch) -> tuple[list[Strike], list[Step]]:
        """Attacks in the order in which they promise most, tried out on the scratch paper.

        Each gets little more than it needs at first, so that much can be attacked; what is left over then goes along.
        """
        strikes: dict[SpaceId, Strike] = {}
        steps: list[Step] = []
        known: dict[SpaceId, Strike | None] = {}
        open_targets = sorted(set(self.by_target) | set(self.drops) | set(self.committed))
        if self.style.alert:
            for strike in self._walk_ins(open_targets):
                step = self._carry_out(scratch, strike)
                if step is not None:
                    open_targets.remove(strike.target)
                    self._struck.add(strike.target)
                    strikes[strike.target] = strike
                    steps.append(step)
        while open_targets:
            for target in open_targets:
                if target not in known:
                    known[target] = self.best(target)
            possible = [s for t in open_targets if (s := known[t]) is not None]
            if not possible:
                break
            strike = max(
                possible,
                key=lambda s: (
                    s.target in self.urgent,
                    s.target == self.mind.first,
                    s.gain,
                    s.target,
                ),
            )
            open_targets.remove(strike.target)
            self._struck.add(strike.target)
            before = dict(self.free)
            step = self._carry_out(scratch, strike)
            if step is not None:
                strikes[strike.target] = strike
                steps.append(step)
                if self.world.spaces[strike.target].is_sea:
                    self._follow_ashore(strike, open_targets, known)
                touched = {key for key, n in before.items() if self.free[key] != n}
                ships = {g.ship_key for g, _ in strike.chosen if g.ship_key is not None}
                unsupported = {s for z, u in touched if self.units[u].support for s in self.world.land[z]}
                for target in open_targets:
                    other = known.get(target)
                    along = [g for g, _ in other.company] if other is not None else []
                    if target in unsupported or any(
                        g.ship_key in ships or any((g.start, u) in touched for u, _ in g.units)
                        for g in (*self.by_target.get(target, ()), *self.drops.get(target, ()), *along)
                    ):
                        known.pop(target, None)
        if self.style.ration > 1.0:
            self.ration = 1.0
            for target, strike in strikes.items():
                more = self._reinforce(scratch, strike)
                if more is not None:
                    strikes[target], step = more
                    steps.append(step)
        if self.style.alert:
            steps += drive_on(self, scratch, strikes)
        return list(strikes.values()), steps

    def _walk_ins(self, targets: list[SpaceId]) -> Iterator[Strike]:
        """Rich land that stands empty: one man on foot takes it, who would hardly be missed in a battle."""
        world, sight = self.world, self.sight
        foot = min(price(world, sight.power, u.id) for u in self.units.values() if u.captures)
        worth = {
            t: prize(sight, t, self.style.held, future(sight, self.style))
            for t in targets
            if world.spaces[t].is_land and world.spaces[t].ipc >= WALK_IN and not sight.theirs(t)
        }
        for target in sorted(worth, key=lambda t: (-worth[t], t)):
            able = [
                g
                for g in self.by_target.get(target, ())
                if g.passage is None
                and all(self.units[u].captures and price(world, sight.power, u) == foot for u, _ in g.units)
                and self._available(g)
                and self._guards(g.start) > 1
            ]
            if able:
                best = min(able, key=lambda g: (self._dearness(g, target), -self._guards(g.start), g.start))
                gain, look, held = self.judge(target, best.force(1), (), True)
                if gain > 0:
                    yield Strike(target, ((best, 1),), look, gain, held)

    def _reinforce(self, scratch: Scratch, strike: Strike) -> tuple[Strike, Step] | None:
        """Send along what nobody else needs, as far as it makes the attack better."""
        target, done = strike.target, len(scratch.done)
        chosen = list(strike.chosen)
        score = self._glance(target, chosen)
        wall = bool(self._walls.get(target))
        able = [g for g in self.by_target.get(target, ()) if wall or self._wall(g) is None]
        for group in sorted(able, key=lambda g: self._dearness(g, target)):
            while self._available(group):
                trial = self._glance(target, [*chosen, (group, 1)])
                if trial < score + self._dearness(group, target) or not self._send(scratch, group, 1):
                    break
                chosen.append((group, 1))
                self._spend(group, 1)
                score = trial
        if len(scratch.done) == done:
            return None
        groups, numbers = [g for g, _ in chosen], [n for _, n in chosen]
        units = self._units(groups, numbers, self.committed.get(target, {}))
        gain, look, held = self.judge(target, units, self._shores(groups, numbers, target), True)
        if gain == NEVER:  # a glance was too hopeful, but the units are on their way
            gain, look, held = strike.gain, strike.look, strike.hold
        place = self.world.spaces[target]
        more = {u: n - strike.force().get(u, 0) for u, n in units.items()}
        words = amounts(self.world, [(u, more[u]) for u in self.world.units if more.get(u, 0) > 0])
        step = Step(f"Send {words} along to {place.name}", tuple(scratch.done[done:]), target, gain, look.win)
        return Strike(target, tuple(chosen), look, gain, held, strike.company), step

    def _glance(self, target: SpaceId, chosen: list[tuple[Group, int]]) -> float:
        groups, numbers = [g for g, _ in chosen], [n for _, n in chosen]
        units = self._units(groups, numbers, self.committed.get(target, {}))
        return self.judge(target, units, self._shores(groups, numbers, target), False)[0]

    def _follow_ashore(self, strike: Strike, open_targets: list[SpaceId], known: dict[SpaceId, Strike | None]) -> None:
        """Where the enemy's ships are being driven off, troops can land behind the battle."""
        zone = strike.target
        if strike.look.win < CLEARED:
            return
        barred = self.mind.barred | self._struck
        shores = {s for s in self.world.land[zone] if self.sight.is_theirs(s) and s not in barred}
        for shore, groups in self.survey.landings(shores, {zone: self._passes(strike)}).items():
            self.by_target.setdefault(shore, []).extend(groups)
            known.pop(shore, None)
            if shore not in open_targets:
                open_targets.append(shore)

    def _passes(self, strike: Strike) -> float:
        """The chance that a transport comes through the battle for its zone: it is there, and can be hit."""
        power, theirs = self.sight.power, self.sight.theirs(strike.target)
        ferries = {u.id: price(self.world, power, u.id) for u in self.units.values() if u.loads}
        ferry = min((u for u, cost in ferries.items() if cost), key=lambda u: ferries[u], default=None)
        if ferry is None:
            return strike.look.win
        coming = merged(army(power, strike.force()), ((power, ferry, 1),))
        look = self._look(strike.target, coming, theirs, (), True)
        more = max(0.0, look.attacker_loss - strike.look.attacker_loss)
        return strike.look.win * max(0.0, 1.0 - more / ferries[ferry])

    def _carry_out(self, scratch: Scratch, strike: Strike) -> Step | None:
        """Play the moves; when the engine refuses some, see whether the rest is still worth it."""
        before, done = scratch.state, len(scratch.done)
        sent: dict[UnitId, int] = dict(self.committed.get(strike.target, {}))
        used: list[tuple[Group, int]] = []
        guards = [(group, ok) for group, n in strike.company if (ok := self._send(scratch, group, n))]
        for group, n in sorted(strike.chosen, key=lambda c: c[0].passage is not None):
            ok = self._send(scratch, group, n)
            if ok:
                used.append((group, ok))
                for u, k in group.force(ok).items():
                    sent[u] = sent.get(u, 0) + k
        gain, look, held = strike.gain, strike.look, strike.hold
        if [n for _, n in used] != [n for _, n in sorted(strike.chosen, key=lambda c: c[0].passage is not None)]:
            shores = self._shores([g for g, _ in used], [n for _, n in used], strike.target, bool(guards))
            gain, look, held = self.judge(strike.target, sent, shores, True) if used else (NEVER, look, held)
            if gain < self._need(strike.target, used, look) and not self.committed.get(strike.target):
                scratch.state = before
                del scratch.done[done:]
                return None
        for group, n in guards:
            told = self._fire.setdefault((strike.target, group.route[-1]), {})
            told[group.units[0][0]] = told.get(group.units[0][0], 0) + n
            self._spend(group, n)
        for zone in {g.passage.drop for g, _ in used if g.passage is not None}:
            told = self._fire.setdefault((strike.target, zone), {})
            for gunner in self._gunners(zone):
                told[gunner[1]] = told.get(gunner[1], 0) + self.free[gunner]
                self.free[gunner] = 0  # they stay for their shot
        for group, n in used:
            self._spend(group, n)
        return Step(self._words(strike, sent, held), tuple(scratch.done[done:]), strike.target, gain, look.win)

    @staticmethod
    def _send(scratch: Scratch, group: Group, n: int) -> int:
        """Move so many of the group as the engine lets go, and tell how many."""
        if group.passage is None:
            while n > 0 and not scratch.play(group.move(n)):
                n -= 1
            return n
        sent = 0
        while sent < n and scratch.play_all(group.passage.orders()):
            sent += 1
        return sent

    def _spend(self, group: Group, n: int) -> None:
        if group.passage is None or group.passage.source is not None:
            for u, k in group.units:
                self.free[group.start, u] -= k * n
        if group.ship_key is not None:
            self._ships_left[group.ship_key] = self._ships_left.get(group.ship_key, group.count) - n

    def _words(self, strike: Strike, sent: Mapping[UnitId, int], held: float) -> str:
        world, sight = self.world, self.sight
        place = world.spaces[strike.target]
        force = amounts(world, [(u, sent[u]) for u in world.units if sent.get(u)])
        foe = sight.theirs(strike.target)
        against = amounts(world, _sum_types(world.units, foe))
        if place.is_sea:
            return f"Sink {against} in {place.name} with {force}"
        what = f"worth {place.ipc}" if place.capital_of is None else "a capital"
        future = f"; {held:.0%} to hold it" if self.mind.foresight else ""
        if not foe:
            return f"Walk into {place.name} ({what}) with {force}{future}"
        return f"Take {place.name} ({what}) from {against} with {force}{future}"


def _sum_types(units: Mapping[UnitId, object], force: Army) -> list[tuple[UnitId, int]]:
    total: dict[UnitId, int] = {}
    for _, u, n in force:
        total[u] = total.get(u, 0) + n
    return [(u, total[u]) for u in units if u in total]
