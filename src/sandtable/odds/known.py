"""What the exact calculation understands, declared in one place; whatever else a battle may hold is played out.

Steps are known by the engine's functions, so that a step put in another's place is not mistaken for it. Fields of
units, rules, pieces and battles are known by name: a field that is not listed, and is not left at its default, may mean
anything. `obstacle` tells what stands against calculating a battle, in words that end a sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import dropwhile, pairwise
from typing import Any, Literal

import msgspec

from sandtable.engine.battle.fire import spared
from sandtable.engine.battle.forces import airborne, stands, takes_part
from sandtable.engine.battle.hits import endurance
from sandtable.engine.battle.muster import Muster
from sandtable.engine.battle.steps import STEPS, steps_of_round
from sandtable.engine.battle.steps.aa_fire import aa_fire, flak
from sandtable.engine.battle.steps.air_battle import answer, meet
from sandtable.engine.battle.steps.anti_tank import anti_tank, anti_tank_done
from sandtable.engine.battle.steps.attackers_fire import attackers_fire
from sandtable.engine.battle.steps.bombs import bombs
from sandtable.engine.battle.steps.check_end import check_end
from sandtable.engine.battle.steps.coast_fire import coast_fire
from sandtable.engine.battle.steps.defenceless_transports import (
    defenceless_after_round,
    defenceless_after_strikes,
    defenceless_transports,
)
from sandtable.engine.battle.steps.defenders_fire import defenders_fire
from sandtable.engine.battle.steps.expended import remove_expended
from sandtable.engine.battle.steps.lone_transports import lone_transports
from sandtable.engine.battle.steps.paratroopers_drop import paratroopers_drop
from sandtable.engine.battle.steps.remove_casualties import remove_casualties, remove_shot_down
from sandtable.engine.battle.steps.retreat import retreat
from sandtable.engine.battle.steps.spent import carries_on, overrun_guns, spent
from sandtable.engine.battle.steps.submarine_fire import submarine_fire
from sandtable.engine.battle.steps.submarines_dive import submarines_dive
from sandtable.engine.battle.steps.submarines_withdraw import submarines_withdraw
from sandtable.engine.battle.steps.support_shot import support_shot
from sandtable.engine.battle.steps.surprise_attack import remove_surprised, surprise_attack
from sandtable.engine.battle.steps.surprise_strike import remove_struck, surprise_reply, surprise_strike
from sandtable.engine.facts import Known, trapped, type_of
from sandtable.engine.questions.casualties import worth_of
from sandtable.engine.run import Run
from sandtable.engine.state import Battle, Piece, Role
from sandtable.odds.model import DOMAINS, Act, BattleModel, Force, Kind, price
from sandtable.odds.volleys import volleys
from sandtable.world.model import Rules, UnitId, UnitType, World

Function = Callable[[Run], bool]

ACTS: dict[Function, Act] = {
    aa_fire: "aa",
    paratroopers_drop: "drop",
    support_shot: "support",
    submarine_fire: "first",
    surprise_strike: "strike",
    surprise_reply: "strike-back",
    remove_struck: "struck",
    defenceless_transports: "defenceless",
    lone_transports: "alone",
    attackers_fire: "doom",
    defenders_fire: "reply",
    remove_casualties: "clear",
    check_end: "end",
    submarines_withdraw: "submarines",
    retreat: "retreat",
    bombs: "bombs",
}
"""What each of the engine's steps is to the calculator."""

STRIKES: dict[Function, Act] = {
    anti_tank: "ready",
    overrun_guns: "overrun",
    flak: "flak",
    support_shot: "support",
    remove_surprised: "struck",
    coast_fire: "coast",
    check_end: "end",
    attackers_fire: "doom",
    surprise_attack: "surprise",
    remove_shot_down: "shot-down",
    defenders_fire: "reply",
    remove_casualties: "clear",
    anti_tank_done: "turn-back",
    spent: "spent",
    retreat: "retreat",
    aa_fire: "aa",
    submarines_withdraw: "submarines",
    surprise_strike: "strike",
    surprise_reply: "strike-back",
    remove_struck: "struck",
    submarines_dive: "dive",
    defenceless_transports: "defenceless",
    defenceless_after_strikes: "struck-alone",
    defenceless_after_round: "left-alone",
    lone_transports: "alone",
}
"""The same for battles whose first round is unlike the others (`strikes`, at sea `sorties`)."""

