"""Who could go to war with whom, and what that would set off; neutrals; facilities; research. All of it is
asked of the engine: what holds, what is missing, and what comes of an order that is tried out."""

from __future__ import annotations

from pydantic import Field

from sandtable.engine import pilots, projects
from sandtable.engine.conditions import holds, lacking
from sandtable.engine.conditions.history import void
from sandtable.engine.damage import most_damage
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import WarDeclared
from sandtable.engine.facts import listed, works
from sandtable.engine.neutral import army_of
from sandtable.engine.objectives import objectives_of, worth
from sandtable.engine.phases import phase_title
from sandtable.engine.politics import pairs_at_war
from sandtable.engine.relations import at_war, is_neutral_power, leaning
from sandtable.engine.run import Run
from sandtable.engine.state import State, pair
from sandtable.server.views.base import Model, UnitCount
from sandtable.world.conditions import AnyOf
from sandtable.world.model import Declaration, World


class WarPair(Model):
    one: str
    other: str


class StakeView(Model):
    """An objective that would bring more or less from then on, as land is held now."""

    power: str
    name: str
    amount: int = Field(description="IPC in each income; below 0: so many fewer")


class DeclarationView(Model):
    """A right to go to war that is not used yet."""

    by: str
    on: str
    open: bool = Field(description="nothing is missing: it can be declared when the power's turn comes to it")
    phase: str = Field(description="the phase in which it is declared")
    missing: list[str] = Field(description="what would bring it about, each of these alone, in words")
    wars: list[WarPair] = Field(description="new wars that it would set off, this one first")
    opens: list[WarPair] = Field(description="others who would be free to declare war because of it")
    ends_peace: list[str] = Field([], description="powers that would be at peace with everybody no more")
    stakes: list[StakeView] = Field([], description="objectives that the declaration alone would change")
    rules: list[str] = []


class ActView(Model):
    """What counts as an act of war without being one."""

    by: list[str]
    against: str
    rules: list[str]


class NeutralView(Model):
    """Land that nobody holds."""

    space: str
    leaning: str = Field(description="`strict`, `pro-` and a side, or the side that it is on since it was attacked")
    ipc: int
    army: list[UnitCount]
    turned: list[str] = Field(description="by side: sides from which other strict neutrals turn away if they attack it")


class PactView(Model):
    """Strictly neutral land that is loyal to a power, and joins it when another attacks that power beside it."""

    power: str
    attacker: str = Field(description="whose attack on the power's land beside it counts")
    spaces: list[str] = Field(description="those that nobody holds yet")
    broken: bool = Field(description="the power attacked first: they join nobody by themselves")


class FacilityView(Model):
    """A facility that is damaged, or not finished."""

    space: str
    power: str | None
    unit: str
    damage: int
    most: int
    fails_at: int = Field(description="damage at which it works no more; 0: it goes on working")
    works: bool
    building: int = Field(description="turns until it is finished; 0: it is")


class ProjectsOf(Model):
    power: str
    pilots: int | None = Field(None, description="null: it trains none")
    projects: dict[str, int] = Field(description="developments on the track, as far as they are known, and how far")
    length: int
    developed: list[str]


class PoliticsView(Model):
    neutral_powers: list[str] = Field(description="powers at peace with everybody")
    declarations: list[DeclarationView]
    acts: list[ActView]
    neutrals: list[NeutralView]
    pacts: list[PactView]
    facilities: list[FacilityView]
    research: list[ProjectsOf]
    pilot_levels: list[int] = Field(description="how well pilots can be trained, from the worst; none: they are not")


def politics_view(world: World, state: State) -> PoliticsView:
    return PoliticsView(
        neutral_powers=[p for p in world.order if is_neutral_power(world, state, p)] if state.stances else [],
        declarations=declaration_views(world, state),
        acts=[ActView(by=list(act.by), against=act.against, rules=list(act.rules)) for act in world.acts],
        neutrals=neutral_views(world, state),
        pacts=pact_views(world, state),
        facilities=facility_views(world, state),
        pilot_levels=[rung.level for rung in world.rules.training],
        research=[_research(world, state, p) for p in world.order] if world.rules.developments == "tracked" else [],
    )


def declaration_views(world: World, state: State) -> list[DeclarationView]:
    found = []
    bonuses = _bonuses(world, state)
    for by in world.order:
        for on in world.order:
            ways = [d for d in world.declarations if by in d.by and on in d.on]
            if ways and not at_war(world, state, by, on):
                found.append(_declaration(world, state, by, on, ways, bonuses))
    return found


