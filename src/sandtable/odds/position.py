"""Odds of a battle in a game: planned, waiting to be fought, or in the middle of a round."""

from __future__ import annotations

from collections import Counter

import msgspec

from sandtable.engine.battle import casualties, forces
from sandtable.engine.battle.opening import declared
from sandtable.engine.battle.steps import FATES, ONCE
from sandtable.engine.battle.steps.paratroopers_drop import paratroopers_drop
from sandtable.engine.battle.steps.retreat import open_to_retreat
from sandtable.engine.battle.steps.submarines_withdraw import question
from sandtable.engine.dice import SeededDice
from sandtable.engine.facts import NOTHING, active, enemies_in, is_friendly, is_hostile_sea, type_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Stack, State, add
from sandtable.odds.calculate import battle_model, solve
from sandtable.odds.exact import Start
from sandtable.odds.front import Front
from sandtable.odds.front import State as Strength
from sandtable.odds.intentions import NEVER, Boats, Intentions, Method, Retreat
from sandtable.odds.losses import Wanted
from sandtable.odds.model import ACTS, PLANES, BattleModel, Kind, OddsError, Role, make_kind, shield_of
from sandtable.odds.result import Odds
from sandtable.odds.simulate import RUNS
from sandtable.world.model import PowerId, SpaceId, World

Muster = list[tuple[Kind, int]]


def odds_of_battle(
    world: World,
    state: State,
    space: SpaceId,
    *,
    attacker_order: Wanted = "weakest",
    defender_order: Wanted = "weakest",
    keep_land: int = 0,
    retreat: Retreat = NEVER,
    attacker_submarines: Boats = "stay",
    defender_submarines: Boats = "stay",
    method: Method = "auto",
    runs: int = RUNS,
    seed: int = 0,
) -> Odds:
    """The odds of the battle in this space between the power whose turn it is and its enemies there.

    An open battle is taken up where it stands: hits that wait for casualties are given along the order of losses.
    Landings that wait for a sea battle are counted as if they went ahead, and troops that are going to be dropped fight
    if the AA guns miss their plane.
    """
    battle = state.battle
    if battle is None or battle.space != space:
        battle = planned(world, state, space)
    if battle.kind not in ("land", "sea"):
        raise OddsError("This is no battle of two sides; for raids and overflights ask for raid odds.")
    force = add(forces.attackers(world, state, battle), _coming(state, battle))
    enemy = forces.defenders(world, state, battle)
    attack, attack_counts = _muster(world, state, battle, "attack", force)
    defense, _ = _muster(world, state, battle, "defense", enemy)
    model = battle_model(
        world,
        battle.kind,
        attack,
        defense,
        attacker_order=attacker_order,
        defender_order=defender_order,
        keep_land=keep_land,
        aa=_gun(world, state, battle),
        support=_support(world, state, battle, force),
        can_retreat=_can_retreat(world, state, battle),
        shelter=battle.kind == "sea" and _islands(world, state, battle),
    )
    intentions = Intentions(
        retreat=retreat, attacker_submarines=attacker_submarines, defender_submarines=defender_submarines
    )
    alive = _strength(world, defense, forces.alive(world, state, battle))
    start = _start(world, battle, model, attack_counts, alive)
    return solve(model, intentions, start, method=method, runs=runs, seed=seed)


def planned(world: World, state: State, space: SpaceId) -> Battle:
    """The battle that would be opened in this space now."""
    power = active(world, state)
    kind = "sea" if world.spaces[space].is_sea else "land"
    zones = declared(state, power).get(space, set()) if kind == "land" else set()
    present = [p for p in state.at(space) if p.power == power and forces.fights(world, p)]
    moved = {p.origin for p in present if p.origin and world.units[p.type].domain != "air"} | zones
    origins = tuple(s for s in world.spaces if s in moved)
    shores = tuple(s for s in origins if world.spaces[s].is_sea) if kind == "land" else ()
    return Battle(space, kind, power, origins=origins, shores=shores)


def _coming(state: State, battle: Battle) -> list[tuple[Piece, int]]:
    """Troops aboard transports that will land here once their zone is clear."""
    if battle.kind != "land":
        return []
    return [
        (msgspec.structs.replace(piece, origin=zone, target=""), n)
        for zone, stack in state.units.items()
        for transport, n in stack.items()
        for piece in transport.cargo
        if piece.target == battle.space and piece.power == battle.attacker
    ]


def _can_retreat(world: World, state: State, battle: Battle) -> bool:
    """There is a way back, for troops yet to be dropped as well."""
    run = Run(world, msgspec.structs.replace(state, battle=battle), SeededDice(0))
    paratroopers_drop(run)
    return any(open_to_retreat(world, run.state, run.battle, place) for place in run.battle.origins)


