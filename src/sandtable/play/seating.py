"""Bots that sit in a seat by its name, so that a saved game remembers them: `Japan (5star)`."""

from __future__ import annotations

import re

from sandtable import bots

SITTING_BOT = re.compile(r" \(([a-z0-9-]+)\)$")


def sitting_bot(seat: str) -> str | None:
    """The bot that sits in a seat of this name."""
    found = SITTING_BOT.search(seat)
    return found[1] if found is not None and found[1] in bots.names() else None
