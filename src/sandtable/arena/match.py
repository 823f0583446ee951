"""One game between two bots, played to its end or to its last round."""

from __future__ import annotations

import statistics
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from sandtable.archive.game import SavedGame
from sandtable.arena import verdict
from sandtable.bots import Bot, make
from sandtable.engine.events import Captured, Won
from sandtable.engine.facts import active, production
from sandtable.errors import SandtableError
from sandtable.notation import format_order
from sandtable.world.library import ensure
from sandtable.world.model import PowerId, SideId, World

NO_SIDE = "3star"
MOST_ORDERS = 4_000  # in one round: no sensible game needs a tenth of it, and none may hang

Ending = Literal["victory", "adjudicated", "decided", "failed"]
"""victory: by the rules · adjudicated: at the last round · decided: one side's share was overwhelming · failed."""


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that a process needs to know to play one game."""

    number: int
    scenario: str
    edition: str = ""  # the files of an edition from outside, packed
    bots: Mapping[SideId, str]
    seed: str  # of the dice and of the bots
    rounds: int
    options: Mapping[str, bool | int | str] = {}
    decided_at: float = 0.0  # a side with this share of all worth has won; 0: play on
    save_to: str = ""


class PowerReport(msgspec.Struct, frozen=True, kw_only=True):
    """How one power fared."""

    production: int
    units: int  # their price
    treasury: int
    captures: int  # territories that it took
    capital_lost: bool
    turns: int
    median_turn: float  # seconds of thought
    longest_turn: float


class GameResult(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    seed: str
    bots: Mapping[SideId, str]
    winner: SideId | None
    ending: Ending
    rounds: int
    reason: str
    shares: Mapping[SideId, float]
    powers: Mapping[PowerId, PowerReport]
    options: Mapping[str, bool | int | str] = {}  # those chosen, by somebody or by chance
    file: str = ""

    @property
    def failed(self) -> bool:
        return self.ending == "failed"


def play(job: Job) -> GameResult:
    """Play the game. A mistake of a bot is part of the result, not an exception: the other games go on."""
    ensure(job.scenario, job.edition)
    game = SavedGame.new(job.scenario, options=dict(job.options), seed=job.seed)
    thought: dict[tuple[PowerId, int], float] = {}
    captures: dict[PowerId, int] = {}
    ending: Ending = "victory"
    reason = ""
    try:
        ending = _play(game, job, thought, captures)
    except SandtableError as error:
        ending, reason = "failed", str(error)
    except Exception as error:  # a bot's programming mistake must not stop a tournament
        ending, reason = "failed", f"{type(error).__name__}: {error}"
    winner = game.state.winner
    if ending == "victory":
        reason = next((e.reason for e in reversed(game.events) if isinstance(e, Won)), "")
    elif ending == "adjudicated":
        winner = verdict.ahead(game.world, game.start, game.state)
        reason = f"Round {job.rounds} was the last: " + (f"the {winner} are ahead." if winner else "nobody is ahead.")
    elif ending == "decided":
        winner = max(game.world.sides, key=lambda s: verdict.share(game.world, game.state, s))
        reason = f"The {winner} have {verdict.share(game.world, game.state, winner):.0%} of everything."
    return GameResult(
        number=job.number,
        seed=job.seed,
        bots=job.bots,
        winner=winner,
        ending=ending,
        rounds=min(game.state.round, job.rounds),
        reason=reason,
        shares={s: verdict.share(game.world, game.state, s) for s in game.world.sides},
        powers={p: _report(game, p, thought, captures) for p in game.world.order},
        options=job.options,
        file=_save(game, job),
    )


def _play(game: SavedGame, job: Job, thought: dict[tuple[PowerId, int], float], captures: dict[PowerId, int]) -> Ending:
    world = game.world
    players = seated(world, job)
    number, orders = game.state.round, 0
    while (question := game.decision) is not None:
        if game.state.round != number:
            number, orders = game.state.round, 0
            if job.decided_at and any(verdict.share(world, game.state, s) >= job.decided_at for s in world.sides):
                return "decided"
        if number > job.rounds:
            return "adjudicated"
        orders += 1
        if orders > MOST_ORDERS:
            raise SandtableError(f"Round {number} has had {MOST_ORDERS} orders and does not end.")
        began = time.perf_counter()
        order = players[question.power].decide(game.view(game.seat_of(question.power)), game.legal, question)
        if question.power == active(world, game.state):
            turn = (question.power, game.state.round)
            thought[turn] = thought.get(turn, 0.0) + time.perf_counter() - began
        try:
            events = game.play(order)
        except SandtableError as error:
            raise SandtableError(f"{players[question.power].name} gave `{format_order(order)}`: {error}") from error
        for event in events:
            if isinstance(event, Captured) and event.reason in ("capture", "liberation"):
                captures[event.by] = captures.get(event.by, 0) + 1
    return "victory"


def seated(world: World, job: Job) -> dict[PowerId, Bot]:
    """A player for everybody; armies of no side are nobody's cause."""
    return {p: make(job.bots.get(world.side_of(p), NO_SIDE), f"{job.seed}/{p}") for p in world.powers}


def _report(
    game: SavedGame, power: PowerId, thought: Mapping[tuple[PowerId, int], float], captures: Mapping[PowerId, int]
) -> PowerReport:
    world, state = game.world, game.state
    capital = world.powers[power].capital
    owner = state.owners.get(capital) if capital else None
    turns = [seconds for (p, _), seconds in thought.items() if p == power]
    return PowerReport(
        production=production(world, state, power),
        units=verdict.units_value(world, state, power),
        treasury=state.treasury[power],
        captures=captures.get(power, 0),
        capital_lost=owner is not None and world.side_of(owner) != world.side_of(power),
        turns=len(turns),
        median_turn=statistics.median(turns) if turns else 0.0,
        longest_turn=max(turns, default=0.0),
    )


def _save(game: SavedGame, job: Job) -> str:
    if not job.save_to:
        return ""
    path = Path(job.save_to) / f"game-{job.number:04}.sandtable"
    path.parent.mkdir(parents=True, exist_ok=True)
    game.save(path)
    return str(path)
