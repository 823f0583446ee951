"""Submarines may leave the battle: attackers first, then defenders, each owner asked once.

Rules: CL-SUB-08 to CL-SUB-14, CL3-SUB-01 to CL3-SUB-05. Attacking submarines go back to where attackers came from;
defending ones to any neighbouring zone free of their enemies, or under water where the rules allow it. Who is hunted
stays (AN-SEA-01, AN-SEA-05 to AN-SEA-08). Whether they decide before or after the fire is up to the list of steps.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.forces import attackers, defenders, is_hunted
from sandtable.engine.events import Change, Leaving, Withdrew
from sandtable.engine.facts import canal_closed, is_hostile_sea, name, type_of
from sandtable.engine.relations import at_war
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Question, Role, Stack, State, Units, count, in_order
from sandtable.errors import Refusal
from sandtable.notation.orders import Stay, Submerge, Withdraw
from sandtable.world.model import PowerId, SpaceId, World


def submarines_withdraw(run: Run) -> bool:
    world = run.world
    battle = run.battle
    for role, power in _turns(world, run.state, battle):
        if power in battle.asked or not attackers(world, run.state, battle):
            continue
        asked = question(world, run.state, battle, role, power)
        if asked is not None:
            run.ask(asked)
            return False
    return True


def _turns(world: World, state: State, battle: Battle) -> list[tuple[Role, PowerId]]:
    turns: list[tuple[Role, PowerId]] = [("attack", battle.attacker)]
    turns += [("defense", p) for p in world.powers if at_war(world, state, battle.attacker, p)]
    return turns


def question(world: World, state: State, battle: Battle, role: Role, power: PowerId) -> Question | None:
    """What this owner's submarines may do, or None when they can only stay."""
    boats = submarines(world, state, battle, role, power)
    if not boats:
        return None
    leaving = {p.type for p in boats if role in type_of(world, state, p).withdraws}
    places = _places(world, state, battle, role, power, sorted(leaving)) if leaving else ()
    submerge = any(role in type_of(world, state, p).submerges for p in boats)
    if not places and not submerge:
        return None
    units = tuple((p, n) for p, n in in_order(boats))
    terms = ("submerge",) if submerge else ()
    return Question("submarines", power, battle.space, role, count(boats), units, places, terms)


def submarines(world: World, state: State, battle: Battle, role: str, power: PowerId) -> Stack:
    attack, defense = attackers(world, state, battle), defenders(world, state, battle)
    force, enemies = (attack, defense) if role == "attack" else (defense, attack)
    return {
        p: n
        for p, n in force.items()
        if p.power == power
        and (role in type_of(world, state, p).withdraws or role in type_of(world, state, p).submerges)
        and not is_hunted(world, state, p.type, enemies)
    }


def _places(
    world: World, state: State, battle: Battle, role: str, power: PowerId, types: list[str]
) -> tuple[SpaceId, ...]:
    if role == "attack":
        return tuple(z for z in battle.origins if world.spaces[z].is_sea and not is_hostile_sea(world, state, power, z))
    return tuple(
        z
        for z in world.sea[battle.space]
        if not is_hostile_sea(world, state, power, z)
        and not any(canal_closed(world, state, power, battle.space, z, t) for t in types)
    )


def answer(run: Run, asked: Question, order: Submerge | Withdraw | Stay) -> None:
    world = run.world
    battle = run.battle
    attacking = asked.role == "attack"
    boats = dict(asked.units)
    if isinstance(order, Submerge):
        if "submerge" not in asked.terms:
            raise Refusal(
                "attacking-submarines-never-submerge" if attacking else "submarines-never-submerge",
                f"{'Attacking s' if attacking else 'S'}ubmarines cannot submerge in this game.",
                (battle.space,),
            )
        _leave(run, asked, _so_many(world, boats, order.count, battle.space), battle.space, "submerged")
    elif isinstance(order, Withdraw):
        if order.space not in asked.places:
            where = " or ".join(name(world, z) for z in asked.places) or "nowhere"
            raise Refusal(
                "attacking-submarines-withdraw-elsewhere" if attacking else "defending-submarines-withdraw-elsewhere",
                f"These submarines can withdraw to {where}, not to {name(world, order.space)}.",
                (order.space,),
            )
        _leave(run, asked, _so_many(world, boats, order.count, battle.space), order.space, "submarines")
    run.close()
    run.note(asked=(*battle.asked, asked.power))


def _so_many(world: World, boats: Stack, number: int | None, space: SpaceId) -> Units:
    total = count(boats)
    wanted = total if number is None else number
    if not 1 <= wanted <= total:
        there = "is 1 submarine" if total == 1 else f"are {total} submarines"
        raise Refusal("wrong-number-of-submarines", f"There {there}, not {wanted}.", (space,))
    chosen: list[tuple[Piece, int]] = []
    for piece, n in in_order(boats):
        some = min(n, wanted)
        if some:
            chosen.append((piece, some))
            wanted -= some
    return tuple(chosen)


def _leave(run: Run, asked: Question, units: Units, to: SpaceId, reason: Leaving) -> None:
    battle = run.battle
    attacking = asked.role == "attack"
    after = tuple(
        (
            msgspec.structs.replace(
                p, mark="submerged" if reason == "submerged" else "", done=attacking or p.done, origin=""
            ),
            n,
        )
        for p, n in units
    )
    changes = (Change(battle.space, minus=units), Change(to, plus=after))
    run.emit(Withdrew(asked.power, battle.space, to, units, changes, reason))