FIRST_ROUNDS: frozenset[tuple[Act, ...]] = frozenset(
    (
        (
            *("ready", "overrun", "flak", "support", "coast", "end", "doom", "shot-down", "reply", "clear", "end"),
            *("turn-back", "spent", "retreat"),
        ),
        (
            *("ready", "overrun", "support", "struck", "coast", "end", "surprise", "reply", "clear", "end"),
            *("turn-back", "spent", "retreat"),
        ),
    )
)
STRIKE_FATES: dict[Act, str] = {
    "flak": "doomed",
    "support": "doomed",
    "coast": "battle",
    "doom": "doomed",
    "surprise": "first-shot",
    "reply": "battle",
}
LATER_ROUND: tuple[Act, ...] = ("end", "doom", "reply", "clear", "end", "turn-back", "spent", "retreat")

SEA_HEAD: tuple[Act, ...] = ("end", "defenceless", "end", "defenceless", "end")
SEA_STRIKES: tuple[Act, ...] = ("strike", "strike-back", "struck", "struck-alone", "end")
SEA_TAIL: tuple[Act, ...] = ("left-alone", "alone", "end", "spent", "retreat")
SEA_ROUNDS: frozenset[tuple[Act, ...]] = frozenset(
    (
        (
            *("end", "aa", "defenceless", "end", "submarines", "defenceless", "end"),
            *(*SEA_STRIKES, "doom", "reply", "clear", "dive", *SEA_TAIL),
        ),
        (
            *("end", "defenceless", "end", "submarines", "defenceless", "end"),
            *(*SEA_STRIKES, "surprise", "reply", "clear", "dive", *SEA_TAIL),
        ),
    )
)
SEA_LATER: tuple[Act, ...] = (*SEA_HEAD, *SEA_STRIKES, "doom", "reply", "clear", *SEA_TAIL)
SEA_FATES: dict[Act, str] = {
    "aa": "aa",
    "strike": "doomed",
    "strike-back": "first-shot",
    "doom": "doomed",
    "surprise": "first-shot",
    "reply": "battle",
    "dive": "battle",
}

EXPECTED_FATES: dict[Act, str] = {
    "aa": "aa",
    "support": "doomed",
    "first": "first-shot",
    "strike": "doomed",
    "strike-back": "first-shot",
    "doom": "doomed",
    "reply": "battle",
}
EXPECTED_ONCE: frozenset[Act] = frozenset(("aa", "drop", "support", "bombs"))

WORDS = ("id", "name", "plural", "aliases", "rules", "help")
UNIT_FIELDS = frozenset(
    (
        *WORDS,
        # what they do in a battle
        *("domain", "attack", "defense", "hits", "captures", "attacks", "casualty", "anti_air", "support", "modifiers"),
        *("chosen_last", "hunts", "hides_from", "first_shot", "withdraws", "submerges", "cannot_hit", "hits_only"),
        *("deck",),
        # what has no bearing on it
        *(
            "cost",
            "move",
            "raid_dice",
            "raid_bonus",
            "blitz",
            "captured",
            "blocks",
            "limit",
            "slips",
            "loads",
            "complex",
        ),
        *("rocket_range", "intercepts", "assaults", "citations", "traits", "fails_at", "lifts", "ambushes"),
        *(
            "anti_tank",
            "raider",
            "moves_early",
            "payload",
            "underground",
            "needs",
            "only_for",
            "most_a_turn",
            "most_a_game",
            "most_on_board",
            "reserve",
            "convoy_dice",
            "built_at",
            "facility",
        ),
    )
)
STRIKE_FIELDS = UNIT_FIELDS | {"strikes_once", "guards", "shots", "bulwark"}
"""Those that are known in battles whose first round is unlike the others."""

SORTIE_FIELDS = STRIKE_FIELDS - {"bulwark"} | {"dives", "again", "sharper", "deck_fails"}
"""The same at sea."""

TECHNOLOGY_TRAITS = frozenset({"use", "printed_cost"})  # remarks

