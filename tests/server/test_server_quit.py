"""Quit stops the server, and only its own page on this machine can ask for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
import pytest
from server_help import HERE
from starlette.testclient import TestClient

from sandtable.server import Settings, create_app


def quitting(data_dir: Path, *, client: str = "127.0.0.1", headers: dict[str, str], **fields: Any) -> tuple[int, int]:
    """The status of the answer, and how often the server was stopped."""
    app = create_app(Settings(data_dir=data_dir, **fields))
    stopped: list[bool] = []
    app.state.stop = lambda: stopped.append(True)
    with TestClient(app, base_url=HERE, client=(client, 50_000)) as running:
        status = running.post("/api/quit", headers=headers).status_code
    return status, len(stopped)


def test_the_page_stops_its_server(data_dir: Path) -> None:
    assert quitting(data_dir, headers={"origin": HERE}) == (204, 1)


@pytest.mark.parametrize(
    ("client", "headers", "fields"),
    [
        ("127.0.0.1", {}, {}),
        ("127.0.0.1", {"origin": "http://elsewhere.example"}, {}),
        ("192.168.0.7", {"origin": HERE}, {}),
        ("127.0.0.1", {"origin": HERE}, {"host": "0.0.0.0"}),
        ("127.0.0.1", {"origin": HERE}, {"names": ("games.example",)}),
    ],
    ids=["no page", "page of another site", "another machine", "server for others", "server with a name"],
)
def test_nobody_else_does(data_dir: Path, client: str, headers: dict[str, str], fields: dict[str, Any]) -> None:
    assert quitting(data_dir, client=client, headers=headers, **fields) == (403, 0)


def test_a_server_of_another_program_says_so(client: TestClient) -> None:
    answer = client.post("/api/quit", headers={"origin": HERE})
    assert answer.status_code == 403
    assert "another program" in answer.json()["error"]["message"]


def test_the_program_ends(tmp_path: Path) -> None:
    """Whoever started it in a terminal gets the prompt back, and reads that the games are kept."""
    command = [sys.executable, "-m", "sandtable.server", "--port", "0", "--no-browser", "--data-dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1].rstrip("/")
        try:
            assert httpx2.post(f"{url}/api/quit", headers={"origin": url}).status_code == 204
            rest, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 0
    assert "All games are kept" in rest
