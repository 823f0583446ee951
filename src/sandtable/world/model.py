"""The World: everything about a game that never changes while it is played.

Board, powers, units, phases, battle steps, options and set-up, compiled once from an edition's data files and
the chosen options (`sandtable.world.compile`). All of it is immutable; mappings are read-only by convention.

Ids are ASCII slugs (`anglo-egypt-sudan`, `aa-gun`); names are for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

Domain = Literal["land", "air", "sea", "facility"]
SideId = str
PowerId = str
SpaceId = str
UnitId = str
TechId = str
RuleId = str
Value = bool | int | str  # of an option
Pieces = Mapping[PowerId, Mapping[SpaceId, Mapping[UnitId, int]]]
Relations = Literal["sides", "wars", "alliances"]
"""sides: fixed for the whole game · wars: at peace until war is declared · alliances: agreed on and broken freely."""


class Space(msgspec.Struct, frozen=True, kw_only=True):
    """One space of the board, a land territory or a sea zone."""

    id: SpaceId
    name: str
    kind: Literal["land", "sea"]
    ipc: int = 0
    owner: PowerId | None = None  # controller at the start of the scenario; None: neutral land, or sea
    original: PowerId | None = None  # the power that gets it back when an ally frees it
    impassable: bool = False
    island: bool = False
    inland: bool = False  # a sea without connection to the others
    zone: int | None = None  # printed number of a sea zone
    victory_city: str | None = None
    capital_of: PowerId | None = None
    lat: float = 0.0
    lon: float = 0.0
    traits: Mapping[str, Any] = {}  # facts that only one edition uses (economy, map, army, leaning...)

    @property
    def is_land(self) -> bool:
        return self.kind == "land"

    @property
    def is_sea(self) -> bool:
        return self.kind == "sea"


class Canal(msgspec.Struct, frozen=True, kw_only=True):
    """A passage between two sea zones that only those may use whose side holds its banks."""

    id: str
    name: str
    between: tuple[SpaceId, SpaceId]
    banks: tuple[SpaceId, ...]
    rules: tuple[RuleId, ...] = ()
    free_for: tuple[UnitId, ...] = ()  # unit types that need no permission (submarines at Gibraltar)
    traits: Mapping[str, Any] = {}


class Gap(msgspec.Struct, frozen=True, kw_only=True):
    """Two spaces that look like neighbours and are not, and the rule that says so."""

    between: tuple[SpaceId, SpaceId]
    rules: tuple[RuleId, ...] = ()


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """The phases of its own that a power has inside the turn of the power that plays it."""

    after: str  # the phase of that turn which they follow
    phases: tuple[str, ...]


class Reinforcement(msgspec.Struct, frozen=True, kw_only=True):
    """Units that a power gets for nothing in the purchase phase of the power that plays it."""

    unit: UnitId
    spaces_for_one: int  # one for so many of its original territories that it controls, rounded down
    room: int  # they are placed in such territories, up to so many of its units in one


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """A side's member that takes turns, owns units and money."""

    id: PowerId
    name: str
    side: SideId
    adjective: str  # German, British...: for sentences
    colour: str
    capital: SpaceId | None = None
    treasury: int = 0
    collects_income: bool = True
    played_by: PowerId | None = None  # a power without a turn and seat of its own (China)
    part: Part | None = None  # what it does in the turn of the power that plays it
    reinforcement: Reinforcement | None = None  # its only new units
    area: tuple[SpaceId, ...] = ()  # its units enter and fly over these spaces only; empty: anywhere
    traits: Mapping[str, Any] = {}


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
    attack_dice: int = 1  # dice per round when attacking (heavy bombers)
    raid_dice: int = 0  # dice per unit in a strategic raid; 0: cannot raid
    blitz: bool = False  # may go on through empty enemy land
    captures: bool = False  # can take territory
    attacks: bool = True  # may make combat moves and fight as attacker
    casualty: bool = True  # can be chosen as a casualty in battle
    captured: bool = False  # changes hands with its territory
    blocks: bool = True  # its presence makes a sea zone hostile to enemy ships
    limit: int | None = None  # at most so many in one territory
    anti_air: int = 0  # hits planes on this or less, before the battle
    support: int = 0  # one shot at this value in support of a landing
    chosen_last: bool = False  # a casualty only when the hit can strike nothing else
    hunts: tuple[UnitId, ...] = ()  # enemy units that lose first shot, submerging and hiding while it fights
    hides_from: tuple[Domain, ...] = ()  # what cannot hit it unless a hunter of theirs fights along
    slips: bool = False  # only a zone with an enemy hunter stops it
    first_shot: tuple[Literal["attack", "defense"], ...] = ()  # fires first, victims do not reply
    withdraws: tuple[Literal["attack", "defense"], ...] = ()  # may leave a battle after a round (submarines)
    submerges: tuple[Literal["attack", "defense"], ...] = ()
    cannot_hit: tuple[Domain, ...] = ()
    loads: tuple[Mapping[UnitId, int], ...] = ()  # full loads of a transport; any part of one is allowed
    deck: Mapping[UnitId, int] = {}  # planes that can land on it: unit -> number (a carrier)
    factory: bool = False  # new units appear where it stands
    rocket_range: int = 0  # how far it may fire a rocket
    boosts: Mapping[UnitId, int] = {}  # artillery: attack of so many of those units rises by one
    traits: Mapping[str, Any] = {}  # facts that only some editions' steps read