TRAITS = frozenset(
    (
        "repaired",  # when damage goes away: after the battle
        # what has no bearing on a battle
        *("towed_by", "blitz_with", "tows", "powers", "most_on_board", "needs_complex", "convoy_dice", "placed"),
        *("most_damage", "air_factor", "scramble", "strafes", "picks_grounded", "raid_targets", "printed_raid_attack"),
    )
)
TECHNOLOGY_FIELDS = frozenset(
    (
        *WORDS,
        *(
            "roll",
            "chart",
            "price",
            "annuls",
            "leader",
            "income",
            "income_dice",
            "output_change",
            "output_value",
            "repairs_per_cost",
            "drops",
            "takes_along",
        ),
        *("units", "marks_units", "progress", "airborne", "interception", "spies", "traits", "outputs"),
    )
)
RULES = frozenset(
    (
        # what decides battles
        *("dice_sides", "planes_retreat_from_assault", "casualties_by_column", "joint_casualties", "aa_targets"),
        *("picks_by_column",),
        *("overland_retreat", "retreat_to", "support_per_landed", "stranded_reach", "stranded_time"),
        # what has no bearing on them
        *(
            "neutrals",
            "neutral_fee",
            "sharing",
            "grants",
            "overflight_fire",
            "new_ships_among_enemies",
            "complex_output",
            "complex_minimum",
        ),
        *("complex_site", "purchase_limit", "repair_cost", "raid_damage", "unplaced_units", "mobilize_needs_capital"),
        *("researchers", "breakthroughs", "developments", "research_cost", "research_success", "aid", "must_place"),
        *("breakthrough_dice", "focused_research"),
        *(
            "event_cards",
            "event_deck",
            "track_length",
            "new_projects",
            "blind_research",
            "training",
            "peace_budget",
            "peace_moves",
        ),
        *(
            "rocket_targets",
            "rockets_pass_neutrals",
            "rocket_limit",
            "rockets_share_targets",
            "rocket_time",
            "rocket_damage",
            "battle_order",
            "relations",
            "liberation",
        ),
        *(
            "landings_reconsidered",
            "combat_moves_need_purpose",
            "strict_neutrals_turn",
            "peace_without_combat",
            "capture_damage",
            "loaded_must_land",
            "landings_need_warship",
            "lone_transports_fall",
            "support_looks_on",
            "one_shore",
            "task_forces",
            "transports_need_escort",
        ),
        *(
            "fighters_carried",
            "planes_follow",
            "boats_rest_anywhere",
            "planes_evacuate",
            "hosts_agree",
            "decks_first",
            "takes_along",
            "sorties",
            "air_chart",
            "interdiction",
            "landings_wait",
            "guns_taken_in_combat",
            "capitals_taken_in_combat",
        ),
        *("captured_guns_rest", "damage_per_value", "landing_on_new_carriers", "new_fighters_on_carriers"),
        *("objectives", "individual_winner", "pieces"),
        *("raid_targets", "raid_limit", "raid_interceptors", "raid_escorts", "airlift", "sacrifice"),
        "drops",  # where nobody is dropped; else see `_units`
    )
)
PIECE_FIELDS = frozenset(
    (
        *("power", "type", "used", "origin", "done", "mark", "hits", "target", "cargo", "ashore", "marks"),
        *("fleet", "home", "lift"),
    ),
)
BATTLE_FIELDS = frozenset(
    (
        *("space", "kind", "attacker", "origins", "shores", "round", "step", "column", "hits", "doomed", "shaken"),
        *("answers", "asked", "told", "group", "queue"),
    )
)
KIND_FIELDS = frozenset(
    (
        *("steps", "where", "attackers", "defenders", "repeats", "captures", "stalemate", "ending"),
        *("first", "counts", "clears", "surprise", "air", "also"),
    )
)
ENDINGS = frozenset({"capture", "find-decks", "land-troops", "anti-tank-over"})
MODIFIER_FIELDS = frozenset(
    (
        *("units", "enemies", "role", "number", "only", "during", "works_below", "amount", "value", "dice"),
        *("best", "picks"),
    )
)
QUESTIONS = frozenset({"casualties", "submarines", "retreat"})

PLAIN: frozenset[Act] = frozenset(
    ("aa", "drop", "support", "first", "doom", "reply", "clear", "end", "submarines", "retreat")
)
BETWEEN_FLEETS: frozenset[Act] = frozenset(
    (
        "strike",
        "strike-back",
        "struck",
        "defenceless",
        "alone",
        "doom",
        "reply",
        "clear",
        "end",
        "submarines",
        "retreat",
    )
)


# ---------------------------------------------------------------- reading the steps


def act_of(step: str) -> Act | None:
    """What the step is to the calculator; None if it does not know it."""
    known = STEPS.get(step)
    return None if known is None else ACTS.get(known.run)


def acts_of(steps: Iterable[str], first_round: bool) -> list[Act]:
    """The acts of a round; steps that are not known are left out, and `obstacle` tells of them."""
    known = tuple(s for s in steps if s in STEPS)
    return list(_acts(tuple(STEPS[s].run for s in steps_of_round(known, 1 if first_round else 2))))


@lru_cache(maxsize=256)
def _acts(functions: tuple[Function, ...]) -> tuple[Act, ...]:
    return tuple(ACTS[function] for function in functions if function in ACTS)


def plain_acts(acts: Iterable[Act]) -> list[Act]:
    """A round of a battle that is not intricate: what would change nothing is left out.

    An end that is looked for between the fires finds nobody who could still fire.
    """
    acts = dropwhile(lambda act: act == "clear", acts)  # nobody has fired yet
    kept = [a for a in acts if a not in ("drop", "strike", "strike-back", "struck", "defenceless", "alone")]
    fires = [place for place, act in enumerate(kept) if act in ("doom", "reply")]
    last = fires[-1] if fires else -1
    return [a for place, a in enumerate(kept) if place > last or a not in ("end", "submarines")]


