"""The World: everything about a game that never changes while it is played.

Board, powers, units, phases, battle steps, options and set-up, compiled once from an edition's data files and
the chosen options (`sandtable.world.compile`). All of it is immutable; mappings are read-only by convention.

Ids are ASCII slugs (`anglo-egypt-sudan`, `aa-gun`); names are for people.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from sandtable.world.bundle import Bundle

if TYPE_CHECKING:
    from sandtable.world.conditions import Condition, Places
else:
    Condition = Places = Any  # records that were read and checked before they get here

Domain = Literal["land", "air", "sea", "facility"]
SideId = str
PowerId = str
SpaceId = str
UnitId = str
TechId = str
MarkId = str  # a lasting mark on a unit: a technology by whose id it is marked, or a mark of its own
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
    """A lasting mark that single units can carry, beside the technologies that mark units."""

    id: MarkId
    name: str
    units: Mapping[UnitId, Mapping[str, Any]] = {}  # changed fields of units that carry it; key "*" means every type
    rules: tuple[RuleId, ...] = ()


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
    cannot_hit: tuple[Domain | UnitId, ...] = ()
    hits_only: tuple[Domain | UnitId, ...] = ()  # its hits strike nothing else; empty: whatever is not ruled out
    loads: tuple[Mapping[UnitId, int], ...] = ()  # full loads of a transport; any part of one is allowed
    deck: Mapping[UnitId, int] = {}  # planes that can land on it: unit -> number (a carrier)
    factory: bool = False  # new units appear where it stands
    rocket_range: int = 0  # how far it may fire a rocket
    modifiers: tuple[Modifier, ...] = ()  # how it changes its own fire, or that of others
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
    marks_units: bool = False  # those changes hold only for units bought from then on, which are marked with its id
    traits: Mapping[str, Any] = {}
    rules: tuple[RuleId, ...] = ()
    help: str = ""


class BattleKind(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of battle: its steps, who fights in it, and what comes of it."""

    steps: tuple[str, ...]
    where: Literal["land", "sea", "any"] = "any"
    attackers: str = "all"  # all that fight · passing: the planes that fly over · else the mark of those who take part
    defenders: Literal["all", "none"] = "all"
    first: bool = False  # fought before all others, one after the other in board order, without being asked for
    repeats: bool = True  # round follows round until a step ends it; else it is over after its last step
    counts: bool = True  # the space then counts as fought over in this turn
    captures: bool = False  # about the land itself: landings come ashore for it, and the winner's troops take it
    clears: bool = False  # landings from the zone wait for it, and hang on how it ends
    stalemate: Literal["stay", "lost"] = "stay"  # what becomes of attackers when nobody can hit anybody
    ending: tuple[str, ...] = ()  # what follows its end, in this order; `engine.battle.ending` knows the words


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
    add_marks: Mapping[MarkId, Added] = {}
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
    battles: Mapping[str, Mapping[str, Any]] = {}  # fields of BattleKind
    add_battles: Mapping[str, BattleKind] = {}  # new kinds of battle
    objectives: Mapping[str, Mapping[str, Any]] = {}
    add_objectives: Mapping[str, Added] = {}
    remove_objectives: Literal["all"] | tuple[str, ...] = ()
    victory: Mapping[str, Mapping[str, Any]] = {}
    add_victory: Mapping[str, Added] = {}
    remove_victory: Literal["all"] | tuple[str, ...] = ()
    add_milestones: Mapping[str, Condition] = {}
    declarations: Mapping[str, Mapping[str, Any]] = {}
    add_declarations: Mapping[str, Added] = {}
    remove_declarations: Literal["all"] | tuple[str, ...] = ()
    bans: Mapping[str, Mapping[str, Any]] = {}
    add_bans: Mapping[str, Added] = {}
    remove_bans: Literal["all"] | tuple[str, ...] = ()
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
    strict_neutrals_turn: bool = False  # when one is violated, all the others lean away from the violator
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
    combat_moves_need_purpose: bool = False  # ships that neither fight nor help a landing wait for the quiet move
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
    when: Condition
    winner: str = "each-side"  # a side, a power, each-side, each-power (`self` in the condition) or nobody
    checked: Literal["turn", "round", "at-once"] = "turn"  # at the end of every turn or round, or whenever it holds
    held: Literal["", "round"] = ""  # round: up to the end of the next turn of the power in whose turn it was reached
    then: Condition | None = None  # must hold when that time is over, too
    name: str = ""
    rules: tuple[RuleId, ...] = ()
    traits: Mapping[str, Any] = {}


class Objective(msgspec.Struct, frozen=True, kw_only=True):
    """A bonus that a power gets when it collects income, if a condition holds then."""

    id: str
    power: PowerId  # or each: every power, which is `self` in the condition
    bonus: int
    when: Condition
    per: Condition | None = None  # paid for each that this counts; at least one
    once: bool = False  # in a game
    name: str = ""
    rules: tuple[RuleId, ...] = ()
    traits: Mapping[str, Any] = {}


class Declaration(msgspec.Struct, frozen=True, kw_only=True):
    """A right to declare war."""

    id: str
    by: tuple[PowerId, ...]
    on: tuple[PowerId, ...]
    when: Condition  # `self` is the power that declares
    draws_in: tuple[PowerId, ...] = ()  # who is then at war, too: with whoever the own side has become an enemy of
    rules: tuple[RuleId, ...] = ()


class Ban(msgspec.Struct, frozen=True, kw_only=True):
    """Land or sea that units of some powers keep out of while a condition holds."""

    id: str
    powers: tuple[PowerId, ...]
    places: Places
    when: Condition  # `self` is the power whose units are meant
    text: str = ""  # the rest of a sentence that begins with whose units they are
    rules: tuple[RuleId, ...] = ()


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
    marks: Mapping[MarkId, Mark]  # lasting marks that are no technologies
    objectives: tuple[Objective, ...]
    victory: tuple[Victory, ...]
    milestones: Mapping[str, Condition]  # what is remembered for ever once it holds
    declarations: tuple[Declaration, ...]
    bans: tuple[Ban, ...]
    watched: frozenset[str]  # what is remembered when it happens, since a condition asks for it
    phases: tuple[str, ...]
    titles: Mapping[str, str]  # what the edition calls its phases, where it has names of its own
    actors: tuple[PowerId | None, ...]  # for each phase the power whose part it is; None: whose turn it is
    citations: Mapping[str, tuple[RuleId, ...]]  # reason of a refusal -> the rules behind it, the most telling first
    battles: Mapping[str, BattleKind]
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
