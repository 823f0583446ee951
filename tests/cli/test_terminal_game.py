"""The terminal game, driven by lines through a pipe."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from sandtable.archive import saves
from sandtable.archive.game import Game
from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.world.compile import compile_world
from sandtable.world.load import scenarios


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


@pytest.fixture
def file(home: Path) -> Path:
    """A fresh game with a seed, everybody a person."""
    path = home / "game.sandtable"
    Game.new("classic-1942", seed=3).save(path)
    return path


def orders(path: Path) -> list[str]:
    from sandtable.notation import format_order

    return [format_order(entry.order) for entry in saves.load(path).entries]


def test_orders_are_played_and_kept_in_the_file(run, file: Path) -> None:
    result = run("play", "--terminal", file, given=lines("end", "buy 8 infantry", "end", "quit"))
    assert result.exit_code == 0
    assert "The U.S.S.R. buys 8 infantry for 24 IPCs." in result.stdout
    assert "which units attack?" in result.stdout
    assert orders(file) == ["end", "buy 8 infantry", "end"]


def test_numbers_answer(run, file: Path) -> None:
    """Research: the last line ends; purchase: 1 is infantry, the last line ends."""
    result = run("play", "--terminal", file, given=lines("5", "1", "10", "quit"))
    assert orders(file) == ["end", "buy 1 infantry", "end"]
    assert "buy 1 infantry" in result.stdout


def test_a_move_is_put_together_from_menus(run, file: Path) -> None:
    result = run("play", "--terminal", file, given=lines("end", "end", "1", "1", "3", "quit"))
    assert "5 infantry from Caucasus to:" in result.stdout
    assert "How many infantry?" in result.stdout
    assert orders(file) == ["end", "end", "move 3 infantry: caucasus -> ukraine-ssr"]


def test_zero_goes_back_and_an_empty_line_asks_again(run, file: Path) -> None:
    result = run("play", "--terminal", file, given=lines("end", "end", "1", "0", "", "quit"))
    assert result.stdout.count("which units attack?") == 3
    assert orders(file) == ["end", "end"]


def test_a_number_that_is_not_there(run, file: Path) -> None:
    assert "There is no answer 77; they go from 1 to 5." in run("play", "--terminal", file, given=lines("77")).stdout


def test_a_refusal_names_the_rule_and_changes_nothing(run, file: Path) -> None:
    text = run("play", "--terminal", file, given=lines("buy 9 bomber", "rule CL-PUR-02", "quit")).stdout
    assert "CL-PUR-02: 9 bombers cost 135" in text
    assert "`rule CL-PUR-02` shows that rule." in text
    assert "Source:" in text
    assert orders(file) == []


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("mvoe 2 infantry", "Did you mean `move`?"),
        ("xyzzy", "neither an order nor a command"),
        ("move 2 infantry", "with a colon between"),
        ("buy 2 infntry", "Did you mean infantry"),
        ("board atlantis", "There is no space called"),
        ("moves", "Name a space"),
        ("moves karelia-ssr wizard", "There is no"),
        ("why", "Name an order"),
        ("why undo", "just try it"),
        ("rule", "Name a rule"),
        ("rule CL-XYZ-01", "There is no rule"),
        ("log some", "`log all`"),
        ("back century", "Steps are by"),
        ("continue", "This is the present"),
        ("standing perhaps", "`standing on`"),
        ("odds", "Name the space"),
        ("odds ukraine-ssr", "Nobody attacks"),
        ("plan napoleon", "There is no opponent called"),
        ("undo", "nothing to take back"),
        ("save /no/such/folder/game", "/no/such/folder"),
    ],
)
def test_complaints_are_sentences(run, file: Path, typed: str, sentence: str) -> None:
    result = run("play", "--terminal", file, given=lines(typed, "quit"))
    assert result.exit_code == 0
    assert sentence in " ".join(result.stdout.split())
    assert "Traceback" not in result.stdout


def test_odds_and_plans_are_told(run, file: Path) -> None:
    attack = ("end", "end", "move 3 infantry: karelia-ssr -> finland-norway")
    text = run("play", "--terminal", file, given=lines(*attack, "odds finland-norway", "plan 3star", "quit")).stdout
    assert "3star for ussr, combat movement:" in text
    assert "attacker wins" in text
    advice = run("play", "--terminal", file, given=lines("plan", "quit")).stdout
    assert "5star for ussr" in advice


def test_help_lists_orders_and_commands(run, file: Path) -> None:
    text = run("play", "--terminal", file, given=lines("help", "quit")).stdout
    for word in ("research 2", "board [SPACE|POWER|sea|all]", "moves SPACE [UNIT]", "why ORDER", "standing", "quit"):
        assert word in text


def test_board_of_space_power_sea_and_all(run, file: Path) -> None:
    text = run(
        "play", "--terminal", file, given=lines("board karelia-ssr", "board uk", "board sea", "board all", "quit")
    ).stdout
    assert "Finland-Norway (German)" in text
    assert text.count("Anglo-Egypt Sudan") >= 2
    assert text.count("Baltic Sea Zone") >= 2
    assert "Neutral:" in text


def test_moves_and_why(run, file: Path) -> None:
    typed = lines(
        "moves karelia-ssr",
        "end",
        "end",
        "moves karelia ssr armor",
        "moves brazil",
        "why move 1 infantry: russia -> ukraine-ssr",
        "why move 1 armor: russia -> ukraine-ssr",
        "quit",
    )
    text = " ".join(run("play", "--terminal", file, given=typed).stdout.split())
    assert "This is not the time to move." in text
    assert "armor in Karelia S.S.R. can go to" in text
    assert "No unit in Brazil can be moved now." in text
    assert "CL-MOV-13: " in text
    assert "Infantry move one territory" in text
    assert "`move 1 armor: russia -> ukraine-ssr` is legal." in text
    assert orders(file) == ["end", "end"]


def test_undo_takes_back(run, file: Path) -> None:
    text = run("play", "--terminal", file, given=lines("end", "buy 1 bomber", "undo", "quit")).stdout
    assert "Taken back: buy 1 bomber" in text
    assert orders(file) == ["end"]


def test_time_machine_and_continue(run, file: Path) -> None:
    typed = lines("end", "buy 1 infantry", "buy 1 armor", "back", "buy 1 bomber", "forward", "back", "continue", "quit")
    text = " ".join(run("play", "--terminal", file, given=typed).stdout.split())
    assert "Looking back: after order 2 of 3" in text
    assert "drops the 1 later orders" in text
    assert "Dropped 1 later order;" in text
    assert orders(file) == ["end", "buy 1 infantry"]


def test_back_to_the_beginning_and_forward_to_the_present(run, file: Path) -> None:
    typed = lines("end", "end", "end", "back turn", "back turn", "forward round", "forward", "quit")
    text = run("play", "--terminal", file, given=typed).stdout
    assert "This is the beginning." in text
    assert "This is the present." in text
    assert orders(file) == ["end", "end", "end"]


def test_log_and_stats(run, file: Path) -> None:
    text = run("play", "--terminal", file, given=lines("end", "buy 1 armor", "log", "log all", "stats", "quit")).stdout
    assert text.count("The U.S.S.R. buys 1 armor for 5 IPCs.") == 3
    assert "Round 1, U.S.S.R." in text
    assert "production" in text


def test_save_elsewhere_and_here(run, file: Path, home: Path) -> None:
    other = home / "other.sandtable"
    text = run("play", "--terminal", file, given=lines("end", f"save {other}", "save", "quit")).stdout
    assert f"Saved: {other}" in text.replace("\n", "")
    assert orders(other) == ["end"]


def test_save_does_not_overwrite_something_else(run, file: Path, home: Path) -> None:
    other = home / "letter.txt"
    other.write_text("Dear Anna")
    run("play", "--terminal", file, given=lines(f"save {other}", "quit"))
    assert other.read_text() == "Dear Anna"


def test_the_end_of_input_leaves_with_the_game_saved(run, file: Path) -> None:
    result = run("play", "--terminal", file, given="end\nbuy 2 infantry")
    assert result.exit_code == 0
    assert orders(file) == ["end", "buy 2 infantry"]
    assert "Saved: " in result.stdout


def test_a_pipe_gets_no_colours_and_no_frames(run, file: Path) -> None:
    text = run("play", "--terminal", file, given=lines("board", "quit")).stdout
    assert "\x1b" not in text
    assert "─" not in text


def battle_file(path: Path, dice: list[int]) -> Path:
    """A battle in Anglo-Egypt Sudan about to begin."""
    world = compile_world("classic-1942")
    position = {
        "clear": "all",
        "units": {
            "libya": {"germany": {"infantry": 2, "armor": 2}},
            "anglo-egypt-sudan": {"uk": {"infantry": 2, "armor": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = Game(world, start=patched_state(world, position), dice=ScriptedDice(dice), seed=1)
    game.play("move 2 infantry, 2 armor: libya -> anglo-egypt-sudan")
    game.play("end")
    game.save(path)
    return path


def test_a_battle_stands_in_two_columns_with_hits_in_brackets(run, home: Path) -> None:
    # 2 infantry 1, 6; 2 armor 3, 5: two hits. The defence is drawn from the seed.
    path = battle_file(home / "battle", [1, 6, 3, 5])
    text = run("play", "--terminal", path, given=lines("board", "log", "1", "quit")).stdout
    board = [line for line in text.splitlines() if "Germany attacks" in line]
    assert board[0].split("  ")[0] == "Germany attacks"
    assert "United Kingdom defends" in board[0]
    assert any(line.split() == ["1", "2", "infantry", "2", "2", "infantry"] for line in text.splitlines())
    assert "2 hits. What is lost in Anglo-Egypt Sudan?" in text
    assert "casualties 2 infantry" in text
    loss = next(line for line in text.splitlines() if "United Kingdom loses 2 infantry" in line)
    assert loss.startswith(" " * 40)  # the defender's half


def test_a_standing_order_answers_for_a_seat(run, home: Path) -> None:
    path = battle_file(home / "battle", [1, 6, 3, 5])
    text = run("play", "--terminal", path, given=lines("standing on", "quit")).stdout
    assert "United Kingdom loses the cheapest units first" in text
    assert "(standing order: cheapest first)" in text
    assert orders(path)[2] == "casualties 2 uk infantry"
    again = battle_file(home / "again", [1, 6, 3, 5])
    text = run("play", "--terminal", again, given=lines("standing on", "quit")).stdout
    assert "standing order" in text


def test_standing_off_asks_again(run, file: Path) -> None:
    text = run("play", "--terminal", file, given=lines("standing", "standing", "quit")).stdout
    assert "U.S.S.R. loses the cheapest units first and is not asked any more." in text
    assert "U.S.S.R. is asked for casualties." in text


def test_the_end_of_a_game(run, file: Path) -> None:
    text = run("play", "--terminal", file, given=lines("surrender", "buy 1 infantry", "stats", "quit")).stdout
    assert "The Axis have won" in text
    assert "The game is over." in text


# ---------------------------------------------------------------- starting


def test_bots_play_three_rounds_and_end(run) -> None:
    result = run("play", "--terminal", "--seat", "all=random", "--rounds", "3", "--seed", "4")
    assert result.exit_code == 0
    assert "== Round 1 · U.S.S.R. ==" in result.stdout
    assert "== Round 3 · United States ==" in result.stdout
    assert "Round 3 is over." in result.stdout
    assert "Round 4 · Germany" not in result.stdout


def test_the_same_seed_tells_the_same_story(run) -> None:
    first = run("play", "--terminal", "--seat", "all=random", "--rounds", "1", "--seed", "6").stdout
    assert first == run("play", "--terminal", "--seat", "all=random", "--rounds", "1", "--seed", "6").stdout
    assert first != run("play", "--terminal", "--seat", "all=random", "--rounds", "1", "--seed", "7").stdout


def test_bots_answer_for_their_seats_only(run) -> None:
    typed = lines("end", "end", "end", "end", "end", "quit")
    text = run(
        "play", "--terminal", "--seat", "germany=random", "--seat", "japan=random", "--seed", "3", given=typed
    ).stdout
    assert "Germany (random): Germany" in text
    assert "Round 1 · Germany" in text
    assert "Germany> " not in text
    assert "United Kingdom> " in text


def test_play_offers_to_go_on_with_the_last_game(run) -> None:
    run("play", "--terminal", "--seed", "3", given=lines("end", "buy 1 battleship", "quit"))
    text = run("play", "--terminal", given=lines("", "log", "quit")).stdout
    assert "There is a game in progress: Round 1, U.S.S.R., purchase." in text
    assert "buys 1 battleship" in text
    again = run("play", "--terminal", "--resume", given=lines("log", "quit")).stdout
    assert "Go on with it?" not in again
    assert "buys 1 battleship" in again


def printed_command(text: str) -> list[str]:
    """What the farewell tells to type, without the name of the program."""
    (line,) = (line for line in text.splitlines() if "` goes on" in line)
    program, *arguments = shlex.split(line.split("`")[1])
    assert program == "sandtable"
    assert "--terminal" in arguments  # the browser game would find another one, and wait here for ever
    return arguments


@pytest.mark.parametrize("name", ["friday.sandtable", "a long name with spaces and more " * 4 + ".sandtable", "-x"])
def test_the_farewell_names_a_command_that_finds_the_game(run, name: str) -> None:
    file = Path(name)
    Game.new("classic-1942", seed=3).save(file)
    first = run("play", "--terminal", "--", name, given=lines("end", "buy 1 battleship", "quit")).stdout
    again = run(*printed_command(first), given=lines("log", "quit"))
    assert again.exit_code == 0
    assert "buys 1 battleship" in again.stdout
    assert "Go on with it?" not in again.stdout


def test_the_farewell_of_a_game_without_a_file_does_so_too(run) -> None:
    first = run("play", "--terminal", "--seed", "3", given=lines("end", "buy 1 battleship", "quit")).stdout
    again = run(*printed_command(first), given=lines("log", "quit"))
    assert again.exit_code == 0
    assert "buys 1 battleship" in again.stdout


def test_the_phase_is_told_in_words(run, file: Path) -> None:
    run("play", "--terminal", file, given=lines("end", "end", "end", "quit"))
    assert "Round 1, U.S.S.R., non-combat movement." in run("show", file).stdout


def test_a_number_that_nobody_can_count(run, file: Path) -> None:
    result = run("play", "--terminal", file, given=lines("9" * 3999, "quit"))
    assert result.exit_code == 0
    assert "is neither an order nor a command" in " ".join(result.stdout.split())


def test_resuming_keeps_the_bots(run) -> None:
    run(
        "play",
        "--terminal",
        "--seat",
        "ussr=Anna",
        "--seat",
        "all=random",
        "--seat",
        "ussr=Anna",
        "--seed",
        "3",
        given="quit\n",
    )
    text = run("play", "--terminal", "--resume", given=lines("end", "end", "end", "end", "end", "quit")).stdout
    assert "Anna: U.S.S.R." in text
    assert "Round 1 · Germany" in text
    assert "Germany> " not in text


def test_the_dialogue_makes_a_new_game(run) -> None:
    run("play", "--terminal", "--seed", "3", given="quit\n")
    text = run("play", "--terminal", given=lines("maybe", "no", "chess", "", "nobody", "axis", "y", "quit")).stdout
    assert "Answer yes or no." in text
    assert "Choose classic-1942, pacific-theater, world-domination, anniversary-1941, anniversary-1942" in text
    assert "Choose allies, axis," in text
    assert "Player 1 (random): U.S.S.R., United Kingdom and United States" in text
    assert "Player 2: Germany and Japan" in text


@pytest.mark.parametrize("scenario", [info.id for info in scenarios() if info.playable])
def test_every_answer_to_who_plays_begins_a_game(run, scenario: str) -> None:
    """Also where an option says who sits where."""
    world = compile_world(scenario)
    sides = ("one",) if world.seats.drawn else world.sides
    for who in (*sides, *map(str, world.seats.presets)):
        result = run("play", "--terminal", given=lines("no", scenario, who, *[""] * 80, "quit"))
        text = result.stdout
        assert result.exit_code == 0, (who, result.stderr)
        assert "Who plays?" in text
        assert text.endswith("goes on with it.\n")


@pytest.mark.parametrize("people", ["2", "5"])
def test_the_dialogue_for_people(run, people: str) -> None:
    text = run("play", "--terminal", given=lines("", people, "", "quit")).stdout
    assert f"Player {people}: " in text
    assert "U.S.S.R." in text


def test_the_dialogue_can_be_left(run) -> None:
    assert run("play", "--terminal", given="").exit_code == 0


def test_the_second_edition_by_dialogue(run, home: Path) -> None:
    path = home / "x"
    run("play", "--terminal", given=lines("classic-1942", "2", "yes", f"save {path}", "quit"))
    assert saves.load(path).world.options["second_edition"] is True


def test_anniversary_by_dialogue(run, home: Path) -> None:
    path = home / "x"
    text = run(
        "play", "--terminal", given=lines("anniversary-1942", "axis", "no", "", "13", f"save {path}", "quit")
    ).stdout
    assert "Player 1 (random): Soviet Union, United Kingdom, United States and China" in text
    options = saves.load(path).world.options
    chosen = {"research_and_development": False, "national_objectives": True, "victory_cities": 13}
    assert options == {**chosen, "axis_handicap": 0, "allies_handicap": 0}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["play", "nowhere"], "There is no file nowhere."),
        (["play", "--resume"], "There is no game to go on with."),
        (["play", "--resume", "--seed", "3"], "begin a new game"),
        (["play", "somewhere", "--seed", "3"], "begin a new game"),
        (["play", "somewhere", "--resume"], "not both"),
        (["play", "--scenario", "clasic-1942"], "Did you mean classic-1942?"),
        (["play", "--players", "7"], "2 to 5 players"),
        (["play", "--seat", "germany"], "key=value"),
        (["play", "--seat", "germania=random"], "Did you mean germany?"),
        (["play", "--seat", "all=Anna"], "2 to 5 players"),
        (["play", "-o", "second_edition=maybe"], "expected one of true, false"),
        (["play", "--edits", "missing.yaml"], "cannot be read"),
    ],
)
def test_wrong_ways_to_begin(run, arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr


def test_a_damaged_file_is_not_played_and_left_alone(run, file: Path) -> None:
    damaged = file.read_text()[:-40]
    file.write_text(damaged)
    result = run("play", "--terminal", file, given="end\n")
    assert result.exit_code == 2
    assert file.read_text() == damaged