def live_steps(model: BattleModel, muster: Muster | None = None) -> list[str]:
    """The steps that are still to do something in this battle: not those of which it is known that they cannot."""
    battle = muster.battle if muster is not None else None
    return [step for place, step in enumerate(model.steps) if not _is_idle(model, step, place, battle)]


def _is_idle(model: BattleModel, step: str, place: int, battle: Battle | None) -> bool:
    known = STEPS.get(step)
    if known is None:
        return False
    if battle is not None and known.once and (battle.round > 1 or place < battle.step):
        return True
    if known.run in (meet, answer):  # planes meet only planes that can meet them
        planes = any(kind.domain == "air" for kind in model.attack.kinds)
        return not planes or not any(kind.type_in(model.world).intercepts for kind in model.defense.kinds)
    if known.run is remove_expended:
        return not any(kind.type_in(model.world).expended for kind in model.attack.kinds)
    return known.run in IDLE_WITHOUT and not IDLE_WITHOUT[known.run](model)


def _holds_alone(model: BattleModel) -> bool:
    """Nobody defends but guns that guard nothing."""
    return not any(kind.type_in(model.world).guards for kind in model.defense.kinds)


def _has_guns(model: BattleModel) -> bool:
    return any(kind.type_in(model.world).anti_air for kind in model.defense.kinds)


def _under_fire(model: BattleModel) -> bool:
    return _has_guns(model) and any(kind.domain == "air" for kind in model.attack.kinds)


def _tires(model: BattleModel) -> bool:
    """Somebody strikes once, or guards nothing: who is left may have nothing to fight with."""
    return any(unit.strikes_once or not unit.guards for unit in model.types)


IDLE_WITHOUT: dict[Function, Callable[[BattleModel], bool]] = {
    overrun_guns: _holds_alone,
    anti_tank: _has_guns,
    anti_tank_done: _has_guns,
    flak: _under_fire,
    remove_shot_down: _under_fire,
    coast_fire: lambda model: any(unit.bulwark for unit in model.types),
    spent: _tires,
}
"""Steps that do nothing unless this holds of the forces."""


def intricate(model: BattleModel) -> bool:
    """Who fires when, and at whom, hangs on who is left of the other force: submarines and transports at sea."""
    if not {"strike", "strike-back", "defenceless", "alone"}.intersection(acts_of(model.steps, True)):
        return False
    return any(unit.first_shot or unit.chosen_last for unit in model.types)


# ---------------------------------------------------------------- what stands against exact odds


Way = Literal["exact", "walk", "strikes", "sorties"]
"""The solvers, by their modules."""


def obstacle(model: BattleModel, muster: Muster | None = None) -> str | None:
    """Why this battle cannot be calculated exactly; None if it can, as far as the rules go."""
    return way(model, muster)[1]


def way(model: BattleModel, muster: Muster | None = None) -> tuple[Way, str | None]:
    """Which solver is for this battle, and what stands against calculating it."""
    why = next(_obstacles(model, muster), None)
    if why is None or muster is None:
        return ("walk" if intricate(model) else "exact"), why
    acts = tuple(map(act_in_strikes, model.steps))
    if acts in FIRST_ROUNDS:
        return "strikes", next(_strikes_obstacles(model, muster), None)
    if acts in SEA_ROUNDS:
        return "sorties", next(_sorties_obstacles(model, muster), None)
    return ("walk" if intricate(model) else "exact"), why


def _obstacles(model: BattleModel, muster: Muster | None) -> Iterator[str]:
    world = model.world
    yield from _kind(model)
    live = live_steps(model, muster)
    yield from steps_unknown(live)
    yield from facts_unknown(
        world, ((k.type_in(world), k.techs) for force in (model.attack, model.defense) for k in force.kinds)
    )
    if muster is not None:
        yield from _position(muster)
    fleets = intricate(model)
    yield from _sequence(model, fleets)
    yield from _units(model, fleets)
    yield from _modifiers(model, fleets, live)
    if muster is not None:
        yield from _onlookers(world, muster)


def _kind(model: BattleModel, fields: frozenset[str] = KIND_FIELDS) -> Iterator[str]:
    """Two whole forces fight round after round, and what comes of it is known."""
    kind = model.world.battles[model.kind]
    plain = kind.attackers == "all" and kind.defenders == "all" and kind.repeats and ENDINGS.issuperset(kind.ending)
    if not plain or any(getattr(kind, name) != default for name, default in _unlisted(type(kind), fields)):
        yield f"battles of the kind {model.kind!r} are played, not calculated"


