"""What most tests of the drawing look at."""

from __future__ import annotations

import pytest
from starting_positions import starting_position

from sandtable import maps
from sandtable.maps import MapAsset, Position


@pytest.fixture(scope="session")
def classic() -> MapAsset:
    return maps.load("classic")


@pytest.fixture(scope="session")
def spring() -> Position:
    """Classic, spring 1942."""
    return starting_position("classic")
