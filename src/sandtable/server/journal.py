"""A game with its journal: the numbered list of everything that was done, taken-back orders included.

The journal only grows. Orders, undo, redo, going on from an earlier point and seats that change hands are changes of
it, and playing the changes again from the first gives the same game; that is how a stored game is read. The number of
the last change is the game's version. Nothing here waits, stores or sends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from datetime import datetime
from typing import Literal

import msgspec

from sandtable.archive import saves, snapshot
from sandtable.archive.game import SavedGame
from sandtable.engine.dice import SeededDice
from sandtable.engine.facts import active, phase_name
from sandtable.engine.game import Entry
from sandtable.engine.state import State
from sandtable.errors import Refusal, SandtableError
from sandtable.notation import format_order, parse_order
from sandtable.notation.orders import AnyOrder, Undo
from sandtable.server.bots.registry import HUMAN
from sandtable.server.storage.store import Header, Seat, Step, Summary, now
from sandtable.world.compile import compile_world
from sandtable.world.edits import parse_edits

Kind = Literal["order", "undo", "drop", "redo", "rewind", "seat"]


class Damaged(SandtableError):
    """A stored game that cannot be played again."""


class NothingToRedo(SandtableError):
    """Nothing was taken back, or something else was played since."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """One change of the game: what was done, with the states around it."""

    number: int
    kind: Kind
    power: str  # who answered, or whose turn it was
    seat: str
    by: str  # human, or the bot's name
    text: str  # the order in its canonical form; for a seat its name
    place: int  # orders in the game after it
    before: State
    state: State
    entry: Entry | None  # the order that was carried out (order, redo) or taken back (undo)
    made: datetime
    person: str = ""  # the id of the person who did it, where people are known


class TableDice:
    """Dice from the seed, but for those whose faces are on record: an imported game may have been played with others.

    A die belongs to its number for good, so that going back and playing on never gives another chance.
    """

    def __init__(self, seed: int | str) -> None:
        self._seeded = SeededDice(seed)
        self._known: dict[int, int] = {}

    def record(self, first: int, faces: Iterable[int]) -> None:
        self._known.update(enumerate(faces, first))

    def face(self, index: int, sides: int) -> int:
        known = self._known.get(index)
        return self._seeded.face(index, sides) if known is None or known > sides else known


class Journal:
    """The game, who sits where, and all changes so far."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.seats = header.seats
        edits = parse_edits(header.edits)
        world = compile_world(header.scenario, header.options, edits)
        start = None if header.start is None else snapshot.from_data(world, header.start)
        self.dice = TableDice(header.seed)
        self.dice.record(0 if start is None else start.rolls, header.opening)
        self.game = SavedGame(
            world,
            seats={seat.name: seat.powers for seat in header.seats},
            seed=header.seed,
            edits=edits,
            start=start,
            dice=self.dice,
        )
        self.changes: list[Note] = []
        self._taken_back: list[Entry] = []  # the next one to redo is the last

    # ------------------------------------------------------------ looking

    @property
    def version(self) -> int:
        return len(self.changes)

    @property
    def place(self) -> int:
        return len(self.game.entries)

    def state_at(self, place: int) -> State:
        """The state after so many orders."""
        if not 0 <= place <= self.place:
            raise SandtableError(f"This game has {self.place} orders; there is no place {place}.")
        return self.game.entries[place - 1].state if place else self.game.opening.state

    def seat_of(self, power: str) -> Seat:
        return self.seat(self.game.seat_of(power))  # a power that another one plays sits with it

    def seat(self, name: str) -> Seat:
        found = next((seat for seat in self.seats if seat.name == name), None)
        if found is None:
            raise SandtableError(f"There is no seat {name!r}; seats are {', '.join(s.name for s in self.seats)}.")
        return found

    @property
    def can_redo(self) -> bool:
        return bool(self._taken_back)

    @property
    def to_redo(self) -> Entry | None:
        """What redo would play."""
        return self._taken_back[-1] if self._taken_back else None

    @property
    def can_undo(self) -> bool:
        return self.why_no_undo() is None

    def why_no_undo(self) -> Refusal | None:
        """Ask the game itself, and put everything back."""
        entries, cursor = list(self.game.entries), self.game.cursor
        try:
            self.game.undo(over_phases=True)
        except Refusal as refusal:
            return refusal
        finally:
            self.game.entries, self.game.cursor = entries, cursor
        return None

    def standing_still(self) -> Journal:
        """A copy that stays as it is now, to be read by another thread. What it is made of never changes."""
        still = copy(self)
        still.game = copy(self.game)
        still.game.entries = list(self.game.entries)
        still.changes = list(self.changes)
        return still

    def summary(self, digest: str | None = None) -> Summary:
        """Where the game stands. A digest takes some milliseconds: whoever has it already gives it."""
        state, question = self.game.state, self.game.decision
        return Summary(
            seats=tuple(self._with_wards(seat) for seat in self.seats),
            version=self.version,
            orders=self.place,
            round=state.round,
            turn=active(self.game.world, state),
            phase=phase_name(self.game.world, state),
            answers=None if question is None else question.power,
            over=state.over,
            winner=state.winner,
            digest=digest or state.digest(),
        )

    def _with_wards(self, seat: Seat) -> Seat:
        wards = tuple(power for power in self.game.seats[seat.name] if power not in seat.powers)
        return msgspec.structs.replace(seat, wards=wards) if wards else seat

    # ------------------------------------------------------------ doing

    def play(self, order: AnyOrder | str, by: str = HUMAN, made: datetime | None = None) -> Note:
        """Answer the open question. Raises Refusal or NotationError and changes nothing."""
        if isinstance(order, str):
            order = parse_order(self.game.world, order)
        if isinstance(order, Undo):
            return self.undo(by, made)
        before = self.game.state
        self.game.play(order)
        self._taken_back.clear()
        entry = self.game.entries[-1]
        return self._note("order", entry.power, by, format_order(entry.order), before, entry, made)

    def undo(self, by: str = HUMAN, made: datetime | None = None) -> Note:
        """Take the last order back, also over the end of a phase, as long as no dice were rolled."""
        before = self.game.state
        entry = self.game.entries[-1] if self.game.entries else None
        self.game.undo(over_phases=True)
        assert entry is not None
        self._taken_back.append(entry)
        return self._note("undo", entry.power, by, format_order(entry.order), before, entry, made)

    def drop(self, place: int, by: str = HUMAN, made: datetime | None = None) -> Note:
        """Take an earlier order of this phase back and keep the later ones, or refuse it whole."""
        self.state_at(place)
        before, entries, cursor = self.game.state, list(self.game.entries), self.game.cursor
        try:
            while self.place >= place:
                self.game.undo()
            for later in entries[place:]:
                self._keep(later)
        except Refusal:
            self.game.entries, self.game.cursor = entries, cursor
            raise
        self._taken_back.clear()
        entry = entries[place - 1]
        return self._note("drop", entry.power, by, str(place), before, entry, made)

    def _keep(self, later: Entry) -> None:
        """Play an order again after an earlier one was taken back."""
        text = format_order(later.order)
        try:
            self.game.play(later.order)
        except Refusal as refusal:
            told = f"It cannot be taken back alone, for `{text}` hangs on it: {refusal.text}"
            raise Refusal(refusal.reason, told, rules=refusal.rules) from None
        if self.game.entries[-1].faces:
            told = f"It cannot be taken back alone: `{text}` would then come under fire."
            raise Refusal("later-order-under-fire", told).cited(self.game.world.citations)

    def redo(self, by: str = HUMAN, made: datetime | None = None) -> Note:
        """Play again what was taken back last."""
        if not self._taken_back:
            raise NothingToRedo("There is nothing to play again.")
        before = self.game.state
        self.game.play(self._taken_back[-1].order)
        self._taken_back.pop()
        entry = self.game.entries[-1]
        return self._note("redo", entry.power, by, format_order(entry.order), before, entry, made)

    def rewind(self, place: int, by: str = HUMAN, made: datetime | None = None) -> Note:
        """Go on from an earlier point. What came after it can be played again as long as nothing else is."""
        self.state_at(place)
        before = self.game.state
        dropped = self.game.entries[place:]
        self.game.go_to(place)
        del self.game.entries[place:]
        self._taken_back.extend(reversed(dropped))
        return self._note("rewind", active(self.game.world, before), by, str(place), before, None, made)

    def sit(self, name: str, player: str, style: str = "", made: datetime | None = None, *, person: str = "") -> Note:
        """Give a seat to a person or a bot."""
        old = self.seat(name)
        new = msgspec.structs.replace(old, player=player, style=style, person=person)
        self.seats = tuple(new if seat is old else seat for seat in self.seats)
        text = msgspec.json.encode(new).decode()
        return self._note("seat", old.powers[0], player, text, self.game.state, None, made)

    def _note(
        self, kind: Kind, power: str, by: str, text: str, before: State, entry: Entry | None, made: datetime | None
    ) -> Note:
        change = Note(
            number=self.version + 1,
            kind=kind,
            power=power,
            seat=self.seat_of(power).name,
            by=by,
            text=text,
            place=self.place,
            before=before,
            state=self.game.state,
            entry=entry,
            made=made or now(),
        )
        self.changes.append(change)
        return change

    def sign(self, person: str) -> Note:
        """Write down which person did what was done last."""
        self.changes[-1] = signed = msgspec.structs.replace(self.changes[-1], person=person)
        return signed

    def line_before(self, change: Note) -> Iterator[Entry]:
        """The orders that led to a change, the last first, also where others have been played since."""
        place = change.place - 1
        for earlier in reversed(self.changes[: change.number - 1]):
            if earlier.place == place and earlier.entry is not None and earlier.kind in ("order", "redo"):
                yield earlier.entry
                place -= 1

    # ------------------------------------------------------------ storing and reading

    def step(self, change: Note) -> Step:
        """The change as it is stored."""
        return Step(
            number=change.number,
            kind=change.kind,
            power=change.power,
            seat=change.seat,
            by=change.by,
            person=change.person,
            text=change.text,
            faces=dice_of(change),
            digest=change.state.digest(),
            made=change.made,
        )