def steps_unknown(steps: Iterable[str]) -> Iterator[str]:
    """Steps that the calculator does not know, or knows otherwise."""
    for step in steps:
        act = act_of(step)
        if act is None:
            yield f"the step {step!r} is none that the calculator knows"
        elif STEPS[step].fate != EXPECTED_FATES.get(act):
            yield f"the step {step!r} treats its casualties in a way that the calculator does not know"
        elif STEPS[step].once != (act in EXPECTED_ONCE):
            yield f"the step {step!r} belongs to other rounds than the calculator expects"


def facts_unknown(
    world: World, units: Iterable[tuple[UnitType, frozenset[str]]], fields: frozenset[str] = UNIT_FIELDS
) -> Iterator[str]:
    """Abilities of these units (given with their power's technologies) and rules that the calculator cannot read."""
    yield from _rules_unknown(world.rules)
    known: set[str] = set()
    for unit, techs in units:
        yield from _fields_unknown(unit, fields, unit.plural)
        for trait in unit.traits:
            if trait not in TRAITS:
                yield f"the calculator does not know what {trait!r} means for {unit.plural}"
        for tech in techs - known:
            yield from _fields_unknown(world.technologies[tech], TECHNOLOGY_FIELDS, world.technologies[tech].name)
            for trait in set(world.technologies[tech].traits) - TECHNOLOGY_TRAITS:
                yield f"the calculator does not know what {trait!r} means for {world.technologies[tech].name}"
        known |= techs


@lru_cache(maxsize=64)
def _unlisted(kind: type[msgspec.Struct], listed: frozenset[str]) -> tuple[tuple[str, Any], ...]:
    """Fields that are not listed, with their defaults."""
    return tuple(
        (f.name, f.default if f.default_factory is msgspec.NODEFAULT else f.default_factory())
        for f in msgspec.structs.fields(kind)
        if f.name not in listed
    )


def _fields_unknown(value: msgspec.Struct, listed: frozenset[str], who: str) -> Iterator[str]:
    for name, default in _unlisted(type(value), listed):
        if getattr(value, name) != default:
            yield f"the calculator does not know what {name!r} means for {who}"


def _rules_unknown(rules: Rules) -> Iterator[str]:
    for name, default in _unlisted(type(rules), RULES):
        if getattr(rules, name) != default:
            yield f"the calculator does not know the rule {name!r}"


def _position(muster: Muster, questions: frozenset[str] = QUESTIONS) -> Iterator[str]:
    """A battle that stands at a point which the calculator cannot take up."""
    battle = muster.battle
    for question in muster.state.questions:
        if question.kind not in questions:
            yield f"the battle waits for an answer about {question.kind!r}"
    for name, default in _unlisted(Battle, BATTLE_FIELDS):
        if getattr(battle, name) != default:
            yield f"the calculator does not know what {name!r} means for a battle"
    unlisted = _unlisted(Piece, PIECE_FIELDS)
    for piece in (*muster.attackers, *muster.defenders) if unlisted else ():
        for name, default in unlisted:
            if getattr(piece, name) != default:
                yield f"the calculator does not know what {name!r} means for a unit"


def _sequence(model: BattleModel, fleets: bool) -> Iterator[str]:
    """Attackers fire (first shots before the rest), defenders reply, casualties go, then the ends of a round."""
    acts = acts_of(model.steps, True)
    if fleets:
        if strange := [a for a in acts if a not in BETWEEN_FLEETS]:
            yield f"{strange[0]!r} is no part of a sea battle with submarines or transports"
        if not _in_exchanges(acts_of(model.steps, False)):
            yield f"the calculator does not understand rounds with the steps {', '.join(model.steps)}"
        return
    rank: dict[Act, int] = {"aa": 0, "first": 1, "support": 2, "doom": 2, "reply": 3, "clear": 4}
    plain = plain_acts(acts)
    places = [rank.get(act, 5) for act in plain]
    read = places == sorted(places) and plain.count("reply") == 1 and plain.count("doom") <= 1
    if not read or "end" not in plain or "clear" not in plain or not PLAIN.issuperset(plain):
        yield f"the calculator does not understand battles with the steps {', '.join(model.steps)}"
    fires = [place for place, act in enumerate(acts) if act in ("doom", "reply")]
    early = fires and "submarines" in acts[: fires[-1]]
    if early and any(k.leaves for force in (model.attack, model.defense) for k in force.kinds):
        yield "submarines leave before the fire"


def _in_exchanges(acts: list[Act]) -> bool:
    """The fire of a round is made of whole exchanges, each an attack, a reply and the casualties' end."""
    fire: list[Act] = [a for a in acts if a in ("strike", "strike-back", "struck", "doom", "reply", "clear")]
    together = [tuple(fire[place : place + 3]) for place in range(0, len(fire), 3)]
    if not together or any(e not in EXCHANGES for e in together):
        return False
    return all(tuple(acts[p : p + 3]) in EXCHANGES for p, a in enumerate(acts) if a in ("strike", "doom"))


