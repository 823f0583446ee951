"""Research on a track: one die a project and turn, whose marker moves on until the development is reached.

G40-RES-01 to G40-RES-09, G40-RES-24. Which projects there are, and how fast a slow one goes, are facts of the
technologies (`Technology.progress`).
"""

from __future__ import annotations

from sandtable.engine import cards
from sandtable.engine.events import ProjectAdvanced, Rolled, TechGained
from sandtable.engine.facts import NOTHING
from sandtable.engine.run import Run
from sandtable.engine.state import State
from sandtable.errors import Refusal
from sandtable.world.model import PowerId, TechId, World


def possible(world: World, state: State, power: PowerId) -> tuple[TechId, ...]:
    """Projects that the power may buy a die for now."""
    rules = world.rules
    if rules.developments != "tracked" or not world.powers[power].researches or state.pool or state.repaired:
        return ()
    if state.treasury[power] < cards.research_cost(world, state) or cards.forbids_word(world, state, "research"):
        return ()
    known, running = state.techs.get(power, NOTHING), state.projects.get(power, {})
    full = state.begun >= rules.new_projects
    return tuple(
        t for t in world.technologies if t not in known and t not in state.advanced and not (full and t not in running)
    )


def research(run: Run, technology: TechId | None) -> None:
    """One die for a project; it moves at once, and what reaches the end of the track works from now on."""
    world, power = run.world, run.power
    tech = _checked(run, technology)
    run.pay(power, -cards.research_cost(world, run.state), "research")
    kind = world.technologies[tech]
    again = True
    while again:
        (face,) = run.roll(1, lambda faces: Rolled("research", power, faces))
        spaces = kind.progress[min(face, len(kind.progress)) - 1] if kind.progress else face
        again = not kind.progress and face >= world.rules.research_success
        place = run.state.projects.get(power, {}).get(tech, 0) + spaces
        run.emit(ProjectAdvanced(power, tech, spaces, place))
        if place >= world.rules.track_length:
            run.emit(TechGained(power, tech))
            again = False


def _checked(run: Run, technology: TechId | None) -> TechId:
    world, state, power = run.world, run.state, run.power
    rules, name = world.rules, world.powers[power].name
    if not world.powers[power].researches:
        raise Refusal("power-never-researches", f"{name} does no research.")
    if technology is None:
        raise Refusal("project-not-said", "Say which project the die is for: `research radar`.")
    what = world.technologies[technology].name
    if technology in state.techs.get(power, NOTHING):
        raise Refusal("developed-already", f"{name} has developed {what} already.")
    if technology in state.advanced:
        raise Refusal("one-die-a-project", f"{what} has had its die this turn: one a project.")
    if technology not in state.projects.get(power, {}) and state.begun >= rules.new_projects:
        raise Refusal(
            "too-many-new-projects", f"{rules.new_projects} new projects have been begun this turn: {what} has to wait."
        )
    cost = cards.research_cost(world, state)
    if state.treasury[power] < cost:
        raise Refusal("research-too-dear", f"A die costs {cost}, and {name} has {state.treasury[power]}.")
    return technology


# ---------------------------------------------------------------- what others may know


def hidden(world: World, state: State, power: PowerId, seer: PowerId | None) -> tuple[TechId, ...]:
    """Projects of a power whose names somebody may not know; None sees with the eyes of everybody at the table."""
    if not world.rules.blind_research or seer == power:
        return ()
    return tuple(t for t in state.projects.get(power, {}) if (power, t) not in state.revealed)
