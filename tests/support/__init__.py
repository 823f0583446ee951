"""Helpers that several test folders share: odd positions, random play, and the checks of what must always hold."""
