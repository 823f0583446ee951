"""Reading a battle as people write it: `10 infantry, 6 armor vs 12 infantry, 1 aa-gun`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sandtable.errors import NotationError
from sandtable.notation.names import names, slug
from sandtable.world.model import UnitId, World

EXAMPLE = "`10 infantry, 6 armor, 3 fighter, 1 bomber vs 12 infantry, 2 armor, 2 fighter, 1 aa-gun`"
LARGEST = 10_000  # units of a kind

Units = dict[UnitId, int]


def parse_battle(text: str, world: World | None = None) -> tuple[Units, Units]:
    """Attackers and defenders. Without a world, names are taken as they are; `odds` looks them up.

    >>> parse_battle("2 infantry, armor vs 3 infantry")
    ({'infantry': 2, 'armor': 1}, {'infantry': 3})
    """
    forces = re.split(r"\s+(?:vs?\.?|against|versus)\s+", text.strip(), flags=re.IGNORECASE)
    if len(forces) != 2 or not all(force.strip() for force in forces):
        raise NotationError(f"A battle is written as attackers vs defenders, like {EXAMPLE}.")
    return parse_force(forces[0], world), parse_force(forces[1], world)


def parse_force(text: str, world: World | None = None) -> Units:
    """`3 infantry, 1 fighter`; a number left out means one, and a comma before a number may be left out.

    >>> parse_force("2x infantry 1 armor & 3 fighter")
    {'infantry': 2, 'armor': 1, 'fighter': 3}
    """
    force: Units = {}
    for part in re.split(r"\s*(?:[,+;&]|\band\b|\bwith\b)\s*|(?<=[^\W\d])\s+(?=\d)", text.strip()):
        if not part:
            continue
        found = re.fullmatch(r"(?:(\d+)\s*(?:[x×]\s*(?=\w))?)?([^\W\d].*)", part)
        if found is None:
            raise NotationError(f"{part!r} is not a whole number of units; write it like {EXAMPLE}.")
        number = int(found[1][:9]) if found[1] else 1
        unit = names(world, "unit").find(found[2]) if world is not None else slug(found[2])
        force[unit] = force.get(unit, 0) + number
    return checked(force)


def checked(force: Mapping[UnitId, int]) -> Units:
    for unit, number in force.items():
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= LARGEST:
            raise NotationError(f"There can be 0 to {LARGEST:,} of {unit}, not {number!r}.")
    return dict(force)


def resolve(world: World, force: Mapping[UnitId, int] | str) -> Units:
    """The force by ids of the edition, in its order of units."""
    if isinstance(force, str):
        force = parse_force(force, world)
    found: Units = {}
    for word, number in checked(force).items():
        unit = names(world, "unit").find(word)
        found[unit] = found.get(unit, 0) + number
    return {unit: found[unit] for unit in world.units if found.get(unit)}