class Ride(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that takes others along."""

    unit: UnitId
    passenger: UnitId
    number: int = 1  # passengers a unit


class Technology(msgspec.Struct, frozen=True, kw_only=True):
    id: TechId
    name: str
    aliases: tuple[str, ...] = ()  # other words for it that orders may use
    roll: int | None = None  # the die that gives it
    chart: int | None = None
    income_dice: int = 0  # dice of extra income each turn
    output_change: int = 0  # units more that a complex can receive...
    output_value: int = 0  # ...in territories worth at least so much
    repairs_per_cost: int = 1  # damage markers taken off for the price of one
    drops: Ride | None = None  # planes may drop troops
    takes_along: Ride | None = None  # land units may take others along as far as they go
    units: Mapping[UnitId, Mapping[str, Any]] = {}  # changed fields of unit types; key "*" means every type
    traits: Mapping[str, Any] = {}
    rules: tuple[RuleId, ...] = ()
    help: str = ""


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A switch or choice made before play. `effects` maps a value's text ("true", "owner") to patches."""

    key: str
    name: str
    help: str
    default: Value
    choices: tuple[int | str, ...] = ()  # empty: a plain on/off switch
    rules: tuple[RuleId, ...] = ()
    effects: Mapping[str, Patch] = {}
    group: str = "rules"
    ask: bool = False  # important enough to be asked for before every game


class ListEdit(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change of a list: something put or moved before, after or instead of an entry, or an entry taken out.

    An anchor is an entry of the edition's list (`aa-fire`); `check-end 2` is the second of several, `every check-end`
    means all of them. See `sandtable.world.sequence`.
    """

    put: str | tuple[str, ...] = ()
    move: str | None = None
    before: str | None = None
    after: str | None = None
    instead_of: str | None = None
    at: Literal["start", "end"] | None = None
    remove: str | None = None


class Added(msgspec.Struct, frozen=True, kw_only=True):
    """A record that an option adds, and next to which one it stands; at the end if it names none."""

    record: Any
    before: str | None = None
    after: str | None = None


class Patch(msgspec.Struct, frozen=True, kw_only=True):
    """What an option's value changes in the edition. All parts are optional.

    `units` and the like change fields of what is there, `add_units` brings new ones, `remove_powers` takes some out.
    Whatever is taken out by one option and changed by another is out.
    """

    requires: Mapping[str, tuple[Value, ...]] = {}  # options that must have one of these values
    excludes: Mapping[str, tuple[Value, ...]] = {}  # options that must not
    implies: Mapping[str, Value] = {}  # values that other options then have
    options: Mapping[str, Any] = {}  # other defaults for options further down
    idles: tuple[str, ...] = ()  # options that do nothing beside this value
    rules: Mapping[str, Any] = {}  # fields of Rules
    units: Mapping[UnitId, Mapping[str, Any]] = {}  # fields of UnitType; key "*" means every type
    add_units: Mapping[UnitId, Added] = {}
    technologies: Mapping[TechId, Mapping[str, Any]] = {}
    add_technologies: Mapping[TechId, Added] = {}
    remove_technologies: tuple[TechId, ...] = ()
    sides: tuple[SideId, ...] | None = None  # instead of the edition's
    powers: Mapping[PowerId, Mapping[str, Any]] = {}
    add_powers: Mapping[PowerId, Added] = {}
    remove_powers: tuple[PowerId, ...] = ()  # with their pieces; their land is nobody's then
    order: tuple[ListEdit, ...] = ()  # of turns
    wars: tuple[tuple[PowerId, PowerId], ...] | None = None  # instead of the scenario's
    alliances: tuple[tuple[PowerId, PowerId], ...] | None = None
    seats: Mapping[str, Any] = {}  # fields of Seats
    spaces: Mapping[SpaceId, Mapping[str, Any]] = {}
    add_borders: tuple[tuple[SpaceId, SpaceId], ...] = ()
    remove_borders: tuple[tuple[SpaceId, SpaceId], ...] = ()
    control: Mapping[SpaceId, PowerId | None] = {}
    treasury: Mapping[PowerId, int] = {}
    setup: Pieces = {}  # all that a power has in a space
    add_setup: Pieces = {}
    remove_setup: Mapping[PowerId, Mapping[SpaceId, Literal["all"] | Mapping[UnitId, int]]] = {}
    phases: tuple[ListEdit, ...] = ()
    titles: Mapping[str, str] = {}
    steps: Mapping[str, tuple[ListEdit, ...]] = {}  # battle kind -> changes of its steps
    add_battles: Mapping[str, tuple[str, ...]] = {}  # new kinds of battle with their steps
    objectives: Mapping[str, Mapping[str, Any]] = {}
    add_objectives: Mapping[str, Added] = {}
    remove_objectives: Literal["all"] | tuple[str, ...] = ()
    victory: Mapping[str, Mapping[str, Any]] = {}
    add_victory: Mapping[str, Added] = {}
    remove_victory: Literal["all"] | tuple[str, ...] = ()
    traits: Mapping[str, Any] = {}
    citations: Mapping[str, tuple[RuleId, ...]] = {}  # rules to be cited for a reason, before the edition's own
    beside: tuple[Beside, ...] = ()  # further changes where other options have certain values, too


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """Changes that hold only together with these values of other options (`scenario` stands for the scenario's id)."""

    values: Mapping[str, tuple[Value, ...]]
    patch: Patch


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Numbers and choices that steps and phases read. An edition sets them, options change them."""

    dice_sides: int = 6
    relations: Relations = "sides"  # what makes powers allies and enemies
    neutral_fee: int | None = 3  # None: neutral land cannot be entered or overflown
    overflight_fire: bool = True  # AA guns fire at planes that only pass over
    new_ships_among_enemies: bool = True
    planes_retreat_from_assault: bool = True
    casualties_by_column: bool = False  # hits are settled after each column instead of after all dice
    joint_casualties: Literal["owner", "agreement"] = "owner"  # who picks casualties of an allied force
    complex_output: Literal["original-unlimited", "value", "by-kind"] = "original-unlimited"
    complex_minimum: int = 1  # output of a complex in land without value
    complex_site: int = 0  # least value of land where a complex can be built
    purchase_limit: Literal["none", "capacity"] = "none"  # no more units are bought than complexes can receive
    repair_cost: int = 1  # for taking a damage marker off
    raid_damage: Literal["money", "markers"] = "money"  # what bombs cost the owner of a complex
    must_place: bool = True  # new units that have a place are placed before the turn goes on
    unplaced_units: Literal["lost", "kept", "refunded"] = "lost"
    mobilize_needs_capital: bool = False  # a power without its capital places nothing
    researchers: bool = False  # who is paid for stays and rolls every turn until one of them succeeds
    breakthroughs: Literal["each", "one"] = "each"  # for every success of a turn, or one however many there are
    developments: Literal["rolled", "tracked"] = "rolled"  # found by a die, or at the end of a track
    research_cost: int = 5
    research_success: int = 6
    rocket_limit: Literal["one", "per-gun"] = "one"  # rockets of a turn: one, or one for each gun and target
    rocket_time: Literal["any", "before-raids"] = "any"  # any: whenever the power has to answer something in combat
    rocket_damage: Literal["money", "markers"] = "money"
    aa_targets: Literal["chosen", "each"] = "chosen"  # planes hit are picked by their owner, or each has its die
    battle_order: Literal["free", "assaults-first"] = "free"
    overland_retreat: bool = False  # beside landed troops, all who came overland may leave, with the planes
    retreat_to: Literal["friendly", "friendly-at-start"] = "friendly"
    support_per_landed: bool = False  # no more ships support a landing than units go ashore
    landings_reconsidered: bool = False  # after a sea battle that cost ships the attacker may leave troops aboard
    one_shore: bool = False  # a transport puts all its units ashore in one territory
    transports_need_escort: bool = False  # they enter hostile zones only with, or to join, units that can attack
    fighters_carried: bool = True  # a carrier's own fighters ride along; False: they fly beside it
    stranded_reach: Literal["island", "one-space"] = "island"  # where planes of a sunken carrier may go
    stranded_time: Literal["battle", "phase"] = "battle"  # after that battle, or when all of the phase are fought
    guns_taken_in_combat: bool = False  # land with guns or complexes only falls in the combat phase, not when entered
    captured_guns_rest: bool = False  # a gun taken this turn does not move
    damage_per_value: int = 2  # markers: a complex holds so many times its territory's value
    landing_on_new_carriers: bool = False
    new_fighters_on_carriers: bool = False
    objectives: bool = True  # bonuses for national objectives are paid
    individual_winner: bool = False  # of the side that wins, the power that grew most is told
    pieces: Mapping[UnitId, int] = {}  # stacks of a kind that a power can have; empty: no limit

    @property
    def research(self) -> Literal["dice", "tokens", "track"]:
        """The method in one word, for those who show it."""
        if self.developments == "tracked":
            return "track"
        return "tokens" if self.researchers else "dice"

    @property
    def damages_complexes(self) -> bool:
        """There are damage markers, which can be taken off again."""
        return "markers" in (self.raid_damage, self.rocket_damage)


class Seats(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays what, by number of players."""

    presets: Mapping[int, tuple[tuple[PowerId, ...], ...]]
    minimum: int = 2
    rules: tuple[RuleId, ...] = ()


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a game can end."""

    id: str
    kind: Literal["capitals", "economy", "cities", "rounds"]
    side: SideId | None = None  # None: either side
    of: tuple[SpaceId, ...] = ()
    count: int = 0  # capitals or cities needed; production level; last round
    when: Literal["turn", "round"] = "turn"  # checked at the end of every turn or of every round
    name: str = ""
    rules: tuple[RuleId, ...] = ()
    traits: Mapping[str, Any] = {}


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    power: PowerId
    bonus: int
    when: tuple[Mapping[str, Any], ...]
    per: str | None = None
    name: str = ""
    rules: tuple[RuleId, ...] = ()
    traits: Mapping[str, Any] = {}


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """Pieces at the start: power -> space -> unit -> number. Land units at sea are aboard transports."""

    units: Pieces


class World(msgspec.Struct, frozen=True, kw_only=True):
    """One edition, scenario and choice of options, ready to be played."""

    edition: str
    edition_name: str
    scenario: str
    scenario_name: str
    playable: bool  # False: can be shown, but its rules are not complete yet
    options: Mapping[str, Value]  # every option of the edition with its value
    idle: tuple[str, ...]  # options that do nothing beside the others that were chosen
    option_list: tuple[Option, ...]
    spaces: Mapping[SpaceId, Space]
    neighbours: Mapping[SpaceId, tuple[SpaceId, ...]]  # every border, in board order
    land: Mapping[SpaceId, tuple[SpaceId, ...]]  # passable land next to a space
    sea: Mapping[SpaceId, tuple[SpaceId, ...]]  # sea zones next to a space (canals included)
    air: Mapping[SpaceId, tuple[SpaceId, ...]]  # where planes may fly: all but impassable land
    skies: Mapping[PowerId, Mapping[SpaceId, tuple[SpaceId, ...]]]  # the same for powers with an area of their own
    canals: Mapping[tuple[SpaceId, SpaceId], Canal]  # both directions
    wraparound: tuple[tuple[SpaceId, SpaceId], ...]
    gaps: tuple[Gap, ...]  # pairs that look like neighbours and are not
    sides: tuple[SideId, ...]
    powers: Mapping[PowerId, Power]
    order: tuple[PowerId, ...]  # turn order
    wars: tuple[tuple[PowerId, PowerId], ...]  # at the start, where powers can be at peace
    alliances: tuple[tuple[PowerId, PowerId], ...]  # at the start, where they are free
    comrades: Mapping[PowerId, frozenset[PowerId]]  # the power and the others of its side
    opponents: Mapping[PowerId, frozenset[PowerId]]  # all others
    units: Mapping[UnitId, UnitType]  # in the edition's order
    hiders: tuple[UnitId, ...]  # those that hide from something
    edits: Mapping[PowerId, Mapping[UnitId, UnitType]]  # unit types that differ for one power
    technologies: Mapping[TechId, Technology]
    objectives: tuple[Objective, ...]
    victory: tuple[Victory, ...]
    phases: tuple[str, ...]
    titles: Mapping[str, str]  # what the edition calls its phases, where it has names of its own
    actors: tuple[PowerId | None, ...]  # for each phase the power whose part it is; None: whose turn it is
    citations: Mapping[str, tuple[RuleId, ...]]  # reason of a refusal -> the rules behind it, the most telling first
    battles: Mapping[str, tuple[str, ...]]  # battle kind -> its steps
    rules: Rules
    seats: Seats
    setup: Setup
    original_factories: Mapping[SpaceId, PowerId]  # complexes that their owner started the game with
    traits: Mapping[str, Any] = {}  # facts of the edition and the scenario that only some steps read

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
