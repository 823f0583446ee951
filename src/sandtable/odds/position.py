"""Odds of a battle in a game: planned, waiting to be fought, or in the middle of a round.

Who takes part, and how, is the engine's word (`engine.battle.muster`); here it becomes a model for the calculator.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from sandtable.engine.battle import forces, stranded
from sandtable.engine.battle.hits import endurance, worth
from sandtable.engine.battle.muster import Misses, Muster, muster
from sandtable.engine.battle.opening import declared
from sandtable.engine.battle.steps.coast_fire import coast_fire
from sandtable.engine.battle.steps.submarines_withdraw import question
from sandtable.engine.battle.strength import strengths
from sandtable.engine.events import Lost, Rolled
from sandtable.engine.facts import NOTHING, active, type_of
from sandtable.engine.questions import answer
from sandtable.engine.run import Run
from sandtable.engine.special import lines
from sandtable.engine.state import Piece, Role, Stack, State
from sandtable.notation.names import names
from sandtable.odds.answers import unforeseen
from sandtable.odds.intentions import NEVER, Boats, Intentions, Method, Retreat
from sandtable.odds.known import MOST_UNITS, size
from sandtable.odds.losses import Wanted, loss_order
from sandtable.odds.model import BattleModel, Force, Kind, OddsError, make_kind, price, shield_of
from sandtable.odds.result import Odds
from sandtable.odds.solve import RUNS, SECONDS, solve
from sandtable.world.model import SpaceId, World


def is_raid(world: World, kind: str) -> bool:
    """Nobody defends in it: the odds of raids and overflights are others (`raid`)."""
    return world.battles[kind].defenders == "none"


def odds_of_battle(
    world: World,
    state: State,
    space: SpaceId,
    *,
    kind: str = "",
    attacker_order: Wanted = "weakest",
    defender_order: Wanted = "weakest",
    keep_land: int = 0,
    retreat: Retreat = NEVER,
    attacker_submarines: Boats = "stay",
    defender_submarines: Boats = "stay",
    method: Method = "auto",
    runs: int = RUNS,
    seconds: float | None = SECONDS,
    seed: int = 0,
) -> Odds:
    """The odds of the battle in this space between the power whose turn it is and its enemies there.

    An open battle is taken up where it stands: hits that wait for casualties are given along the order of losses.
    Landings that wait for a sea battle are counted as if they went ahead, troops that are going to be dropped fight if
    the AA guns miss their plane, and fortifications that planned moves call up are there. `runs` and `seconds` (None:
    as long as it takes) bound a battle that is played out.
    """
    battle = state.battle
    if battle is not None and battle.space == space and is_raid(world, battle.kind) and kind in ("", battle.kind):
        raise OddsError("This is no battle of two forces; for raids and overflights ask for raid odds.")
    if battle is None:
        state, _ = lines.foreseen(world, state)
    found = muster(world, state, space, kind)
    if found is None and not _is_anybody_coming(world, state, space):
        raise OddsError(NOBODY_ATTACKS)
    intentions = Intentions(
        retreat=retreat, attacker_submarines=attacker_submarines, defender_submarines=defender_submarines
    )
    model = model_of(world, found, attacker_order=attacker_order, defender_order=defender_order, keep_land=keep_land)
    assert found is not None
    return solve(model, intentions, found, method=method, runs=runs, seconds=seconds, seed=seed)


NOBODY_ATTACKS = "Nobody attacks: name at least one attacker that can fight here."


def _is_anybody_coming(world: World, state: State, space: SpaceId) -> bool:
    power = active(world, state)
    there = any(p.power == power and forces.fights(world, state, p) for p in state.at(space))
    return there or space in declared(world, state, power)


def model_of(
    world: World,
    found: Muster | None,
    *,
    attacker_order: Wanted = "weakest",
    defender_order: Wanted = "weakest",
    keep_land: int = 0,
) -> BattleModel:
    """The battle that was mustered, with the orders of loss."""
    if found is not None and not found.attackers:
        raise OddsError(NOBODY_ATTACKS)
    if found is None or not found.defenders:
        raise OddsError(
            "There is nobody to fight: name at least one defender other than AA guns and complexes. "
            "Land that holds only those falls without a battle."
        )
    if (total := size(world, found)) > MOST_UNITS:
        raise OddsError(f"A battle of {total:,} units is too large for odds: {MOST_UNITS:,} are the most.")
    find = names(world, "unit").find
    rules, kind = world.rules, world.battles[found.battle.kind]
    attack = ordered(_kinds(world, found, "attack", found.attackers), attacker_order, keep_land, find)
    return BattleModel(
        world=world,
        kind=found.battle.kind,
        steps=kind.steps,
        attack=attack,
        defense=ordered(_kinds(world, found, "defense", found.defenders), defender_order, 0, find),
        dice_sides=rules.dice_sides,
        aa=found.gun,
        aa_each=rules.aa_targets == "each",
        support=found.support,
        by_column=rules.casualties_by_column,
        planes_may_leave=rules.planes_retreat_from_assault,
        overland_may_leave=rules.overland_retreat,
        can_retreat=found.can_retreat,
        shelter="find-decks" in kind.ending and _shelter(world, found),
        ack=found.ack,
        flak=found.flak,
        coast=_coast(world, found, attack.kinds),
    )


def ordered(units: Sequence[tuple[Kind, int]], wanted: Wanted, keep: int, find: Callable[[str], str]) -> Force:
    """A force with the order in which it loses its units."""
    kinds, counts = tuple(k for k, _ in units), tuple(n for _, n in units)
    return Force(kinds, counts, loss_order(kinds, counts, wanted, keep_land=keep, find=find))


def _kinds(world: World, found: Muster, role: Role, stack: Stack) -> list[tuple[Kind, int]]:
    """The kinds of a stack in the engine's order of losing equals, with their numbers.

    Of several kinds that differ only in what the rules of retreat see, the first listed is lost first.
    """
    units, powers = list(world.units), list(world.powers)
    totals: dict[Kind, int] = {}
    walls = forces.bulwark_room(world, found.state, found.battle)

    def add(kind: Kind, number: int) -> None:
        totals[kind] = totals.get(kind, 0) + number

    def place(item: tuple[Piece, int]) -> tuple[object, ...]:
        piece, _ = item
        return units.index(piece.type), powers.index(piece.power), worth(world, found.state, piece)

    for piece, n in sorted(stack.items(), key=place) if len(stack) > 1 else stack.items():
        kind = _kind_of(world, found, role, piece)
        if kind.bulwark:
            add(kind, walls.get(piece.type, 0) + found.battle.shaken)
            continue
        add(kind, n)
        if (more := endurance(world, found.state, piece) - 1) > 0:
            add(shield_of(kind), n * more)
        for unit, number in kind.aboard:
            troops = make_kind(world, role, piece.power, unit, kind.techs)
            add(msgspec.structs.replace(troops, jumps=True), n * number)
    return list(totals.items())


def _kind_of(world: World, found: Muster, role: Role, piece: Piece) -> Kind:
    state, battle = found.state, found.battle
    techs = state.techs.get(piece.power, NOTHING)
    drops = world.battles[battle.kind].captures and type_of(world, state, piece).domain == "air"
    jumping = piece.cargo if drops else ()
    cargo = sum(price(world, c.power, c.type) for c in piece.cargo if not jumping)
    landed = role == "attack" and bool(forces.seaborne(world, battle, {piece: 1}))
    # as in an ordinary round: what holds during other steps only is no business of the calculator
    ordinary = msgspec.structs.replace(battle, step=len(world.battles[battle.kind].steps))
    ((_, _, own),) = strengths(world, state, role, {piece: 1}, friends={}, battle=ordinary)
    kind = make_kind(
        world, role, piece.power, piece.type, techs, cargo=cargo, landed=landed, marks=piece.marks, strength=own
    )
    if kind.leaves and not _way_out(world, found, role, piece):
        kind = msgspec.structs.replace(kind, leaves=False)
    if jumping:
        aboard = Counter(c.type for c in jumping)
        kind = msgspec.structs.replace(kind, aboard=tuple(aboard.items()))
    return kind


def _coast(world: World, found: Muster, kinds: Sequence[Kind]) -> tuple[tuple[float, tuple[int, ...]], ...]:
    """What fire at the fleet of a landing costs the troops: tried with every face of its one die."""
    battle = found.battle
    steps = world.battles[battle.kind].steps
    due = "coast-fire" in steps[battle.step :] and battle.round == 1 and battle.shores and world.bulwarks
    if not due or (steps[battle.step] == "coast-fire" and battle.column >= 0):
        return ()
    chances: dict[tuple[int, ...], float] = {}
    sides = world.rules.dice_sides
    for face in range(1, sides + 1):
        run = Run(world, msgspec.structs.replace(found.state, questions=()), Always(face))
        run.note(step=steps.index("coast-fire"), column=-1, hits=())
        while not coast_fire(run):
            answer(run, unforeseen(run))
        if sum(len(event.faces) for event in run.events if isinstance(event, Rolled)) > 1:
            return ((math.nan, ()),)
        lost = Counter[tuple[str, str]]()
        for event in run.events:
            if isinstance(event, Lost) and event.space == battle.space:
                lost.update({(p.power, p.type): n for p, n in event.units})
        drowned = []
        for kind in kinds:  # who came ashore
            some = lost[kind.power, kind.unit] if kind.landed else 0
            drowned.append(some)
            lost[kind.power, kind.unit] -= some
        chances[tuple(drowned)] = chances.get(tuple(drowned), 0.0) + 1 / sides
    return tuple((chance, drowned) for drowned, chance in chances.items())


class Always:
    """Dice that always show the same face."""

    def __init__(self, face: int) -> None:
        self._face = face

    def face(self, index: int, sides: int) -> int:
        return self._face


def _way_out(world: World, found: Muster, role: Role, boat: Piece) -> bool:
    """The boat may leave, at least when those who hunt it are gone."""
    state, space = found.state, found.battle.space
    enemies = found.defenders if role == "attack" else found.attackers
    hunters = [p for p in enemies if forces.is_hunted(world, state, boat.type, {p: 1})]
    if hunters:
        unseen = {p: n for p, n in state.at(space).items() if p not in hunters}
        state = msgspec.structs.replace(state, units={**state.units, space: unseen})
    return question(world, state, found.battle, role, boat.power) is not None


def _shelter(world: World, found: Muster) -> bool:
    """Defending planes that have lost their deck find land near by: tried for one of them."""
    plane = next((p for p in found.defenders if type_of(world, found.state, p).domain == "air"), None)
    if plane is None:
        return False
    zone = found.battle.space
    alone = {**found.state.units, zone: {plane: 1}}
    run = Run(world, msgspec.structs.replace(found.state, units=alone, battle=None), Misses())
    stranded.find_decks(run, zone)
    return not any(isinstance(event, Lost) for event in run.events)
