"""Questions about a position that many rules ask. All are pure functions of world and state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping
from typing import NamedTuple, Protocol

from sandtable.engine.recent import remembered
from sandtable.engine.relations import Powers, enemies, friends, has_joined
from sandtable.engine.state import ABSENT, Piece, Stack, State, Units, piece_key
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import Drop, PowerId, Ride, SpaceId, TechId, Technology, UnitId, UnitType, World
from sandtable.world.profiles import NOTHING as NOTHING
from sandtable.world.profiles import marked, roster, rosters


def active(world: World, state: State) -> PowerId:
    """The power that acts: the one whose turn it is, or one that it plays and whose part of the turn this is."""
    return world.actors[state.phase] or world.order[state.turn]


def phase_name(world: World, state: State) -> str:
    return world.phases[state.phase]


def phase_index(world: World, power: PowerId, phase: str) -> int:
    """Where in a turn the power has this phase; one that another plays shares those that are no part of its own."""
    for actor in (power, None):
        for index, name_here in enumerate(world.phases):
            if name_here == phase and world.actors[index] == actor:
                return index
    raise KeyError(phase)


def turn_index(world: World, power: PowerId) -> int:
    """Whose turn in a round the power acts in: its own, or that of the power that plays it."""
    return world.order.index(world.powers[power].played_by or power)


def unit_type(world: World, state: Knowing, power: PowerId, unit: UnitId) -> UnitType:
    """The unit's values for this power, with its edits and technologies."""
    return roster(world, state.techs)[power][unit]


class Knowing(Protocol):
    """Whatever tells which technologies the powers have: a state, or a battle that was only thought of."""

    @property
    def techs(self) -> Mapping[PowerId, frozenset[TechId]]: ...


class Known(NamedTuple):
    """What the powers have developed, without a state around it."""

    techs: Mapping[PowerId, frozenset[TechId]]


NOTHING_KNOWN = Known({})
"""As it is when a scenario is set up."""


def type_of(world: World, state: Knowing, piece: Piece) -> UnitType:
    """What this very piece can do: its type for its power, with technologies, edits and its own marks."""
    known = state.techs
    if piece.marks:
        return marked(world, piece.power, known.get(piece.power, NOTHING), piece.type, piece.marks)
    last = rosters[0]  # everything asks here, again and again about the same game
    if last[1] is known and last[0] is world:
        return last[2][piece.power][piece.type]
    return roster(world, known)[piece.power][piece.type]


def means(spec: UnitSpec, piece: Piece) -> bool:
    """The piece is one that these words of an order name: by owner, cargo or marks, where they say so."""
    if piece.type != spec.type or spec.power not in (None, piece.power):
        return False
    if spec.cargo is not None and Counter(c.type for c in piece.cargo) != Counter(dict(spec.cargo)):
        return False
    return spec.marks is None or set(spec.marks) == set(piece.marks)


def technologies(world: World, state: State, power: PowerId) -> list[Technology]:
    """What the power has developed, in the edition's order. Allies gain nothing by it (AN-RES-10)."""
    known = state.techs.get(power, NOTHING)
    return [t for t in world.technologies.values() if t.id in known] if known else []


def drops(world: World, state: State, power: PowerId) -> Drop | None:
    """Which planes of the power may drop which troops: by the rules of the game, or by a technology (AN-TEC-07)."""
    if world.rules.drops is not None:
        return world.rules.drops
    return next((t.drops for t in technologies(world, state, power) if t.drops is not None), None)


def takes_along(world: World, state: State, power: PowerId) -> list[Ride]:
    """Which land units of the power may take which others along (AN-TEC-15, G40-MOV-15, G40-MOV-16)."""
    found = [t.takes_along for t in technologies(world, state, power) if t.takes_along is not None]
    return [*world.rules.takes_along, *found]


def paid_ahead(world: World) -> bool:
    """Weapons development comes before the combat move, so that what the move costs is paid for in advance."""
    phases = world.phases
    return "research" not in phases or phases.index("research") < phases.index("combat-move")


