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
from sandtable.world.events import EventCard
from sandtable.world.specials import NONE, Special

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
MarkId = str  # a mark on a unit: a technology by whose id it is marked, or a mark of its own
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
    permission: bool = False  # an owner at peace with the ships can let them through
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


class Support(msgspec.Struct, frozen=True, kw_only=True):
    """What a power lives on that has neither a capital nor complexes on the board."""

    spaces: tuple[SpaceId, ...]  # new units appear there; with the last of them income ends and savings are lost
    dice: int  # their sum is its income, and the money that it begins with


class Supplies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Units that a power buys only while its side holds certain land (the Burma Road)."""

    units: tuple[UnitId, ...]
    land: tuple[SpaceId, ...]
    rules: tuple[RuleId, ...] = ()


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """A side's member that takes turns, owns units and money."""

    id: PowerId
    name: str
    side: SideId  # empty: none, and an enemy of everybody whom it meets (armies of neutral land)
    adjective: str  # German, British...: for sentences
    colour: str
    capital: SpaceId | None = None
    exile: tuple[SpaceId, ...] = ()  # where its government may go when the capital is lost
    treasury: int = 0
    collects_income: bool = True
    played: bool = True  # False: it has land or units, but neither turn nor seat nor money (the Dutch)
    guards: tuple[PowerId, ...] = ()  # whoever is at war with all of these is so with it; they may take over its land
    played_by: PowerId | None = None  # a power without a turn and seat of its own (China)
    part: Part | None = None  # what it does in the turn of the power that plays it
    reinforcement: Reinforcement | None = None  # its only new units
    support: Support | None = None  # instead of production and complexes
    levy_dice: int = 0  # when its turn opens it returns the lowest of so many dice to the bank
    continues: PowerId | None = None  # its turn and that of this power, which comes before, are one
    special: Special = NONE  # rights and limits of its own
    researches: bool = True
    trains: bool = True  # pilots, where they are trained
    buys: tuple[UnitId, ...] = ()  # all that it buys; empty: anything
    supplies: Supplies | None = None  # what else it buys at times
    builds: bool = True  # False: it neither builds nor uses nor repairs facilities; new units appear in its own land
    convoys: bool = True  # enemy ships off its coast cost it money
    keeps_while: Mapping[SpaceId, SpaceId] = {}  # land of allies that it keeps only while the enemy has other land
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


