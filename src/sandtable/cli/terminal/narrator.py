"""Telling what happened: sentences for the log, two columns for battles.

The narrator folds the events itself, so that it can show each battle as it stood when it began, even if a whole battle
was fought in the wake of one order.
"""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sandtable.archive.log import sentence
from sandtable.cli.console import bold, style
from sandtable.cli.terminal import battle as board
from sandtable.cli.terminal import dice
from sandtable.engine import events as ev
from sandtable.engine.facts import amounts, describe
from sandtable.engine.relations import allied
from sandtable.engine.state import State
from sandtable.world.model import PowerId, UnitId, World

BATTLE_ROLLS = ("aa", "support", "attack", "defense")
LABELS = {
    "aa": "AA fire",
    "support": "support",
    "raid": "bombs",
    "rocket": "rocket",
    "research": "research",
    "sabotage": "sabotage",
    "breakthrough": "breakthrough",
    "lend-lease": "lend lease",
    "bonds": "war bonds",
    "income": "income",
    "levy": "returned to the bank",
}
TOLD_ALREADY = ("battle", "first-shot", "aa")  # losses that were shown when they were chosen


class Narrator:
    """Prints events of one world."""

    def __init__(self, console: Console, world: World) -> None:
        self.console = console
        self.world = world
        self._shown: object = None  # the battle board printed last

    def tell(self, before: State, events: Iterable[ev.AnyEvent]) -> None:
        """Everything a player wants to know of these events, which began in the state `before`."""
        state = before
        for event in events:
            earlier, state = state, ev.fold(self.world, state, event)
            self._one(event, earlier, state)

    def show_battle(self, state: State) -> bool:
        """The open battle's board, unless it is on the screen as it is; tells whether it was printed."""
        battle = state.battle
        assert battle is not None
        now = (battle.space, battle.kind, battle.doomed, state.at(battle.space))
        if now == self._shown:
            return False
        self._shown = now
        self.console.print(board.heading(self.world, battle))
        board.print_board(self.console, self.world, state, battle)
        return True

    def forget(self) -> None:
        """Show the board again next time, whatever is on the screen."""
        self._shown = None

    def _one(self, event: ev.AnyEvent, before: State, after: State) -> None:
        match event:
            case ev.TurnBegan(power=power, round=number):
                self._turn(power, number)
            case ev.PhaseBegan():
                pass  # the question tells the phase
            case ev.BattleOpened():
                self.console.print()
                self.show_battle(after)
            case ev.BattleEnded():
                self._shown = None
                self._sentence(event)
            case ev.RoundBegan(round=number):
                self.console.print(Text(f"round {number}", style="bold"))
            case ev.Rolled():
                self._rolled(event, before)
            case ev.CasualtiesChosen(units=units, power=power):
                self._halved(self._side_of_losers(event, before), self._loss(event, power, describe(self.world, units)))
            case ev.Lost(reason=reason) if reason in TOLD_ALREADY:
                pass
            case _:
                self._sentence(event)

    def _turn(self, power: PowerId, number: int) -> None:
        title = Text(f" Round {number} · {self.world.powers[power].name} ", style=bold(self.world, power))
        self.console.print()
        if self.console.is_terminal:
            self.console.print(Rule(title, style=style(self.world, power) or "none", align="left"))
        else:
            self.console.print(Text(f"=={title.plain}=="))

    def _sentence(self, event: ev.AnyEvent) -> None:
        text = sentence(self.world, event)
        if text:
            power = getattr(event, "power", None) or getattr(event, "by", None) or getattr(event, "attacker", None)
            grid = Table.grid()
            grid.add_column(width=2)
            grid.add_column(overflow="fold")
            grid.add_row(Text("·", style=bold(self.world, power)), text)
            self.console.print(grid)

    def _rolled(self, event: ev.Rolled, state: State) -> None:
        line = Text()
        if event.reason in ("attack", "defense"):
            line.append(f"{event.needed}: ", style="bold")
        else:
            line.append(f"{LABELS.get(event.reason, event.reason)}: ", style="bold")
        line.append_text(dice.faces(event, self.world))
        result = dice.score(event)
        dice_of: dict[UnitId, int] = {}
        for _, unit, n in event.shooters:
            dice_of[unit] = dice_of.get(unit, 0) + n
        shooters = amounts(self.world, dice_of.items())
        if result:
            line.append(f"  {result}", style="bold" if event.hits else "dim")
        if shooters and event.reason == "support":
            line.append(f" ({shooters})", style="dim")
        if event.reason in BATTLE_ROLLS and state.battle is not None:
            friends = allied(self.world, state, event.power, state.battle.attacker)
            self._halved("attack" if friends else "defense", line)
        else:
            self.console.print(Text("  ").append_text(line))

    def _loss(self, event: ev.CasualtiesChosen, power: PowerId, words: str) -> Text:
        owners = dict.fromkeys(piece.power for piece, _ in event.units)
        who = " and ".join(self.world.powers[p].name for p in owners) or self.world.powers[power].name
        verb = "lose" if len(owners) > 1 else "loses"
        return Text(f"{who} {verb} {words}", style=style(self.world, next(iter(owners), power)))

    def _side_of_losers(self, event: ev.CasualtiesChosen, state: State) -> board.Side:
        attacker = state.battle.attacker if state.battle is not None else event.power
        losers = next((piece.power for piece, _ in event.units), event.power)
        return "attack" if allied(self.world, state, losers, attacker) else "defense"

    def _halved(self, side: board.Side, line: Text) -> None:
        grid = board.halves(self.console)
        indented = Text("  ").append_text(line)
        grid.add_row(*((indented, "") if side == "attack" else ("", indented)))
        self.console.print(grid)
