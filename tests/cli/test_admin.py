"""`sandtable admin`: what the keeper of a server does from the command line."""

from __future__ import annotations

import sqlite3
from pathlib import Path


def test_people_come_and_go(run, tmp_path: Path) -> None:
    def admin(*words: str) -> str:
        told = run("admin", *words, "--data-dir", str(tmp_path))
        assert told.exit_code == 0, told.stderr
        return told.stdout

    assert "Ann can sign in with the password" in admin("add", "Ann", "--admin")
    assert admin("add", "Bob", "--password", "a good password") == "Bob can sign in.\n"
    lines = admin("users").splitlines()
    assert any("Ann  account, admin" in line for line in lines)
    again = run("admin", "add", "ANN", "--data-dir", str(tmp_path))
    assert again.exit_code == 2
    assert "Somebody else is called ANN" in again.stderr
    short = run("admin", "add", "Cleo", "--password", "short", "--data-dir", str(tmp_path))
    assert "8 to 200 characters" in short.stderr
    admin("block", "Bob")
    assert "Bob  account, blocked" in admin("users")
    admin("block", "Bob", "--undo")
    assert "has the password" in admin("password", "Bob")
    admin("remove", "Bob")
    assert "Bob" not in admin("users")
    assert "no account 'Bob'" in run("admin", "remove", "Bob", "--data-dir", str(tmp_path)).stderr
    assert admin("reports") == "Nothing was reported.\n"
    numbers = dict(line.split() for line in admin("stats").splitlines())
    assert numbers["accounts"] == "1"


def test_a_backup_has_everything(run, tmp_path: Path) -> None:
    folder, file = tmp_path / "data", tmp_path / "backup.db"
    assert "There is no database" in run("admin", "backup", str(file), "--data-dir", str(folder)).stderr
    run("admin", "add", "Ann", "--data-dir", str(folder))
    told = run("admin", "backup", str(file), "--data-dir", str(folder))
    assert told.exit_code == 0, told.stderr
    assert sqlite3.connect(file).execute("SELECT name FROM people").fetchall() == [("Ann",)]
    assert "exists already" in run("admin", "backup", str(file), "--data-dir", str(folder)).stderr


def test_a_database_that_is_none(run) -> None:
    told = run("admin", "users", "--database", "mysql://nowhere/x")
    assert told.exit_code == 2
    assert "SQLite or PostgreSQL" in told.stderr
    told = run("admin", "users", "--database", "postgresql://sandtable:secret@127.0.0.1:1/none")
    assert told.exit_code == 2
    assert "secret" not in told.stderr
