"""The page, the schema, and starting the server."""

from __future__ import annotations

import gzip
import json
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from server_help import problem
from starlette.testclient import TestClient

import sandtable.server
from sandtable.errors import SandtableError
from sandtable.folders import data_folder
from sandtable.server.run import bind, serve


def test_without_a_page_there_is_a_message(start: Callable[..., TestClient], tmp_path: Path) -> None:
    with start(static_dir=tmp_path / "<nothing>") as client:
        for path in ("/", "/game/7", "/index.html"):
            answer = client.get(path)
            assert answer.status_code == 503
            assert "has not been built" in answer.text
            assert "&lt;nothing&gt;" in answer.text


@pytest.fixture
def built(tmp_path: Path) -> Path:
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>page</title>")
    (folder / "assets" / "app-1a2b.js").write_text("run()")
    (tmp_path / "secret.txt").write_text("treasure")
    (folder / "link").symlink_to(tmp_path / "secret.txt")
    return folder


def test_the_built_page(start: Callable[..., TestClient], built: Path) -> None:
    with start(static_dir=built) as client:
        for path in ("/", "/games", "/games/abc/battle"):
            answer = client.get(path)
            assert answer.status_code == 200
            assert "<title>page</title>" in answer.text
            assert answer.headers["cache-control"] == "no-cache"
        script = client.get("/assets/app-1a2b.js")
        assert script.text == "run()"
        assert "immutable" in script.headers["cache-control"]
        problem(client.get("/assets/missing.js"), 404, "not-found")
        problem(client.get("/api/missing"), 404, "not-found")


def test_packed_files_go_to_browsers_that_unpack_them(start: Callable[..., TestClient], built: Path) -> None:
    plain = "run()" * 50
    (built / "assets" / "app-1a2b.js").write_text(plain)
    (built / "assets" / "app-1a2b.js.gz").write_bytes(gzip.compress(plain.encode()))
    (built / "assets" / "app-1a2b.js.br").write_bytes(b"brotli")
    with start(static_dir=built) as client:

        def ask(encodings: str, **more: str) -> Any:
            headers = {"accept-encoding": encodings, **more}
            with client.stream("GET", "/assets/app-1a2b.js", headers=headers) as answer:
                return answer, b"".join(answer.iter_raw())

        for encodings, encoding, body in (
            ("gzip, deflate, br", "br", b"brotli"),
            ("gzip;q=1.0, br;q=0", "gzip", gzip.compress(plain.encode())),
            ("identity", None, plain.encode()),
        ):
            answer, sent = ask(encodings)
            assert (answer.headers.get("content-encoding"), sent[10:]) == (encoding, body[10:]), encodings
            assert answer.headers["content-type"].startswith("text/javascript")
            assert "accept-encoding" in answer.headers["vary"].lower()
        tags = {ask(encodings)[0].headers["etag"] for encodings in ("br", "gzip", "identity")}
        assert len(tags) == 3, "a browser must not take one for the other"


