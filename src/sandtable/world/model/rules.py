"""Numbers and choices of the rules, and the kinds of battles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from sandtable.world.model.ids import MarkId, PowerId, UnitId
from sandtable.world.model.politics import Grants, Sharing
from sandtable.world.model.technologies import Drop, Ride

Relations = Literal["sides", "wars", "alliances"]
"""sides: fixed for the whole game · wars: at peace until war is declared · alliances: agreed on and broken freely."""


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


class Sacrifice(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Planes that may be sent to be lost."""

    unit: UnitId
    mark: MarkId  # what they are marked with: it tells how they fight
    powers: tuple[PowerId, ...]
    range_share: int = 2  # they fly this part of their range


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
    rocket_limit: Literal["one", "per-gun"] = "one"  # in a turn: one, or one for each territory with a gun
    rockets_share_targets: bool = False  # several may be fired at one target
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
    hosts_agree: bool = False  # who shares land, decks or transports of an ally needs its player's leave
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
