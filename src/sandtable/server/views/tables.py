"""Tables, chat and offers, as they are sent and received."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt

from sandtable.play import committed as dice
from sandtable.server.errors import ErrorBody
from sandtable.server.storage.tablestore import Connection, Late, Message, Offer, Table
from sandtable.server.views.base import Body, Model
from sandtable.server.views.games import Value, Word

Name = Annotated[str, Field(min_length=1, max_length=100)]
OfferKind = Literal["rewind", "draw", "surrender", "close"]


class ClockBody(Body):
    """How long a player may take in a turn or a round, and what happens then."""

    kind: Literal["none", "turn", "round"] = "none"
    seconds: StrictInt = Field(default=0, ge=0, le=60 * 86_400)
    reserve: StrictInt = Field(default=0, ge=0, le=365 * 86_400)
    vacation: StrictInt = Field(default=0, ge=0, le=365, description="days that each player may take off")
    late: Late = "host"


class NewTable(Body):
    name: Name | None = None
    scenario: Word = "classic-1942"
    options: dict[str, Value] = {}
    edits: dict[str, Any] = {}
    visibility: Literal["public", "link"] = "link"
    connection: Connection = "internet"
    clock: ClockBody = ClockBody()


class TableBody(Body):
    """What the host changes on the set-up screen; what is left out stays."""

    name: Name | None = None
    visibility: Literal["public", "link"] | None = None
    scenario: Word | None = None
    options: dict[str, Value] | None = None
    edits: dict[str, Any] | None = None
    connection: Connection | None = None
    clock: ClockBody | None = None
    rated: StrictBool | None = None


class GivenBody(Body):
    """Who plays a power: a person at the table, or a bot; nobody if nothing is said."""

    person: str | None = Field(default=None, max_length=60)
    player: Word = "human"
    style: str = Field(default="", max_length=60)


class AssignBody(Body):
    given: dict[str, GivenBody] = Field(max_length=20)


class ContributionBody(Body):
    text: str = Field(max_length=64, description="added to the dice before the game begins")


class PersonBody(Body):
    person: str = Field(max_length=60)


class PauseBody(Body):
    paused: StrictBool


class VacationBody(Body):
    days: StrictInt = Field(ge=1, le=365)


class SeatTakenBody(Body):
    """Who sits in a seat that is free or played by a computer."""

    person: str | None = Field(default=None, max_length=60, description="oneself, if nothing is said")
    player: Word = "human"
    style: str = Field(default="", max_length=60)


class MemberBody(Body):
    """One's own settings at a table; what is left out stays."""

    standing: dict[str, Annotated[str, Field(max_length=500)]] | None = Field(default=None, max_length=30)
    quiet: StrictBool | None = None
    muted: list[Annotated[str, Field(max_length=60)]] | None = Field(default=None, max_length=200)


class ChatBody(Body):
    text: str = Field(min_length=1, max_length=1000)
    to: Literal["all", "allies", "person"] = "all"
    person: str | None = Field(default=None, max_length=60)


class OfferBody(Body):
    kind: OfferKind
    at: StrictInt | None = Field(default=None, description="rewind: the place of the time machine from which to go on")


class AnswerBody(Body):
    yes: StrictBool


class MemberView(Model):
    id: str
    name: str
    account: bool
    role: Literal["host", "player", "spectator"]
    present: bool = False


class GivenView(Model):
    person: str | None = None
    player: str
    style: str = ""


class ClockView(Model):
    kind: Literal["none", "turn", "round"]
    seconds: int
    reserve: int
    vacation: int
    late: Late


class TimeView(Model):
    """What a seat has left, and whether its clock runs."""

    seconds: float
    reserve: float
    running: bool = False


class OwnView(Model):
    """One's own settings at a table."""

    standing: dict[str, str] = {}
    quiet: bool = False
    muted: list[str] = []
    vacation: int = Field(default=0, description="days that are left")


class MannerView(Model):
    value: str = Field(description="what is kept as a standing order")
    text: str


class AskView(Model):
    """What may be asked in others' turns, and usual ways to answer it. Orders as text will do, too."""

    kind: str
    title: str
    manners: list[MannerView]


class OfferView(Model):
    id: str
    kind: OfferKind
    person: str
    at: int | None = None
    text: str = Field(description="what is offered, in words")
    answers: dict[str, bool | None] = Field(description="of those who are asked")
    made: datetime


