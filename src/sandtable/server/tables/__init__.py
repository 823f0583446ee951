"""What happens at a table: coming and going, the host's set-up, beginning, seats, offers, time, and the end.

The store keeps it, the hub tells it, the lobby has the game. All that somebody may or may not do at a table is decided
here or in `access.py`.
"""

from sandtable.server.tables.company import NOTICE
from sandtable.server.tables.seating import Seating, WithSeating

__all__ = ["NOTICE", "Seating", "WithSeating"]
