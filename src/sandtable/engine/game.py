"""Game: world, state, open question, orders. Small enough to remember.

    game = Game.new("classic-1942", seed=7)
    game.play("buy 3 infantry")
    game.play("end")

A game is its list of orders with the dice that they drew; every state on the way is kept, so undo, replay and the time
machine are steps in that list.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import msgspec

from sandtable.engine import support, turn
from sandtable.engine.decision import Decision, asked, decision
from sandtable.engine.dice import Dice, ScriptedDice, SeededDice
from sandtable.engine.events import AnyEvent, Noted
from sandtable.engine.facts import in_brackets, listed, production
from sandtable.engine.legal import Legal
from sandtable.engine.registry import check_names
from sandtable.engine.run import Run
from sandtable.engine.start import starting_state
from sandtable.engine.state import State
from sandtable.errors import Refusal, SandtableError
from sandtable.notation import canonical, parse_order
from sandtable.notation.orders import AnyOrder, Buy, End, Repair, Undo
from sandtable.world.compile import compile_world
from sandtable.world.edition import Edition
from sandtable.world.edits import Edits, parse_edits
from sandtable.world.goals import TWO_PLAYERS
from sandtable.world.library import scenario_in
from sandtable.world.model import PowerId, World

Seats = Mapping[str, tuple[PowerId, ...]]


class Entry(msgspec.Struct, frozen=True):
    """One order that was carried out: who gave it, the dice it drew, what happened, and the state after it."""

    power: PowerId
    order: AnyOrder
    faces: tuple[int, ...]
    events: tuple[AnyEvent, ...]
    state: State


class View(msgspec.Struct, frozen=True):
    """What a seat sees. These games hide nothing on the table; a view adds whose turn to answer it is."""

    seat: str | None
    powers: tuple[PowerId, ...]
    state: State
    decision: Decision | None
    to_answer: bool
    production: Mapping[PowerId, int]


class Game:
    """A game in progress. `play` is the only way forward; a refused order changes nothing."""

    def __init__(
        self,
        world: World,
        *,
        seats: Seats | None = None,
        dice: Dice | None = None,
        seed: int | str = 0,
        edits: Edits | None = None,
        start: State | None = None,
    ) -> None:
        check_playable(world)
        self.world = world
        self.seed = seed
        self.dice: Dice = dice if dice is not None else SeededDice(seed)
        self.edits = edits or Edits()
        self.seats = check_seats(world, seats)
        self.start = starting_state(world) if start is None else start
        if world.rules.joint_casualties == "players":
            together = tuple(sorted(tuple(powers) for powers in self.seats.values() if len(powers) > 1))
            self.start = msgspec.structs.replace(self.start, partners=together)
        run = Run(world, self.start, self.dice)
        if TWO_PLAYERS in world.watched and len(self.seats) == 2 and TWO_PLAYERS not in self.start.history:
            run.emit(Noted(TWO_PLAYERS))
        support.begin(run)
        if start is None:
            turn.begin_turn(run, 1, 0)
        else:
            turn.current(run).enter(run)
        turn.advance(run)
        self.opening = Entry(run.power, End(), tuple(run.faces), tuple(run.events), run.state)
        self.entries: list[Entry] = []
        self.cursor = 0

    @classmethod
    def new(
        cls,
        scenario: str | None = None,
        *,
        edition: str | os.PathLike[str] | Edition | None = None,
        options: Mapping[str, Any] | None = None,
        edits: Edits | Mapping[str, Any] | None = None,
        seats: Seats | int | None = None,
        seed: int | str = 0,
        dice: Sequence[int] | Dice | None = None,
    ) -> Self:
        """A new game. `seats` is a number of players (the edition's table applies) or names with their powers.

        `edition` is one's own: a folder of data files, a .zip archive of one, or what `open_edition` gave.
        """
        if edition is not None:
            scenario = scenario_in(edition, scenario)
        if isinstance(edits, Mapping):
            edits = parse_edits(edits)
        world = compile_world(scenario or "classic-1942", options, edits)
        chosen = preset_seats(world, seats) if isinstance(seats, int) else seats
        if chosen is not None and world.seats.drawn:
            chosen = drawn_seats(world, chosen, seed)
        source: Dice | None = ScriptedDice(dice) if isinstance(dice, Sequence) else dice
        return cls(world, seats=chosen, dice=source, seed=seed, edits=edits)

    # ------------------------------------------------------------ looking

    @property
    def state(self) -> State:
        return self.entries[self.cursor - 1].state if self.cursor else self.opening.state

    @property
    def decision(self) -> Decision | None:
        """The open question; None when the game is over."""
        return decision(self.world, self.state)

    @property
    def events(self) -> tuple[AnyEvent, ...]:
        """Everything that happened up to this point."""
        return (*self.opening.events, *(e for entry in self.entries[: self.cursor] for e in entry.events))

    @property
    def legal(self) -> Legal:
        """Which answers are legal, and why others are not."""
        return Legal(self.world, self.state)

    def production(self, power: PowerId) -> int:
        return production(self.world, self.state, power)

    def seat_of(self, power: PowerId) -> str:
        return next(seat for seat, powers in self.seats.items() if power in powers)

    def view(self, seat: str | None = None) -> View:
        """The game as one seat (or a spectator) sees it."""
        if seat is not None and seat not in self.seats:
            raise SandtableError(f"There is no seat {seat!r}; seats are {', '.join(self.seats)}.")
        powers = self.seats[seat] if seat is not None else ()
        question = self.decision
        return View(
            seat,
            powers,
            self.state,
            question,
            question is not None and question.power in powers,
            {p: self.production(p) for p in self.world.powers},
        )

    # ------------------------------------------------------------ playing

    def play(self, order: AnyOrder | str) -> tuple[AnyEvent, ...]:
        """Answer the open question. Gives what happened; raises Refusal or NotationError and changes nothing."""
        if isinstance(order, str):
            order = parse_order(self.world, order)
        if isinstance(order, Undo):
            self.undo()
            return ()
        order = canonical(self.world, order)  # the record reads the same however the order came
        run = Run(self.world, self.state, self.dice)
        power = asked(self.world, self.state)
        turn.answer(run, order)
        turn.advance(run)
        del self.entries[self.cursor :]
        self.entries.append(Entry(power, order, tuple(run.faces), tuple(run.events), run.state))
        self.cursor += 1
        return tuple(run.events)

    def undo(self, *, over_phases: bool = False) -> None:
        """Take back the last order of this phase, if it rolled no dice; if the table allows it, of this turn.

        By the rules a finished phase is not reopened, and so the order `undo` reads them. People who press a button by
        accident may agree to more: nothing has happened yet but words, as long as the same power has the word.
        """
        if not self.cursor or self.state.over:
            raise self._cannot_undo("nothing-to-take-back", "There is nothing to take back.")
        before = self.entries[self.cursor - 2].state if self.cursor > 1 else self.opening.state
        now = self.state
        last = self.entries[self.cursor - 1]
        first_purchase = isinstance(last.order, Buy | Repair)  # it also ends research
        same_turn = (before.round, before.turn) == (now.round, now.turn)
        if not same_turn or (before.phase != now.phase and not first_purchase and not over_phases):
            what = "turn" if over_phases else "phase"
            raise self._cannot_undo("nothing-to-take-back", f"There is nothing to take back in this {what}.")
        if last.faces or now.battle is not None or before.battle is not None:
            text = "Dice have been rolled: what they decided cannot be taken back."
            raise self._cannot_undo("dice-cannot-be-taken-back", text)
        if last.power != asked(self.world, now):
            text = f"The last order was that of {self.world.powers[last.power].name}."
            raise self._cannot_undo("last-order-of-another-power", text)
        self.cursor -= 1
        del self.entries[self.cursor :]

    def _cannot_undo(self, reason: str, text: str) -> Refusal:
        return Refusal(reason, text).cited(self.world.citations)

    # ------------------------------------------------------------ time machine

    def go_to(self, place: int) -> None:
        """Show the game as it was after so many orders; the next order played there drops what came later."""
        if not 0 <= place <= len(self.entries):
            raise SandtableError(f"This game has {len(self.entries)} orders; there is no place {place}.")
        self.cursor = place

    def step(self, unit: str, direction: int) -> bool:
        """Move by one order, phase, turn or round, back (-1) or forward (+1). False at the end of the record."""
        marks: dict[str, Callable[[State, int], object]] = {
            "order": lambda s, i: i,
            "phase": lambda s, i: (s.round, s.turn, s.phase),
            "turn": lambda s, i: (s.round, s.turn),
            "round": lambda s, i: s.round,
        }
        if unit not in marks:
            raise SandtableError(f"Steps are by order, phase, turn or round, not by {unit!r}.")
        if direction not in (-1, 1):
            raise SandtableError(f"A step goes back (-1) or forward (1), not {direction!r}.")
        mark = marks[unit]
        states = [self.opening.state, *(e.state for e in self.entries)]
        here = mark(states[self.cursor], self.cursor)
        place = self.cursor
        while 0 <= place + direction < len(states):
            place += direction
            if mark(states[place], place) != here:
                break
        else:
            place = 0 if direction < 0 else len(states) - 1
        if direction < 0:  # to the beginning of that phase, turn or round
            there = mark(states[place], place)
            while place and mark(states[place - 1], place - 1) == there:
                place -= 1
        moved = place != self.cursor
        self.cursor = place
        return moved


def check_playable(world: World) -> None:
    """Raises SandtableError: its rules are not complete, or its data names phases or steps that nobody knows."""
    if not world.playable:
        raise SandtableError(f"{world.scenario} can be shown, but its rules are not complete yet.")
    check_names(world)


def check_seats(world: World, seats: Seats | None) -> Seats:
    """Every power in exactly one seat, as many as the edition allows (CL-SET-02, AN-SET-03); by default one for each.

    A power that another one plays (China) sits where that one sits; it need not be named.
    """
    wards = {p.id: p.played_by for p in world.powers.values() if p.played_by is not None}
    playing = world.seated
    most = max(world.seats.presets)
    if seats is None:
        seats = {world.powers[p].name: (p,) for p in playing} if len(playing) <= most else preset_seats(world, most)
    for seat, powers in seats.items():
        for ward in powers:
            if ward in wards and wards[ward] not in powers:
                master = world.powers[wards[ward]].name
                told = f"{world.powers[ward].name} is played by {master}, not by {seat}"
                raise SandtableError(f"{told}{in_brackets(world, 'ward-in-another-seat')}.")
    seats = {seat: tuple(p for p in powers if p not in wards) for seat, powers in seats.items()}
    by_rule = in_brackets(world, "seats-do-not-fit")
    empty = [seat for seat, powers in seats.items() if not powers]
    if empty:
        raise SandtableError(f"{empty[0]} plays nothing: a seat needs at least one power{by_rule}.")
    taken = [p for powers in seats.values() for p in powers]
    unknown = sorted(set(taken) - set(world.powers))
    if unknown:
        raise SandtableError(f"There is no power called {unknown[0]!r}.")
    if sorted(taken) != sorted(playing):
        missing = [world.powers[p].name for p in playing if p not in taken]
        if missing:
            raise SandtableError(f"Nobody plays {', '.join(missing)}: every power needs a seat{by_rule}.")
        raise SandtableError(f"A power can sit in one seat only{by_rule}.")
    if not world.seats.minimum <= len(seats) <= most:
        raise SandtableError(f"The game is for {_players(world)} players, not {len(seats)}{by_rule}.")
    divided = {frozenset(powers) for powers in seats.values()}
    if world.seats.fixed and divided != {frozenset(powers) for powers in world.seats.presets[len(seats)]}:
        shares = listed(
            [" with ".join(world.powers[p].name for p in powers) for powers in world.seats.presets[len(seats)]]
        )
        raise SandtableError(f"The powers are shared out as {shares}{by_rule}.")
    return {seat: (*powers, *(w for w, master in wards.items() if master in powers)) for seat, powers in seats.items()}


def preset_seats(world: World, players: int) -> Seats:
    """Who plays what with so many players (CL-SET-03 to CL-SET-06)."""
    if players not in world.seats.presets:
        by_rule = in_brackets(world, "seats-do-not-fit")
        raise SandtableError(f"The game is for {_players(world)} players, not {players}{by_rule}.")
    return {f"Player {i}": powers for i, powers in enumerate(world.seats.presets[players], 1)}


def _players(world: World) -> str:
    low, high = min(world.seats.presets), max(world.seats.presets)
    return f"{low}" if low == high else f"{low} to {high}"


def drawn_seats(world: World, seats: Seats, seed: int | str) -> Seats:
    """The same players in the same order, with what the lot gives them (MX20-02); it is drawn with the game's seed.

    A seat that is called like a power is called like the one it gets.
    """
    check_seats(world, seats)
    lots, left = SeededDice(f"{seed}/seats"), list(seats.values())
    titles = {power.name for power in world.powers.values()}
    found = {}
    for place, seat in enumerate(seats):
        powers = left.pop(lots.face(place, len(left)) - 1)
        found[world.powers[powers[0]].name if seat in titles else seat] = powers
    return found
