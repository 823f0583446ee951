"""What is kept: games across restarts, damage that is told, migrations, two servers on one file."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from server_help import ATTACK, HERE, get, live, order, orders, problem
from sqlalchemy import Connection
from starlette.testclient import TestClient

from sandtable.server import Settings, create_app
from sandtable.server.storage.database import DatabaseDamaged, open_database
from sandtable.server.storage.tables import Base

Start = Callable[..., TestClient]


def new(client: TestClient, **fields: object) -> str:
    return str(client.post("/api/games", json={"seed": 3, **fields}).json()["id"])


def change(data_dir: Path, sql: str, *values: object) -> None:
    """Meddle with the file behind the server's back."""
    connection = sqlite3.connect(data_dir / "games.sqlite")
    with connection:
        connection.execute(sql, values)
    connection.close()


def test_a_game_is_the_same_after_a_restart(start: Start) -> None:
    with start() as client:
        game = new(client, name="Kept", options={"second_edition": True})
        order(client, game, "buy 1 infantry")
        order(client, game, "buy 1 armor")
        client.post(f"/api/games/{game}/undo")
        client.post(f"/api/games/{game}/seats/Japan", json={"player": "random"})
        orders(client, game, "end", *ATTACK[2:])
        client.post(f"/api/games/{game}/copy", params={"at": 4, "into": "same"})
        client.post(f"/api/games/{game}/redo")
        views = ("state", "log", "statistics", "newspaper", "moves", "timeline", "export")
        before = {what: get(client, game, what) for what in views}
        header = client.get(f"/api/games/{game}").json()
    with start() as client:
        assert client.get(f"/api/games/{game}").json() == header
        for what, view in before.items():
            assert get(client, game, what) == view, what
        client.post(f"/api/games/{game}/redo")  # what was taken back is still known


