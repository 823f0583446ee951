"""What somebody at the table may see of a game in which something is hidden (G40-RES-08).

Only blind research hides anything: others see how far a project is, but not what it is. In its place they read its
letter, A for the first project that its power began. Whoever shows a state, an event or an order to a player who may
not know everything shows what these functions give.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from sandtable.engine.events import AnyEvent, ProjectAdvanced
from sandtable.engine.projects import hidden
from sandtable.engine.state import State
from sandtable.notation.orders import AnyOrder, Research
from sandtable.world.model import PowerId, TechId, World


def letter(state: State, power: PowerId, technology: TechId) -> str:
    """What others call a project: A, B ... Z, AA."""
    place = state.lettered.get(power, ()).index(technology)
    name = ""
    while place >= 0:
        name = chr(ord("A") + place % 26) + name
        place = place // 26 - 1
    return name


def secrets(world: World, state: State, seers: Collection[PowerId]) -> dict[PowerId, tuple[TechId, ...]]:
    """The projects that players of these powers may not know by name, by their owner."""
    if not world.rules.blind_research:
        return {}
    found = {p: hidden(world, state, p, None) for p in world.powers if p not in seers}
    return {power: projects for power, projects in found.items() if projects}


def seen_state(world: World, state: State, seers: Collection[PowerId]) -> State:
    """The state as players of these powers may see it; nobody's eyes are those of the public."""
    secret = secrets(world, state, seers)
    if not secret:
        return state
    projects = {
        power: {_name(state, secret, power, t): n for t, n in running.items()}
        for power, running in state.projects.items()
    }
    lettered = {power: letters for power, letters in state.lettered.items() if power in seers}
    actor = world.order[state.turn]
    advanced = tuple(_name(state, secret, actor, t) for t in state.advanced)
    return msgspec.structs.replace(state, projects=projects, lettered=lettered, advanced=advanced)


def seen_event(world: World, state: State, event: AnyEvent, seers: Collection[PowerId]) -> AnyEvent:
    """The same of something that happened; `state` is the one after it."""
    if not isinstance(event, ProjectAdvanced) or not world.rules.blind_research or event.power in seers:
        return event
    if (event.power, event.technology) in state.revealed or event.technology in state.techs.get(event.power, ()):
        return event
    return msgspec.structs.replace(event, technology=letter(state, event.power, event.technology))


def seen_order(world: World, state: State, order: AnyOrder, power: PowerId, seers: Collection[PowerId]) -> AnyOrder:
    """The same of an order that was given; `state` is the one after it."""
    if not isinstance(order, Research) or order.technology is None or not world.rules.blind_research or power in seers:
        return order
    secret = order.technology in hidden(world, state, power, None)
    return Research(order.dice, letter(state, power, order.technology)) if secret else order


def _name(state: State, secret: dict[PowerId, tuple[TechId, ...]], power: PowerId, technology: TechId) -> str:
    return letter(state, power, technology) if technology in secret.get(power, ()) else technology
