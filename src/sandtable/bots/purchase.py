"""What to buy: first what the capital needs, then ships for armies that need them, then the army."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.bots.atlas import FAR
from sandtable.bots.bases import can_stand, paying_site
from sandtable.bots.battles import army
from sandtable.bots.campaign import campaign
from sandtable.bots.convoys import profit
from sandtable.bots.front import future, own_value
from sandtable.bots.glance import weigh
from sandtable.bots.plan import Step
from sandtable.bots.risk import capital_danger, merged, risk
from sandtable.bots.shipping import Shipping, is_cut_off
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.bots.works import better_complex, paying_wall
from sandtable.bots.yards import yard_site
from sandtable.engine.aid import owed
from sandtable.engine.complexes import home, output, repair_cost, working_complexes
from sandtable.engine.facts import amounts, free_money
from sandtable.engine.offer import unavailable
from sandtable.engine.progress import damaged_complexes
from sandtable.notation.orders import Buy, Repair, UnitSpec, Upgrade
from sandtable.world.model import SpaceId, UnitId, UnitType

UNLIMITED = 10_000
CHEAP = 0.2  # of the money, that the repair of a base may cost
PLANES = 0.35  # of the money that goes into planes where places are scarce and ships are wanted
GUNS = 0.5  # of the money for armor, that goes into artillery where this is better
WALK = 6.0  # turns to the goal, up to which slow units arrive in time
FARTHER = 3.0  # more turns where planes strike once, and guns have to do the work
MATCH = 60  # I.P.C. of either side in the battle by which artillery and armor are compared
CROWDED = 5  # I.P.C. for each place at a complex, from which on another complex is wanted
RAIDER = 0.35  # of the money, that a ship against convoys may cost
WALL = 0.6  # of the money, that a fortification may cost
BUILDING = 0.5  # of the money that a base which pays for itself may cost
FEW = 2  # transports that do without a steady shuttle
FLEET = 12  # transports, from which on warships are built
ENOUGH = 4  # I.P.C. of income for each plane, from which on a power across the sea buys warships rather than planes
NEIGHBOURHOOD, CROWD = 2, 6  # steps around a port, and troops there that are worth a fleet
PRESSED = 0.25  # chance of losing a complex from which on the army is for defence


def sites(sight: Sight) -> tuple[SpaceId, ...]:
    """Where new land units can appear: at complexes, or at home where a power needs none."""
    if not sight.world.powers[sight.power].builds:
        return tuple(home(sight.world, sight.state, sight.power))
    return working_complexes(sight.world, sight.state, sight.power)


def spendable(sight: Sight) -> int:
    """Money for units: less what is owed, and no more than a power at peace may spend."""
    world, state, power = sight.world, sight.state, sight.power
    money = free_money(world, state, power) - owed(world, state, power)
    return money if state.budget is None else min(money, state.budget)


class Purchase:
    """A shopping list that is filled step by step."""

    def __init__(self, sight: Sight, style: Style) -> None:
        self.sight = sight
        self.style = style
        self.world = sight.world
        self.power = sight.power
        self.units = sight.profile(sight.power)
        self.money = spendable(sight)
        self.list: dict[UnitId, int] = {}
        self.reasons: list[str] = []
        self.complexes = sites(sight)
        self.room = self._room()
        kinds = [
            u
            for u in self.units.values()
            if u.cost is not None and u.casualty and unavailable(self.world, sight.state, self.power, u.id) is None
        ]
        land = [u for u in kinds if u.domain == "land" and u.attacks and u.captures]
        self.foot = min(land, key=lambda u: (self.cost(u.id) or FAR, -u.defense), default=None)
        self.tank = max(land, key=lambda u: (u.attack, u.move), default=None)
        self.guns = [u for u in land if u not in (self.foot, self.tank) and (u.cost or FAR) < (self.tank_price())]
        planes = [u for u in kinds if u.domain == "air"]
        self.plane = max(planes, key=lambda u: u.attack + u.defense, default=None)
        self.ferry = min((u for u in kinds if u.loads), key=lambda u: self.cost(u.id) or FAR, default=None)
        self.ships = [u for u in kinds if u.domain == "sea"]
        self.shipping = self._shipping()
        home_time = sight.time.get(self.shipping.home, FAR) if self.shipping else FAR
        self.abroad = [f for f in self.complexes if self.shipping and sight.time.get(f, FAR) < home_time - 1.5]
        self.saving = False  # for a fleet that cannot be paid yet
        # those whose home lies on the land where they fight are pressed there, or not: they need no campaign
        self.campaign = campaign(sight, self.complexes) if style.drive and self.shipping is not None else None

    @property
    def is_scarce(self) -> bool:
        """A place at a complex is worth more than money."""
        return self.world.rules.complex_output == "by-kind"

    def tank_price(self) -> float:
        return FAR if self.tank is None else self.cost(self.tank.id) or FAR

    def _shipping(self) -> Shipping | None:
        """The sea traffic, when the greatest complex lies across the sea from every enemy capital."""
        if not self.complexes:
            return None
        best = min(self.complexes, key=lambda s: (self.sight.capital != s, -self.world.spaces[s].ipc, s))
        if not is_cut_off(self.sight, best):
            return None
        ports = [
            f
            for f in self.complexes
            if any(z not in self.sight.atlas.lakes for z in self.world.sea[f])
            and (f in self.sight.atlas.land[best] or (is_cut_off(self.sight, f) and self._has_crowd(f)))
        ]
        port = min(ports, key=lambda s: (self.sight.time.get(s, FAR), s), default=None)
        return Shipping(self.sight, port) if port is not None else None

    def _has_crowd(self, port: SpaceId) -> bool:
        """An army waits for ships near this port, though it has come there by other ways."""
        near = self.sight.atlas.land[port]
        troops = sum(
            n
            for space, piece, n in self.sight.armies(self.power)
            if near.get(space, FAR) <= NEIGHBOURHOOD and self.sight.type_of(piece).captures
        )
        return troops >= CROWD

    def cost(self, unit: UnitId) -> int | None:
        return self.units[unit].cost

    def _room(self) -> int:
        total = 0
        if not self.world.powers[self.power].builds:
            return UNLIMITED
        for site in self.complexes:
            most = output(self.world, self.sight.state, self.power, site)
            if most is None:
                return UNLIMITED
            total += most
        waiting = self.sight.state.pool_of(self.world, self.power)
        return max(0, total - sum(n for u, n in waiting.items() if not self.units[u].complex))

    def add(self, unit: UnitId, n: int) -> int:
        """Put so many on the list as money and room allow."""
        cost = self.cost(unit)
        if cost is None or n <= 0:
            return 0
        n = min(n, self.money // cost if cost else 0, self.room)
        if n > 0:
            self.list[unit] = self.list.get(unit, 0) + n
            self.money -= n * cost
            self.room -= n
        return max(n, 0)

    # ------------------------------------------------------------ the list

    def plan(self) -> Step | None:
        if not self.complexes or self.foot is None:
            return None
        repairs: list[Repair | Upgrade] = [*self._repairs(self.cost(self.foot.id) or 1), *self._bases()]
        self._guard_capital()
        if self.style.alert:
            self._guard_complexes()
        if self.style.skies:
            self._build_wall()
            repairs += self._upgrade()
            self._build_base()
            self._build_raider()
        self._build_complex()
        self._build_ships()
        self._indulge()
        self._raise_army()
        if not self.list:
            return Step(" ".join(self.reasons), tuple(repairs)) if repairs else None
        units = tuple(UnitSpec(u, self.list[u]) for u in self.world.units if u in self.list)
        words = amounts(self.world, [(s.type, s.count) for s in units])
        return Step(f"Buy {words}: {' '.join(self.reasons)}", (*repairs, Buy(units)))

    def _repairs(self, price: int) -> list[Repair]:
        """Take off the damage that keeps money from being spent on the cheapest troops."""
        world, state = self.world, self.sight.state
        found = []
        for damaged in damaged_complexes(world, state):
            if damaged.space not in self.complexes or damaged.output is None:
                continue
            idle = 0 if damaged.output else max(0, damaged.damage - world.spaces[damaged.space].ipc)  # brings nothing
            for points in range(damaged.damage, idle, -1):
                cost = repair_cost(world, state, self.power, damaged.space, points)
                gain = points - idle
                if cost <= self.money and self.room + gain <= (self.money - cost) // price:
                    found.append(Repair(damaged.space, points))
                    self.money -= cost
                    self.room += gain
                    self.reasons.append(f"{world.spaces[damaged.space].name} is repaired by {points}.")
                    break
        return found

    def _bases(self) -> list[Repair]:
        """As much damage off bases as keeps them from working, where that costs little."""
        world, state = self.world, self.sight.state
        found = []
        for space, damage in state.damage.items():
            if state.owners.get(space) != self.power or not world.powers[self.power].builds:
                continue
            for unit, markers in damage.items():
                kind = self.units[unit]
                points = markers - kind.fails_at + 1
                if kind.complex or not kind.fails_at or points <= 0 or unit in state.building.get(space, ()):
                    continue
                cost = repair_cost(world, state, self.power, space, points, unit)
                if cost <= self.money * CHEAP:
                    found.append(Repair(space, points, unit))
                    self.money -= cost
                    self.reasons.append(f"The {kind.name} in {world.spaces[space].name} is to work again.")
        return found

    def _guard_capital(self) -> None:
        capital = self.sight.capital
        foot = self.foot
        assert foot is not None
        if capital is None or capital not in self.complexes:
            return
        garrison = self.sight.ours(capital)
        need = 0
        most = self.money // (self.cost(foot.id) or 3)
        chance = capital_danger(self.sight, garrison, self.style.joint)
        while need < most and chance > self.style.capital_risk:
            need += 1 if chance < 0.5 else 2
            need = min(need, most)
            more = merged(garrison, ((self.power, foot.id, need),))
            chance = capital_danger(self.sight, more, self.style.joint)
        if need:
            enemy = risk(self.sight, capital, garrison)
            foe = self.world.powers[enemy.enemy].name if enemy.enemy else "the enemy"
            self.add(foot.id, need)
            self.reasons.append(
                f"{self.world.spaces[capital].name} must hold against {foe} ({enemy.chance:.0%} to fall as it stands)."
            )

    def _guard_complexes(self) -> None:
        """Infantry for a complex in danger, where that saves it for less than its loss would cost."""
        foot = self.foot
        assert foot is not None
        price = self.cost(foot.id) or 3
        for site in sorted(self.complexes, key=lambda f: (-self.world.spaces[f].ipc, f)):
            if site == self.sight.capital:
                continue
            garrison = self.sight.ours(site)
            room = output(self.world, self.sight.state, self.power, site)
            most = min(self.money // price, self.room, UNLIMITED if room is None else room)
            worth = own_value(self.sight, site, future(self.sight, self.style))
            need = 0
            danger = risk(self.sight, site, garrison, exact=True)
            while need < most and danger.chance > PRESSED / 2 and need * price < worth:
                need += 1
                danger = risk(self.sight, site, merged(garrison, ((self.power, foot.id, need),)), exact=True)
            if need and danger.chance <= PRESSED and self.add(foot.id, need):
                self.reasons.append(f"{self.world.spaces[site].name} is to be held.")

    def _build_complex(self) -> None:
        """A complex across the sea, where the army is needed, saves a fleet of transports."""
        if self.style.skies and self.is_scarce and self._lacks_room() and self._build_room():
            return
        if self.style.ferries and self._build_yard():
            return
        if self.shipping is None or not self.style.ferries or self.sight.state.round > 7:
            return
        if not self.world.powers[self.power].builds:
            return
        site = next((u for u in self.units.values() if u.complex and u.cost is not None), None)
        home = self.shipping.home
        if site is None:
            return
        cost = self.cost(site.id) or 0
        if len(self.abroad) >= (1 if self.sight.production(self.power) < 34 else 2) or self.money < cost + 8:
            return
        sites = [
            s
            for s, owner in self.sight.state.owners.items()
            if owner == self.power
            and self.sight.state.start_owners.get(s) == self.power
            and self.world.spaces[s].ipc >= 2
            and not self.sight.complex(s)
            and self.sight.time.get(s, FAR) < self.sight.time[home] - 1.5
            and not is_cut_off(self.sight, s)
            and risk(self.sight, s, self.sight.ours(s)).chance < 0.15
        ]
        if sites:
            best = max(sites, key=lambda s: (self.world.spaces[s].ipc, -self.sight.time[s], s))
            self.room += 1
            if self.add(site.id, 1):
                self.reasons.append(f"A complex in {self.world.spaces[best].name} brings the army nearer to the front.")

    def _build_yard(self) -> bool:
        """A complex where an army waits for ships that would have to come around the world."""
        kinds = [u for u in self.units.values() if u.complex and u.cost is not None]
        kind = min(kinds, key=lambda u: u.cost or 0, default=None)
        if kind is None or (kind.cost or 0) > self.money or not self.world.powers[self.power].builds:
            return False
        site = yard_site(self.sight, kind.id)
        if site is None:
            return False
        self.room += 1
        if self.add(kind.id, 1):
            self.reasons.append(
                f"A complex in {self.world.spaces[site].name} builds ships for the army that waits there."
            )
        return True

    def _lacks_room(self) -> bool:
        """There is more money than places for what it would buy."""
        return self.world.powers[self.power].builds and self.money > CROWDED * max(1, self.room)

    def _build_room(self) -> bool:
        """A complex on safe land of ours from which the army can walk, the nearest to the front."""
        unit = min(
            (u for u in self.units.values() if u.complex and u.cost is not None),
            key=lambda u: u.cost or 0,
            default=None,
        )
        if unit is None or (unit.cost or 0) > self.money * BUILDING:
            return False
        sites = [
            s
            for s, owner in self.sight.state.owners.items()
            if owner == self.power
            and not is_cut_off(self.sight, s)
            and can_stand(self.sight, unit.id, s)
            and risk(self.sight, s, self.sight.ours(s)).chance < 0.15
        ]
        if not sites:
            return False
        best = min(sites, key=lambda s: (self.sight.time.get(s, FAR), s))
        self.room += 1
        if self.add(unit.id, 1):
            self.reasons.append(f"A complex in {self.world.spaces[best].name} makes room for a greater army.")
        return True

    def _build_base(self) -> None:
        """One facility a turn that pays for itself by a bonus, where nothing more urgent takes the money."""
        for unit in self.units.values():
            cost = unit.cost
            if unit.domain != "facility" or unit.complex or cost is None or cost > self.money * BUILDING:
                continue
            if unavailable(self.world, self.sight.state, self.power, unit.id) is not None or self._is_pressed():
                continue
            site = paying_site(self.sight, unit)
            if site is not None:
                self.room += 1
                if self.add(unit.id, 1):
                    self.reasons.append(f"The {unit.name} in {self.world.spaces[site].name} will pay for itself.")
                return

    def _build_wall(self) -> None:
        """One fortification a turn, where it saves more than troops for the same money would."""
        for unit in self.units.values():
            if not unit.bulwark or unit.cost is None or unit.cost > self.money * WALL or self.foot is None:
                continue
            if unavailable(self.world, self.sight.state, self.power, unit.id) is not None:
                continue
            site = paying_wall(self.sight, unit, self.foot, future(self.sight, self.style))
            if site is not None:
                self.room += 1
                if self.add(unit.id, 1):
                    self.reasons.append(f"A {unit.name} makes {self.world.spaces[site].name} harder to take.")
                return

    def _upgrade(self) -> list[Upgrade]:
        """A complex made better, where more money comes in than there are places for what it buys."""
        if not self.world.upgrades or not self._lacks_room() or self._is_pressed():
            return []
        found = better_complex(self.sight, int(self.money * BUILDING))
        if found is None:
            return []
        space, cost = found
        self.money -= cost
        self.reasons.append(f"The complex in {self.world.spaces[space].name} is made larger for a greater army.")
        return [Upgrade(space)]

    def _build_raider(self) -> None:
        """One ship a turn that takes more from the enemies' convoys than it costs."""
        if not self.world.convoys or self._is_pressed():
            return
        zones = {z for site in self.complexes if (z := self._harbour(site)) is not None}
        kinds = [u for u in self.ships if (u.cost or FAR) <= self.money * RAIDER]
        profits = {u.id: profit(self.sight, u, zones) for u in kinds}
        best = max(profits, key=lambda u: (profits[u], u), default=None)
        if best is not None and profits[best] > 0 and self.add(best, 1):
            self.reasons.append("A raider costs the enemies' convoys more than its price.")

    def _build_ships(self) -> None:
        """Transports enough for the army that is raised at home, built at once with the escort that they need."""
        shipping, ferry = self.shipping, self.ferry
        if shipping is None or ferry is None:
            return
        income = self.sight.production(self.power) - 3 * self._room_abroad()
        goal = shipping.ferries_wanted(max(income, 0))
        want = min(goal - shipping.ferries, 8 if shipping.is_last else 4)
        slips = self._slips(shipping)
        crowd = shipping.waiting + self.list.get(self.foot.id if self.foot else "", 0)
        carried = shipping.room * shipping.ferries if shipping.is_last else shipping.per_turn(shipping.ferries)
        if want <= 0 or (shipping.ferries and crowd < carried):
            return
        zone = self._harbour(shipping.home)
        if zone is None:
            return
        if not self.style.ferries:
            if shipping.ferries < FEW:
                self._order_fleet({ferry.id: min(want, FEW - shipping.ferries)}, shipping, FEW)
            return
        escorts = [u for u in self.ships if u.defense and not u.loads]
        later = None
        for fleet in shipping.fleets(ferry, want, escorts):
            cost = self._price(fleet)
            if sum(fleet.values()) > slips:
                continue
            if cost <= self.money + (income if later is None else 0) and shipping.is_safe(zone, fleet):
                if cost <= self.money:
                    self._order_fleet(fleet, shipping, goal)
                    return
                later = fleet
        if later is not None and self.money < 1.5 * income:
            self.saving = True
            self.reasons.append(f"A fleet that can stand in {self.world.spaces[zone].name} is saved for.")
            return

    def _slips(self, shipping: Shipping) -> int:
        """Ships that can be built at once where they are needed: at the last passage those of other ports come late."""
        most = output(self.world, self.sight.state, self.power, shipping.home) if shipping.is_last else None
        return UNLIMITED if most is None else most

    def _indulge(self) -> None:
        """What a style wants beyond need: warships, or bombers for raids."""
        style = self.style
        if style.fleet and any(self._harbour(site) is not None for site in self.complexes):
            budget = int(self.money * style.fleet)
            ships = [u for u in self.ships if u.attack and not u.loads and (u.cost or FAR) <= budget]
            best = max(ships, key=lambda u: (u.attack + u.defense) / (u.cost or FAR), default=None)
            if best is not None and self.add(best.id, budget // (best.cost or FAR)):
                self.reasons.append("Who rules the sea has time.")
        raiders = [u for u in self.units.values() if u.raid_dice and u.cost is not None]
        bomber = min(raiders, key=lambda u: u.cost or FAR, default=None)
        if style.bombers and bomber is not None:
            have = sum(n for _, p, n in self.sight.armies(self.power) if self.units[p.type].raid_dice)
            if have < self.sight.production(self.power) // style.bombers and self.add(bomber.id, 1):
                self.reasons.append("Bombers wear the enemy's industry down.")

    def _order_fleet(self, fleet: Mapping[UnitId, int], shipping: Shipping, goal: int) -> None:
        for unit, n in fleet.items():
            self.add(unit, n)
        self.reasons.append(f"The army crosses the sea: {shipping.ferries} of {goal} transports are there.")

    def _price(self, units: Mapping[UnitId, int]) -> int:
        return sum((self.cost(u) or 0) * n for u, n in units.items())

    def _room_abroad(self) -> int:
        """Units that complexes at the front can take in a turn."""
        total = 0
        for site in self.abroad:
            most = output(self.world, self.sight.state, self.power, site)
            total += UNLIMITED if most is None else most
        return total

    def _harbour(self, site: SpaceId) -> SpaceId | None:
        """The safest zone for new ships, own ships already there counted."""
        ferry = self.ferry
        zones = [z for z in self.world.sea[site] if not self.sight.theirs(z) and z not in self.sight.atlas.lakes]
        if ferry is None:
            return None
        ship = ((self.power, ferry.id, 1),)
        return min(
            zones, key=lambda z: (round(risk(self.sight, z, merged(self.sight.ours(z), ship)).cost), z), default=None
        )

    def _safest_harbour(self, shipping: Shipping) -> SpaceId | None:
        """The zone for new ships off any port of the home land, the usual port first."""
        ports = [shipping.home, *(f for f in self.complexes if f in shipping.lands and f != shipping.home)]
        found = [zone for port in ports if (zone := self._harbour(port)) is not None]
        return min(found, key=lambda z: round(risk(self.sight, z, self.sight.ours(z)).cost), default=None)

    def _raise_army(self) -> None:
        """Planes for those who can pay them, then armor and infantry; at home no more than the ships will carry."""
        if self.saving:
            return
        foot, tank, plane = self.foot, self.tank, self.plane
        assert foot is not None
        income = self.sight.production(self.power)
        planes = sum(n for _, p, n in self.sight.armies(self.power) if self.units[p.type].domain == "air")
        near = min((self.sight.time.get(f, FAR) for f in self.complexes), default=FAR)
        pressed = self._is_pressed()
        many = bool(self.style.planes) and not pressed and planes < income // self.style.planes
        rich = income >= 24 and self.money >= 24
        if plane is not None and many and rich and self.add(plane.id, 1):
            self.reasons.append("A plane strikes at more than one front.")
        share = 0.0 if pressed else self._armor_share()
        if self.style.name == "bold":
            share += 0.15
        elif self.style.name == "cautious":
            share -= 0.15
        if near > 6:
            share = min(share, 0.3)
        most = self._most_troops()
        gun = self._artillery(near)
        if gun is not None and share > 0:
            got = self.add(gun.id, min(most, int(self.money * share * GUNS) // (self.cost(gun.id) or 1)))
            most -= got
            if got:
                self.reasons.append(f"{gun.name.capitalize()} makes more of infantry than armor would.")
                share *= 1 - GUNS
        if tank is not None and tank is not foot:
            cost = self.cost(tank.id) or FAR
            most -= self.add(tank.id, min(most, int(self.money * share) // cost))
        got = self.add(foot.id, min(most, self.money // (self.cost(foot.id) or 3)))
        if got:
            self.reasons.append("Infantry carries the front.")
        scarce = self.is_scarce
        if scarce and self.style.ferries:
            self._expedition()
        enough = scarce and self.shipping is not None and planes > income // ENOUGH
        if enough and self.style.ferries:
            self._battle_fleet()
        if plane is not None and self.shipping is not None:
            if self.add(plane.id, self.money // (self.cost(plane.id) or FAR)):
                self.reasons.append("Planes need no ships.")
            if not scarce and self.room > 0:
                return
        self._spend_rest(self.plane if self.room <= 0 and not enough else None)

    def _armor_share(self) -> float:
        """The part of the army's money that goes into armor."""
        foot, tank = self.foot, self.tank
        if self.campaign is None or foot is None or tank is None or tank is foot:
            return self.style.armor
        prices = {u.id: self.cost(u.id) or 1 for u in (foot, tank)}
        share = self.campaign.armor(
            self.sight, foot.id, tank.id, {u: self.money / price for u, price in prices.items()}
        )
        return self.style.armor if share is None else share

    def _artillery(self, near: float) -> UnitType | None:
        """What goes with infantry better than armor does for the same money, where the front is near enough to walk.

        Where only as many units are sold as complexes can receive, a place counts for more than money, and armor
        makes more of it.
        """
        foot, tank = self.foot, self.tank
        walk = WALK + FARTHER if self.style.skies and self.is_scarce else WALK
        if foot is None or tank is None or tank is foot or self.shipping is not None or near > walk:
            return None
        if self.world.rules.purchase_limit != "none":
            return None
        enemy = next(iter(self.sight.enemies), None)
        if enemy is None:
            return None
        garrison = army(enemy, {foot.id: MATCH // 2 // (self.sight.kind(enemy, foot.id).cost or 3)})
        comers = army(enemy, {u.id: MATCH // 2 // (self.sight.kind(enemy, u.id).cost or 3) for u in (foot, tank)})
        world, state = self.world, self.sight.state

        def swing(kind: UnitType) -> float:
            """In an attack on infantry, and against an attack of infantry and armor."""
            mix = army(self.power, {u.id: MATCH // 2 // (self.cost(u.id) or 3) for u in (foot, kind)})
            return weigh(world, state, mix, garrison).swing - weigh(world, state, comers, mix).swing

        best = max(self.guns, key=lambda u: (swing(u), u.id), default=None)
        return best if best is not None and swing(best) > swing(tank) else None

    def _expedition(self) -> None:
        """Transports with troops for them and an escort, where an army across the sea would else be planes only."""
        shipping, ferry, foot = self.shipping, self.ferry, self.foot
        if shipping is None or ferry is None or foot is None:
            return
        zone = self._safest_harbour(shipping)
        escorts = [u for u in self.ships if u.attack and u.defense and not u.loads]
        escort = max(escorts, key=lambda u: (u.attack + u.defense) / (u.cost or FAR), default=None)
        if zone is None or escort is None:
            return
        room = max((n for load in ferry.loads for n in load.values()), default=0)
        budget = int(self.money * (1 - PLANES))
        fleet: dict[UnitId, int] = {}
        have = shipping.ferries + self.list.get(ferry.id, 0)
        while True:
            more = {escort.id: 1} if have >= FLEET else {ferry.id: 1, foot.id: room}
            if have < FLEET and fleet.get(ferry.id, 0) >= 2 * fleet.get(escort.id, 0):
                more = {**more, escort.id: 1}
            if self._price(fleet) + self._price(more) > budget or sum(fleet.values()) + sum(more.values()) > self.room:
                break
            fleet = {u: fleet.get(u, 0) + more.get(u, 0) for u in (*fleet, *(m for m in more if m not in fleet))}
            have += more.get(ferry.id, 0)
        ships = {u: n for u, n in fleet.items() if u != foot.id}
        if ships and shipping.is_safe(zone, ships):
            for unit, n in fleet.items():
                self.add(unit, n)
            self.reasons.append("A fleet with troops carries the war across the sea.")

    def _battle_fleet(self) -> None:
        """Warships, where planes alone would gather at home for want of a sea that transports could cross."""
        ships = [u for u in self.ships if u.attack and u.defense and not u.loads]
        line = max(ships, key=lambda u: ((u.attack + u.defense) * u.hits / (u.cost or FAR), u.id), default=None)
        hunter = min((u for u in ships if u.hunts), key=lambda u: (u.cost or FAR, u.id), default=None)
        if line is None or all(self._harbour(site) is None for site in self.complexes):
            return
        got = self.add(line.id, self.money // (line.cost or FAR))
        if hunter is not None:
            got += self.add(hunter.id, self.money // (hunter.cost or FAR))
        if got:
            self.reasons.append("Warships open the way for the army.")

    def _is_pressed(self) -> bool:
        """A complex may be lost next turn: what defends best for its price is wanted there."""
        if self.campaign is not None:
            return self._is_capital_pressed()
        pressed = [f for f in self.complexes if risk(self.sight, f, self.sight.ours(f)).chance > PRESSED]
        if not (self.style.skies and self.is_scarce) or self.sight.capital in pressed:
            return bool(pressed)
        rooms = {f: output(self.world, self.sight.state, self.power, f) or 0 for f in self.complexes}
        return sum(rooms[f] for f in pressed) > sum(rooms.values()) / 2

    def _is_capital_pressed(self) -> bool:
        """The capital may be lost next turn even with what has been bought so far; the rest was seen to."""
        capital = self.sight.capital
        if capital is None or capital not in self.complexes:
            return False
        bought = army(self.power, {u: n for u, n in self.list.items() if self.units[u].domain in ("land", "air")})
        return risk(self.sight, capital, merged(self.sight.ours(capital), bought)).chance > PRESSED

    def _most_troops(self) -> int:
        """More land units than the ships carry in two turns would only wait at home."""
        shipping = self.shipping
        if shipping is None or not self.style.ferries:
            return UNLIMITED
        ferries = shipping.ferries + (self.list.get(self.ferry.id, 0) if self.ferry else 0)
        bought = self.list.get(self.foot.id, 0) if self.foot else 0
        if self.style.skies and self.is_scarce:  # else ships come back to an empty quay
            room = shipping.per_turn(ferries) * (1 + shipping.cycle)
            return max(0, round(room) - shipping.waiting - bought) + self._room_abroad()
        if shipping.is_last:
            return max(0, shipping.lacks(ferries) - bought)
        at_home = max(0, round(2 * shipping.per_turn(ferries)) - shipping.waiting - bought)
        return at_home + self._room_abroad()

    def _spend_rest(self, plane: UnitType | None) -> None:
        """Turn cheap units into dearer ones while money is left over: into this plane first, if one is wanted."""
        foot = self.foot
        assert foot is not None
        for worse, better in ((foot, plane), (foot, self.tank), (self.tank, plane)):
            if worse is None or better is None or better is worse:
                continue
            step = (self.cost(better.id) or FAR) - (self.cost(worse.id) or 3)
            while step > 0 and self.money >= step and self.list.get(worse.id, 0) > 0:
                self.list[worse.id] -= 1
                if not self.list[worse.id]:
                    del self.list[worse.id]
                self.list[better.id] = self.list.get(better.id, 0) + 1
                self.money -= step
