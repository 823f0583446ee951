"""The attacker may break off after a full round.

Rules: CL-RET-01 to CL-RET-06, CL-AMP-14, CL3-AMP-01, CL3-AMP-02. Everybody goes to one space from which attackers came;
planes only leave the fight and land later. While landed troops live nobody retreats, but planes in the third edition,
and in Anniversary all who came overland together with the planes (AN-CBT-09 to AN-CBT-13, AN-AMP-12, AN-AMP-13).
"""

from __future__ import annotations

import msgspec

from sandtable.engine import access, task_forces
from sandtable.engine.battle.ending import finish, mended
from sandtable.engine.battle.forces import attackers, guests, planes, seaborne
from sandtable.engine.events import Change, Withdrew
from sandtable.engine.facts import deck_space, friendly_at_start, is_friendly, is_hostile_sea, name, settle_on, type_of
from sandtable.engine.relations import friends
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Question, Stack, State, Units, load, units_of
from sandtable.errors import Refusal
from sandtable.notation.orders import Press, Retreat
from sandtable.world.model import SpaceId, World


def retreat(run: Run) -> bool:
    battle = run.battle
    if battle.attacker in battle.asked:
        return True
    asked = question(run.world, run.state, battle)
    if asked is None:
        return True
    run.ask(asked)
    return False


def question(world: World, state: State, battle: Battle) -> Question | None:
    force = attackers(world, state, battle)
    if any(p.marks and type_of(world, state, p).holds for p in force):
        return None  # dropped troops stay, and nobody leaves them (MX09-14, MX09-15)
    flying = planes(world, force)
    others = {p: n for p, n in force.items() if p not in flying}
    landed = seaborne(world, battle, others)
    if landed and world.rules.overland_retreat:
        others = {p: n for p, n in others.items() if p not in landed}
    elif landed:
        if flying and world.rules.planes_retreat_from_assault:
            return ask(battle, terms=("planes-only",))
        return None
    if not others:
        return ask(battle, terms=("planes-only",)) if flying else None
    open_places = tuple(p for p in battle.origins if open_to_retreat(world, state, battle, p))
    return ask(battle, open_places) if open_places else None


def ask(battle: Battle, places: tuple[SpaceId, ...] = (), terms: tuple[str, ...] = ()) -> Question:
    """The question to the attacker. Terms: `planes-only` may leave, or all `must-leave` and only say where to."""
    return Question("retreat", battle.attacker, battle.space, "attack", places=places, terms=terms)


def open_to_retreat(world: World, state: State, battle: Battle, place: SpaceId) -> bool:
    if world.spaces[battle.space].is_sea:
        return world.spaces[place].is_sea and not is_hostile_sea(world, state, battle.attacker, place)
    if access.is_closed(world, state, battle.attacker, place):
        return False
    if world.rules.retreat_to == "friendly-at-start":
        return friendly_at_start(world, state, battle.attacker, place)
    return is_friendly(world, state, battle.attacker, place)


def answer(run: Run, question: Question, order: Press | Retreat) -> None:
    world = run.world
    battle = run.battle
    asked = (*battle.asked, question.power)
    if isinstance(order, Press):
        if "must-leave" in question.terms:
            raise Refusal(
                "lone-transports-must-retreat",
                "Transports without an escort cannot stay: they have to retreat.",
                question.places,
            )
        run.close()
        run.note(asked=asked)
        return
    if "planes-only" in question.terms:
        _check_planes_only(world, run.state, battle, order)
        run.close()
        run.note(asked=asked)
        break_off(run)
        if not attackers(world, run.state, battle):
            finish(run, "retreat")
        return
    place = order.space
    if place is None and len(question.places) == 1:
        place = question.places[0]
    if place not in question.places:
        where = " or ".join(name(world, p) for p in question.places)
        raise Refusal(
            "retreat-elsewhere-on-land" if world.spaces[battle.space].is_land else "retreat-elsewhere-at-sea",
            f"The attackers can retreat to {where} only: that is where they came from.",
            (place,) if place else (),
        )
    run.close()
    run.note(asked=asked)
    break_off(run)
    fall_back(run, place)
    if not attackers(world, run.state, battle):  # else landed troops fight on
        finish(run, "retreat")


def _check_planes_only(world: World, state: State, battle: Battle, order: Retreat) -> None:
    """Planes leave the fight where they are; naming a friendly space does no harm, sending troops there is refused."""
    if order.space is None or order.space == battle.space:
        return
    force = attackers(world, state, battle)
    if len(planes(world, force)) != len(force):
        raise Refusal(
            "landed-troops-never-retreat",
            "Landed troops never retreat, nor do those who fight beside them: only planes can break off (`retreat`).",
            (order.space,),
        )
    if not world.spaces[order.space].is_sea and not is_friendly(world, state, battle.attacker, order.space):
        raise Refusal(
            "planes-retreat-to-unfriendly-space", f"{name(world, order.space)} is not friendly.", (order.space,)
        )


def break_off(run: Run) -> None:
    """The attacker's planes stop fighting; they fly on in the non-combat move."""
    battle = run.battle
    flying = planes(run.world, attackers(run.world, run.state, battle))
    if flying:
        units = units_of(flying)
        after = tuple((msgspec.structs.replace(p, mark="off"), n) for p, n in units)
        changes = (Change(battle.space, units, after),)
        run.emit(Withdrew(battle.attacker, battle.space, battle.space, units, changes, "planes"))


def fall_back(run: Run, place: SpaceId) -> None:
    """The attackers go back to this space, all but those who came ashore."""
    world = run.world
    battle = run.battle
    force = attackers(world, run.state, battle)
    landed = seaborne(world, battle, force)
    units = units_of({p: n for p, n in force.items() if p not in landed})
    riding = _riding(run, battle, dict(units))
    after = tuple((_calm(world, run.state, p), n) for p, n in units)
    changes = (Change(battle.space, minus=(*units, *riding)), Change(place, plus=(*after, *riding)))
    run.emit(Withdrew(battle.attacker, battle.space, place, units, changes, "retreat"))
    task_forces.leave(run, battle.attacker, battle.space, place)


def _riding(run: Run, battle: Battle, ships: Stack) -> Units:
    """Allied planes that the retreating decks can take along; the rest stay behind without one."""
    room = deck_space(run.world, run.state, ships, friends(run.world, run.state, battle.attacker))
    found = []
    for plane, n in units_of(guests(run.world, run.state, battle)):
        some = settle_on(room, plane.type, n)
        if some:
            found.append((plane, some))
    return tuple(found)


def _calm(world: World, state: State, piece: Piece) -> Piece:
    """A retreated piece: done for the turn, its landing called off."""
    cargo = tuple(msgspec.structs.replace(c, target="") for c in piece.cargo)
    return msgspec.structs.replace(load(mended(world, state, piece), cargo), done=True, origin="")
