"""What a battle leaves behind: the winner's prize, and landings that follow a sea battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

import msgspec

from sandtable.engine import task_forces
from sandtable.engine.battle import anti_tank
from sandtable.engine.battle.forces import attackers, defenders
from sandtable.engine.battle.overhead import fly_on
from sandtable.engine.battle.stranded import find_decks
from sandtable.engine.capture import capture
from sandtable.engine.events import BattleEnded, Change, LandingCancelled, Lost, Outcome
from sandtable.engine.facts import is_friendly, is_hostile_sea, type_of
from sandtable.engine.movement.ashore import step_ashore
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Question, State, in_order, load, piece_key, units_of
from sandtable.world.model import PowerId, SpaceId, UnitId, World


def finish(run: Run, result: Outcome) -> None:
    """End the open battle with this result and settle its consequences."""
    world = run.world
    battle = run.battle
    kind = world.battles[battle.kind]
    if result == "stalemate" and kind.stalemate == "lost":
        _give_up(run, battle)
    # who only passes by, or fights for the air, has not fought the battle there
    fought = {} if kind.air or kind.attackers == "passing" else attackers(world, run.state, battle)
    before = [(p, n) for p, n in units_of(run.state.at(battle.space)) if p in fought or p.hits]
    after = [(_after_battle(world, run.state, p, p in fought), n) for p, n in before]
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    changes = (Change(battle.space, tuple(o for o, _ in changed), tuple(n for _, n in changed)),) if changed else ()
    run.emit(BattleEnded(battle.space, battle.kind, battle.attacker, result, changes))
    for act in kind.ending:
        ENDINGS[act](run, battle, result)


def _take_land(run: Run, battle: Battle, result: Outcome) -> None:
    """The winner's troops hold the land."""
    force = attackers(run.world, run.state, battle)
    if is_friendly(run.world, run.state, battle.attacker, battle.space):
        return  # it fell before troops were dropped into it, or guests who had become enemies were driven out
    if result == "attacker" and any(type_of(run.world, run.state, p).captures for p in force):
        capture(run, battle.space, battle.attacker)


def _save_fighters(run: Run, battle: Battle, result: Outcome) -> None:
    """Fighters that lost their carrier look for another place at once, or wait until all battles are over."""
    if run.world.rules.stranded_time == "battle" and not battle.late:
        find_decks(run, battle.space)


def _fly_on(run: Run, battle: Battle, result: Outcome) -> None:
    """Planes that were met on their way go on."""
    fly_on(run, battle)


def _clear_zone(run: Run, battle: Battle, result: Outcome) -> None:
    """Scrambled planes have made a sea battle of it even if none of them is left to fight one (G40-AMP-21)."""
    world, state, zone = run.world, run.state, battle.space
    if not world.spaces[zone].is_sea:
        return
    again = Battle(zone, next(k for k, of in world.battles.items() if of.clears), battle.attacker)
    if not defenders(world, state, again):
        run.emit(BattleEnded(zone, again.kind, battle.attacker, "attacker", ()))


def _go_ashore(run: Run, battle: Battle, result: Outcome) -> None:
    """Landings that waited for this battle go ahead or are called off, unless their cost gives pause for thought."""
    world, zone = run.world, battle.space
    if result not in CLEARED and task_forces.is_divided(run.state, battle.attacker, zone):
        send_back(run, battle)
        return
    if zone not in run.state.costly or is_hostile_sea(world, run.state, battle.attacker, zone):
        land_troops(run, battle.attacker, zone)


# Results of a sea battle after which the Invasion Fleet finds no enemy in the zone (MX07-04).
CLEARED: tuple[Outcome, ...] = ("attacker", "both-destroyed")


def send_back(run: Run, battle: Battle) -> None:
    """The Attack Fleet has not cleared the zone: the Invasion Fleet goes where one of all these ships came from."""
    world, power, zone = run.world, battle.attacker, battle.space
    places = tuple(p for p in battle.origins if not is_hostile_sea(world, run.state, power, p))
    if len(places) > 1:
        run.ask(Question("retreat", power, zone, "attack", places=places, terms=("must-leave", "invasion")))
    elif places:
        task_forces.leave(run, power, zone, places[0])
    else:  # nowhere to go
        for shore in sorted({c.target for t in run.state.at(zone) for c in t.cargo if c.target}):
            call_off(run, power, zone, shore)


