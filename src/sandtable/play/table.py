"""The table: a game whose seats are taken by people, bots and standing orders.

The engine never calls a player; the table does, between two orders. It plays on by itself as long as whoever has to
answer needs nobody to ask, and then waits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import msgspec

from sandtable.engine.decision import Decision
from sandtable.engine.events import AnyEvent
from sandtable.engine.game import Game
from sandtable.engine.state import State
from sandtable.errors import Refusal, SandtableError
from sandtable.notation import format_order
from sandtable.notation.orders import AnyOrder
from sandtable.play.player import Player
from sandtable.play.standing import StandingOrder
from sandtable.world.model import PowerId

Until = Callable[[Game], bool]


class Played(msgspec.Struct, frozen=True):
    """One order that the table carried out: whose, by which player, from which state, and what happened."""

    seat: str
    by: str  # the bot's or the standing order's name
    power: PowerId
    order: AnyOrder
    before: State
    events: tuple[AnyEvent, ...]


LONGEST_MESSAGE = 2000


class Message(msgspec.Struct, frozen=True):
    """Something said at the table: by whom, to whom (nobody named: to all), and after how many orders."""

    seat: str
    text: str
    to: tuple[str, ...]
    place: int


class Table:
    """A game and who sits at it. Seats without a player are people's: the table waits for them."""

    def __init__(self, game: Game, players: Mapping[str, Player] | None = None) -> None:
        self.game = game
        self.players: dict[str, Player] = {}
        self.standing: dict[str, list[StandingOrder]] = {}
        self.messages: list[Message] = []
        for seat, player in (players or {}).items():
            self.sit(seat, player)

    def sit(self, seat: str, player: Player) -> None:
        """Give a seat to a player that answers by itself."""
        self._check(seat)
        self.players[seat] = player

    def leave(self, seat: str) -> None:
        """Give a seat back to people."""
        self._check(seat)
        self.players.pop(seat, None)

    def stand(self, seat: str, order: StandingOrder) -> None:
        """Switch a standing order on for a seat."""
        self._check(seat)
        orders = self.standing.setdefault(seat, [])
        if all(each.name != order.name for each in orders):
            orders.append(order)

    def drop(self, seat: str, name: str) -> None:
        """Switch a standing order off."""
        self._check(seat)
        self.standing[seat] = [each for each in self.standing.get(seat, []) if each.name != name]

    def say(self, seat: str, text: str, to: tuple[str, ...] = ()) -> Message:
        """Speak to the others, whoever's turn it is and whatever is being asked (CL-TRN-08)."""
        for name in (seat, *to):
            self._check(name)
        words = " ".join(text.split())
        if not 0 < len(words) <= LONGEST_MESSAGE:
            raise SandtableError(f"A message has 1 to {LONGEST_MESSAGE} characters.")
        message = Message(seat, words, to, self.game.cursor)
        self.messages.append(message)
        return message

    def heard(self, seat: str) -> list[Message]:
        """What this seat has heard: messages to all, to it, and its own."""
        self._check(seat)
        return [m for m in self.messages if not m.to or seat in m.to or seat == m.seat]

    def has_people(self) -> bool:
        return any(seat not in self.players for seat in self.game.seats)

    def automatic(self) -> tuple[str, AnyOrder] | None:
        """The answer to the open question that needs nobody to ask, with who gives it; None when a person has to."""
        question = self.game.decision
        if question is None:
            return None
        seat = self.game.seat_of(question.power)
        legal = self.game.legal
        for standing in self.standing.get(seat, ()):
            answer = standing.answer(legal, question)
            if answer is not None:
                return standing.name, answer
        player = self.players.get(seat)
        if player is None:
            return None
        return player.name, player.decide(self.game.view(seat), legal, question)

    def step(self) -> Played | None:
        """Carry out one order that needs nobody to ask; None when a person has to answer or the game is over."""
        found = self.automatic()
        if found is None:
            return None
        by, order = found
        question = self.game.decision
        assert question is not None
        before = self.game.state
        try:
            events = self.game.play(order)
        except Refusal as refusal:
            raise SandtableError(
                f"{by} answered for {self._name(question)} with `{format_order(order)}`, which is not legal: {refusal}"
            ) from refusal
        return Played(self.game.seat_of(question.power), by, question.power, order, before, events)

    def run(self, until: Until | None = None) -> Iterator[Played]:
        """Play on until a person has to answer, the game is over or `until` holds, giving each order carried out."""
        while not (until is not None and until(self.game)):
            played = self.step()
            if played is None:
                return
            yield played

    def _check(self, seat: str) -> None:
        if seat not in self.game.seats:
            raise SandtableError(f"There is no seat {seat!r}; seats are {', '.join(self.game.seats)}.")

    def _name(self, question: Decision) -> str:
        return self.game.world.powers[question.power].name


def rounds_over(number: int) -> Until:
    """Holds once so many rounds have been played."""
    return lambda game: game.state.round > number
