"""Odds of a battle on paper: units of both forces and what they mean to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sandtable.engine.battle.muster import muster
from sandtable.notation.names import names
from sandtable.odds.intentions import NEVER, Boats, Intentions, Method, Retreat
from sandtable.odds.losses import Wanted
from sandtable.odds.model import OddsError
from sandtable.odds.paper import Shore, on_paper
from sandtable.odds.position import is_raid, model_of
from sandtable.odds.read import resolve
from sandtable.odds.result import Odds
from sandtable.odds.solve import RUNS, SECONDS, solve
from sandtable.world.model import PowerId, TechId, UnitId, World
from sandtable.world.profiles import Profile, profile

Units = Mapping[UnitId, int]


def odds(
    world: World,
    attackers: Units | str,
    defenders: Units | str,
    *,
    kind: str | None = None,
    attacker_power: PowerId | None = None,
    defender_power: PowerId | None = None,
    attacker_techs: Iterable[TechId] = (),
    defender_techs: Iterable[TechId] = (),
    attacker_order: Wanted = "weakest",
    defender_order: Wanted = "weakest",
    keep_land: int = 0,
    amphibious: bool | None = None,
    retreat: Retreat = NEVER,
    attacker_submarines: Boats = "stay",
    defender_submarines: Boats = "stay",
    shelter: bool = False,
    method: Method = "auto",
    runs: int = RUNS,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> Odds:
    """The odds of a battle between these units.

    `kind` is `land` or `sea`, or another that the edition has; left out, ships without land units among either force
    mean a sea battle. Ships among the attackers of a land battle give their support shots, and the attack is then
    amphibious: its troops cannot retreat. An `aa-gun` among the defenders fires first. Orders of loss are `weakest`,
    `cheapest` or lists such as `["infantry", "2 armor", "fighter"]` (`sandtable.odds.losses`); `keep_land` attackers
    that can take land are lost last of all. With `shelter`, defending fighters whose carrier sinks find an island.

    `method="auto"` calculates exactly what the calculator understands and lets the engine play everything else, at most
    `runs` times and `seconds` long (None: as long as it takes); the result tells which it was.
    """
    attack, defense = resolve(world, attackers), resolve(world, defenders)
    attacker, defender = _powers(world, attacker_power, defender_power)
    techs = {attacker: _techs(world, attacker_techs), defender: _techs(world, defender_techs)}
    ours, theirs = profile(world, attacker, techs[attacker]), profile(world, defender, techs[defender])
    at_sea = _is_at_sea(ours, theirs, attack, defense) if kind in (None, *world.battles) else False
    fought = kind or _kind_of(world, at_sea)
    if fought not in world.battles or is_raid(world, fought):
        known = ", ".join(k for k in world.battles if not is_raid(world, k))
        raise OddsError(f"There is no battle of the kind {fought!r} to calculate; known are {known}.")
    where = world.battles[fought].where
    at_sea = where == "sea" or (where == "any" and at_sea)
    _check(ours, theirs, attack, defense, at_sea)
    ships = {} if at_sea else {u: n for u, n in attack.items() if ours[u].domain == "sea"}
    landed = bool(ships) if amphibious is None else amphibious and not at_sea
    if ships and not landed:
        raise OddsError("Ships support a landing only: leave them out, or let the troops land.")
    troops = {u: n for u, n in attack.items() if landed and ours[u].domain == "land"}
    overland = {u: n for u, n in attack.items() if u not in ships and u not in troops}
    if not overland and not troops:
        raise OddsError("Nobody attacks: name at least one attacker that can fight here.")
    state, space = on_paper(
        world,
        attacker,
        tuple(overland.items()),
        [(defender, unit, n) for unit, n in defense.items()],
        at_sea=at_sea,
        shores=[Shore(tuple(troops.items()), tuple(ships.items()))] if landed else (),
        techs=techs,
        shelter=shelter,
    )
    found = muster(world, state, space, fought) if _anybody(theirs, defense) else None
    model = model_of(world, found, attacker_order=attacker_order, defender_order=defender_order, keep_land=keep_land)
    assert found is not None
    intentions = Intentions(
        retreat=retreat, attacker_submarines=attacker_submarines, defender_submarines=defender_submarines
    )
    return solve(model, intentions, found, method=method, runs=runs, seconds=seconds, seed=seed)


def _is_at_sea(ours: Profile, theirs: Profile, attack: Units, defense: Units) -> bool:
    domains = {ours[u].domain for u in attack} | {theirs[u].domain for u in defense}
    return "sea" in domains and "land" not in domains


def _kind_of(world: World, at_sea: bool) -> str:
    """The kind of battle in which all who are on such a space fight."""
    here = "sea" if at_sea else "land"
    return next((k for k, of in world.battles.items() if of.attackers == "all" and of.where in (here, "any")), here)


def _anybody(theirs: Profile, defense: Units) -> bool:
    return any(theirs[unit].casualty or theirs[unit].bulwark for unit in defense)


def _powers(world: World, attacker: PowerId | None, defender: PowerId | None) -> tuple[PowerId, PowerId]:
    """The powers named, or any two that are enemies."""
    find = names(world, "power").find
    against = find(defender) if defender is not None else None
    who = find(attacker) if attacker is not None else None
    if who is None:
        who = next(p for p in world.order if against is None or not world.same_side(p, against))
    if against is None:
        against = next(p for p in world.order if not world.same_side(p, who))
    if world.same_side(who, against):
        raise OddsError(f"{world.powers[who].name} and {world.powers[against].name} do not fight each other.")
    return who, against


def _techs(world: World, techs: Iterable[TechId]) -> frozenset[TechId]:
    return frozenset(names(world, "technology").find(t) for t in techs)


def _check(ours: Profile, theirs: Profile, attack: Units, defense: Units, at_sea: bool) -> None:
    """Units that cannot take part are named, so that nobody wonders why they change nothing."""
    for unit in attack:
        kind = ours[unit]
        if not at_sea and kind.domain == "sea":
            if not kind.support:
                raise OddsError(f"{kind.plural.capitalize()} take no part in a land battle.")
        elif not (kind.attacks and kind.casualty):
            raise OddsError(f"{kind.plural[0].upper() + kind.plural[1:]} never attack.")
        elif at_sea and kind.domain == "land":
            raise OddsError(f"{kind.plural.capitalize()} cannot fight at sea.")
    for unit in defense:
        kind = theirs[unit]
        if kind.casualty and kind.domain == "sea" and not at_sea:
            raise OddsError(f"{kind.plural.capitalize()} cannot defend land.")
        if kind.casualty and kind.domain == "land" and at_sea:
            raise OddsError(f"{kind.plural.capitalize()} cannot fight at sea.")
