"""What the two forces mean to do: when the attacker breaks off, and whether submarines stay."""

from __future__ import annotations

from typing import Literal

import msgspec

from sandtable.odds.model import OddsError

Boats = Literal["stay", "leave"]
Method = Literal["auto", "exact", "play"]


class Retreat(msgspec.Struct, frozen=True, kw_only=True):
    """The attacker breaks off after a round as soon as one of these holds; what is not set never does.

    While landed troops fight, nobody but planes may leave: then the planes break off and the others fight on.
    """

    rounds: int | None = None  # so many rounds have been fought
    units: int = 0  # fewer than so many units are left
    land_units: int = 0  # fewer than so many units that can take land are left
    only_planes: bool = False  # nothing but planes is left
    odds: float = 0.0  # the chance to win by fighting on to the end is below this

    def check(self) -> None:
        if self.rounds is not None and self.rounds < 1:
            raise OddsError("A retreat comes after a round: the number of rounds must be at least 1.")
        if self.units < 0 or self.land_units < 0:
            raise OddsError("A retreat with fewer than so many units: the number cannot be negative.")
        if not 0 <= self.odds <= 1:
            raise OddsError(f"The chance below which the attacker retreats lies between 0 and 1, not at {self.odds}.")


NEVER = Retreat()


class Intentions(msgspec.Struct, frozen=True, kw_only=True):
    retreat: Retreat = NEVER
    attacker_submarines: Boats = "stay"  # leave: at the first question
    defender_submarines: Boats = "stay"

    def check(self) -> None:
        self.retreat.check()
        for boats in (self.attacker_submarines, self.defender_submarines):
            if boats not in ("stay", "leave"):
                raise OddsError(f"Submarines stay or leave; they cannot {boats!r}.")
