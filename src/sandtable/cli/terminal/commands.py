"""What can be typed beside orders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, cast

from rich.table import Table
from rich.text import Text

from sandtable.archive import saves
from sandtable.archive.log import log
from sandtable.cli import board
from sandtable.cli.logs import print_lines
from sandtable.cli.progress import print_progress
from sandtable.cli.rules import print_rule
from sandtable.cli.statistics import print_statistics
from sandtable.cli.terminal.completion import STEPS
from sandtable.cli.terminal.session import Command, Session
from sandtable.engine.facts import listed
from sandtable.engine.movement.reach import movable
from sandtable.errors import NotationError, Refusal
from sandtable.notation import format_order, parse_order
from sandtable.notation.names import names
from sandtable.notation.orders import Undo
from sandtable.play.standing import CheapestFirst
from sandtable.rulebook import UnknownRuleError, rule
from sandtable.world.model import SpaceId, UnitId

if TYPE_CHECKING:
    from sandtable.bots import Bot


def _help(session: Session, rest: str) -> None:
    out = session.console
    question = session.game.decision
    if question is not None:
        out.print(Text("Orders that answer the open question", style="bold"))
        _list(session, [(ORDERS.get(verb, (verb, ""))) for verb in question.answers])
        out.print()
    out.print(Text("Commands", style="bold"))
    _list(session, [(f"{c.name} {c.usage}".strip(), c.help) for c in dict.fromkeys(COMMANDS.values())])
    out.print()
    out.print(
        Text(
            "A number picks an answer, 0 goes back, an empty line shows the question again. Tab completes.", style="dim"
        )
    )


def _list(session: Session, rows: list[tuple[str, str]]) -> None:
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style="cyan", width=30, overflow="fold")
    grid.add_column(overflow="fold")
    for left, right in rows:
        grid.add_row(f"  {left}", right)
    session.console.print(grid)


ORDERS = {
    "research": ("research 2", "buy that many research dice"),
    "chart": ("chart 2", "look for the breakthrough on that chart"),
    "buy": ("buy 3 infantry, 1 armor", "buy units for this turn"),
    "repair": ("repair SPACE 3", "take damage off a complex"),
    "move": ("move 2 infantry: A -> B", "move units; spaces on the way may be named"),
    "lend-lease": ("lend-lease", "buy the die of aid for an ally"),
    "permit": ("permit SPACE", "agree; with a territory: open it to allies for good"),
    "assign": ("assign 1 transport: ZONE as invasion", "put ships into a task force, or `as attack`"),
    "rocket": ("rocket GUN -> TARGET", "fire a rocket"),
    "stay": ("stay", "decline"),
    "battle": ("battle SPACE", "fight there next"),
    "bombard": ("bombard 1 battleship: SHORE", "these ships support the landing there"),
    "casualties": ("casualties 1 infantry", "lose these units"),
    "target": ("target 1 armor", "the enemy loses these units"),
    "submerge": ("submerge 1", "so many submarines dive"),
    "withdraw": ("withdraw ZONE", "the submarines leave"),
    "press": ("press", "fight another round"),
    "retreat": ("retreat SPACE", "break off; planes land later"),
    "place": ("place 2 infantry: SPACE", "put new units on the board"),
    "undo": ("undo", "take back the last order of this phase"),
    "end": ("end", "this phase is finished"),
}


def _board(session: Session, rest: str) -> None:
    """Everything, a power's land, the seas, or one space."""
    out, world, state = session.console, session.game.world, session.game.state
    word = rest.lower()
    if not word and state.battle is not None:
        session.narrator.forget()
        session.narrator.show_battle(state)
    elif not word:
        session.show_situation(state)
    elif word == "all":
        out.print(board.status_table(out, world, state))
        out.print()
        board.print_board(out, world, state)
    elif word in ("sea", "seas"):
        board.print_seas(out, world, state)
    elif (power := _power_only(session, rest)) is not None:
        board.print_board(out, world, state, [power])
    else:
        board.print_space(out, world, state, names(world, "space").find(rest))


def _power_only(session: Session, text: str) -> str | None:
    """The power of that name, unless a space has the very same one."""
    world = session.game.world
    try:
        power = names(world, "power").find(text)
    except NotationError:
        return None
    return power if text.lower() not in world.spaces else None


