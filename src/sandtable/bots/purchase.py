"""What to buy: first what the capital needs, then ships for armies that need them, then the army."""

from __future__ import annotations

from collections.abc import Mapping

from sandtable.bots.atlas import FAR
from sandtable.bots.front import future, own_value
from sandtable.bots.plan import Step
from sandtable.bots.risk import merged, risk
from sandtable.bots.shipping import Shipping, is_cut_off
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.factories import output, repair_cost, working_factories
from sandtable.engine.facts import amounts
from sandtable.engine.progress import damaged_complexes
from sandtable.notation.orders import Buy, Repair, UnitSpec
from sandtable.world.model import SpaceId, UnitId

UNLIMITED = 10_000
PRESSED = 0.25  # chance of losing a factory from which on the army is for defence


class Purchase:
    """A shopping list that is filled step by step."""

    def __init__(self, sight: Sight, style: Style) -> None:
        self.sight = sight
        self.style = style
        self.world = sight.world
        self.power = sight.power
        self.units = sight.profile(sight.power)
        self.money = sight.state.treasury[sight.power]
        self.list: dict[UnitId, int] = {}
        self.reasons: list[str] = []
        self.factories = working_factories(self.world, sight.state, self.power)
        self.room = self._room()
        kinds = [u for u in self.units.values() if u.cost is not None and u.casualty]
        land = [u for u in kinds if u.domain == "land" and u.attacks and u.captures]
        self.foot = min(land, key=lambda u: (self.cost(u.id) or FAR, -u.defense), default=None)
        self.tank = max(land, key=lambda u: (u.attack, u.move), default=None)
        planes = [u for u in kinds if u.domain == "air"]
        self.plane = max(planes, key=lambda u: u.attack + u.defense, default=None)
        self.ferry = min((u for u in kinds if u.loads), key=lambda u: self.cost(u.id) or FAR, default=None)
        self.ships = [u for u in kinds if u.domain == "sea"]
        self.shipping = self._shipping()
        home_time = sight.time.get(self.shipping.home, FAR) if self.shipping else FAR
        self.abroad = [f for f in self.factories if self.shipping and sight.time.get(f, FAR) < home_time - 1.5]
        self.saving = False  # for a fleet that cannot be paid yet

    def _shipping(self) -> Shipping | None:
        """The sea traffic, when the greatest factory lies across the sea from every enemy capital."""
        if not self.factories:
            return None
        best = min(self.factories, key=lambda s: (self.sight.capital != s, -self.world.spaces[s].ipc, s))
        if not is_cut_off(self.sight, best):
            return None
        ports = [f for f in self.factories if f in self.sight.atlas.land[best] and self.world.sea[f]]
        port = min(ports, key=lambda s: (self.sight.time.get(s, FAR), s), default=None)
        return Shipping(self.sight, port) if port is not None else None

    def cost(self, unit: UnitId) -> int | None:
        return self.units[unit].cost

    def _room(self) -> int:
        total = 0
        for factory in self.factories:
            most = output(self.world, self.sight.state, self.power, factory)
            if most is None:
                return UNLIMITED
            total += most
        waiting = self.sight.state.reserve(self.world, self.power)
        return max(0, total - sum(n for u, n in waiting.items() if not self.units[u].factory))

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
        if not self.factories or self.foot is None:
            return None
        repairs = self._repairs(self.cost(self.foot.id) or 1)
        self._guard_capital()
        if self.style.alert:
            self._guard_factories()
        self._build_complex()
        self._build_ships()
        self._raise_army()
        if not self.list:
            return None
        units = tuple(UnitSpec(u, self.list[u]) for u in self.world.units if u in self.list)
        words = amounts(self.world, [(s.type, s.count) for s in units])
        return Step(f"Buy {words}: {' '.join(self.reasons)}", (*repairs, Buy(units)))

    def _repairs(self, price: int) -> list[Repair]:
        """Take off the damage that keeps money from being spent on the cheapest troops."""
        world, state = self.world, self.sight.state
        found = []
        for damaged in damaged_complexes(world, state):
            if damaged.space not in self.factories or damaged.output is None:
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

    def _guard_capital(self) -> None:
        capital = self.sight.capital
        foot = self.foot
        assert foot is not None
        if capital is None or capital not in self.factories:
            return
        garrison = self.sight.ours(capital)
        need = 0
        most = self.money // (self.cost(foot.id) or 3)
        danger = risk(self.sight, capital, garrison, exact=True)
        while need < most and danger.chance > self.style.capital_risk:
            need += 1 if danger.chance < 0.5 else 2
            need = min(need, most)
            danger = risk(self.sight, capital, merged(garrison, ((self.power, foot.id, need),)), exact=True)
        if need:
            enemy = risk(self.sight, capital, garrison)
            foe = self.world.powers[enemy.enemy].name if enemy.enemy else "the enemy"
            self.add(foot.id, need)
            self.reasons.append(
                f"{self.world.spaces[capital].name} must hold against {foe} ({enemy.chance:.0%} to fall as it stands)."
            )

    def _guard_factories(self) -> None:
        """Infantry for a complex in danger, where that saves it for less than its loss would cost."""
        foot = self.foot
        assert foot is not None
        price = self.cost(foot.id) or 3
        for factory in sorted(self.factories, key=lambda f: (-self.world.spaces[f].ipc, f)):
            if factory == self.sight.capital:
                continue
            garrison = self.sight.ours(factory)
            room = output(self.world, self.sight.state, self.power, factory)
            most = min(self.money // price, self.room, UNLIMITED if room is None else room)
            worth = own_value(self.sight, factory, future(self.sight, self.style))
            need = 0
            danger = risk(self.sight, factory, garrison, exact=True)
            while need < most and danger.chance > PRESSED / 2 and need * price < worth:
                need += 1
                danger = risk(self.sight, factory, merged(garrison, ((self.power, foot.id, need),)), exact=True)
            if need and danger.chance <= PRESSED and self.add(foot.id, need):
                self.reasons.append(f"{self.world.spaces[factory].name} is to be held.")

    def _build_complex(self) -> None:
        """A complex across the sea, where the army is needed, saves a fleet of transports."""
        if self.shipping is None or not self.style.ferries or self.sight.state.round > 7:
            return
        factory = next((u for u in self.units.values() if u.factory and u.cost is not None), None)
        home = self.shipping.home
        if factory is None:
            return
        cost = self.cost(factory.id) or 0
        if len(self.abroad) >= (1 if self.sight.production(self.power) < 34 else 2) or self.money < cost + 8:
            return
        sites = [
            s
            for s, owner in self.sight.state.owners.items()
            if owner == self.power
            and self.sight.state.start_owners.get(s) == self.power
            and self.world.spaces[s].ipc >= 2
            and not self.sight.factory(s)
            and self.sight.time.get(s, FAR) < self.sight.time[home] - 1.5
            and not is_cut_off(self.sight, s)
            and risk(self.sight, s, self.sight.ours(s)).chance < 0.15
        ]
        if sites:
            best = max(sites, key=lambda s: (self.world.spaces[s].ipc, -self.sight.time[s], s))
            self.room += 1
            if self.add(factory.id, 1):
                self.reasons.append(f"A complex in {self.world.spaces[best].name} brings the army nearer to the front.")

    def _build_ships(self) -> None:
        """Transports enough for the army that is raised at home, built at once with the escort that they need."""
        shipping, ferry = self.shipping, self.ferry
        if shipping is None or ferry is None:
            return
        income = self.sight.production(self.power) - 3 * self._room_abroad()
        goal = shipping.ferries_wanted(max(income, 0))
        want = min(goal - shipping.ferries, 4)
        crowd = shipping.waiting + self.list.get(self.foot.id if self.foot else "", 0)
        if want <= 0 or (shipping.ferries and crowd < shipping.per_turn(shipping.ferries)):
            return
        zone = self._harbour(shipping.home)
        if zone is None:
            return
        if not self.style.ferries:
            self._order_fleet({ferry.id: min(want, 2 - shipping.ferries)}, shipping, 2)
            return
        escorts = [u for u in self.ships if u.defense and not u.loads]
        later = None
        for fleet in shipping.fleets(ferry, want, escorts):
            cost = self._price(fleet)
            if cost <= self.money + (income if later is None else 0) and shipping.is_safe(zone, fleet):
                if cost <= self.money:
                    self._order_fleet(fleet, shipping, goal)
                    return
                later = fleet
        if later is not None and self.money < 1.5 * income:
            self.saving = True
            self.reasons.append(f"A fleet that can stand in {self.world.spaces[zone].name} is saved for.")
            return

    def _order_fleet(self, fleet: Mapping[UnitId, int], shipping: Shipping, goal: int) -> None:
        for unit, n in fleet.items():
            self.add(unit, n)
        self.reasons.append(f"The army crosses the sea: {shipping.ferries} of {goal} transports are there.")

    def _price(self, units: Mapping[UnitId, int]) -> int:
        return sum((self.cost(u) or 0) * n for u, n in units.items())

    def _room_abroad(self) -> int:
        """Units that complexes at the front can take in a turn."""
        total = 0
        for factory in self.abroad:
            most = output(self.world, self.sight.state, self.power, factory)
            total += UNLIMITED if most is None else most
        return total

    def _harbour(self, factory: SpaceId) -> SpaceId | None:
        """The safest zone for new ships, own ships already there counted."""
        ferry = self.ferry
        zones = [z for z in self.world.sea[factory] if not self.sight.theirs(z)]
        if ferry is None:
            return None
        ship = ((self.power, ferry.id, 1),)
        return min(
            zones, key=lambda z: (round(risk(self.sight, z, merged(self.sight.ours(z), ship)).cost), z), default=None
        )

    def _raise_army(self) -> None:
        """Planes for those who can pay them, then armor and infantry; at home no more than the ships will carry."""
        if self.saving:
            return
        foot, tank, plane = self.foot, self.tank, self.plane
        assert foot is not None
        income = self.sight.production(self.power)
        planes = sum(n for _, p, n in self.sight.armies(self.power) if self.units[p.type].domain == "air")
        near = min((self.sight.time.get(f, FAR) for f in self.factories), default=FAR)
        pressed = self._is_pressed()
        many = bool(self.style.planes) and not pressed and planes < income // self.style.planes
        rich = income >= 24 and self.money >= 24
        if plane is not None and many and rich and self.add(plane.id, 1):
            self.reasons.append("A plane strikes at more than one front.")
        share = 0.0 if pressed else self.style.armor
        if self.style.name == "bold":
            share += 0.15
        elif self.style.name == "cautious":
            share -= 0.15
        if near > 6:
            share = min(share, 0.3)
        most = self._most_troops()
        if tank is not None and tank is not foot:
            cost = self.cost(tank.id) or FAR
            most -= self.add(tank.id, min(most, int(self.money * share) // cost))
        got = self.add(foot.id, min(most, self.money // (self.cost(foot.id) or 3)))
        if got:
            self.reasons.append("Infantry carries the front.")
        if plane is not None and self.shipping is not None:
            if self.add(plane.id, self.money // (self.cost(plane.id) or FAR)):
                self.reasons.append("Planes need no ships.")
            return
        self._spend_rest()

    def _is_pressed(self) -> bool:
        """A factory may be lost next turn: what defends best for its price is wanted there."""
        return any(risk(self.sight, f, self.sight.ours(f)).chance > PRESSED for f in self.factories)

    def _most_troops(self) -> int:
        """More land units than the ships carry in two turns would only wait at home."""
        shipping = self.shipping
        if shipping is None or not self.style.ferries:
            return UNLIMITED
        ferries = shipping.ferries + (self.list.get(self.ferry.id, 0) if self.ferry else 0)
        bought = self.list.get(self.foot.id, 0) if self.foot else 0
        at_home = max(0, round(2 * shipping.per_turn(ferries)) - shipping.waiting - bought)
        return at_home + self._room_abroad()

    def _spend_rest(self) -> None:
        """Turn cheap units into dearer ones while money is left over."""
        foot = self.foot
        assert foot is not None
        base = self.cost(foot.id) or 3
        for better in (self.plane if self.room <= 0 else None, self.tank):
            if better is None or better is foot:
                continue
            step = (self.cost(better.id) or FAR) - base
            while step > 0 and self.money >= step and self.list.get(foot.id, 0) > 0:
                self.list[foot.id] -= 1
                if not self.list[foot.id]:
                    del self.list[foot.id]
                self.list[better.id] = self.list.get(better.id, 0) + 1
                self.money -= step
