"""The open question in words, and its answers as numbered menus.

A number answers. Where one number cannot say it all (a move needs units, a destination, how many), it opens the next
menu.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sandtable.archive.log import place
from sandtable.cli.board import pool_words, stack_text
from sandtable.cli.console import bold, named
from sandtable.engine.complexes import capacity, repair_cost
from sandtable.engine.decision import Decision
from sandtable.engine.facts import active, amount, enemies_in, is_neutral, listed, type_of, unit_type
from sandtable.engine.game import Game
from sandtable.engine.movement.reach import movable
from sandtable.engine.phases import PHASES, phase_title
from sandtable.engine.progress import damaged_complexes
from sandtable.engine.questions import KINDS
from sandtable.engine.questions.phase import PhaseKind
from sandtable.engine.state import with_cargo
from sandtable.notation import format_order
from sandtable.notation.orders import (
    AnyOrder,
    Buy,
    Casualties,
    Chart,
    End,
    Fight,
    Move,
    Place,
    Repair,
    Research,
    UnitSpec,
)
from sandtable.world.model import SpaceId, UnitId

LONGEST = 24  # casualties listed; with more possibilities the rest is typed
FLAT = 14  # unit and destination in one menu up to so many lines
MOST_MORE = 12  # orders that only some games have, listed beside those of a phase


class Choice(NamedTuple):
    """A line of a menu: an order, or a further menu."""

    label: Text
    order: str = ""
    menu: Callable[[], Menu] | None = None


class Menu(NamedTuple):
    """A question and its numbered answers."""

    title: Text
    choices: list[Choice]
    note: str = ""


def print_menu(console: Console, menu: Menu) -> None:
    console.print(menu.title)
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", style="bold cyan", width=3)
    grid.add_column(overflow="fold")
    for number, choice in enumerate(menu.choices, 1):
        grid.add_row(str(number), choice.label)
    if menu.choices:
        console.print(grid)
    if menu.note:
        console.print(Text(menu.note, style="dim"))


def question_menu(game: Game) -> Menu:
    """The menu of the open question."""
    question = game.decision
    if question is None:
        return Menu(_over(game), [], "`stats`, `log`, `back`, `save` and `quit` still work.")
    maker = _MAKERS.get(question.kind, _plain)
    menu = maker(game, question)
    kind = KINDS[question.kind]
    if question.also and isinstance(kind, PhaseKind):  # before the last choice, which is to go on
        menu.choices[-1:-1] = [_order(order) for order in islice(kind.further_orders(game.legal, question), MOST_MORE)]
    return menu


def _over(game: Game) -> Text:
    winner, victor = game.state.winner, game.state.victor
    told = f"The {winner.title()} have won" if winner else "Nobody has won"
    if victor is not None:
        told = f"{game.world.powers[victor].name} has won"
    return Text(f"The game is over. {told}.", style="bold")


def _who(game: Game, question: Decision, what: str) -> Text:
    """`Germany, Purchase: …`"""
    text = named(game.world, question.power)
    if question.kind in PHASES:
        text.append(f", {phase_title(game.world, question.kind).lower()}", style="bold")
    return text.append(f": {what}")


def _order(order: AnyOrder, *notes: str) -> Choice:
    text = format_order(order)
    label = Text(text)
    if notes:
        label.append("  " + "  ".join(notes), style="dim")
    return Choice(label, text)


def _end(game: Game, what: str) -> list[Choice]:
    return [Choice(Text("end").append(f"  {what}", style="dim"), "end")]


# ---------------------------------------------------------------- phases


def _research(game: Game, question: Decision) -> Menu:
    world, state = game.world, game.state
    price = world.rules.research_cost
    known = state.techs.get(question.power, frozenset())
    have = f" Known: {', '.join(world.technologies[t].name for t in sorted(known))}." if known else ""
    if state.researched:
        return Menu(_who(game, question, f"the dice are rolled.{have}"), _end(game, "go on to the purchase"))
    money = state.treasury[question.power]
    tokens = world.rules.researchers
    what = "researchers" if tokens else "dice"
    title = _who(game, question, f"how many {what}? One costs {price}, and you have {money}.{have}")
    dice = [_order(Research(n), f"costs {n * price}") for n in range(1, min(money // price, 6) + 1)]
    old = state.tokens.get(question.power, 0)
    if old:
        title.append(f" {old} {'is' if old == 1 else 'are'} at work already and will roll in any case.")
    none = "hire none and roll" if old else "buy none and go on to the purchase"
    return Menu(title, [*dice, *_end(game, none)])


def _chart(game: Game, question: Decision) -> Menu:
    """The charts with what a die can still find on each."""
    missing = [t for t in game.world.technologies.values() if t.id not in game.state.techs.get(question.power, ())]
    choices = [
        _order(Chart(chart), ", ".join(f"{t.roll} {t.name}" for t in missing if t.chart == chart))
        for chart in question.charts
    ]
    return Menu(_who(game, question, "a breakthrough! On which chart is the die rolled?"), choices)


def _purchase(game: Game, question: Decision) -> Menu:
    world, state, power = game.world, game.state, question.power
    money = state.treasury[power]
    title = _who(game, question, f"what do you buy? You have {money}.")
    if state.pool_of(world, power):
        title.append(f" To be placed: {pool_words(world, state, power)}.")
    most = capacity(world, state, power) if world.rules.purchase_limit == "capacity" else None
    if most is not None:
        title.append(f" Your complexes can receive {most} units.")
    choices = []
    width = max(len(unit.name) for unit in world.units.values())
    for unit in world.units:
        kind = unit_type(world, state, power, unit)
        if kind.cost is not None and kind.cost <= money:
            label = Text(kind.name.ljust(width))
            label.append(f"  costs {kind.cost:>2}  ")
            fights = kind.domain != "facility" and not kind.anti_air
            values = f"attack {kind.attack}  defense {kind.defense}  move {kind.move}" if fights else ""
            label.append(f"{values:<30}".rstrip() if values else "", style="dim")
            order = Buy((UnitSpec(unit),))
            if order in game.legal:
                choices.append(Choice(label, format_order(order)))
    choices += _repairs(game, question)
    choices += _end(game, "finish the purchase")
    return Menu(title, choices, "A number buys one; `buy 3 infantry, 1 armor` buys more. `undo` takes back.")


def _repairs(game: Game, question: Decision) -> list[Choice]:
    """All the damage to a complex, or as much as there is money for."""
    found = []
    for damaged in damaged_complexes(game.world, game.state):
        if damaged.owner == question.power:
            orders = (Repair(damaged.space, points) for points in range(damaged.damage, 0, -1))
            best = next((order for order in orders if order in game.legal), None)
            if best is not None:
                cost = repair_cost(game.world, game.state, question.power, damaged.space, best.points)
                found.append(_order(best, f"costs {cost}; the complex has {damaged.damage} damage"))
    return found


def _moves(game: Game, question: Decision) -> Menu:
    combat = question.kind == "combat-move"
    spaces: dict[SpaceId, list[UnitId]] = {}
    for space, unit in movable(game.world, game.state):
        if _destinations(game, space, unit):
            spaces.setdefault(space, []).append(unit)
    what = "which units attack?" if combat else "which units move?"
    choices = [
        Choice(
            Text.assemble(
                (f"{game.world.spaces[space].name}: ", "bold"),
                listed([amount(game.world, u, _number(game, space, u)) for u in units]),
            ),
            menu=_opens(_from_space, game, space, units),
        )
        for space, units in spaces.items()
    ]
    if not choices:
        what = "no unit can attack anything." if combat else "no unit has a move left."
    example = "A number shows where its units can go, or type `move 2 infantry: A -> B`." if spaces else ""
    refusal = game.legal.why_not(End())
    if refusal is None:
        choices += _end(game, "go on to the battles" if combat else "go on to placing new units")
    else:  # planes are still in the air
        example = f"{refusal.text.rstrip('.')}.\n{example}".strip()
    return Menu(_who(game, question, what), choices, example)


def _destinations(game: Game, space: SpaceId, unit: UnitId) -> list[tuple[SpaceId, tuple[SpaceId, ...], str | None]]:
    """Where the unit can go, by which route and in which role."""
    found: list[tuple[SpaceId, tuple[SpaceId, ...], str | None]] = [
        (end, route, None) for end, route in game.legal.destinations(space, unit).items()
    ]
    for role in game.legal.roles(unit):
        found += [(end, route, role) for end, route in game.legal.destinations(space, unit, role).items()]
    power = active(game.world, game.state)
    return sorted(found, key=lambda line: not enemies_in(game.world, game.state, power, line[0]))  # targets first


def _number(game: Game, space: SpaceId, unit: UnitId) -> int:
    """How many of the power's units there might still move."""
    state, power = game.state, active(game.world, game.state)
    return sum(
        n
        for piece, n in with_cargo(state.at(space))
        if piece.power == power
        and piece.type == unit
        and not piece.done
        and (piece.used < type_of(game.world, state, piece).move or game.world.spaces[space].is_sea)
    )


