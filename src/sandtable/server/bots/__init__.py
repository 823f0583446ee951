"""Bots for seats: a registry by name, and processes in which they think."""
