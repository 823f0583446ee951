"""What both forces answer in a battle that is played out: the same as the calculator assumes."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine.battle import casualties, forces
from sandtable.engine.facts import type_of
from sandtable.engine.legal import Legal
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Hits, Question, Stack
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, Casualties, UnitSpec
from sandtable.odds.front import Front, State, strength
from sandtable.odds.intentions import Intentions
from sandtable.odds.model import BattleModel, Force
from sandtable.world.model import MarkId, PowerId, UnitId

Chance = Callable[[Stack, Stack], float]
"""The attackers' chance to win by fighting on, by what is left of both forces."""


class Answers:
    """One answer to every question: losses along the orders, a retreat and submarines as intended, else the first
    that is legal."""

    def __init__(self, model: BattleModel, intentions: Intentions, chance: Chance | None = None) -> None:
        self.model = model
        self.world = model.world
        self.intentions = intentions
        self.chance = chance
        self.fronts = {"attack": Front(model.attack), "defense": Front(model.defense)}
        self._specs: dict[tuple[object, ...], tuple[UnitSpec, ...]] = {}

    def to(self, run: Run) -> AnyOrder:
        """The answer to the open question."""
        asked = run.state.questions[0]
        match asked.kind:
            case "casualties":
                return self._casualties(run, asked)
            case "retreat":
                if "must-leave" in asked.terms or self._gives_up(run, run.battle):
                    return orders.Retreat(asked.places[0] if asked.places else None)
                return orders.Press()
            case "submarines":
                wish = self.intentions
                if (wish.attacker_submarines if asked.role == "attack" else wish.defender_submarines) == "stay":
                    return orders.Stay()
                return orders.Submerge() if "submerge" in asked.terms else orders.Withdraw(asked.places[0])
            case _:
                return unforeseen(run)

    # ------------------------------------------------------------ casualties

    def _casualties(self, run: Run, asked: Question) -> AnyOrder:
        battle, role = run.battle, asked.role
        assert role is not None
        force: Force = self.model.attack if role == "attack" else self.model.defense
        victims = casualties.targets(self.world, run.state, battle, role)
        hits, _ = casualties.asked_about(asked, battle.hits)
        try:
            state = strength(self.world, run.state, force, victims)
        except KeyError:  # somebody who was not there in the beginning
            return unforeseen(run)
        marks = frozenset(piece.marks for piece in victims if piece.marks)
        key = (role, state, hits, marks)
        specs = self._specs.get(key)
        if specs is None:
            specs = self._specs[key] = self._lost(force, self.fronts[role], state, hits, marks)
        return Casualties(specs) if sum(spec.count for spec in specs) == asked.count else unforeseen(run)

    @staticmethod
    def _lost(
        force: Force, front: Front, state: State, hits: tuple[Hits, ...], worn: frozenset[tuple[MarkId, ...]]
    ) -> tuple[UnitSpec, ...]:
        """Hits by unit; one that a unit outlives is a hit on it like any other. `worn` are the marks that are left."""
        after = front.after_hits(state, hits)
        lost: dict[tuple[PowerId, UnitId, tuple[MarkId, ...]], int] = {}
        for kind, had, left in zip(force.kinds, state[0], after[0], strict=True):
            if had > left:
                key = kind.power, kind.unit, kind.marks if kind.marks in worn else ()
                lost[key] = lost.get(key, 0) + had - left
        marked = any(kind.marks for kind in force.kinds)
        return tuple(
            UnitSpec(unit, n, power, marks=marks if marked else None) for (power, unit, marks), n in lost.items()
        )

    # ------------------------------------------------------------ retreat

    def _gives_up(self, run: Run, battle: Battle) -> bool:
        wish = self.intentions.retreat
        left = forces.attackers(self.world, run.state, battle)
        total = planes = takers = 0
        for piece, n in left.items():
            kind = type_of(self.world, run.state, piece)
            total += n
            planes += n if kind.domain == "air" else 0
            takers += n if kind.captures else 0
        if total < wish.units or (self.model.takes_land and takers < wish.land_units):
            return True
        if (wish.only_planes and 0 < planes == total) or (wish.rounds is not None and battle.round >= wish.rounds):
            return True
        if wish.odds > 0 and self.chance is not None:
            return self.chance(left, forces.defenders(self.world, run.state, battle)) < wish.odds
        return False


def unforeseen(run: Run) -> AnyOrder:
    """What somebody answers who does not want to think, for questions that the calculator knows nothing of."""
    return Legal(run.world, run.state).default()