class TableView(Model):
    """A table with everything that somebody there may see."""

    id: str
    name: str
    host: str
    role: Literal["host", "admin", "player", "spectator"]
    visibility: Literal["public", "link"]
    stage: Literal["setup", "playing", "over"]
    revision: int
    members: list[MemberView]
    most: int = Field(description="people that fit")
    scenario: str
    options: dict[str, bool | int | str]
    edits: dict[str, Any]
    variants: list[str] = Field(description="what is not as usual, in words")
    given: dict[str, GivenView] = Field(description="power -> who plays it")
    connection: Connection
    clock: ClockView
    times: dict[str, TimeView] = {}
    due: datetime | None = None
    paused: bool
    result: str | None = None
    rated: bool
    commitment: str = Field(description="SHA-256 of the server's part of the dice, told before anybody adds his own")
    contributed: list[str] = Field(description="people who have added to the dice")
    join_link: str | None = None
    watch_link: str | None = None
    offers: list[OfferView] = []
    mine: OwnView = OwnView()
    asks: list[AskView] = Field([], description="what there can be standing orders for")
    late: str | None = Field(None, description="the seat whose time is up, where the host decides what comes of it")
    answers: str | None = Field(default=None, description="the power that has to answer")
    your_turn: bool = False
    updated: datetime


class TableLine(Model):
    """A table in a list."""

    id: str
    name: str
    host: str = Field(description="name")
    stage: Literal["setup", "playing", "over"]
    visibility: Literal["public", "link"]
    scenario: str
    connection: Connection
    people: list[str]
    most: int
    round: int = 0
    answers: str | None = None
    your_turn: bool = False
    updated: datetime


class ChatView(Model):
    id: int
    person: str
    name: str
    to: Literal["all", "allies", "person"]
    audience: list[str] = Field(description="those who can read it; all, if it is empty")
    text: str
    made: datetime


class ChatPage(Model):
    notice: str
    messages: list[ChatView]


class NeighbourView(Model):
    """Another server on the same network."""

    name: str
    url: str


class LadderLine(Model):
    name: str
    edition: str
    rating: float
    games: int
    won: int


class TableChanged(Model):
    """The table as it is now."""

    type: Literal["table"] = "table"
    table: TableView


class Said(Model):
    type: Literal["chat"] = "chat"
    message: ChatView


class Ejected(Model):
    """The host has removed this person from the table, or the table is gone."""

    type: Literal["ejected"] = "ejected"
    message: str


class TableBeat(Model):
    type: Literal["heartbeat"] = "heartbeat"


class TableError(Model):
    type: Literal["error"] = "error"
    error: ErrorBody


class TableMessage(Model):
    """Any message on the live connection of a table. Only here so that the schema has them all."""

    message: TableChanged | Said | Ejected | TableBeat | TableError = Field(discriminator="type")


def chat_view(message: Message, table: Table) -> ChatView:
    return ChatView(
        id=message.id,
        person=message.person,
        name=table.name_of(message.person),
        to=message.to,
        audience=list(message.audience),
        text=message.text,
        made=message.made,
    )


def offer_view(offer: Offer, table: Table) -> OfferView:
    name = table.name_of(offer.person)
    at = offer.data.get("at")
    words = {
        "rewind": f"{name} would like to go back to order {at}.",
        "draw": f"{name} offers a draw.",
        "surrender": f"{name} would like to surrender with you.",
        "close": f"{name} would like to end the game without a result.",
    }
    return OfferView(
        id=offer.id,
        kind=offer.kind,  # type: ignore[arg-type]
        person=offer.person,
        at=at,
        text=words[offer.kind],
        answers=dict(offer.answers),
        made=offer.made,
    )


def clock_view(table: Table) -> ClockView:
    clock = table.data.clock
    return ClockView(
        kind=clock.kind, seconds=clock.seconds, reserve=clock.reserve, vacation=clock.vacation, late=clock.late
    )


def commitment(table: Table) -> str:
    return dice.commitment_of(table.data.secret)


def given_views(table: Table) -> dict[str, GivenView]:
    return {
        power: GivenView(person=given.person or None, player=given.player, style=given.style)
        for power, given in table.data.given.items()
    }


def own_view(table: Table, person: str) -> OwnView:
    member = table.members.get(person)
    if member is None:
        return OwnView()
    taken: Mapping[str, int] = table.data.vacation
    return OwnView(
        standing=dict(member.settings.standing.answers),
        quiet=member.settings.quiet,
        muted=list(member.settings.muted),
        vacation=max(0, table.data.clock.vacation - taken.get(person, 0)),
    )
