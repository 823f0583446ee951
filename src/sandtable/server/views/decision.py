"""The open question with everything that its panel needs. What is legal comes from the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from msgspec.structs import replace
from pydantic import Field

from sandtable.engine import cards, offer, projects
from sandtable.engine.battle.opening import choices, declared
from sandtable.engine.complexes import output, room
from sandtable.engine.damage import complex_in
from sandtable.engine.decision import Decision, decision
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.facts import unit_type
from sandtable.engine.legal import Legal
from sandtable.engine.phases.research import affordable
from sandtable.engine.questions import KINDS
from sandtable.engine.special import industry, peace
from sandtable.engine.state import State
from sandtable.errors import Refusal, one_stop
from sandtable.notation import format_order, format_units
from sandtable.notation.orders import AnyOrder, Move, Repair, Research, Upgrade
from sandtable.server.journal import Journal
from sandtable.server.views.base import Model, UnitCount
from sandtable.server.views.forms import AnswerForm, forms
from sandtable.server.views.specials import Special, special_views
from sandtable.world.model import World

MOST_LISTED = 200


class CandidateSort(Model):
    """Units of a kind with the same cargo and marks."""

    words: str = Field(description="how an order names one of them, without number and owner")
    most: int
    cargo: list[UnitCount] | None = Field(None, description="null: it makes no difference")
    marks: list[str] | None = Field(None, description="null: they make no difference")


class Candidate(Model):
    """Units that may be lost, or chosen for something else."""

    power: str
    unit: str
    most: int
    sorts: list[CandidateSort] = Field([], description="the same told apart, where cargo or marks differ")


class Launch(Model):
    gun: str
    target: str


class Choice(Model):
    """One of few answers, as an order and in words."""

    order: str
    label: str
    word: str = Field(description="the first word of the order")
    place: str | None = Field(description="the space that it is about, to be shown on the map")
    count: int | None = Field(description="how many units it is about")


class NamedDie(Model):
    """A development that one die can be thrown for by its name."""

    technology: str
    cost: int


class ResearchView(Model):
    method: str = Field(description="dice: bought for one throw; tokens: researchers who stay until a breakthrough")
    cost: int = Field(description="of one die or researcher")
    most: int = Field(description="how many can be bought now")
    researchers: int = Field(description="hired in earlier turns; they roll, too")
    success: int = Field(description="a die with this or more is a breakthrough")
    rolled: bool = Field(description="this turn's dice have been rolled")
    by_name: list[NamedDie] = Field([], description="what a die can be thrown for by name now, and its price")


class Project(Model):
    """A development on its track."""

    technology: str
    place: int = Field(description="how far it is")
    open: bool = Field(description="a die can be bought for it now")
    rolled: bool = Field(description="it has had its die this turn")


class ProjectsView(Model):
    """Research on tracks: one die a project and turn."""

    length: int = Field(description="of the track: a project that gets there is developed")
    cost: int = Field(description="of a die")
    new_left: int = Field(description="projects that may still be begun this turn")
    closed: str | None = Field(None, description="why no die can be bought now, in words")
    projects: list[Project] = Field(description="all that are not developed")


class UpgradeView(Model):
    """A complex that can be made better."""

    space: str
    unit: str = Field(description="what it becomes")
    cost: int
    order: str
    comes: bool = Field(description="it will be made better for nothing when its power goes to war")


class Price(Model):
    unit: str
    why_not: str | None = Field(None, description="why it is not for sale now, in words")
    combat: bool = Field(True, description="it counts towards what a power at peace may spend")
    cost: int
    affordable: int = Field(description="how many of these alone can be bought now: for the money, and for the room")
    counts: bool = Field(description="takes up room at a complex; a new complex does not")


class RepairStep(Model):
    """So much repaired at once: what it costs, and how many units the complex can then receive."""

    points: int
    cost: int
    output: int | None


class RepairView(Model):
    """A damaged facility."""

    words: str = Field(description="how an order names it: by its land, and by its kind unless it is the complex")
    space: str
    unit: str
    damage: int
    output: int | None = Field(description="units that it can receive as it is; null: any number")
    steps: list[RepairStep] = Field(description="what the money pays for")


class PurchaseView(Model):
    treasury: int
    prices: list[Price]
    room: int | None = Field(
        None, description="units that all complexes can still receive, where no more may be bought; null: no limit"
    )
    budget: int | None = Field(None, description="what a power at peace may still spend on combat units")
    repairs: list[RepairView] = []
    upgrades: list[UpgradeView] = []
    projects: ProjectsView | None = None


class LandingView(Model):
    """Troops aboard in a zone that were to land on a shore, and may stay aboard."""

    zone: str
    shore: str
    units: list[UnitCount]


class PeaceMoves(Model):
    """How many units a power at peace may move in a turn, as its die said."""

    allowed: int
    moved: int = Field(description="each unit once, what ships carry too")


class DecisionView(Model):
    """Who must answer, what it is about, and what the choice is among."""

    power: str
    seat: str
    player: str = Field(description="`human`, or the bot that is going to answer")
    kind: str
    question: str = Field(description="in words")
    answers: list[str] = Field(description="first words of the orders that answer it")
    orders: list[str] = Field([], description="all answers, where they are few")
    labels: list[str] = Field([], description="the same answers in words for a button")
    choices: list[Choice] = Field([], description="all answers, where they are few, with what they are about")
    forms: list[AnswerForm] = Field([], description="what has to be chosen for each answer, for any question")
    specials: list[Special] = Field([], description="rare orders of a phase, which only some powers can give")
    suggestion: str | None = Field(None, description="the answer of somebody who does not want to think, as an order")
    space: str | None = None
    count: int = Field(0, description="casualties to name; submarines that may leave; fighters that lost their carrier")
    candidates: list[Candidate] = Field(
        [], description="casualties: what can be lost, and how many at most; stranded: the fighters"
    )
    places: list[str] = Field([], description="where to retreat, withdraw or land; battles to choose from")
    launches: list[Launch] = []
    charts: list[int] = Field([], description="breakthrough charts to choose from")
    submerge: bool = False
    planes_only: bool = False
    optional: bool = Field(False, description="battle: some may be left alone")
    landings: list[LandingView] = Field([], description="battle: landings that may be called off, wholly or in part")
    must_leave: bool = Field(False, description="retreat: staying is no choice")
    research: ResearchView | None = None
    purchase: PurchaseView | None = None
    peace_moves: PeaceMoves | None = Field(None, description="null: it may move whatever it likes")


def peace_moves_view(world: World, state: State, power: str) -> PeaceMoves | None:
    return None if state.moves is None else PeaceMoves(allowed=state.moves, moved=peace.moved(world, state, power))


def decision_view(journal: Journal, state: State) -> DecisionView | None:
    world = journal.game.world
    found = decision(world, state)
    if found is None:
        return None
    seat = journal.seat_of(found.power)
    legal = Legal(world, state)
    kind = KINDS[found.kind]
    short = list(islice(legal.orders(), MOST_LISTED)) if kind.few else []
    offers = [p.space for p in choices(world, state, found.power) if p.optional] if found.optional else []
    suggestion = None if found.kind in world.phases else kind.default(legal, found)
    return DecisionView(
        power=found.power,
        seat=seat.name,
        player=seat.player,
        kind=found.kind,
        question=one_stop(kind.wording(world, state, found)),
        answers=list(found.answers),
        orders=[format_order(order) for order in short],
        labels=[kind.label(world, state, found, order) for order in short],
        choices=[choice(order, kind.label(world, state, found, order)) for order in short],
        forms=forms(legal, found),
        specials=special_views(legal, found),
        suggestion=None if suggestion is None else format_order(suggestion),
        space=found.space,
        count=found.count,
        candidates=[candidate(found, power, unit, most) for power, unit, most in found.units],
        places=list(found.places),
        launches=[Launch(gun=gun, target=target) for gun, target in found.launches],
        charts=list(found.charts),
        submerge=found.submerge,
        planes_only=found.planes_only,
        optional=found.optional,
        landings=offered_landings(world, state, found.power, offers),
        must_leave=found.must_leave,
        peace_moves=peace_moves_view(world, state, found.power),
        research=research_view(legal, found) if found.kind == "research" else None,
        purchase=purchase_view(legal, found.power) if found.kind in ("research", "purchase") else None,
    )


def offered_landings(world: World, state: State, power: str, offers: Sequence[str]) -> list[LandingView]:
    found = []
    landings = declared(world, state, power)
    for shore in offers:
        for zone in sorted(landings.get(shore, ())):
            aboard = Counter(c.type for t, n in state.at(zone).items() for c in t.cargo * n if c.target == shore)
            units = [UnitCount(unit=unit, count=aboard[unit]) for unit in world.units if unit in aboard]
            found.append(LandingView(zone=zone, shore=shore, units=units))
    return found


def research_view(legal: Legal, found: Decision) -> ResearchView:
    """The most dice is whatever the engine still takes."""
    rules = legal.world.rules
    money = legal.state.treasury[found.power]
    most = money // rules.research_cost if rules.research_cost else 0
    while most and legal.why_not(Research(most)) is not None:
        most -= 1
    return ResearchView(
        method=rules.research,
        cost=rules.research_cost,
        most=most,
        researchers=legal.state.tokens.get(found.power, 0),
        success=rules.research_success,
        rolled=legal.state.researched,
        by_name=[
            NamedDie(technology=technology.id, cost=technology.price)
            for technology in affordable(legal.world, legal.state, found.power)
            if technology.price is not None
        ],
    )


def purchase_view(legal: Legal, power: str) -> PurchaseView:
    world, state = legal.world, legal.state
    money = state.treasury[power]
    left = room(world, state, power)
    prices = []
    for unit in world.units:
        listed = unit_type(world, state, power, unit).cost
        if listed is not None:
            cost = cards.price(world, state, unit, listed)
            counts = not world.units[unit].complex
            combat = world.units[unit].domain != "facility"
            refusal = offer.unavailable(world, state, power, unit)
            most = 0 if refusal is not None else money // cost if cost else 0
            if counts and left is not None:
                most = min(most, left)
            if combat and state.budget is not None:
                most = min(most, state.budget // cost if cost else most)
            prices.append(
                Price(
                    unit=unit,
                    why_not=None if refusal is None else refusal.text,
                    combat=combat,
                    cost=cost,
                    affordable=_available(legal, power, unit, most),
                    counts=counts,
                )
            )
    return PurchaseView(
        treasury=money,
        prices=prices,
        room=left,
        budget=state.budget,
        repairs=repair_views(legal, power),
        upgrades=upgrade_views(legal, power),
        projects=projects_view(legal, power),
    )


def _available(legal: Legal, power: str, unit: str, most: int) -> int:
    """As many as there may be: some kinds are limited in a turn, on the board or in a whole game."""
    while most and offer.unavailable(legal.world, legal.state, power, unit, most) is not None:
        most -= 1
    return most


def repair_views(legal: Legal, power: str) -> list[RepairView]:
    """Every damaged facility of the power; what repairs cost and bring is found by trying them out."""
    world, state = legal.world, legal.state
    found = []
    for space in world.spaces:
        if state.owners.get(space) != power:
            continue
        for unit, damage in state.damage.get(space, {}).items():
            is_complex = world.units[unit].complex
            steps = []
            for points in range(1, damage + 1):
                try:
                    order = Repair(space, points, None if is_complex else unit)
                    after, _ = legal.try_out(order, ScriptedDice(()))
                except Refusal:
                    break
                cost = state.treasury[power] - after.treasury[power]
                receives = output(world, after, power, space) if is_complex else None
                steps.append(RepairStep(points=points, cost=cost, output=receives))
            receives = output(world, state, power, space) if is_complex else None
            if damage:
                words = space if is_complex else f"{space} {unit}"
                found.append(
                    RepairView(words=words, space=space, unit=unit, damage=damage, output=receives, steps=steps)
                )
    return found


def upgrade_views(legal: Legal, power: str) -> list[UpgradeView]:
    """Complexes that can be made better now, for the money that there is."""
    world, state = legal.world, legal.state
    if not world.upgrades:
        return []
    found = []
    for space in (s for s in world.spaces if state.owners.get(s) == power):
        order = Upgrade(space)
        if complex_in(world, state, space) is None or order not in legal:
            continue
        after, _ = legal.try_out(order, ScriptedDice(()))
        cost = state.treasury[power] - after.treasury[power]
        unit = complex_in(world, after, space) or ""
        comes = industry.waits(world, state, power, space)
        found.append(UpgradeView(space=space, unit=unit, cost=cost, order=format_order(order), comes=comes))
    return found


def projects_view(legal: Legal, power: str) -> ProjectsView | None:
    """The research tracks of a power, where research is done on them."""
    world, state = legal.world, legal.state
    if world.rules.developments != "tracked" or not world.powers[power].researches:
        return None
    possible = projects.possible(world, state, power)
    known, running = state.techs.get(power, ()), state.projects.get(power, {})
    first = next((t for t in world.technologies if t not in known and t not in state.advanced), None)
    refusal = None if possible or first is None else legal.why_not(Research(technology=first))
    return ProjectsView(
        length=world.rules.track_length,
        cost=cards.research_cost(world, state),
        new_left=max(0, world.rules.new_projects - state.begun),
        closed=None if refusal is None else refusal.text,
        projects=[
            Project(technology=t, place=running.get(t, 0), open=t in possible, rolled=t in state.advanced)
            for t in world.technologies
            if t not in known
        ],
    )


def candidate(found: Decision, power: str, unit: str, most: int) -> Candidate:
    sorts = [
        CandidateSort(
            words=format_units([replace(spec, count=1, power=None)]).removeprefix("1 "),
            most=spec.count,
            cargo=None if spec.cargo is None else [UnitCount(unit=aboard, count=n) for aboard, n in spec.cargo],
            marks=None if spec.marks is None else list(spec.marks),
        )
        for spec in found.sorts
        if (spec.power, spec.type) == (power, unit) and (spec.cargo is not None or spec.marks is not None)
    ]
    return Candidate(power=power, unit=unit, most=most, sorts=sorts)


def choice(order: AnyOrder, label: str) -> Choice:
    text = format_order(order)
    place = next((getattr(order, name) for name in PLACES if getattr(order, name, None)), None)
    if isinstance(order, Move):
        place = order.route[-1]
    number = getattr(order, "count", None)
    if number is None:
        number = sum(spec.count for spec in getattr(order, "units", ())) or None
    return Choice(order=text, label=label, word=text.split()[0], place=place, count=number)


PLACES = ("target", "zone", "space")
"""Fields of orders that tell where they lead."""
