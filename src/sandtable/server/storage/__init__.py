"""Games in SQLite: a header a game, and one row for each thing that was done in it."""
