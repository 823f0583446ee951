"""Hits become casualties: how many count, who chooses, and whether a choice is allowed.

A hit may be unable to strike some units (a submarine's never takes a plane). Hits are therefore kept in groups by what
they spare, and a choice of casualties is allowed when every one of them can be given a hit of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from typing import Literal, cast

import msgspec

from sandtable.engine.battle.forces import alive, attackers, guests, planes, raiders
from sandtable.engine.events import CasualtiesChosen, Change, Hurt, Loss, Lost
from sandtable.engine.facts import amount, deck_space, describe, listed, name
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import (
    Battle,
    Hits,
    Piece,
    Question,
    Role,
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
    total: dict[tuple[Domain | UnitId, ...], int] = {}
    for hit in (*hits, *more):
        total[hit.spared] = total.get(hit.spared, 0) + hit.count
    return tuple(Hits(n, spared) for spared, n in sorted(total.items()) if n)


def effective(world: World, hits: tuple[Hits, ...], targets: Stack) -> int:
    """How many of these hits find a target: the largest matching of hits and what the targets can take."""
    best = sum(h.count for h in hits)
    for size in range(len(hits) + 1):
        for group in combinations(hits, size):  # a cut: all hits of some groups, and what the others can strike
            others = [h for h in hits if h not in group]
            struck = sum(
                n * endurance(world, p)
                for p, n in targets.items()
                if any(_can_strike(world, h, p.type) for h in others)
            )
            best = min(best, sum(h.count for h in group) + struck)
    return best


def endurance(world: World, piece: Piece) -> int:
    """Hits that it takes to destroy the piece from now on (AN-CBT-23)."""
    return world.units[piece.type].hits - piece.hits


def _can_strike(world: World, hit: Hits, unit: UnitId) -> bool:
    return not hit.spared or (unit not in hit.spared and world.units[unit].domain not in hit.spared)


def assignable(world: World, hits: tuple[Hits, ...], chosen: Counter[UnitId]) -> bool:
    """Every hit that was given to a unit can be one of these (Hall's condition over the groups of hits)."""
    for size in range(len(hits) + 1):
        for group in combinations(hits, size):
            only_these = sum(
                n for u, n in chosen.items() if all(h in group or not _can_strike(world, h, u) for h in hits)
            )
            if only_these > sum(h.count for h in group):
                return False
    return True


def most_of(world: World, hits: tuple[Hits, ...], targets: Stack, kind: Kind) -> int:
    """The greatest number of hits that units of this kind could take."""
    able = sum(h.count for h in hits if _can_strike(world, h, kind[1]))
    return min(able, sum(n * endurance(world, p) for p, n in targets.items() if (p.power, p.type) == kind))


def sheltered(world: World, targets: Stack) -> Stack:
    """The targets that are hit only when a hit can strike nobody else: transports (AN-SEA-11)."""
    return {p: n for p, n in targets.items() if world.units[p.type].chosen_last}


def first_share(world: World, hits: tuple[Hits, ...], targets: Stack) -> int:
    """How many hits the targets must take that are not sheltered by others."""
    last = sheltered(world, targets)
    return effective(world, hits, {p: n for p, n in targets.items() if p not in last} if last else targets)


def choices(world: World, hits: tuple[Hits, ...], targets: Stack) -> dict[Kind, int]:
    """The kinds that can be hit, each with the most hits that it may take."""
    last = {p.type for p in sheltered(world, targets)}
    most = {kind: most_of(world, hits, targets, kind) for kind in kinds_of(world, targets)}
    if last:
        rest = effective(world, hits, targets) - first_share(world, hits, targets)
        most = {kind: min(n, rest) if kind[1] in last else n for kind, n in most.items()}
    return {kind: n for kind, n in most.items() if n}


def kinds_of(world: World, stack: Stack) -> list[Kind]:
    """The kinds in a stack, in the edition's order of units and of play."""
    present = {(p.power, p.type) for p in stack}
    order = list(world.units)
    powers = list(world.powers)
    return sorted(present, key=lambda k: (order.index(k[1]), powers.index(k[0])))


def targets(world: World, state: State, battle: Battle, role: Role) -> Stack:
    """Who can be hit now on this role of the battle."""
    if battle.kind == "overflight":
        return battle.group
    if battle.kind == "raid":
        return raiders(state, battle)
    if role == "defense":
        return alive(world, state, battle)
    return attackers(world, state, battle)


def settle(run: Run, role: Role, fate: Fate) -> bool:
    """Turn the battle's open hits into casualties, or ask for them. True when nothing is left to ask.

    `fate` is the reason of the loss, or "doomed" for defenders who fire once more before they go.
    """
    world = run.world
    battle = run.battle
    if not battle.hits:
        return True
    victims = _aimed_at(world, run.state, battle, role, fate)
    number = effective(world, battle.hits, victims)
    if not number:
        run.note(hits=())
        return True
    most = choices(world, battle.hits, victims)
    if sum(most.values()) == number:  # only one answer is possible
        chosen = [UnitSpec(u, n, p) for (p, u), n in most.items()]
        lose(run, pick(world, run.state, victims, chosen), role, fate, _choosers(run, victims, role)[0])
        return True
    power = _choosers(run, victims, role)[0]
    run.note(answers=())
    run.ask(Question("casualties", power, battle.space, role, number, terms=(fate,)))
    return False


def _aimed_at(world: World, state: State, battle: Battle, role: Role, fate: Fate) -> Stack:
    """AA fire strikes planes only, whatever else attacks with them."""
    victims = targets(world, state, battle, role)
    return planes(world, victims) if fate == "aa" else victims


def _choosers(run: Run, victims: Stack, role: Role) -> list[PowerId]:
    """Who picks the casualties; several powers have to agree where the rules say so."""
    world, battle = run.world, run.battle
    if role == "attack":
        return [battle.attacker]
    present = {p.power for p in victims}
    masters = {p: world.powers[p].played_by or p for p in present}  # one player speaks for both (AN-CHN-01)
    owners = sorted({m if m in present else p for p, m in masters.items()}, key=list(world.powers).index)
    if len(owners) == 1 or world.rules.joint_casualties == "agreement":
        return owners
    owner = run.state.owners.get(battle.space)
    if owner is not None:
        return [owner]  # CL3-MPF-01
    return [max(owners, key=lambda p: (count(victims, power=p), -list(world.powers).index(p)))]


def fate_of(question: Question) -> Fate:
    """What becomes of the casualties that a question is about."""
    return cast(Fate, question.terms[0])


def on_offer(world: World, state: State, question: Question) -> dict[Kind, int]:
    """The kinds among which the answer chooses, each with the most hits that it may take."""
    battle = state.battle
    assert battle is not None
    assert question.role is not None
    return choices(world, battle.hits, _aimed_at(world, state, battle, question.role, fate_of(question)))


def answer(run: Run, question: Question, order: Casualties) -> None:
    """The reply to the open question about casualties."""
    world, battle, role = run.world, run.battle, question.role
    assert role is not None
    fate = fate_of(question)
    victims = _aimed_at(world, run.state, battle, role, fate)
    chosen = check(world, run.state, question, victims, order.units)
    run.close()
    partners = _choosers(run, victims, role)
    if len(partners) > 1 and question.power in partners:
        answers = (*battle.answers, (question.power, tuple(in_order(dict(chosen)))))
        following = None
        if len(answers) < len(partners):
            following = partners[len(answers)]
        elif any(units != answers[0][1] for _, units in answers):  # they disagree: the attacker picks (CL-MPF-03)
            following = battle.attacker
        if following is not None:
            run.note(answers=answers)
            run.ask(msgspec.structs.replace(question, power=following))
            return
    lose(run, chosen, role, fate, question.power)


def check(world: World, state: State, question: Question, victims: Stack, specs: tuple[UnitSpec, ...]) -> Units:
    """The pieces named, or a refusal."""
    battle = state.battle
    assert battle is not None
    number = question.count
    total = sum(s.count for s in specs)
    if total != number or any(s.count < 1 for s in specs):
        raise Refusal(
            "wrong-number-of-casualties",
            f"{number} casualt{'y' if number == 1 else 'ies'} must be named, not {total}.",
            (battle.space,),
        )
    chosen = pick(world, state, victims, list(specs), question.power)
    sheltering = sum(n for p, n in chosen if not world.units[p.type].chosen_last)
    if sheltering < (due := first_share(world, battle.hits, victims)):
        raise Refusal(
            "transports-are-lost-last",
            f"Transports are lost last: {due} of these hits must be taken by other units.",
            (battle.space,),
        )
    if not assignable(world, battle.hits, Counter([p.type for p, n in chosen for _ in range(n)])):
        spared = sorted({world.units[p.type].name for p, _ in chosen if _is_spared(world, battle.hits, p)})
        raise Refusal(
            "hit-cannot-strike-that",
            "Some of these hits cannot strike everything: not all of them can be taken by "
            f"{listed(spared) or describe(world, chosen)}.",
            (battle.space,),
        )
    return chosen


def _is_spared(world: World, hits: tuple[Hits, ...], piece: Piece) -> bool:
    return any(not _can_strike(world, h, piece.type) for h in hits)


def pick(world: World, state: State, victims: Stack, specs: list[UnitSpec], chooser: PowerId | None = None) -> Units:
    """A piece for every hit on the kinds named: one that only takes damage from it, else the least useful.

    A piece that takes two hits stands there twice, the second time as it is after the first.
    """
    battle = state.battle
    assert battle is not None
    left = dict(victims)
    chosen: dict[Piece, int] = {}
    for spec in specs:
        wanted = spec.count
        while wanted:
            candidates = [
                p
                for p in left
                if p.type == spec.type
                and spec.power in (None, p.power)
                and (spec.cargo is None or Counter(c.type for c in p.cargo) == Counter(dict(spec.cargo)))
            ]
            if not candidates:
                break
            # in a joint force an unnamed owner means the chooser's own unit
            piece = min(candidates, key=lambda p: (p.power != chooser, endurance(world, p) == 1, worth(world, p)))
            some = min(left[piece], wanted)
            chosen[piece] = chosen.get(piece, 0) + some
            left = take(left, ((piece, some),))
            wanted -= some
            if endurance(world, piece) > 1:
                left = add(left, ((_worn(piece), some),))
        if wanted:
            raise Refusal(
                "no-such-casualty",
                f"There is no {amount(world, spec.type, 1)[2:]} left to be lost in {name(world, battle.space)}."
                if wanted == spec.count
                else f"There are not {spec.count} {world.units[spec.type].plural} to be lost "
                f"in {name(world, battle.space)}.",
                (battle.space,),
            )
    return tuple(in_order(chosen))


def _worn(piece: Piece) -> Piece:
    return msgspec.structs.replace(piece, hits=piece.hits + 1)


def worth(world: World, piece: Piece) -> tuple[object, ...]:
    """What is lost first among equals: little cargo, planes far from home, landed troops who cannot retreat anyway."""
    cargo_value = sum(world.units[c.type].cost or 0 for c in piece.cargo)
    landed = bool(piece.origin) and world.spaces[piece.origin].is_sea
    return (cargo_value, -piece.used, not landed, piece_key(piece))


def lose(run: Run, units: Units, role: Role, fate: Fate, chooser: PowerId) -> None:
    """Take the casualties off the board, or put them behind the casualty line. What outlives a hit is damaged."""
    battle = run.battle
    hurt = tuple((p, n) for p, n in units if endurance(run.world, p) > 1)
    if hurt:
        worn = tuple((_worn(p), n) for p, n in hurt)
        run.emit(Hurt(battle.space, hurt, (Change(battle.space, hurt, worn),)))
        units = tuple(item for item in units if item not in hurt)
        if not units:
            run.note(hits=(), answers=())
            return
    cleared = msgspec.structs.replace(battle, hits=(), answers=())
    if battle.kind == "overflight":
        cleared = msgspec.structs.replace(cleared, group=take(battle.group, units))
    if fate == "doomed":
        cleared = msgspec.structs.replace(cleared, doomed=add(battle.doomed, units))
    run.emit(CasualtiesChosen(battle.space, chooser, units, cleared))
    if fate != "doomed":
        run.emit(Lost(battle.space, fate, units, (Change(battle.space, minus=units),)))
    if role == "attack" and battle.kind == "sea":
        _lose_guests(run, battle)


def _lose_guests(run: Run, battle: Battle) -> None:
    """Allied planes that ride on attacking carriers go down with them (CL-AIR-21)."""
    room = deck_space(run.world, run.state.at(battle.space), friends(run.world, run.state, battle.attacker))
    for plane, n in in_order(guests(run.world, run.state, battle)):
        safe = min(n, max(0, room.get(plane.type, 0)))
        room[plane.type] = room.get(plane.type, 0) - safe
        if safe < n:
            units = ((plane, n - safe),)
            run.emit(Lost(battle.space, "carrier-sunk", units, (Change(battle.space, minus=units),)))
