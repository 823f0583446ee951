"""A real PostgreSQL for tests and measurements, from the system's package: on a free port, thrown away afterwards."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def binaries() -> Path | None:
    """The folder with `initdb` and `postgres`; None where there is none."""
    found = shutil.which("initdb")
    if found is not None:
        return Path(found).resolve().parent
    places = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)
    return places[0].parent if places else None


class Postgres:
    def __init__(self, folder: Path, tools: Path, *, careful: bool = False) -> None:
        self._folder = folder / "cluster"
        self._user = "postgres" if os.geteuid() == 0 else None  # PostgreSQL does not run as root
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        folder.chmod(0o755)
        self._folder.mkdir()
        if self._user is not None:
            shutil.chown(self._folder, self._user)
        self._run(tools / "initdb", "-D", self._folder, "-U", "sandtable", "--auth=trust", "-E", "UTF8", "--no-sync")
        options = (
            "-k",
            self._folder,
            "-p",
            self.port,
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            f"fsync={'on' if careful else 'off'}",
        )
        self._process = subprocess.Popen(
            [str(tools / "postgres"), "-D", str(self._folder), *map(str, options)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            user=self._user,
            cwd="/",
        )
        self._wait()

    def _run(self, *command: object) -> None:
        subprocess.run(list(map(str, command)), check=True, capture_output=True, user=self._user, cwd="/")

    def _wait(self) -> None:
        import psycopg

        for _ in range(200):
            try:
                psycopg.connect(self.url("postgres")).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        raise RuntimeError("PostgreSQL did not come up.")

    def url(self, database: str) -> str:
        return f"postgresql://sandtable@127.0.0.1:{self.port}/{database}"

    def new_database(self, name: str) -> str:
        import psycopg

        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.url(name)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(20)


@contextmanager
def temporary(*, careful: bool = False) -> Iterator[Postgres]:
    """One that lasts as long as the block. `careful` waits for the disk, as a real one does."""
    tools = binaries()
    if tools is None:
        raise RuntimeError("PostgreSQL is not installed: `apt install postgresql` brings it.")
    with tempfile.TemporaryDirectory(prefix="sandtable-postgres-", ignore_cleanup_errors=True) as folder:
        running = Postgres(Path(folder), tools, careful=careful)
        try:
            yield running
        finally:
            running.stop()
