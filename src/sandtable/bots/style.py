"""How a bot is minded: the numbers by which levels and styles differ, in one place."""

from __future__ import annotations

import random

import msgspec

STYLES = ("cautious", "balanced", "bold")
THINKING = {"quick": 0.25, "patient": 3.0}
"""How long a bot that compares plans thinks, as a part of its usual budget of plans: a number, never seconds."""


class Style(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot wants and fears. Every planner reads these fields and nothing else about the level."""

    stars: int
    name: str = "balanced"
    least_odds: float = 0.6  # chance to win below which an attack for land is not begun
    greed: float = 0.0  # I.P.C. of expected gain that an attack has to promise
    capital_risk: float = 0.1  # chance of losing a capital that is put up with
    future: float = 2.0  # rounds of income that held land is worth
    ferries: bool = True  # a steady shuttle of transports
    armor: float = 0.35  # the part of the army's money that goes into armor
    bombers: int = 0  # one bomber for so many I.P.C. of income; 0: none are bought for raids
    raids: float = 0.8  # I.P.C. that a raid has to promise for each bomber
    fleet: float = 0.0  # the part of the money that goes into warships, needed or not
    planes: int = 12  # one plane for so many I.P.C. of income; 0: none are bought
    caution: float = 0.5  # how much of the enemy's best attack on each place counts in the non-combat move
    alert: bool = False  # sees to complexes and a capital in danger beyond its walls, and walks into empty land first
    doom: float = 0.0  # how much more of an attack counts that the enemy cannot fail to win
    fields: float = 0.0  # how much of the danger counts in which planes will have to land after an attack
    ships: float = 0.0  # how much of the danger counts to which a landing exposes its transports
    bared: float = 0.0  # how much of the danger counts in which an attack leaves the land it comes from
    economy: float = 0.0  # more rounds of income that land is worth when a victory by production is near
    hangar: float = 0.0  # I.P.C. that a plane loses by each step farther from home
    march: float = 0.5  # I.P.C. that one unit a turn nearer to the goal is worth in the non-combat move
    foresight: float = 0.0  # how much of the worst counter-attack is set against each attack by itself, 0 to 1
    joint: float = 0.0  # how much of the danger counts that enemies attack the capital one after the other
    drive: bool = False  # an army across the sea gets as much armor as makes most of it
    voyages: bool = False  # troops sail for more than one turn where no ship could put them ashore in one
    backward: float = 0.0  # how dear a unit is that would fight farther from the goal, for each turn
    skies: bool = False  # reckons with air combat, convoys and bases: with all that boards add to armies and land
    held: float = 0.5  # chance to hold what is taken, where no counter-attack is looked at
    ration: float = 1.0  # how much dearer units are that others could use, until every attack has what it needs
    plans: int = 1  # alternative plans that are compared in the combat move: the budget of the search
    margin: float = 0.0  # I.P.C. that another plan has to promise more than the usual one


LEVELS: dict[int, Style] = {
    3: Style(stars=3, least_odds=0.65, greed=1.0, ferries=False),
    4: Style(stars=4, least_odds=0.6, greed=0.5, capital_risk=0.06),
    5: Style(
        stars=5,
        least_odds=0.51,
        greed=-1.0,
        capital_risk=0.045,
        future=2.9,
        armor=0.22,
        planes=11,
        caution=0.45,
        march=0.9,
        foresight=0.22,
        held=0.25,
        ration=3.2,
        alert=True,
        doom=0.3,
        fields=0.6,
        ships=0.35,
        bared=0.1,
        economy=3.0,
        hangar=0.4,
        plans=16,
        margin=6.0,
        joint=0.5,
        voyages=True,
        drive=True,
        backward=0.5,
        skies=True,
    ),
}


TEMPER = {"least_odds": 0.04, "greed": 1.0}
"""How far players of one level differ, up or down."""
TASTE = {"armor": 0.5, "planes": 0.4, "ration": 0.4, "future": 0.2}
"""The same as a part of the figure itself."""


def tempered(base: Style, seed: int | str) -> Style:
    """The level as one player has it, so that games do not all open alike; without a seed, the level itself."""
    if seed == "":
        return base
    chance = random.Random(f"temper/{seed}")  # noqa: S311 (play)
    changed: dict[str, float] = {f: getattr(base, f) + chance.uniform(-most, most) for f, most in TEMPER.items()}
    for field, part in TASTE.items():
        figure = getattr(base, field)
        changed[field] = round(figure * (1 + chance.uniform(-part, part)), None if isinstance(figure, int) else 3)
    return msgspec.structs.replace(base, **changed)


def thinking(base: Style, think: str) -> Style:
    """The same, but quick or patient."""
    return msgspec.structs.replace(base, plans=max(2, round(base.plans * THINKING[think])))


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