def _declaration(
    world: World, state: State, by: str, on: str, ways: list[Declaration], bonuses: dict[tuple[str, str], int]
) -> DeclarationView:
    free = [way for way in ways if holds(world, state, way.when, by)]
    way = (free or ways)[0]
    pairs = [pair(by, on), *(p for p in pairs_at_war(world, by, on, ways) if p != pair(by, on))]
    new = [p for p in pairs if not at_war(world, state, *p)]
    run = Run(world, state, ScriptedDice(()))
    run.emit(WarDeclared(by, on, tuple(pairs)))
    after = run.state
    before = _free_pairs(world, state)
    opens = [each for each in _free_pairs(world, after) if each not in before and by != each.one]
    calm = [p for p in world.order if is_neutral_power(world, state, p)]
    return DeclarationView(
        by=by,
        on=on,
        open=bool(free),
        phase=way.at,
        missing=[] if free else _ways_in(world, state, ways, by),
        wars=[WarPair(one=one, other=other) for one, other in new],
        opens=opens,
        ends_peace=[p for p in calm if not is_neutral_power(world, after, p)],
        stakes=[
            StakeView(power=power, name=name, amount=amount - bonuses[power, name])
            for (power, name), amount in _bonuses(world, after).items()
            if amount != bonuses[power, name]
        ],
        rules=list(dict.fromkeys(rule for way in ways for rule in way.rules)),
    )


def _bonuses(world: World, state: State) -> dict[tuple[str, str], int]:
    """What each objective of each power would bring now."""
    return {(p, o.name): worth(world, state, o, p) for p in world.order for o in objectives_of(world, p)}


def _free_pairs(world: World, state: State) -> list[WarPair]:
    return [
        WarPair(one=by, other=on)
        for by in world.order
        for on in world.order
        if not at_war(world, state, by, on)
        and any(by in d.by and on in d.on and holds(world, state, d.when, by) for d in world.declarations)
    ]


def _ways_in(world: World, state: State, ways: list[Declaration], by: str) -> list[str]:
    """Each thing that would open the right, where one of several is enough."""
    found: dict[str, None] = {}
    for way in ways:
        parts = way.when.of if isinstance(way.when, AnyOf) else (way.when,)
        late = f" (in the phase “{phase_title(world, way.at)}”)" if way.at != ways[0].at else ""
        for part in parts:
            if text := listed(lacking(world, state, part, by)):
                found[f"{text}{late}"] = None
    return list(found)


def neutral_views(world: World, state: State) -> list[NeutralView]:
    turns = world.rules.strict_neutrals_turn
    return [
        NeutralView(
            space=space.id,
            leaning=lean,
            ipc=space.ipc,
            army=[UnitCount(unit=unit, count=n) for unit, n in army_of(world, space.id).items() if n],
            turned=list(world.sides) if lean == "strict" and turns else [],
        )
        for space in world.spaces.values()
        if not space.impassable and (lean := leaning(world, state, space.id)) is not None
    ]


def pact_views(world: World, state: State) -> list[PactView]:
    return [
        PactView(
            power=pact["protects"],
            attacker=pact["from"],
            spaces=[
                space.id
                for space in world.spaces.values()
                if space.traits.get("loyal_to") == pact["protects"] and leaning(world, state, space.id) is not None
            ],
            broken=void(name) in state.history,
        )
        for name, pact in world.traits.get("pacts", {}).items()
    ]


def facility_views(world: World, state: State) -> list[FacilityView]:
    found = []
    for space in world.spaces:
        for piece in state.at(space):
            kind = world.units[piece.type]
            damage = state.damage.get(space, {}).get(piece.type, 0)
            building = state.building.get(space, {}).get(piece.type, 0)
            if kind.domain == "facility" and (damage or building):
                found.append(
                    FacilityView(
                        space=space,
                        power=state.owners.get(space),
                        unit=piece.type,
                        damage=damage,
                        most=most_damage(world, space, piece.type),
                        fails_at=kind.fails_at,
                        works=not building and works(state, space, kind),
                        building=building,
                    )
                )
    return found


def _research(world: World, state: State, power: str) -> ProjectsOf:
    hidden = projects.hidden(world, state, power, None)
    return ProjectsOf(
        power=power,
        pilots=pilots.level(world, state, power) if pilots.training_of(world, state, power) else None,
        projects={t: n for t, n in state.projects.get(power, {}).items() if t not in hidden},
        length=world.rules.track_length,
        developed=[t for t in world.technologies if t in state.techs.get(power, ())],
    )