def _muster(world: World, state: State, battle: Battle, role: Role, stack: Stack) -> tuple[Muster, Strength]:
    """The kinds of a stack in the engine's order of losing equals, with their numbers."""
    powers = list(world.powers)
    found: Muster = []
    for piece, n in sorted(
        stack.items(),
        key=lambda item: (
            list(world.units).index(item[0].type),
            powers.index(item[0].power),
            casualties.worth(world, item[0]),
        ),
    ):
        kind = _kind_of(world, state, battle, role, piece)
        found.append((kind, n))
        if casualties.endurance(world, piece) > 1:
            found.append((shield_of(kind), n * (casualties.endurance(world, piece) - 1)))
        for unit, number in kind.aboard:
            troops = make_kind(world, role, piece.power, unit, state.techs.get(piece.power, NOTHING))
            found.append((msgspec.structs.replace(troops, jumps=True), n * number))
    totals: dict[Kind, int] = {}
    for kind, n in found:
        totals[kind] = totals.get(kind, 0) + n
    found = list(totals.items())
    # of several kinds that differ only in what the rules of retreat see, the first listed is lost first
    return found, (tuple(n for _, n in found), (0,) * len(found))


def _kind_of(world: World, state: State, battle: Battle, role: Role, piece: Piece) -> Kind:
    techs = state.techs.get(piece.power, NOTHING)
    jumping = piece.cargo if battle.kind == "land" and world.units[piece.type].domain == "air" else ()
    cargo = sum(make_kind(world, role, c.power, c.type).worth for c in piece.cargo if not jumping)
    landed = role == "attack" and bool(forces.seaborne(world, battle, {piece: 1}))
    kind = make_kind(world, role, piece.power, piece.type, techs, cargo=cargo, landed=landed)
    if kind.leaves and question(world, state, battle, role, piece.power) is None:
        kind = msgspec.structs.replace(kind, leaves=False)
    if jumping:
        aboard = Counter(c.type for c in jumping)
        kind = msgspec.structs.replace(kind, aboard=tuple(aboard.items()))
    return kind


def _strength(world: World, muster: Muster, stack: Stack) -> Strength:
    """The numbers of these kinds in a part of the stack; among equals, the first listed are the ones missing."""
    missing: dict[tuple[PowerId, str, bool], int] = {}
    for kind, n in muster:
        key = (kind.power, kind.unit, kind.shield)
        missing[key] = missing.get(key, 0) + n
    for piece, n in stack.items():
        missing[piece.power, piece.type, False] -= n
        if casualties.endurance(world, piece) > 1:
            missing[piece.power, piece.type, True] -= n * (casualties.endurance(world, piece) - 1)
    counts = []
    for kind, n in muster:
        key = (kind.power, kind.unit, kind.shield)
        gone = min(n, missing[key])
        missing[key] -= gone
        counts.append(n - gone)
    return tuple(counts), (0,) * len(counts)


def _gun(world: World, state: State, battle: Battle) -> int:
    if battle.kind != "land":
        return 0
    guns = (type_of(world, state, p).anti_air for p, _ in enemies_in(world, state, battle.attacker, battle.space))
    return max(guns, default=0)


def _support(world: World, state: State, battle: Battle, force: Stack) -> tuple[tuple[int, int], ...]:
    """Shots of ships off the shores that have not fought and will not have to."""
    shots: dict[int, int] = {}
    for zone in battle.shores:
        if zone in state.fought or is_hostile_sea(world, state, battle.attacker, zone):
            continue
        ships = [
            (type_of(world, state, p).support, n)
            for p, n in state.at(zone).items()
            if p.power == battle.attacker and p.mark != "fired"
        ]
        landed = sum(n for p, n in forces.seaborne(world, battle, force).items() if p.origin == zone)
        most = landed if world.rules.support_per_landed else sum(n for _, n in ships)
        for value, n in sorted(ships, reverse=True):
            some = min(n, most) if value else 0
            most -= some
            if some:
                shots[value] = shots.get(value, 0) + some
    return tuple(sorted(shots.items()))


def _islands(world: World, state: State, battle: Battle) -> bool:
    """Defending planes find land if their alliance holds an island in the zone, or any land beside it (AN-SEA-18)."""
    side = world.side_of(battle.attacker)
    others = [p for p in world.powers if world.side_of(p) != side][:1]
    near = world.rules.stranded_fighters == "one-space"
    around = [s for s in world.land[battle.space] if near or world.spaces[s].island]
    return any(is_friendly(world, state, p, s) for p in others for s in around)


def _start(world: World, battle: Battle, model: BattleModel, attack: Strength, alive: Strength) -> Start:
    """The point of the round at which the battle stands, its open hits settled."""
    steps = world.battles[battle.kind]
    left = [s for s in steps[battle.step :] if battle.round == 1 or s not in ONCE]
    firing: Strength = (model.defense.counts, (0,) * len(model.defense.counts))
    column = -1
    ask = battle.ask
    if ask is not None and ask.kind == "casualties":
        fate = FATES[steps[battle.step]]
        if fate == "aa":
            front = Front(model.attack)
            attack = front.past_guns(attack, _after(front, attack, PLANES, battle.hits[0].count))
        elif ask.side == "attack":
            attack = Front(model.attack).after_hits(world, attack, battle.hits)
        else:
            alive = Front(model.defense).after_hits(world, alive, battle.hits)
            firing = firing if fate == "doomed" else alive
        if model.by_column and ACTS[steps[battle.step]] in ("first", "doom", "reply"):
            column = battle.column
        else:
            left = left[1:]
    return Start(attack, firing, alive, tuple(ACTS[s] for s in left), column, battle.round)


def _after(front: Front, strength: Strength, aim: frozenset[str], hits: int) -> Strength:
    for _ in range(hits):
        strength = front.after_hit(strength, aim)  # type: ignore[arg-type]
    return strength
