"""What the command line looks like: every command with its arguments and help. The modules beside do the work."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, ParamSpec, TypeVar

import typer

P = ParamSpec("P")
R = TypeVar("R")

WRONG = 2  # exit status: the arguments or a file make no sense

app = typer.Typer(
    name="sandtable",
    help="The table, the rulebook, the referee and the archive for a family of WWII grand-strategy board games.",
    epilog="Every command explains itself: sandtable COMMAND --help",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Options = Annotated[
    list[str] | None,
    typer.Option("-o", "--option", metavar="KEY=VALUE", help="Choose a game option; may be repeated."),
]
SeatOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--seat",
        metavar="POWER=NAME",
        help="Who plays a power: a name, or a bot: random, 3star, 4star or 5star. POWER may be `all`. May be repeated.",
    ),
]
Seed = Annotated[str | None, typer.Option("--seed", help="Makes the dice repeatable. [default: a new one]")]
Players = Annotated[int | None, typer.Option("--players", help="Share the powers out among so many players.")]
EditsFile = Annotated[
    Path | None, typer.Option("--edits", metavar="FILE", help="YAML with other unit values, set-up or victory.")
]
Scenario = Annotated[
    str | None,
    typer.Option("--scenario", help="Which game; `sandtable editions` lists them. [default: classic-1942]"),
]
EditionPath = Annotated[
    Path | None,
    typer.Option("--edition", metavar="PATH", help="An edition of your own: a folder of data files, or a .zip of one."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def sentences(command: Callable[P, R]) -> Callable[P, R]:
    """Errors that are meant for a person end the command with their sentence and status 2."""

    @functools.wraps(command)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        from sandtable.errors import SandtableError

        try:
            return command(*args, **kwargs)
        except SandtableError as error:
            typer.echo(f"sandtable: {error}", err=True)
            raise typer.Exit(WRONG) from None

    return guarded


@app.command()
@sentences
def editions(
    scenario: Annotated[str | None, typer.Argument(help="Tell the options of this one.")] = None,
    edition: EditionPath = None,
    copy: Annotated[
        Path | None,
        typer.Option("--copy", metavar="FOLDER", help="Write the data files of the scenario's edition there."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List the scenarios, or the options of one. With --edition it also checks the files of an edition of your own.

    \b
    Examples:
      sandtable editions
      sandtable editions classic-1942
      sandtable editions classic-1942 --copy my-edition
      sandtable editions --edition my-edition
    """
    from sandtable.cli import arguments
    from sandtable.cli import editions as module
    from sandtable.cli.setup import DEFAULT

    if copy is not None:
        module.copy(arguments.scenario_of(edition, scenario, DEFAULT), copy)
    elif scenario is None:
        module.list_editions(edition, as_json=as_json)
    else:
        module.describe(arguments.scenario_of(edition, scenario), as_json=as_json)


@app.command()
@sentences
def show(
    game: Annotated[
        str | None, typer.Argument(metavar="SCENARIO|SAVE", help="A scenario, or the file of a saved game.")
    ] = None,
    edition: EditionPath = None,
    option: Options = None,
    space: Annotated[str | None, typer.Option("--space", metavar="NAME", help="Only this space, in detail.")] = None,
    as_json: Json = False,
) -> None:
    """Show the board: every power's land, units, money and technologies, and the ships at sea.

    \b
    Examples:
      sandtable show classic-1942
      sandtable show classic-1942 --space "karelia ssr"
      sandtable show game.sandtable --json
    """
    from sandtable.cli import arguments
    from sandtable.cli import show as module

    module.show(arguments.wanted(edition, game), arguments.options(option or ()), space, as_json=as_json)


