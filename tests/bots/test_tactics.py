"""Positions with an obviously right idea, as data in `tactics/*.yaml`, that five stars solves but for a few.

What `accept` may say, all of which must hold:

wins             a battle (or an empty walk-in) in each space, with at least this chance, when the combat move ends
wins_any         the same for one of the spaces
leaves           no own unit attacks these spaces
holds            at the end of the turn, no enemy could take the space with more than this chance (exact odds)
at_most          at the end of the turn, at most so many own units of a kind stand there
at_least         at the end of the turn, at least so many own units of a kind stand there
bought           at least so many were bought
guarded          at the end of the turn, at least so many units of our side that can hold land stand there
escorted         at the end of the turn, in none of these zones do own transports lie without a warship or fighter
planes           no own plane is lost for want of a place to land
planes_safe      at the end of the turn, no enemy could take land where own planes stand with more than this chance
treasury_at_most no more money than this was kept before income
orders           each of these words stands in an order of the turn
no_orders        none of these words does
answers          the answer to the open question is one of these

`missed` marks a position that five stars does not solve yet, with what it does instead: few may carry it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from sandtable.archive.position import patched_state
from sandtable.bots import make
from sandtable.bots.battles import expect
from sandtable.bots.sight import Sight
from sandtable.engine.dice import ScriptedDice, SeededDice
from sandtable.engine.events import Lost
from sandtable.engine.game import Game
from sandtable.engine.state import State
from sandtable.notation import format_order, parse_order
from sandtable.odds import odds_of_battle
from sandtable.world.compile import compile_world

FOLDER = Path(__file__).parent / "tactics"
NEEDED = 0.95


def positions() -> list[dict[str, Any]]:
    return [entry for path in sorted(FOLDER.glob("*.yaml")) for entry in yaml.safe_load(path.read_text())]


class Turn:
    """A bot's turn from a position: the state when the combat move ended, and when the turn ended."""

    def __init__(self, entry: dict[str, Any], bot: str = "5star") -> None:
        self.world = compile_world(entry.get("scenario", "classic-1942"), entry.get("options"))
        self.power = entry["turn"]
        phase = entry.get("phase", "combat-move")
        patch = {**(entry.get("position") or {}), "turn": self.power, "phase": phase}
        start = patched_state(self.world, patch)
        scripted = entry.get("dice")
        self.game = Game(
            self.world, start=start, dice=SeededDice(entry["name"]) if scripted is None else ScriptedDice(scripted)
        )
        for step in entry.get("steps") or ():
            self.game.play(step)
        self.bot = make(bot)
        self.before = self.last = self.game.state
        self.moved: State | None = None
        self.bought: dict[str, int] = {}

    def answer(self) -> str:
        question = self.game.decision
        assert question is not None
        view = self.game.view(self.game.seat_of(question.power))
        return format_order(self.bot.decide(view, self.game.legal, question))

    def play(self) -> State:
        """Play to the end of the turn; gives the state before income is collected."""
        turn = self.game.state.turn
        for _ in range(400):
            question = self.game.decision
            if question is None or self.game.state.turn != turn:
                return self.last
            view = self.game.view(self.game.seat_of(question.power))
            order = self.bot.decide(view, self.game.legal, question)
            kind = question.kind
            if kind in ("purchase", "research"):
                self.bought = dict(self.game.state.pool)
            if kind == "combat-move" and (self.moved is None or self.moved.phase == self.game.state.phase):
                self.moved = self.game.state  # of the power's own move: another may follow for one that it plays
            self.last = self.game.state
            self.game.play(order)
        raise AssertionError("the turn does not end")

    def lost_planes(self) -> int:
        """Planes that were lost for want of a place to land."""
        return sum(
            n
            for event in self.game.events
            if isinstance(event, Lost) and event.reason == "no-landing"
            for _, n in event.units
        )


def failures(entry: dict[str, Any], bot: str = "5star") -> list[str]:
    """What is wrong with the bot's play; empty when the position is solved."""
    return list(_failures(entry, bot))


