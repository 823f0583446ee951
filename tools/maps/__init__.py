"""Compiles the boards' vector maps from public-domain geography and the authored files in `boards/`."""
