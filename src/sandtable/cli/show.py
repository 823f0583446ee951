"""`sandtable show`: the board of a scenario or of a saved game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from sandtable.archive import saves
from sandtable.archive.cases import board_units
from sandtable.cli import board, console
from sandtable.cli.arguments import UsageError, is_scenario, unknown_game
from sandtable.cli.progress import print_progress
from sandtable.engine.decision import decision
from sandtable.engine.facts import active, phase_name, production
from sandtable.engine.game import Game
from sandtable.engine.phases import phase_title
from sandtable.engine.progress import progress
from sandtable.engine.start import starting_state
from sandtable.engine.state import State
from sandtable.notation.names import names
from sandtable.world.compile import compile_world
from sandtable.world.library import plain
from sandtable.world.model import World


def show(what: str, chosen: Mapping[str, Any], space: str | None, *, as_json: bool) -> None:
    """Print the position. `chosen` are options, which only a scenario can take."""
    world, state = position(what, chosen)
    out = console.output()
    if as_json:
        facts = _summary(world, state)
        if space is not None:
            id_ = names(world, "space").find(space)
            facts = {
                "space": id_,
                "control": state.owners.get(id_),
                "value": world.spaces[id_].ipc,
                "units": board_units(state, id_),
                "neighbours": world.neighbours[id_],
            }
        print(msgspec.json.format(msgspec.json.encode(facts), indent=2).decode())
    elif space is not None:
        board.print_space(out, world, state, names(world, "space").find(space))
    else:
        print_heading(out, world, state)
        out.print()
        out.print(board.status_table(out, world, state))
        out.print()
        print_progress(out, world, state)
        board.print_board(out, world, state)


def position(what: str, chosen: Mapping[str, Any]) -> tuple[World, State]:
    """A scenario's starting position, or where a saved game stands."""
    if is_scenario(what):
        world = compile_world(what, chosen)
        return world, Game(world).state if world.playable else starting_state(world)
    if not Path(what).exists():
        raise unknown_game(what)
    if chosen:
        raise UsageError("A saved game has its options already; -o goes with a scenario.")
    game = saves.load(Path(what))
    return game.world, game.state


def print_heading(out: Console, world: World, state: State) -> None:
    out.print(
        Text(f"{world.edition_name}: {world.scenario_name}", style="bold"),
        Text(f"({plain(world.scenario)})", style="dim"),
    )
    out.print(when(world, state))


def when(world: World, state: State) -> Text:
    """Round, power and phase in one line."""
    text = Text(f"Round {state.round}, ")
    power = active(world, state)
    text.append_text(console.named(world, power))
    text.append(f", {phase_title(world, phase_name(world, state)).lower()}")
    if state.over:
        text.append(f". The game is over: {state.winner or 'nobody'} won", style="bold")
    return text.append(".")


def _summary(world: World, state: State) -> dict[str, Any]:
    question = decision(world, state) if world.playable else None
    return {
        "scenario": plain(world.scenario),
        "options": world.options,
        "round": state.round,
        "turn": active(world, state),
        "phase": phase_name(world, state),
        "units": {s: board_units(state, s) for s in world.spaces if state.at(s)},
        "control": {s: state.owners[s] for s in world.spaces if s in state.owners},
        "treasury": state.treasury,
        "production": {p: production(world, state, p) for p in world.powers},
        "technologies": {p: sorted(t) for p, t in state.techs.items() if t},
        "researchers": state.tokens,
        "waiting": {p: new for p in world.powers if (new := state.pool_of(world, p))},
        "damage": state.damage,
        "progress": progress(world, state) if world.playable else None,
        "decision": None if question is None else {"power": question.power, "kind": question.kind},
        "winner": state.winner,
    }
