"""The terminal game: ask, play, tell, keep, and again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from difflib import get_close_matches
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from sandtable.cli import board
from sandtable.cli.progress import print_progress
from sandtable.cli.terminal import menu
from sandtable.cli.terminal.front import front_table
from sandtable.cli.terminal.keeper import Keeper
from sandtable.cli.terminal.narrator import Narrator
from sandtable.cli.terminal.prompt import Prompt
from sandtable.engine.facts import active
from sandtable.engine.game import Game
from sandtable.engine.state import State
from sandtable.errors import NotationError, Refusal, SandtableError, SaveError
from sandtable.notation import format_order, parse_order
from sandtable.notation.names import LONGEST, quoted
from sandtable.notation.orders import AnyOrder, Undo
from sandtable.notation.parse import READERS
from sandtable.play.table import Played, Table, rounds_over
from sandtable.world.model import PowerId

LONGEST_NUMBER = 6  # digits of the number of an answer


class Command(NamedTuple):
    """Something to type beside orders: a word, what follows it, what it does, and the doing."""

    name: str
    usage: str
    help: str
    run: Callable[[Session, str], None]


class Session:
    """One sitting at the table."""

    def __init__(
        self,
        table: Table,
        console: Console,
        prompt: Callable[[Session], Prompt],
        keeper: Keeper,
        commands: Mapping[str, Command],
        rounds: int | None = None,
    ) -> None:
        """`prompt` makes the prompt for this session; `rounds` ends the sitting after that round."""
        self.table = table
        self.console = console
        self.keeper = keeper
        self.commands = commands
        self.narrator = Narrator(console, table.game.world)
        self.rounds = rounds
        self.menu: menu.Menu | None = None
        self.leaving = False
        self._greeted: tuple[int, PowerId] | None = None  # who has seen the situation, and in which round
        self._prompt = prompt(self)

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def in_the_past(self) -> bool:
        """The time machine shows an earlier point; nothing is played until `continue`."""
        return self.game.cursor < len(self.game.entries)

    # ------------------------------------------------------------ the loop

    def run(self) -> None:
        """Play until the person leaves, the last round is over, or nobody is left to ask. The game is kept."""
        try:
            if not self.game.entries:
                self.narrator.tell(self.game.start, self.game.opening.events)
            while not self.leaving:
                if not self.in_the_past:
                    self._let_others_play()
                    if self._is_finished():
                        break
                self._ask()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        self._farewell()

    def _let_others_play(self) -> None:
        until = rounds_over(self.rounds) if self.rounds is not None else None
        played = None
        for played in self.table.run(until):
            self._tell(played)
            self.keep(now=False)
        if played is not None:
            self.refresh()
            self.keep(now=True)

    def _tell(self, played: Played) -> None:
        if played.by in {order.name for order in self.table.standing.get(played.seat, ())}:
            self.console.print(Text(f"(standing order: {played.by})", style="dim"))
        self.narrator.tell(played.before, played.events)

    def _is_finished(self) -> bool:
        """Nothing is left to ask anybody at this table."""
        if self.rounds is not None and self.game.state.round > self.rounds and not self.game.state.over:
            self.console.print()
            self.console.print(Text(f"Round {self.rounds} is over."))
            return True
        if self.game.decision is None and not self.table.has_people():
            self.console.print()
            menu.print_menu(self.console, menu.question_menu(self.game))
            return True
        return False

    def _farewell(self) -> None:
        if self.keep(now=True):
            self.console.print(Text(self.keeper.words), soft_wrap=True)  # a command that is broken in two is none

    def keep(self, *, now: bool) -> bool:
        """Keep the game on disk; if that fails, say so and play on."""
        try:
            self.keeper.keep(self.game, now=now)
        except SaveError as error:
            self.complain(f"The game could not be kept. {error}")
            return False
        return True

    def _ask(self) -> None:
        if self.menu is None:
            self.menu = menu.question_menu(self.game)
            self._show()
        self.answer(self._prompt.ask(self._line_start()))

    def _line_start(self) -> str:
        question = self.game.decision
        if question is None:
            return "over> "
        return f"{self.game.world.powers[question.power].name}> "

    def _show(self) -> None:
        """The open question with what one needs to see to answer it."""
        assert self.menu is not None
        state = self.game.state
        question = self.game.decision
        self.console.print()
        if self.in_the_past:
            total = len(self.game.entries)
            here = f"Looking back: after order {self.game.cursor} of {total}, in round {state.round}."
            self.console.print(Text(f"{here} `forward` goes on, `continue` plays on from here.", style="bold magenta"))
        if state.battle is not None and state.questions:
            if self.narrator.show_battle(state):
                self.console.print()
        elif question is not None and self._greeted != (state.round, question.power):
            self._greeted = (state.round, question.power)
            self.show_situation(state)
        menu.print_menu(self.console, self.menu)

    def show_situation(self, state: State) -> None:
        """What a power wants to see when its turn begins."""
        world = self.game.world
        power = active(world, state)
        self.console.print(board.status_table(self.console, world, state))
        self.console.print()
        print_progress(self.console, world, state, power)
        front = front_table(self.console, world, state, power)
        if front is not None:
            self.console.print(front)
            self.console.print()

    def refresh(self) -> None:
        """Ask the open question again."""
        self.menu = None

    # ------------------------------------------------------------ answers

    def answer(self, line: str) -> None:
        """Deal with one line: a number, a command or an order. Complaints are printed."""
        line = line.split("#", 1)[0].strip()
        if not line:
            self.narrator.forget()
            self.refresh()
            return
        try:
            if line.isascii() and line.isdigit() and len(line) <= LONGEST_NUMBER:
                self._choose(int(line))
            else:
                self._command_or_order(line)
        except Refusal as refusal:
            self.print_refusal(refusal)
        except SandtableError as error:
            self.complain(str(error))

    def _choose(self, number: int) -> None:
        assert self.menu is not None
        if number == 0:
            self.refresh()
            return
        if number > len(self.menu.choices):
            most = len(self.menu.choices)
            raise NotationError(
                f"There is no answer {number}; they go from 1 to {most}."
                if most
                else "There is nothing to choose here."
            )
        choice = self.menu.choices[number - 1]
        if choice.menu is not None:
            self.menu = choice.menu()
            self.console.print()
            menu.print_menu(self.console, self.menu)
            return
        self.console.print(Text(f"  {choice.order}", style="cyan"))
        self._play(parse_order(self.game.world, choice.order))

    def _command_or_order(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        command = self.commands.get(word.lower())
        if command is not None:
            command.run(self, rest.strip())
            return
        if word.lower().rstrip(":") not in READERS:
            question = self.game.decision
            answers = question.answers if question is not None else ()
            near = get_close_matches(word.lower()[:LONGEST], [*answers, *self.commands, *READERS], n=1, cutoff=0.6)
            hint = f" Did you mean `{near[0]}`?" if near else ""
            raise NotationError(f"{quoted(word)} is neither an order nor a command.{hint} `help` explains everything.")
        self._play(parse_order(self.game.world, line))

    def _play(self, order: AnyOrder) -> None:
        if self.in_the_past:
            later = len(self.game.entries) - self.game.cursor
            raise NotationError(
                f"You are looking back. `continue` plays on from here and drops the {later} later orders; "
                "`forward` leads back to the present."
            )
        if isinstance(order, Undo):
            undone = self.game.entries[self.game.cursor - 1].order if self.game.cursor else None
            self.game.undo()
            assert undone is not None
            self.console.print(Text(f"Taken back: {format_order(undone)}"))
        else:
            before = self.game.state
            events = self.game.play(order)
            self.narrator.tell(before, events)
        self.refresh()
        self.keep(now=True)

    # ------------------------------------------------------------ complaints

    def print_refusal(self, refusal: Refusal) -> None:
        """The rule, what is wrong, and how to read more."""
        if not refusal.rules:
            self.complain(refusal.text)
            return
        self.console.print(Text.assemble((refusal.rule, "bold red"), (f": {refusal.text}", "red")))
        self.console.print(Text(f"`rule {refusal.rule}` shows that rule.", style="dim"))

    def complain(self, sentence: str) -> None:
        self.console.print(Text(sentence, style="red"))
