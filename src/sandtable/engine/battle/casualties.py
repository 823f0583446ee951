"""Hits become casualties: how many count, who chooses, and whether a choice is allowed.

A hit may be unable to strike some units (a submarine's never takes a plane). Hits are therefore kept in groups by what
they spare, and a choice of casualties is allowed when every one of them can be given a hit of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Literal

import msgspec

from sandtable.engine.battle.forces import alive, attackers, guests, planes, raiders
from sandtable.engine.events import CasualtiesChosen, Change, Loss, Lost
from sandtable.engine.facts import amount, deck_space, describe, listed, name
from sandtable.engine.run import Run
from sandtable.engine.state import (
    Ask,
    Battle,
    Hits,
    Piece,
    Side,
    Stack,
    State,
    Units,
    add,
    count,
    in_order,
    piece_key,
    take,
)
from sandtable.errors import Refusal
from sandtable.notation.orders import Casualties, UnitSpec
from sandtable.world.model import Domain, PowerId, UnitId, World

Kind = tuple[PowerId, UnitId]

Fate = Loss | Literal["doomed"]
"""What becomes of casualties: the reason of their loss, or doomed: they fire once more before they go."""


def merge(hits: tuple[Hits, ...], more: Iterable[Hits]) -> tuple[Hits, ...]:
    total: dict[tuple[Domain, ...], int] = {}
    for hit in (*hits, *more):
        total[hit.spared] = total.get(hit.spared, 0) + hit.count
    return tuple(Hits(n, spared) for spared, n in sorted(total.items()) if n)


def effective(world: World, hits: tuple[Hits, ...], targets: Stack) -> int:
    """How many units these hits can strike: the largest matching of hits and targets."""
    best = sum(h.count for h in hits)
    for size in range(len(hits) + 1):
        for group in combinations(hits, size):  # a cut: all hits of some groups, and what the others can strike
            others = [h for h in hits if h not in group]
            struck = sum(n for p, n in targets.items() if any(_can_strike(world, h, p.type) for h in others))
            best = min(best, sum(h.count for h in group) + struck)
    return best


def _can_strike(world: World, hit: Hits, unit: UnitId) -> bool:
    return world.units[unit].domain not in hit.spared


def assignable(world: World, hits: tuple[Hits, ...], chosen: Counter[UnitId]) -> bool:
    """Every chosen unit can have a hit of its own (Hall's condition over the groups of hits)."""
    for size in range(len(hits) + 1):
        for group in combinations(hits, size):
            only_these = sum(
                n for u, n in chosen.items() if all(h in group or not _can_strike(world, h, u) for h in hits)
            )
            if only_these > sum(h.count for h in group):
                return False
    return True


def most_of(world: World, hits: tuple[Hits, ...], targets: Stack, kind: Kind) -> int:
    """The greatest number of this kind that could be lost to the hits."""
    able = sum(h.count for h in hits if _can_strike(world, h, kind[1]))
    return min(able, count(targets, power=kind[0], unit=kind[1]))


def kinds_of(world: World, stack: Stack) -> list[Kind]:
    """The kinds in a stack, in the edition's order of units and of play."""
    present = {(p.power, p.type) for p in stack}
    order = list(world.units)
    powers = list(world.powers)
    return sorted(present, key=lambda k: (order.index(k[1]), powers.index(k[0])))


def targets(world: World, state: State, battle: Battle, side: Side) -> Stack:
    """Who can be hit now on this side of the battle."""
    if battle.kind == "overflight":
        return battle.group
    if battle.kind == "raid":
        return raiders(state, battle)
    if side == "defense":
        return alive(world, state, battle)
    return attackers(world, state, battle)


def settle(run: Run, side: Side, fate: Fate) -> bool:
    """Turn the battle's open hits into casualties, or ask for them. True when nothing is left to ask.

    `fate` is the reason of the loss, or "doomed" for defenders who fire once more before they go.
    """
    world = run.world
    battle = run.battle
    if not battle.hits:
        return True
    victims = _aimed_at(world, run.state, battle, side, fate)
    number = effective(world, battle.hits, victims)
    if not number:
        run.note(hits=())
        return True
    kinds = kinds_of(world, victims)
    most = {k: most_of(world, battle.hits, victims, k) for k in kinds}
    if sum(most.values()) == number:  # only one answer is possible
        chosen = [UnitSpec(u, n, p) for (p, u), n in most.items() if n]
        lose(run, pick(world, run.state, victims, chosen), side, fate, _chooser(run, victims, side)[0])
        return True
    power = _chooser(run, victims, side)[0]
    ask = Ask("casualties", power, "defense" if side == "defense" else "attack", count=number)
    run.note(ask=ask, answers=())
    return False


def _aimed_at(world: World, state: State, battle: Battle, side: Side, fate: Fate) -> Stack:
    """AA fire strikes planes only, whatever else attacks with them."""
    victims = targets(world, state, battle, side)
    return planes(world, victims) if fate == "aa" else victims


def _chooser(run: Run, victims: Stack, side: Side) -> list[PowerId]:
    """Who picks the casualties; several powers have to agree where the rules say so."""
    world, battle = run.world, run.battle
    if side == "attack":
        return [battle.attacker]
    owners = sorted({p.power for p in victims}, key=list(world.powers).index)
    if len(owners) == 1 or world.rules.joint_casualties == "agreement":
        return owners
    owner = run.state.owners.get(battle.space)
    if owner is not None:
        return [owner]  # CL3-MPF-01
    return [max(owners, key=lambda p: (count(victims, power=p), -list(world.powers).index(p)))]


def answer(run: Run, order: Casualties, fate: Fate) -> None:
    """The reply to the open question about casualties."""
    world = run.world
    battle = run.battle
    assert battle.ask is not None
    ask = battle.ask
    side = ask.side
    victims = _aimed_at(world, run.state, battle, side, fate)
    chosen = check(world, run.state, battle, victims, order.units)
    partners = _chooser(run, victims, side)
    if len(partners) > 1 and ask.power in partners:
        answers = (*battle.answers, (ask.power, tuple(in_order(dict(chosen)))))
        if len(answers) < len(partners):
            following = msgspec.structs.replace(ask, power=partners[len(answers)])
            run.note(ask=following, answers=answers)
            return
        if any(units != answers[0][1] for _, units in answers):  # they disagree: the attacker picks (CL-MPF-03)
            following = msgspec.structs.replace(ask, power=battle.attacker)
            run.note(ask=following, answers=answers)
            return
    lose(run, chosen, side, fate, ask.power)


def check(world: World, state: State, battle: Battle, victims: Stack, specs: tuple[UnitSpec, ...]) -> Units:
    """The pieces named, or a refusal."""
    assert battle.ask is not None
    number = battle.ask.count
    total = sum(s.count for s in specs)
    if total != number or any(s.count < 1 for s in specs):
        raise Refusal(
            ("CL-CMB-02", "CL-CMB-03"),
            f"{number} casualt{'y' if number == 1 else 'ies'} must be named, not {total}.",
            (battle.space,),
        )
    chosen = pick(world, state, victims, list(specs))
    if not assignable(world, battle.hits, Counter([p.type for p, n in chosen for _ in range(n)])):
        spared = sorted({world.units[p.type].name for p, _ in chosen if _is_spared(world, battle.hits, p)})
        raise Refusal(
            ("CL-SUB-05", "CL-NAV-09"),
            "Submarines cannot hit planes: not all these hits can be taken by "
            f"{listed(spared) or describe(world, chosen)}.",
            (battle.space,),
        )
    return chosen


def _is_spared(world: World, hits: tuple[Hits, ...], piece: Piece) -> bool:
    return any(not _can_strike(world, h, piece.type) for h in hits)


def pick(world: World, state: State, victims: Stack, specs: list[UnitSpec]) -> Units:
    """Single pieces for the kinds named: the least useful of a kind goes first."""
    battle = state.battle
    assert battle is not None
    left = dict(victims)
    chosen: dict[Piece, int] = {}
    chooser = battle.ask.power if battle.ask is not None else None
    for spec in specs:
        candidates = [
            (p, n)
            for p, n in left.items()
            if p.type == spec.type
            and spec.power in (None, p.power)
            and (spec.cargo is None or Counter(c.type for c in p.cargo) == Counter(dict(spec.cargo)))
        ]
        # in a joint force an unnamed owner means the chooser's own unit
        candidates.sort(key=lambda item: (item[0].power != chooser, worth(world, item[0])))
        wanted = spec.count
        for piece, n in candidates:
            some = min(n, wanted)
            if some:
                chosen[piece] = chosen.get(piece, 0) + some
                left = take(left, ((piece, some),))
                wanted -= some
        if wanted:
            raise Refusal(
                ("CL-CMB-03", "CL-TRP-12", "CL-AMP-08", "CL-AA-09", "CL-UNT-10"),
                f"There is no {amount(world, spec.type, 1)[2:]} left to be lost in {name(world, battle.space)}."
                if wanted == spec.count
                else f"There are not {spec.count} {world.units[spec.type].plural} to be lost "
                f"in {name(world, battle.space)}.",
                (battle.space,),
            )
    return tuple(in_order(chosen))


def worth(world: World, piece: Piece) -> tuple[object, ...]:
    """What is lost first among equals: little cargo, planes far from home, landed troops who cannot retreat anyway."""
    cargo_value = sum(world.units[c.type].cost or 0 for c in piece.cargo)
    landed = bool(piece.origin) and world.spaces[piece.origin].is_sea
    return (cargo_value, -piece.used, not landed, piece_key(piece))


def lose(run: Run, units: Units, side: Side, fate: Fate, chooser: PowerId) -> None:
    """Take the casualties off the board, or put them behind the casualty line."""
    battle = run.battle
    cleared = msgspec.structs.replace(battle, hits=(), ask=None, answers=())
    if battle.kind == "overflight":
        cleared = msgspec.structs.replace(cleared, group=take(battle.group, units))
    if fate == "doomed":
        cleared = msgspec.structs.replace(cleared, doomed=add(battle.doomed, units))
    run.emit(CasualtiesChosen(battle.space, chooser, units, cleared))
    if fate != "doomed":
        run.emit(Lost(battle.space, fate, units, (Change(battle.space, minus=units),)))
    if side == "attack" and battle.kind == "sea":
        _lose_guests(run, battle)


def _lose_guests(run: Run, battle: Battle) -> None:
    """Allied planes that ride on attacking carriers go down with them (CL-AIR-21)."""
    room = deck_space(run.world, run.state.at(battle.space), run.world.side_of(battle.attacker))
    for plane, n in in_order(guests(run.world, run.state, battle)):
        safe = min(n, max(0, room.get(plane.type, 0)))
        room[plane.type] = room.get(plane.type, 0) - safe
        if safe < n:
            units = ((plane, n - safe),)
            run.emit(Lost(battle.space, "carrier-sunk", units, (Change(battle.space, minus=units),)))
