"""The table: seats taken by people and bots, and standing orders."""

from sandtable.play.player import Player
from sandtable.play.random_bot import RandomBot
from sandtable.play.standing import CheapestFirst, StandingOrder
from sandtable.play.table import Played, Table

__all__ = ["CheapestFirst", "Played", "Player", "RandomBot", "StandingOrder", "Table"]