Exchange = tuple[Act, Act, Act]
"""Attackers fire, defenders fire, casualties go."""

EXCHANGES: tuple[Exchange, ...] = (("strike", "strike-back", "struck"), ("doom", "reply", "clear"))


def _units(model: BattleModel, fleets: bool) -> Iterator[str]:
    """Abilities that are known one by one, and not together or not in this kind of battle."""
    world = model.world
    drop = world.rules.drops
    if drop is not None and (drop.mark or drop.leaves) and any(kind.jumps for kind in model.attack.kinds):
        yield "troops are dropped that fight unlike others"
    for force, enemy in ((model.attack, model.defense), (model.defense, model.attack)):
        prey = {unit for k in enemy.kinds for unit in k.type_in(world).hunts}
        for kind in force.kinds:
            unit = kind.type_in(world)
            named = (*unit.cannot_hit, *unit.hits_only)
            if any(target not in DOMAINS for target in named):
                yield f"hits of {unit.plural} are for certain units only"
            if fleets and unit.hits_only:
                yield f"{unit.plural} hit certain units only"
            if kind.shield or unit.hits > 1:
                if kind.domain == "air":
                    yield f"{unit.plural} take several hits"
                if unit.withdraws or unit.submerges:
                    yield f"{unit.plural} take several hits and leave battles"
                if kind.jumps:
                    yield f"{unit.plural} take several hits and are dropped"
            if fleets:
                continue
            if unit.hides_from:
                yield f"{unit.plural} hide"
            if force is model.defense and "defense" in unit.first_shot:
                yield f"defending {unit.plural} fire first"
            if (kind.first or kind.leaves) and kind.unit in prey:
                yield f"{unit.plural} are hunted"
    if fleets and model.by_column:
        yield "hits on submarines and transports are settled column by column"
    if not fleets and not (_nested(model, model.attack, model.defense) and _nested(model, model.defense, model.attack)):
        yield "hits of one volley spare different units"


def _modifiers(model: BattleModel, fleets: bool, live: list[str]) -> Iterator[str]:
    """What changes the fire of units: their own for the whole battle, and one kind that helps another, are known.

    What holds during steps that will not come changes nothing.
    """
    roles: tuple[tuple[Role, Force], ...] = (("attack", model.attack), ("defense", model.defense))
    for role, force in roles:
        helpers: dict[UnitId, UnitId] = {}
        for kind in force.kinds:
            unit = kind.type_in(model.world)
            if kind.shield or not unit.modifiers:
                continue
            pairings = 0
            for modifier in unit.modifiers:
                if modifier.role not in (None, role) and not modifier.enemies:
                    continue
                if modifier.during and not set(modifier.during).intersection(live):
                    continue
                unlisted = _unlisted(type(modifier), MODIFIER_FIELDS)
                strange = modifier.during or modifier.best or modifier.picks or modifier.works_below is not None
                if strange or any(getattr(modifier, name) != default for name, default in unlisted):
                    yield f"{unit.plural} fire in a way that the calculator does not know"
                if not modifier.units:
                    if "loaded" in modifier.only:
                        yield f"{unit.plural} fire otherwise with something aboard"
                    continue
                changed = model.defense if modifier.enemies and role == "attack" else force
                changed = model.attack if modifier.enemies and role == "defense" else changed
                there = [k for k in changed.kinds if k.unit in modifier.units and not k.shield]
                if not there:
                    continue  # nobody whom it could help or hinder
                pairings += 1
                better = {modifier.amount if modifier.value is None else modifier.value - k.value for k in there}
                simple = modifier.number is not None and better == {1} and len({k.unit for k in there}) == 1
                simple = simple and modifier.dice is None and not modifier.only and not modifier.enemies
                if not simple or pairings > 1:
                    yield f"{unit.plural} change the fire of others in a way that the calculator does not know"
                if helpers.setdefault(there[0].unit, kind.unit) != kind.unit:
                    yield f"several units help {there[0].unit}"
        helped = [k for k in force.kinds if k.unit in helpers and not k.shield]
        odd = any(not k.value or k.first for k in helped) or any(k.first for k in force.kinds if k.boosts)
        if helped and (fleets or model.by_column or odd):
            yield f"{helped[0].type_in(model.world).plural} are helped in a way that the calculator does not know"


