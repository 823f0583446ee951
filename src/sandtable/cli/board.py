"""Tables of what stands on the board."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.cli.console import bold, named, style, table
from sandtable.engine.damage import most_damage
from sandtable.engine.facts import amount, amounts, is_neutral, listed, production
from sandtable.engine.progress import objective_list
from sandtable.engine.state import Piece, Stack, State
from sandtable.world.model import PowerId, Space, SpaceId, World


def stack_words(world: World, stack: Stack) -> dict[PowerId, str]:
    """Each power's units in a stack: `3 infantry, 1 transport (1 armor)`. Powers in their usual order."""
    found: dict[PowerId, dict[tuple[str, tuple[Piece, ...]], int]] = {}
    for piece, n in stack.items():
        mine = found.setdefault(piece.power, {})
        aboard = tuple(Piece(c.power, c.type) for c in piece.cargo)
        mine[piece.type, aboard] = mine.get((piece.type, aboard), 0) + n
    order = list(world.units)
    words = {}
    for power in (p for p in world.powers if p in found):
        kinds = sorted(found[power].items(), key=lambda item: (order.index(item[0][0]), len(item[0][1])))
        words[power] = ", ".join(_kind(world, unit, aboard, n) for (unit, aboard), n in kinds)
    return words


def _kind(world: World, unit: str, aboard: tuple[Piece, ...], n: int) -> str:
    if not aboard:
        return amount(world, unit, n)
    owner_types = {(p.power, p.type) for p in aboard}
    cargo = []
    for power, kind in sorted(owner_types):
        number = sum(p.power == power and p.type == kind for p in aboard)
        foreign = f"{world.powers[power].adjective} " if len({p for p, _ in owner_types}) > 1 else ""
        cargo.append(foreign + amount(world, kind, number))
    return f"{amount(world, unit, n)} ({', '.join(cargo)}{' each' if n > 1 else ''})"


def stack_text(world: World, stack: Stack, owner: PowerId | None = None) -> Text:
    """The units of a space in their powers' colours; guests are named."""
    text = Text()
    for power, words in stack_words(world, stack).items():
        if text:
            text.append("; ")
        if power != owner:
            text.append(f"{world.powers[power].name}: ", style=bold(world, power))
        text.append(words, style=style(world, power))
    return text


def space_name(space: Space) -> Text:
    """The name, with a star for a capital and the victory city that lies there."""
    text = Text(space.name)
    if space.capital_of is not None:
        text.append(" ★", style="bold")
    if space.victory_city and space.victory_city != space.name:
        text.append(f" ({space.victory_city})", style="dim")
    return text


def status_table(console: Console, world: World, state: State) -> Table:
    """One line a power: side, production, treasury, what else its edition counts, technologies."""
    cities = any(space.victory_city for space in world.spaces.values())
    bonuses = world.playable and bool(world.objectives) and world.rules.objectives
    tokens = world.rules.researchers and "research" in world.phases
    extra = [
        *(("bonus",) if bonuses else ()),
        *(("cities",) if cities else ()),
        *(("researchers",) if tokens else ()),
    ]
    numbers = ("production", "treasury", *extra)
    grid = table(console, "power", "side", *numbers, "technologies", right=numbers)
    for power in world.powers.values():
        known = sorted(state.techs.get(power.id, ()))
        more = {
            "bonus": sum(o.bonus for o in objective_list(world, state, power.id) if o.met) if bonuses else 0,
            "cities": sum(1 for s, o in state.owners.items() if o == power.id and world.spaces[s].victory_city),
            "researchers": state.tokens.get(power.id, 0),
        }
        grid.add_row(
            named(world, power.id),
            power.side,
            str(production(world, state, power.id)),
            str(state.treasury.get(power.id, 0)),
            *(str(more[column]) for column in extra),
            ", ".join(world.technologies[t].name for t in known) or "-",
        )
    return grid


def power_table(console: Console, world: World, state: State, power: PowerId) -> Table:
    """A power's land: value and everything that stands on it."""
    grid = table(console, "territory", "value", "units", title=named(world, power), right=("value",))
    for space in world.spaces.values():
        if state.owners.get(space.id) == power:
            units = stack_text(world, state.at(space.id), power)
            for points in state.damage.get(space.id, {}).values():
                units.append(f" [damage {points}]", style="bold red")
            grid.add_row(space_name(space), str(space.ipc), units)
    return grid


