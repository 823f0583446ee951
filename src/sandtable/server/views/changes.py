"""Changes of a game: the answer to an order, and the numbered messages on a live connection, which are the same."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from sandtable.archive.log import sentences
from sandtable.notation import format_order
from sandtable.server.errors import ErrorBody
from sandtable.server.journal import Journal, Note, dice_of
from sandtable.server.views.base import Model, SeatView, seat_view
from sandtable.server.views.battle import opened_at, rolls
from sandtable.server.views.board import StateView, changed_view
from sandtable.server.views.course import BattleFrame, BattleReport, battle_reports, course
from sandtable.server.views.events import EventView, event_views
from sandtable.server.views.legal import Turn


class ChangeView(Model):
    """Something was done. `number` is the game's version after it."""

    type: Literal["order", "undo", "drop", "redo", "rewind", "seat"]
    number: int
    power: str
    seat: str
    by: str = Field(description="`human`, or the bot's name")
    person: str | None = Field(None, description="the id of the person who did it, where people are known")
    order: str | None = Field(None, description="carried out (order, redo) or taken back (undo, drop)")
    dice: list[int] = []
    events: list[EventView] = []
    sentences: list[str] = Field([], description="what is worth telling, in words")
    battles: list[BattleReport] = Field([], description="battles that ended, each told as a whole")
    course: list[BattleFrame] = Field([], description="the battle board at each step of what happened in battles")
    state: StateView = Field(description="the table after it, with the spaces that changed")
    made: datetime
    turn: Turn | None = Field(
        default=None, description="what the next click needs, for the one who asked with the order"
    )


def change_view(journal: Journal, change: Note) -> ChangeView:
    world = journal.game.world
    entry = change.entry
    events = entry.events if entry is not None and change.kind in ("order", "redo") else ()
    return ChangeView(
        type=change.kind,
        number=change.number,
        power=change.power,
        seat=change.seat,
        by=change.by,
        person=change.person or None,
        order=format_order(entry.order) if entry is not None else None,
        dice=list(dice_of(change)),
        events=event_views(world, events),
        sentences=sentences(world, events),
        battles=battle_reports(world, events, journal.line_before(change)) if events else [],
        course=_course(journal, change) if events and change.kind == "order" else [],
        state=changed_view(journal, change.before, change.state, change.place, change.number),
        made=change.made,
    )


def _course(journal: Journal, change: Note) -> list[BattleFrame]:
    assert change.entry is not None
    if not change.entry.faces and change.before.battle is None:
        return []  # no dice, no battle
    earlier = []
    if change.before.battle is not None:
        for entry in journal.line_before(change):
            earlier.append(entry)
            if opened_at(change.before.battle.space, entry.events) is not None:
                break
    known = rolls(change.before.battle, earlier[::-1])
    return course(journal.game.world, change.before, change.entry.events, known)


class Viewer(Model):
    """Somebody on a live connection."""

    id: int
    name: str


class Hello(Model):
    """The first message on a live connection."""

    type: Literal["hello"] = "hello"
    number: int = Field(description="the game's version; changes up to it follow if `since` was given")
    viewer: int = Field(description="the id of this connection among the viewers")
    heartbeat: float = Field(description="at the latest after so many seconds something is sent")
    viewers: list[Viewer]
    seats: list[SeatView]
    thinking: Thinking | None = None
    trouble: Trouble | None = None


class Reset(Model):
    """What the client has is from another game than this one: it has to read the state anew."""

    type: Literal["reset"] = "reset"
    number: int


class Heartbeat(Model):
    type: Literal["heartbeat"] = "heartbeat"
    number: int


class Presence(Model):
    type: Literal["presence"] = "presence"
    viewers: list[Viewer] = Field(description="the first fifty of them")
    total: int = Field(description="how many there are")


class Thinking(Model):
    """A bot is at work, or has finished."""

    type: Literal["thinking"] = "thinking"
    active: bool
    power: str
    seat: str
    player: str
    question: str = Field(description="the kind of question that it is answering")
    orders: int = Field(description="orders that it has given since it was last asked")
    seconds: float = Field(description="that it has taken since then")
    can_hurry: bool = Field(description="it would think more briefly if asked to")


class Trouble(Model):
    """A bot has failed; its seat waits for somebody to take over, or for another try."""

    type: Literal["trouble"] = "trouble"
    seat: str
    player: str
    message: str


class Deleted(Model):
    type: Literal["deleted"] = "deleted"


class LiveError(Model):
    """A message that was not understood, or the reason why the connection is closed."""

    type: Literal["error"] = "error"
    error: ErrorBody


class LiveMessage(Model):
    """Any message on a live connection. Only here so that the schema has them all."""

    message: ChangeView | Hello | Reset | Heartbeat | Presence | Thinking | Trouble | Deleted | LiveError = Field(
        discriminator="type"
    )


Hello.model_rebuild()

Transient = Presence | Thinking | Trouble | Deleted


def seats_of(journal: Journal) -> list[SeatView]:
    return [seat_view(seat) for seat in journal.seats]


def as_json(message: Model) -> str:
    """For the wire; what is absent is left out."""
    return message.model_dump_json(exclude_none=True)
