"""Phases as questions: what to buy, where to move, where to place new units. Their answers are many, up to `end`."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import rockets
from sandtable.engine.damage import damage_of
from sandtable.engine.facts import drops, unit_type
from sandtable.engine.movement import paradrop, reach
from sandtable.engine.phases.mobilize import places_for
from sandtable.engine.questions.kind import Decision, Kind
from sandtable.engine.state import Question, State
from sandtable.notation.orders import AnyOrder, Buy, End, Move, Place, Repair, Rocket, UnitSpec
from sandtable.world.model import SpaceId, UnitId, World

if TYPE_CHECKING:
    from sandtable.engine.legal import Legal


class PhaseKind(Kind):
    few = False

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return Decision(question.power, self.name)

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        """Orders about one unit each."""
        raise NotImplementedError

    def orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from self.single_orders(legal, asked)
        if End() in legal:
            yield End()

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        choices = list(self.orders(legal, asked))
        return rng.choice([c for c in choices if not isinstance(c, End)] or choices)

    def default(self, legal: Legal, asked: Decision) -> AnyOrder:
        """Go on; where that is refused (planes have to land), do the first thing that is possible."""
        return End() if End() in legal else next(iter(self.orders(legal, asked)))


class PurchaseKind(PhaseKind):
    name = "purchase"
    answers = ("buy", "repair", "undo", "end")

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        world, state, power = legal.world, legal.state, asked.power
        money = state.treasury[power]
        for unit in world.units:
            cost = unit_type(world, state, power, unit).cost
            buy = Buy((UnitSpec(unit),))
            if cost is not None and cost <= money and buy in legal:
                yield buy
        for space in world.spaces:
            if state.owners.get(space) == power and damage_of(world, state, space):
                repair = Repair(space, 1)
                if repair in legal:
                    yield repair

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
            reserve = state.reserve(world, owner)
            for unit in (u for u in world.units if u in reserve):
                places = places_for(world, state, owner, unit)
                yield from (Place((UnitSpec(unit, power=whose),), s) for s in places)

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: where do the new units go?"


class MovesKind(PhaseKind):
    answers = ("move", "undo", "end")

    def single_orders(self, legal: Legal, asked: Decision) -> Iterator[AnyOrder]:
        yield from legal.moves()
        yield from (Rocket(gun, target) for gun, target in asked.launches)

    def sample(self, rng: random.Random, legal: Legal, asked: Decision) -> AnyOrder:
        stacks = reach.movable(legal.world, legal.state)
        rng.shuffle(stacks)
        quiet = self.name == "noncombat-move"
        if rng.random() > 0.12 or quiet:
            for space, unit in stacks[: 12 if rng.random() > 0.1 else 3]:
                raids = unit_type(legal.world, legal.state, asked.power, unit).raid_dice
                role = "raid" if raids and rng.random() < 0.3 else None
                if quiet:
                    role = None
                elif paradrop.riders(legal.world, legal.state, asked.power, space, unit) and rng.random() < 0.3:
                    return self._sample_drop(rng, legal, asked, space, unit)
                routes = list(legal.destinations(space, unit, role).values())
                if routes:
                    route = rng.choice(routes)
                    order = Move((UnitSpec(unit, rng.choice((1, 1, 2, 3))),), route, role)
                    return order if order in legal else Move((UnitSpec(unit),), route, role)
        if End() in legal:
            return End()
        moves: list[AnyOrder] = list(legal.moves())
        return rng.choice(moves)  # planes still have to land

    def _sample_drop(self, rng: random.Random, legal: Legal, asked: Decision, space: SpaceId, unit: UnitId) -> AnyOrder:
        """A drop from here if there is one, else the end of the phase or another move."""
        routes = list(legal.destinations(space, unit, paradrop.ROLE).values())
        if not routes:
            return self.sample(rng, legal, asked)
        drop = drops(legal.world, legal.state, asked.power)
        assert drop is not None
        return Move((UnitSpec(unit), UnitSpec(drop.passenger)), rng.choice(routes), paradrop.ROLE)


class CombatMoves(MovesKind):
    name = "combat-move"

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: which units attack, and where?"


class QuietMoves(MovesKind):
    name = "noncombat-move"

    def decision(self, world: World, state: State, question: Question) -> Decision:
        return Decision(question.power, self.name, launches=rockets.offers(world, state, question.power))

    def wording(self, world: World, state: State, asked: Decision) -> str:
        return f"{world.powers[asked.power].name}: which units move, and where do the planes land?"
