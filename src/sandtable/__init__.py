"""Sandtable."""