def dice_of(change: Note) -> tuple[int, ...]:
    """The dice that were rolled by the change; what is taken back rolls none."""
    return change.entry.faces if change.entry is not None and change.kind in ("order", "redo") else ()


def rebuild(header: Header, steps: Sequence[Step], digest: str) -> Journal:
    """The journal that was stored, played again and compared with what is on record. Raises Damaged."""
    try:
        journal = Journal(header)
    except SandtableError as error:
        raise Damaged(f"The game cannot begin: {error}") from None
    for expected, step in enumerate(steps, 1):
        problem = ""
        if step.number != expected:
            raise Damaged(f"Change {expected} of the game is missing.")
        try:
            _again(journal, step)
            if dice_of(journal.changes[-1]) != step.faces:
                problem = "it rolled other dice."
        except Exception as error:  # whatever is in the file must not harm the server
            problem = str(error)
        if problem:
            earlier = _first_difference(journal, steps[: expected - 1])
            raise Damaged(earlier or f"Change {step.number} of the game does not fit ({step.text[:60]!r}): {problem}")
    if journal.game.state.digest() != digest:
        raise Damaged(
            _first_difference(journal, steps)
            or "The record of the game is incomplete: it does not lead to the last position that was stored."
        )
    return journal


def _again(journal: Journal, step: Step) -> None:
    journal.dice.record(journal.game.state.rolls, step.faces)
    match step.kind:
        case "order":
            journal.play(step.text, step.by, step.made)
        case "undo":
            journal.undo(step.by, step.made)
        case "drop":
            journal.drop(int(step.text), step.by, step.made)
        case "redo":
            journal.redo(step.by, step.made)
        case "rewind":
            journal.rewind(int(step.text), step.by, step.made)
        case "seat":
            seat = msgspec.json.decode(step.text, type=Seat)
            journal.sit(seat.name, seat.player, seat.style, step.made, person=seat.person)
        case _:
            raise Damaged(f"Change {step.number} of the game is of an unknown kind: {step.kind[:60]!r}.")
    if step.person:
        journal.sign(step.person)