class Ride(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A unit that takes others along."""

    unit: UnitId
    passenger: UnitId
    number: int = 1  # passengers a unit
    only: tuple[Literal["blitz", "noncombat"], ...] = ()  # on such moves; empty: always


class BaseDrop(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Troops that fly from a base into somebody else's attack, without a plane of the game to carry them."""

    base: UnitId
    unit: UnitId
    number: int  # from each base in a turn
    range: int


class Spies(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What secret services can do, once a turn: uncover or set back an enemy's project, or send a force by surprise."""

    ships: int  # that a surprise sends, with what is aboard
    troops: int  # or so many land units and planes
    spaces: int  # and how far


class Drop(Ride, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A plane that drops troops."""

    fee: int = 0  # for each of the troops, paid in the research phase of the turn
    mark: MarkId = ""  # what dropped troops carry for the rest of the turn
    passes: bool = False  # it may fly on over enemy land; else it drops them over the first that it enters
    leaves: bool = False  # it does nothing else and is out of the battle when they have left it


class Sacrifice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Planes that may be sent to be lost."""

    unit: UnitId
    mark: MarkId  # what they are marked with: it tells how they fight
    powers: tuple[PowerId, ...]
    range_share: int = 2  # they fly this part of their range


class Technology(msgspec.Struct, frozen=True, kw_only=True):
    id: TechId
    name: str
    aliases: tuple[str, ...] = ()  # other words for it that orders may use
    roll: int | None = None  # the die, or the sum of dice, that gives it
    chart: int | None = None
    progress: tuple[int, ...] = ()  # tracked: spaces for each face of its one die; empty: as many as dice show
    price: int | None = None  # of a die thrown for just this one, where that is allowed
    annuls: int = 0  # a die of this or less takes a breakthrough from an enemy
    leader: MarkId | None = None  # one unit, named when it is developed, carries this mark from then on
    income: int = 0  # extra income each turn
    income_dice: int = 0  # dice of extra income each turn
    output_change: int = 0  # units more that a complex can receive...
    output_value: int = 0  # ...in territories worth at least so much
    outputs: Mapping[UnitId, int] = {}  # what kinds of complex receive with it
    repairs_per_cost: int = 1  # damage markers taken off for the price of one
    drops: Drop | None = None  # planes may drop troops
    takes_along: Ride | None = None  # land units may take others along as far as they go
    airborne: BaseDrop | None = None  # troops may fly from bases
    interception: int = 0  # added to the air combat roll of planes that intercept
    spies: Spies | None = None
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
    also: tuple[str, ...] = ()  # further marks of those who take part
    defenders: Literal["all", "none"] = "all"
    first: bool = False  # fought before all others, one after the other in board order, without being asked for
    repeats: bool = True  # round follows round until a step ends it; else it is over after its last step
    counts: bool = True  # the space then counts as fought over in this turn
    captures: bool = False  # about the land itself: landings come ashore for it, and the winner's troops take it
    clears: bool = False  # landings from the zone wait for it, and hang on how it ends
    surprise: str = ""  # the kind that it is in a surprise attack
    then: str = ""  # the kind that it is after its first round; empty: it stays what it is
    stalemate: Literal["stay", "lost"] = "stay"  # what becomes of attackers when nobody can hit anybody
    air: bool = False  # planes against planes: once in a turn, before anything else is fought in its space
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
    powers: Mapping[PowerId, Mapping[str, Any]] = {}  # key "*" means every power
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


class Training(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One level of pilots: what it adds to their air combat rolls, and what it costs each turn."""

    level: int
    keep: int
    rise: int | None = None  # more for the next level; None: there is none


class Aid(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A die of aid that one power may buy for another once a turn: what it shows comes from the bank."""

    giver: PowerId
    receiver: PowerId
    cost: int
    required: bool = False  # it must be bought whenever it can be


class Guests(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Powers that may also enter certain land of certain allies."""

    powers: tuple[PowerId, ...]
    hosts: tuple[PowerId, ...]
    places: tuple[SpaceId, ...]


class Sharing(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who may be in land together; other allies keep out of each other's land, and of land where the other stands."""

    partners: tuple[tuple[PowerId, ...], ...] = ()
    guests: tuple[Guests, ...] = ()
    rules: tuple[RuleId, ...] = ()  # for land that an ally controls
    rules_of_stay: tuple[RuleId, ...] = ()  # for other land in which an ally's units stand


class Grants(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A power that may open its land to others, territory by territory, while its capital is lost."""

    power: PowerId
    to: tuple[PowerId, ...]


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Numbers and choices that steps and phases read. An edition sets them, options change them."""

    dice_sides: int = 6
    relations: Relations = "sides"  # what makes powers allies and enemies
    liberation: Literal["returned", "kept"] = "returned"  # land of an ally that is taken back: whose it is then
    neutrals: Literal["fee", "closed", "armies"] = "fee"  # neutral land: entered for money, not at all, or by battle
    neutral_fee: int = 3  # what entering or overflying it costs
    peace_without_combat: bool = False  # a power at war with nobody has no combat phases
    sharing: Sharing | None = None  # who may be in land together; None: all allies
    grants: Grants | None = None  # who may open its land to whom
    strict_neutrals_turn: bool = False  # when one is violated, all the others lean away from the violator
    overflight_fire: bool = True  # AA guns fire at planes that only pass over
    new_ships_among_enemies: bool = True
    planes_retreat_from_assault: bool = True
    casualties_by_column: bool = False  # hits are settled after each column instead of after all dice
    picks_by_column: bool = False  # the same only where shooters of some columns name the victims
    # who picks casualties of an allied force; players: those who run its powers agree, and one who runs all just picks
    joint_casualties: Literal["owner", "agreement", "players"] = "owner"
    complex_output: Literal["original-unlimited", "value", "by-kind"] = "original-unlimited"
    complex_minimum: int = 1  # output of a complex in land without value
    complex_site: int = 0  # least value of land where a complex can be built
    purchase_limit: Literal["none", "capacity"] = "none"  # no more units are bought than complexes can receive
    peace_moves: bool = False  # a die tells how many units a power at peace may move in a turn
    peace_budget: int | None = None  # at peace a power spends this fraction of its money on combat units: 2 is half
    repair_cost: int = 1  # for taking a damage marker off
    raid_damage: Literal["money", "markers"] = "money"  # what bombs cost the owner of a complex
    must_place: bool = True  # new units that have a place are placed before the turn goes on
    capture_damage: bool = False  # facilities in land that is taken get a die of damage each
    unplaced_units: Literal["lost", "kept", "refunded"] = "lost"
    mobilize_needs_capital: bool = False  # a power without its capital places nothing
    researchers: bool = False  # who is paid for stays and rolls every turn until one of them succeeds
    breakthroughs: Literal["each", "one"] = "each"  # for every success of a turn, or one however many there are
    breakthrough_dice: int = 1  # their sum names the development
    focused_research: bool = False  # once a turn a die for one development by name, at its own price
    developments: Literal["rolled", "tracked", "none"] = "rolled"  # found by a die, at the end of a track, or never
    research_cost: int = 5
    research_success: int = 6  # tracked: with this or more a project gets another die
    track_length: int = 18  # tracked: where a project is developed
    new_projects: int = 2  # tracked: that a power may begin in a turn
    blind_research: bool = False  # tracked: others see how far projects are, but not what they are
    event_cards: bool = False  # a card is drawn at the start of each round...
    event_deck: str = ""  # ...from this deck
    training: tuple[Training, ...] = ()  # levels of pilots, from the lowest; empty: all pilots are alike
    aid: Aid | None = None  # lend lease
    rocket_limit: Literal["one", "per-gun", "each-gun"] = "one"  # in a turn: one, or one a gun, and one a target or not
    rocket_targets: tuple[UnitId, ...] = ()  # facilities that rockets are fired at; empty: complexes
    rockets_pass_neutrals: bool = True
    rocket_time: Literal["any", "before-raids"] = "any"  # any: whenever the power has to answer something in combat
    rocket_damage: Literal["money", "markers"] = "money"
    aa_targets: Literal["chosen", "each"] = "chosen"  # planes hit are picked by their owner, or each has its die
    raid_targets: Literal["complexes", "land", "facilities"] = "complexes"  # what bombers can raid; land: all of it
    raid_limit: Literal["none", "value"] = "none"  # value: a raid costs no more than the land is worth, but in capitals
    raid_interceptors: bool = False  # fighters in a raided territory may go up against the raiders
    raid_escorts: bool = False  # and fighters of the raiders' power fly along to meet them
    drops: Drop | None = None  # planes of every power may drop troops
    airlift: Ride | None = None  # planes of every power may carry troops in the quiet move
    sacrifice: Sacrifice | None = None  # kamikazes
    battle_order: Literal["free", "assaults-first"] = "free"
    overland_retreat: bool = False  # beside landed troops, all who came overland may leave, with the planes
    retreat_to: Literal["friendly", "friendly-at-start"] = "friendly"
    support_per_landed: bool = False  # no more ships support a landing than units go ashore
    landings_reconsidered: bool = False  # after a sea battle that cost ships the attacker may leave troops aboard
    task_forces: bool = False  # an assault past enemy ships may be divided into an Attack and an Invasion Fleet
    one_shore: bool = False  # a transport puts all its units ashore in one territory
    combat_moves_need_purpose: bool = False  # ships that neither fight nor help a landing wait for the quiet move
    loaded_must_land: bool = False  # troops that board in the combat move go ashore in it
    lone_transports_fall: bool = False  # warships that come upon transports alone sink them, or help a landing
    support_looks_on: bool = False  # planes and boats sent with a landing may leave alone whoever stops no ships
    landings_need_warship: bool = False  # beside enemy submarines that are left alone
    transports_need_escort: bool = False  # they enter hostile zones only with, or to join, units that can attack
    takes_along: tuple[Ride, ...] = ()  # land units of every power may take others along as far as they go
    planes_follow: bool = True  # planes that would be left without a deck go along with their carrier unasked
    decks_first: bool = False  # in the quiet move planes end over a zone only if a deck is there, or will be placed
    boats_rest_anywhere: bool = False  # in the quiet move boats that slip through may end beside their hunters
    sorties: bool = False  # planes scramble, interdict and intercept, and fight for the air before the battles
    air_chart: tuple[tuple[tuple[int, int], ...], ...] = ()  # rows by air factor from 1, columns by roll from 2
    interdiction: MarkId = ""  # bases attack ships that have moved; planes so marked make no combat move after it
    landings_wait: bool = False  # troops of an assault go ashore when its battle begins, never before
    fighters_carried: bool = True  # a carrier's own fighters ride along; False: they fly beside it
    stranded_reach: Literal["island", "one-space"] = "island"  # where planes of a sunken carrier may go
    stranded_time: Literal["battle", "phase"] = "battle"  # after that battle, or when all of the phase are fought
    planes_evacuate: bool = False  # defending planes leave land that has fallen, as those of sunken carriers do
    guns_taken_in_combat: bool = False  # land with guns or complexes only falls in the combat phase, not when entered
    capitals_taken_in_combat: bool = False  # nor does a capital without any unit
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
    fixed: bool = False  # nobody sits otherwise than the presets say
    drawn: bool = False  # who plays what is drawn by lot
    rules: tuple[RuleId, ...] = ()


class Victory(msgspec.Struct, frozen=True, kw_only=True):
    """One way in which a game can end."""

    id: str
    when: Condition
    winner: str = "each-side"  # a side, a power, each-side, each-power (`self` in the condition) or nobody
    checked: Literal["turn", "round", "at-once"] = "turn"  # at the end of every turn or round, or whenever it holds
    players: Literal["any", "two", "more"] = "any"  # how many people must be at the table
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
    at: Literal["combat-move", "income"] = "combat-move"  # when in its turn
    draws_in: tuple[PowerId, ...] = ()  # who is then at war, too: with whoever the own side has become an enemy of
    rules: tuple[RuleId, ...] = ()


class ActOfWar(msgspec.Struct, frozen=True, kw_only=True):
    """What some powers do that gives another one a right to answer: units that enter certain land in peace."""

    id: str
    by: tuple[PowerId, ...]
    against: PowerId
    places: Places
    rules: tuple[RuleId, ...] = ()


class Ban(msgspec.Struct, frozen=True, kw_only=True):
    """What units of some powers keep out of while a condition holds: certain spaces, or the land and the units of
    other powers, which are neither enemies nor friends to them meanwhile."""

    id: str
    powers: tuple[PowerId, ...]
    places: Places
    when: Condition  # `self` is the power whose units are meant
    units: tuple[str, ...] = ()  # unit types, domains, warships; empty: all
    passing: bool = False  # they may pass through, but not stay
    against: tuple[PowerId, ...] = ()  # powers that they leave alone
    attacks: bool = False  # only attacks are barred, not flying over, nor entering where friends hold the land
    land_of: Literal["anybody", "friends", "enemies"] = "anybody"  # who must hold the places
    permits: bool = False  # the owner can open single places (`permit`)
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
    offered: bool  # in lists of games to choose from
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
    carriers: frozenset[UnitId]  # ships with a deck
    bombs: tuple[UnitId, ...]  # what planes carry to drop it
    hiders: tuple[UnitId, ...]  # those that hide from something
    bulwarks: tuple[UnitId, ...]  # facilities that fight
    ambushers: tuple[UnitId, ...]  # boats that fire at ships which enter their zone
    bases: Mapping[Domain, tuple[UnitId, ...]]  # facilities that let units of a domain go farther
    joinable: bool  # land can go over to a power without a battle: it leans to a side, or the power guards it
    undergrounds: tuple[UnitId, ...]  # those that rise in land which enemies hold
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
