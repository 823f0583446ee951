"""Leave to share land, decks and transports with an ally whom somebody else plays (G40-POL-64).

The owner is asked when the move is ordered, and the answer covers that order only: until then nothing has moved. What
was refused is not asked again in that turn.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from sandtable.engine.events import AnyEvent, Boarded, Landed, Moved
from sandtable.engine.facts import deck_space, name, phase_name, trapped
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import Question, State
from sandtable.errors import Refusal
from sandtable.notation import format_order
from sandtable.notation.orders import Move
from sandtable.world.model import PowerId, SpaceId, World

TOPIC = "sharing"


def check(world: World, state: State, order: Move) -> None:
    """Refuse what somebody has not agreed to."""
    if is_refused(state, order):
        place = name(world, order.route[-1])
        raise Refusal("host-does-not-agree", f"Your ally has not agreed to that in {place} this turn.", (place,))


def is_refused(state: State, order: Move) -> bool:
    return bool(state.refused) and key(order) in state.refused


def key(order: Move) -> str:
    """What is remembered of an order: the same whatever way it takes, and whichever units of a kind."""
    units = tuple(msgspec.structs.replace(spec, marks=None) for spec in order.units)
    return format_order(msgspec.structs.replace(order, units=units, route=(order.route[0], order.route[-1])))


def owners_to_ask(world: World, before: State, after: State, events: Iterable[AnyEvent]) -> tuple[PowerId, ...]:
    """Whose leave these moves need, which led from one state to the other."""
    if not world.rules.hosts_agree:
        return ()
    found: dict[PowerId, None] = {}
    for event in events:
        if not isinstance(event, Moved | Landed | Boarded):
            continue
        power, end = event.power, event.path[-1]
        if isinstance(event, Boarded):
            hosts = {ship.power for change in event.changes for ship, _ in change.plus if ship.cargo}
        elif world.spaces[end].is_land:
            hosts = {before.owners[end]} if end in before.owners else set()
        else:
            hosts = _hosts_at_sea(world, before, after, power, end)
        strangers = friends(world, before, power).difference(_together(before, power))
        found |= dict.fromkeys(host for host in world.powers if host in hosts & strangers and world.powers[host].played)
    return tuple(found)


def _together(state: State, power: PowerId) -> tuple[PowerId, ...]:
    """The powers that whoever plays this one runs."""
    return next((seat for seat in state.partners if power in seat), (power,))


def _hosts_at_sea(world: World, before: State, after: State, power: PowerId, zone: SpaceId) -> set[PowerId]:
    """Who has the most room for planes that end their move there and find none on carriers of their player."""
    if phase_name(world, before) != "noncombat-move":
        return set()
    if _without_deck(world, after, power, zone) <= max(0, _without_deck(world, before, power, zone)):
        return set()
    stack, ours = after.at(zone), _together(before, power)
    others = [p for p in world.powers if p in friends(world, before, power) and p not in ours]
    room = {p: max(deck_space(world, after, stack, frozenset((p,))).values(), default=0) for p in others}
    best = max(others, key=lambda p: room[p], default="")
    return {best} if room.get(best) else set()


def _without_deck(world: World, state: State, power: PowerId, zone: SpaceId) -> int:
    """Planes of one player over the zone beyond those that fit on his own carriers there."""
    stack, ours = state.at(zone), frozenset(_together(state, power))
    caught = dict(trapped(world, state, zone, stack))
    planes = [(p, n) for p, n in stack.items() if p.power in ours and world.units[p.type].domain == "air"]
    room = max(deck_space(world, state, stack, ours).values(), default=0)
    return sum(n - caught.get(p, 0) for p, n in planes) - room


def ask(run: Run, order: Move, owners: tuple[PowerId, ...]) -> None:
    """Ask the first of the owners; the others are asked when this one has agreed."""
    run.ask(Question("permit", owners[0], order.route[-1], terms=(TOPIC, format_order(order), *owners[1:])))
