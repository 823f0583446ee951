"""Who fights in a battle."""

from __future__ import annotations

from collections.abc import Container, Mapping

from sandtable.engine.facts import Knowing, trapped, type_of, works
from sandtable.engine.relations import enemies, friends
from sandtable.engine.state import ABSENT, Battle, Mark, Piece, Role, Stack, State
from sandtable.world.model import PowerId, SpaceId, UnitId, UnitType, World
from sandtable.world.profiles import roster


def fights(world: World, state: Knowing, piece: Piece) -> bool:
    return piece.mark not in ABSENT and not piece.fleet and type_of(world, state, piece).casualty


def attackers(world: World, state: State, battle: Battle) -> Stack:
    """The attacking power's units; allies never attack along (CL-MPF-01)."""
    return _fighting(world, state, battle, {battle.attacker})


def defenders(world: World, state: State, battle: Battle) -> Stack:
    """Everything of the other side, whoever owns it (CL-MPF-02); doomed units included until they are removed."""
    return _fighting(world, state, battle, enemies(world, state, battle.attacker))


def _fighting(world: World, state: State, battle: Battle, powers: Container[PowerId]) -> Stack:
    """The units of these powers in the battle; asked many times a round, so each profile is looked up once."""
    kinds = roster(world, state.techs)
    here = state.at(battle.space)
    found = {
        p: n
        for p, n in here.items()
        if p.power in powers
        and p.mark not in ABSENT
        and not p.fleet
        and (
            (kind := kinds[p.power][p.type] if not p.marks else type_of(world, state, p)).casualty
            or (kind.bulwark and stands(state, battle, kind))
        )
    }
    if any(p.hits and kinds[p.power][p.type].deck_fails for p in here):
        return _without_trapped(world, state, battle, found)
    return found


def stands(state: State, battle: Battle, kind: UnitType) -> bool:
    """The bulwark there fights in this round: what it suffered since the last casualties were taken off is to come."""
    return works(state, battle.space, kind, battle.shaken)


def bulwark_room(world: World, state: State, battle: Battle) -> dict[UnitId, int]:
    """Hits that bulwarks of the defenders still take before anybody else has to (G40-CMB-14)."""
    if not world.bulwarks:
        return {}
    found: dict[UnitId, int] = {}
    hostile = enemies(world, state, battle.attacker)
    for piece in state.at(battle.space):
        if piece.type in world.bulwarks and piece.power in hostile:
            kind = type_of(world, state, piece)
            if works(state, battle.space, kind):
                found[kind.id] = kind.fails_at - state.damage.get(battle.space, {}).get(kind.id, 0)
    return found


def _without_trapped(world: World, state: State, battle: Battle, force: Stack) -> Stack:
    """Planes that fit on no deck in order are aboard the damaged carriers: cargo that does not fight (G40-NAV-24)."""
    left = dict(force)
    for piece, n in trapped(world, state, battle.space, state.at(battle.space)):
        if piece in left:
            left[piece] -= n
            if not left[piece]:
                del left[piece]
    return left


def alive(world: World, state: State, battle: Battle) -> Stack:
    """Defenders that are not casualties yet."""
    return without(defenders(world, state, battle), battle.doomed)


def takes_part(world: World, state: State, battle: Battle, role: Role, piece: Piece) -> bool:
    """The piece belongs to the force of this role, be it fighting or not: guns and facilities count, too."""
    if piece.mark in ABSENT or piece.fleet:
        return False
    if role == "attack":
        return piece.power == battle.attacker
    return piece.power in enemies(world, state, battle.attacker)


def without(stack: Stack, doomed: Stack) -> Stack:
    """The stack less these casualties, as far as they are in it."""
    if not doomed:
        return stack
    return {p: left for p, n in stack.items() if (left := n - doomed.get(p, 0)) > 0}


def fray(world: World, state: State, battle: Battle, role: Role) -> Stack | None:
    """Who meets whom in a step that is not for all: planes against planes. None: all who fight take part."""
    steps = world.battles[battle.kind].steps
    step = steps[battle.step] if battle.step < len(steps) else ""
    if step in FLIGHTS:
        return flight(world, state, battle, role)
    if step in AIR_BATTLE:
        force = attackers(world, state, battle) if role == "attack" else defenders(world, state, battle)
        return planes(world, force) if role == "attack" else _fighters(world, state, force)
    everybody = world.battles[battle.kind].attackers == "all"
    if everybody and step in ANTI_AIR and role == "attack" and (jumped := airborne(state.at(battle.space))):
        force = attackers(world, state, battle)
        return {p: n for p, n in force.items() if p in jumped or world.units[p.type].domain == "air"}
    marks = MEETINGS.get(step)
    if marks is None:
        return None
    mark = marks[role == "defense"]
    powers = {battle.attacker} if role == "attack" else enemies(world, state, battle.attacker)
    return {p: n for p, n in state.at(battle.space).items() if p.mark == mark and p.power in powers}


