"""A server for the tests: most share one, those about starting and stopping make their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from server_help import HERE
from starlette.testclient import TestClient

from sandtable.server import Settings, create_app


@pytest.fixture(scope="session")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("server"), heartbeat=5, loaded_games=200)
    with TestClient(create_app(settings), base_url=HERE) as running:
        yield running


@pytest.fixture
def new_game(client: TestClient) -> Callable[..., str]:
    """Makes a game and gives its id."""

    def make(**fields: Any) -> str:
        answer = client.post("/api/games", json={"seed": 3, **fields})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    return make


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def start(data_dir: Path) -> Callable[..., TestClient]:
    """Gives a client for a server of one's own on the same data; use it as a context."""

    def make(**fields: Any) -> TestClient:
        return TestClient(create_app(Settings(data_dir=data_dir, **fields)), base_url=HERE)

    return make
