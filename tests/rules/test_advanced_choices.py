"""Which advanced rules may be chosen together: a case cannot show a game that is never created."""

from __future__ import annotations

import pytest

from sandtable.errors import SandtableError
from sandtable.world.compile import compile_world


@pytest.mark.rule("MX00-04")
@pytest.mark.parametrize(
    "chosen",
    [
        ("lend_lease", "lend_lease_mandatory"),
        ("raid_interceptors", "raid_escorts"),
        ("raid_interceptors",),
        ("pacific_theater",),
        ("world_domination",),
        ("pacific_theater", "lend_lease", "soviet_sovereignty", "russo_japanese_pact", "alternate_victory"),
        ("world_domination", "alternate_victory"),
    ],
)
def test_choices_that_stand_together(chosen: tuple[str, ...]) -> None:
    """Idle keys included: they may be set beside a rule that makes nothing of them."""
    compile_world("classic-1942", dict.fromkeys(chosen, True), None)


@pytest.mark.rule("MX00-04", "MX03-07", "MX13-12", "MX19-01", "MX20-01")
@pytest.mark.parametrize(
    "chosen",
    [
        ("lend_lease_mandatory",),
        ("raid_escorts",),
        ("pacific_theater", "world_domination"),
    ],
)
def test_contradictory_choices_are_refused(chosen: tuple[str, ...]) -> None:
    with pytest.raises(SandtableError):
        compile_world("classic-1942", dict.fromkeys(chosen, True), None)