def _failures(entry: dict[str, Any], bot: str) -> Iterator[str]:
    accept = entry["accept"]
    turn = Turn(entry, bot)
    if "answers" in accept:
        given = turn.answer()
        question = turn.game.decision
        assert question is not None
        fine = {format_order(parse_order(turn.world, text)) for text in accept["answers"]}
        plain = given.replace(f" {question.power} ", " ")
        if plain not in fine and given not in fine:
            yield f"answered {given}"
        return
    final = turn.play()
    world, power = turn.world, turn.power
    moved = turn.moved if turn.moved is not None else final
    chances = {s: _chance(turn, moved, s) for s in (*accept.get("wins", ()), *accept.get("wins_any", ()))}
    for space, least in accept.get("wins", {}).items():
        if chances[space] < least:
            yield f"{space}: {chances[space]:.0%} to win"
    if "wins_any" in accept and not any(chances[s] >= p for s, p in accept["wins_any"].items()):
        yield f"none of {', '.join(accept['wins_any'])} taken"
    for space in accept.get("leaves", ()):
        if any(p.power == power for p in moved.at(space)) and moved.owners.get(space) != power:
            yield f"attacks {space}"
    for space, most in accept.get("holds", {}).items():
        chance = _danger(world, final, power, space)
        if chance > most:
            yield f"{space} falls with {chance:.0%}"
    for space, units in accept.get("at_most", {}).items():
        for unit, most in units.items():
            there = sum(n for p, n in final.at(space).items() if p.power == power and p.type == unit)
            if there > most:
                yield f"{there} {unit} in {space}"
    for space, units in accept.get("at_least", {}).items():
        for unit, least in units.items():
            there = sum(n for p, n in final.at(space).items() if p.power == power and p.type == unit)
            if there < least:
                yield f"only {there} {unit} in {space}"
    for space, least in accept.get("guarded", {}).items():
        there = sum(
            n
            for p, n in final.at(space).items()
            if world.units[p.type].captures and (p.power == power or world.same_side(p.power, power))
        )
        if there < least:
            yield f"{there} guard {space}"
    for zone in accept.get("escorted", ()):
        types = {p.type for p in final.at(zone) if p.power == power}
        if types == {"transport"}:
            yield f"transports alone in {zone}"
    if "planes_safe" in accept:
        bases = {
            s
            for s in final.units
            if world.spaces[s].is_land
            and any(p.power == power and world.units[p.type].domain == "air" for p in final.at(s))
        }
        for space in sorted(bases):
            chance = _danger(world, final, power, space)
            if chance > accept["planes_safe"]:
                yield f"planes in {space}, which falls with {chance:.0%}"
    for unit, least in accept.get("bought", {}).items():
        if turn.bought.get(unit, 0) < least:
            yield f"bought {turn.bought}"
    if "treasury_at_most" in accept and final.treasury[power] > accept["treasury_at_most"]:
        yield f"kept {final.treasury[power]}"
    given = [format_order(item.order) for item in turn.game.entries]
    for words in accept.get("orders", ()):
        if not any(words in order for order in given):
            yield f"nothing is ordered {words}"
    for words in accept.get("no_orders", ()):
        yield from (f"ordered {order}" for order in given if words in order)
    if "planes" in accept and turn.lost_planes():
        yield f"{turn.lost_planes()} planes did not land"


def _chance(turn: Turn, moved: State, space: str) -> float:
    if moved.owners.get(space) == turn.power or (
        moved.owners.get(space) is not None
        and turn.world.same_side(moved.owners[space], turn.power)
        and turn.before.owners.get(space) != moved.owners.get(space)
    ):
        return 1.0
    mine = any(p.power == turn.power for p in moved.at(space))
    coming = any(c.target == space for z in moved.units for t in moved.at(z) for c in t.cargo)
    if not mine and not coming:
        return 0.0
    foes = [p for p in moved.at(space) if not turn.world.same_side(p.power, turn.power)]
    if not any(turn.world.units[p.type].casualty for p in foes):
        return 1.0  # guns and complexes hold nothing
    return odds_of_battle(turn.world, moved, space, keep_land=int(turn.world.spaces[space].is_land)).win


def _danger(world: Any, state: State, power: str, space: str) -> float:
    sight = Sight(world, state, power)
    worst = 0.0
    for enemy in sight.enemies:
        force = sight.threat(space, enemy)
        if force:
            look = expect(world, state, force, sight.ours(space), guns=sight.guns(space, True))
            worst = max(worst, look.take)
    return worst


def test_there_are_enough_positions_and_names_differ() -> None:
    names = [entry["name"] for entry in positions()]
    assert len(names) >= 60
    assert len(set(names)) == len(names)


def test_nearly_all_are_solved() -> None:
    missed = [entry["name"] for entry in positions() if "missed" in entry]
    assert 1 - len(missed) / len(positions()) >= NEEDED


def _tests() -> list[Any]:
    return [
        pytest.param(
            entry,
            id=entry["name"],
            marks=[pytest.mark.xfail(strict=True, reason=entry["missed"])] if "missed" in entry else [],
        )
        for entry in positions()
    ]


@pytest.mark.parametrize("entry", _tests())
def test_five_stars_finds_the_idea(entry: dict[str, Any]) -> None:
    assert failures(entry) == []
