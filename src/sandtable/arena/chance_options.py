"""Options by chance: another valid set for every game of a tournament."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from sandtable.errors import DataError, SandtableError
from sandtable.world.compile import compile_world
from sandtable.world.model import Option, Value
from sandtable.world.options import allowed, option_text, resolve

EVERY = "all"  # in the place of a group


def drawn_from(scenario: str, group: str, fixed: Mapping[str, Value]) -> list[Option]:
    """The options that chance may set: those of the group, but for those chosen already and those that would seat
    other powers at the table. Raises SandtableError if there is no such group.
    """
    world = compile_world(scenario, dict(fixed))
    groups = dict.fromkeys(option.group for option in world.option_list)
    if group not in groups and group != EVERY:
        raise SandtableError(f"There are no options of the group {group!r}; there are {', '.join(groups)} and {EVERY}.")
    found = []
    for option in world.option_list:
        if option.key in fixed or group not in (option.group, EVERY):
            continue
        worlds = [
            compile_world(scenario, made)
            for v in allowed(option)
            if (made := _fitting(world.option_list, {**fixed, option.key: v}))
        ]
        if all((w.order, set(w.sides)) == (world.order, set(world.sides)) for w in worlds):
            found.append(option)
    return found


def draw(scenario: str, among: Sequence[Option], fixed: Mapping[str, Value], rng: random.Random) -> dict[str, Value]:
    """A coin for each of these options, in random order; what an option requires comes with it, what would
    contradict the others is left out.
    """
    every = compile_world(scenario, dict(fixed)).option_list
    chosen = dict(fixed)
    for option in rng.sample(list(among), len(among)):
        value = rng.choice(allowed(option))
        if option.key not in chosen and value != option.default:
            chosen = _fitting(every, {**chosen, option.key: value}) or chosen
    return chosen


def _fitting(options: Sequence[Option], chosen: Mapping[str, Value]) -> dict[str, Value]:
    """The choices with what the last of them requires; nothing if they contradict each other."""
    made = dict(chosen)
    last = list(made)[-1]
    option = next(o for o in options if o.key == last)
    patch = option.effects.get(option_text(made[last]))
    for key, values in patch.requires.items() if patch is not None else ():
        made.setdefault(key, values[0])
    try:
        resolve(options, made)
    except DataError:
        return {}
    return made
