"""Opponents for opponents: earlier versions and strangers with strong habits, for leagues; nobody is offered them."""

from __future__ import annotations

import msgspec

from sandtable.bots.style import LEVELS, Style

SPARRING: dict[str, Style] = {
    # five stars as it was when it had been fitted in games against four alone
    "first-5star": msgspec.structs.replace(LEVELS[5], joint=0.0, voyages=False, drive=False, backward=0.0),
    # attacks as soon as it can hope to win, with as much armor as money buys
    "rusher": Style(
        stars=4, name="rusher", least_odds=0.45, greed=-3.0, capital_risk=0.35, armor=0.7, planes=0, caution=0.1
    ),
    # waits behind infantry for a sure thing
    "turtle": Style(
        stars=4, name="turtle", least_odds=0.85, greed=3.0, capital_risk=0.01, armor=0.0, planes=0, caution=1.0
    ),
    # bombs whatever its bombers reach
    "raider": Style(stars=4, name="raider", bombers=10, raids=-3.0, planes=0),
    # puts a third of its money into warships
    "admiral": Style(stars=4, name="admiral", fleet=0.35),
    # armor that walks into whatever lies open, a bomber or two for raids, sound odds
    "driver": Style(
        stars=4, name="driver", least_odds=0.62, greed=0.0, armor=0.55, alert=True, bombers=20, raids=0.0, planes=15
    ),
}

HELD_OUT = ("raider", "admiral")
"""Never played against while anything is fitted, so that results against them mean something."""
