"""How a bot is minded: the numbers by which levels and styles differ, in one place."""

from __future__ import annotations

import msgspec

STYLES = ("cautious", "balanced", "bold")


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot wants and fears. Every planner reads these fields and nothing else about the level."""

    stars: int
    name: str = "balanced"
    least_odds: float = 0.6  # chance to win below which an attack for land is not begun
    greed: float = 0.0  # I.P.C. of expected gain that an attack has to promise
    spares_ships: bool = True  # sends ships only where they are not sunk at once
    guards_capital: bool = True  # keeps and buys what a capital needs against the worst visible attack
    capital_risk: float = 0.1  # chance of losing a capital that is put up with
    future: float = 2.0  # rounds of income that held land is worth
    ferries: bool = True  # a steady shuttle of transports
    armor: float = 0.35  # the part of the army's money that goes into armor
    planes: int = 12  # one plane for so many I.P.C. of income; 0: none are bought
    caution: float = 0.5  # how much of the enemy's best attack on each place counts in the non-combat move
    march: float = 0.5  # I.P.C. that one unit a turn nearer to the goal is worth in the non-combat move
    plans: int = 1  # alternative plans that are compared in the combat move: the budget of the search
    replies: int = 0  # of these, how many of the best are played on through the enemies' answers


LEVELS: dict[int, Style] = {
    3: Style(stars=3, least_odds=0.65, greed=1.0, ferries=False),
    4: Style(stars=4, least_odds=0.6, greed=0.5, capital_risk=0.06),
    5: Style(stars=5, least_odds=0.6, greed=0.0, capital_risk=0.04, plans=10, replies=5),
}


def style(stars: int, name: str = "balanced") -> Style:
    """The level in one of the styles; cautious asks for better odds, bold makes do with worse."""
    base = LEVELS[stars]
    if name == "cautious":
        return msgspec.structs.replace(
            base,
            name=name,
            least_odds=base.least_odds + 0.12,
            greed=base.greed + 1.5,
            capital_risk=base.capital_risk / 2,
        )
    if name == "bold":
        return msgspec.structs.replace(
            base,
            name=name,
            least_odds=base.least_odds - 0.1,
            greed=base.greed - 1.0,
            capital_risk=base.capital_risk * 1.5,
        )
    return msgspec.structs.replace(base, name="balanced")