def test_an_imported_position_is_kept(start: Start) -> None:
    """A game that did not begin with the scenario's set-up, in the middle of a battle, with dice of its own."""
    from sandtable.archive.game import Game
    from sandtable.archive.position import patched_state
    from sandtable.engine.dice import ScriptedDice
    from sandtable.world.compile import compile_world

    world = compile_world("classic-1942")
    position = {
        "clear": ["libya", "anglo-egypt-sudan"],
        "units": {
            "libya": {"germany": {"infantry": 1, "armor": 1}},
            "anglo-egypt-sudan": {"uk": {"infantry": 1, "armor": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    local = Game(world, start=patched_state(world, position), dice=ScriptedDice([4, 2, 4, 5, 1, 2]))
    local.play("move 1 infantry, 1 armor: libya -> anglo-egypt-sudan")
    local.play("end")
    with start() as client:
        made = client.post("/api/games/import", json={"text": local.to_text()}).json()
        assert made["own_start"] is True
    with start() as client:
        assert client.get(f"/api/games/{made['id']}").json()["digest"] == local.state.digest()
        assert get(client, made["id"], "state")["battle"]["space"] == "anglo-egypt-sudan"


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[TestClient, Path]]:
    """A server that keeps one game in memory: as soon as another is made, it reads the first again."""
    folder = tmp_path_factory.mktemp("forgetful")
    with TestClient(create_app(Settings(data_dir=folder, loaded_games=1)), base_url=HERE) as client:
        yield client, folder


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE changes SET text = 'buy 90 armor' WHERE number = 1 AND game", "Change 1"),
        ("UPDATE changes SET text = 'gibberish' WHERE number = 2 AND game", "Change 2"),
        ("UPDATE changes SET faces = '1 1 1 1 1' WHERE number = 6 AND game", "other dice"),
        ("UPDATE changes SET faces = 'x' WHERE number = 6 AND game", "cannot be read"),
        ("UPDATE changes SET kind = 'magic' WHERE number = 3 AND game", "magic"),
        ("UPDATE changes SET kind = 'redo' WHERE number = 3 AND game", "Change 3"),
        ("UPDATE changes SET kind = 'rewind' WHERE number = 3 AND game", "Change 3"),
        ("UPDATE changes SET kind = 'seat' WHERE number = 3 AND game", "Change 3"),
        ("UPDATE changes SET text = 'end' WHERE number = 3 AND game", "Change 3"),
        ("DELETE FROM changes WHERE number = 2 AND game", "missing"),
        ("DELETE FROM changes WHERE number = 6 AND game", "incomplete"),
        ("UPDATE games SET scenario = 'atlantis' WHERE id", "atlantis"),
        ("UPDATE games SET options = '{' WHERE id", "cannot be read"),
        ("UPDATE games SET first_seats = '[]' WHERE id", "Nobody plays"),
        ("UPDATE games SET start = '{\"round\": 1}' WHERE id", "cannot be read"),
        ("UPDATE games SET digest = 'other' WHERE id", "incomplete"),
    ],
)  # fmt: skip
def test_a_damaged_game_is_told_and_harms_no_other(forgetful: tuple[TestClient, Path], sql: str, words: str) -> None:
    client, folder = forgetful
    game = new(client)
    orders(client, game, *ATTACK)
    healthy = new(client)
    change(folder, f"{sql} = ?", game)
    assert words in problem(client.get(f"/api/games/{game}/state"), 409, "damaged")["message"]
    with live(client, game) as socket:
        assert socket.receive_json()["error"]["kind"] == "damaged"
    listed = {each["id"]: each for each in client.get("/api/games").json()}
    assert words in listed[game]["damaged"]
    assert listed[healthy]["damaged"] is None
    order(client, healthy, "end")
    assert client.delete(f"/api/games/{game}").status_code == 204
    assert game not in {each["id"] for each in client.get("/api/games").json()}


def test_a_list_with_an_unreadable_line(forgetful: tuple[TestClient, Path]) -> None:
    client, folder = forgetful
    game = new(client)
    change(folder, "UPDATE games SET seats = '{' WHERE id = ?", game)
    listed = {each["id"]: each for each in client.get("/api/games").json()}
    assert "cannot be read" in listed[game]["damaged"]
    assert listed[game]["name"]


def test_an_order_that_cannot_be_stored_did_not_happen(start: Start, data_dir: Path) -> None:
    with start() as client:
        game = new(client)
        order(client, game, "buy 1 infantry")
        change(data_dir, "ALTER TABLE changes RENAME TO elsewhere")
        with live(client, game) as socket:
            socket.receive_json()
            problem(client.post(f"/api/games/{game}/orders", json={"order": "buy 1 armor"}), 503, "storage")
        problem(client.get(f"/api/games/{game}/state"), 503, "storage")
        change(data_dir, "ALTER TABLE elsewhere RENAME TO changes")
        state = get(client, game, "state")
        assert (state["version"], state["pool"]) == (1, {"infantry": 1})
        order(client, game, "buy 1 armor", 1)


def test_two_servers_do_not_spoil_each_others_games(start: Start) -> None:
    """Each has the game in memory; the one that writes second is told to read again."""
    with start() as one:
        game = new(one)
        order(one, game, "buy 1 infantry")
        with start() as other:
            order(other, game, "buy 1 armor")
            problem(one.post(f"/api/games/{game}/orders", json={"order": "buy 2 infantry"}), 409, "stale")
            assert get(one, game, "state")["pool"] == {"infantry": 1, "armor": 1}
            order(one, game, "buy 1 infantry", 2)


def test_games_beyond_the_limit_are_read_again(start: Start) -> None:
    with start(loaded_games=2) as client:
        games = [new(client) for _ in range(5)]
        for game in games:
            order(client, game, "buy 1 infantry")
        for game in games:
            assert get(client, game, "state")["pool"] == {"infantry": 1}


def test_the_migrations_make_the_tables_of_the_code(tmp_path: Path) -> None:
    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))

    async def look() -> list[object]:
        engine = await open_database(tmp_path / "games.sqlite")
        async with engine.connect() as connection:
            found = await connection.run_sync(differences)
            pragma = await connection.exec_driver_sql("PRAGMA journal_mode")
            assert pragma.scalar() == "wal"
        await engine.dispose()
        again = await open_database(tmp_path / "games.sqlite")  # nothing to do the second time
        await again.dispose()
        return found

    assert asyncio.run(look()) == []


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    file.write_bytes(b"this is not a database, whatever its name says " * 40)
    with pytest.raises(DatabaseDamaged, match="Move it away"):
        asyncio.run(open_database(file))
    assert file.read_bytes().startswith(b"this is not")
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    with pytest.raises(DatabaseDamaged, match="cannot hold games"):
        asyncio.run(open_database(in_the_way / "games.sqlite"))


def test_a_database_of_a_newer_version(tmp_path: Path) -> None:
    async def make() -> None:
        await (await open_database(tmp_path / "games.sqlite")).dispose()

    asyncio.run(make())
    change(tmp_path, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseDamaged, match="newer version"):
        asyncio.run(make())


def test_a_list_that_cannot_be_read(start: Start, data_dir: Path) -> None:
    with start() as client:
        game = new(client)
        change(data_dir, "ALTER TABLE games RENAME TO elsewhere")
        problem(client.get("/api/games"), 503, "storage")
        problem(client.post("/api/games", json={}), 503, "storage")
        problem(client.delete(f"/api/games/{game}"), 503, "storage")
        change(data_dir, "ALTER TABLE elsewhere RENAME TO games")
        assert [each["id"] for each in client.get("/api/games").json()] == [game]