@app.command(name="map")
@sentences
def draw_map(
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Ends in .svg or .png.")],
    game: Annotated[
        str | None, typer.Argument(metavar="SCENARIO|SAVE", help="A scenario, or the file of a saved game.")
    ] = None,
    edition: EditionPath = None,
    palette: Annotated[str, typer.Option("--palette", help="default, colour-blind or dark.")] = "default",
    width: Annotated[int, typer.Option("--width", min=200, max=20_000, help="In pixels.")] = 2400,
    around: Annotated[
        list[str] | None, typer.Option("--around", metavar="SPACE", help="Show only these spaces; may be repeated.")
    ] = None,
    centre: Annotated[
        str | None, typer.Option("--centre", metavar="SPACE", help="Turn the world to this space: hawaiian-islands.")
    ] = None,
    no_names: Annotated[bool, typer.Option("--no-names", help="Leave the names out.")] = False,
    no_values: Annotated[bool, typer.Option("--no-values", help="Leave the IPC values out.")] = False,
    no_units: Annotated[bool, typer.Option("--no-units", help="Leave the units out.")] = False,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="KEY=VALUE", help="Choose a game option; may be repeated.")
    ] = None,
) -> None:
    """Draw the board with owners, units, values and names, for pages, posts and reports.

    \b
    Examples:
      sandtable map classic-1942 -o board.svg
      sandtable map game.sandtable -o europe.png --around germany --around russia --palette dark
      sandtable map anniversary-1941 -o pacific.png --centre hawaiian-islands
    """
    from sandtable.cli import arguments
    from sandtable.cli import map as module

    hide = frozenset(w for w, off in (("names", no_names), ("values", no_values), ("units", no_units)) if off)
    chosen = arguments.options(option or ())
    module.draw(
        arguments.wanted(edition, game),
        chosen,
        output,
        palette=palette,
        width=width,
        around=around or [],
        centre=centre,
        hide=hide,
    )


@app.command()
@sentences
def odds(
    battle: Annotated[str, typer.Argument(metavar="BATTLE", help="ATTACKERS vs DEFENDERS, as units with numbers.")],
    kind: Annotated[
        str | None,
        typer.Option("--kind", help="land, sea, or another of the edition. [default: as the units suggest]"),
    ] = None,
    attacker: Annotated[str | None, typer.Option("--attacker", metavar="POWER", help="Who attacks.")] = None,
    defender: Annotated[str | None, typer.Option("--defender", metavar="POWER", help="Who defends.")] = None,
    attacker_tech: Annotated[
        list[str] | None, typer.Option("--attacker-tech", metavar="TECHNOLOGY", help="May be repeated.")
    ] = None,
    defender_tech: Annotated[
        list[str] | None, typer.Option("--defender-tech", metavar="TECHNOLOGY", help="May be repeated.")
    ] = None,
    attacker_order: Annotated[
        str, typer.Option("--attacker-order", help="What is lost first: weakest, cheapest, or a list of units.")
    ] = "weakest",
    defender_order: Annotated[str, typer.Option("--defender-order", help="The same for the defender.")] = "weakest",
    keep_land: Annotated[int, typer.Option("--keep-land", min=0, help="Land units that attackers lose last.")] = 0,
    retreat_after: Annotated[
        int | None, typer.Option("--retreat-after", min=1, metavar="ROUNDS", help="Break off after so many rounds.")
    ] = None,
    retreat_below: Annotated[
        int, typer.Option("--retreat-below", min=0, metavar="UNITS", help="Break off with fewer units than this.")
    ] = 0,
    retreat_land: Annotated[
        int, typer.Option("--retreat-land", min=0, metavar="UNITS", help="Break off with fewer land units than this.")
    ] = 0,
    retreat_planes: Annotated[
        bool, typer.Option("--retreat-planes", help="Break off when only planes are left.")
    ] = False,
    retreat_odds: Annotated[
        float,
        typer.Option(
            "--retreat-odds", min=0, max=1, metavar="CHANCE", help="Break off when the chance to win is below this."
        ),
    ] = 0.0,
    hold: Annotated[
        list[int] | None,
        typer.Option("--hold", min=1, metavar="UNITS", help="Chance to take the land with so many units; repeatable."),
    ] = None,
    attacker_submarines_leave: Annotated[
        bool, typer.Option("--attacker-submarines-leave", help="Attacking submarines leave as soon as they can.")
    ] = False,
    submarines_leave: Annotated[
        bool, typer.Option("--submarines-leave", help="Defending submarines leave as soon as they can.")
    ] = False,
    method: Annotated[
        str, typer.Option("--method", help="exact, play, or auto: exact where that is possible, else played out.")
    ] = "auto",
    runs: Annotated[int, typer.Option("--runs", min=1, help="Play so many battles where they are played out.")] = 4000,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="Play no longer than this.")] = 4.0,
    raid: Annotated[bool, typer.Option("--raid", help="A strategic bombing raid instead of a battle.")] = False,
    scenario: Scenario = None,
    edition: EditionPath = None,
    option: Options = None,
    as_json: Json = False,
) -> None:
    """Exact odds of a battle: who wins, what is left, what it costs.

    \b
    Examples:
      sandtable odds "10 infantry, 6 armor, 3 fighter, 1 bomber vs 12 infantry, 2 armor, 2 fighter, 1 aa-gun"
      sandtable odds "2 infantry, 1 armor, 1 battleship vs 3 infantry" --keep-land 1
      sandtable odds "3 bomber" --raid --attacker-tech heavy-bombers
    """
    from sandtable.cli import arguments
    from sandtable.cli import odds as module
    from sandtable.cli.setup import DEFAULT
    from sandtable.odds import Retreat

    module.show(
        battle,
        module.Wishes(
            scenario=arguments.scenario_of(edition, scenario, DEFAULT),
            options=arguments.options(option or ()),
            kind=kind,
            attacker=attacker,
            defender=defender,
            attacker_techs=tuple(attacker_tech or ()),
            defender_techs=tuple(defender_tech or ()),
            attacker_order=attacker_order,
            defender_order=defender_order,
            keep_land=keep_land,
            retreat=Retreat(
                rounds=retreat_after,
                units=retreat_below,
                land_units=retreat_land,
                only_planes=retreat_planes,
                odds=retreat_odds,
            ),
            hold=tuple(hold or (1,)),
            attacker_submarines_leave=attacker_submarines_leave,
            submarines_leave=submarines_leave,
            method=method,
            runs=runs,
            seconds=seconds,
            raid=raid,
            as_json=as_json,
        ),
    )


