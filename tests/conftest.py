"""What the whole test run shares: hypothesis profiles and the world of the Classic game."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from sandtable.world.compile import compile_world
from sandtable.world.model import World

_COMMON = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("steady", derandomize=True, database=None, **_COMMON)  # type: ignore[arg-type]
settings.register_profile("searching", derandomize=False, **_COMMON)  # type: ignore[arg-type]
settings.load_profile(os.environ.get("SANDTABLE_HYPOTHESIS", "steady"))


@pytest.fixture(scope="session")
def classic_world() -> World:
    """The Classic game with its default options. Worlds never change, so one is enough."""
    return compile_world("classic-1942")
