"""What a tournament brought: scores, confidence, ratings, and how each power fared."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import msgspec

from sandtable.arena.match import GameResult
from sandtable.arena.rating import MISSING, Rating, available, rate
from sandtable.odds.confidence import wilson
from sandtable.world.model import PowerId, SideId
from sandtable.world.options import said


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """Wins, losses and draws of one player; a draw is half a win in the rate."""

    games: int
    wins: int
    losses: int
    draws: int

    @property
    def rate(self) -> float:
        return (self.wins + self.draws / 2) / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.wins + self.draws / 2, self.games)


class Results(msgspec.Struct, frozen=True, kw_only=True):
    """The games in their order, whatever order they were finished in."""

    scenario: str
    players: tuple[str, ...]  # one for each side
    seed: int | str
    rounds: int
    games: tuple[GameResult, ...]

    @property
    def played(self) -> list[GameResult]:
        return [g for g in self.games if not g.failed]

    @property
    def failures(self) -> list[GameResult]:
        return [g for g in self.games if g.failed]

    def score(self, player: str, side: SideId | None = None) -> Score:
        """How the player did, on both sides or on one. A bot that plays itself is scored by side only."""
        mine = [(g, s) for g in self.played for s, bot in g.bots.items() if bot == player and side in (None, s)]
        wins = sum(1 for g, s in mine if g.winner == s)
        draws = sum(1 for g, _ in mine if g.winner is None)
        return Score(games=len(mine), wins=wins, losses=len(mine) - wins - draws, draws=draws)

    def side_score(self, side: SideId) -> Score:
        """How often the side won, whoever played it."""
        wins = sum(1 for g in self.played if g.winner == side)
        draws = sum(1 for g in self.played if g.winner is None)
        total = len(self.played)
        return Score(games=total, wins=wins, losses=total - wins - draws, draws=draws)

    @property
    def sides(self) -> tuple[SideId, ...]:
        return tuple(self.games[0].bots) if self.games else ()

    def ratings(self) -> dict[str, Rating]:
        """By player; where one plays itself, by side. None without openskill: a tournament is worth its table."""
        if not available():
            return {}
        duels: list[tuple[str, str, float]] = []
        for game in self.played:
            for (a, bot_a), (b, bot_b) in combinations(game.bots.items(), 2):
                if game.winner in (None, a, b) and (bot_a != bot_b or self.alone):  # two who lost have settled nothing
                    names = (f"{bot_a} ({a})", f"{bot_b} ({b})") if self.alone else (bot_a, bot_b)
                    duels.append((*names, 0.5 if game.winner is None else float(game.winner == a)))
        return rate(duels)

    @property
    def alone(self) -> bool:
        """One bot plays all sides."""
        return len(set(self.players)) == 1

    def powers(self) -> dict[PowerId, dict[str, float]]:
        """Averages over all games, by power."""
        found: dict[PowerId, dict[str, float]] = {}
        for power in self.played[0].powers if self.played else ():
            reports = [g.powers[power] for g in self.played]
            found[power] = {
                "production": statistics.mean(r.production for r in reports),
                "units": statistics.mean(r.units for r in reports),
                "captures": statistics.mean(r.captures for r in reports),
                "capital_lost": statistics.mean(r.capital_lost for r in reports),
                "median_turn": statistics.median(r.median_turn for r in reports),
                "longest_turn": max(r.longest_turn for r in reports),
            }
        return found

    def endings(self) -> dict[str, int]:
        return {e: n for e in ("victory", "adjudicated", "decided", "failed") if (n := _count(self.games, e))}

    # ------------------------------------------------------------ for people and programs

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "scenario": self.scenario,
            "players": list(self.players),
            "seed": self.seed,
            "rounds": self.rounds,
            "scores": {p: _score_data(self.score(p)) for p in dict.fromkeys(self.players)},
            "by_side": {p: {s: _score_data(self.score(p, s)) for s in self.sides} for p in dict.fromkeys(self.players)},
            "sides": {s: _score_data(self.side_score(s)) for s in self.sides},
            "ratings": {name: msgspec.to_builtins(r) for name, r in self.ratings().items()},
            "powers": self.powers(),
            "endings": self.endings(),
            "games": [msgspec.to_builtins(g) for g in self.games],
        }

    def table(self) -> str:
        """The results as lines of text."""
        lines = [f"{self.scenario}: {len(self.games)} games, at most {self.rounds} rounds"]
        ratings = self.ratings()
        lines.append(f"{'player':<22}{'games':>6}{'won':>5}{'lost':>5}{'drawn':>6}{'rate':>7}{'95 %':>14}{'rating':>8}")
        for player in dict.fromkeys(self.players):
            for side in (None, *self.sides):
                score = self.score(player, side)
                if not score.games or (side is None and self.alone):
                    continue
                name = player if side is None else f"  as {side}"
                rating = ratings.get(player if side is None else f"{player} ({side})")
                lines.append(_line(name, score, rating))
        for side in self.sides:
            lines.append(_line(f"all {side}", self.side_score(side), None))
        lines.append(f"{'power':<22}{'production':>11}{'units':>7}{'captures':>10}{'capital lost':>14}{'turn, s':>9}")
        for power, row in self.powers().items():
            lines.append(
                f"{power:<22}{row['production']:>11.1f}{row['units']:>7.0f}{row['captures']:>10.1f}"
                f"{row['capital_lost']:>14.0%}{row['median_turn']:>9.2f}"
            )
        lines.append("endings: " + ", ".join(f"{n} {e}" for e, n in self.endings().items()))
        lines += [failure(g) for g in self.failures]
        if not available():
            lines.append(MISSING)
        return "\n".join(lines)


def failure(game: GameResult) -> str:
    """What went wrong, and with which options."""
    with_options = f" (with {', '.join(said(k, v) for k, v in game.options.items())})" if game.options else ""
    return f"game {game.number} failed: {game.reason}{with_options}"


def _line(name: str, score: Score, rating: Rating | None) -> str:
    low, high = score.interval
    interval = f"{low:.1%}–{high:.1%}"
    shown = f"{rating.mu:.1f}" if rating is not None else ""
    return (
        f"{name:<22}{score.games:>6}{score.wins:>5}{score.losses:>5}{score.draws:>6}{score.rate:>7.1%}"
        f"{interval:>14}{shown:>8}"
    )


def _score_data(score: Score) -> Mapping[str, Any]:
    low, high = score.interval
    return {**msgspec.to_builtins(score), "rate": score.rate, "low": low, "high": high}


def _count(games: Iterable[GameResult], ending: str) -> int:
    return sum(1 for g in games if g.ending == ending)
