"""Fighters that go up against enemy planes over their territory: who may, what they are told, and what becomes of them.

Rules: MX13-01, MX13-02, MX13-07 to MX13-11, MX13-17, MX13-18. When all combat moves are made, each owner of fighters in
a raided territory is asked once. Those who go up are out of every other battle of the turn: some meet the escorts, the
others go for the bombers. If their territory is captured meanwhile they are lost when all combat is over.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine.events import Change, Intercepted, Lost
from sandtable.engine.facts import active, amount, describe, is_friendly, name, type_of, unit_type
from sandtable.engine.naming import first_of, named
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Mark, Piece, Question, Stack, State, Units, add, count, units_of
from sandtable.errors import Refusal
from sandtable.notation.orders import Intercept, UnitSpec
from sandtable.world.model import PowerId, SpaceId, World

GROUPS = "groups"  # the question's term: escorts and bombers are met apart
UP: tuple[Mark, Mark] = ("engaging", "intercepting")


def ask_about_raids(run: Run) -> None:
    """Ask every owner of fighters in a territory that the acting power raids."""
    world, power = run.world, run.power
    if not world.rules.raid_interceptors:
        return
    for space in world.spaces:
        if any(p.power == power and p.mark == "raid" for p in run.state.at(space)):
            escorts = _with_mark(run.state.at(space), power, "escort")
            for question in questions(world, run.state, power, space, count(escorts)):
                run.ask(question)


def questions(world: World, state: State, attacker: PowerId, space: SpaceId, escorts: int) -> Iterator[Question]:
    """A question to each owner of fighters there, in the order of play; `escorts` have to be met before the bombers."""
    for owner in world.powers:
        if owner in enemies(world, state, attacker) and (free := fighters(world, state, owner, space)):
            yield Question("intercept", owner, space, count=escorts, units=units_of(free), terms=(GROUPS,))


def fighters(world: World, state: State, owner: PowerId, space: SpaceId) -> Stack:
    """The owner's planes there that can intercept and have nothing else to do."""
    return {
        p: n
        for p, n in state.at(space).items()
        if p.power == owner and not p.mark and type_of(world, state, p).intercepts
    }


def most_at_bombers(world: World, state: State, question: Question, number: int) -> int:
    """How many of so many interceptors may go for the bombers: as many as all of them outnumber the escorts by."""
    engaging = sum(
        n
        for p, n in state.at(question.space).items()
        if p.mark == "engaging" and p.power in enemies(world, state, active(world, state))
    )
    return max(0, number - max(0, question.count - engaging))


def answer(run: Run, question: Question, order: Intercept) -> None:
    """The fighters go up. Without more words the excess over the escorts goes for the bombers (MX13-18)."""
    world, state, space = run.world, run.state, question.space
    chosen = _named(world, run.state, question, dict(question.units), order.units)
    number = sum(n for _, n in chosen)
    most = most_at_bombers(world, state, question, number)
    if GROUPS not in question.terms:
        if order.at_bombers:
            raise Refusal(
                "interceptors-fly-together", "All interceptors meet the enemy planes together here.", (space,)
            )
        at_bombers: Units = chosen
    elif order.at_bombers is None:
        at_bombers = first_of(chosen, most)
    else:
        at_bombers = _named(world, run.state, question, dict(chosen), order.at_bombers)
        if sum(n for _, n in at_bombers) > most:
            free = f"{most} of {number}" if most else "none"
            raise Refusal(
                "escorts-come-first",
                f"At least as many interceptors as escorts have to meet these: {free} can go for the bombers.",
                (space,),
            )
    engaging = add({}, chosen)
    for piece, n in at_bombers:
        engaging[piece] -= n
    run.close()
    groups: list[tuple[Mark, Units]] = [("engaging", units_of({p: n for p, n in engaging.items() if n}))]
    groups.append(("intercepting", at_bombers))
    minus = tuple(item for _, units in groups for item in units)
    plus = tuple((msgspec.structs.replace(p, mark=mark), n) for mark, units in groups for p, n in units)
    told = sum(n for _, n in at_bombers)
    run.emit(Intercepted(question.power, space, chosen, told, (Change(space, minus, plus),)))


def _named(
    world: World, state: State, question: Question, left: dict[Piece, int], specs: tuple[UnitSpec, ...]
) -> Units:
    """The fighters that the order means, the least marked first."""
    chosen, missing = named(left, specs)
    if missing is not None:
        able = unit_type(world, state, question.power, missing.type).intercepts
        reason = "no-such-interceptor" if able else "unit-never-intercepts"
        raise Refusal(
            reason,
            f"{amount(world, missing.type, missing.count)} cannot go up over {name(world, question.space)}: "
            f"{describe(world, question.units)} can.",
            (question.space,),
        )
    return chosen


def _with_mark(stack: Stack, power: PowerId, mark: Mark) -> Stack:
    return {p: n for p, n in stack.items() if p.power == power and p.mark == mark}


def lose_grounded(run: Run) -> None:
    """Interceptors whose territory was captured have nowhere to return to (MX13-10, MX13-11)."""
    if not run.world.rules.raid_interceptors:
        return
    world = run.world
    for space in world.spaces:
        up = {p: n for p, n in run.state.at(space).items() if p.mark in UP}
        lost = units_of({p: n for p, n in up.items() if not is_friendly(world, run.state, p.power, space)})
        if lost:
            run.emit(Lost(space, "captured-base", lost, (Change(space, minus=lost),)))