ENDINGS: dict[str, Callable[[Run, Battle, Outcome], None]] = {
    "anti-tank-over": anti_tank.after_battle,
    "capture": _take_land,
    "clear-zone": _clear_zone,
    "find-decks": _save_fighters,
    "fly-on": _fly_on,
    "land-troops": _go_ashore,
}
"""What the end of a battle can bring, by the words that editions use (`BattleKind.ending`)."""


def _after_battle(world: World, state: State, piece: Piece, fought: bool) -> Piece:
    """Land and sea units that attacked stay where they are; what repairs itself is as good as new (AN-CBT-24)."""
    piece = mended(world, state, piece)
    if fought and world.units[piece.type].domain != "air" and not piece.done:
        piece = msgspec.structs.replace(piece, done=True)
    return piece


def mended(world: World, state: State, piece: Piece) -> Piece:
    """The piece after a battle, without the damage that then goes away."""
    if piece.hits and type_of(world, state, piece).traits.get("repaired") == "after-battle":
        return msgspec.structs.replace(piece, hits=0)
    return piece


def _give_up(run: Run, battle: Battle) -> None:
    """Nobody can hit anybody: the attackers cannot stay in land that they do not hold."""
    units = units_of(attackers(run.world, run.state, battle))
    run.emit(Lost(battle.space, "stalemate", units, (Change(battle.space, minus=units),)))


def _is_covered(run: Run, power: PowerId, zone: SpaceId) -> bool:
    """Scrambled planes are still over the zone, and nobody there could attack them (G40-AMP-22)."""
    world, state = run.world, run.state
    over = any(p.mark == "scrambled" and p.power in enemies(world, state, power) for p in state.at(zone))
    return over and not any(p.power == power and type_of(world, state, p).attack for p in state.at(zone))


def land_troops(run: Run, power: PowerId, zone: SpaceId, shore: SpaceId | None = None) -> None:
    """Declared landings go ahead if the zone is clear, and are called off if it is not (CL-AMP-09, CL-AMP-13).

    With a `shore`, only those that go there.
    """
    world = run.world
    clear = not is_hostile_sea(world, run.state, power, zone) and not _is_covered(run, power, zone)

    def is_due(piece: Piece) -> bool:
        return piece.power == power and bool(piece.target) and shore in (None, piece.target)

    while True:
        waiting = [t for t, _ in in_order(run.state.at(zone)) if any(map(is_due, t.cargo))]
        if not waiting:
            return
        transport = waiting[0]
        piece = min(filter(is_due, transport.cargo), key=piece_key)
        rest = list(transport.cargo)
        rest.remove(piece)
        if clear:
            step_ashore(run, piece, zone, piece.target, transport, load(transport, rest))
        else:
            calm = load(transport, (*rest, msgspec.structs.replace(piece, target="")))
            changes = (Change(zone, ((transport, 1),), ((calm, 1),)),)
            run.emit(LandingCancelled(power, zone, changes))


def call_off(run: Run, power: PowerId, zone: SpaceId, shore: SpaceId, but: Mapping[UnitId, int] | None = None) -> None:
    """Troops that were to land here stay aboard, all but so many of each kind (AN-AMP-15)."""
    spared = Counter(but or {})
    for transport, n in in_order(run.state.at(zone)):
        for _ in range(n):
            aboard = []
            for piece in transport.cargo:
                due = piece.target == shore and piece.power == power
                if due and not spared[piece.type]:
                    piece = msgspec.structs.replace(piece, target="")
                elif due:
                    spared[piece.type] -= 1
                aboard.append(piece)
            calm = load(transport, aboard)
            if calm != transport:
                run.emit(LandingCancelled(power, zone, (Change(zone, ((transport, 1),), ((calm, 1),)),)))
