"""The order of play: from phase to phase and from power to power, as far as nobody has to decide anything."""

from __future__ import annotations

from sandtable.engine import alliances, cards, leader, permission, questions, restraint, spies, support, victory
from sandtable.engine.battle.conduct import conduct
from sandtable.engine.conditions.history import remember
from sandtable.engine.decision import asked
from sandtable.engine.events import PhaseBegan, Surrendered, TurnBegan, Won
from sandtable.engine.facts import phase_name
from sandtable.engine.phases import PHASES
from sandtable.engine.phases.base import Phase
from sandtable.engine.run import Run
from sandtable.engine.special import industry
from sandtable.errors import Refusal
from sandtable.notation.orders import (
    Ally,
    AnyOrder,
    Break,
    Buy,
    End,
    Fight,
    Permit,
    Repair,
    Reveal,
    Sabotage,
    Surrender,
)


def current(run: Run) -> Phase:
    return PHASES[phase_name(run.world, run.state)]


def advance(run: Run) -> None:
    """Let everything happen that needs no decision."""
    while not run.state.over and not run.state.questions:
        if run.world.milestones:
            remember(run)
        if run.world.restraints:
            restraint.settle(run)
        if run.world.industrial:
            industry.mobilize(run)
        victory.check(run, "at-once")
        if run.state.over:
            return
        if run.state.leaderless:
            leader.settle(run)
            if run.state.questions:
                return
        if run.state.battle is not None:
            conduct(run)
            continue
        if current(run).is_open(run):
            return
        current(run).leave(run)
        next_phase(run)


def next_phase(run: Run) -> None:
    world = run.world
    for index in range(run.state.phase + 1, len(world.phases)):
        actor = world.actors[index]
        if actor is None or world.powers[actor].played_by == world.order[run.state.turn]:
            begin_phase(run, index)
            return
    victory.check(run, "turn")
    last = run.state.turn + 1 == len(world.order)
    if last:
        victory.check(run, "round")
    if not run.state.over:
        begin_turn(run, run.state.round + last, 0 if last else run.state.turn + 1)


def begin_turn(run: Run, number: int, turn: int) -> None:
    run.emit(TurnBegan(run.world.order[turn], number, turn))
    if turn == 0:
        cards.draw(run)  # before anybody plays (G40-EVT-01)
    support.levy(run, run.world.order[turn])
    begin_phase(run, 0)


def begin_phase(run: Run, index: int) -> None:
    power = run.world.actors[index] or run.world.order[run.state.turn]
    run.emit(PhaseBegan(power, run.world.phases[index], index))
    current(run).enter(run)


def answer(run: Run, order: AnyOrder) -> None:
    """Carry out one order; refuse it whole if it breaks a rule, by the rule of the edition that is played."""
    try:
        _answer(run, order)
    except Refusal as refusal:
        raise refusal.cited(run.world.citations) from None


def _answer(run: Run, order: AnyOrder) -> None:
    if run.state.over:
        raise Refusal("game-over", "The game is over.")
    cards.check(run, order)
    if type(order) in UNBIDDEN and _unbidden(run, order):
        return
    if run.state.questions:
        questions.answer(run, order)
        return
    if type(order) is End:
        if current(run).finish(run):
            current(run).leave(run)
            next_phase(run)
        return
    if type(order) in FIRST_PURCHASES and phase_name(run.world, run.state) == "research":
        current(run).leave(run)
        next_phase(run)  # research and purchase are one action of the turn: buying is going on to it
    current(run).answer(run, order)


FIRST_PURCHASES = (Buy, Repair)
UNBIDDEN = frozenset({Surrender, Fight, Ally, Break, Permit, Reveal, Sabotage})
"""Orders that may need no phase or question of their own; all others are spared a look at each of them."""


def _unbidden(run: Run, order: AnyOrder) -> bool:
    """Carry out what a power may say whatever it is asked, or at any time at which it is asked nothing in particular;
    False: that is not the case."""
    match order:
        case Surrender():
            surrender(run)
        case Fight() if _named_in_vain(run, order):
            pass
        case _ if run.state.questions:
            return False
        case Ally() | Break():
            alliances.carry_out(run, order)
        case Permit(space=str(space)):
            permission.grant(run, space)
        case Reveal() | Sabotage():
            spies.act(run, order)
        case _:
            return False
    return True


def _named_in_vain(run: Run, order: Fight) -> bool:
    """The battle named is the one being fought, or was the only choice and is over: nothing to do."""
    battle = run.state.battle
    return (battle is not None and battle.space == order.space) or order.space in run.state.fought


def surrender(run: Run) -> None:
    """A power gives up, and its side with it."""
    world = run.world
    if asked(world, run.state) != run.power:
        raise Refusal("surrender-out-of-turn", "A power surrenders on its own turn, when no other has to answer.")
    power = world.order[run.state.turn]  # also while it moves the units of another that it plays
    others = [s for s in world.sides if s != world.side_of(power)]
    if len(others) != 1:
        raise Refusal("nobody-to-surrender-to", "Each country fights for itself: none can give the game to another.")
    run.emit(Surrendered(power))
    run.emit(Won(others[0], f"{world.powers[power].name} has surrendered.", world.cite("power-surrendered")))
