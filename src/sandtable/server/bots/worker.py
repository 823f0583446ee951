"""A process in which bots think: reads questions from standard input, one JSON object a line, and writes answers.

Started by `sandtable.server.bots.workers` as `python -m sandtable.server.bots.worker MODULE…`. What a bot prints goes
to standard error, so that it cannot be taken for an answer.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import msgspec

from sandtable.archive import snapshot
from sandtable.engine.decision import Decision, decision
from sandtable.engine.facts import production
from sandtable.engine.game import View
from sandtable.engine.legal import Legal
from sandtable.errors import SandtableError, one_stop
from sandtable.notation import format_order
from sandtable.play import Player
from sandtable.server.bots import registry
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits
from sandtable.world.library import ensure

if TYPE_CHECKING:
    from sandtable.bots import Bot

NICE = 5  # a bot can wait a moment, a person who has given an order should not
READY = b"ready\n"  # the first line of a worker: whatever takes time from now on is the bot's thinking


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """One question for a bot, with everything that it may know."""

    player: str
    style: str
    seed: str  # of the bot's own chance: the same question always gets the same answer
    number: int  # of the question in the game
    seat: str
    powers: tuple[str, ...]
    scenario: str
    edition: str = ""  # the files of an edition from outside, packed
    options: Mapping[str, bool | int | str]
    edits: Mapping[str, Any]
    state: Mapping[str, Any]
    explain: bool = False  # what it means to do and why, instead of an order


class Reason(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Some orders that serve one end, and why."""

    why: str
    orders: tuple[str, ...] = ()
    space: str = ""
    gain: float | None = None
    odds: float | None = None


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    order: str = ""
    plan: tuple[Reason, ...] = ()
    error: str = ""


def answer(job: Job) -> Answer:
    """What the bot says."""
    bot = registry.find(job.player).make(job.seed, job.style, job.number)
    ensure(job.scenario, job.edition)
    world = compile_world(job.scenario, job.options, parse_edits(job.edits))
    state = snapshot.from_data(world, job.state)
    question = decision(world, state)
    if question is None:
        raise SandtableError("The game is over.")
    if job.explain:
        return Answer(plan=_plan(bot, Legal(world, state), question))
    levels = {power: production(world, state, power) for power in world.powers}
    view = View(job.seat, job.powers, state, question, question.power in job.powers, levels)
    return Answer(order=format_order(bot.decide(view, Legal(world, state), question)))


def _plan(bot: Player, legal: Legal, question: Decision) -> tuple[Reason, ...]:
    """The bot's plan for the phase that is open, or its reason for one answer. Not every player has one."""
    from sandtable.bots.bot import PHASES  # an instructor or a recruit needs none of it

    if not hasattr(bot, "plan"):
        raise SandtableError(f"{bot.name} follows no plan.")
    planner = cast("Bot", bot)
    if question.kind not in PHASES:
        return (Reason(why=one_stop(planner.explain(legal, question)), space=question.space or ""),)
    return tuple(
        Reason(
            why=one_stop(step.reason),
            orders=tuple(map(format_order, step.orders)),
            space=step.space,
            gain=step.gain,
            odds=step.odds,
        )
        for step in planner.plan(legal.world, legal.state).steps
    )


def run(source: BinaryIO, sink: BinaryIO) -> None:
    """Answer until the server closes the line."""
    decoder = msgspec.json.Decoder(Job)
    sink.write(READY)
    sink.flush()
    for line in source:
        try:
            reply = answer(decoder.decode(line))
        except Exception as error:  # a bot's mistake must not end the process
            reply = Answer(error=f"{type(error).__name__}: {error}")
        sink.write(msgspec.json.encode(reply) + b"\n")
        sink.flush()


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is meant for the server, which ends this
    if hasattr(os, "nice"):
        os.nice(NICE)
    sink = sys.stdout.buffer
    sys.stdout = sys.stderr
    registry.load(tuple(sys.argv[1:]))
    run(sys.stdin.buffer, sink)


if __name__ == "__main__":
    main()