def _opens(maker: Callable[..., Menu], *args: object) -> Callable[[], Menu]:
    return lambda: maker(*args)


def _from_space(game: Game, space: SpaceId, units: list[UnitId]) -> Menu:
    lines = [(unit, end, route, role) for unit in units for end, route, role in _destinations(game, space, unit)]
    title = Text("From ").append(game.world.spaces[space].name, style="bold").append(":")
    if len(lines) <= FLAT or len(units) == 1:
        single = len(units) == 1
        choices = [_destination(game, space, *line, with_unit=not single) for line in lines]
        if single:
            title = Text(f"{amount(game.world, units[0], _number(game, space, units[0]))} from ")
            title.append(game.world.spaces[space].name, style="bold").append(" to:")
    else:
        choices = [
            Choice(
                Text(amount(game.world, unit, _number(game, space, unit))),
                menu=_opens(_from_space, game, space, [unit]),
            )
            for unit in units
        ]
    return Menu(title, choices, "0 goes back.")


def _destination(
    game: Game,
    space: SpaceId,
    unit: UnitId,
    end: SpaceId,
    route: tuple[SpaceId, ...],
    role: str | None,
    *,
    with_unit: bool,
) -> Choice:
    world, state = game.world, game.state
    owner = state.owners.get(end)
    label = Text(f"{world.units[unit].name} to " if with_unit else "")
    label.append(world.spaces[end].name, style=bold(world, owner))
    if role:
        label.append(f" as {role}", style="bold")
    there = stack_text(world, state.at(end), owner)
    if there:
        label.append("  ").append_text(there)
    if is_neutral(world, state, end):
        fee = f": costs {world.rules.neutral_fee}" if world.rules.neutrals == "fee" else ""
        label.append(f"  neutral{fee}", style="dim")
    number = _number(game, space, unit)
    if number > 1:
        return Choice(label, menu=_opens(_how_many, game, unit, route, role, number))
    return Choice(label, format_order(Move((UnitSpec(unit),), route, role)))


