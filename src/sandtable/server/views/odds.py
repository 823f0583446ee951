"""Odds of battles and raids, as the page asks for them and shows them."""

from __future__ import annotations

from itertools import islice
from typing import Annotated, Literal

from pydantic import Field

from sandtable.engine.legal import Legal
from sandtable.engine.state import State
from sandtable.notation import format_order
from sandtable.odds import Odds, OddsError, RaidOdds, Retreat, odds, raid_odds
from sandtable.odds.after import outlooks
from sandtable.odds.intentions import Boats
from sandtable.odds.result import Source
from sandtable.server.views.base import Body, Model
from sandtable.server.views.games import Value, Word
from sandtable.world.compile import compile_world
from sandtable.world.model import World

MOST = 300  # units of a side: what a calculator may be asked without keeping others waiting
ENDS = 40  # ends of the battle that are listed
ROUNDS = 12_000  # pairs of states up to which the distribution of rounds is worked out, too

Number = Annotated[int, Field(ge=0, le=MOST)]


class RetreatBody(Body):
    """The attacker breaks off after a round as soon as one of these holds."""

    rounds: Annotated[int, Field(ge=1, le=1000)] | None = Field(None, description="so many rounds have been fought")
    units: Number = Field(0, description="fewer than so many units are left")
    land_units: Number = Field(0, description="fewer than so many units that can take land are left")
    only_planes: bool = Field(False, description="nothing but planes is left")
    odds: float = Field(0.0, ge=0, le=1, description="the chance to win by fighting on is below this")


class OddsBody(Body):
    """A battle on paper. Ships among the attackers of a land battle give support shots."""

    scenario: Word = "classic-1942"
    options: dict[str, Value] = Field({}, max_length=100)
    attackers: dict[Word, Number] = Field(max_length=60)
    defenders: dict[Word, Number] = Field({}, max_length=60)
    kind: Literal["land", "sea", "raid"] | None = None
    attacker: Word | None = Field(None, description="the power")
    defender: Word | None = None
    attacker_techs: list[Word] = Field([], max_length=30)
    defender_techs: list[Word] = Field([], max_length=30)
    attacker_order: str = Field("weakest", max_length=500, description="`weakest`, `cheapest`, or units by name")
    defender_order: str = Field("weakest", max_length=500)
    keep_land: Number = Field(0, description="attackers that can take land and are lost last of all")
    amphibious: bool | None = Field(None, description="troops land and cannot retreat; left out: if ships support")
    retreat: RetreatBody = Field(default_factory=lambda: RetreatBody.model_validate({}))
    attacker_submarines: Boats = "stay"
    defender_submarines: Boats = "stay"


class End(Model):
    """One way in which the battle may end."""

    chance: float
    result: Literal["win", "draw", "loss", "retreat"]
    attackers: dict[str, int]
    defenders: dict[str, int]


class SideOdds(Model):
    units: dict[str, int]
    lost_ipc: float = Field(description="on average")
    lost: dict[str, float] = Field(description="by unit, on average")
    left: list[float] = Field(description="the chance that 0, 1, 2... units are left")


class OddsView(Model):
    kind: Literal["land", "sea"]
    exact: bool = Field(description="false: it was played out")
    method: Source
    runs: int = Field(description="battles that were played, where no exact odds are known; else 0")
    interval: tuple[float, float] = Field(description="in which the chance to win lies with 95 % confidence")
    why: str = Field(description="why there are no exact odds; empty where there are")
    win: float
    draw: float
    loss: float
    retreat: float
    attack: SideOdds
    defense: SideOdds
    swing: float = Field(description="IPC that the defender loses more than the attacker, on average")
    mean_rounds: float
    rounds: list[float] | None = Field(description="the chance that it ends with round 1, 2...; None for huge battles")
    holds: list[float] = Field(description="the chance to win with at least 1, 2... units that can take land")
    ends: list[End] = Field(description="the likeliest ends")


class RaidView(Model):
    method: Source
    runs: int = Field(description="raids that were played, where no exact odds are known; else 0")
    interval: tuple[float, float] = Field(description="in which the chance to lose no plane lies, 95 % confidence")
    lost: list[float] = Field(description="the chance that 0, 1, 2... planes are lost")
    damage: list[float] = Field(description="the chance of damage of 0, 1, 2..., in IPC or markers")
    expected_damage: float
    loss_worth: float = Field(description="IPC of planes, on average")
    swing: float


