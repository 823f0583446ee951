"""Games in lists, and what a new one is made from."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StrictBool, StrictInt, StrictStr

from sandtable.engine.facts import active
from sandtable.play import committed as dice
from sandtable.server.journal import Journal
from sandtable.server.storage.store import Listed
from sandtable.server.views.base import Body, Model, SeatView, seat_view
from sandtable.server.views.legal import Asked

Name = Annotated[str, Field(min_length=1, max_length=100)]
Word = Annotated[str, Field(min_length=1, max_length=60)]
Value = StrictBool | StrictInt | StrictStr


class SeatBody(Body):
    name: Word
    powers: list[Word] = Field(max_length=20)
    player: Word = "human"
    style: str = Field("", max_length=60)


class NewGame(Body):
    """A game to be made. Without seats every power has its own, played by people."""

    scenario: Word = "classic-1942"
    name: Name | None = None
    options: dict[str, Value] = {}
    edits: dict[str, Any] = {}
    seats: list[SeatBody] | None = Field(None, max_length=20)
    seed: Annotated[int, Field(ge=-(2**53), le=2**53)] | Annotated[str, Field(max_length=100)] | None = None


class Rename(Body):
    name: Name


class SeatChange(Body):
    """Who plays a seat from now on."""

    player: Word = "human"
    style: str = Field("", max_length=60)
    version: StrictInt | None = None


class BotsBody(Body):
    """Whether bots may go on; `true` also tries again after a bot has failed."""

    running: StrictBool


class OrderBody(Body):
    """An order, as text or as an object, for the version of the game that the player saw."""

    order: Annotated[str, Field(max_length=2000)] | dict[str, Any]
    version: StrictInt | None = None
    asks: Asked | None = Field(None, description="what the answer should tell about the next click")


class VersionBody(Body):
    version: StrictInt | None = None
    asks: Asked | None = None


class UndoBody(Body):
    """Which order is taken back: the last, or the one that led to place `at` of the time machine."""

    version: StrictInt | None = None
    at: StrictInt | None = None
    asks: Asked | None = None


class ImportBody(Body):
    text: str
    name: Name | None = None
    seats: list[SeatBody] | None = Field(None, max_length=20)


class GameSummary(Model):
    """A line of the list of games."""

    id: str
    name: str
    scenario: str
    created: datetime
    updated: datetime
    damaged: str | None = Field(None, description="why the game cannot be opened")
    seats: list[SeatView] = []
    version: int = 0
    orders: int = 0
    round: int = 0
    turn: str | None = None
    phase: str | None = None
    answers: str | None = Field(None, description="the power that has to answer")
    over: bool = False
    winner: str | None = None


class GameView(GameSummary):
    """One game: how it was set up, and where it stands."""

    options: dict[str, bool | int | str]
    edits: dict[str, Any]
    seed: int | str = Field(description="while people play it, what the dice were bound to, in the place of the seed")
    own_start: bool = Field(description="it began in a position of its own, not in the scenario's set-up")
    bots_running: bool
    dice: int = Field(description="rolled so far")
    digest: str = Field(description="fingerprint of the state: equal states have equal ones, on every machine")


class Mark(Model):
    """A place of the time machine where something begins."""

    at: int
    round: int
    turn: str = Field(description="the power that acts, be it in another's turn")
    phase: str


class Timeline(Model):
    orders: int
    marks: list[Mark] = Field(description="the first place of every phase that was played")


class Exported(Model):
    name: str
    file: str = Field(description="a file name")
    text: str


Into = Literal["new", "same"]


def summary_view(listed: Listed, damaged: str = "") -> GameSummary:
    problem = listed.problem or damaged
    fields: dict[str, Any] = {
        "id": listed.id,
        "name": listed.name,
        "scenario": listed.scenario,
        "created": listed.created,
        "updated": listed.updated,
        "damaged": problem or None,
    }
    found = listed.summary
    if found is not None:
        fields |= {
            "seats": [seat_view(seat) for seat in found.seats],
            "version": found.version,
            "orders": found.orders,
            "round": found.round,
            "turn": found.turn,
            "phase": found.phase,
            "answers": found.answers,
            "over": found.over,
            "winner": found.winner,
        }
    return GameSummary.model_validate(fields)


def game_view(journal: Journal, listed: Listed, *, bots_running: bool, over: bool = True) -> GameView:
    header = journal.header
    game = journal.game
    return GameView.model_validate(
        {
            **summary_view(listed).model_dump(),
            "options": dict(game.world.options),
            "edits": dict(header.edits),
            "seed": dice.shown(header.seed, over=over),
            "own_start": header.start is not None,
            "bots_running": bots_running,
            "dice": game.state.rolls,
            "digest": game.state.digest(),
        }
    )


def timeline(journal: Journal) -> Timeline:
    world = journal.game.world
    marks: list[Mark] = []
    last = None
    for place in range(journal.place + 1):
        state = journal.state_at(place)
        here = (state.round, state.turn, state.phase)
        if here != last:
            last = here
            marks.append(Mark(at=place, round=state.round, turn=active(world, state), phase=world.phases[state.phase]))
    return Timeline(orders=journal.place, marks=marks)