def follow(journal: Journal, steps: Sequence[Step]) -> None:
    """Play what another process has stored. Raises Damaged if it does not follow on what is known here."""
    for step in steps:
        if step.number != journal.version + 1:
            raise Damaged(f"Change {journal.version + 1} of the game is missing.")
        try:
            _again(journal, step)
        except SandtableError as error:
            raise Damaged(f"Change {step.number} of the game does not fit: {error}") from None
        if journal.changes[-1].state.digest() != step.digest:
            raise Damaged(f"Change {step.number} of the game leads to another position here.")


def _first_difference(journal: Journal, steps: Sequence[Step]) -> str:
    """Which change leads elsewhere; looked for only when something does not fit, since digests take time."""
    for change, step in zip(journal.changes, steps, strict=False):
        if change.state.digest() != step.digest:
            return (
                f"Change {step.number} of the game ({step.text[:60]!r}) leads to another position than the one that "
                "was stored. Most likely an earlier version of Sandtable, which read a rule differently, played it; "
                "that version can still open and export it. The record stays as it is."
            )
    return ""


def header_of(game: SavedGame, *, game_id: str, name: str, seats: tuple[Seat, ...]) -> Header:
    """The header for a game that came from elsewhere."""
    return Header(
        id=game_id,
        name=name,
        scenario=game.world.scenario,
        options=dict(game.world.options),
        edits=msgspec.to_builtins(game.edits),
        seats=seats,
        seed=game.seed,
        start=snapshot.to_data(game.start) if saves.started_elsewhere(game) else None,
        opening=game.opening.faces,
    )


def copied(header: Header, entries: Sequence[Entry]) -> Journal:
    """A journal of its own with these orders, for a game imported or continued from an earlier point."""
    journal = Journal(header)
    for entry in entries:
        journal.dice.record(journal.game.state.rolls, entry.faces)
        journal.play(entry.order)
    return journal