class Calculated(Model):
    """The odds, or why there are none."""

    battle: OddsView | None = None
    raid: RaidView | None = None
    message: str = ""
    notes: list[str] = Field(default=[], description="what else awaits the attacker there, in words")


class PendingOdds(Model):
    """The odds in one of the spaces where a battle waits."""

    space: str
    odds: Calculated


class AnswerOdds(Model):
    """What one answer to the open question brings, played out so many times."""

    order: str
    runs: int
    lost: float = Field(description="IPC of units that the asked power and its friends lose, on average")
    killed: float = Field(description="IPC of units that their enemies lose, on average")
    damage: float = Field(description="to facilities of the asked power and its friends, on average")
    falls: dict[str, float] = Field(description="land that may fall, with the chance of it")


RISING = frozenset({"scramble", "interdict", "intercept", "ambush"})
"""Questions of which every answer is worth playing out."""

MOST_ANSWERS = 24  # three zones attacked beside two bases come to about fifteen


def answer_odds(world: World, state: State, seconds: float) -> list[AnswerOdds]:
    legal = Legal(world, state)
    question = legal.decision
    if question is None or question.kind not in RISING:
        return []
    answers = list(islice(legal.orders(), MOST_ANSWERS))
    found = outlooks(world, state, question.power, answers, first=question.space, seconds=seconds)
    return [
        AnswerOdds(
            order=format_order(each.order),
            runs=each.runs,
            lost=round(each.lost, 1),
            killed=round(each.killed, 1),
            damage=round(each.damage, 1),
            falls={space: round(chance, 2) for space, chance in each.falls.items()},
        )
        for each in found
    ]


def odds_view(found: Odds) -> OddsView:
    a_lost, d_lost = found.losses_by_type
    a_worth, d_worth = found.expected_losses
    force = found.model.attack
    takers = sum(n for kind, n in zip(force.kinds, force.counts, strict=True) if kind.captures)
    return OddsView(
        kind="sea" if found.model.kind == "sea" else "land",
        exact=found.exact,
        method=found.method,
        runs=found.runs,
        interval=found.interval,
        why=found.why,
        win=found.win,
        draw=found.draw,
        loss=found.loss,
        retreat=found.retreat,
        attack=SideOdds(units=found.forces[0], lost_ipc=a_worth, lost=a_lost, left=found.left("attack")),
        defense=SideOdds(units=found.forces[1], lost_ipc=d_worth, lost=d_lost, left=found.left("defense")),
        swing=found.swing,
        mean_rounds=found.mean_rounds,
        rounds=list(found.rounds) if found.cells <= ROUNDS else None,
        holds=[found.take_and_hold(number) for number in range(1, min(takers, 60) + 1)],
        ends=[
            End(chance=end.chance, result=end.result, attackers=dict(end.attackers), defenders=dict(end.defenders))
            for end in found.survivors(most=ENDS)
        ],
    )


def raid_view(found: RaidOdds) -> RaidView:
    return RaidView(
        method=found.method,
        runs=found.runs,
        interval=found.interval,
        lost=list(found.lost),
        damage=list(found.damage),
        expected_damage=found.expected_damage,
        loss_worth=found.loss_worth,
        swing=found.swing,
    )


def calculated(body: OddsBody) -> Calculated:
    """The odds of a battle on paper. Raises SandtableError when it cannot be."""
    for side in (body.attackers, body.defenders):
        if sum(side.values()) > MOST:
            raise OddsError(f"A side may have {MOST} units here; the command line takes more.")
    world = compile_world(body.scenario, body.options)
    if body.kind == "raid":
        guns = sum(n for unit, n in body.defenders.items() if unit in world.units and world.units[unit].anti_air)
        found = raid_odds(
            world,
            body.attackers,
            power=body.attacker,
            techs=body.attacker_techs,
            defender_techs=body.defender_techs,
            aa_guns=guns,
        )
        return Calculated(raid=raid_view(found))
    battle = odds(
        world,
        body.attackers,
        body.defenders,
        kind=body.kind,
        attacker_power=body.attacker,
        defender_power=body.defender,
        attacker_techs=body.attacker_techs,
        defender_techs=body.defender_techs,
        attacker_order=body.attacker_order,
        defender_order=body.defender_order,
        keep_land=body.keep_land,
        amphibious=body.amphibious,
        retreat=Retreat(**body.retreat.model_dump()),
        attacker_submarines=body.attacker_submarines,
        defender_submarines=body.defender_submarines,
    )
    return Calculated(battle=odds_view(battle))
