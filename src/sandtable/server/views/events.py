"""Events for the page: flat, with a sentence for people and the parts that an animation needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import Field

from sandtable.archive.log import sentence
from sandtable.engine import events as e
from sandtable.engine.events import AnyEvent
from sandtable.server.views.base import Force, Model, UnitCount, forces
from sandtable.world.model import World


class Shooter(Model):
    power: str
    unit: str
    dice: int


class EventView(Model):
    """One thing that happened. Which fields there are depends on `kind`; absent ones are left out."""

    kind: str = Field(description="as in the engine: moved, rolled, captured, lost…")
    sentence: str | None = None
    power: str | None = None
    space: str | None = None
    to: str | None = Field(None, description="where units withdrew or landed")
    path: list[str] | None = None
    units: list[Force] | None = None
    bought: list[UnitCount] | None = Field(None, description="units bought, placed or forfeited")
    reason: str | None = None
    amount: int | None = Field(None, description="money that came (positive) or went")
    faces: list[int] | None = None
    throws: list[list[int]] | None = Field(None, description="the same dice in handfuls of at most twelve")
    needed: int | None = Field(None, description="a hit is this or less; 0: the dice are simply read")
    shooters: list[Shooter] | None = None
    hits: int | None = None
    technology: str | None = None
    objective: str | None = None
    researchers: int | None = Field(None, description="that the power has now")
    owner: str | None = None
    previous: str | None = None
    round: int | None = None
    phase: str | None = None
    battle: str | None = Field(None, description="kind of the battle: land, sea, raid, overflight")
    result: str | None = None
    side: str | None = Field(None, description="the side that won the war")
    rules: list[str] | None = None


UNSEEN = (e.BattleChanged, e.Asked, e.Answered, e.Restowed)
"""Bookkeeping that tells players nothing new."""


def event_views(world: World, events: Iterable[AnyEvent]) -> list[EventView]:
    """All events but the engine's own bookkeeping."""
    return [event_view(world, event) for event in events if not isinstance(event, UNSEEN)]


def event_view(world: World, event: AnyEvent) -> EventView:
    fields: dict[str, object] = {"kind": event.__struct_config__.tag, "sentence": sentence(world, event)}
    match event:
        case e.Rolled():
            fields |= roll_fields(event)
        case e.BattleOpened(battle=battle):
            fields |= {"space": battle.space, "battle": battle.kind, "power": battle.attacker, "round": battle.round}
        case e.BattleEnded(space=space, kind=kind, attacker=attacker, result=result):
            fields |= {"space": space, "battle": kind, "power": attacker, "result": result}
        case e.Captured(space=space, by=by, owner=owner, previous=previous, reason=reason):
            fields |= {"space": space, "power": by, "owner": owner, "previous": previous, "reason": reason}
        case e.NeutralViolated(power=power, space=space, fee=fee):
            fields |= {"power": power, "space": space, "amount": -fee}
        case e.Researched(power=power, cost=cost, successes=successes):
            fields |= {"power": power, "amount": -cost, "hits": successes}
        case e.Bought(power=power, units=bought, cost=cost):
            fields |= {"power": power, "amount": -cost, "bought": _counts(bought)}
        case e.Placed(power=power, space=space, units=bought):
            fields |= {"power": power, "space": space, "bought": _counts(bought)}
        case e.Forfeited() | e.Kept() | e.Reinforced():
            fields |= {"power": event.power, "bought": _counts(event.units)}
        case e.Repaired(power=power, space=space, cost=cost):
            fields |= {"power": power, "space": space, "amount": -cost}
        case e.Damaged(power=power, space=space, points=points):
            fields |= {"power": power, "space": space, "hits": points}
        case e.ObjectiveMet(power=power, objective=objective, bonus=bonus):
            fields |= {"power": power, "objective": objective, "amount": bonus}
        case e.ResearchersChanged(power=power, total=total):
            fields |= {"power": power, "researchers": total}
        case e.Hurt(space=space, units=units):
            fields |= {"space": space, "units": forces(units)}
        case e.Dropped(power=power, space=space, units=units) | e.Intercepted(power=power, space=space, units=units):
            fields |= {"power": power, "space": space, "units": forces(units)}
        case e.RocketFired(power=power, gun=gun, target=target):
            fields |= {"power": power, "path": [gun, target], "space": target}
        case e.ShipsAssigned(power=power, zone=zone, shore=shore, units=units):
            fields |= {"power": power, "space": shore, "path": [zone, shore], "units": forces(units)}
        case e.SupportGiven(space=space, zone=zone, changes=changes):
            ships = [item for change in changes for item in change.minus]
            fields |= {"space": space, "path": [zone, space], "units": forces(ships)}
        case e.Surfaced(space=space, changes=changes):
            fields |= {"space": space, "units": forces(item for change in changes for item in change.plus)}
        case e.Moved(power=power, path=path, units=units):
            fields |= {"power": power, "path": list(path), "space": path[-1], "units": forces(units)}
        case e.Boarded(power=power, path=path, units=units):
            fields |= {"power": power, "path": list(path), "space": path[-1], "units": forces(units)}
        case e.Landed(power=power, path=path, units=units):
            fields |= {"power": power, "path": list(path), "space": path[-1], "units": forces(units)}
        case e.LandingDeclared(power=power, path=path, units=units):
            fields |= {"power": power, "path": list(path), "space": path[-1], "units": forces(units)}
        case e.Lost(space=space, reason=reason, units=units):
            fields |= {"space": space, "reason": reason, "units": forces(units)}
        case e.CasualtiesChosen(space=space, power=power, units=units):
            fields |= {"space": space, "power": power, "units": forces(units)}
        case e.Withdrew(power=power, space=space, to=to, units=units, reason=reason):
            fields |= {"power": power, "space": space, "to": to, "units": forces(units), "reason": reason}
        case e.StrandedLanded(power=power, space=space, to=to, units=units):
            fields |= {"power": power, "space": space, "to": to, "units": forces(units)}
        case e.Won(side=side, reason=reason, rules=rules):
            fields |= {"side": side, "reason": reason, "rules": list(rules)}
        case _:  # those whose fields have the same names here
            for name in ("power", "space", "round", "phase", "technology", "amount", "reason"):
                value = getattr(event, name, None)
                if value not in (None, ""):
                    fields[name] = value
    return EventView.model_validate(fields)


def roll_fields(event: e.Rolled) -> dict[str, object]:
    return {
        "power": event.power,
        "space": event.space or None,
        "reason": event.reason,
        "faces": list(event.faces),
        "throws": [list(throw) for throw in event.throws],
        "needed": event.needed,
        "shooters": [Shooter(power=power, unit=unit, dice=dice) for power, unit, dice in event.shooters],
        "hits": event.hits,
    }


def _counts(units: Sequence[tuple[str, int]]) -> list[UnitCount]:
    return [UnitCount(unit=unit, count=n) for unit, n in units]
