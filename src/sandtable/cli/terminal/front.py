"""The regions that matter to a power: where its units face enemies."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.cli.board import stack_text
from sandtable.cli.console import bold, table
from sandtable.engine.facts import is_enemy_land, is_occupied
from sandtable.engine.relations import allied
from sandtable.engine.state import State
from sandtable.world.model import PowerId, SpaceId, World


def facing(world: World, state: State, power: PowerId) -> list[tuple[SpaceId, tuple[SpaceId, ...]]]:
    """Spaces that hold the power's units, each with the neighbours in enemy hands or with enemy ships."""
    found = []
    for space in world.spaces:
        if not any(piece.power == power for piece in state.at(space)):
            continue
        around = world.land if world.spaces[space].is_land else world.sea
        enemies = tuple(other for other in around[space] if _is_enemy(world, state, power, other))
        if enemies:
            found.append((space, enemies))
    return found


def _is_enemy(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    if world.spaces[space].is_sea:
        return is_occupied(world, state, power, space)
    return is_enemy_land(world, state, power, space)


def front_table(console: Console, world: World, state: State, power: PowerId) -> Table | None:
    """Own units on the left, whom they face on the right."""
    rows = facing(world, state, power)
    if not rows:
        return None
    grid = table(console, "your units", "face", title="The front")
    for space, enemies in rows:
        mine = {piece: n for piece, n in state.at(space).items() if allied(world, state, piece.power, power)}
        left = Text.assemble((f"{world.spaces[space].name}: ", "bold"), stack_text(world, mine, power))
        right = Text()
        for enemy in enemies:
            if right:
                right.append("\n")
            owner = state.owners.get(enemy)
            right.append(f"{world.spaces[enemy].name}: ", style=bold(world, owner))
            right.append_text(stack_text(world, state.at(enemy), owner) or Text("nobody", style="dim"))
        grid.add_row(left, right)
    return grid
