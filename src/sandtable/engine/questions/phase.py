"""Phases as questions: what to buy, where to move, where to place new units. Their answers are many, up to `end`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from sandtable.engine import alliances, atomic, permission, projects, rockets, spies, task_forces
from sandtable.engine.events import Fleet
from sandtable.engine.facts import active, free_money, has_enemies, unit_type
from sandtable.engine.movement import base_drop, paradrop, reach
from sandtable.engine.phases.mobilize import places_for
from sandtable.engine.politics import has_moved, open_targets
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.special import relocation, surprise, transfer
from sandtable.engine.state import Question, State
from sandtable.notation.orders import (
    Ally,
    AnyOrder,
    Assign,
    Break,
    Buy,
    Declare,
    End,
    Move,
    Permit,
    Place,
    Repair,
    Research,
    UnitSpec,
    Upgrade,
)
from sandtable.world.model import SpaceId, UnitId, World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


ENDLESS = (End, Ally, Break)
"""Orders that a random player does not give for want of others: he would never be done."""


class PhaseKind(Kind):
    few = False

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return Decision(question.power, self.name, also=self.further(world, state))

    @staticmethod
    def further(world: World, state: State) -> tuple[str, ...]:
        """Words that answer any phase of a power's turn, where it may open land, or make and break alliances."""
        words = ("permit",) if world.rules.grants is not None and permission.places(world, state) else ()
        if world.rules.relations != "alliances":
            return words
        power = active(world, state)
        free, bound = alliances.strangers(world, state, power), alliances.partners(world, state, power)
        return (*words, *(("ally",) if free else ()), *(("break",) if bound else ()))

    @staticmethod
    def further_orders(legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """The orders that begin with those words, and with others that only some games have (`Decision.also`)."""
        if "permit" in asked.also:
            yield from (Permit(space) for space in permission.places(legal.world, legal.state))
        if "ally" in asked.also:
            yield from (Ally(power) for power in alliances.strangers(legal.world, legal.state, asked.power))
        if "break" in asked.also:
            yield from (Break(power) for power in alliances.partners(legal.world, legal.state, asked.power))

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """Orders about one unit each."""
        raise NotImplementedError

    def special_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """What only some powers can do, or only now and then: a picture of the phase has no place for it."""
        yield from ()

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from self.single_orders(legal, asked)
        yield from self.further_orders(legal, asked)
        if End() in legal:
            yield End()

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        choices = list(self.orders(legal, asked))
        other = [c for c in choices if not isinstance(c, ENDLESS)]
        return rng.choice(other or [c for c in choices if isinstance(c, End)] or choices)

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        """Go on; where that is refused (planes have to land), do the first thing that is possible."""
        return End() if End() in legal else next(iter(self.orders(legal, asked)))


class PurchaseKind(PhaseKind):
    name = "purchase"
    answers = ("buy", "repair", "undo", "end")

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        world, state, power = legal.world, legal.state, asked.power
        money = free_money(world, state, power)
        for technology in projects.possible(world, state, power):
            yield Research(technology=technology)
        yield from self.special_orders(legal, asked)
        for unit in world.units:
            cost = unit_type(world, state, power, unit).cost
            buy = Buy((UnitSpec(unit),))
            if cost is not None and cost <= money and buy in legal:
                yield buy
        for space in world.spaces:
            if state.owners.get(space) == power:
                for unit in state.damage.get(space, {}):
                    repair = Repair(space, 1, None if unit_type(world, state, power, unit).complex else unit)
                    if repair in legal:
                        yield repair
                if world.upgrades and (upgrade := Upgrade(space)) in legal:
                    yield upgrade

    def special_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from spies.offers(legal.world, legal.state, asked.power)

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        return End() if rng.random() < 0.3 else super().sample(rng, legal, asked)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        what = "buy and repair" if world.rules.damages_complexes else "buy"
        return f"{world.powers[asked.power].name}: what to {what}?"


class MobilizeKind(PhaseKind):
    name = "mobilize"
    answers = ("place", "undo", "end")

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        world, state, power = legal.world, legal.state, asked.power
        for owner in (power, *(p.id for p in world.powers.values() if p.played_by == power)):
            whose = None if owner == power else owner
            reserve = state.pool_of(world, owner)
            for unit in (u for u in world.units if u in reserve):
                places = places_for(world, state, owner, unit)
                yield from (Place((UnitSpec(unit, power=whose),), s) for s in places)
        yield from self.special_orders(legal, asked)

    def special_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from relocation.redirections(legal.world, legal.state, asked.power)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: where do the new units go?"


class MovesKind(PhaseKind):
    answers = ("move", "undo", "end")

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from legal.moves()
        yield from self.special_orders(legal, asked)
        yield from self.rare_orders(legal, asked)
        yield from rockets.orders(legal.world, legal.state, asked.power) if asked.launches else ()

    def special_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from spies.offers(legal.world, legal.state, asked.power)

    def rare_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """What hardly ever can be done, and takes long to find."""
        yield from (m for m in spies.redeployments(legal.world, legal.state, asked.power) if m in legal)

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        if asked.also and rng.random() < 0.1 and (further := list(self.further_orders(legal, asked))):
            return rng.choice(further)
        if rng.random() < 0.1 and (more := list(self.special_orders(legal, asked))):
            return rng.choice(more)
        if rng.random() < 0.01 and (more := list(islice(self.rare_orders(legal, asked), rng.randrange(1, 12)))):
            return more[-1]
        stacks = reach.movable(legal.world, legal.state)
        rng.shuffle(stacks)
        quiet = self.name == "noncombat-move"
        if rng.random() > 0.12 or quiet:
            for space, unit in stacks[: 12 if rng.random() > 0.1 else 3]:
                roles = legal.roles(unit)
                role = rng.choice(roles) if roles and rng.random() < 0.3 else None
                by_plane = paradrop.AIRLIFT if quiet else paradrop.ROLE
                carries = paradrop.riders(legal.world, legal.state, asked.power, space, unit, by_plane)
                if carries and rng.random() < 0.3:
                    return self._sample_drop(rng, legal, asked, space, unit, by_plane)
                routes = list(legal.destinations(space, unit, role).values())
                if routes:
                    route = rng.choice(routes)
                    order = Move((UnitSpec(unit, rng.choice((1, 1, 2, 3))),), route, role)
                    if order not in legal:
                        order = Move((UnitSpec(unit),), route, role)
                    return order
        if End() in legal:
            return End()
        moves: list[AnyOrder] = list(legal.moves())  # planes still have to land, or fleets to be formed
        return rng.choice(moves or list(self.further_orders(legal, asked)))

    def _sample_drop(
        self, rng: random.Random, legal: Legal, asked: Decision, space: SpaceId, unit: UnitId, role: str
    ) -> AnyOrder:
        """A flight with troops from here if there is one, else the end of the phase or another move."""
        routes = list(legal.destinations(space, unit, role).values())
        if not routes:
            return self.sample(rng, legal, asked)
        ride = paradrop.ride_for(legal.world, legal.state, asked.power, role)
        assert ride is not None
        return Move((UnitSpec(unit), UnitSpec(ride.passenger)), rng.choice(routes), role)


class CombatMoves(MovesKind):
    name = "combat-move"

    def special_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from super().special_orders(legal, asked)
        world, state = legal.world, legal.state
        yield from base_drop.offers(world, state, asked.power)

    def rare_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from super().rare_orders(legal, asked)
        world, state = legal.world, legal.state
        for spec in atomic.offers(world, state, asked.power):
            for space, unit in reach.movable(world, state):
                if unit == spec.type:
                    for route in legal.destinations(space, unit, "raid").values():
                        order = Move((spec,), route, atomic.ROLE)
                        if order in legal:
                            yield order
        if surprise.offers(world, state, asked.power):
            for space, unit in reach.movable(world, state):
                if world.units[unit].domain == "sea":
                    for end, route in legal.destinations(space, unit).items():
                        order = Move((UnitSpec(unit),), route, surprise.ROLE)
                        if has_enemies(world, state, asked.power, end) and order in legal:
                            yield order

    @staticmethod
    def further(world: World, state: State) -> tuple[str, ...]:
        divides = world.rules.task_forces and task_forces.zones(world, state, active(world, state))
        declares = world.declarations and open_targets(world, state, active(world, state))
        words = (("assign",) if divides else ()) + (("declare",) if declares and not has_moved(world, state) else ())
        return (*MovesKind.further(world, state), *words)

    @staticmethod
    def further_orders(legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from MovesKind.further_orders(legal, asked)
        if "assign" in asked.also:
            yield from _divisions(legal, asked, task_forces.FLEETS)
        if "declare" in asked.also:
            yield from (Declare(other) for other in open_targets(legal.world, legal.state, asked.power))

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        back = self._back(legal, asked)
        return rng.choice(back) if back and rng.random() < 0.2 else super().sample(rng, legal, asked)

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        back = self._back(legal, asked)
        return back[0] if back else super().default(legal, asked)

    @staticmethod
    def _back(legal: Legal, asked: Decision) -> list[AnyOrder]:
        """Ways out of a division with which the phase cannot be ended."""
        if "assign" not in asked.also or End() in legal:
            return []
        return list(_divisions(legal, asked, ("attack",)))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: which units attack, and where?"


def _divisions(legal: Legal, asked: Decision, fleets: Iterable[Fleet]) -> Iterator[AnyOrder]:
    """Every ship that could go to the other task force."""
    world, state, power = legal.world, legal.state, asked.power
    for zone in task_forces.zones(world, state, power):
        here = [p for p in state.at(zone) if p.power == power and world.units[p.type].domain == "sea"]
        for fleet in fleets:
            for unit in dict.fromkeys(p.type for p in here if bool(p.fleet) != (fleet == "invasion")):
                order = Assign((UnitSpec(unit),), zone, fleet)
                if order in legal:
                    yield order


class QuietMoves(MovesKind):
    name = "noncombat-move"

    def special_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from super().special_orders(legal, asked)
        yield from transfer.offers(legal.world, legal.state, asked.power)
        yield from relocation.offers(legal.world, legal.state, asked.power)

    def decision(self, world: World, state: State, question: Question) -> Decision:
        launches = rockets.offers(world, state, question.power)
        return Decision(question.power, self.name, launches=launches, also=self.further(world, state))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: which units move, and where do the planes land?"
