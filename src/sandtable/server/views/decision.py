"""The open question with everything that its panel needs. What is legal comes from the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice

from pydantic import Field

from sandtable.engine.battle.opening import choices, declared
from sandtable.engine.damage import complex_in
from sandtable.engine.decision import Decision, decision
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.factories import output, room
from sandtable.engine.facts import amount, amounts, listed, unit_type
from sandtable.engine.legal import Legal
from sandtable.engine.progress import damaged_complexes
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.notation import format_order, orders
from sandtable.notation.orders import AnyOrder, Repair, Research
from sandtable.play import CheapestFirst
from sandtable.server.journal import Journal
from sandtable.server.views.base import Model, UnitCount
from sandtable.server.views.forms import AnswerForm, forms
from sandtable.world.model import World

LONG = ("research", "purchase", "combat-move", "noncombat-move", "mobilize", "casualties")
"""Questions with too many answers to list them; those of all others are few."""

MOST_CHOICES = 80


BOAT = "submarine"


class Candidate(Model):
    """Units that may be lost."""

    power: str
    unit: str
    most: int


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


class ResearchView(Model):
    method: str = Field(description="dice: bought for one throw; tokens: researchers who stay until a breakthrough")
    cost: int = Field(description="of one die or researcher")
    most: int = Field(description="how many can be bought now")
    researchers: int = Field(description="hired in earlier turns; they roll, too")
    success: int = Field(description="a die with this or more is a breakthrough")
    rolled: bool = Field(description="this turn's dice have been rolled")


class Price(Model):
    unit: str
    cost: int
    affordable: int = Field(description="how many of these alone can be bought now: for the money, and for the room")
    counts: bool = Field(description="takes up room at a complex; a new complex does not")


class RepairStep(Model):
    """So much repaired at once: what it costs, and how many units the complex can then receive."""

    points: int
    cost: int
    output: int | None


class RepairView(Model):
    """A damaged complex."""

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
    repairs: list[RepairView] = []


class LandingView(Model):
    """Troops aboard in a zone that were to land on a shore, and may stay aboard."""

    zone: str
    shore: str
    units: list[UnitCount]


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
    suggestion: str | None = Field(None, description="casualties: the cheapest units first, as an order")
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


def decision_view(journal: Journal, state: State) -> DecisionView | None:
    world = journal.game.world
    found = decision(world, state)
    if found is None:
        return None
    seat = journal.seat_of(found.power)
    legal = Legal(world, state)
    short = [] if found.kind in LONG else list(islice(legal.orders(), MOST_CHOICES))
    offers = [p.space for p in choices(world, state, found.power) if p.optional] if found.kind == "battle" else []
    suggestion = CheapestFirst().answer(legal, found) if found.kind == "casualties" else None
    return DecisionView(
        power=found.power,
        seat=seat.name,
        player=seat.player,
        kind=found.kind,
        question=question(world, state, found),
        answers=list(found.answers),
        orders=[format_order(order) for order in short],
        labels=[label(world, found, order, offers) for order in short],
        choices=[choice(world, found, order, offers) for order in short],
        forms=forms(found) if found.kind not in LONG else [],
        suggestion=None if suggestion is None else format_order(suggestion),
        space=found.space,
        count=found.count,
        candidates=[Candidate(power=power, unit=unit, most=most) for power, unit, most in found.units],
        places=list(found.places),
        launches=[Launch(gun=gun, target=target) for gun, target in found.launches],
        charts=list(found.charts),
        submerge=found.submerge,
        planes_only=found.planes_only,
        optional=found.optional,
        landings=offered_landings(world, state, found.power, offers),
        must_leave=found.must_leave,
        research=research_view(legal, found) if found.kind == "research" else None,
        purchase=purchase_view(legal, found.power) if found.kind in ("research", "purchase") else None,
    )


def offered_landings(world: World, state: State, power: str, offers: Sequence[str]) -> list[LandingView]:
    found = []
    landings = declared(state, power)
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
    )


def purchase_view(legal: Legal, power: str) -> PurchaseView:
    world, state = legal.world, legal.state
    money = state.treasury[power]
    left = room(world, state, power)
    prices = []
    for unit in world.units:
        cost = unit_type(world, state, power, unit).cost
        if cost is not None:
            counts = not world.units[unit].factory
            most = money // cost if cost else 0
            if counts and left is not None:
                most = min(most, left)
            prices.append(Price(unit=unit, cost=cost, affordable=most, counts=counts))
    return PurchaseView(treasury=money, prices=prices, room=left, repairs=repair_views(legal, power))


def repair_views(legal: Legal, power: str) -> list[RepairView]:
    """Every damaged complex of the power; what repairs cost and bring is found by trying them out."""
    world, state = legal.world, legal.state
    found = []
    for place in damaged_complexes(world, state):
        if place.owner != power:
            continue
        steps = []
        for points in range(1, place.damage + 1):
            try:
                after, _ = legal.try_out(Repair(place.space, points), ScriptedDice(()))
            except Refusal:
                break
            cost = state.treasury[power] - after.treasury[power]
            steps.append(RepairStep(points=points, cost=cost, output=output(world, after, power, place.space)))
        found.append(
            RepairView(
                space=place.space,
                unit=complex_in(world, state, place.space) or "",
                damage=place.damage,
                output=place.output,
                steps=steps,
            )
        )
    return found


def choice(world: World, found: Decision, order: AnyOrder, offers: Sequence[str] = ()) -> Choice:
    text = format_order(order)
    place = next((getattr(order, name) for name in PLACES if getattr(order, name, None)), None)
    if isinstance(order, orders.Move):
        place = order.route[-1]
    number = getattr(order, "count", None)
    if number is None:
        number = sum(spec.count for spec in getattr(order, "units", ())) or None
    return Choice(order=text, label=label(world, found, order, offers), word=text.split()[0], place=place, count=number)


PLACES = ("target", "zone", "space")
"""Fields of orders that tell where they lead."""


def label(world: World, found: Decision, order: AnyOrder, offers: Sequence[str] = ()) -> str:
    """An answer in words for a button; `offers` are the battles that may be left alone."""

    def place(space: str) -> str:
        return world.spaces[space].name

    match order:
        case orders.Fight(space=space):
            return f"Fight in {place(space)}"
        case orders.Rocket(gun=gun, target=target):
            return f"Fire a rocket from {place(gun)} at {place(target)}"
        case orders.Stay():
            if found.kind == "battle":
                return "Stay aboard" if any(world.spaces[p].is_land for p in offers) else "Leave them alone"
            return "Fire none" if found.kind == "rocket" else "Stay and fight"
        case orders.End():
            return "Leave them alone"
        case orders.Chart(chart=number):
            return f"Roll on chart {number}"
        case orders.Submerge(count=n):
            return f"Submerge {amount(world, BOAT, n or found.count)}"
        case orders.Withdraw(space=space, count=n):
            return f"Withdraw {amount(world, BOAT, n or found.count)} to {place(space)}"
        case orders.Press():
            return "Press the attack"
        case orders.Retreat(space=None):
            return "Let the planes break off"
        case orders.Retreat(space=str() as space):
            return f"Retreat to {place(space)}"
        case orders.Move(units=(spec,), route=(_, space)) if found.kind == "stranded":
            where = f"on the carrier in {place(space)}" if world.spaces[space].is_sea else f"in {place(space)}"
            return f"Land {amount(world, spec.type, spec.count)} {where}"
        case _:
            return format_order(order)


def question(world: World, state: State, found: Decision) -> str:
    """What is asked, in one sentence."""
    who = world.powers[found.power].name
    where = world.spaces[found.space].name if found.space else ""
    places = listed([world.spaces[place].name for place in found.places], "or")
    match found.kind:
        case "research":
            if state.researched:
                return f"{who}: the research of this turn is done. On to the purchase?"
            what = "researchers to hire" if world.rules.research == "tokens" else "research dice to buy"
            return f"{who}: how many {what}, if any?"
        case "chart":
            return f"{who}: a breakthrough! On which chart is the die rolled?"
        case "purchase":
            return f"{who}: what to {'buy and repair' if world.rules.raid_damage == 'markers' else 'buy'}?"
        case "combat-move":
            return f"{who}: which units attack, and where?"
        case "rocket":
            return f"{who}: fire a rocket?"
        case "battle":
            if found.optional and len(found.places) == 1:
                return f"{who}: fight in {places}, or not?"
            return f"{who}: which battle is fought next, {places}?"
        case "casualties":
            if any(world.units[unit].hits > 1 for _, unit, _ in found.units):
                number = "the hit" if found.count == 1 else f"the {found.count} hits"
                return f"{who}: which units take {number} in {where}?"
            number = "one unit" if found.count == 1 else f"{found.count} units"
            return f"{who}: which {number} to lose in {where}?"
        case "submarines":
            choice = listed(
                [*(["submerge"] if found.submerge else []), *([f"withdraw to {places}"] if places else []), "stay"],
                "or",
            )
            boats = amounts(world, [("submarine", found.count)]) if "submarine" in world.units else "submarines"
            return f"{who}: {boats} in {where}: {choice}?"
        case "retreat":
            if found.must_leave:
                return f"{who}: the transports in {where} have no escort left: retreat to {places}?"
            if found.planes_only:
                return f"{who}: press on in {where}, or let the planes break off?"
            return f"{who}: press on in {where}, or retreat to {places}?"
        case "stranded":
            planes = amounts(world, [(unit, n) for _, unit, n in found.units])
            do = "does" if found.count == 1 else "do"
            return f"{who}: the carrier is sunk. Where {do} {planes} over {where} go, {places}?"
        case "noncombat-move":
            return f"{who}: which units move, and where do the planes land?"
        case "mobilize":
            return f"{who}: where do the new units go?"
        case _:
            return f"{who}: {found.kind.replace('-', ' ')}?"