def is_friendly(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Land that the power or an ally controls (CL-MOV-01)."""
    return state.owners.get(space) in friends(world, state, power)


def is_neutral(world: World, state: State, space: SpaceId) -> bool:
    place = world.spaces[space]
    return place.kind == "land" and not place.impassable and space not in state.owners


@remembered
def neutral_land(world: World, state: State) -> frozenset[SpaceId]:
    """All of it, but for land that has joined a side."""
    found = world.ground.difference(
        state.owners
    )  # a set of its own kind: the difference to keys would be a mutable one
    return frozenset(s for s in found if not has_joined(world, state, s)) if state.leanings else found


def within(world: World, start: SpaceId, limit: int, barred: Container[SpaceId]) -> dict[SpaceId, int]:
    """Spaces of either kind that are so many steps away at most, around those that are barred, with their distance."""
    found = {start: 0}
    layer = [start]
    for distance in range(1, limit + 1):
        following = []
        for here in layer:
            for space in world.air[here]:
                if space not in found and space not in barred:
                    found[space] = distance
                    following.append(space)
        layer = following
    return found


def is_aloof(world: World, state: State, space: SpaceId) -> bool:
    """Neutral land that nobody has attacked."""
    return is_neutral(world, state, space) and not has_joined(world, state, space)


def is_enemy_land(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    owner = state.owners.get(space)
    if owner is None and state.leanings:
        return has_joined(world, state, space) and state.leanings[space] != world.side_of(power)
    return owner in enemies(world, state, power)


def enemies_in(world: World, state: State, power: PowerId, space: SpaceId) -> list[tuple[Piece, int]]:
    """Every enemy piece there, guns and complexes included."""
    stack = state.units.get(space)
    if not stack:
        return []
    hostile = enemies(world, state, power)
    return [(p, n) for p, n in stack.items() if p.power in hostile]


def is_occupied(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Any enemy unit at all stands there (CL-MOV-02, CL-MOV-03, CL-MOV-04)."""
    stack = state.units.get(space)
    if not stack:
        return False
    hostile = enemies(world, state, power)
    return any(p.power in hostile for p in stack)


def is_hostile_sea(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """Enemy units in the zone stop ships (CL-NAV-05)."""
    stack = state.units.get(zone)
    if not stack:
        return False
    hostile = enemies(world, state, power)
    return any(p.power in hostile and p.mark != "submerged" and type_of(world, state, p).blocks for p in stack)


def is_closed_sea(world: World, state: State, power: PowerId, kind: UnitType, zone: SpaceId) -> bool:
    """Enemy units in the zone stop a ship of this kind: for one that slips through, only its hunters do."""
    if not kind.slips:
        return is_hostile_sea(world, state, power, zone)
    return any(kind.id in type_of(world, state, p).hunts for p, _ in enemies_in(world, state, power, zone))


def has_enemies(world: World, state: State, power: PowerId, zone: SpaceId) -> bool:
    """Enemy units that could be fought lie in the zone, be it hostile or not."""
    there = enemies_in(world, state, power, zone)
    return any(p.mark != "submerged" and type_of(world, state, p).casualty for p, _ in there)


def can_be_fought(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """There is an enemy unit that takes part in battles: more than guns and complexes."""
    stack = state.units.get(space)
    if not stack:
        return False
    hostile = enemies(world, state, power)
    return any(p.power in hostile and _defends(state, space, type_of(world, state, p), p) for p in stack)


def works(state: State, space: SpaceId, kind: UnitType, forgiven: int = 0) -> bool:
    """The facility there is finished, and not damaged so much that it fails; so much damage does not tell yet."""
    if state.building and kind.id in state.building.get(space, {}):
        return False
    return not kind.fails_at or state.damage.get(space, {}).get(kind.id, 0) - forgiven < kind.fails_at


def _defends(state: State, space: SpaceId, kind: UnitType, piece: Piece) -> bool:
    if kind.bulwark:
        return works(state, space, kind)
    return kind.casualty and kind.guards and piece.mark not in ABSENT


def walked_in(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Enemy land without defenders in which the power's troops stand: it is going to fall (AN-CBT-20)."""
    return (
        is_enemy_land(world, state, power, space)
        and any(p.power == power and type_of(world, state, p).captures for p in state.at(space))
        and not can_be_fought(world, state, power, space)
    )


def has_enemy_gun(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """On land; ships that fire at planes do so in battle only."""
    return world.spaces[space].is_land and any(
        type_of(world, state, p).anti_air for p, _ in enemies_in(world, state, power, space)
    )


def has_complex(world: World, state: State, space: SpaceId) -> bool:
    return any(type_of(world, state, p).complex for p in state.at(space))


def capital_of(world: World, state: State, power: PowerId) -> SpaceId | None:
    """Where the power's government is now: its own capital, or one in exile (G40-POL-63)."""
    return state.capitals.get(power) or world.powers[power].capital


def capital_lost(world: World, state: State, power: PowerId, *, at_start: bool = False) -> bool:
    """The power's capital is in enemy hands (now, or when the turn began)."""
    capital = capital_of(world, state, power)
    if capital is None:
        return False
    owner = (state.start_owners if at_start else state.owners).get(capital)
    if world.rules.liberation == "kept":  # whoever holds it does not give it back (MX20-09)
        return owner != power
    return owner in enemies(world, state, power)


def spare_money(world: World, state: State, power: PowerId, entering: SpaceId | None = None) -> int:
    """Money left for neutral land once the landings already declared there have been paid for (CL-NEU-02)."""
    targets = {piece.target for stack in state.units.values() for ship in stack for piece in ship.cargo if piece.target}
    owed = [s for s in targets if s != entering and is_neutral(world, state, s)]
    dropped = state.unpaid_drops * world.rules.drops.fee if world.rules.drops is not None else 0
    return state.treasury[power] - len(owed) * world.rules.neutral_fee - dropped


def free_money(world: World, state: State, power: PowerId) -> int:
    """Money for weapons and units: without what moves of this turn will cost, where they are made before (MX01-05)."""
    phases = world.phases
    if "combat-move" in phases[: state.phase]:
        return spare_money(world, state, power)
    return state.treasury[power]


def production(world: World, state: State, power: PowerId) -> int:
    """The national production level: the value of all land that the power controls (CL-INC-02)."""
    if not state.worth and not world.undergrounds:
        return sum(world.spaces[s].ipc for s, owner in state.owners.items() if owner == power)
    return sum(pays(world, state, s) for s, owner in state.owners.items() if owner == power)


def value(world: World, state: State, space: SpaceId) -> int:
    """What land is worth: as the board says, and more where something has raised it for good."""
    return world.spaces[space].ipc + state.worth.get(space, 0)


def pays(world: World, state: State, space: SpaceId) -> int:
    """What its owner gets for it: less where people resist him (G40-SPC-12)."""
    worth = value(world, state, space)
    if not worth or not world.undergrounds:
        return worth
    owner = state.owners.get(space)
    resisting = sum(n for p, n in state.at(space).items() if p.type in world.undergrounds and p.power != owner)
    return max(0, worth - resisting)


def taken_this_turn(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Land that this turn's moves brought to the side: more units may follow into it in the same combat move."""
    return is_friendly(world, state, power, space) and not was_friendly(world, state, power, space)


def was_friendly(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Land that the power or an ally held when this turn began."""
    return state.start_owners.get(space) in friends(world, state, power)


def friendly_at_start(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """Friendly since the turn began and still so: where planes may land (CL-AIR-04, CL3-AIR-02)."""
    ours = friends(world, state, power)
    return state.start_owners.get(space) in ours and state.owners.get(space) in ours


def in_brackets(world: World, reason: str) -> str:
    """The edition's rule for the end of a sentence that is no refusal of an order."""
    rules = world.cite(reason)
    return f" ({rules[0]})" if rules else ""


def no_border(world: World, a: SpaceId, b: SpaceId, reason: str) -> Refusal:
    """The refusal of a step between spaces that do not touch, by the rule for just this pair if there is one."""
    special = tuple(rule for gap in world.gaps if {a, b} == set(gap.between) for rule in gap.rules)
    text = f"{world.spaces[a].name} and {world.spaces[b].name} have no common border."
    return Refusal(reason, text, (a, b), rules=special)


def canal_closed(world: World, state: State, power: PowerId, a: SpaceId, b: SpaceId, unit: UnitId) -> bool:
    """A canal lies between, and the side did not hold all its banks when the turn began (CL-MAP-15 to 18).

    Where owners at peace can give leave, it is not closed; `canal_owners` tells who has to be asked.
    """
    canal = world.canals.get((a, b))
    if canal is None or unit in canal.free_for:
        return False
    ours = friends(world, state, power)
    if not canal.permission:
        return any(state.start_owners.get(bank) not in ours for bank in canal.banks)
    hostile = enemies(world, state, power)
    owners = [state.start_owners.get(bank) for bank in canal.banks]
    return any(owner is None or owner in hostile for owner in owners)


def canal_owners(
    world: World, state: State, power: PowerId, a: SpaceId, b: SpaceId, unit: UnitId
) -> tuple[PowerId, ...]:
    """Powers at peace whose leave a ship needs to go from one zone to the other (G40-MAP-20)."""
    canal = world.canals.get((a, b))
    if canal is None or not canal.permission or unit in canal.free_for:
        return ()
    ours = friends(world, state, power)
    owners = (state.start_owners.get(bank) for bank in canal.banks)
    return tuple(dict.fromkeys(owner for owner in owners if owner is not None and owner not in ours))


def deck_space(world: World, state: Knowing, stack: Stack, owners: Powers) -> dict[UnitId, int]:
    """Planes that these powers' carriers in a stack can hold, by type."""
    room: dict[UnitId, int] = {}
    for piece, n in stack.items():
        if piece.power in owners:
            for plane, places in deck_of(type_of(world, state, piece), piece).items():
                room[plane] = room.get(plane, 0) + places * n
    return room


def deck_of(kind: UnitType, piece: Piece) -> Mapping[UnitId, int]:
    """The planes that this very carrier can hold: some neither launch nor land any when damaged (G40-NAV-23)."""
    return {} if piece.hits and kind.deck_fails else kind.deck


def lands_on_decks(world: World, plane: UnitId) -> bool:
    """Some carrier can hold such planes."""
    return plane in world.carried


def settle_on(room: dict[UnitId, int], plane: UnitId, n: int) -> int:
    """So many of these planes find a place on the decks, which the kinds of planes share; how many did."""
    safe = min(n, max(0, room.get(plane, 0)))
    if safe:
        for kind in room:
            room[kind] -= safe
    return safe


def trapped(world: World, state: State, space: SpaceId, stack: Stack) -> list[tuple[Piece, int]]:
    """Planes aboard damaged carriers that can neither launch nor fight: those that nothing shows to be in the air."""
    if not world.spaces[space].is_sea:
        return []
    found: dict[Piece, int] = {}
    owners = {p.power for p in stack if p.hits and type_of(world, state, p).deck_fails}
    for owner in sorted(owners):
        broken = sum(
            max(type_of(world, state, p).deck.values()) * n
            for p, n in stack.items()
            if p.power == owner and p.hits and type_of(world, state, p).deck_fails
        )
        ours = friends(world, state, owner)
        whole = max(deck_space(world, state, stack, ours).values(), default=0)
        for piece, n in sorted(stack.items(), key=lambda item: piece_key(item[0])):
            flies = piece.origin or piece.mark or piece.used
            if flies or piece.power not in ours or world.units[piece.type].domain != "air":
                continue
            n -= found.get(piece, 0)
            safe = min(n, whole)
            whole -= safe
            aboard = min(n - safe, broken)
            broken -= aboard
            if aboard:
                found[piece] = found.get(piece, 0) + aboard
    return list(found.items())


# ---------------------------------------------------------------- words for players


def name(world: World, space: SpaceId) -> str:
    return world.spaces[space].name


def names(world: World, spaces: Iterable[SpaceId]) -> str:
    return listed([world.spaces[s].name for s in spaces])


def the(world: World, power: PowerId) -> str:
    """The power's name as it stands inside a sentence: Germany, the United Kingdom."""
    full = world.powers[power].name
    return (
        f"the {full}" if full.startswith(("United ", "Union ", "U.S.")) or full.endswith((" Union", "lands")) else full
    )


def listed(words: list[str], joint: str = "and") -> str:
    """a, b and c"""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + f" {joint} " + words[-1]


def all_such(kind: UnitType) -> str:
    """Units of a kind at the beginning of a sentence: `Fighters`, `AA guns`. It needs no article."""
    return kind.plural[0].upper() + kind.plural[1:]


def amount(world: World, unit: UnitId, n: int) -> str:
    """`1 infantry`, `3 fighters`"""
    kind = world.units[unit]
    return f"{n} {kind.name if n == 1 else kind.plural}"


def amounts(world: World, units: Iterable[tuple[UnitId, int]]) -> str:
    return listed([amount(world, unit, n) for unit, n in units])


def describe(world: World, units: Units) -> str:
    """Units by type in the edition's order, whoever owns them and whatever happened to them."""
    totals: dict[UnitId, int] = {}
    for piece, n in units:
        totals[piece.type] = totals.get(piece.type, 0) + n
    return amounts(world, [(u, totals[u]) for u in world.units if u in totals])
