"""Opponents: computer players of three, four and five stars, in three styles.

from sandtable.bots import make

bot = make("4star-bold", seed=7)
print(bot.plan(game.world, game.state).explain())
"""

from sandtable.bots.bot import Bot, StarBot
from sandtable.bots.plan import Plan, Step
from sandtable.bots.registry import make, names
from sandtable.bots.style import STYLES, Style

__all__ = ["STYLES", "Bot", "Plan", "StarBot", "Step", "Style", "make", "names"]
