"""Choices before play: which values hold, which fit together, and what they change in an edition.

A value may change the defaults of options further down (`options`: somebody who chooses otherwise has his way), bring
values of others with it (`implies`: choosing otherwise is a contradiction), need others (`requires`), bar others
(`excludes`), or leave others without effect (`idles`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sandtable.errors import DataError
from sandtable.world.fields import join, known_ones
from sandtable.world.model import Option, Patch, Value

FILE = "options.yaml"
SCENARIO = "scenario"  # in the place of an option where a patch holds beside certain values only


class InForce(NamedTuple):
    """A patch that the choices bring about, and where it stands."""

    field: str  # options.KEY.effects.VALUE
    patch: Patch


def allowed(option: Option) -> tuple[Value, ...]:
    """The values that an option can have."""
    return option.choices or (True, False)


def is_allowed(value: object, values: Sequence[Value]) -> bool:
    """Membership by value and type: 1 is not true."""
    return any(value == v and type(value) is type(v) for v in values)


def option_text(value: object) -> str:
    """An option's value as the key of its effects: true, 15, owner."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def wrong_value(value: object, values: Iterable[object]) -> str:
    return f"expected one of {', '.join(option_text(v) for v in values)}, got {option_text(value)}"


# ---------------------------------------------------------------- which values hold


def resolve(options: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, Value]:
    """The value of every option: the chosen one, else what others bring with them, else the default, which options
    further up may have changed.

    Raises DataError that names all wrong keys and values, and all that contradict each other.
    """
    by_key = {option.key: option for option in options}
    problems = []
    for key, value in chosen.items():
        if key not in by_key:
            problems.append(f"options: {known_ones('option', key, by_key)}")
        elif not is_allowed(value, allowed(by_key[key])):
            problems.append(f"options: {key}: {wrong_value(value, allowed(by_key[key]))}")
    if problems:
        raise DataError(problems)
    values = settled(options, chosen)
    problems = list(contradictions(options, values, chosen))
    if problems:
        raise DataError([f"options: {problem}" for problem in problems])
    return values


def settled(options: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, Value]:
    """The values, whether or not they contradict each other."""
    implied: dict[str, Value] = {}
    values = _values(options, {}, chosen)
    for _ in options:  # a chain of implications is no longer than that
        further: dict[str, Value] = {}
        for option in options:
            patch = _patch(option, values)
            if patch is not None:
                for key, value in patch.implies.items():
                    further.setdefault(key, value)
        if further == implied:
            break
        implied = further
        values = _values(options, implied, chosen)
    return values


def _values(options: Sequence[Option], implied: Mapping[str, Value], chosen: Mapping[str, object]) -> dict[str, Value]:
    values: dict[str, Value] = {option.key: option.default for option in options}
    for option in options:
        if option.key in chosen:
            values[option.key] = chosen[option.key]  # type: ignore[assignment]  # checked by `resolve`
        elif option.key in implied:
            values[option.key] = implied[option.key]
        patch = _patch(option, values)
        if patch is not None:
            values.update(patch.options)
    return values


def contradictions(
    options: Sequence[Option], values: Mapping[str, Value], chosen: Mapping[str, object]
) -> Iterator[str]:
    """What does not fit together, one sentence each, with the rule that brought the option."""
    barred: set[frozenset[str]] = set()
    for option in options:
        patch = _patch(option, values)
        if patch is None:
            continue
        here = said(option.key, values[option.key])
        rule = f" ({option.rules[0]})" if option.rules else ""
        for key, value in patch.implies.items():
            if values[key] != value:
                why = "is chosen" if key in chosen else "comes with another option"
                yield f"{here} brings {said(key, value)} with it, but {said(key, values[key])} {why}{rule}"
        for key, needed in patch.requires.items():
            if values[key] not in needed:
                yield f"{here} needs {either(key, needed)}{rule}"
        for key, bad in patch.excludes.items():
            pair = frozenset((option.key, key))
            if values[key] in bad and pair not in barred:
                barred.add(pair)
                yield f"{here} and {said(key, values[key])} exclude each other{rule}"


def said(key: str, value: object) -> str:
    return f"{key}={option_text(value)}"


def either(key: str, values: Iterable[object]) -> str:
    """`a=1 or a=2`"""
    return " or ".join(said(key, value) for value in values)


def ties(option: Option) -> Iterator[str]:
    """What the option's values have to do with others, one sentence each."""
    for text, patch in option.effects.items():
        here = f"{option.key}={text}"
        for key, value in patch.implies.items():
            yield f"{here} brings {said(key, value)} with it."
        for key, needed in patch.requires.items():
            yield f"{here} needs {either(key, needed)}."
        for key, bad in patch.excludes.items():
            yield f"{here} cannot be chosen with {either(key, bad)}."
        if patch.idles:
            yield f"Beside {here} {', '.join(patch.idles)} {'does' if len(patch.idles) == 1 else 'do'} nothing."


def fewest(options: Sequence[Option], values: Mapping[str, Value]) -> dict[str, Value]:
    """The choices that are needed to get these values: those that they would not have anyway."""
    chosen: dict[str, Value] = {}
    found = settled(options, chosen)
    for option in options:
        if found[option.key] != values[option.key]:
            chosen[option.key] = values[option.key]
            found = settled(options, chosen)
    if found != values:  # a choice further down changed one above it
        chosen = dict(values)
    for key in tuple(chosen):  # it may come with a choice further down
        fewer = {k: v for k, v in chosen.items() if k != key}
        if settled(options, fewer) == values:
            chosen = fewer
    return chosen


# ---------------------------------------------------------------- what they change


def idle(options: Sequence[Option], values: Mapping[str, Value]) -> tuple[str, ...]:
    """Options that do nothing beside the values of others."""
    found: dict[str, None] = {}
    for option in options:
        patch = _patch(option, values)
        if patch is not None and option.key not in found:
            found.update(dict.fromkeys(patch.idles))
    return tuple(option.key for option in options if option.key in found)


def patches(options: Sequence[Option], values: Mapping[str, Value], scenario: str) -> Iterator[InForce]:
    """What the values change, in the order in which to change it."""
    asleep = idle(options, values)
    for option in options:
        patch = _patch(option, values)
        if patch is None or option.key in asleep:
            continue
        field = patch_field(option.key, values[option.key])
        yield InForce(field, patch)
        for index, beside in enumerate(patch.beside):
            if all(_has(key, wanted, values, asleep, scenario) for key, wanted in beside.values.items()):
                yield InForce(join(field, "beside", index), beside.patch)


def _has(
    key: str, wanted: tuple[Value, ...], values: Mapping[str, Value], asleep: Sequence[str], scenario: str
) -> bool:
    if key == SCENARIO:
        return scenario in wanted
    return key not in asleep and values[key] in wanted


def patch_field(key: str, value: object) -> str:
    return join("options", key, "effects", option_text(value))


def _patch(option: Option, values: Mapping[str, Value]) -> Patch | None:
    return option.effects.get(option_text(values[option.key]))
