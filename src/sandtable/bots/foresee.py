"""The round to come, played out: every other power takes its turn as a sensible player would, with average dice.

What a plan is worth shows when everybody has answered it. Battles go as they go on average; what that leaves in doubt
is reckoned beside it.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sandtable.bots.aftermath import after_battles
from sandtable.bots.attack import Attack, Mind, Strike
from sandtable.bots.evaluation import peril, standing
from sandtable.bots.front import future, prize
from sandtable.bots.mobilize import plan_places
from sandtable.bots.noncombat import Noncombat
from sandtable.bots.purchase import Purchase
from sandtable.bots.scratch import Scratch
from sandtable.bots.sight import Sight, value_of
from sandtable.bots.style import Style
from sandtable.engine.facts import active
from sandtable.engine.state import State
from sandtable.notation.orders import End
from sandtable.world.model import PowerId, World

WON = 300.0  # I.P.C. that the end of the war is worth


class Foresight:
    """Plays on from positions at the end of one power's turn; what it learns of one serves for the next."""

    def __init__(self, world: World, power: PowerId, style: Style) -> None:
        self.world = world
        self.power = power
        self.side = world.side_of(power)
        self.style = msgspec.structs.replace(style, plans=1)
        self._looks: dict[PowerId, Sight] = {}  # each power's first look at the board: its goals stay what they are

    def worth(self, state: State) -> float:
        """What the position is worth when everybody else has moved: `state` is the end of the power's mobilization.

        Average dice take no capital at bad odds, so its danger is reckoned beside them.
        """
        scratch = Scratch(self.world, state)
        danger = peril(Sight(self.world, state, self.power), self.style)
        scratch.play(End())
        doubt = -danger
        for _ in self.world.order:
            mover = active(self.world, scratch.state)
            if mover == self.power or scratch.state.winner is not None:
                break
            doubt += self._turn(scratch, mover) * (-1.0 if self.world.side_of(mover) == self.side else 1.0)
        if scratch.state.winner is not None:
            return doubt + (WON if scratch.state.winner == self.side else -WON)
        return doubt + standing(self._look(scratch.state, self.power), self.style)

    def _look(self, state: State, power: PowerId) -> Sight:
        sight = Sight(self.world, state, power, self._looks.get(power))
        self._looks.setdefault(power, sight)
        return sight

    def _turn(self, scratch: Scratch, mover: PowerId) -> float:
        """One power's turn on the scratch paper; gives what its battles leave in doubt."""
        world, doubt = self.world, 0.0
        sight = self._look(scratch.state, mover)
        for phase in world.phases:
            if active(world, scratch.state) != mover or world.phases[scratch.state.phase] != phase:
                continue  # a phase that goes by itself, or is over
            sight = sight.after(scratch.state)
            match phase:
                case "purchase":
                    step = Purchase(sight, self.style).plan()
                    if step is not None and scratch.play_all(step.orders):
                        continue
                case "combat-move":
                    strikes, _ = Attack(sight, Mind(style=self.style)).plan(scratch)
                    doubt = doubts(sight, strikes, self.style)
                    scratch.state = after_battles(world, scratch.state, mover, strikes)
                    continue
                case "noncombat-move":
                    quiet = Noncombat(scratch, mover, self.style, sight)  # looks afresh: battles have been fought
                    quiet.plan()
                    sight = quiet.sight
                case "mobilize":
                    plan_places(scratch, mover, self.style, sight)
                case _:
                    pass
            scratch.play(End())
        return doubt


def doubts(sight: Sight, strikes: Sequence[Strike], style: Style) -> float:
    """What the attacker stands to lose because battles that are reckoned as won may still fail."""
    total = 0.0
    for strike in strikes:
        land = sight.world.spaces[strike.target].is_land
        chance = strike.look.take if land and strike.look.take else strike.look.win
        stake = prize(sight, strike.target, strike.hold, future(sight, style)) if land else 0.0
        total += (1.0 - chance) * stake
        total += max(0.0, value_of(sight, sight.theirs(strike.target)) - strike.look.defender_loss)
    return total
