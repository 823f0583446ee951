"""What to buy: first what the capital needs, then ships for armies that need them, then the army."""

from __future__ import annotations

from sandtable.bots.atlas import FAR
from sandtable.bots.plan import Step
from sandtable.bots.risk import merged, risk
from sandtable.bots.sight import Sight
from sandtable.bots.style import Style
from sandtable.engine.factories import output, working_factories
from sandtable.engine.facts import amounts, unit_type
from sandtable.notation.orders import Buy, UnitSpec
from sandtable.world.model import SpaceId, UnitId

UNLIMITED = 10_000


class Purchase:
    """A shopping list that is filled step by step."""

    def __init__(self, sight: Sight, style: Style) -> None:
        self.sight = sight
        self.style = style
        self.world = sight.world
        self.power = sight.power
        self.money = sight.state.treasury[sight.power]
        self.list: dict[UnitId, int] = {}
        self.reasons: list[str] = []
        self.factories = working_factories(self.world, sight.state, self.power)
        self.room = self._room()
        kinds = [u for u in self.world.units.values() if self.cost(u.id) is not None and u.casualty]
        land = [u for u in kinds if u.domain == "land" and u.attacks and u.captures]
        self.foot = min(land, key=lambda u: (self.cost(u.id) or FAR, -u.defense), default=None)
        self.tank = max(land, key=lambda u: (u.attack, u.move), default=None)
        planes = [u for u in kinds if u.domain == "air"]
        self.plane = max(planes, key=lambda u: u.attack + u.defense, default=None)
        self.ferry = min((u for u in kinds if u.loads), key=lambda u: self.cost(u.id) or FAR, default=None)
        ships = [u for u in kinds if u.domain == "sea" and not u.loads]
        self.boat = min(ships, key=lambda u: self.cost(u.id) or FAR, default=None)
        self.deck = min((u for u in ships if u.deck), key=lambda u: self.cost(u.id) or FAR, default=None)

    def cost(self, unit: UnitId) -> int | None:
        return unit_type(self.world, self.sight.state, self.power, unit).cost

    def _room(self) -> int:
        total = 0
        for factory in self.factories:
            most = output(self.world, self.sight.state, self.power, factory)
            if most is None:
                return UNLIMITED
            total += most
        return total

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
        self._guard_capital()
        self._build_complex()
        self._build_ships()
        self._raise_army()
        if not self.list:
            return None
        units = tuple(UnitSpec(u, self.list[u]) for u in self.world.units if u in self.list)
        words = amounts(self.world, [(s.type, s.count) for s in units])
        return Step(f"Buy {words}: {' '.join(self.reasons)}", (Buy(units),))

    def _guard_capital(self) -> None:
        capital = self.sight.capital
        foot = self.foot
        assert foot is not None
        if capital is None or capital not in self.factories or not self.style.guards_capital:
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

    def _needs_ships(self) -> SpaceId | None:
        """The best factory, if the way from it leads over the sea."""
        sight = self.sight
        best = min(self.factories, key=lambda s: (sight.capital != s, -self.world.spaces[s].ipc, s))
        if any(sight.is_theirs(s) for s in sight.atlas.land[best]):
            return None
        ports = [f for f in self.factories if f in sight.atlas.land[best] and self.world.sea[f]]
        return min(ports, key=lambda s: (sight.time.get(s, FAR), s), default=None)

    def _build_complex(self) -> None:
        """A complex across the sea, where the army is needed, saves a fleet of transports."""
        if self.style.stars < 4 or self.sight.state.round > 7:
            return
        factory = next((u for u in self.world.units.values() if u.factory and self.cost(u.id) is not None), None)
        home = self._needs_ships()
        if factory is None or home is None:
            return
        cost = self.cost(factory.id) or 0
        abroad = [f for f in self.factories if f != home and self.sight.time.get(f, FAR) < self.sight.time[home] - 1.5]
        if len(abroad) >= (1 if self.sight.production(self.power) < 34 else 2) or self.money < cost + 8:
            return
        sites = [
            s
            for s, owner in self.sight.state.owners.items()
            if owner == self.power
            and self.sight.state.start_owners.get(s) == self.power
            and self.world.spaces[s].ipc >= 2
            and not self.sight.factory(s)
            and self.sight.time.get(s, FAR) < self.sight.time[home] - 1.5
            and not self.world.spaces[s].island
            and risk(self.sight, s, self.sight.ours(s)).chance < 0.15
        ]
        if sites:
            best = max(sites, key=lambda s: (self.world.spaces[s].ipc, -self.sight.time[s], s))
            self.room += 1
            if self.add(factory.id, 1):
                self.reasons.append(f"A complex in {self.world.spaces[best].name} brings the army nearer to the front.")

    def _build_ships(self) -> None:
        home = self._needs_ships()
        if home is None or self.ferry is None:
            return
        sight = self.sight
        have = sum(n for _, p, n in sight.armies(self.power) if p.type == self.ferry.id)
        income = sight.production(self.power)
        others = sum(
            self.world.spaces[f].ipc
            for f in self.factories
            if f != home and sight.time.get(f, FAR) < sight.time[home] - 1.5
        )
        goal = min(5, max(1, (income - others * 3) // 7)) if self.style.ferries else 2
        if have >= goal:
            return
        zone = self._harbour(home)
        if zone is None:
            return
        ships = ((self.power, self.ferry.id, 1),)
        danger = risk(sight, zone, merged(sight.ours(zone), ships))
        if danger.chance > 0.35 and self.style.spares_ships:
            if self.style.stars >= 4:
                self._escort(zone)
            return
        want = min(goal - have, 2)
        got = self.add(self.ferry.id, want)
        if got:
            self.reasons.append(f"The army crosses the sea: {have} of {goal} transports are there.")

    def _harbour(self, factory: SpaceId) -> SpaceId | None:
        zones = [z for z in self.world.sea[factory] if not self.sight.theirs(z)]
        ferry = self.ferry
        if ferry is None:
            return None
        return min(
            zones,
            key=lambda z: (
                round(risk(self.sight, z, merged(self.sight.ours(z), ((self.power, ferry.id, 1),))).chance, 2),
                z,
            ),
            default=None,
        )

    def _escort(self, zone: SpaceId) -> None:
        """Ships would be sunk as things are: planes drive the enemy off, or a fleet that can stand is built at once."""
        sight = self.sight
        if self.deck is not None and self.ferry is not None:
            cost = (self.cost(self.deck.id) or 0) + (self.cost(self.ferry.id) or 0)
            fleet = merged(sight.ours(zone), ((self.power, self.deck.id, 1), (self.power, self.ferry.id, 1)))
            if cost <= self.money and risk(sight, zone, fleet).chance < 0.35:
                self.add(self.deck.id, 1)
                self.add(self.ferry.id, 1)
                self.reasons.append("A carrier covers the crossing.")
                return
        if self.plane is not None and self.add(self.plane.id, 1):
            self.reasons.append("Planes have to clear the sea before ships can be built.")

    def _raise_army(self) -> None:
        foot, tank, plane = self.foot, self.tank, self.plane
        assert foot is not None
        income = self.sight.production(self.power)
        planes = sum(n for _, p, n in self.sight.armies(self.power) if self.world.units[p.type].domain == "air")
        near = min((self.sight.time.get(f, FAR) for f in self.factories), default=FAR)
        many = bool(self.style.planes) and planes < income // self.style.planes
        rich = income >= 24 and self.money >= 24
        if plane is not None and many and rich and self.add(plane.id, 1):
            self.reasons.append("A plane strikes at more than one front.")
        share = self.style.armor
        if self.style.name == "bold":
            share += 0.15
        elif self.style.name == "cautious":
            share -= 0.15
        if near > 6:
            share = min(share, 0.3)
        if tank is not None and tank is not foot:
            cost = self.cost(tank.id) or FAR
            self.add(tank.id, int(self.money * share) // cost)
        got = self.add(foot.id, self.money // (self.cost(foot.id) or 3))
        if got:
            self.reasons.append("Infantry carries the front.")
        self._spend_rest()

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