@app.command()
@sentences
def rules(
    words: Annotated[list[str] | None, typer.Argument(metavar="ID|WORDS", help="A rule, a group, or words.")] = None,
    book: Annotated[str | None, typer.Option("--book", help="Search this book only.")] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="List at most so many.")] = 20,
) -> None:
    """Read the rulebook: a rule by its id, a group of rules, or the rules that answer a question.

    \b
    Examples:
      sandtable rules                      the groups
      sandtable rules CL-SUB               the rules about submarines
      sandtable rules CL-TRP-01            one rule
      sandtable rules carrier fighter      rules about both
      sandtable rules can tanks blitz      rules that answer it
    """
    from sandtable.cli import rules as module

    module.look_up(" ".join(words or ()), book, limit)


@app.command()
@sentences
def new(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Where to save it. [default: SCENARIO.sandtable]")
    ] = None,
    scenario: Scenario = None,
    edition: EditionPath = None,
    option: Options = None,
    seat: SeatOptions = None,
    players: Players = None,
    edits: EditsFile = None,
    seed: Seed = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
) -> None:
    """Make a saved game, ready to be played.

    \b
    Examples:
      sandtable new friday.sandtable --players 3
      sandtable new --seat germany=random --seat japan=random -o second_edition=true --seed 7
    """
    from sandtable.cli import arguments
    from sandtable.cli import new as module
    from sandtable.cli.setup import DEFAULT, new_game

    wanted = arguments.scenario_of(edition, scenario, DEFAULT)
    module.write(new_game(wanted, option or (), seat or (), players, seed, edits), file, force=force)


@app.command()
@sentences
def verify(
    save: Annotated[Path, typer.Argument(metavar="SAVE", help="A finished game.")],
    commitment: Annotated[
        str | None,
        typer.Option("--commitment", metavar="HEX", help="What the server showed before the game: is it the same?"),
    ] = None,
) -> None:
    """Prove the dice of a finished game without the server that rolled them, and tell how lucky everybody was.

    Ends with status 1 if a die is not the one that the game's seed gives.
    """
    from sandtable.cli import verify as module

    lines, good = module.verify(save, commitment)
    for line in lines:
        typer.echo(line)
    if not good:
        raise typer.Exit(1)


DatabaseOption = Annotated[
    str | None,
    typer.Option(
        "--database", metavar="URL", help="postgresql://user@host/name, or sqlite:///file. [default: your data folder]"
    ),
]


