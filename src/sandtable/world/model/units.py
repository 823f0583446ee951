"""Kinds of units: what they can do, and how they change what others can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from sandtable.world.model.ids import Domain, MarkId, PowerId, RuleId, TechId, UnitId


class Modifier(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a unit changes what units hit at in a battle: `engine.battle.strength` works it out.

    It stands with the unit that causes it: artillery says that it helps infantry, heavy bombers that they roll more.
    """

    units: tuple[UnitId, ...] = ()  # whose fire changes; empty: its own
    enemies: bool = False  # those of the other side
    role: Literal["attack", "defense"] | None = None  # only while they attack, or defend
    number: int | None = None  # so many for each unit that causes it, one pairing a unit; None: all of them
    only: tuple[Literal["landed", "loaded"], ...] = ()  # if they came ashore in this battle, if they carry something
    during: tuple[str, ...] = ()  # in these steps of a battle; empty: in all
    works_below: int | None = None  # a facility causes it only while it has less damage than this
    amount: int = 0  # added to the number that they hit at
    value: int | None = None  # or the number itself
    dice: int | None = None  # dice of each unit, instead of one
    best: bool = False  # of several dice only the best counts
    picks: int = 0  # a face of this or less lets the shooter's side name the victim


class Mark(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A mark that single units can carry for good or for a turn, beside the technologies that mark units."""

    id: MarkId
    name: str
    units: Mapping[UnitId, Mapping[str, Any]] = {}  # changed fields of units that carry it; key "*" means every type
    passes: bool = False  # it is gone when the next turn begins
    rules: tuple[RuleId, ...] = ()


class Facility(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a facility may be built, how long that takes, and what becomes of it."""

    output: int = 0  # new units that a complex of this kind receives in a turn
    build_turns: int = 0  # of its owner, until it works
    least_value: int = 0  # of its land
    islands: bool = True
    original_land: bool = False  # only in land that was its owner's from the beginning
    coast: bool = False
    upgrade_of: UnitId | None = None  # what can be made into it...
    upgrade_cost: int = 0  # ...and for how much
    captured_as: UnitId | None = None  # what it is in the hands of a captor
    repairs: tuple[UnitId, ...] = ()  # damaged ships off its coast that are mended in their owner's purchase phase


class Raider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units in reserve that are sent behind the lines before the raids."""

    most: int  # in a turn
    ranges_like: UnitId  # they go as far as this plane flies


class Payload(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A bomb of its own that a plane carries in a raid on a complex."""

    carrier: UnitId
    needs: TechId  # without which no plane can carry it
    factor: int  # its damage is so many times a die


class AntiTank(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Guns that may serve against tanks in a battle."""

    powers: tuple[PowerId, ...]  # whose guns may
    mark: MarkId  # what they are marked with then: it tells what they can do


class UnitType(msgspec.Struct, frozen=True, kw_only=True):
    """What a kind of unit can do, for one power; technologies and edits change a copy."""

    id: UnitId
    name: str
    plural: str
    aliases: tuple[str, ...] = ()  # other words for it that orders may use
    domain: Domain
    cost: int | None  # None: cannot be bought
    attack: int = 0
    defense: int = 0
    move: int = 0
    hits: int = 1  # hits that it takes to destroy one
    raid_dice: int = 0  # dice per unit in a strategic raid; 0: cannot raid
    raid_bonus: int = 0  # added to each of them
    blitz: bool = False  # may go on through empty enemy land
    captures: bool = False  # can take territory
    moves_early: bool = False  # though it never attacks, it may move among friends in the combat move
    attacks: bool = True  # may make combat moves and fight as attacker
    casualty: bool = True  # can be chosen as a casualty in battle
    guards: bool = True  # land with it has to be fought for; False: it holds nothing alone, and is lost with the land
    strikes_once: bool = False  # fires in the first round of a battle only, in defence with its attack value, too
    bulwark: bool = False  # a facility that fights, and takes the hits before all others until it fails
    fails_at: int = 0  # a facility with this much damage does nothing any more; 0: it never fails
    lifts: Mapping[Domain, int] = {}  # movement that it adds for units that set out here; ships: next to it
    captured: bool = False  # changes hands with its territory
    blocks: bool = True  # its presence makes a sea zone hostile to enemy ships
    limit: int | None = None  # at most so many in one territory
    anti_air: int = 0  # hits planes on this or less, before the battle
    shots: int = 0  # dice of one such gun, one plane a die; 0: one gun fires at all planes
    support: int = 0  # one shot at this value in support of a landing
    chosen_last: bool = False  # a casualty only when the hit can strike nothing else
    chosen_first: bool = False  # a casualty before all others of its side that the hit can strike
    holds: bool = False  # while it attacks, nobody of its side breaks off
    expended: bool = False  # a plane that attacks for one round, is lost with it and needs no place to land
    intercepts: bool = False  # meets enemy planes in the air: intercepts, escorts, defends in battles of planes
    assaults: bool = True  # goes ashore in assaults; who does not may follow in the quiet move, from any ship there
    hunts: tuple[UnitId, ...] = ()  # enemy units that lose first shot, submerging and hiding while it fights
    hides_from: tuple[Domain, ...] = ()  # what cannot hit it unless a hunter of theirs fights along
    slips: bool = False  # only a zone with an enemy hunter stops it
    first_shot: tuple[Literal["attack", "defense"], ...] = ()  # fires first, victims do not reply
    withdraws: tuple[Literal["attack", "defense"], ...] = ()  # may leave a battle after a round (submarines)
    submerges: tuple[Literal["attack", "defense"], ...] = ()
    dives: bool = False  # it has to submerge after the first round
    again: int = 0  # an attack roll of this or less brings another die
    ambushes: bool = False  # may fire at ships that enter its zone, once in each turn of theirs
    cannot_hit: tuple[Domain | UnitId, ...] = ()
    hits_only: tuple[Domain | UnitId, ...] = ()  # its hits strike nothing else; empty: whatever is not ruled out
    loads: tuple[Mapping[UnitId, int], ...] = ()  # full loads of a transport; any part of one is allowed
    deck: Mapping[UnitId, int] = {}  # planes that can land on it: unit -> number, shared by all kinds (a carrier)
    deck_fails: bool = False  # damaged, it neither launches planes nor lets them land
    complex: bool = False  # new units appear where it stands
    facility: Facility | None = None  # where and how it is built, if there is more to it than its price
    built_at: UnitId | None = None  # it takes this kind of complex to build one
    convoy_dice: int = 0  # against the income of an enemy, from a convoy zone off his coast
    rocket_range: int = 0  # how far it may fire a rocket
    sharper: Mapping[UnitId, int] = {}  # units that it also hits with so much more than its number
    anti_tank: AntiTank | None = None
    raider: Raider | None = None
    payload: Payload | None = None
    underground: bool = False  # rises in the power's own land that enemies hold, and is neither army nor target there
    needs: TechId | None = None  # only powers that have developed this buy it
    only_for: tuple[PowerId, ...] = ()  # only these powers buy it; empty: all
    most_a_turn: int | None = None  # a power buys at most so many in a turn
    most_a_game: int | None = None  # and in a whole game
    most_on_board: int | None = None  # and has no more than so many at a time
    reserve: bool = False  # new ones are never placed: they wait off the board until they are used
    modifiers: tuple[Modifier, ...] = ()  # how it changes its own fire, or that of others
    citations: Mapping[str, tuple[RuleId, ...]] = {}  # reason of a refusal -> rules about just this unit
    traits: Mapping[str, Any] = {}  # facts that only some editions' steps read

    def cite(self, reason: str) -> tuple[RuleId, ...]:
        """The rules about just this unit that stand behind a reason, before those of the edition."""
        return self.citations.get(reason, ())
