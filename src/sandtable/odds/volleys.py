"""Who fires together, and at what: the fire of a step as a short list of volleys, applied one after the other.

Hits that spare something come first, and hits that can strike anything take what is next in the order of losses. That
gives the same casualties as choosing along the order with all hits on the table, as long as of any two groups of hits
one can strike everything that the other can (`known` sees to that). Where the rules settle column by column, volleys
follow the columns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec
import numpy as np

from sandtable.odds.hits import Ints
from sandtable.odds.model import ANYTHING, Aim, BattleModel, Force, Kind


class Volley(msgspec.Struct, frozen=True):
    kinds: tuple[int, ...]  # who fires
    aim: Aim  # what can be struck, among what the other role has
    column: int  # highest number that has been rolled when it is settled; 0 where columns do not matter


def volleys(
    model: BattleModel, force: Force, enemy: Force, fires: Callable[[Kind], bool], above: int = -1
) -> list[Volley]:
    """The fire of one force. `above` leaves out columns that were rolled before."""
    there = {k.domain for k, n in zip(enemy.kinds, enemy.counts, strict=True) if n}
    groups: dict[tuple[int, Aim], list[int]] = {}
    for place, kind in enumerate(force.kinds):
        aim = kind.aim & there
        if kind.value > 0 and kind.dice > 0 and kind.value > above and aim and fires(kind):
            column = kind.value if model.by_column else 0
            groups.setdefault((column, aim), []).append(place)
    found: list[Volley] = []
    for column, aim in sorted(groups, key=lambda key: (key[0], len(key[1]))):
        kinds = tuple(groups[column, aim])
        if found and found[-1].aim == aim:
            found[-1] = Volley((*found[-1].kinds, *kinds), aim, column)
            continue
        found.append(Volley(kinds, aim, column))
    return found


def strengths(kinds: Sequence[Kind], counts: Ints, firing: Sequence[int]) -> tuple[Ints, list[tuple[int, int]]]:
    """Who fires how: a row a state and a column a group that hits alike, and (dice a unit, value) by group.

    Units that others support fire as a group of their own, one better (`engine.battle.fire.boosted`).
    """
    columns = [counts[:, k] for k in firing]
    groups = [(kinds[k].dice, kinds[k].value) for k in firing]
    for unit in dict.fromkeys(u for kind in kinds for u, _ in kind.boosts):
        seats = sum(counts[:, k] * number for k, kind in enumerate(kinds) for u, number in kind.boosts if u == unit)
        for place, k in enumerate(firing):
            if kinds[k].unit == unit:
                better = np.minimum(columns[place], seats)
                columns[place] = columns[place] - better
                seats = seats - better
                columns.append(better)
                groups.append((kinds[k].dice, kinds[k].value + 1))
    return np.stack(columns, axis=1) if columns else np.zeros((len(counts), 0), dtype=np.intp), groups


def present(aim: Aim, enemy: Force) -> Aim:
    """The part of an aim that the other force has units for."""
    return aim & {k.domain for k, n in zip(enemy.kinds, enemy.counts, strict=True) if n}


def aims_at(model: BattleModel, role: str) -> set[Aim]:
    """Every aim that the units of this force may come under; AA guns fire before the calculation begins."""
    if role == "defense":
        aims = {v.aim for first in (True, False) for v in _attack(model, first)}
        if model.support and "support-shot" in model.steps:
            aims.add(present(ANYTHING, model.defense))
        return aims
    return {v.aim for v in volleys(model, model.defense, model.attack, lambda k: True)}


def _attack(model: BattleModel, first: bool) -> list[Volley]:
    return volleys(model, model.attack, model.defense, lambda k: k.first == first)


def first_shots(model: BattleModel, above: int = -1) -> list[Volley]:
    if "submarine-fire" not in model.steps:
        return []
    return volleys(model, model.attack, model.defense, lambda k: k.first, above)


def attack_fire(model: BattleModel, above: int = -1) -> list[Volley]:
    """Who has a first shot does not fire again, as in the engine, be that shot a step of this battle or not."""
    return volleys(model, model.attack, model.defense, lambda k: not k.first, above)


def reply_fire(model: BattleModel, above: int = -1) -> list[Volley]:
    return volleys(model, model.defense, model.attack, lambda k: True, above)
