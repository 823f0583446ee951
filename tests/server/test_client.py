"""Programs at the table: `sandtable.client`, and the example bot of the documentation."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.client import Client, Refused


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("programs")
    process = subprocess.Popen(
        [sys.executable, "-m", "sandtable", "serve", "--port", "0", "--data-dir", str(folder)],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "SANDTABLE_RATE": "100000"},
    )  # fmt: skip
    assert process.stdout is not None
    yield process.stdout.readline().split()[-1].rstrip("/")
    process.kill()
    process.wait(20)
    process.stdout.close()


def example():
    path = Path(__file__).parents[2] / "docs" / "examples" / "bot.py"
    spec = importlib.util.spec_from_file_location("example_bot", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_program_takes_a_seat(url: str) -> None:
    """A person and a program with a token play the first two turns against each other."""
    decide = example().decide
    with Client(url) as ann, Client(url) as owner:
        ann.guest("Ann")
        owner.guest("Owner")
        token = owner.call("POST", "/me/tokens", json={"label": "bot"})["token"]
        table = ann.call("POST", "/tables", json={})
        with Client(url, token) as bot:
            assert bot.me["name"] == "Owner"
            game = bot.join(f"{url}/join/{table['join_link']}")
            given = {power: {"person": ann.me["id"]} for power in ("ussr", "uk", "usa")}
            given |= {power: {"person": bot.me["id"]} for power in ("germany", "japan")}
            ann.call("POST", f"/tables/{game}/assign", json={"given": given})
            ann.call("POST", f"/tables/{game}/begin")
            with pytest.raises(Refused, match="played by Ann") as refused:
                bot.order(game, "end")
            assert refused.value.kind == "not-your-seat"
            done: list[int] = []
            thread = threading.Thread(
                target=lambda: done.append(
                    bot.play(game, lambda asked, state: decide(bot, game, asked, state), orders=5)
                )
            )
            thread.start()
            while ann.state(game)["turn"] == "ussr":
                state = ann.state(game)
                ann.order(game, decide(ann, game, state["decision"], state))
            thread.join(60)
            assert done == [5]
            log = ann.call("GET", f"/games/{game}/log")["lines"]
            assert any(line["power"] == "germany" and line["order"].startswith("buy") for line in log)


def test_errors_are_sentences(url: str) -> None:
    with Client(url) as nobody, pytest.raises(Refused, match="Say who you are") as refused:
        nobody.call("GET", "/games")
    assert refused.value.kind == "sign-in"
    with Client(url, "wrong") as stranger, pytest.raises(Refused):
        stranger.join("nowhere")
