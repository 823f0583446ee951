"""What conditions ask about the past, as far as some condition of the world asks for it.

`State.history` holds milestones of the edition that were reached, what happened (`captured ussr germany`), and which
objectives that are paid once have been paid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sandtable.engine import relations
from sandtable.engine.conditions import holds
from sandtable.engine.events import (
    BattleOpened,
    Captured,
    Landed,
    LandingDeclared,
    Moved,
    Noted,
    RocketFired,
    WarDeclared,
)
from sandtable.world import conditions as c
from sandtable.world.model import World

if TYPE_CHECKING:
    from sandtable.engine.events import AnyEvent
    from sandtable.engine.run import Run


def note(run: Run, event: AnyEvent) -> None:
    """Remember what happened, where a condition asks for it. Called for every event of a world that watches."""
    for fact in _facts(run, event):
        if fact in run.world.watched and fact not in run.state.history:
            run.emit(Noted(fact))


def _facts(run: Run, event: AnyEvent) -> Iterator[str]:
    match event:
        case Captured(space=space, by=by, previous=previous, reason=reason) if reason not in ("restored", "occupied"):
            yield c.fact("captured", by, space)
            yield c.fact("attacked", by, space)  # also empty land that is walked into
            if previous is not None:
                yield c.fact("lost", previous, space)
                yield c.fact("attacked", by, previous)
        case BattleOpened(battle=battle) if run.world.battles[battle.kind].attackers != "passing":
            yield from _attack(run, battle.attacker, battle.space)
        case LandingDeclared(power=power, path=path):  # even if it is called off later
            yield from _attack(run, power, path[-1])
        case RocketFired(power=power, target=target):
            yield c.fact("attacked", power, target)
            yield c.fact("attacked", power, run.state.owners[target])
        case WarDeclared(power=power, pairs=pairs):
            answers = any(
                c.fact(c.ACT_OF_WAR, other, power) in run.state.history
                for other in (b if a == power else a for a, b in pairs if power in (a, b))
            )
            for one, other in pairs:
                foe = other if one == power else one
                if power in (one, other):
                    yield c.declared(power, foe, False)
                    if not answers:
                        yield c.declared(power, foe, True)
        case Moved(power=power, path=route) | Landed(power=power, path=route):
            for act in run.world.acts:
                entered = power in act.by and any(space in act.places.spaces for space in route[1:])
                if entered and not relations.at_war(run.world, run.state, power, act.against):
                    yield c.fact(c.ACT_OF_WAR, power, act.against)
        case _:
            pass


def _attack(run: Run, power: str, space: str) -> Iterator[str]:
    """An attack on a space, and on every enemy whose it is or who is there."""
    yield c.fact("attacked", power, space)
    foes = relations.enemies(run.world, run.state, power)
    there = {piece.power for piece in run.state.at(space)} | {run.state.owners.get(space)}
    yield from (c.fact("attacked", power, foe) for foe in sorted(p for p in there if p in foes))


def remember(run: Run) -> None:
    """Note the milestones that have been reached."""
    for milestone, condition in run.world.milestones.items():
        if milestone not in run.state.history and holds(run.world, run.state, condition):
            run.emit(Noted(milestone))


def in_history(world: World, fact: str) -> bool:
    """Something that a game of this world can have in its history."""
    notes = (*(paid(o.id) for o in world.objectives), *(void(pact) for pact in world.traits.get("pacts", {})))
    return fact in world.watched or fact in world.milestones or fact in notes


def released(power: str) -> str:
    """The milestone of a power that no pact holds back any more."""
    return f"released-{power}"


def paid(objective: str) -> str:
    """The note that an objective which is paid once has been paid."""
    return f"paid {objective}"


def void(name: str) -> str:
    """The note that a pact does not hold any more."""
    return f"void {name}"
