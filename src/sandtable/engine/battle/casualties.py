"""Hits become casualties: how many count, who names them, and whether a choice is allowed.

A hit may be unable to strike some units (a submarine's never takes a plane), or be for some only (AA fire). Hits are
therefore kept in groups by what they can strike, and a choice of casualties is allowed when every one of them can be
given a hit of its own. Most groups are for the owner of the victims to settle. Where every die had a piece of its own
nothing is chosen, and where the shooters may name the victims they do so first, as long as no hit is wasted by it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Literal, NamedTuple, cast

import msgspec

from sandtable.engine.battle.forces import alive, attackers, bulwark_room, fray, guests, marked, taking_part, without
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
    piece_key,
    take,
)
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import Domain, MarkId, PowerId, SpaceId, UnitId, World

Kind = tuple[PowerId, UnitId]

Fate = Loss | Literal["doomed"]
"""What becomes of casualties: the reason of their loss, or doomed: they fire once more before they go."""


class Sort(NamedTuple):
    """Units that an order cannot tell apart: of one kind, with the same cargo and the same marks."""

    power: PowerId
    unit: UnitId
    cargo: tuple[tuple[UnitId, int], ...] = ()
    marks: tuple[MarkId, ...] = ()

    @property
    def kind(self) -> Kind:
        return self.power, self.unit


def sort_of(world: World, piece: Piece) -> Sort:
    if not piece.cargo:
        return Sort(piece.power, piece.type, (), piece.marks)
    aboard = Counter(c.type for c in piece.cargo)
    return Sort(piece.power, piece.type, tuple((u, aboard[u]) for u in world.units if u in aboard), piece.marks)


# ---------------------------------------------------------------- groups of hits


def merge(hits: tuple[Hits, ...], more: Iterable[Hits]) -> tuple[Hits, ...]:
    """Hits in as few groups as possible; those that have their victims already stay as they are."""
    total: dict[tuple[tuple[Domain | UnitId, ...], tuple[Domain | UnitId, ...], PowerId], int] = {}
    aimed: list[Hits] = []
    for hit in (*hits, *more):
        if hit.victims:
            aimed.append(hit)
        else:
            key = (hit.spared, hit.strikes, hit.chooser)
            total[key] = total.get(key, 0) + hit.count
    return (*aimed, *(Hits(n, *key) for key, n in sorted(total.items()) if n))


def can_strike(world: World, hit: Hits, unit: UnitId) -> bool:
    if not hit.spared and not hit.strikes:
        return True
    domain = world.units[unit].domain
    if hit.strikes and unit not in hit.strikes and domain not in hit.strikes:
        return False
    return not hit.spared or (unit not in hit.spared and domain not in hit.spared)


def effective(world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack) -> int:
    """How many of these hits find a target: the largest matching of hits and what the targets can take."""
    return matched(world, hits, room(world, state, targets)) if hits else 0


def room(world: World, state: Knowing, targets: Stack) -> dict[UnitId, int]:
    """Hits that the targets can take, by type."""
    found: dict[UnitId, int] = {}
    for piece, n in targets.items():
        found[piece.type] = found.get(piece.type, 0) + n * endurance(world, state, piece)
    return found


def matched(world: World, hits: tuple[Hits, ...], room: Mapping[UnitId, int]) -> int:
    """The same, of targets with so much room."""
    first = hits[0]
    if len(hits) == 1:
        if not first.spared and not first.strikes:
            return min(first.count, sum(room.values()))
        return min(first.count, sum([n for unit, n in room.items() if can_strike(world, first, unit)]))
    if len(hits) == 2:  # the usual case, written out
        second = hits[1]
        one = other = either = 0
        for unit, n in room.items():
            by_one, by_other = can_strike(world, first, unit), can_strike(world, second, unit)
            one += n if by_one else 0
            other += n if by_other else 0
            either += n if by_one or by_other else 0
        return min(first.count + second.count, first.count + other, second.count + one, either)
    struck = [{unit for unit in room if can_strike(world, hit, unit)} for hit in hits]
    best = sum(hit.count for hit in hits)
    places = range(len(hits))
    for size in places:
        for group in combinations(places, size):  # a cut: all hits of some groups, and what the others can strike
            others = set().union(*(struck[place] for place in places if place not in group))
            best = min(best, sum(hits[place].count for place in group) + sum(room[unit] for unit in others))
    return best


def endurance(world: World, state: Knowing, piece: Piece) -> int:
    """Hits that it takes to destroy the piece from now on (AN-CBT-23)."""
    return type_of(world, state, piece).hits - piece.hits


def assignable(world: World, hits: tuple[Hits, ...], chosen: Counter[UnitId]) -> bool:
    """Every hit that was given to a unit can be one of these (Hall's condition over the groups of hits)."""
    for size in range(len(hits) + 1):
        for group in combinations(range(len(hits)), size):  # two volleys can be alike
            others = [h for place, h in enumerate(hits) if place not in group]
            only_these = sum(n for u, n in chosen.items() if not any(can_strike(world, h, u) for h in others))
            if only_these > sum(hits[place].count for place in group):
                return False
    return True


def most_of(world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack, kind: Kind) -> int:
    """The greatest number of hits that units of this kind could take."""
    able = sum(h.count for h in hits if can_strike(world, h, kind[1]))
    return min(able, sum(n * endurance(world, state, p) for p, n in targets.items() if (p.power, p.type) == kind))


def sheltered(world: World, state: Knowing, targets: Stack) -> Stack:
    """The targets that are hit only when a hit can strike nobody else: transports (AN-SEA-11)."""
    return {p: n for p, n in targets.items() if type_of(world, state, p).chosen_last}


def first_share(world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack) -> int:
    """How many hits the targets must take that are not sheltered by others."""
    last = sheltered(world, state, targets)
    exposed = {p: n for p, n in targets.items() if p not in last} if last else targets
    return effective(world, state, hits, exposed)


def exposed_first(world: World, state: Knowing, targets: Stack) -> Stack:
    """The targets that are hit before all others: dropped troops, kamikazes (MX09-16, MX10-05)."""
    return {p: n for p, n in targets.items() if p.marks and type_of(world, state, p).chosen_first}


def choices(
    world: World, state: Knowing, hits: tuple[Hits, ...], targets: Stack, first: Stack = EMPTY
) -> dict[Kind, int]:
    """The kinds that can be hit, each with the most hits that it may take. A shooter who picks knows no shelter.

    `first` are the targets that have to be hit before the others.
    """
    picked = any(h.chooser for h in hits)
    last = set() if picked else {p.type for p in sheltered(world, state, targets)}
    most = {kind: most_of(world, state, hits, targets, kind) for kind in kinds_of(world, targets)}
    if last:
        rest = effective(world, state, hits, targets) - first_share(world, state, hits, targets)
        most = {kind: min(n, rest) if kind[1] in last else n for kind, n in most.items()}
    if first and not picked:
        for kind, n in most.items():
            late = {p: k for p, k in targets.items() if (p.power, p.type) == kind and p not in first}
            left = _left_for(world, state, hits, first, late)
            most[kind] = min(n, most_of(world, state, hits, first, kind) + left)
    return {kind: n for kind, n in most.items() if n}


def _left_for(world: World, state: Knowing, hits: tuple[Hits, ...], first: Stack, others: Stack) -> int:
    """How many hits others can take at most when those that are hit first have taken all they can."""
    return effective(world, state, hits, {**first, **others}) - effective(world, state, hits, first)


def sorts(
    world: World,
    state: Knowing,
    most: dict[Kind, int],
    targets: Stack,
    first: Stack = EMPTY,
    hits: tuple[Hits, ...] = (),
) -> dict[Sort, int]:
    """The same, told apart by what an order can name: cargo and marks; some may have to be hit `first`."""
    if not any(piece.cargo or piece.marks for piece in targets):
        return {Sort(*kind): n for kind, n in most.items()}
    able: dict[Sort, int] = {}
    for piece, n in targets.items():
        sort = sort_of(world, piece)
        if sort.kind in most:
            able[sort] = able.get(sort, 0) + n * endurance(world, state, piece)
    place = {kind: index for index, kind in enumerate(most)}
    ordered = sorted(able, key=lambda s: (place[s.kind], s.marks, s.cargo))
    found = {sort: min(able[sort], most[sort.kind]) for sort in ordered}
    if not first:
        return found
    early = {sort_of(world, piece) for piece in first}
    for sort in found:
        if sort not in early:
            late = {p: n for p, n in targets.items() if sort_of(world, p) == sort}
            found[sort] = min(found[sort], _left_for(world, state, hits, first, late))
    return {sort: n for sort, n in found.items() if n}


def _told_apart(
    world: World, state: State, hits: tuple[Hits, ...], most: dict[Kind, int], victims: Stack, first: Stack
) -> dict[Sort, int]:
    if any(h.chooser for h in hits):
        first = EMPTY
    return sorts(world, state, most, victims, first, hits)


def lost_first(world: World, state: State, battle: Battle, victims: Stack, role: Role) -> Stack:
    """Those of the victims that are to be lost before the others; planes among planes are chosen freely (MX14-18)."""
    return EMPTY if fray(world, state, battle, role) is not None else exposed_first(world, state, victims)


def kinds_of(world: World, stack: Stack) -> list[Kind]:
    """The kinds in a stack, in the edition's order of units and of play."""
    present = {(p.power, p.type) for p in stack}
    if len(present) < 2:
        return list(present)
    return sorted(present, key=lambda k: (world.unit_ranks[k[1]], world.power_ranks[k[0]]))


# ---------------------------------------------------------------- settling them


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
                lose(run, pick(world, run.state, victims, chosen), role, fate, power, rest)
                continue
        run.note(answers=())
        kind = "target" if chooser else "casualties"
        run.ask(Question(kind, power, battle.space, role, number, terms=(fate,)))
        return False
    return True


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
    first = EMPTY if question.kind == "target" else lost_first(world, state, battle, victims, question.role)
    chosen = pick(world, state, victims, list(specs), question.power, first)
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
) -> Units:
    """A piece for every hit on the units named: one that only takes damage from it, else the least useful.

    A piece that takes two hits stands there twice, the second time as it is after the first.
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

    for spec in specs:
        wanted = spec.count
        while wanted:
            candidates = [p for p in left if means(spec, p)]
            if not candidates:
                break
            piece = min(candidates, key=usefulness)
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


def worth(world: World, state: Knowing, piece: Piece) -> tuple[object, ...]:
    """What is lost first among equals: little cargo, planes far from home, landed troops who cannot retreat anyway."""
    cargo_value = sum(type_of(world, state, c).cost or 0 for c in piece.cargo)
    landed = bool(piece.origin) and world.spaces[piece.origin].is_sea
    return (cargo_value, -piece.used, not landed, piece_key(piece))


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
    run.emit(Lost(space, reason, units, (Change(space, minus=units),)))
    if caught:
        still = dict(trapped(run.world, run.state, space, run.state.at(space)))
        drowned = tuple(in_order({p: n - still.get(p, 0) for p, n in caught.items() if n > still.get(p, 0)}))
        if drowned:
            run.emit(Lost(space, "carrier-sunk", drowned, (Change(space, minus=drowned),)))


def _lose_guests(run: Run, battle: Battle) -> None:
    """Allied planes that ride on attacking carriers go down with them (CL-AIR-21)."""
    world, state = run.world, run.state
    room = deck_space(world, state, state.at(battle.space), friends(world, state, battle.attacker))
    for plane, n in in_order(guests(world, state, battle)):
        safe = settle_on(room, plane.type, n)
        if safe < n:
            units = ((plane, n - safe),)
            run.emit(Lost(battle.space, "carrier-sunk", units, (Change(battle.space, minus=units),)))
