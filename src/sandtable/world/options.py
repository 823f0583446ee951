"""Choices before play: which values hold, and what they change in an edition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sandtable.errors import DataError
from sandtable.world.fields import known_ones
from sandtable.world.model import Option, Patch

Value = bool | int | str


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


def resolve(options: Sequence[Option], chosen: Mapping[str, object]) -> dict[str, Value]:
    """The value of every option: the chosen one, else the default, which options further up may have changed.

    Raises DataError that names all wrong keys and values.
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
    values: dict[str, Value] = {option.key: option.default for option in options}
    for option in options:
        if option.key in chosen:
            values[option.key] = chosen[option.key]  # type: ignore[assignment]  # checked above
        patch = option.effects.get(option_text(values[option.key]))
        if patch is not None:
            values.update(patch.options)
    return values


def patches(options: Sequence[Option], values: Mapping[str, Value]) -> Iterator[Patch]:
    """What the values change, in the order in which to change it."""
    for option in options:
        patch = option.effects.get(option_text(values[option.key]))
        if patch is not None:
            yield patch