ANTI_AIR = ("flak", "aa-fire")
"""Fire at whatever comes by air, troops who jump without a plane among them."""


def airborne(stack: Stack) -> Stack:
    """Troops who came by air from a base (`movement.base_drop`)."""
    return {p: n for p, n in stack.items() if p.marks and "dropped" in p.marks and p.target}


FLIGHTS = ("air-combat", "interdiction", "patrol", "strafe")
"""Steps in which planes meet planes, ships that have moved, or planes on the ground."""


def flight(world: World, state: State, battle: Battle, role: Role) -> Stack:
    """Who meets whom in such a step (G40-ACB-11 to G40-ACB-13, G40-INT-09, G40-SBR-09)."""
    kind = world.battles[battle.kind]
    step = kind.steps[battle.step] if battle.step < len(kind.steps) else ""
    here = state.at(battle.space)
    if role == "attack":
        if step == "interdiction":
            return {p: n for p, n in here.items() if p.power == battle.attacker and has_moved(world, state, p)}
        if kind.attackers == "passing":
            return battle.group
        if kind.attackers == "all":
            return planes(world, attackers(world, state, battle))
        return taking_part(world, state, battle)
    if step == "air-combat" and kind.attackers == "all":
        return planes(world, defenders(world, state, battle))
    if step == "strafe":
        return grounded(world, state, battle)
    mark: Mark = "interdicting" if step == "interdiction" else "intercepting"
    hostile = enemies(world, state, battle.attacker)
    return {
        p: n for p, n in here.items() if p.mark == mark and p.power in hostile and world.units[p.type].domain == "air"
    }


def grounded(world: World, state: State, battle: Battle) -> Stack:
    """Enemy planes that have flown no mission this turn."""
    hostile = enemies(world, state, battle.attacker)
    return {
        p: n
        for p, n in state.at(battle.space).items()
        if not p.mark and p.power in hostile and world.units[p.type].domain == "air"
    }


def taking_part(world: World, state: State, battle: Battle) -> Stack:
    """The attacker's units with the marks of this kind of battle."""
    kind = world.battles[battle.kind]
    marks = (kind.attackers, *kind.also)
    return {p: n for p, n in state.at(battle.space).items() if p.power == battle.attacker and p.mark in marks}


def has_moved(world: World, state: State, ship: Piece) -> bool:
    """A ship that entered a new zone in this phase and can be hit from the air (G40-INT-10)."""
    kind = type_of(world, state, ship)
    if kind.domain != "sea" or "air" in kind.hides_from or not ship.used:
        return False
    return world.phases[state.phase] != "noncombat-move" or not ship.done


AIR_BATTLE = ("air-battle", "air-reply")
"""All attacking planes against the defending fighters."""

MEETINGS: Mapping[str, tuple[Mark, Mark]] = {
    "escorts-fire": ("escort", "engaging"),
    "escorts-met": ("escort", "engaging"),
    "bombers-fire": ("raid", "intercepting"),
    "bombers-met": ("raid", "intercepting"),
}
"""Which marks of the attacker's and of the defenders' planes a step brings together."""


def _fighters(world: World, state: Knowing, stack: Stack) -> Stack:
    return {p: n for p, n in stack.items() if type_of(world, state, p).intercepts}


def is_hunted(world: World, state: Knowing, unit: UnitId, enemies: Stack) -> bool:
    """One of these enemies takes the unit's special abilities away (AN-SEA-05, AN-SEA-06)."""
    return any(unit in type_of(world, state, p).hunts for p in enemies)


def strikers(world: World, state: Knowing, role: Role, force: Stack, enemies: Stack) -> Stack:
    """Units of this force that fire before all others, unless an enemy hunts them."""
    return {
        p: n
        for p, n in force.items()
        if role in type_of(world, state, p).first_shot and not is_hunted(world, state, p.type, enemies)
    }


def planes(world: World, stack: Stack) -> Stack:
    return {p: n for p, n in stack.items() if world.units[p.type].domain == "air"}


def guests(world: World, state: State, battle: Battle) -> Stack:
    """Allied planes that ride on the attacker's carriers and look on (CL-AIR-21)."""
    ours = friends(world, state, battle.attacker)
    return {
        p: n
        for p, n in state.at(battle.space).items()
        if p.power != battle.attacker and p.power in ours and world.units[p.type].domain == "air"
    }


def marked(state: State, battle: Battle, mark: str | None, space: SpaceId = "") -> Stack:
    """The attacker's units with a task of their own, or all of them."""
    here = state.at(space or battle.space)
    return {p: n for p, n in here.items() if p.power == battle.attacker and mark in (None, p.mark)}


def raiders(state: State, battle: Battle) -> Stack:
    return marked(state, battle, "raid")


def seaborne(world: World, battle: Battle, force: Stack) -> Stack:
    """Troops that came ashore in this battle."""
    if world.spaces[battle.space].is_sea:
        return {}
    return {
        p: n
        for p, n in force.items()
        if p.origin and world.spaces[p.origin].is_sea and world.units[p.type].domain != "air"
    }
