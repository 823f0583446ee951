"""Colours as data: a muted historical palette, one that is safe for colour-blind readers, and a dark one.

Every owner has three tones: `fill` for its land, `shade` for the rim of the land and its badges, `piece` for its units.
Text stands on fills, so every fill keeps a contrast of 4.5 to the text colour; tests hold all palettes to that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from sandtable.maps.position import IMPASSABLE, NEUTRAL


class Tone(msgspec.Struct, frozen=True):
    fill: str
    shade: str
    piece: str


class Palette(msgspec.Struct, frozen=True):
    name: str
    paper: str
    ink: str
    """Frame, legend and title."""
    sea: str
    sea_deep: str
    """The sea towards the edges of the sheet."""
    shallows: str
    """A soft glow along the coast."""
    water_line: str
    """The engraved lines that follow the coast."""
    grid: str
    sea_tint: tuple[str, str]
    """A light and a dark veil that tell neighbouring sea zones apart."""
    sea_border: str
    sea_border_shadow: str
    coast: str
    border: str
    border_light: str
    land_text: str
    sea_text: str
    ice: str
    ice_line: str
    lake: str
    scenery: str
    hatch: str
    """Strokes over neutral and impassable land."""
    halo: str
    """Round text, badges and pieces."""
    chip: str
    chip_text: str
    damage: str
    badge_text: str
    patterns: bool
    """Whether every power's land also carries its own faint pattern."""
    neutral: Tone
    pro_axis: Tone
    pro_allies: Tone
    impassable: Tone
    powers: dict[str, Tone]

    def tone(self, owner: str | None) -> Tone:
        """The tones of an owner; powers that the palette does not know look neutral but keep their emblem."""
        if owner == IMPASSABLE:
            return self.impassable
        if owner == "pro-axis":
            return self.pro_axis
        if owner == "pro-allies":
            return self.pro_allies
        if owner is None or owner in NEUTRAL:
            return self.neutral
        return self.powers.get(owner, self.neutral)

    def with_tones_for(self, powers: Mapping[str, str]) -> Palette:
        """The palette with a tone for every power: those that it does not know borrow one that nobody else has, the
        nearest to the colour that they are said to have (`dark blue`)."""
        borrowed: dict[str, Tone] = {}
        spare = {power: tone for power, tone in self.powers.items() if power not in powers}
        for power, colour in powers.items():
            if power not in self.powers and spare:  # what is beyond them stays neutral
                wanted = NAMED.get(colour.lower().split(" ")[-1])
                near = min(spare, key=lambda p: 0 if wanted is None else _distance(wanted, spare[p].fill))
                borrowed[power] = spare.pop(near)
        return msgspec.structs.replace(self, powers={**self.powers, **borrowed}) if borrowed else self


NAMED = {
    "red": "#c05040",
    "maroon": "#a04040",
    "blue": "#6080c0",
    "green": "#70a060",
    "yellow": "#e0c050",
    "orange": "#e09040",
    "gray": "#909090",
    "grey": "#909090",
    "black": "#505050",
    "brown": "#a08060",
    "tan": "#d0b890",
    "beige": "#d8c8a0",
    "purple": "#806090",
    "pink": "#d09090",
    "white": "#f0f0f0",
}


def _distance(a: str, b: str) -> int:
    """How far two colours are apart."""
    return sum((int(a[i : i + 2], 16) - int(b[i : i + 2], 16)) ** 2 for i in (1, 3, 5))


DEFAULT: Final = Palette(
    name="default",
    paper="#ece3cc",
    ink="#33281c",
    sea="#b2cacd",
    sea_deep="#97b5bf",
    shallows="#dbe7e1",
    water_line="#41707f",
    grid="#2f5a6b",
    sea_tint=("#ffffff", "#0b2f40"),
    sea_border="#f7f3e4",
    sea_border_shadow="#244c5e",
    coast="#33261a",
    border="#3b2d20",
    border_light="#f6edd6",
    land_text="#241a11",
    sea_text="#1f4759",
    ice="#e3e9e6",
    ice_line="#b3c6ca",
    lake="#adc7cb",
    scenery="#dad4c4",
    hatch="#a89c83",
    halo="#faf4e3",
    chip="#2b2118",
    chip_text="#fbf5e6",
    damage="#9c1f16",
    badge_text="#fffaf0",
    patterns=False,
    neutral=Tone("#e2dac7", "#7b6f57", "#5d5443"),
    pro_axis=Tone("#d5d0c2", "#6d6a61", "#4b4a46"),
    pro_allies=Tone("#e4d8b8", "#7d693b", "#5f4f2c"),
    impassable=Tone("#cfc4ad", "#75694f", "#5d5443"),
    powers={
        "ussr": Tone("#c58170", "#7f3a2b", "#74241a"),
        "germany": Tone("#9a9d95", "#4c5350", "#353c3d"),
        "uk": Tone("#dcc592", "#86672f", "#6b4c17"),
        "japan": Tone("#e3b04c", "#96651a", "#a3500f"),
        "usa": Tone("#9cab6b", "#55642e", "#3d5018"),
        "italy": Tone("#76a896", "#35604f", "#1f5443"),
        "china": Tone("#b9a1c4", "#6a4f78", "#583a68"),
        "anzac": Tone("#dcaab0", "#8e525b", "#7d3a47"),
        "france": Tone("#86a2ca", "#3e5d8a", "#244a80"),
        "dutch": Tone("#ecb08b", "#a8582a", "#a04412"),
        "mongolia": Tone("#cbb9a8", "#7d624b", "#624530"),
    },
)