def _progress(session: Session, rest: str) -> None:
    """Everybody's, or one power's."""
    power = names(session.game.world, "power").find(rest) if rest else None
    print_progress(session.console, session.game.world, session.game.state, power)


def _moves(session: Session, rest: str) -> None:
    """`moves SPACE [UNIT]`"""
    game = session.game
    if not rest:
        raise NotationError("Name a space: `moves karelia-ssr`, or a space and a unit: `moves karelia-ssr armor`.")
    space, unit = _space_and_unit(session, rest)
    here = [u for s, u in movable(game.world, game.state) if s == space and unit in (None, u)]
    where = game.world.spaces[space].name
    shown = False
    for kind in here:
        words = {"raid": "can raid", "escort": "can escort a raid on", "kamikaze": "can be a kamikaze in"}
        ways = [(game.legal.destinations(space, kind), "can go to")]
        for role in game.legal.roles(kind):
            ways.append((game.legal.destinations(space, kind, role), words.get(role, f"can go as {role} to")))
        for targets, word in ways:
            if targets:
                shown = True
                session.console.print(
                    Text(f"{game.world.units[kind].name} in {where} {word} ").append(
                        listed([game.world.spaces[s].name for s in targets]), style="bold"
                    )
                )
    if not shown:
        what = game.world.units[unit].name if unit else "unit"
        question = game.decision
        phase = question.kind if question is not None else ""
        why = "" if phase in ("combat-move", "noncombat-move") else " This is not the time to move."
        session.console.print(Text(f"No {what} in {where} can be moved now.{why}"))


def _space_and_unit(session: Session, text: str) -> tuple[SpaceId, UnitId | None]:
    """Both may have several words, so every cut is tried."""
    world = session.game.world
    try:
        return names(world, "space").find(text), None
    except NotationError as error:
        words = text.split()
        for cut in range(len(words) - 1, 0, -1):
            try:
                return (
                    names(world, "space").find(" ".join(words[:cut])),
                    names(world, "unit").find(" ".join(words[cut:])),
                )
            except NotationError:
                continue
        raise error from None


def _why(session: Session, rest: str) -> None:
    """Explain whether and why an order would be refused, without carrying it out."""
    if not rest:
        raise NotationError("Name an order: `why move 1 armor: libya -> anglo-egypt-sudan`.")
    order = parse_order(session.game.world, rest)
    if isinstance(order, Undo):
        raise NotationError("`undo` changes nothing when it is refused: just try it.")
    refusal = session.game.legal.why_not(order)
    if refusal is None:
        session.console.print(Text(f"`{format_order(order)}` is legal.", style="green"))
        return
    _explain(session, refusal)


def _explain(session: Session, refusal: Refusal) -> None:
    session.print_refusal(refusal)
    if not refusal.rules:
        return
    first, *others = refusal.rules
    session.console.print()
    print_rule(session.console, rule(first))
    if others:
        session.console.print(Text(f"See also {', '.join(others)}.", style="dim"))


def _rule(session: Session, rest: str) -> None:
    if not rest:
        raise NotationError("Name a rule: `rule CL-AIR-01`.")
    try:
        print_rule(session.console, rule(rest))
    except UnknownRuleError as error:
        raise NotationError(f"T{str(error)[1:]}") from None


def _log(session: Session, rest: str) -> None:
    """This turn and the one before it, or everything."""
    if rest.lower() not in ("", "all"):
        raise NotationError("`log` shows this turn and the one before, `log all` the whole game.")
    lines = log(session.game)
    if rest.lower() != "all":
        turns = list(dict.fromkeys((line.round, line.turn) for line in lines))[-2:]
        lines = [line for line in lines if (line.round, line.turn) in turns]
    print_lines(session.console, session.game.world, lines)


def _stats(session: Session, rest: str) -> None:
    print_statistics(session.console, session.game)


def _travel(direction: int) -> Callable[[Session, str], None]:
    def run(session: Session, rest: str) -> None:
        unit = (rest or "order").lower().removesuffix("s")
        if unit not in STEPS:
            raise NotationError(f"Steps are by {', '.join(STEPS[:-1])} or {STEPS[-1]}, not by {rest!r}.")
        if not session.game.step(unit, direction):
            session.console.print(Text("This is the beginning." if direction < 0 else "This is the present."))
        session.refresh()

    return run


