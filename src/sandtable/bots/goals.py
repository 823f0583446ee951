"""Land by which a game is won: what the last few pieces of it are worth to us, and what it is worth to keep them.

A way to win that asks for land is near when few pieces of it are missing. The very last one is no matter of degree:
taking it ends the war (`front.wins_now`), and leaving it to an enemy loses it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sandtable.engine.conditions import holds
from sandtable.engine.conditions.viewpoint import Viewpoint
from sandtable.engine.state import State
from sandtable.engine.victory import candidates, open_to
from sandtable.world.conditions import All, Condition, Controls
from sandtable.world.model import PowerId, SpaceId, World

if TYPE_CHECKING:
    from sandtable.bots.sight import Sight

NEAR = 6  # pieces of land that may be missing: a power at the height of its turn takes as many
STEP = 12.0  # I.P.C. that the next of them is worth, over their number
LAST = 40.0  # I.P.C. that it is worth to keep the very last from an enemy


def land_to_win(sight: Sight) -> Mapping[SpaceId, float]:
    """What land that is missing for a victory of our side, or for an enemy's, is worth beyond its income."""
    found: dict[SpaceId, float] = {}
    for power in (sight.power, *sight.enemies):
        for spaces, missing in _missing(sight.world, sight.state, power):
            ours = power == sight.power
            worth = STEP / missing if ours or missing > 1 else LAST
            for space in spaces:
                if sight.is_theirs(space) if ours else sight.is_ours(space):
                    found[space] = max(found.get(space, 0.0), worth)
    return found


def _missing(world: World, state: State, power: PowerId) -> Iterator[tuple[set[SpaceId], int]]:
    """For each way to win that is near for the power or its side: what land would help, and how much is needed."""
    for victory in world.victory:
        if not open_to(state, victory):
            continue
        for who in (power, world.side_of(power)):
            if who in candidates(world, state, victory):
                spaces, missing = _lacks(world, state, victory.when, who)
                if 0 < missing <= NEAR:
                    yield spaces, missing


def _lacks(world: World, state: State, when: Condition, who: str) -> tuple[set[SpaceId], int]:
    """The land that is missing for the condition, and how much of it; nothing if it asks for other things too."""
    spaces: set[SpaceId] = set()
    total = 0
    for part in when.of if isinstance(when, All) else (when,):
        if holds(world, state, part, who):
            continue
        if not isinstance(part, Controls) or part.since != "now":
            return set(), 0
        seen = Viewpoint(world, state, who)
        members, wanted = seen.members(part.who), set(seen.spaces(part.places))
        held = {s for s in wanted if state.owners.get(s) in members and state.owners.get(s) not in part.other_than}
        total += (len(wanted) if part.at_least is None else part.at_least) - len(held)
        spaces |= wanted - held
    return spaces, total