COLOUR_BLIND: Final = Palette(
    name="colour-blind",
    paper="#f3f1ea",
    ink="#1f2428",
    sea="#e2eaee",
    sea_deep="#cfdce3",
    shallows="#ffffff",
    water_line="#5a7a8c",
    grid="#5a7a8c",
    sea_tint=("#ffffff", "#12384d"),
    sea_border="#ffffff",
    sea_border_shadow="#2f5266",
    coast="#1c2024",
    border="#1f2428",
    border_light="#ffffff",
    land_text="#12161a",
    sea_text="#234a5f",
    ice="#f2f5f6",
    ice_line="#bccbd2",
    lake="#cfdfe6",
    scenery="#e4e2dc",
    hatch="#8d8a84",
    halo="#ffffff",
    chip="#12161a",
    chip_text="#ffffff",
    damage="#a3003c",
    badge_text="#ffffff",
    patterns=True,
    neutral=Tone("#f4f3ef", "#77756f", "#4a4945"),
    pro_axis=Tone("#e1e2e6", "#62656d", "#3f424a"),
    pro_allies=Tone("#f6efd9", "#7f7450", "#54491f"),
    impassable=Tone("#d8d6d0", "#6f6d68", "#4a4945"),
    powers={
        "ussr": Tone("#e46562", "#8c1f22", "#7d1216"),
        "germany": Tone("#7a8cb5", "#36456b", "#2a375a"),
        "uk": Tone("#f2a966", "#94540f", "#7f4300"),
        "japan": Tone("#ffe578", "#85700a", "#8f5f00"),
        "usa": Tone("#ad9a22", "#54490a", "#463b00"),
        "italy": Tone("#2ab585", "#0b5f43", "#004f35"),
        "china": Tone("#cbeeac", "#4f7a2c", "#33600f"),
        "anzac": Tone("#3fd3fa", "#04607c", "#004d66"),
        "france": Tone("#3d9fee", "#0d4b83", "#003f78"),
        "dutch": Tone("#bdacbb", "#67566a", "#564058"),
        "mongolia": Tone("#d9d3c3", "#6d6650", "#504a36"),
    },
)

DARK: Final = Palette(
    name="dark",
    paper="#101518",
    ink="#f1e8d4",
    sea="#1b2d37",
    sea_deep="#121f27",
    shallows="#2c4753",
    water_line="#7fa6b3",
    grid="#7fa6b3",
    sea_tint=("#9fc4d0", "#000000"),
    sea_border="#6f8f9b",
    sea_border_shadow="#0a1216",
    coast="#e0d2b0",
    border="#17120c",
    border_light="#d9c9a4",
    land_text="#f7efdc",
    sea_text="#a9c4cd",
    ice="#2a343a",
    ice_line="#4a5a62",
    lake="#22363f",
    scenery="#2b2a27",
    hatch="#7d7462",
    halo="#14110c",
    chip="#f3e9d0",
    chip_text="#1a140c",
    damage="#ff8f7d",
    badge_text="#17120c",
    patterns=False,
    neutral=Tone("#443e32", "#a99f88", "#d3c9b1"),
    pro_axis=Tone("#44464a", "#9da1a8", "#cfd3da"),
    pro_allies=Tone("#514830", "#b8a76f", "#e0d09a"),
    impassable=Tone("#35322c", "#8d8470", "#c4baa2"),
    powers={
        "ussr": Tone("#6a231b", "#d98a78", "#f2a08c"),
        "germany": Tone("#56636a", "#b3bcbc", "#d3dada"),
        "uk": Tone("#6b5e36", "#d3bd83", "#ecd9a2"),
        "japan": Tone("#7f5a0c", "#e8bb55", "#ffcf66"),
        "usa": Tone("#3d5219", "#a8bf6d", "#c4da89"),
        "italy": Tone("#185847", "#7fc2ab", "#99dcc4"),
        "china": Tone("#584169", "#c0a5d0", "#d9bfe8"),
        "anzac": Tone("#764650", "#dba4ac", "#f5c0c8"),
        "france": Tone("#1f4f80", "#8db4e4", "#a9ccf7"),
        "dutch": Tone("#8f5029", "#efa877", "#ffbd90"),
        "mongolia": Tone("#57493b", "#c4ab90", "#dcc6ac"),
    },
)

PALETTES: Final[dict[str, Palette]] = {palette.name: palette for palette in (DEFAULT, COLOUR_BLIND, DARK)}


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours as web accessibility guidelines define it, from 1 to 21."""
    light, dark = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)