@app.command()
@sentences
def serve(
    host: Annotated[
        str | None, typer.Option("--host", help="Listen here; 0.0.0.0 for everybody. [default: 127.0.0.1]")
    ] = None,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="[default: 8765]")] = None,
    database: DatabaseOption = None,
    data_dir: Annotated[Path | None, typer.Option("--data-dir", metavar="FOLDER", help="Where games are kept.")] = None,
    public_url: Annotated[
        str | None,
        typer.Option("--public-url", metavar="URL", help="Under which others know it: https://table.example"),
    ] = None,
    name: Annotated[
        list[str] | None, typer.Option("--name", metavar="HOST", help="A further host name; may be repeated.")
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="URL", help="A page from elsewhere that may talk to it; may be repeated."),
    ] = None,
    proxies: Annotated[
        str | None,
        typer.Option("--proxies", metavar="ADDRESSES", help="Reverse proxies whose word about clients is believed."),
    ] = None,
    closed: Annotated[
        bool, typer.Option("--closed", help="No new accounts: people come by invitation, or the admin adds them.")
    ] = False,
    announce: Annotated[
        bool, typer.Option("--announce", help="Let the local network know that there is a table here.")
    ] = False,
) -> None:
    """Serve games for several people: with seats of their own, a lobby, chat, clocks and dice that can be checked.

    Every setting can also come from the environment, as SANDTABLE_DATABASE_URL or SANDTABLE_SMTP_URL; see
    docs/how-to/host-a-server.md. To play alone, `sandtable play` is all you need.

    \b
    Examples:
      sandtable serve --host 0.0.0.0                       for friends on the same network
      sandtable serve --public-url https://table.example   behind a proxy with TLS
    """
    from sandtable.cli import serve as module

    module.serve(
        host=host,
        port=port,
        database=database,
        data_dir=data_dir,
        public_url=public_url,
        names=name or [],
        origins=origin or [],
        proxies=proxies,
        closed=closed,
        announce=announce,
    )


admin_app = typer.Typer(
    help="Keep a server: people, reports, backups, numbers. It may be running meanwhile.", no_args_is_help=True
)
app.add_typer(admin_app, name="admin")
AdminName = Annotated[str, typer.Argument(metavar="NAME")]
DataDir = Annotated[Path | None, typer.Option("--data-dir", metavar="FOLDER", help="Where games are kept.")]
NewPassword = Annotated[str | None, typer.Option("--password", help="[default: a random one, which is printed]")]


@admin_app.command("users")
@sentences
def admin_users(database: DatabaseOption = None, data_dir: DataDir = None) -> None:
    """List everybody."""
    from sandtable.cli import serve as module

    for line in module.users(module.settings_from(database, data_dir=data_dir)):
        typer.echo(line)


@admin_app.command("add")
@sentences
def admin_add(
    name: AdminName,
    admin: Annotated[bool, typer.Option("--admin", help="May see all tables and host them.")] = False,
    password: NewPassword = None,
    database: DatabaseOption = None,
    data_dir: DataDir = None,
) -> None:
    """Make an account."""
    from sandtable.cli import serve as module

    chosen = module.add_user(module.settings_from(database, data_dir=data_dir), name, admin=admin, password=password)
    typer.echo(f"{name} can sign in." if password else f"{name} can sign in with the password {chosen}")


@admin_app.command("password")
@sentences
def admin_password(
    name: AdminName, password: NewPassword = None, database: DatabaseOption = None, data_dir: DataDir = None
) -> None:
    """Give somebody another password; all browsers have to sign in again."""
    from sandtable.cli import serve as module

    chosen = module.set_password(module.settings_from(database, data_dir=data_dir), name, password)
    typer.echo(f"{name} has the new password." if password else f"{name} has the password {chosen} now.")


@admin_app.command("block")
@sentences
def admin_block(
    name: AdminName,
    undo: Annotated[bool, typer.Option("--undo", help="Let somebody in again.")] = False,
    database: DatabaseOption = None,
    data_dir: DataDir = None,
) -> None:
    """Keep somebody out."""
    from sandtable.cli import serve as module

    module.change_user(module.settings_from(database, data_dir=data_dir), name, blocked=not undo)
    typer.echo(f"{name} can sign in again." if undo else f"{name} is kept out.")


