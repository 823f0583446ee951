"""How the war stands, for the terminal: victory cities, objectives, damaged complexes, research, units that wait."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.cli.console import bold, named, style, table
from sandtable.engine.facts import amounts, technologies
from sandtable.engine.progress import CityCount, Progress, Standing, progress
from sandtable.engine.state import State
from sandtable.world.model import PowerId, World


def print_progress(out: Console, world: World, state: State, power: PowerId | None = None) -> None:
    """Everything; or what concerns one power, and how near the sides are to winning."""
    if not world.playable:
        return  # its conditions cannot be judged yet
    found = progress(world, state)
    for part in _parts(out, world, state, found, power):
        out.print(part)
        out.print()


def _parts(out: Console, world: World, state: State, found: Progress, power: PowerId | None) -> list[Table | Text]:
    parts: list[Table | Text] = [_victory(world, standing) for standing in found.standings]
    if power is None:
        parts += [_cities(world, state, count) for count in found.cities]
    objectives = _objectives(out, world, found, power)
    if objectives is not None:
        parts.append(objectives)
    damage = _damage(out, world, found, power)
    if damage is not None:
        parts.append(damage)
    for each in world.powers if power is None else (power,):
        line = _lab(world, state, each)
        if line is not None:
            parts.append(line)
    return parts


def _victory(world: World, standing: Standing) -> Text:
    """`The Axis: Standard Victory, 6 of 15 (9 more)`"""
    who = world.powers[standing.power].name if standing.power is not None else f"The {standing.side.capitalize()}"
    text = Text(f"{who}: ", style="bold")
    text.append(f"{standing.name}, {standing.have} of {standing.needs}")
    left = standing.needs - standing.have
    if standing.until is not None:
        until = world.powers[standing.until].name
        return text.append(f" (to be held until the next turn of {until} ends)", style="dim")
    return text.append(f" ({left} more to win)" if left > 0 else " (enough)", style="dim")


def _cities(world: World, state: State, count: CityCount) -> Text:
    text = Text(f"Victory cities of the {count.side.capitalize()} ({len(count.held)}): ", style="bold")
    for index, space in enumerate(count.held):
        place = world.spaces[space]
        text.append(", " if index else "")
        text.append(str(place.victory_city), style=style(world, state.owners.get(space)))
        if place.victory_city != place.name:
            text.append(f" ({place.name})", style="dim")
    return text if count.held else text.append("none")


def _objectives(out: Console, world: World, found: Progress, power: PowerId | None) -> Table | None:
    """Each objective with its bonus, and what is missing for it."""
    wanted = [o for o in found.objectives if power in (None, o.power)]
    if not wanted:
        return None
    grid = table(out, "power", "objective", "bonus", "now", title="National objectives", right=("bonus",))
    for objective in wanted:
        state = Text("met", style="bold green") if objective.met else Text("missing: " + "; ".join(objective.missing))
        bonus = f"{objective.bonus}{' each' if objective.each and not objective.met else ''}"
        grid.add_row(named(world, objective.power), objective.name, bonus, state)
    return grid


def _damage(out: Console, world: World, found: Progress, power: PowerId | None) -> Table | None:
    wanted = [c for c in found.complexes if power in (None, c.owner)]
    if not wanted:
        return None
    numbers = ("damage", "of", "can build")
    grid = table(out, "complex", "power", *numbers, title="Damaged complexes", right=numbers)
    for each in wanted:
        output = "any number" if each.output is None else str(each.output)
        place = Text(world.spaces[each.space].name, style=bold(world, each.owner))
        grid.add_row(place, named(world, each.owner), str(each.damage), str(each.most), output)
    return grid


def _lab(world: World, state: State, power: PowerId) -> Text | None:
    """Researchers, developments and units in the mobilization zone, if the power has any."""
    words = []
    tokens = state.tokens.get(power, 0)
    if tokens:
        words.append(f"{tokens} researcher{'' if tokens == 1 else 's'}")
    words += [technology.name for technology in technologies(world, state, power)]
    new = state.pool_of(world, power)
    if new:
        words.append(f"{amounts(world, [(u, new[u]) for u in world.units if u in new])} to be placed")
    return named(world, power).append(f": {', '.join(words)}", style="default") if words else None
