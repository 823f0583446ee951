"""Developments, projects, secret services, pilots and leaders."""

from __future__ import annotations

from typing import assert_never

from sandtable.engine.events.base import Change, Event, replace
from sandtable.engine.state import State, Units
from sandtable.world.model import PowerId, SpaceId, TechId, World


class Researched(Event, frozen=True, tag="researched"):
    power: PowerId
    dice: int
    cost: int
    successes: int


class Focused(Event, frozen=True, tag="focused"):
    """A die thrown for one development by name."""

    power: PowerId
    technology: TechId
    cost: int
    success: bool


class Sabotaged(Event, frozen=True, tag="sabotaged"):
    """A breakthrough that an enemy undid before it became one."""

    power: PowerId  # who would have had it
    by: PowerId


class ResearchersChanged(Event, frozen=True, tag="researchers"):
    """Researchers hired, or all of them gone after a breakthrough; `total` is what there are now."""

    power: PowerId
    change: int
    total: int


class BreakthroughMade(Event, frozen=True, tag="breakthrough"):
    """A six: the power names a chart, and a die picks a development from it."""

    power: PowerId


class ProjectAdvanced(Event, frozen=True, tag="project"):
    """The marker of a project moves on the research track, forward or (negative) back."""

    power: PowerId  # whose project it is
    technology: TechId
    spaces: int
    place: int  # where it is now


class ProjectRevealed(Event, frozen=True, tag="project-revealed"):
    """A blind project is known to all from now on."""

    power: PowerId  # whose project it is
    technology: TechId
    by: PowerId


class SpiesStopped(Event, frozen=True, tag="spies-stopped"):
    """Counter-intelligence has foiled what a secret service was up to."""

    power: PowerId
    by: PowerId


class SpiesUsed(Event, frozen=True, tag="spies"):
    """A secret service is at work; it is free again next turn."""

    power: PowerId


class PilotsTrained(Event, frozen=True, tag="pilots"):
    """The level of a power's pilots rises, stays or falls."""

    power: PowerId
    change: int
    level: int
    cost: int


class TechGained(Event, frozen=True, tag="technology"):
    power: PowerId
    technology: TechId


class LeaderNamed(Event, frozen=True, tag="leader"):
    """A unit is led from now on, as long as it lives."""

    power: PowerId
    space: SpaceId
    units: Units
    changes: tuple[Change, ...]


ResearchEvent = (
    Researched
    | Focused
    | Sabotaged
    | ResearchersChanged
    | BreakthroughMade
    | ProjectAdvanced
    | ProjectRevealed
    | SpiesStopped
    | SpiesUsed
    | PilotsTrained
    | TechGained
    | LeaderNamed
)


def fold(world: World, state: State, event: ResearchEvent) -> State:
    match event:
        case Researched():
            return replace(state, researched=True)
        case Focused():
            return replace(state, focused=True)
        case ResearchersChanged(power=power, total=total):
            return replace(state, tokens={p: n for p, n in {**state.tokens, power: total}.items() if n})
        case BreakthroughMade():
            return replace(state, breakthrough=True)
        case ProjectAdvanced():
            return _with_project(world, state, event)
        case ProjectRevealed(power=power, technology=tech):
            return replace(state, revealed=tuple(sorted({*state.revealed, (power, tech)})))
        case SpiesUsed():
            return replace(state, spied="used")
        case SpiesStopped():
            return replace(state, spied="stopped")
        case PilotsTrained(power=power, level=level):
            return replace(state, pilots={p: n for p, n in {**state.pilots, power: level}.items() if n})
        case TechGained(power=power, technology=tech):
            known = state.techs.get(power, frozenset()) | {tech}
            state = _without_project(state, power, tech)
            leaderless = state.leaderless if world.technologies[tech].leader is None else (*state.leaderless, power)
            return replace(state, techs={**state.techs, power: known}, breakthrough=False, leaderless=leaderless)
        case LeaderNamed(power=power):
            return replace(state, leaderless=tuple(p for p in state.leaderless if p != power))
        case Sabotaged():
            return state  # they tell why something else happens
        case _:
            assert_never(event)


def _with_project(world: World, state: State, event: ProjectAdvanced) -> State:
    running = state.projects.get(event.power, {})
    letters = state.lettered.get(event.power, ())
    if world.rules.blind_research and event.technology not in letters:
        state = replace(state, lettered={**state.lettered, event.power: (*letters, event.technology)})
    projects = {**state.projects, event.power: {**running, event.technology: event.place}}
    if event.spaces <= 0:
        return replace(state, projects=projects)
    begun = state.begun + (event.technology not in running)
    advanced = state.advanced if event.technology in state.advanced else (*state.advanced, event.technology)
    return replace(state, projects=projects, begun=begun, advanced=advanced)


def _without_project(state: State, power: PowerId, tech: TechId) -> State:
    """What is developed is no project any more."""
    if tech not in state.projects.get(power, {}):
        return state
    left = {t: n for t, n in state.projects[power].items() if t != tech}
    projects = {p: running for p, running in {**state.projects, power: left}.items() if running}
    revealed = tuple(known for known in state.revealed if known != (power, tech))
    return replace(state, projects=projects, revealed=revealed)