def _onlookers(world: World, muster: Muster) -> Iterator[str]:
    """Guns and facilities that take no part, and yet change how others fire."""
    for role in ("attack", "defense"):
        fighting = muster.attackers if role == "attack" else muster.defenders
        here = muster.state.at(muster.battle.space)
        for piece in (p for p in here if takes_part(world, muster.state, muster.battle, role, p)):
            kind = type_of(world, muster.state, piece)
            ruin = kind.bulwark and not stands(muster.state, muster.battle, kind)
            if piece not in fighting and kind.modifiers and not ruin:
                yield f"{kind.plural} change the fire of others"


def _nested(model: BattleModel, force: Force, enemy: Force) -> bool:
    """Of any two volleys that are settled together, one can strike everything that the other can."""
    if len({kind.aim for kind in force.kinds}) == 1:
        return True

    def fires(first: bool) -> bool:
        def chosen(kind: Kind) -> bool:
            return force is model.defense or kind.first == first

        fired = volleys(model, force, enemy, chosen)
        return all(a.column != b.column or a.aim <= b.aim for a, b in pairwise(fired))

    return fires(True) and fires(False)


# ---------------------------------------------------------------- battles whose first round is unlike the others


def act_in_strikes(step: str) -> Act | None:
    """What the step is to the calculator in such a battle."""
    known = STEPS.get(step)
    return None if known is None else STRIKES.get(known.run)


def goes_on(world: World, kind: Kind) -> bool:
    """Such a unit fights on after the first round, or holds the land."""
    return carries_on(kind.type_in(world))


def dearest(model: BattleModel, role: Role) -> list[int]:
    """The kinds of a force in the order in which an enemy who picks his victims hits them: the dearest first."""
    world, kinds = model.world, (model.attack if role == "attack" else model.defense).kinds
    units = [k for k, kind in enumerate(kinds) if not kind.bulwark and not kind.shield]

    def rank(k: int) -> tuple[int, int, int]:
        aboard = kinds[k].worth - price(world, kinds[k].power, kinds[k].unit)
        return worth_of(world, kinds[k].type_in(world), role, aboard)

    return sorted(units, key=rank, reverse=True)


def _strikes_obstacles(model: BattleModel, muster: Muster) -> Iterator[str]:
    world, battle = model.world, muster.battle
    kind = world.battles[model.kind]
    yield from _kind(model, KIND_FIELDS | {"then"})
    later = world.battles[kind.then or model.kind].steps
    if tuple(map(act_in_strikes, steps_of_round(later, 2))) != LATER_ROUND:
        yield f"the calculator does not understand rounds with the steps {', '.join(later)}"
    for step in (*model.steps, *later):
        if STEPS[step].fate != STRIKE_FATES.get(STRIKES.get(STEPS[step].run, "end")):
            yield f"the step {step!r} treats its casualties in a way that the calculator does not know"
    units = [(k.type_in(world), k.techs) for force in (model.attack, model.defense) for k in force.kinds]
    yield from facts_unknown(world, units, STRIKE_FIELDS)
    yield from _position(muster, QUESTIONS | {"target"})
    if world.rules.casualties_by_column or world.rules.picks_by_column:
        yield "hits are settled column by column"
    if airborne(muster.attackers) or any(kind.jumps for kind in model.attack.kinds):
        yield "troops come by air"
    if any(math.isnan(chance) for chance, _ in model.coast):
        yield "several coastal guns fire at once"
    asked = next(iter(muster.state.questions), None)
    if asked is not None and act_in_strikes(model.steps[battle.step]) in ("support", "coast"):
        yield "the battle waits for an answer before its first exchange of fire"
    yield from _strikers(model)
    yield from _onlookers(world, muster)


def _strikers(model: BattleModel) -> Iterator[str]:
    """What units do in such a battle that is not known together."""
    world = model.world
    for role, force, enemy in (("attack", model.attack, model.defense), ("defense", model.defense, model.attack)):
        walls = [n for k, n in zip(force.kinds, force.counts, strict=True) if k.bulwark]
        if len(walls) > (role == "defense"):
            yield "several bulwarks stand together"
        units = {kind.unit for kind in enemy.kinds}
        for kind in force.kinds:
            unit = kind.type_in(world)
            if unit.hits > 1 or kind.shield:
                yield f"{unit.plural} take several hits"
            if unit.first_shot or unit.hides_from or unit.hunts or unit.withdraws or unit.submerges:
                yield f"{unit.plural} take part"
            aimed = unit.hits_only or unit.cannot_hit
            if role == "attack" and aimed and units.intersection(world.units):
                yield f"hits of {unit.plural} are for certain units only"
            if role == "attack" and carries_on(unit) and kind.value <= 1 and _is_hindered(model, kind):
                yield f"{unit.plural} may be unable to hit anybody"
            if role == "attack" and carries_on(unit) and not kind.value:
                yield f"{unit.plural} cannot hit anybody"
            for modifier in unit.modifiers:
                if "loaded" in modifier.only:
                    yield f"{unit.plural} fire otherwise with something aboard"
                if modifier.enemies and modifier.role in (None, "defense") and role == "attack":
                    yield f"{unit.plural} change the fire of the defenders"
                odd = modifier.best or modifier.picks
                if not odd or modifier.role not in (None, role) or (role == "attack" and unit.strikes_once):
                    continue
                if modifier.units or modifier.best or not kind.bulwark:
                    yield f"{unit.plural} fire in a way that the calculator does not know"


