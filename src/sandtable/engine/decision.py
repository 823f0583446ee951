"""The Decision: the one open question. It follows from the state alone."""

from __future__ import annotations

import msgspec

from sandtable.engine import rockets
from sandtable.engine.battle import casualties, opening, stranded
from sandtable.engine.battle.forces import planes
from sandtable.engine.battle.steps import FATES
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.facts import active, phase_name
from sandtable.engine.phases import PHASES
from sandtable.engine.phases.research import charts
from sandtable.engine.recent import remembered
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, UnitId, World

ANSWERS: dict[str, tuple[str, ...]] = {
    "research": ("research", "buy", "end"),
    "chart": ("chart",),
    "purchase": ("buy", "repair", "undo", "end"),
    "combat-move": ("move", "undo", "end"),
    "rocket": ("rocket", "stay"),
    "battle": ("battle", "rocket"),
    "casualties": ("casualties",),
    "submarines": ("submerge", "withdraw", "stay"),
    "retreat": ("press", "retreat"),
    "stranded": ("move",),
    "noncombat-move": ("move", "undo", "end"),
    "mobilize": ("place", "undo", "end"),
}
"""The orders that answer each kind of question, by their first word."""


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who must answer, what it is about, and what the choice is among."""

    power: PowerId
    kind: str
    space: SpaceId | None = None
    count: int = 0  # casualties to name; submarines that may leave; fighters without a carrier
    units: tuple[tuple[PowerId, UnitId, int], ...] = ()  # casualties: what can be lost, and how many at most
    places: tuple[SpaceId, ...] = ()  # where to retreat, withdraw or land; battles to choose from
    launches: tuple[tuple[SpaceId, SpaceId], ...] = ()
    charts: tuple[int, ...] = ()  # breakthrough charts to choose from
    submerge: bool = False
    planes_only: bool = False
    optional: bool = False  # battle: some may be left alone, with `stay`
    must_leave: bool = False  # retreat: staying is no choice

    @property
    def answers(self) -> tuple[str, ...]:
        """The orders that answer the question, by their first word."""
        words = ANSWERS[self.kind]
        if self.must_leave:
            return tuple(w for w in words if w != "press")
        return (*words, "stay") if self.optional else words


@remembered
def decision(world: World, state: State) -> Decision | None:
    """The open question, or None when the game is over."""
    if state.over:
        return None
    battle = state.battle
    if battle is not None and battle.ask is not None:
        ask = battle.ask
        units: tuple[tuple[PowerId, UnitId, int], ...] = ()
        if ask.kind == "casualties":
            victims = casualties.targets(world, state, battle, ask.side)
            if FATES.get(world.battles[battle.kind][battle.step]) == "aa":
                victims = planes(world, victims)
            units = tuple((p, u, n) for (p, u), n in casualties.choices(world, battle.hits, victims).items())
        return Decision(
            ask.power,
            ask.kind,
            battle.space,
            count=ask.count,
            units=units,
            places=ask.places,
            submerge=ask.submerge,
            planes_only=ask.planes_only,
            must_leave=ask.must_leave,
            launches=_launches(world, state, ask.power) if ask.power == active(world, state) else (),
        )
    run = Run(world, state, ScriptedDice(()))
    kind = PHASES[phase_name(world, state)].decision(run)
    if kind == "battle":
        possible = opening.choices(world, state, run.power)
        return Decision(
            run.power,
            kind,
            places=tuple(p.space for p in possible),
            launches=_launches(world, state, run.power),
            optional=any(p.optional for p in possible),
        )
    if kind == "stranded":
        homeless = stranded.question(world, state)
        assert homeless is not None
        owner, plane = homeless.plane.power, homeless.plane.type
        fighters = ((owner, plane, homeless.count),)
        return Decision(owner, kind, homeless.zone, homeless.count, fighters, tuple(homeless.room))
    if kind == "rocket":
        return Decision(run.power, kind, launches=_launches(world, state, run.power))
    if kind == "chart":
        return Decision(run.power, kind, charts=charts(world, state, run.power))
    late = _launches(world, state, run.power) if kind == "noncombat-move" else ()
    return Decision(run.power, kind, launches=late)


def asked(world: World, state: State) -> PowerId:
    """Who has to answer now; when the game is over, whoever acted last."""
    battle = state.battle
    if battle is not None and battle.ask is not None:
        return battle.ask.power
    if not stranded.may_ask(world, state):
        return active(world, state)
    question = decision(world, state)
    return active(world, state) if question is None else question.power


def _launches(world: World, state: State, power: PowerId) -> tuple[tuple[SpaceId, SpaceId], ...]:
    """Rockets that could be fired now."""
    if not rockets.available(world, state, power):
        return ()
    return tuple(rockets.launches(world, state, power))
