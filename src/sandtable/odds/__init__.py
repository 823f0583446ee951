"""Battle odds: what a battle will bring, without rolling a die wherever the rules are understood.

>>> from sandtable.odds import odds
>>> from sandtable.world.compile import compile_world
>>> result = odds(compile_world("classic-1942"), "3 infantry, 1 armor", "2 infantry")
>>> f"{result.win:.3f} {result.swing:.2f}"
'0.944 1.89'
"""

from sandtable.odds.calculate import odds
from sandtable.odds.intentions import Intentions, Retreat
from sandtable.odds.model import BattleModel, OddsError
from sandtable.odds.position import odds_of_battle
from sandtable.odds.raid import RaidOdds, raid_odds, raid_odds_of
from sandtable.odds.read import parse_battle, parse_force
from sandtable.odds.result import Odds, Survivors

__all__ = [
    "BattleModel",
    "Intentions",
    "Odds",
    "OddsError",
    "RaidOdds",
    "Retreat",
    "Survivors",
    "odds",
    "odds_of_battle",
    "parse_battle",
    "parse_force",
    "raid_odds",
    "raid_odds_of",
]
