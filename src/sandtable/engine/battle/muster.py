"""Who is going to fight where: a battle as it stands, or as it would be opened now.

This is for whoever asks about battles without fighting them. Nothing is decided here: the battle is opened on paper by
`opening`, and what guns and supporting ships will do is read off the steps themselves, tried with dice that always
miss.
"""

from __future__ import annotations

import msgspec

from sandtable.engine.battle.forces import alive, attackers, defenders
from sandtable.engine.battle.opening import Pending, awaited, kind_at, open_battle
from sandtable.engine.battle.steps import STEPS
from sandtable.engine.battle.steps.aa_fire import aa_fire
from sandtable.engine.battle.steps.anti_tank import anti_tank
from sandtable.engine.battle.steps.paratroopers_drop import paratroopers_drop
from sandtable.engine.battle.steps.retreat import open_to_retreat
from sandtable.engine.events import Rolled
from sandtable.engine.facts import active, has_enemy_gun
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Stack, State, add
from sandtable.world.model import PowerId, SpaceId, World

Shots = tuple[tuple[int, int], ...]
"""(a hit is this or less, dice)."""


class Muster(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody who takes part in a battle."""

    state: State  # with the battle open
    battle: Battle
    attackers: Stack  # troops that will have come ashore included; those still in planes are their cargo
    defenders: Stack  # casualties that still fire this round included
    alive: Stack  # defenders without them
    gun: int = 0  # what antiaircraft fire that is still to come hits on; 0: there is none
    ack: Shots = ()  # of ships that are still to fire at planes
    support: Shots = ()  # of ships that are still to fire in support of a landing
    flak: Shots = ()  # antiaircraft fire that is still to come, at planes that strike before they go down
    can_retreat: bool = True  # there is a way back for others than planes


class Misses:
    """Dice that show more than they have, so that nobody ever hits."""

    def face(self, index: int, sides: int) -> int:
        return sides + 1


def muster(world: World, state: State, space: SpaceId, kind: str = "") -> Muster | None:
    """The battle in this space of the power that acts: the open one, or the one that would be. None: there is none.

    Whether guns serve against tanks is settled before anything else; who has not said so yet does what comes first to
    mind.
    """
    state = _ready(world, opened(world, state, space, kind))
    battle = state.battle
    if battle is None:
        return None
    return Muster(
        state=state,
        battle=battle,
        attackers=attackers(world, state, battle),
        defenders=defenders(world, state, battle),
        alive=alive(world, state, battle),
        gun=_gun(world, state, battle),
        ack=_tried(world, state, battle, "aa-fire") if world.spaces[space].is_sea else (),
        support=_tried(world, state, battle, "support-shot") if battle.shores else (),
        flak=_tried(world, state, battle, "flak"),
        can_retreat=_can_retreat(world, state, battle),
    )


def _ready(world: World, state: State) -> State:
    """The state with the guns of the defenders turned."""
    battle = state.battle
    steps = () if battle is None else world.battles[battle.kind].steps[battle.step :]
    if battle is None or battle.round > 1 or steps[:1] != ("anti-tank",):
        return state
    run = Run(world, state, Misses())
    while run.state.questions or not anti_tank(run):
        _answer(run)
    run.note(step=battle.step + 1, asked=())
    return run.state


def opened(world: World, state: State, space: SpaceId, kind: str = "") -> State:
    """The state with the battle there open; without one where there is nobody to fight.

    A landing that waits for a sea battle goes ashore as if that had been won, by ships that then have fought.
    """
    if state.battle is not None and state.battle.space == space and kind in ("", state.battle.kind):
        return state
    power = active(world, state)
    kind = kind or kind_at(world, space)
    state = msgspec.structs.replace(state, battle=None, questions=())
    if world.battles[kind].captures:
        for zone in awaited(world, state, power, space):
            state = _won(world, state, power, zone)
    run = Run(world, state, Misses())
    everybody = world.battles[kind].attackers == "all"
    open_battle(run, Pending(space, kind_at(world, space) if everybody else kind))
    if run.state.battle is not None and run.battle.kind not in (kind, world.battles[kind].surprise):
        run.note(kind=kind)  # one that the board does not call for by itself
    return run.state


def _won(world: World, state: State, power: PowerId, zone: SpaceId) -> State:
    """The state in which the power has won the sea battle there."""
    hostile = enemies(world, state, power)
    left = {piece: n for piece, n in state.at(zone).items() if piece.power not in hostile}
    return msgspec.structs.replace(state, units={**state.units, zone: left}, fought=(*state.fought, zone))


def _gun(world: World, state: State, battle: Battle) -> int:
    if not has_enemy_gun(world, state, battle.attacker, battle.space):
        return 0
    return max((needed for needed, _ in _tried(world, state, battle, "aa-fire")), default=0)


def _tried(world: World, state: State, battle: Battle, step: str) -> Shots:
    """The dice of a step that is still to come, lowest number first; what it asks is answered without much thought."""
    steps = world.battles[battle.kind].steps
    if step not in steps[battle.step :] or (battle.round > 1 and STEPS[step].once):
        return ()
    if steps[battle.step] == step and battle.column >= 0:
        return ()
    fresh = msgspec.structs.replace(battle, step=steps.index(step), column=-1, hits=())
    run = Run(world, msgspec.structs.replace(state, battle=fresh, questions=()), Misses())
    while not STEPS[step].run(run) and run.state.questions:
        _answer(run)
    shots: dict[int, int] = {}
    for event in run.events:
        if isinstance(event, Rolled):
            shots[event.needed] = shots.get(event.needed, 0) + len(event.faces)
    return tuple(sorted(shots.items()))


def _answer(run: Run) -> None:
    from sandtable.engine.legal import Legal  # these two know all of the engine
    from sandtable.engine.questions import answer

    answer(run, Legal(run.world, run.state).default())


def _can_retreat(world: World, state: State, battle: Battle) -> bool:
    """There is a way back, for troops yet to be dropped as well."""
    if "paratroopers-drop" in world.battles[battle.kind].steps[battle.step :]:
        run = Run(world, state, Misses())
        paratroopers_drop(run)
        state, battle = run.state, run.battle
    return any(open_to_retreat(world, state, battle, place) for place in battle.origins)


def gun_over(world: World, state: State, power: PowerId, space: SpaceId) -> int:
    """What enemy guns in a space would hit planes of this power on; 0 where there are none."""
    if not has_enemy_gun(world, state, power, space):
        return 0
    plane = next((unit.id for unit in world.units.values() if unit.domain == "air"), None)
    kind = next((name for name, kind in world.battles.items() if kind.attackers == "all" and kind.where != "sea"), None)
    if plane is None or kind is None:
        return 0
    alone = {**state.units, space: add(state.at(space), ((Piece(power, plane), 1),))}
    state = msgspec.structs.replace(state, units=alone, battle=Battle(space, kind, power), questions=())
    run = Run(world, state, Misses())
    aa_fire(run)
    return max((event.needed for event in run.events if isinstance(event, Rolled)), default=0)
