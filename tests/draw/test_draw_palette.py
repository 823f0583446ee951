"""Colours that can be read and told apart, also by colour-blind players."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from sandtable.maps.palette import PALETTES, Palette, contrast

Colour = tuple[float, float, float]

# Machado, Oliveira and Fernandes 2009: what somebody without one kind of cones sees, for linear light.
VISION: dict[str, tuple[Colour, Colour, Colour]] = {
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
SIDES = {"axis": ("germany", "japan", "italy"), "allies": ("ussr", "uk", "usa", "china", "anzac", "france")}


def linear(colour: str) -> Colour:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return red, green, blue


def seen_by(colour: Colour, vision: str) -> Colour:
    red, green, blue = (sum(a * b for a, b in zip(row, colour, strict=True)) for row in VISION[vision])
    return red, green, blue


def lab(colour: Colour) -> Colour:
    red, green, blue = (min(max(c, 0.0), 1.0) for c in colour)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def distance(first: str, second: str, vision: str | None = None) -> float:
    a, b = linear(first), linear(second)
    if vision:
        a, b = seen_by(a, vision), seen_by(b, vision)
    return math.dist(lab(a), lab(b))


every_palette = pytest.mark.parametrize("palette", PALETTES.values(), ids=lambda palette: palette.name)


@every_palette
def test_text_can_be_read_on_everything_it_stands_on(palette: Palette) -> None:
    tones = [*palette.powers.values(), palette.neutral, palette.pro_axis, palette.pro_allies, palette.impassable]
    for tone in tones:
        assert contrast(palette.land_text, tone.fill) >= 4.5, tone
        assert contrast(palette.badge_text, tone.shade) >= 4.5, tone
        assert contrast(palette.halo, tone.piece) >= 4.5, tone
    assert contrast(palette.sea_text, palette.sea) >= 4.5
    assert contrast(palette.sea_text, palette.sea_deep) >= 4.5
    assert contrast(palette.ink, palette.paper) >= 4.5
    assert contrast(palette.chip_text, palette.chip) >= 4.5
    assert contrast(palette.chip_text, palette.damage) >= 4.5
    assert contrast(palette.chip_text, palette.sea_text) >= 4.5


@every_palette
def test_powers_can_be_told_apart_from_each_other_and_from_neutral_land(palette: Palette) -> None:
    fills = {power: tone.fill for power, tone in palette.powers.items() if power != "mongolia"}
    for (_, first), (_, second) in combinations(fills.items(), 2):
        assert distance(first, second) >= 17
    for fill in fills.values():
        assert distance(fill, palette.neutral.fill) >= 15
        assert distance(fill, palette.sea) >= 15


@pytest.mark.parametrize("vision", VISION)
def test_the_colour_blind_palette_keeps_the_sides_apart(vision: str) -> None:
    powers = PALETTES["colour-blind"].powers
    for axis in SIDES["axis"]:
        for allied in SIDES["allies"]:
            assert distance(powers[axis].fill, powers[allied].fill, vision) >= 11, (axis, allied)


def test_the_colour_blind_palette_has_patterns_as_well() -> None:
    assert PALETTES["colour-blind"].patterns


def test_contrast_is_the_usual_ratio() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)
