"""What all views share."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict, Field

from sandtable.engine.state import Piece
from sandtable.server.storage.store import Seat


class Model(BaseModel):
    """Something that is sent."""

    model_config = ConfigDict(frozen=True)


class Body(BaseModel):
    """Something that is received: unknown fields are mistakes."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class UnitCount(Model):
    """So many units of a kind."""

    unit: str
    count: int


class Force(Model):
    """Units of one power and kind, with what each of them carries."""

    power: str
    unit: str
    count: int
    cargo: list[UnitCount] = []
    marks: list[str] = Field([], description="what each of them carries for good, by id")


class SeatView(Model):
    name: str
    powers: list[str]
    player: str = Field(description="`human`, or the name of a bot")
    style: str = ""
    person: str | None = Field(None, description="the id of the person who sits here, where people are known")


def seat_view(seat: Seat) -> SeatView:
    return SeatView(
        name=seat.name, powers=list(seat.powers), player=seat.player, style=seat.style, person=seat.person or None
    )


def force(piece: Piece, count: int) -> Force:
    return Force(power=piece.power, unit=piece.type, count=count, cargo=cargo(piece.cargo), marks=list(piece.marks))


def forces(units: Iterable[tuple[Piece, int]]) -> list[Force]:
    return [force(piece, n) for piece, n in units]


def cargo(pieces: Iterable[Piece]) -> list[UnitCount]:
    found: dict[str, int] = {}
    for piece in pieces:
        found[piece.type] = found.get(piece.type, 0) + 1
    return [UnitCount(unit=unit, count=n) for unit, n in found.items()]