def _how_many(game: Game, unit: UnitId, route: tuple[SpaceId, ...], role: str | None, number: int) -> Menu:
    """As many as can go together: a transport may have room for one only."""
    orders = [Move((UnitSpec(unit, n),), route, role) for n in range(1, number + 1)]
    choices = [Choice(Text(f"{o.units[0].count} of {number}"), format_order(o)) for o in orders if o in game.legal]
    return Menu(Text(f"How many {game.world.units[unit].plural}?"), choices, "0 goes back.")


def _mobilize(game: Game, question: Decision) -> Menu:
    world, state = game.world, game.state
    choices = []
    owners = [question.power, *(p.id for p in world.powers.values() if p.played_by == question.power)]
    new = {owner: units for owner in owners if (units := state.pool_of(world, owner))}
    for owner, units in new.items():
        whose = None if owner == question.power else owner
        for unit in (u for u in world.units if u in units):
            for space in game.legal.places(unit, owner):
                orders = [Place((UnitSpec(unit, n, whose),), space) for n in dict.fromkeys((units[unit], 1))]
                choices += [_order(order) for order in orders if order in game.legal]
    if new:
        words = "; ".join(
            pool_words(world, state, p) + ("" if p == question.power else f" of {world.powers[p].name}") for p in new
        )
        title = _who(game, question, f"where do they go? {words}.")
    else:
        title = _who(game, question, "nothing is left to place.")
    note = "`place 2 infantry: SPACE` places some of them. `undo` takes back." if choices else ""
    if End() in game.legal:
        left = " (the rest waits)" if new and choices else ""
        choices += _end(game, f"collect income and finish the turn{left}")
    return Menu(title, choices, note)


# ---------------------------------------------------------------- battle


def _casualties(game: Game, question: Decision) -> Menu:
    world = game.world
    owners = {power for power, _, _ in question.units}
    found = list(islice((o for o in game.legal.orders() if isinstance(o, Casualties)), LONGEST + 1))
    choices = []
    for order in found[:LONGEST]:
        if len(owners) == 1:  # whose they are goes without saying
            order = Casualties(tuple(msgspec.structs.replace(spec, power=None) for spec in order.units))
        choices.append(_order(order))
    where = place(world, question.space) if question.space else ""
    number = question.count
    title = _who(game, question, f"{number} {'hit' if number == 1 else 'hits'}. What is lost in {where}?")
    more = len(found) > LONGEST
    return Menu(title, choices, "There are more possibilities: type `casualties 2 infantry, 1 armor`." if more else "")


def _plain(game: Game, question: Decision) -> Menu:
    """A question whose answers are few: all of them, each with what it means."""
    world, state = game.world, game.state
    kind = KINDS[question.kind]
    choices = []
    for order in islice(game.legal.orders(), LONGEST):
        choice = _order(order, kind.label(world, state, question, order))
        if isinstance(order, Fight):
            choice.label.append("  ").append_text(stack_text(world, state.at(order.space)))
        choices.append(choice)
    return Menu(Text(kind.wording(world, state, question)), choices)


_MAKERS: dict[str, Callable[[Game, Decision], Menu]] = {
    "research": _research,
    "chart": _chart,
    "purchase": _purchase,
    "combat-move": _moves,
    "noncombat-move": _moves,
    "mobilize": _mobilize,
    "casualties": _casualties,
}
