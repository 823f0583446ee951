"""The World layer: board, powers, units, options and set-ups as data, and their compilation."""
