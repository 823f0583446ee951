"""The documents: the tutorial is played, the reference names everything there is."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from sandtable.cli.terminal.commands import COMMANDS

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(console|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROMPT = re.compile(r"^[\w. ]+> (.*)$")


def blocks(kind: str, name: str = "tutorial/first-game.md") -> list[str]:
    text = (DOCS / name).read_text("utf-8")
    return [line for k, body in BLOCK.findall(text) if k == kind for line in body.splitlines()]


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_the_tutorial_can_be_played_as_it_stands(run, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    transcript = blocks("text")
    typed = [match[1] for line in transcript if (match := PROMPT.match(line))]
    assert len(typed) > 25
    commands = [shlex.split(line.removeprefix("$ ")) for line in blocks("console")]
    assert all(command[0] == "sandtable" for command in commands)
    output = ""
    for command in commands:
        is_game = command[1] == "play"
        result = run(*command[1:], given="".join(f"{line}\n" for line in typed) if is_game else "")
        assert result.exit_code == 0, result.output
        if is_game:
            output = squeezed(result.stdout)
    place = 0
    for line in transcript:  # everything that the page shows comes, in this order
        wanted = squeezed(line)
        if wanted:
            assert wanted in output[place:], f"after {output[max(0, place - 200) : place]!r} there is no {wanted!r}"
            place = output.index(wanted, place) + len(wanted)


def test_the_reference_names_every_command_and_option(run) -> None:
    page = (DOCS / "reference" / "command-line.md").read_text("utf-8")
    for command in (
        "editions",
        "show",
        "map",
        "odds",
        "rules",
        "new",
        "play",
        "replay",
        "adjudicate",
        "version",
        "serve",
        "verify",
    ):
        assert f"## `sandtable {command}" in page
        options = set(re.findall(r"--[a-z-]+", run(command, "--help").stdout)) - {"--help", "--option"}
        missing = sorted(option for option in options if option not in page)
        assert not missing, f"{command}: {missing}"


def test_the_reference_names_every_command_of_the_terminal_game() -> None:
    page = (DOCS / "reference" / "command-line.md").read_text("utf-8")
    for name in COMMANDS:
        if name not in ("?", "exit"):
            assert f"| `{name}" in page, name
