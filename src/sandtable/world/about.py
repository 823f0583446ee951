"""What a list of games says about a scenario: a few words, how long it takes, and how hard it is to learn."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

import msgspec

from sandtable.world.files import read_yaml
from sandtable.world.load import data_folder


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: str = ""
    hours: str = ""  # that a game among people takes
    difficulty: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0  # from 1, easy, to 3; 0 where nobody has said


@cache
def _all(edition: str) -> Mapping[str, About]:
    file = data_folder() / edition / "about.yaml"
    return msgspec.convert(read_yaml(file.read_text("utf-8")), dict[str, About]) if file.is_file() else {}


def about(edition: str, scenario: str) -> About:
    """What there is to say about a scenario; nothing about one that is new."""
    return _all(edition).get(scenario, About())
