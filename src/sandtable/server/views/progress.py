"""How the war stands, for the page: cities, objectives, damaged complexes and incomes, in names beside ids."""

from __future__ import annotations

from pydantic import Field

from sandtable.engine.progress import expected_income, progress
from sandtable.engine.state import State
from sandtable.server.views.base import Model
from sandtable.world.model import PowerId, World


class CityView(Model):
    """A victory city."""

    space: str
    city: str
    power: str | None = Field(description="who controls it now")
    side: str | None = Field(description="for whose victory it counts")


class StandingView(Model):
    """How near a side is to one way of winning."""

    side: str
    name: str
    have: int
    needs: int
    rules: list[str]
    power: str | None = Field(None, description="where a power wins alone")
    until: str | None = Field(None, description="reached, and to be held until the next turn of this power ends")


class ObjectiveView(Model):
    """A national objective, as if income were collected now."""

    id: str
    name: str
    power: str
    bonus: int = Field(description="what it would bring now; if it is not met, what it can bring")
    each: bool = Field(description="it is paid for each that it counts")
    met: bool
    missing: list[str] = Field(description="what keeps it from being met, in words")
    rules: list[str]


class ComplexView(Model):
    space: str
    power: str
    damage: int
    most: int = Field(description="damage that it can take")
    output: int | None = Field(description="units that it can receive all the same; null: any number")


class GainView(Model):
    """What a power would get beside its production, and for what."""

    name: str
    amount: int


class IncomeView(Model):
    """What a power would collect now."""

    production: int
    gains: list[GainView] = Field(description="objectives that are met, and what else brings a fixed sum")
    dice: int = Field(description="extra dice of income")
    certain: int = Field(description="without the dice")


def income_view(world: World, state: State, power: PowerId) -> IncomeView:
    found = expected_income(world, state, power)
    return IncomeView(
        production=found.production,
        gains=[GainView(name=gain.name, amount=gain.amount) for gain in found.gains],
        dice=found.dice,
        certain=found.certain,
    )


class ProgressView(Model):
    cities: list[CityView]
    standings: list[StandingView]
    objectives: list[ObjectiveView]
    complexes: list[ComplexView]
    incomes: dict[str, IncomeView]
    researchers: dict[str, int] = Field(description="powers that have some, with their number")


def progress_view(world: World, state: State) -> ProgressView:
    found = progress(world, state)
    side_of = {space: count.side for count in found.cities for space in count.held}
    return ProgressView(
        cities=[
            CityView(
                space=space.id, city=space.victory_city, power=state.owners.get(space.id), side=side_of.get(space.id)
            )
            for space in world.spaces.values()
            if space.victory_city
        ],
        standings=[
            StandingView(
                side=s.side,
                name=s.name,
                have=s.have,
                needs=s.needs,
                rules=list(s.rules),
                power=s.power,
                until=s.until,
            )
            for s in found.standings
        ],
        objectives=[
            ObjectiveView(
                id=o.id,
                name=o.name,
                power=o.power,
                bonus=o.bonus,
                each=o.each,
                met=o.met,
                missing=list(o.missing),
                rules=list(o.rules),
            )
            for o in found.objectives
        ],
        complexes=[
            ComplexView(space=c.space, power=c.owner, damage=c.damage, most=c.most, output=c.output)
            for c in found.complexes
        ],
        incomes={power: income_view(world, state, power) for power in world.order},
        researchers={power: n for power in world.powers if (n := state.tokens.get(power, 0))},
    )
