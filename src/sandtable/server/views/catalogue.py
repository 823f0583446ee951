"""What can be played: scenarios with their options, and everything about a board that never changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from pydantic import Field

from sandtable.archive.picture import board_name
from sandtable.engine.battle.strength import alone
from sandtable.engine.conditions import capitals_meant, described
from sandtable.engine.facts import the
from sandtable.engine.phases import phase_title
from sandtable.rulebook import RuleEntry
from sandtable.server.bots.registry import Bot
from sandtable.server.views.base import Model
from sandtable.world.about import about
from sandtable.world.conditions import HoldsCapitals
from sandtable.world.edits import RANGES
from sandtable.world.model import Option, Technology, UnitType, Victory, World
from sandtable.world.options import allowed, contradictions, idle, option_text, settled

Value = bool | int | str


class OptionView(Model):
    key: str
    name: str
    help: str
    default: Value
    choices: list[Value] = Field(description="true and false for a plain switch")
    group: str
    rules: list[str]
    sets: dict[str, dict[str, Value]] = Field(description="other defaults that a value of this one brings with it")
    implies: dict[str, dict[str, Value]] = Field(description="values that others have, beside a value of this one")
    requires: dict[str, dict[str, list[Value]]] = Field(description="values of others that a value of this one needs")
    excludes: dict[str, dict[str, list[Value]]] = Field(description="values of others that cannot stand beside it")
    idles: dict[str, list[str]] = Field(description="options that do nothing beside a value of this one")


class OptionsView(Model):
    """What comes of some choices: the value of every option, and what does not go together."""

    values: dict[str, Value]
    brought: dict[str, list[str]] = Field(description="options whose value comes with the values of others")
    idle: list[str] = Field(description="options that do nothing beside the others")
    problems: list[str] = Field(description="why no game can be made of it, a sentence each")


class UnitView(Model):
    """A kind of unit with the values that hold for everybody at the start."""

    id: str
    name: str
    plural: str
    domain: str
    cost: int | None
    attack: int
    defense: int
    move: int
    hits: int
    attack_dice: int
    raid_dice: int
    blitz: bool
    captures: bool
    complex: bool
    anti_air: int
    support: int
    first_shot: list[str]
    withdraws: list[str]
    submerges: list[str]
    loads: list[dict[str, int]]
    deck: dict[str, int]
    boosts: dict[str, int] = Field(description="units that attack one better beside it, and how many of them")
    hunts: list[str] = Field(description="enemy units that lose first shot, submerging and hiding while it fights")
    hides_from: list[str] = Field(description="kinds of units that cannot hit it unless a hunter fights along")
    chosen_last: bool = Field(description="a casualty only when the hit can strike nothing else")
    rocket_range: int
    limit: int | None
    editable: list[str] = Field(description="values that the unit editor may change")


class Range(Model):
    low: int
    high: int


class PowerView(Model):
    id: str
    name: str
    in_sentence: str = Field(description="the name as it stands inside a sentence, with its article if it has one")
    adjective: str
    side: str
    colour: str
    capital: str | None
    treasury: int
    seat: bool = Field(description="takes turns and needs a player")
    played_by: str | None = Field(None, description="the power whose player moves it, if it has no turn of its own")


class SeatPreset(Model):
    players: int
    seats: list[list[str]]


class VictoryView(Model):
    id: str
    name: str
    text: str = Field(description="what has to be done, in words")
    winner: str = Field(description="a side, a power, each-side, each-power or nobody")
    checked: str = Field(description="turn, round or at-once")
    held: bool = Field(description="it must be held for a whole round")
    rules: list[str]


class VictoryPreset(Model):
    """A way to end the game that can be chosen; `edit` goes into the edits of a new game as it is."""

    key: str
    name: str
    edit: dict[str, Any] | None


class ScenarioView(Model):
    id: str
    name: str
    edition: str
    edition_name: str
    playable: bool
    board: str | None = Field(description="the map asset, if there is one")
    text: str = Field("", description="what there is to say about it")
    hours: str = Field("", description="that a game among people takes")
    difficulty: int = Field(0, description="from 1, easy to learn, to 3; 0 where nobody has said")
    options: list[OptionView]
    powers: list[PowerView]
    sides: list[str]
    order: list[str]
    seat_presets: list[SeatPreset]
    least_seats: int
    fixed_seats: bool = Field(description="the seats are those of a preset and no others")
    drawn: bool = Field(description="who sits where is drawn when the game begins")
    victory: list[VictoryView]
    victory_presets: list[VictoryPreset]
    units: list[UnitView]
    unit_ranges: dict[str, Range]


class SpaceView(Model):
    id: str
    name: str
    kind: str
    ipc: int
    owner: str | None
    original: str | None
    impassable: bool
    island: bool
    zone: int | None
    victory_city: str | None
    capital_of: str | None
    convoy: bool = Field(False, description="a sea zone where enemy ships cost the owners of its coasts income")
    army: dict[str, int] = Field({}, description="neutral land: what takes up arms for it")
    neighbours: list[str]


class CanalView(Model):
    id: str
    name: str
    between: list[str]
    banks: list[str]
    rules: list[str]


class TechnologyView(Model):
    id: str
    name: str
    help: str
    chart: int | None = Field(description="the breakthrough chart on which it stands, where there are several")
    roll: int | None = Field(description="the die that finds it")
    rules: list[str]


class PhaseView(Model):
    id: str
    title: str


class Setup(Model):
    power: str
    space: str
    unit: str
    count: int


class MarkView(Model):
    """Something that single units carry for good."""

    id: str
    name: str


class WorldView(Model):
    """Everything static that a page needs to show and play a scenario with these options."""

    scenario: str
    scenario_name: str
    edition: str
    edition_name: str
    playable: bool
    board: str | None
    options: dict[str, Value]
    sides: list[str]
    powers: list[PowerView]
    order: list[str]
    spaces: list[SpaceView]
    canals: list[CanalView]
    units: list[UnitView]
    unit_edits: dict[str, list[UnitView]] = Field(description="units that differ for one power")
    technologies: list[TechnologyView]
    marks: list[MarkView]
    phases: list[PhaseView]
    battles: dict[str, list[str]]
    victory: list[VictoryView]
    setup: list[Setup]
    dice_sides: int
    research: str = Field(description="dice: bought for one throw; tokens: researchers who stay")
    research_cost: int
    research_success: int
    neutrals: Literal["fee", "closed", "armies"] = Field(
        description="neutral land is entered for money, not at all, or by battle"
    )
    neutral_fee: int | None = Field(description="what entering it costs; null where it is not entered for money")
    politics: bool = Field(False, description="powers at peace go to war by declaring it")


class BotView(Model):
    name: str
    title: str
    help: str
    stars: int
    styles: list[str]


class RuleView(Model):
    id: str
    title: str
    rule: str
    source: str
    note: str
    option: str
    interactions: list[str]


class RuleGroup(Model):
    id: str
    name: str
    book: str
    rules: list[str]


def scenario_view(world: World) -> ScenarioView:
    return ScenarioView(
        id=world.scenario,
        name=world.scenario_name,
        edition=world.edition,
        edition_name=world.edition_name,
        playable=world.playable,
        board=board_name(world),
        **msgspec.structs.asdict(about(world.edition, world.scenario)),
        options=[option_view(option) for option in world.option_list],
        powers=power_views(world),
        sides=list(world.sides),
        order=list(world.order),
        seat_presets=[
            SeatPreset(players=number, seats=[list(powers) for powers in seats])
            for number, seats in sorted(world.seats.presets.items())
        ],
        least_seats=world.seats.minimum,
        fixed_seats=world.seats.fixed,
        drawn=world.seats.drawn,
        victory=[victory_view(world, victory) for victory in world.victory],
        victory_presets=victory_presets(world),
        units=[unit_view(unit) for unit in world.units.values()],
        unit_ranges={name: Range(low=low, high=high) for name, (low, high) in RANGES.items()},
    )


def world_view(world: World) -> WorldView:
    canals = {canal.id: canal for canal in world.canals.values()}
    return WorldView(
        scenario=world.scenario,
        scenario_name=world.scenario_name,
        edition=world.edition,
        edition_name=world.edition_name,
        playable=world.playable,
        board=board_name(world),
        options=dict(world.options),
        sides=list(world.sides),
        powers=power_views(world),
        order=list(world.order),
        spaces=[
            SpaceView(
                id=space.id,
                name=space.name,
                kind=space.kind,
                ipc=space.ipc,
                owner=space.owner,
                original=space.original,
                impassable=space.impassable,
                island=space.island,
                zone=space.zone,
                victory_city=space.victory_city,
                capital_of=space.capital_of,
                convoy=bool(space.traits.get("convoy")),
                army=dict(space.traits.get("army") or {}),
                neighbours=list(world.neighbours[space.id]),
            )
            for space in world.spaces.values()
        ],
        canals=[
            CanalView(
                id=canal.id,
                name=canal.name,
                between=list(canal.between),
                banks=list(canal.banks),
                rules=list(canal.rules),
            )
            for canal in canals.values()
        ],
        units=[unit_view(unit) for unit in world.units.values()],
        unit_edits={power: [unit_view(unit) for unit in units.values()] for power, units in world.edits.items()},
        technologies=[technology_view(technology) for technology in world.technologies.values()],
        marks=mark_views(world),
        phases=[PhaseView(id=phase, title=phase_title(world, phase)) for phase in dict.fromkeys(world.phases)],
        battles={name: list(kind.steps) for name, kind in world.battles.items()},
        victory=[victory_view(world, victory) for victory in world.victory],
        setup=[
            Setup(power=power, space=space, unit=unit, count=n)
            for power, spaces in world.setup.units.items()
            for space, units in spaces.items()
            for unit, n in units.items()
        ],
        dice_sides=world.rules.dice_sides,
        research=world.rules.research,
        research_cost=world.rules.research_cost,
        research_success=world.rules.research_success,
        neutrals=world.rules.neutrals,
        neutral_fee=world.rules.neutral_fee if world.rules.neutrals == "fee" else None,
        politics=bool(world.declarations),
    )


def mark_views(world: World) -> list[MarkView]:
    own = [MarkView(id=mark.id, name=mark.name) for mark in world.marks.values()]
    return own + [MarkView(id=t.id, name=t.name) for t in world.technologies.values() if t.marks_units]


def option_view(option: Option) -> OptionView:
    return OptionView(
        key=option.key,
        name=option.name,
        help=option.help.strip(),
        default=option.default,
        choices=list(allowed(option)),
        group=option.group,
        rules=list(option.rules),
        sets={value: dict(patch.options) for value, patch in option.effects.items() if patch.options},
        implies={value: dict(patch.implies) for value, patch in option.effects.items() if patch.implies},
        requires={value: _lists(patch.requires) for value, patch in option.effects.items() if patch.requires},
        excludes={value: _lists(patch.excludes) for value, patch in option.effects.items() if patch.excludes},
        idles={value: list(patch.idles) for value, patch in option.effects.items() if patch.idles},
    )


def options_view(options: Sequence[Option], chosen: Mapping[str, Value]) -> OptionsView:
    values = settled(options, chosen)
    by_key = {option.key: option for option in options}
    brought: dict[str, list[str]] = {}
    for option in options:
        patch = option.effects.get(option_text(values[option.key]))
        for key, value in patch.implies.items() if patch else ():
            if values[key] == value:
                brought.setdefault(key, []).append(option.key)

    def named(found: re.Match[str]) -> str:
        option = by_key.get(found[1])
        if option is None:
            return found[0]
        return option.name + {"true": "", "false": " (off)"}.get(found[2], f": {found[2]}")

    return OptionsView(
        values=values,
        brought=brought,
        idle=list(idle(options, values)),
        problems=[re.sub(r"(\w+)=([\w-]+)", named, text) + "." for text in contradictions(options, values, chosen)],
    )


def _lists(values: Mapping[str, tuple[Value, ...]]) -> dict[str, list[Value]]:
    return {key: list(wanted) for key, wanted in values.items()}


def power_views(world: World) -> list[PowerView]:
    return [
        PowerView(
            id=power.id,
            name=power.name,
            in_sentence=the(world, power.id),
            adjective=power.adjective,
            side=power.side,
            colour=power.colour,
            capital=power.capital,
            treasury=power.treasury,
            seat=power.id in world.seated,
            played_by=power.played_by,
        )
        for power in world.powers.values()
    ]


def unit_view(unit: UnitType) -> UnitView:
    if unit.domain == "facility":
        editable = ["cost"] if unit.cost is not None else []
    else:
        editable = [name for name in RANGES if name != "cost" or unit.cost is not None]
    return UnitView(
        id=unit.id,
        name=unit.name,
        plural=unit.plural,
        domain=unit.domain,
        cost=unit.cost,
        attack=unit.attack,
        defense=unit.defense,
        move=unit.move,
        hits=unit.hits,
        attack_dice=alone(unit, "attack").dice,
        raid_dice=unit.raid_dice,
        blitz=unit.blitz,
        captures=unit.captures,
        complex=unit.complex,
        anti_air=unit.anti_air,
        support=unit.support,
        first_shot=list(unit.first_shot),
        withdraws=list(unit.withdraws),
        submerges=list(unit.submerges),
        loads=[dict(load) for load in unit.loads],
        deck=dict(unit.deck),
        boosts={
            other: modifier.number
            for modifier in unit.modifiers
            for other in modifier.units
            if modifier.number is not None and modifier.role == "attack" and not modifier.enemies
        },
        hunts=list(unit.hunts),
        hides_from=list(unit.hides_from),
        chosen_last=unit.chosen_last,
        rocket_range=unit.rocket_range,
        limit=unit.limit,
        editable=editable,
    )


def technology_view(technology: Technology) -> TechnologyView:
    return TechnologyView(
        id=technology.id,
        name=technology.name,
        help=technology.help.strip(),
        chart=technology.chart,
        roll=technology.roll,
        rules=list(technology.rules),
    )


def victory_view(world: World, victory: Victory) -> VictoryView:
    who = "" if victory.winner in ("each-side", "each-power", "nobody") else victory.winner
    text = described(world, victory.when, who)
    return VictoryView(
        id=victory.id,
        name=victory.name,
        text=f"{text[:1].upper()}{text[1:]}.",
        winner=victory.winner,
        checked=victory.checked,
        held=bool(victory.held),
        rules=list(victory.rules),
    )


def victory_presets(world: World) -> list[VictoryPreset]:
    """The edition's own conditions, those without the economic one, every capital, a round limit, and no end at all."""
    presets = [VictoryPreset(key="standard", name="As in the rules", edit=None)]
    capitals = {
        v.winner: (v.when.at_least or len(spaces), list(spaces))
        for v in world.victory
        if v.winner in world.sides
        and isinstance(v.when, HoldsCapitals)
        and (spaces := capitals_meant(world, v.when, v.winner))
    }
    if capitals and len(world.victory) > len(capitals):
        presets.append(VictoryPreset(key="capitals", name="Capitals only", edit={"capitals": capitals}))
    if capitals:
        every = {side: (len(spaces), spaces) for side, (_, spaces) in capitals.items()}
        presets.append(VictoryPreset(key="all-capitals", name="Every enemy capital", edit={"capitals": every}))
        for rounds in (5, 10):
            presets.append(
                VictoryPreset(
                    key=f"rounds-{rounds}",
                    name=f"Capitals, or the end of round {rounds}",
                    edit={"capitals": capitals, "rounds": rounds},
                )
            )
    presets.append(VictoryPreset(key="none", name="Play on for ever", edit={"none": True}))
    return presets


def bot_view(bot: Bot) -> BotView:
    return BotView(name=bot.name, title=bot.title, help=bot.help, stars=bot.stars, styles=list(bot.styles))


def rule_view(entry: RuleEntry) -> RuleView:
    return RuleView(
        id=entry.id,
        title=entry.title,
        rule=entry.rule.strip(),
        source=entry.source,
        note=entry.note.strip(),
        option=entry.option,
        interactions=list(entry.interactions),
    )