@admin_app.command("remove")
@sentences
def admin_remove(name: AdminName, database: DatabaseOption = None, data_dir: DataDir = None) -> None:
    """Forget an account for good. Its orders stay in the games, without a name."""
    from sandtable.cli import serve as module

    module.remove_user(module.settings_from(database, data_dir=data_dir), name)
    typer.echo(f"{name} is forgotten.")


@admin_app.command("reports")
@sentences
def admin_reports(
    remove: Annotated[int | None, typer.Option("--remove", metavar="NUMBER", help="Delete this message.")] = None,
    database: DatabaseOption = None,
    data_dir: DataDir = None,
) -> None:
    """Messages that people have reported."""
    from sandtable.cli import serve as module

    settings = module.settings_from(database, data_dir=data_dir)
    if remove is not None:
        module.remove_message(settings, remove)
        typer.echo(f"Message {remove} is gone.")
        return
    for line in module.reports(settings) or ["Nothing was reported."]:
        typer.echo(line)


@admin_app.command("backup")
@sentences
def admin_backup(
    file: Annotated[Path, typer.Argument(metavar="FILE")], database: DatabaseOption = None, data_dir: DataDir = None
) -> None:
    """Copy everything into a file while the server runs."""
    from sandtable.cli import serve as module

    module.backup(module.settings_from(database, data_dir=data_dir), file)
    typer.echo(f"All games and people are in {file}.")


@admin_app.command("stats")
@sentences
def admin_stats(database: DatabaseOption = None, data_dir: DataDir = None) -> None:
    """How much there is of what."""
    from sandtable.cli import serve as module

    for name, number in module.statistics(module.settings_from(database, data_dir=data_dir)).items():
        typer.echo(f"{name:10} {number:8}")


@app.command()
@sentences
def play(
    save: Annotated[Path | None, typer.Argument(metavar="SAVE", help="A saved game; it is kept up to date.")] = None,
    scenario: Annotated[str | None, typer.Option("--scenario", help="Begin a new game of this scenario.")] = None,
    edition: EditionPath = None,
    option: Options = None,
    seat: SeatOptions = None,
    players: Players = None,
    edits: EditsFile = None,
    seed: Seed = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the last game without asking.")] = False,
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="Where the page is served. [default: a free one]")
    ] = None,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only tell the address of the page.")] = False,
    terminal: Annotated[bool, typer.Option("--terminal", help="Play here in the terminal.")] = False,
    rounds: Annotated[
        int | None, typer.Option("--rounds", min=1, help="With --terminal: stop after so many rounds.")
    ] = None,
) -> None:
    """Play in the browser, or with --terminal here.

    The page is served on this machine alone, until Ctrl-C. Games are kept in your data folder; a file that is opened
    in the browser becomes a game there, while --terminal keeps the file itself up to date.

    \b
    Examples:
      sandtable play
      sandtable play --seat germany=5star --seat japan=5star
      sandtable play friday.sandtable --no-browser
      sandtable play --terminal --seat all=random --rounds 3 --seed 7
    """
    from sandtable.cli import arguments, browser
    from sandtable.cli import play as module
    from sandtable.cli.arguments import UsageError
    from sandtable.cli.setup import DEFAULT, new_game

    new = (scenario, edition, option or None, seat or None, players, edits, seed)
    is_new = any(each is not None for each in new)
    if (save is not None or resume) and is_new:
        raise UsageError(
            "--scenario, --edition, -o, --seat, --players, --edits and --seed begin a new game; "
            "they do not fit an old one."
        )
    if save is not None and resume:
        raise UsageError("Name a file or use --resume, not both.")
    if terminal and (no_browser or port is not None):
        raise UsageError("--port and --no-browser are for the browser game, --terminal is for the other.")
    if rounds is not None and not terminal:
        raise UsageError("--rounds is for the terminal game: add --terminal.")
    fresh = None
    if is_new:
        wanted = arguments.scenario_of(edition, scenario, DEFAULT)
        fresh = new_game(wanted, option or (), seat or (), players, seed, edits)
    if not terminal:
        browser.play(fresh, save, resume=resume, port=port, open_browser=not no_browser)
    elif save is not None:
        module.play_file(save, rounds)
    elif fresh is not None:
        module.play_new(fresh, rounds)
    else:
        module.play(rounds, resume=resume)


