"""Hits become casualties: who names them, what is asked, and what is lost.

Most groups of hits (`hits`) are for the owner of the victims to settle. Where every die had a piece of its own nothing
is chosen, and where the shooters may name the victims they do so first, as long as no hit is wasted by it.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal, cast

import msgspec

from sandtable.engine.battle.forces import alive, attackers, bulwark_room, fray, guests, marked, taking_part, without
from sandtable.engine.battle.hits import (
    Kind,
    Sort,
    assignable,
    can_strike,
    choices,
    effective,
    endurance,
    exposed_first,
    first_share,
    merge,
    sorts,
    worth,
)
from sandtable.engine.events import CasualtiesChosen, Change, Damaged, Hurt, Loss, Lost
from sandtable.engine.facts import (
    Knowing,
    amount,
    deck_space,
    describe,
    listed,
    means,
    name,
    settle_on,
    trapped,
    type_of,
)
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import (
    ABSENT,
    EMPTY,
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
    take,
)
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, SpaceId, World

Fate = Loss | Literal["doomed"]
"""What becomes of casualties: the reason of their loss, or doomed: they fire once more before they go."""


# ---------------------------------------------------------------- settling hits


def targets(world: World, state: State, battle: Battle, role: Role) -> Stack:
    """Who can be hit now on this role of the battle."""
    some = fray(world, state, battle, role)
    if some is not None:
        return without(some, battle.doomed)
    kind = world.battles[battle.kind]
    if role == "defense":
        there = alive(world, state, battle) if kind.defenders == "all" else EMPTY
        return {p: n for p, n in there.items() if p.type not in world.bulwarks} if world.bulwarks else there
    if battle.aside:
        return {
            p: n for p, n in marked(state, battle, None, battle.aside).items() if world.units[p.type].domain == "sea"
        }
    if kind.attackers == "all":
        return without(attackers(world, state, battle), battle.doomed)
    return battle.group if kind.attackers == "passing" else taking_part(world, state, battle)


def settle(run: Run, role: Role, fate: Fate) -> bool:
    """Turn the battle's open hits into casualties, or ask for them. True when nothing is left to ask.

    `fate` is the reason of the loss, or "doomed" for defenders who fire once more before they go.
    """
    world = run.world
    if role == "defense" and world.bulwarks:
        _absorb(run)
    while run.battle.hits:
        battle = run.battle
        victims = targets(world, run.state, battle, role)
        aimed = [hit for hit in battle.hits if hit.victims]
        if aimed:  # every die had its piece
            units = _still_there(victims, aimed)
            rest = tuple(hit for hit in battle.hits if not hit.victims)
            lose(run, units, role, fate, battle.attacker, rest)
            continue
        chooser = next((hit.chooser for hit in battle.hits if hit.chooser), "")
        group, rest = _of(battle.hits, chooser) if chooser else (battle.hits, ())
        number = effective(world, run.state, group, victims)
        if not number:
            run.note(hits=rest)
            continue
        first = lost_first(world, run.state, battle, victims, role)
        most = choices(world, run.state, group, victims, first)
        power = chooser or _owners(run, victims, role)[0]
        if sum(most.values()) == number:
            named = _told_apart(world, run.state, group, most, victims, first)
            if sum(named.values()) == number:  # only one answer is possible
                chosen = [_spec(sort, n) for sort, n in named.items()]
                struck = pick(world, run.state, victims, chosen, hostile=bool(chooser))
                lose(run, struck, role, fate, power, rest)
                continue
        run.note(answers=())
        kind = "target" if chooser else "casualties"
        run.ask(Question(kind, power, battle.space, role, number, terms=(fate,)))
        return False
    return True


def _told_apart(
    world: World, state: State, hits: tuple[Hits, ...], most: dict[Kind, int], victims: Stack, first: Stack
) -> dict[Sort, int]:
    if any(h.chooser for h in hits):
        first = EMPTY
    return sorts(world, state, most, victims, first, hits)


def lost_first(world: World, state: State, battle: Battle, victims: Stack, role: Role) -> Stack:
    """Those of the victims that are to be lost before the others; planes among planes are chosen freely (MX14-18)."""
    return EMPTY if fray(world, state, battle, role) is not None else exposed_first(world, state, victims)


def _absorb(run: Run) -> None:
    """Bulwarks take the hits before anybody else, those whose victims nobody picks first (G40-CMB-14)."""
    for unit, room in bulwark_room(run.world, run.state, run.battle).items():
        battle = run.battle
        left = room
        rest: list[Hits] = []
        for hit in sorted(battle.hits, key=lambda hit: bool(hit.chooser)):
            taken = min(left, hit.count) if can_strike(run.world, hit, unit) and not hit.victims else 0
            left -= taken
            if hit.count > taken:
                rest.append(msgspec.structs.replace(hit, count=hit.count - taken))
        if left < room:
            points = room - left
            run.note(hits=merge((), rest), shaken=battle.shaken + points)
            run.emit(Damaged(battle.attacker, battle.space, unit, points, points))


def _still_there(victims: Stack, aimed: list[Hits]) -> Units:
    struck = add({}, (item for hit in aimed for item in hit.victims))
    return tuple(in_order({p: min(n, victims[p]) for p, n in struck.items() if victims.get(p)}))


def _of(hits: tuple[Hits, ...], chooser: PowerId) -> tuple[tuple[Hits, ...], tuple[Hits, ...]]:
    """The hits whose victims this power names (nobody: those for the owners to settle), and all others."""
    return tuple(h for h in hits if h.chooser == chooser), tuple(h for h in hits if h.chooser != chooser)


def _spec(sort: Sort, number: int) -> UnitSpec:
    return UnitSpec(sort.unit, number, sort.power, sort.cargo, sort.marks)


def _owners(run: Run, victims: Stack, role: Role) -> list[PowerId]:
    """Who picks the casualties of a force; several powers have to agree where the rules say so."""
    world, battle = run.world, run.battle
    if role == "attack":
        return [battle.attacker]
    present = {p.power for p in victims}
    # one player speaks for both (AN-CHN-01, MX19-39)
    masters = {p: world.powers[p].played_by or world.powers[p].continues or p for p in present}
    owners = sorted({m if m in present else p for p, m in masters.items()}, key=world.power_ranks.__getitem__)
    if world.rules.joint_casualties == "players":  # who runs several speaks for all of them (G40-CMB-24)
        seats = {p: next((seat for seat in run.state.partners if p in seat), (p,)) for p in owners}
        return [p for place, p in enumerate(owners) if not any(o in seats[p] for o in owners[:place])]
    if len(owners) == 1 or world.rules.joint_casualties == "agreement":
        return owners
    owner = run.state.owners.get(battle.space)
    if owner is not None:
        return [owner]  # CL3-MPF-01
    return [max(owners, key=lambda p: (count(victims, power=p), -world.power_ranks[p]))]


# ---------------------------------------------------------------- the question


def fate_of(question: Question) -> Fate:
    """What becomes of the casualties that a question is about."""
    return cast(Fate, question.terms[0])


def asked_about(question: Question, hits: tuple[Hits, ...]) -> tuple[tuple[Hits, ...], tuple[Hits, ...]]:
    """The hits that a question is about, and those that are settled after it."""
    return _of(hits, question.power if question.kind == "target" else "")


def on_offer(world: World, state: State, question: Question) -> tuple[dict[Kind, int], dict[Sort, int]]:
    """The kinds among which the answer chooses, each with the most hits that it may take; the same told apart."""
    battle = state.battle
    assert battle is not None
    assert question.role is not None
    victims = targets(world, state, battle, question.role)
    hits = asked_about(question, battle.hits)[0]
    first = lost_first(world, state, battle, victims, question.role)
    most = choices(world, state, hits, victims, first)
    return most, _told_apart(world, state, hits, most, victims, first)


def answer(run: Run, question: Question, specs: tuple[UnitSpec, ...]) -> None:
    """The reply to the open question about casualties."""
    world, battle, role = run.world, run.battle, question.role
    assert role is not None
    fate = fate_of(question)
    victims = targets(world, run.state, battle, role)
    chosen = check(world, run.state, question, victims, specs)
    run.close()
    partners = _owners(run, victims, role)
    if question.kind == "casualties" and len(partners) > 1 and question.power in partners:
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
    lose(run, chosen, role, fate, question.power, asked_about(question, battle.hits)[1])


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
    assert question.role is not None
    hits, rest = asked_about(question, battle.hits)
    hostile = question.kind == "target"
    first = EMPTY if hostile else lost_first(world, state, battle, victims, question.role)
    chosen = pick(world, state, victims, list(specs), question.power, first, hostile=hostile)
    early = sum(n for p, n in chosen if p in first)
    if first and early < (due := effective(world, state, hits, first)):
        marked_so = tuple(in_order(first))
        raise Refusal(
            "lost-before-the-others",
            f"{due} of these hits must be taken by {_marks_of(world, marked_so)} {describe(world, marked_so)} first.",
            (battle.space,),
        )
    sheltering = sum(n for p, n in chosen if not type_of(world, state, p).chosen_last)
    if question.kind != "target" and sheltering < (due := first_share(world, state, hits, victims)):
        raise Refusal(
            "transports-are-lost-last",
            f"Transports are lost last: {due} of these hits must be taken by other units.",
            (battle.space,),
        )
    if not assignable(world, hits, Counter([p.type for p, n in chosen for _ in range(n)])):
        _check_aims(world, battle, hits, chosen)
        spared = sorted({world.units[p.type].name for p, _ in chosen if _is_spared(world, hits, p)})
        raise Refusal(
            "hit-cannot-strike-that",
            "Some of these hits cannot strike everything: not all of them can be taken by "
            f"{listed(spared) or describe(world, chosen)}.",
            (battle.space,),
        )
    if rest:
        left = effective(world, state, battle.hits, victims) - number
        if effective(world, state, rest, _without(world, state, victims, chosen)) < left:
            raise Refusal(
                "hits-would-be-wasted",
                f"As many hits as possible must count: {describe(world, chosen)} would leave nothing for the others.",
                (battle.space,),
            )
    return chosen


def _check_aims(world: World, battle: Battle, hits: tuple[Hits, ...], chosen: Units) -> None:
    """Refuse casualties that leave out the only kinds that some of the hits are for."""
    for hit in hits:
        fitting = sum(n for p, n in chosen if can_strike(world, hit, p.type))
        kinds = [world.units[unit].plural for unit in hit.strikes if unit in world.units]
        if kinds and fitting < hit.count:
            text = f"{hit.count} of these hits must be taken by {listed(kinds, 'or')}."
            raise Refusal("hit-is-for-certain-units", text, (battle.space,))


def _marks_of(world: World, units: Units) -> str:
    """What units that are lost first are called: `dropped`, `kamikaze`."""
    names = [world.marks[mark].name.lower() for p, _ in units for mark in p.marks if mark in world.marks]
    return listed(list(dict.fromkeys(names)))


def _without(world: World, state: Knowing, victims: Stack, chosen: Units) -> Stack:
    """Who is left to be hit, the hurt among them as they are then."""
    left = add(victims, ((_worn(p), n) for p, n in chosen if endurance(world, state, p) > 1))
    return take(left, chosen)


def _is_spared(world: World, hits: tuple[Hits, ...], piece: Piece) -> bool:
    return any(not can_strike(world, h, piece.type) for h in hits)


def pick(
    world: World,
    state: State,
    victims: Stack,
    specs: list[UnitSpec],
    chooser: PowerId | None = None,
    first: Stack = EMPTY,
    *,
    hostile: bool = False,
) -> Units:
    """A piece for every hit on the units named: one that only takes damage from it, else the least useful.

    A piece that takes two hits stands there twice, the second time as it is after the first. Whoever fires picks the
    other way round: one that goes down, and the most useful one (`hostile`, G40-CAS-07).
    """
    battle = state.battle
    assert battle is not None
    left = dict(victims)
    chosen: dict[Piece, int] = {}

    def usefulness(piece: Piece) -> tuple[object, ...]:
        # in a joint force an unnamed owner means the chooser's own unit; without brackets those are meant that have to
        # be lost first, then the least marked
        foreign = piece.power != chooser
        return (
            foreign,
            piece not in first,
            len(piece.marks),
            endurance(world, state, piece) == 1,
            worth(world, state, piece),
        )

    def harm(piece: Piece) -> tuple[object, ...]:
        return endurance(world, state, piece) == 1, -len(piece.marks), worth(world, state, piece)

    for spec in specs:
        wanted = spec.count
        while wanted:
            candidates = [p for p in left if means(spec, p)]
            if not candidates:
                break
            piece = max(candidates, key=harm) if hostile else min(candidates, key=usefulness)
            some = min(left[piece], wanted)
            chosen[piece] = chosen.get(piece, 0) + some
            left = take(left, ((piece, some),))
            wanted -= some
            if endurance(world, state, piece) > 1:
                left = add(left, ((_worn(piece), some),))
        if wanted:
            if wanted == spec.count:
                _explain_absence(world, state, battle, spec)
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


# ---------------------------------------------------------------- losing them


def lose(run: Run, units: Units, role: Role, fate: Fate, chooser: PowerId, rest: tuple[Hits, ...] = ()) -> None:
    """Take the casualties off the board, or put them behind the casualty line. What outlives a hit is damaged.

    `rest` are the hits that are still to be settled.
    """
    battle = run.battle
    space = battle.aside or battle.space
    hurt = tuple((p, n) for p, n in units if endurance(run.world, run.state, p) > 1)
    if hurt:
        worn = tuple((_worn(p), n) for p, n in hurt)
        run.emit(Hurt(space, hurt, (Change(space, hurt, worn),)))
        if battle.group and role == "attack":
            battle = msgspec.structs.replace(battle, group=add(take(battle.group, hurt), worn))
            run.note(group=battle.group)
        units = tuple(item for item in units if item not in hurt)
    if not units:
        run.note(hits=rest, answers=())
        return
    cleared = msgspec.structs.replace(battle, hits=rest, answers=())
    if battle.group and role == "attack":  # the attackers are a group, who only pass by
        cleared = msgspec.structs.replace(cleared, group=take(battle.group, units))
    if fate == "doomed":
        cleared = msgspec.structs.replace(cleared, doomed=add(battle.doomed, units))
    run.emit(CasualtiesChosen(space, chooser, units, cleared))
    if fate != "doomed":
        take_off(run, space, fate, units)
    if role == "attack" and run.world.spaces[battle.space].is_sea:
        _lose_guests(run, battle)


def _explain_absence(world: World, state: State, battle: Battle, spec: UnitSpec) -> None:
    """Refuse a casualty that is there and yet cannot be lost, with the reason why."""
    there = [p for p in state.at(battle.space) if p.type == spec.type]
    if not there:
        return
    kind, where = type_of(world, state, there[0]), name(world, battle.space)
    if kind.domain != "air" and fray(world, state, battle, "attack") is not None:
        text = f"This is settled in the air over {where}: no {kind.name} can be lost to it."
        raise Refusal("casualty-not-in-the-air", text, (battle.space,))
    if kind.domain == "facility" and not kind.bulwark:
        text = f"The {kind.name} takes no hits in the battle of {where}."
        raise Refusal("facility-is-no-casualty", text, (battle.space,))
    if any(p.mark in ABSENT for p in there):
        text = f"No {kind.name} takes part in the battle of {where} any more."
        raise Refusal("casualty-out-of-battle", text, (battle.space,))


def take_off(run: Run, space: SpaceId, reason: Loss, units: Units) -> None:
    """Casualties leave the board. Planes that could not leave a damaged carrier go down with it (G40-NAV-24)."""
    caught = dict(trapped(run.world, run.state, space, run.state.at(space)))
    queue = run.battle.queue
    run.emit(Lost(space, reason, units, (Change(space, minus=units),), queue[0] if queue else None))
    if caught:
        still = dict(trapped(run.world, run.state, space, run.state.at(space)))
        drowned = tuple(in_order({p: n - still.get(p, 0) for p, n in caught.items() if n > still.get(p, 0)}))
        if drowned:
            run.emit(Lost(space, "carrier-sunk", drowned, (Change(space, minus=drowned),)))


def _lose_guests(run: Run, battle: Battle) -> None:
    """Allied planes that ride on attacking carriers go down with them (CL-AIR-21)."""
    world, state = run.world, run.state
    room = deck_space(world, state, state.at(battle.space), friends(world, state, battle.attacker))
    caught = dict(trapped(world, state, battle.space, state.at(battle.space)))
    for plane, n in in_order(guests(world, state, battle)):
        n -= caught.get(plane, 0)  # these are lost with the ship that carries them (`take_off`)
        safe = settle_on(room, plane.type, n)
        if safe < n:
            units = ((plane, n - safe),)
            run.emit(Lost(battle.space, "carrier-sunk", units, (Change(battle.space, minus=units),)))