def sea_table(console: Console, world: World, state: State) -> Table:
    """The sea zones with ships in them."""
    grid = table(console, "sea zone", "units", title="Sea zones")
    for space in world.spaces.values():
        if space.is_sea and state.at(space.id):
            grid.add_row(space.name, stack_text(world, state.at(space.id)))
    return grid


def empty_seas(world: World, state: State) -> int:
    return sum(s.is_sea and not state.at(s.id) for s in world.spaces.values())


def neutral_table(console: Console, world: World, state: State) -> Table | None:
    """Neutral land with units on it; most editions have none."""
    grid = table(console, "territory", "units", title="Neutral land with units")
    for space in world.spaces.values():
        if is_neutral(world, state, space.id) and state.at(space.id):
            grid.add_row(space_name(space), stack_text(world, state.at(space.id)))
    return grid if grid.row_count else None


def neutral_names(world: World, state: State) -> str:
    return ", ".join(s.name for s in world.spaces.values() if is_neutral(world, state, s.id) and not state.at(s.id))


def print_board(console: Console, world: World, state: State, powers: Iterable[PowerId] | None = None) -> None:
    """The whole board, power by power, then the seas; or the land of some powers only."""
    for power in world.powers if powers is None else powers:
        if any(owner == power for owner in state.owners.values()):
            console.print(power_table(console, world, state, power))
            console.print()
    if powers is None:
        print_seas(console, world, state)
        held = neutral_table(console, world, state)
        if held is not None:
            console.print()
            console.print(held)
        if free := neutral_names(world, state):
            console.print()
            console.print(Text(f"Neutral: {free}."))


def print_seas(console: Console, world: World, state: State) -> None:
    console.print(sea_table(console, world, state))
    if left := empty_seas(world, state):
        console.print(Text(f"{left} more sea zones are empty.", style="dim"))


def print_space(console: Console, world: World, state: State, space: SpaceId) -> None:
    """Everything about one space."""
    place = world.spaces[space]
    console.print(Text(place.name, style="bold"), Text(f"({space})", style="dim"))
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in _facts(world, state, place):
        grid.add_row(label, value)
    console.print(grid)


def _facts(world: World, state: State, place: Space) -> list[tuple[str, Text | str]]:
    found: list[tuple[str, Text | str]] = []
    if place.is_sea:
        found.append(("kind", "sea zone"))
    else:
        found.append(("held by", _holder(world, state, place)))
        found.append(("value", str(place.ipc)))
    if place.capital_of is not None:
        found.append(("capital of", named(world, place.capital_of)))
    if place.victory_city:
        found.append(("victory city", place.victory_city))
    stack = state.at(place.id)
    if not stack:
        found.append(("units", "none"))
    for power, words in stack_words(world, stack).items():
        found.append((world.powers[power].name, Text(words, style=style(world, power))))
    for unit, points in state.damage.get(place.id, {}).items():
        found.append(("damage", f"{world.units[unit].name} {points} of {most_damage(world, place.id, unit)}"))
    land = [n for n in world.neighbours[place.id] if world.spaces[n].is_land]
    sea = [n for n in world.neighbours[place.id] if world.spaces[n].is_sea]
    if land:
        found.append(("land nearby", ", ".join(_neighbour(world, state, n) for n in land)))
    if sea:
        found.append(("sea nearby", ", ".join(world.spaces[n].name for n in sea)))
    for (shore, across), canal in world.canals.items():
        if shore == place.id:
            banks = listed([world.spaces[b].name for b in canal.banks])
            found.append(("canal", f"{canal.name} to {world.spaces[across].name}, held by {banks}"))
    return found


def _holder(world: World, state: State, place: Space) -> Text | str:
    owner = state.owners.get(place.id)
    if owner is None:
        return "nobody: impassable" if place.impassable else "nobody: neutral"
    text = named(world, owner)
    if place.original not in (None, owner):
        text.append(f" (was {world.powers[str(place.original)].adjective})", style="dim")
    return text


def _neighbour(world: World, state: State, space: SpaceId) -> str:
    owner = state.owners.get(space)
    place = world.spaces[space]
    who = world.powers[owner].adjective if owner else ("impassable" if place.impassable else "neutral")
    return f"{place.name} ({who})"


def pool_words(world: World, state: State, power: PowerId | None = None) -> str:
    """New units that are not placed yet, of the power whose turn it is or of another."""
    new = state.pool_of(world, power) if power is not None else state.pool
    return amounts(world, [(u, new[u]) for u in world.units if new.get(u)])
