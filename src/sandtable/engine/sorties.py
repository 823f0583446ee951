"""What planes do between the moves and the battles: scrambling, interdiction, and flights met on their way.

Rules: G40-CMB-26 (the order), G40-SCR-01 to G40-SCR-06 (scrambling), G40-INT-07 to G40-INT-12 (interdiction),
G40-AIR-06, G40-INT-01 to G40-INT-06 (flights overhead). Everything is settled stage by stage as the combat phase opens;
`State.sorties` remembers how far it is. A plane flies one mission in a turn of an enemy's.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sandtable.engine.access import is_closed
from sandtable.engine.battle.conduct import conduct
from sandtable.engine.battle.forces import has_moved
from sandtable.engine.battle.opening import declared, pending
from sandtable.engine.battle.overhead import SCRAMBLE, base_at, interceptors, note, over, way_back
from sandtable.engine.events import BattleOpened, Change, FlewOn, Launched
from sandtable.engine.facts import active, amount, describe, has_enemy_gun, name, type_of
from sandtable.engine.naming import named
from sandtable.engine.recent import remembered
from sandtable.engine.relations import at_war
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Question, Stack, State, Units, add, units_of
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, SpaceId, World

NEVER_REASONS = {"attack": "unit-never-scrambles", "ships": "unit-never-interdicts"}

Launch = tuple[SpaceId, SpaceId]
"""From a base into a zone."""


def before_battles(run: Run) -> bool:
    """Go through the stages as far as nobody has to answer; True when somebody has to."""
    return _go_on(run, (_scrambling, _interdiction, _flights))


def after_moves(run: Run) -> bool:
    """The same when quiet moves are done: ships that made some can be interdicted."""
    return _go_on(run, (_interdiction,))


def _go_on(run: Run, stages: tuple[Callable[[Run], bool], ...]) -> bool:
    while run.world.rules.sorties and run.state.sorties.stage < len(stages):
        if not stages[run.state.sorties.stage](run):
            return True
        note(run, stage=run.state.sorties.stage + 1, asked=())
    return False


# ---------------------------------------------------------------- who is asked


def _in_turn(run: Run, launches: Callable[[World, State, PowerId], dict[Launch, Stack]]) -> PowerId | None:
    """Whom to ask next: in turn order after the attacker, at each base its controller before guests (G40-SCR-01)."""
    world, state = run.world, run.state
    start = world.order.index(world.order[state.turn])
    waiting = [
        power
        for power in (*world.order[start + 1 :], *world.order[:start])
        if power not in state.sorties.asked and launches(world, state, power)
    ]
    for power in waiting:
        bases = {base for base, _ in launches(world, state, power)}
        if all(state.owners[base] == power or state.owners[base] not in waiting for base in bases):
            return power
    return next(iter(waiting), None)


def _planes(world: World, state: State, power: PowerId, base: SpaceId) -> Stack:
    """The power's planes at a base that have nothing else to do this turn and can rise from it."""
    return {
        p: n
        for p, n in state.at(base).items()
        if p.power == power and not p.mark and type_of(world, state, p).traits.get(SCRAMBLE) is True
    }


# ---------------------------------------------------------------- scrambling


def _scrambling(run: Run) -> bool:
    power = _in_turn(run, scrambles)
    if power is None:
        return True
    run.ask(Question("scramble", power))
    return False


def _attacked(world: World, state: State, attacker: PowerId) -> set[SpaceId]:
    """Zones with ships under attack, or from which troops are going to land (G40-SCR-03)."""
    fights = {p.space for p in pending(world, state, attacker) if world.battles[p.kind].clears and not p.optional}
    return fights | {zone for zones in declared(world, state, attacker).values() for zone in zones}


def scrambles(world: World, state: State, power: PowerId) -> dict[Launch, Stack]:
    """Where planes of the power may scramble to, base by base, and which."""
    attacker = active(world, state)
    if not at_war(world, state, power, attacker):
        return {}
    found: dict[Launch, Stack] = {}
    attacked = _attacked(world, state, attacker)
    for zone in world.spaces if attacked else ():
        if zone not in attacked or is_closed(world, state, power, zone):
            continue
        for base in world.land[zone]:
            free = _planes(world, state, power, base)
            if free and room_at(world, state, power, base):
                found[base, zone] = free
    return found


def room_at(world: World, state: State, power: PowerId, base: SpaceId) -> int:
    """How many more may scramble from there, whoever owns them (G40-SCR-02, G40-SCR-06)."""
    sent = sum(
        n for stack in state.units.values() for p, n in stack.items() if (p.mark, p.target) == ("scrambled", base)
    )
    return max(0, base_at(world, state, power, base) - sent)


def scramble(run: Run, power: PowerId, units: tuple[UnitSpec, ...], base: SpaceId, zone: SpaceId) -> None:
    world, state = run.world, run.state
    possible = scrambles(world, state, power)
    if (base, zone) not in possible:
        raise Refusal(
            "no-scramble-there",
            f"No planes of yours can scramble from {name(world, base)} to {name(world, zone)}.",
            (base, zone),
        )
    chosen = _named(world, NEVER_REASONS["attack"], possible[base, zone], units, base)
    room = room_at(world, state, power, base)
    if sum(n for _, n in chosen) > room:
        raise Refusal(
            "too-many-scramble",
            f"No more than {room} plane{'' if room == 1 else 's'} can still scramble from {name(world, base)}.",
            (base,),
        )
    after = tuple((msgspec.structs.replace(p, mark="scrambled", target=base), n) for p, n in chosen)
    changes = (Change(base, minus=chosen), Change(zone, plus=after))
    run.emit(Launched(power, base, zone, chosen, "attack", changes))


