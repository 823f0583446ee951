"""The open question with everything that its panel needs. What is legal comes from the engine."""

from __future__ import annotations

from pydantic import Field

from sandtable.engine.decision import Decision, decision
from sandtable.engine.facts import amount, amounts, listed, unit_type
from sandtable.engine.legal import Legal
from sandtable.engine.state import State
from sandtable.notation import format_order, orders
from sandtable.notation.orders import AnyOrder, Research
from sandtable.play import CheapestFirst
from sandtable.server.journal import Journal
from sandtable.server.views.base import Model
from sandtable.world.model import World

SHORT = ("battle", "rocket", "submarines", "retreat")
"""Questions whose answers are few enough to be listed whole."""


BOAT = "submarine"


class Candidate(Model):
    """Units that may be lost."""

    power: str
    unit: str
    most: int


class Launch(Model):
    gun: str
    target: str


class ResearchView(Model):
    cost: int = Field(description="of one die")
    most: int = Field(description="dice that can be bought now")
    success: int = Field(description="a die with this or more is a breakthrough")
    rolled: bool = Field(description="this turn's dice have been rolled")


class Price(Model):
    unit: str
    cost: int
    affordable: int = Field(description="how many of these alone the treasury pays for")


class PurchaseView(Model):
    treasury: int
    prices: list[Price]


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
    suggestion: str | None = Field(None, description="casualties: the cheapest units first, as an order")
    space: str | None = None
    count: int = Field(0, description="casualties to name; submarines that may leave")
    candidates: list[Candidate] = Field([], description="casualties: what can be lost, and how many at most")
    places: list[str] = Field([], description="where to retreat or withdraw; battles to choose from")
    launches: list[Launch] = []
    submerge: bool = False
    planes_only: bool = False
    research: ResearchView | None = None
    purchase: PurchaseView | None = None


def decision_view(journal: Journal, state: State) -> DecisionView | None:
    world = journal.game.world
    found = decision(world, state)
    if found is None:
        return None
    seat = journal.seat_of(found.power)
    legal = Legal(world, state)
    short = list(legal.orders()) if found.kind in SHORT else []
    suggestion = CheapestFirst().answer(legal, found) if found.kind == "casualties" else None
    return DecisionView(
        power=found.power,
        seat=seat.name,
        player=seat.player,
        kind=found.kind,
        question=question(world, found),
        answers=list(found.answers),
        orders=[format_order(order) for order in short],
        labels=[label(world, found, order) for order in short],
        suggestion=None if suggestion is None else format_order(suggestion),
        space=found.space,
        count=found.count,
        candidates=[Candidate(power=power, unit=unit, most=most) for power, unit, most in found.units],
        places=list(found.places),
        launches=[Launch(gun=gun, target=target) for gun, target in found.launches],
        submerge=found.submerge,
        planes_only=found.planes_only,
        research=research_view(legal, found) if found.kind == "research" else None,
        purchase=purchase_view(world, state, found.power) if found.kind in ("research", "purchase") else None,
    )


def research_view(legal: Legal, found: Decision) -> ResearchView:
    """The most dice is whatever the engine still takes."""
    rules = legal.world.rules
    money = legal.state.treasury[found.power]
    most = money // rules.research_cost if rules.research_cost else 0
    while most and legal.why_not(Research(most)) is not None:
        most -= 1
    return ResearchView(
        cost=rules.research_cost, most=most, success=rules.research_success, rolled=legal.state.researched
    )


def purchase_view(world: World, state: State, power: str) -> PurchaseView:
    money = state.treasury[power]
    prices = []
    for unit in world.units:
        cost = unit_type(world, state, power, unit).cost
        if cost is not None:
            prices.append(Price(unit=unit, cost=cost, affordable=money // cost))
    return PurchaseView(treasury=money, prices=prices)


def label(world: World, found: Decision, order: AnyOrder) -> str:
    """An answer in words for a button."""

    def place(space: str) -> str:
        return world.spaces[space].name

    match order:
        case orders.Fight(space=space):
            return f"Fight in {place(space)}"
        case orders.Rocket(gun=gun, target=target):
            return f"Fire a rocket from {place(gun)} at {place(target)}"
        case orders.Stay():
            return "Fire none" if found.kind == "rocket" else "Stay and fight"
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
        case _:
            return format_order(order)


def question(world: World, found: Decision) -> str:
    """What is asked, in one sentence."""
    who = world.powers[found.power].name
    where = world.spaces[found.space].name if found.space else ""
    places = listed([world.spaces[place].name for place in found.places], "or")
    match found.kind:
        case "research":
            return f"{who}: how many research dice to buy, if any?"
        case "purchase":
            return f"{who}: what to buy?"
        case "combat-move":
            return f"{who}: which units attack, and where?"
        case "rocket":
            return f"{who}: fire a rocket?"
        case "battle":
            if found.optional:
                return f"{who}: attack in {places}, or leave it at that?"
            return f"{who}: which battle is fought next, {places}?"
        case "casualties":
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
            if found.planes_only:
                return f"{who}: press on in {where}, or let the planes break off?"
            if found.must_leave:
                return f"{who}: where do the ships in {where} retreat to, {places}?"
            return f"{who}: press on in {where}, or retreat to {places}?"
        case "noncombat-move":
            return f"{who}: which units move, and where do the planes land?"
        case "mobilize":
            return f"{who}: where do the new units go?"
        case _:
            return f"{who}: {found.kind.replace('-', ' ')}?"
