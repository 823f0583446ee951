"""Ships fire once in support of a landing, unless they had to fight at sea first.

Rules: CL-AMP-03 to CL-AMP-06, CL-AMP-10, AN-AMP-06 to AN-AMP-11. Units hit still fire in the first round. Where other
landings from their zone want them, or no more ships may fire than units go ashore and they are too many, the attacker
says which ships support which landing (AN-CMV-30). A single ship without that limit fires at the first that is fought.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.casualties import settle, targets
from sandtable.engine.battle.fire import Shooter, roll_volley
from sandtable.engine.battle.forces import bulwark_room
from sandtable.engine.battle.hits import matched, merge, room
from sandtable.engine.events import Change, ShipsAssigned, SupportGiven
from sandtable.engine.facts import amount, can_be_fought, describe, name, type_of
from sandtable.engine.naming import named
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Hits, Piece, Question, Stack, State, Units, count, in_order, piece_key
from sandtable.engine.task_forces import is_divided
from sandtable.errors import Refusal
from sandtable.notation.orders import Bombard, Stay, UnitSpec
from sandtable.world.model import PowerId, SpaceId, World


def support_shot(run: Run) -> bool:
    world = run.world
    battle = run.battle
    if battle.column < 0:
        for zone in battle.shores:
            asked = question(world, run.state, battle, zone)
            if asked is not None:
                run.ask(asked)
                return False
        volleys: dict[int, list[Shooter]] = {}
        for zone in battle.shores:
            for piece, n in _firing(world, run.state, battle, zone):
                kind = type_of(world, run.state, piece)
                volleys.setdefault(kind.support, []).append(Shooter(piece.power, piece.type, n))
                fired = msgspec.structs.replace(piece, mark="unloaded" if piece.mark == "unloaded" else "fired")
                run.emit(SupportGiven(battle.space, zone, (Change(zone, ((piece, n),), ((fired, n),)),)))
        for value in sorted(volleys):
            now = run.battle
            free = room(world, run.state, targets(world, run.state, now, "defense"))
            free |= bulwark_room(world, run.state, now)
            enough = matched(world, now.hits, free) if now.hits else 0
            if matched(world, merge(now.hits, (Hits(1),)), free) > enough:
                hits = roll_volley(run, "support", value, volleys[value])
                run.note(hits=merge(now.hits, hits))
        now = run.battle
        run.note(column=1)
    return settle(run, "defense", "doomed")


def ships(world: World, state: State, power: PowerId, zone: SpaceId, shore: SpaceId) -> Stack:
    """The power's ships there that could support this landing; a sea battle used up their shot (CL-AMP-10), but for
    those of an Invasion Fleet, which alone belong to a landing beside an Attack Fleet (MX07-07, MX07-10)."""
    divided = is_divided(state, power, zone)
    if zone in state.fought and not divided:
        return {}
    return {
        p: n
        for p, n in state.at(zone).items()
        if p.power == power
        and (p.fleet or not divided)
        and type_of(world, state, p).support
        and p.mark != "fired"
        and (p.mark == "unloaded" or p.target in ("", shore))  # a transport serves a shore in its own way
    }


def landing(world: World, state: State, power: PowerId, zone: SpaceId, shore: SpaceId) -> int:
    """Units that go ashore here from this zone, be they there already or still to land."""
    ashore = sum(
        n
        for p, n in state.at(shore).items()
        if (p.power, p.origin) == (power, zone) and world.units[p.type].domain != "air"
    )
    return ashore + sum(n for t, n in state.at(zone).items() for c in t.cargo if (c.power, c.target) == (power, shore))


def rivals(world: World, state: State, power: PowerId, zone: SpaceId, shore: SpaceId) -> tuple[SpaceId, ...]:
    """Other landings from the zone that are still to be fought, and could use a ship."""
    return tuple(
        other
        for other in world.land[zone]
        if other != shore and can_be_fought(world, state, power, other) and _room(world, state, power, zone, other)
    )


def _room(world: World, state: State, power: PowerId, zone: SpaceId, shore: SpaceId) -> int:
    """How many more ships of the zone may support this landing."""
    ashore = landing(world, state, power, zone, shore)
    if not world.rules.support_per_landed:
        return count(ships(world, state, power, zone, shore)) if ashore else 0
    return ashore - _assigned(world, state, power, zone, shore)


def _assigned(world: World, state: State, power: PowerId, zone: SpaceId, shore: SpaceId) -> int:
    """Ships that have been told to support this landing."""
    told = (item for item in ships(world, state, power, zone, shore).items() if item[0].mark != "unloaded")
    return sum(n for p, n in told if p.target == shore)


def question(world: World, state: State, battle: Battle, zone: SpaceId) -> Question | None:
    """Which ships of the zone fire here, if that is not clear."""
    if zone in battle.told:
        return None
    power, shore = battle.attacker, battle.space
    free = {p: n for p, n in ships(world, state, power, zone, shore).items() if p.target != shore}
    room = _room(world, state, power, zone, shore)
    if not free or room <= 0:
        return None
    others = rivals(world, state, power, zone, shore)
    if not world.rules.support_per_landed and (not others or count(free) == 1):
        return None
    if not others and (count(free) <= room or len({(p.type, p.marks) for p in free}) == 1):
        return None
    number = min(room, count(free))
    return Question("bombard", power, shore, "attack", number, tuple(in_order(free)), (shore, *others), (zone,))


def _firing(world: World, state: State, battle: Battle, zone: SpaceId) -> Units:
    """The ships of the zone that fire: those assigned, and without a word about it the strongest that may."""
    power, shore = battle.attacker, battle.space
    able = ships(world, state, power, zone, shore)
    if zone in battle.told:
        able = {p: n for p, n in able.items() if p.target == shore}
    if not world.rules.support_per_landed:
        return tuple(in_order(able))
    left = landing(world, state, power, zone, shore)

    def rank(piece: Piece) -> tuple[object, ...]:
        return piece.target != shore, -type_of(world, state, piece).support, piece_key(piece)

    chosen = []
    for piece in sorted(able, key=rank):
        if some := min(able[piece], left):
            chosen.append((piece, some))
            left -= some
    return tuple(chosen)


def answer(run: Run, asked: Question, order: Bombard | Stay) -> None:
    """Ships of the zone are told what to support. Those that are kept for another landing may leave a choice here."""
    world, battle, zone = run.world, run.battle, asked.terms[0]
    if isinstance(order, Stay):
        run.close()
        run.note(told=(*battle.told, zone))
        return
    shore = order.space
    if shore not in asked.places:
        where = " or ".join(name(world, place) for place in asked.places)
        raise Refusal(
            "no-landing-to-support",
            f"The ships in {name(world, zone)} can support the landing in {where}, not one in {name(world, shore)}.",
            (shore,),
        )
    units = _named(world, asked, order.units)
    room = _room(world, run.state, asked.power, zone, shore)
    number = sum(n for _, n in units)
    if number > room:
        raise Refusal(
            "more-ships-than-landed-units",
            f"No more ships can fire than units go ashore from {name(world, zone)} to {name(world, shore)}: {room}.",
            (shore,),
        )
    run.close()
    after = tuple((msgspec.structs.replace(p, target=shore), n) for p, n in units)
    run.emit(ShipsAssigned(asked.power, zone, shore, units, (Change(zone, units, after),)))
    if shore == battle.space:
        run.note(told=(*battle.told, zone))


def _named(world: World, asked: Question, specs: tuple[UnitSpec, ...]) -> Units:
    """The ships that the order means, the least marked first."""
    chosen, missing = named(dict(asked.units), specs)
    if missing is not None:
        raise Refusal(
            "no-such-ship-to-bombard",
            f"{amount(world, missing.type, missing.count)} cannot fire from {name(world, asked.terms[0])}: "
            f"{describe(world, asked.units)} can.",
            (asked.terms[0],),
        )
    return chosen