@app.command()
@sentences
def replay(
    save: Annotated[Path, typer.Argument(metavar="SAVE", help="A saved game.")],
    to: Annotated[
        str | None, typer.Option("--to", metavar="ROUND.TURN", help="Go there first: 3, 3.2 or 3.germany.")
    ] = None,
    whole_log: Annotated[bool, typer.Option("--log", help="Print the log instead of stepping.")] = False,
) -> None:
    """Go through a saved game, order by order, or print its log.

    \b
    Examples:
      sandtable replay friday.sandtable
      sandtable replay friday.sandtable --to 2.germany
      sandtable replay friday.sandtable --log
    """
    from sandtable.cli import replay as module

    module.replay(save, to, whole_log=whole_log)


@app.command()
@sentences
def adjudicate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Case files, or folders to search for them.")],
    edition: EditionPath = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object a case.")] = False,
) -> None:
    """Run rule cases: a position, orders, dice and what must come of them.

    The exit status is 0 when all hold, 1 when one does not, and 2 when a file is malformed.

    \b
    Example:
      sandtable adjudicate tests/cases/classic
    """
    from sandtable.cli import adjudicate as module

    raise typer.Exit(module.adjudicate(files, edition, as_json=as_json))


@app.command()
@sentences
def arena(
    scenario: Annotated[
        str | None, typer.Argument(metavar="SCENARIO", help="Which game. [default: classic-1942]")
    ] = None,
    edition: EditionPath = None,
    side: Annotated[
        list[str] | None,
        typer.Option(
            "--side", metavar="SIDE=BOT", help="Who plays a side that is neither Axis nor Allies. Repeatable."
        ),
    ] = None,
    axis: Annotated[str, typer.Option("--axis", metavar="BOT", help="Who plays the Axis.")] = "5star",
    allies: Annotated[str, typer.Option("--allies", metavar="BOT", help="Who plays the Allies.")] = "4star",
    games: Annotated[int, typer.Option("--games", min=1, help="How many games.")] = 20,
    seed: Annotated[str, typer.Option("--seed", help="Of the dice and the bots: the same seed, the same games.")] = "0",
    workers: Annotated[int, typer.Option("--workers", min=1, help="Games that are played at the same time.")] = 1,
    swap: Annotated[bool, typer.Option("--swap", help="Play every second game with the sides exchanged.")] = False,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="After so many a game is adjudicated.")] = 12,
    decided: Annotated[
        float, typer.Option("--decided", min=0.0, max=1.0, help="A side with this share of everything has won. 0: off.")
    ] = 0.0,
    backend: Annotated[str, typer.Option("--backend", help="process, or ray for several machines.")] = "process",
    save: Annotated[Path | None, typer.Option("--save", metavar="DIR", help="Keep the games in this folder.")] = None,
    option: Options = None,
    random_options: Annotated[
        str, typer.Option("--random-options", metavar="GROUP", help="Let chance set a group's options, or all.")
    ] = "",
    as_json: Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Let bots play each other: scores with their confidence, ratings, and how each power fared.

    \b
    Examples:
      sandtable arena classic-1942 --axis 5star --allies 4star --games 200 --seed 1 --workers 2
      sandtable arena --axis 4star --allies 3star --swap --games 40 --save games --json
      sandtable arena classic-1942 --random-options advanced --swap --games 40 --seed 3
    """
    from sandtable.cli import arena as module
    from sandtable.cli import arguments
    from sandtable.cli.setup import DEFAULT

    module.show(
        module.Wishes(
            scenario=arguments.scenario_of(edition, scenario, DEFAULT),
            axis=axis,
            allies=allies,
            sides=dict(arguments.pairs(side or (), "--side")),
            games=games,
            seed=seed,
            workers=workers,
            swap=swap,
            rounds=rounds,
            decided=decided,
            backend=backend,
            save=save,
            options=arguments.options(option or ()),
            random_options=random_options,
            as_json=as_json,
            quiet=quiet,
        )
    )


@app.command()
@sentences
def version() -> None:
    """Print the version.

    \b
    Example:
      sandtable version
    """
    import sandtable

    typer.echo(f"sandtable {sandtable.__version__}")
