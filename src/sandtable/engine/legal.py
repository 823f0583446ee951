"""Which answers to the open question are legal: membership, reasons, short lists, samples of long ones."""

from __future__ import annotations

import random
from collections.abc import Iterator

from sandtable.engine import turn
from sandtable.engine.damage import damage_of
from sandtable.engine.decision import Decision, decision
from sandtable.engine.dice import Dice
from sandtable.engine.events import AnyEvent
from sandtable.engine.facts import active, drops, unit_type
from sandtable.engine.movement import paradrop, reach
from sandtable.engine.phases.mobilize import places_for
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Move, UnitSpec
from sandtable.world.model import PowerId, SpaceId, UnitId, World


class _AnyDice:
    """Dice for trying an order out: what they show does not matter, only that every face comes up."""

    def face(self, index: int, sides: int) -> int:
        return index % sides + 1


class Legal:
    """A view of the legal orders in one position.

    `undo` is not among them: it depends on the game's record, not on the position, and `Game.undo` judges it.
    """

    def __init__(self, world: World, state: State) -> None:
        self.world = world
        self.state = state

    @property
    def decision(self) -> Decision | None:
        return decision(self.world, self.state)

    def __contains__(self, order: AnyOrder) -> bool:
        return self.why_not(order) is None

    def why_not(self, order: AnyOrder) -> Refusal | None:
        """None, or the refusal that playing the order would raise."""
        try:
            turn.answer(Run(self.world, self.state, _AnyDice()), order)
        except Refusal as refusal:
            return refusal
        return None

    def try_out(self, order: AnyOrder, dice: Dice) -> tuple[State, tuple[AnyEvent, ...]]:
        """The state after the order with these dice, for search. Raises Refusal."""
        run = Run(self.world, self.state, dice)
        turn.answer(run, order)
        turn.advance(run)
        return run.state, tuple(run.events)

    def destinations(self, space: SpaceId, unit: UnitId, role: str | None = None) -> dict[SpaceId, tuple[SpaceId, ...]]:
        """Where one such unit may be moved from here, with its route."""
        return reach.destinations(self.world, self.state, space, unit, role)

    def places(self, unit: UnitId, power: PowerId | None = None) -> list[SpaceId]:
        """Where one such new unit may be placed, of the power that acts or of one that it plays."""
        return places_for(self.world, self.state, power or active(self.world, self.state), unit)

    # ------------------------------------------------------------ enumeration

    def orders(self) -> Iterator[AnyOrder]:
        """Every answer to a question that has few: battle, rocket, chart, casualties, submarines, retreat, stranded.

        For the phases it gives single-unit orders: each move of one unit, each purchase of one, each placement of one.
        """
        question = self.decision
        if question is None:
            return
        match question.kind:
            case "battle":
                yield from (orders.Fight(s) for s in question.places)
                if question.optional:
                    yield orders.Stay()
                yield from (orders.Rocket(gun, target) for gun, target in question.launches)
            case "rocket":
                yield from (orders.Rocket(gun, target) for gun, target in question.launches)
                yield orders.Stay()
            case "casualties":
                yield from self._casualties(question)
            case "chart":
                yield from (orders.Chart(chart) for chart in question.charts)
            case "submarines":
                yield orders.Stay()
                if question.submerge:
                    yield from (orders.Submerge(n) for n in range(1, question.count + 1))
                for place in question.places:
                    yield from (orders.Withdraw(place, n) for n in range(1, question.count + 1))
            case "retreat":
                if not question.must_leave:
                    yield orders.Press()
                if question.planes_only:
                    yield orders.Retreat()
                yield from (orders.Retreat(place) for place in question.places)
            case "stranded":
                yield from (order for order in self._rescues(question) if order in self)
            case _:
                yield from self._phase_orders(question)

    @staticmethod
    def _rescues(question: Decision) -> Iterator[AnyOrder]:
        """All fighters to one place before some of them; the likeliest place first."""
        assert question.space is not None
        for _, plane, most in question.units:
            for number in range(most, 0, -1):
                for place in question.places:
                    yield orders.Move((UnitSpec(plane, number),), (question.space, place))

    def _casualties(self, question: Decision) -> Iterator[AnyOrder]:
        def share(left: int, kinds: tuple[tuple[str, str, int], ...]) -> Iterator[tuple[UnitSpec, ...]]:
            if not kinds:
                if not left:
                    yield ()
                return
            power, unit, most = kinds[0]
            for n in range(min(left, most), -1, -1):
                for rest in share(left - n, kinds[1:]):
                    yield ((UnitSpec(unit, n, power), *rest) if n else rest)

        for specs in share(question.count, question.units):
            order = orders.Casualties(specs)
            if order in self:
                yield order

    def _phase_orders(self, question: Decision) -> Iterator[AnyOrder]:
        world, state, power = self.world, self.state, question.power
        money = state.treasury[power]
        match question.kind:
            case "research":
                if not state.researched:
                    yield from (orders.Research(n) for n in range(1, money // world.rules.research_cost + 1))
            case "purchase":
                for unit in world.units:
                    cost = unit_type(world, state, power, unit).cost
                    buy = orders.Buy((UnitSpec(unit),))
                    if cost is not None and cost <= money and self.why_not(buy) is None:
                        yield buy
                for space in world.spaces:
                    if state.owners.get(space) == power and damage_of(world, state, space):
                        repair = orders.Repair(space, 1)
                        if self.why_not(repair) is None:
                            yield repair
            case "combat-move" | "noncombat-move":
                yield from self.moves()
                yield from (orders.Rocket(gun, target) for gun, target in question.launches)
            case "mobilize":
                for owner in (power, *(p.id for p in world.powers.values() if p.played_by == power)):
                    whose = None if owner == power else owner
                    reserve = state.reserve(world, owner)
                    for unit in (u for u in world.units if u in reserve):
                        places = places_for(world, state, owner, unit)
                        yield from (orders.Place((UnitSpec(unit, power=whose),), s) for s in places)
        if self.why_not(orders.End()) is None:
            yield orders.End()

    def moves(self) -> Iterator[Move]:
        """Every move of a single unit, by its route; raids and drops as well as attacks."""
        for space, unit in reach.movable(self.world, self.state):
            for route in self.destinations(space, unit).values():
                yield orders.Move((UnitSpec(unit),), route)
            if self.world.units[unit].raid_dice:
                for route in self.destinations(space, unit, "raid").values():
                    yield orders.Move((UnitSpec(unit),), route, "raid")
            drop = drops(self.world, self.state, active(self.world, self.state))
            if drop is not None and unit == drop.unit:
                for route in self.destinations(space, unit, paradrop.ROLE).values():
                    yield orders.Move((UnitSpec(unit), UnitSpec(drop.passenger)), route, paradrop.ROLE)

    # ------------------------------------------------------------ sampling

    def sample(self, rng: random.Random) -> AnyOrder:
        """A legal order drawn at random: for testing the rules and for the simplest opponent."""
        question = self.decision
        if question is None:
            raise Refusal("game-over", "The game is over.").cited(self.world.citations)
        if question.kind in ("combat-move", "noncombat-move"):
            return self._sample_move(rng, question)
        if question.kind == "casualties":
            return self._sample_casualties(rng, question)
        choices = list(self.orders())
        if question.kind in ("research", "purchase") and rng.random() < 0.3:
            return orders.End()
        if question.kind == "research":
            return rng.choice(choices[:2] + [orders.End()] * 6)
        spending = [c for c in choices if not isinstance(c, orders.End)]
        return rng.choice(spending or choices)

    def _sample_move(self, rng: random.Random, question: Decision) -> AnyOrder:
        stacks = reach.movable(self.world, self.state)
        rng.shuffle(stacks)
        if rng.random() > 0.12 or question.kind == "noncombat-move":
            for space, unit in stacks[: 12 if rng.random() > 0.1 else 3]:
                role = "raid" if self.world.units[unit].raid_dice and rng.random() < 0.3 else None
                if question.kind == "noncombat-move":
                    role = None
                elif paradrop.riders(self.world, self.state, question.power, space, unit) and rng.random() < 0.3:
                    return self._sample_drop(rng, space, unit)
                routes = list(self.destinations(space, unit, role).values())
                if routes:
                    route = rng.choice(routes)
                    order = orders.Move((UnitSpec(unit, rng.choice((1, 1, 2, 3))),), route, role)
                    if self.why_not(order) is None:
                        return order
                    return orders.Move((UnitSpec(unit),), route, role)
        if self.why_not(orders.End()) is None:
            return orders.End()
        moves: list[AnyOrder] = list(self.moves())
        return rng.choice(moves)  # planes still have to land

    def _sample_drop(self, rng: random.Random, space: SpaceId, unit: UnitId) -> AnyOrder:
        """A drop from here if there is one, else the end of the phase or another move."""
        routes = list(self.destinations(space, unit, paradrop.ROLE).values())
        if not routes:
            return self._sample_move(rng, self.decision) if self.decision else orders.End()
        drop = drops(self.world, self.state, active(self.world, self.state))
        assert drop is not None
        return orders.Move((UnitSpec(unit), UnitSpec(drop.passenger)), rng.choice(routes), paradrop.ROLE)

    def _sample_casualties(self, rng: random.Random, question: Decision) -> AnyOrder:
        """Pick units one by one; hits that spare some units make a few tries necessary."""
        for _ in range(50):
            pool = [(p, u) for p, u, n in question.units for _ in range(n)]
            chosen = rng.sample(pool, question.count)
            kinds = sorted(set(chosen), key=chosen.index)
            order = orders.Casualties(tuple(UnitSpec(u, chosen.count((p, u)), p) for p, u in kinds))
            if self.why_not(order) is None:
                return order
        return next(iter(self._casualties(question)))
