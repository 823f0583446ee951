"""The arena: bots play each other by the hundred, and the results are told with their confidence.

from sandtable.arena import run

results = run("classic-1942", "5star", "4star", games=20, seed=1, workers=2, swap=True)
print(results.table())
"""

from sandtable.arena.match import GameResult, Job, PowerReport, play
from sandtable.arena.rating import Rating
from sandtable.arena.results import Results, Score
from sandtable.arena.tournament import run
from sandtable.odds.confidence import wilson

__all__ = ["GameResult", "Job", "PowerReport", "Rating", "Results", "Score", "play", "run", "wilson"]
