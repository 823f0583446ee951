"""The archive: saves, replay, statistics, the log of a game, and rule cases."""
