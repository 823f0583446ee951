"""Strategy: a page of advice, as data like the lessons."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from sandtable.world.files import read_yaml


class Advice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    title: str
    say: str


@cache
def advice() -> tuple[Advice, ...]:
    text = files("sandtable.training").joinpath("strategy.yaml").read_text(encoding="utf-8")
    return msgspec.convert(read_yaml(text), tuple[Advice, ...])
