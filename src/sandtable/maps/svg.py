"""The little of SVG that the drawing needs: elements with escaped attributes, and short numbers."""

from __future__ import annotations

from xml.sax.saxutils import escape

Value = str | float | None


def number(value: float, digits: int = 2) -> str:
    """A number as short as it can be written, the same on every machine."""
    text = f"{value:.{digits}f}"
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def tag(name: str, content: str = "", /, **attributes: Value) -> str:
    """An element. `stroke_width` stands for stroke-width, `class_` for class; attributes that are None are left out.

    Text is escaped in attributes; `content` is markup already.
    """
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{_written(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(words: str, x: float, y: float, size: float, class_: str, **attributes: Value) -> str:
    """A line of text with its baseline at (x, y)."""
    return tag("text", escape(words), class_=class_, font_size=size, x=x, y=y, **attributes)


def move(x: float, y: float, scale: float | None = None, turn: float | None = None) -> str:
    """A transform attribute that puts the origin at (x, y)."""
    parts = [f"translate({number(x)} {number(y)})"]
    if turn:
        parts.append(f"rotate({number(turn)})")
    if scale is not None:
        parts.append(f"scale({number(scale, 5)})")
    return " ".join(parts)


def points(corners: list[tuple[float, float]]) -> str:
    """A closed path through the corners."""
    return "M" + " ".join(f"{number(x)} {number(y)}" for x, y in corners) + "z"


def _written(value: str | float) -> str:
    return escape(value, {'"': "&quot;"}) if isinstance(value, str) else number(value)