def _is_hindered(model: BattleModel, kind: Kind) -> bool:
    hinderers = (k.type_in(model.world).modifiers for k in model.defense.kinds)
    return any(m.enemies and kind.unit in m.units for modifiers in hinderers for m in modifiers)


# ---------------------------------------------------------------- the same at sea


def _sorties_obstacles(model: BattleModel, muster: Muster) -> Iterator[str]:
    world, battle = model.world, muster.battle
    yield from _kind(model, KIND_FIELDS | {"then"})
    later = world.battles[world.battles[model.kind].then or model.kind].steps
    if tuple(map(act_in_strikes, steps_of_round(later, 2))) != SEA_LATER:
        yield f"the calculator does not understand rounds with the steps {', '.join(later)}"
    for step in (*model.steps, *later):
        if STEPS[step].fate != SEA_FATES.get(STRIKES[STEPS[step].run]):
            yield f"the step {step!r} treats its casualties in a way that the calculator does not know"
    units = [(k.type_in(world), k.techs) for force in (model.attack, model.defense) for k in force.kinds]
    yield from facts_unknown(world, units, SORTIE_FIELDS)
    yield from _position(muster, QUESTIONS | {"target"})
    if world.rules.casualties_by_column or world.rules.picks_by_column:
        yield "hits are settled column by column"
    if world.rules.aa_targets == "each" and model.ack:
        yield "every die of antiaircraft fire has a plane of its own"
    if muster.state.questions and act_in_strikes(model.steps[battle.step]) == "dive":
        yield "the battle waits for an answer while submarines dive"
    if battle.round > 1 and any(unit.dives for unit, _ in units):
        yield "submarines are still there after the first round"
    for force, enemy in ((model.attack, model.defense), (model.defense, model.attack)):
        yield from _sailors(model, force, enemy)
    if trapped(world, muster.state, battle.space, muster.state.at(battle.space)):
        yield "planes are caught on a damaged carrier"
    yield from _onlookers(world, muster)


def _sailors(model: BattleModel, force: Force, enemy: Force) -> Iterator[str]:
    """What units do in such a battle that is not known together.

    All that spares or hides has dived after the first round: from then on any hit strikes whoever is left.
    """
    world, defends = model.world, force is model.defense
    surface = [k for k in enemy.kinds if not k.type_in(world).dives]
    pickers: set[str] = set()
    for kind in force.kinds:
        unit = kind.type_in(world)
        if unit.hits > 1 and (kind.domain == "air" or unit.dives):
            yield f"{unit.plural} take several hits"
        if not unit.dives and (unit.first_shot or unit.hides_from or unit.withdraws or unit.submerges):
            yield f"{unit.plural} hide and do not dive"
        if unit.hits_only:
            yield f"hits of {unit.plural} are for certain units only"
        special = unit.again or any(modifier.best or modifier.picks for modifier in unit.modifiers)
        if special and not (unit.dives or unit.strikes_once):
            yield f"{unit.plural} fire in a way that the calculator does not know"
        safe = spared(world, Known(model.techs), unit, {})
        if not unit.dives and any(k.unit in safe or k.domain in safe for k in surface):
            yield f"hits of {unit.plural} spare more than submarines"
        for modifier in unit.modifiers:
            if "loaded" in modifier.only:
                yield f"{unit.plural} fire otherwise with something aboard"
            if modifier.enemies and any(k.unit in modifier.units for k in enemy.kinds):
                yield f"{unit.plural} change the fire of their enemies"
            if modifier.picks and modifier.role in (None, "defense" if defends else "attack"):
                pickers.add(kind.domain)
                if defends or modifier.units:
                    yield f"{unit.plural} pick their victims"
    if len(pickers) > 1:
        yield "several kinds of units pick their victims"


# ---------------------------------------------------------------- how much there may be

MOST_UNITS = 100_000  # of both forces together: what an answer can be worth waiting for
MOST_CALCULATED = 2_000  # units of a force, hits that they can take beyond the first included


def size(world: World, muster: Muster) -> int:
    """How much has to be fought through: units, and hits that they take beyond the first."""
    stacks = (muster.attackers, muster.defenders)
    return sum(n * endurance(world, muster.state, p) for stack in stacks for p, n in stack.items())
