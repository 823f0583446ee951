"""`sandtable odds`: the odds of a battle or a raid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from sandtable.cli.arguments import UsageError
from sandtable.notation.names import names
from sandtable.odds import Retreat, odds, parse_battle, parse_force, raid_odds
from sandtable.odds.intentions import Method
from sandtable.odds.position import is_raid
from sandtable.odds.report import plot, raid_table, table
from sandtable.world.compile import compile_world
from sandtable.world.model import World


class Wishes(msgspec.Struct, frozen=True, kw_only=True):
    """What the command's flags say."""

    scenario: str
    options: Mapping[str, Any]
    kind: str | None
    attacker: str | None
    defender: str | None
    attacker_techs: tuple[str, ...]
    defender_techs: tuple[str, ...]
    attacker_order: str
    defender_order: str
    keep_land: int
    retreat: Retreat
    hold: tuple[int, ...]  # so many land units left, for the chance to take and hold
    attacker_submarines_leave: bool
    submarines_leave: bool
    method: str
    runs: int
    seconds: float
    raid: bool
    as_json: bool


def show(text: str, wishes: Wishes) -> None:
    """Print the odds of the battle that the text describes."""
    world = compile_world(wishes.scenario, wishes.options)
    if wishes.raid:
        _raid(world, text, wishes)
        return
    kinds = [kind for kind in world.battles if not is_raid(world, kind)]
    if wishes.kind not in (None, *kinds):
        raise UsageError(f"A battle is one of {', '.join(kinds)}, not {wishes.kind!r}.")
    attackers, defenders = parse_battle(text, world)
    result = odds(
        world,
        attackers,
        defenders,
        kind=wishes.kind,
        attacker_power=_power(world, wishes.attacker),
        defender_power=_power(world, wishes.defender),
        attacker_techs=[names(world, "technology").find(t) for t in wishes.attacker_techs],
        defender_techs=[names(world, "technology").find(t) for t in wishes.defender_techs],
        attacker_order=wishes.attacker_order,
        defender_order=wishes.defender_order,
        keep_land=wishes.keep_land,
        retreat=wishes.retreat,
        method=_method(wishes.method),
        runs=wishes.runs,
        seconds=wishes.seconds,
        attacker_submarines="leave" if wishes.attacker_submarines_leave else "stay",
        defender_submarines="leave" if wishes.submarines_leave else "stay",
    )
    if wishes.as_json:
        _print_json({**result.to_json(), "hold": {str(n): result.take_and_hold(n) for n in wishes.hold}})
        return
    print(table(result, world, hold=wishes.hold))
    print()
    print(plot(result))


def _raid(world: World, text: str, wishes: Wishes) -> None:
    """`3 bomber` against a complex with a gun; `3 bomber vs 0 aa-gun` against one without."""
    planes, separator, guns = (text, "", "") if " vs " not in text else text.partition(" vs ")
    number = sum(parse_force(guns, world).values()) if separator else 1
    techs = [names(world, "technology").find(t) for t in wishes.attacker_techs]
    result = raid_odds(
        world,
        planes,
        power=_power(world, wishes.attacker),
        techs=techs,
        defender_techs=[names(world, "technology").find(t) for t in wishes.defender_techs],
        aa_guns=number,
        runs=wishes.runs,
        seconds=wishes.seconds,
    )
    if wishes.as_json:
        _print_json(result.to_json())
        return
    print(raid_table(result))


def _method(text: str) -> Method:
    try:
        method: Method = msgspec.convert(text, Method)
    except msgspec.ValidationError:
        raise UsageError(f"--method: {text!r} is none of {', '.join(get_args(Method))}.") from None
    return method


def _power(world: World, text: str | None) -> str | None:
    return None if text is None else names(world, "power").find(text)


def _print_json(data: object) -> None:
    print(msgspec.json.format(msgspec.json.encode(data), indent=2).decode())