def _continue(session: Session, rest: str) -> None:
    """Play on from the point that the time machine shows."""
    if not session.in_the_past:
        raise NotationError("This is the present: just play on.")
    dropped = len(session.game.entries) - session.game.cursor
    del session.game.entries[session.game.cursor :]
    session.console.print(
        Text(f"Dropped {dropped} later order{'' if dropped == 1 else 's'}; the game goes on from here.")
    )
    session.refresh()


def _save(session: Session, rest: str) -> None:
    if rest:
        path = Path(rest).expanduser()
        saves.save(session.game, path)
        session.console.print(Text(f"Saved: {path}"))
    elif session.keep(now=True):
        session.console.print(Text(session.keeper.words))


def _standing(session: Session, rest: str) -> None:
    """Casualties by standing order for the seat that is asked now."""
    question = session.game.decision
    if question is None:
        raise NotationError("The game is over.")
    seat = session.game.seat_of(question.power)
    policy = CheapestFirst()
    is_on = any(order.name == policy.name for order in session.table.standing.get(seat, ()))
    word = rest.lower() or ("off" if is_on else "on")
    if word not in ("on", "off"):
        raise NotationError("Write `standing on` or `standing off`.")
    if word == "on":
        session.table.stand(seat, policy)
        session.console.print(Text(f"{seat} loses the cheapest units first and is not asked any more."))
        session.refresh()
    else:
        session.table.drop(seat, policy.name)
        session.console.print(Text(f"{seat} is asked for casualties."))


def _plan(session: Session, rest: str) -> None:
    """What a computer player would do now, and why: the one who plays this power, or five stars."""
    from sandtable.bots import make

    game = session.game
    question = game.decision
    if question is None:
        raise NotationError("The game is over: there is nothing left to plan.")
    player = session.table.players.get(game.seat_of(question.power))
    bot = cast("Bot", player) if not rest and hasattr(player, "explain") else make(rest or "5star", game.seed)
    session.console.print(Text(bot.explain(game.legal, question)))


def _odds(session: Session, rest: str) -> None:
    """The odds of the battle in a space: the open one, one that waits, or an attack as it stands."""
    from sandtable.odds import odds_of_battle
    from sandtable.odds.report import table

    game = session.game
    battle = game.state.battle
    if not rest and battle is None:
        raise NotationError("Name the space: `odds ukraine-ssr`.")
    space = names(game.world, "space").find(rest) if rest or battle is None else battle.space
    session.console.print(Text(table(odds_of_battle(game.world, game.state, space), game.world)))


def _quit(session: Session, rest: str) -> None:
    session.leaving = True


_COMMANDS = (
    Command("help", "", "this list", _help),
    Command("board", "[SPACE|POWER|sea|all]", "the situation, one space, a power's land, the seas, everything", _board),
    Command("progress", "[POWER]", "how near each side is to winning: cities, objectives, damage, research", _progress),
    Command("moves", "SPACE [UNIT]", "where the units there can go", _moves),
    Command("why", "ORDER", "whether an order is legal, and the rules if it is not", _why),
    Command("rule", "ID", "print a rule", _rule),
    Command("log", "[all]", "what happened in the last two turns, or in the whole game", _log),
    Command("stats", "", "production, army values and luck, round by round", _stats),
    Command("back", f"[{'|'.join(STEPS)}]", "look at the game as it was", _travel(-1)),
    Command("forward", f"[{'|'.join(STEPS)}]", "the other way", _travel(1)),
    Command("continue", "", "play on from the point you look at, dropping what came later", _continue),
    Command("standing", "[on|off]", "lose the cheapest units first without being asked", _standing),
    Command("odds", "[SPACE]", "the odds of an attack as it stands, or of the open battle", _odds),
    Command("plan", "[BOT]", "what a computer player would do now, with reasons and odds", _plan),
    Command("save", "[FILE]", "write the game to a file", _save),
    Command("quit", "", "leave; the game is kept", _quit),
)

COMMANDS = {command.name: command for command in _COMMANDS}
COMMANDS |= {"?": COMMANDS["help"], "exit": COMMANDS["quit"]}