def _named(world: World, reason: str, free: Stack, specs: tuple[UnitSpec, ...], base: SpaceId) -> Units:
    """The planes that an order means, the least marked first."""
    chosen, missing = named(free, specs)
    if missing is not None:
        raise Refusal(
            reason,
            f"{amount(world, missing.type, missing.count)} cannot rise from {name(world, base)}: "
            f"{describe(world, units_of(free))} can.",
            (base,),
        )
    return chosen


# ---------------------------------------------------------------- interdiction


def _interdiction(run: Run) -> bool:
    """All are asked first; then each zone has its attack, in board order."""
    world = run.world
    if not world.rules.interdiction:
        return True
    power = _in_turn(run, interdictions)
    if power is not None:
        run.ask(Question("interdict", power))
        return False
    for zone in world.spaces:
        if any(p.mark == "interdicting" for p in run.state.at(zone)):
            run.emit(BattleOpened(Battle(zone, "interdiction", run.power)))
            conduct(run)
            if run.state.battle is not None:
                return False
    return True


def interdictions(world: World, state: State, power: PowerId) -> dict[Launch, Stack]:
    """Zones with ships that have moved, in range of bases of the power, and the planes that could attack there."""
    attacker = active(world, state)
    if not at_war(world, state, power, attacker):
        return {}
    zones = [zone for zone in _sailed(world, state) if not is_closed(world, state, power, zone)]
    if not zones:
        return {}
    found: dict[Launch, Stack] = {}
    for base, stack in state.units.items():
        if not any(p.power == power and p.type in world.planes for p in stack):
            continue
        free = _planes(world, state, power, base) if base_at(world, state, power, base) else {}
        for zone in zones if free else ():
            able = {p: n for p, n in free.items() if way_back(world, state, p, base, zone) is not None}
            if able:
                found[base, zone] = able
    return found


@remembered
def _sailed(world: World, state: State) -> tuple[SpaceId, ...]:
    """Zones with ships of the power that acts which have moved there."""
    attacker = active(world, state)
    return tuple(
        zone
        for zone, stack in state.units.items()
        if world.spaces[zone].is_sea and any(p.power == attacker and has_moved(world, state, p) for p in stack)
    )


def interdict(run: Run, power: PowerId, units: tuple[UnitSpec, ...], base: SpaceId, zone: SpaceId) -> None:
    world, state = run.world, run.state
    possible = interdictions(world, state, power)
    if (base, zone) not in possible:
        attacker = active(world, state)
        theirs = [p for p in state.at(zone) if p.power == attacker and world.units[p.type].domain == "sea"]
        if theirs and not any(has_moved(world, state, p) for p in theirs):
            text = f"The ships in {name(world, zone)} were there before: only those that have moved can be attacked."
            raise Refusal("ships-have-not-moved", text, (zone,))
        raise Refusal(
            "no-interdiction-there",
            f"No planes of yours can attack ships in {name(world, zone)} from {name(world, base)} and come back.",
            (base, zone),
        )
    chosen = _named(world, NEVER_REASONS["ships"], possible[base, zone], units, base)
    after = tuple((msgspec.structs.replace(p, mark="interdicting", target=base), n) for p, n in chosen)
    changes = (Change(base, minus=chosen), Change(zone, plus=after))
    run.emit(Launched(power, base, zone, chosen, "ships", changes))


# ---------------------------------------------------------------- flights overhead


def _flights(run: Run) -> bool:
    """Land after land in the order of flight: all who cross it are met together."""
    while (space := _next_crossed(run)) is not None:
        note(run, passed=(*run.state.sorties.passed, space))
        if not _is_guarded(run, space):
            continue
        group = _stop_over(run, space)
        if not group:
            continue
        run.emit(BattleOpened(Battle(space, "overflight", run.power, group=group, queue=(space,))))
        conduct(run)
        if run.state.battle is not None:
            return False
    return True


def _next_crossed(run: Run) -> SpaceId | None:
    sorties = run.state.sorties
    longest = max((len(flight.route) for flight in sorties.flights), default=0)
    for step in range(1, longest):
        for flight in sorties.flights:
            if step < len(flight.route) - 1 and flight.route[step] not in sorties.passed:
                return flight.route[step]
    return None


def _is_guarded(run: Run, space: SpaceId) -> bool:
    world, state, power = run.world, run.state, run.power
    return has_enemy_gun(world, state, power, space) or any(True for _ in interceptors(world, state, power, space))


def _stop_over(run: Run, space: SpaceId) -> Stack:
    """Bring the planes that cross the land over it; their `target` tells where they go."""
    group: dict[Piece, int] = {}
    changes: list[Change] = []
    for flight in run.state.sorties.flights:
        if space not in flight.route[1:-1] or not flight.planes:
            continue
        step = flight.route.index(space)
        there = tuple((over(piece, flight.route, step), n) for piece, n in flight.planes)
        changes += [Change(flight.route[-1], minus=flight.planes), Change(space, plus=there)]
        group = add(group, there)
    if group:
        run.emit(FlewOn(run.power, space, units_of(group), tuple(changes)))
    return group
