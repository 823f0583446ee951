"""SVG to PNG without a browser, through the optional resvg wheel."""

from __future__ import annotations

import importlib
from contextlib import ExitStack
from importlib import resources

from sandtable.errors import SandtableError
from sandtable.maps import lettering


def png(svg: str, width: int) -> bytes:
    """The picture as PNG, `width` pixels wide. Needs the extra `sandtable[png]`."""
    try:
        resvg = importlib.import_module("resvg_py")
    except ImportError as error:
        raise SandtableError(
            "PNG pictures need the extra 'png': pip install 'sandtable[png]'. SVG works without it."
        ) from error
    folder = resources.files("sandtable.maps").joinpath("fonts")
    with ExitStack() as stack:
        files = [str(stack.enter_context(resources.as_file(folder.joinpath(face.file)))) for face in lettering.FACES]
        # Only our own fonts: the picture is then the same on every machine.
        picture = resvg.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=files,
            serif_family=lettering.LAND.family,
            sans_serif_family=lettering.NUMBER.family,
        )
    return bytes(picture)
