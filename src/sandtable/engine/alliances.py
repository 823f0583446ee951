"""Alliances that are made and broken freely, where an edition or option wants it so (MX20-04, MX20-05).

An alliance joins two powers. It is offered in one's own turn and answered at once; either of the two ends it in its own
turn, without a word from the other.
"""

from __future__ import annotations

from sandtable.engine.events import AllianceBroken
from sandtable.engine.run import Run
from sandtable.engine.state import State, pair
from sandtable.errors import Refusal
from sandtable.notation.orders import Ally, Break
from sandtable.world.model import PowerId, World

TOPIC = "alliance"


def carry_out(run: Run, order: Ally | Break) -> None:
    """Offer an alliance to another power, or end the one with it."""
    world, state, power, other = run.world, run.state, run.power, order.power
    if world.rules.relations != "alliances":
        raise Refusal("alliances-are-fixed", "Who is allied with whom is fixed in this game.")
    name, partner = world.powers[power].name, world.powers[other].name
    if other == power:
        raise Refusal("alliance-with-oneself", "An alliance joins two different countries.")
    if isinstance(order, Break):
        if not _joined(state, power, other):
            raise Refusal("no-alliance-to-break", f"{name} is not allied with {partner}.")
        run.emit(AllianceBroken(power, other))
        return
    if _joined(state, power, other):
        raise Refusal("allied-already", f"{name} and {partner} are allied.")
    from sandtable.engine.questions.permit import request  # questions know of alliances, too

    run.ask(request(TOPIC, other, power))


def partners(world: World, state: State, power: PowerId) -> list[PowerId]:
    """The allies of the power, where alliances can change."""
    return [p for p in _others(world, power) if _joined(state, power, p)]


def strangers(world: World, state: State, power: PowerId) -> list[PowerId]:
    """Powers that it could offer an alliance to."""
    return [p for p in _others(world, power) if not _joined(state, power, p)]


def _others(world: World, power: PowerId) -> list[PowerId]:
    return [p for p in world.powers if p != power] if world.rules.relations == "alliances" else []


def _joined(state: State, one: PowerId, other: PowerId) -> bool:
    """The two have an alliance, whatever a pact may close between them."""
    return state.stances is not None and pair(one, other) in state.stances.alliances
