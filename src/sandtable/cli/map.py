"""`sandtable map`: a board, or a saved game, as a picture."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sandtable import maps
from sandtable.archive.picture import map_of, position_of
from sandtable.cli import show
from sandtable.cli.arguments import UsageError
from sandtable.notation.names import names

KINDS = (".svg", ".png")


def draw(
    what: str,
    chosen: Mapping[str, Any],
    output: Path,
    *,
    palette: str,
    width: int,
    around: list[str],
    centre: str | None,
    hide: frozenset[str],
) -> None:
    """Draw the position into the file; its ending says how."""
    if output.suffix.lower() not in KINDS:
        raise UsageError(f"A picture ends in {' or '.join(KINDS)}, not in {output.suffix or output.name!r}.")
    if palette not in maps.PALETTES:
        raise UsageError(f"There is no palette {palette!r}; there are {', '.join(maps.PALETTES)}.")
    world, state = show.position(what, chosen)
    crop = [names(world, "space").find(text) for text in around]
    svg = maps.draw_svg(
        map_of(world),
        position_of(world, state),
        palette=palette,
        width=width,
        names="names" not in hide,
        values="values" not in hide,
        units="units" not in hide,
        crop=crop or None,
        centre=names(world, "space").find(centre) if centre else None,
        title=world.scenario_name if state.round == 1 else f"{world.scenario_name}, round {state.round}",
    )
    content = svg.encode() if output.suffix.lower() == ".svg" else maps.png(svg, width)
    try:
        output.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{output} cannot be written: {error.strerror or error}.") from None
    print(f"{output}: {len(content) // 1024} kB")