def test_what_a_browser_has_is_not_sent_again(start: Callable[..., TestClient], built: Path) -> None:
    with start(static_dir=built) as client:
        first = client.get("/")
        again = client.get("/", headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        (built / "index.html").write_text("<!doctype html><title>a newer page</title>")
        newer = client.get("/", headers={"if-none-match": first.headers["etag"]})
        assert "a newer page" in newer.text


def test_long_answers_are_packed(start: Callable[..., TestClient]) -> None:
    with start() as client:
        packed = client.get("/api/maps/classic")
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(packed.content) / 2
        assert "content-encoding" not in client.get("/api/about").headers


def test_nothing_outside_the_page_is_served(start: Callable[..., TestClient], built: Path) -> None:
    with start(static_dir=built) as client:
        for path in (
            "/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", "/link",
            "/%2fetc%2fpasswd", "/a%00b.txt",
        ):  # fmt: skip
            assert "treasure" not in client.get(path).text
            assert "root:" not in client.get(path).text


def test_the_schema_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandtable.server.schema"], capture_output=True, text=True, check=True, timeout=60
    )
    schema = json.loads(done.stdout)
    paths = schema["paths"]
    for path in (
        "/api/scenarios", "/api/scenarios/{scenario}/world", "/api/maps/{board}", "/api/rules", "/api/rules/{rule_id}",
        "/api/games", "/api/games/import", "/api/games/{game}", "/api/games/{game}/copy", "/api/games/{game}/export",
        "/api/games/{game}/state", "/api/games/{game}/orders", "/api/games/{game}/undo", "/api/games/{game}/redo",
        "/api/games/{game}/legal/destinations", "/api/games/{game}/legal/why", "/api/games/{game}/legal/targets",
        "/api/games/{game}/legal/places", "/api/games/{game}/legal/purchase", "/api/games/{game}/moves",
        "/api/games/{game}/log", "/api/games/{game}/statistics", "/api/games/{game}/newspaper",
    ):  # fmt: skip
        assert path in paths, path
    assert _dangling(schema) == set()
    names = [operation["operationId"] for methods in paths.values() for operation in methods.values()]
    assert len(names) == len(set(names))
    for methods in paths.values():
        for operation in methods.values():
            assert operation["responses"]["422"]["content"]["application/json"]["schema"]["$ref"].endswith(
                "ErrorEnvelope"
            )


def _dangling(schema: dict[str, Any]) -> set[str]:
    """References that lead nowhere: the page's types could not be made."""
    found: set[str] = set()

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            reference = value.get("$ref")
            if isinstance(reference, str):
                found.add(reference)
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(schema)
    known = {f"#/components/schemas/{name}" for name in schema["components"]["schemas"]}
    return found - known


def test_a_port_in_use_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SandtableError, match=f"port {port}"):
            serve(port=port, open_browser=False, data_dir=tmp_path)
    with pytest.raises(SandtableError, match="cannot listen"):
        bind("127.0.0.1", 70_000)


def test_it_listens_on_this_machine_only() -> None:
    with bind("127.0.0.1", 0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"


def test_a_damaged_database_ends_the_start_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "games.sqlite").write_bytes(b"nonsense " * 500)
    done = subprocess.run(
        [sys.executable, "-m", "sandtable.server", "--port", "0", "--no-browser", "--data-dir", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert "Move it away" in done.stderr
    assert "Traceback" not in done.stderr


def test_where_games_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"
    monkeypatch.delenv("SANDTABLE_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_folder() == tmp_path / "share" / "sandtable"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert data_folder().parts[-3:] == ("Library", "Application Support", "sandtable")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert data_folder() == tmp_path / "local" / "sandtable"


def test_the_public_names() -> None:
    for name in sandtable.server.__all__:
        assert getattr(sandtable.server, name) is not None
    assert dir(sandtable.server) == sorted(sandtable.server.__all__)
    with pytest.raises(AttributeError):
        sandtable.server.nothing  # noqa: B018


def test_everything_is_in_the_reference(client: TestClient) -> None:
    """Every address, error and message is described, and nothing that does not exist."""
    import re
    from typing import get_args

    from sandtable.server import errors
    from sandtable.server.settings import Settings

    text = (Path(__file__).parents[2] / "docs" / "reference" / "server-api.md").read_text("utf-8")
    schema = client.get("/api/openapi.json").json()
    known = {(method.upper(), path) for path, methods in schema["paths"].items() for method in methods}
    told = set(re.findall(r"`(GET|POST|PATCH|DELETE) (/api/[^?`]*)", text))
    assert told == known
    table = text.partition("## Errors")[2].partition("## What can be played")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", table, re.MULTILINE)) == set(get_args(errors.Kind))
    messages = set(schema["components"]["schemas"]["LiveMessage"]["discriminator"]["mapping"])
    rows = text.partition("## Live")[2].partition("## Bots")[0]
    assert {
        word for row in re.findall(r"^\| (`[a-z` ]+) \|", rows, re.MULTILINE) for word in re.findall(r"[a-z]+", row)
    } == messages
    for name in Settings.__dataclass_fields__:
        assert name in text
