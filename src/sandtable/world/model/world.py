"""The World: one edition, scenario and choice of options, compiled once (`sandtable.world.compile`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from sandtable.world.bundle import Bundle
from sandtable.world.cards import EventCard
from sandtable.world.model.board import Canal, Gap, Space
from sandtable.world.model.goals import Objective, Victory
from sandtable.world.model.ids import Domain, MarkId, Pieces, PowerId, RuleId, SideId, SpaceId, TechId, UnitId, Value
from sandtable.world.model.options import Option
from sandtable.world.model.politics import ActOfWar, Ban, Declaration
from sandtable.world.model.powers import Power, Seats
from sandtable.world.model.rules import BattleKind, Rules
from sandtable.world.model.technologies import Technology
from sandtable.world.model.units import Mark, UnitType

if TYPE_CHECKING:
    from sandtable.world.conditions import Condition
else:
    Condition = Any  # records that were read and checked before they get here


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Pieces at the start: power -> space -> unit -> number. Land units at sea are aboard transports."""

    units: Pieces


class World(msgspec.Struct, frozen=True, kw_only=True):
    """One edition, scenario and choice of options, ready to be played."""

    edition: str
    edition_name: str
    scenario: str  # the scenario's id; with the digest of the edition behind it if that comes from outside
    scenario_name: str
    bundle: Bundle | None  # the files of an edition from outside
    playable: bool  # False: can be shown, but its rules are not complete yet
    options: Mapping[str, Value]  # every option of the edition with its value
    idle: tuple[str, ...]  # options that do nothing beside the others that were chosen
    option_list: tuple[Option, ...]
    spaces: Mapping[SpaceId, Space]
    space_ranks: Mapping[SpaceId, int]  # the place of each on the board
    ground: frozenset[SpaceId]  # land that is not impassable
    neighbours: Mapping[SpaceId, tuple[SpaceId, ...]]  # every border, in board order
    land: Mapping[SpaceId, tuple[SpaceId, ...]]  # passable land next to a space
    sea: Mapping[SpaceId, tuple[SpaceId, ...]]  # sea zones next to a space (canals included)
    air: Mapping[SpaceId, tuple[SpaceId, ...]]  # where planes may fly: all but impassable land
    skies: Mapping[PowerId, Mapping[SpaceId, tuple[SpaceId, ...]]]  # the same for powers with an area of their own
    canals: Mapping[tuple[SpaceId, SpaceId], Canal]  # both directions
    convoys: tuple[SpaceId, ...]  # zones in which enemy ships cost income, in the order of their numbers
    wraparound: tuple[tuple[SpaceId, SpaceId], ...]
    gaps: tuple[Gap, ...]  # pairs that look like neighbours and are not
    sides: tuple[SideId, ...]
    powers: Mapping[PowerId, Power]
    power_ranks: Mapping[PowerId, int]  # the place of each among them
    order: tuple[PowerId, ...]  # turn order
    wars: tuple[tuple[PowerId, PowerId], ...]  # at the start, where powers can be at peace
    alliances: tuple[tuple[PowerId, PowerId], ...]  # at the start, where they are free
    comrades: Mapping[PowerId, frozenset[PowerId]]  # the power and the others of its side
    opponents: Mapping[PowerId, frozenset[PowerId]]  # all others
    units: Mapping[UnitId, UnitType]  # in the edition's order
    unit_ranks: Mapping[UnitId, int]  # the place of each in that order
    planes: frozenset[UnitId]  # what flies
    # Kinds of units of which some can do a thing, by themselves or by a technology or mark; the piece tells if it can.
    carriers: frozenset[UnitId]  # they have a deck...
    carried: frozenset[UnitId]  # ...for these planes
    bombs: tuple[UnitId, ...]  # what planes carry to drop it
    ambushers: tuple[UnitId, ...]  # boats that fire at ships which enter their zone
    bases: Mapping[Domain, tuple[UnitId, ...]]  # facilities that let units of a domain go farther
    # Facts of a kind that are the same for everybody (`changes.SHARED`).
    hiders: tuple[UnitId, ...]  # those that hide from something
    bulwarks: tuple[UnitId, ...]  # facilities that fight
    upgrades: Mapping[UnitId, UnitId]  # complexes that can be made better, and what they become
    menders: tuple[UnitId, ...]  # facilities that mend ships
    undergrounds: tuple[UnitId, ...]  # those that rise in land which enemies hold
    joinable: bool  # land can go over to a power without a battle: it leans to a side, or the power guards it
    lined: tuple[PowerId, ...]  # powers with border lines
    industrial: tuple[PowerId, ...]  # powers whose complexes get better when they go to war
    edits: Mapping[PowerId, Mapping[UnitId, UnitType]]  # unit types that differ for one power
    technologies: Mapping[TechId, Technology]
    marks: Mapping[MarkId, Mark]  # of units, that are no technologies
    passing: frozenset[MarkId]  # marks that go with the turn
    cards: tuple[EventCard, ...]  # the event cards that are played with
    objectives: tuple[Objective, ...]
    victory: tuple[Victory, ...]
    milestones: Mapping[str, Condition]  # what is remembered for ever once it holds
    declarations: tuple[Declaration, ...]
    acts: tuple[ActOfWar, ...]
    bans: tuple[Ban, ...]
    restraints: tuple[Ban, ...]  # those of them that make powers leave each other alone
    watched: frozenset[str]  # what is remembered when it happens, since a condition asks for it
    phases: tuple[str, ...]
    titles: Mapping[str, str]  # what the edition calls its phases, where it has names of its own
    actors: tuple[PowerId | None, ...]  # for each phase the power whose part it is; None: whose turn it is
    citations: Mapping[str, tuple[RuleId, ...]]  # reason of a refusal -> the rules behind it, the most telling first
    battles: Mapping[str, BattleKind]
    rules: Rules
    seats: Seats
    setup: Setup
    original_complexes: Mapping[SpaceId, PowerId]  # complexes that their owner started the game with
    traits: Mapping[str, Any] = {}  # facts of the edition and the scenario that only some steps read

    @property
    def seated(self) -> tuple[PowerId, ...]:
        """Powers that somebody plays; not those that another power plays, or nobody."""
        return tuple(p.id for p in self.powers.values() if p.played_by is None and p.played)

    def sky(self, power: PowerId) -> Mapping[SpaceId, tuple[SpaceId, ...]]:
        """Where the power's planes may fly, from each space."""
        return self.skies.get(power, self.air) if self.skies else self.air

    def cite(self, reason: str) -> tuple[RuleId, ...]:
        """The rules of this game that stand behind a reason; none if the edition names none."""
        return self.citations.get(reason, ())

    def side_of(self, power: PowerId) -> SideId:
        return self.powers[power].side

    def same_side(self, a: PowerId, b: PowerId) -> bool:
        """Of one side by the edition; who is allied or at war just now is told by `engine.relations`."""
        return b in self.comrades[a]

    def members(self, side: SideId) -> tuple[PowerId, ...]:
        return tuple(p for p in self.powers if self.powers[p].side == side)
