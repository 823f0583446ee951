"""The goals of an edition (victory, objectives, milestones, politics): which spaces they mean, what they remember."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sandtable.world.check import EACH
from sandtable.world.conditions import ACT_OF_WAR, Condition, fact, facts_asked, filled, filled_places
from sandtable.world.edition import Edition
from sandtable.world.model import Patch, PowerId

TWO_PLAYERS = "two-players"  # is remembered where ways to win ask how many people play


def with_places(edition: Edition) -> Edition:
    """The edition with the spaces that its conditions mean; what the board prints is what was theirs originally."""
    members = _members(edition)
    spaces = {space.id: msgspec.structs.replace(space, original=space.owner) for space in edition.spaces.values()}

    def fill(condition: Condition | None) -> Any:
        return None if condition is None else filled(condition, spaces, members)

    replace = msgspec.structs.replace
    return replace(
        edition,
        objectives=tuple(replace(o, when=fill(o.when), per=fill(o.per)) for o in edition.objectives),
        victory=tuple(replace(v, when=fill(v.when), then=fill(v.then)) for v in edition.victory),
        milestones={name: fill(condition) for name, condition in edition.milestones.items()},
        declarations=tuple(replace(d, when=fill(d.when)) for d in edition.declarations),
        acts=tuple(replace(a, places=filled_places(a.places, spaces, members)) for a in edition.acts),
        bans=tuple(
            replace(b, when=fill(b.when), places=filled_places(b.places, spaces, members)) for b in edition.bans
        ),
    )


def changes_places(patch: Patch) -> bool:
    """The patch may change which spaces a condition means, or brings conditions of its own."""
    return bool(
        patch.spaces
        or patch.powers
        or patch.add_powers
        or patch.remove_powers
        or patch.sides
        or patch.objectives
        or patch.add_objectives
        or patch.victory
        or patch.add_victory
        or patch.add_milestones
        or patch.declarations
        or patch.add_declarations
        or patch.bans
        or patch.add_bans
    )


def watched(edition: Edition) -> frozenset[str]:
    """What happens and must be remembered, since a condition asks for it."""
    members, everybody = _members(edition), tuple(edition.powers)
    asked: list[tuple[Condition | None, tuple[PowerId, ...]]] = []
    for o in edition.objectives:
        mine = everybody if o.power == EACH else (o.power,)
        asked += [(o.when, mine), (o.per, mine)]
    for v in edition.victory:
        asked += [(v.when, everybody), (v.then, everybody)]
    asked += [(condition, everybody) for condition in edition.milestones.values()]
    asked += [(declaration.when, everybody) for declaration in edition.declarations]
    asked += [(ban.when, everybody) for ban in edition.bans]
    acts = {fact(ACT_OF_WAR, power, act.against) for act in edition.acts for power in act.by}
    table = {TWO_PLAYERS} if any(v.players != "any" for v in edition.victory) else set()
    return (
        frozenset(table)
        | acts
        | frozenset(
            fact for condition, mine in asked if condition is not None for fact in facts_asked(condition, members, mine)
        )
    )


def _members(edition: Edition) -> Callable[[str], tuple[PowerId, ...]]:
    """The powers that a power or side stands for."""

    def members(who: str) -> tuple[PowerId, ...]:
        return tuple(p.id for p in edition.powers.values() if p.side == who) if who in edition.sides else (who,)

    return members
