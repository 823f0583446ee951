"""The analysis of a game as one page of HTML that needs nothing else: to keep, and to send to others."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from sandtable.engine.facts import listed, name
from sandtable.play.analysis import Analysis, BattleTale, Moment
from sandtable.world.model import UnitId, World

STYLE = """
body { font: 1rem/1.5 Georgia, serif; max-width: 54rem; margin: 2rem auto; padding: 0 1rem; }
body { background: #f4ecd8; color: #2b2118; }
h1, h2 { line-height: 1.15; } svg { width: 100%; height: auto; background: #fffaf0; border: 1px solid #b9a67f; }
table { border-collapse: collapse; width: 100%; font: 0.9rem/1.35 system-ui, sans-serif; }
th, td { text-align: left; padding: 0.25rem 0.5rem; border-bottom: 1px solid #d8c9a4; vertical-align: top; }
.soft { color: #5d4e38; } h1 { overflow-wrap: anywhere; }
@media (max-width: 40rem) {
  body { margin: 0.5rem auto; } thead { display: none; }
  tr { display: block; padding: 0.4rem 0; border-bottom: 1px solid #d8c9a4; }
  td { display: flex; gap: 0.6rem; border: 0; padding: 0.1rem 0; } td:empty { display: none; }
  td::before { content: attr(data-of); flex: none; width: 5.5rem; color: #5d4e38; }
}
"""

RESULTS = {
    "attacker": "the attack succeeded",
    "defender": "the defenders held",
    "both-destroyed": "nobody was left",
    "retreat": "the attackers broke off",
    "stalemate": "nobody could win",
}


def report(world: World, title: str, found: Analysis) -> str:
    """The whole page."""
    first, second = (side.capitalize() for side in found.sides[:2])
    result = f"Victory of the {found.winner.capitalize()}" if found.winner else "Not decided yet"
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(result)}, {_rounds(found.moments[-1].round)}.</p>",
        f"<h2>Who was winning</h2><p class=soft>Above the middle the {escape(first)}, below it the {escape(second)}. "
        "An estimate from units, land, money and capitals.</p>",
        _chart(found.moments),
        "<h2>Turning points</h2>",
        _table(
            ("Round", "Turn of", f"Chance of the {first}"),
            ((str(t.round), world.powers[t.power].name, f"{t.before:.0%} → {t.after:.0%}") for t in found.turning),
        ),
    ]
    for heading, places in (("Best decisions", found.best), ("Worst decisions", found.worst)):
        if places:
            parts.append(f"<h2>{heading}</h2><p class=soft>By what the odds promised before a die fell.</p>")
            parts.append(_battles(world, [found.battles[i] for i in places]))
    parts.append("<h2>Every battle</h2>")
    parts.append(_battles(world, found.battles))
    body = "\n".join(parts)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>{body}</body></html>"
    )


def _chart(moments: Iterable[Moment]) -> str:
    shown = list(moments)
    step = 930 / max(1, len(shown) - 1)
    line = " ".join(f"{60 + i * step:.1f},{10 + 280 * (1 - m.chance):.1f}" for i, m in enumerate(shown))
    marks = [
        f'<text x="52" y="{16 + 280 * (1 - part):.0f}" text-anchor="end">{part:.0%}</text>'
        f'<path d="M60 {10 + 280 * (1 - part):.0f}H990" stroke="#d8c9a4"/>'
        for part in (0, 0.25, 0.5, 0.75, 1)
    ]
    last = 0.0
    for i, moment in enumerate(shown):
        at = 60 + i * step
        if i and moment.round != shown[i - 1].round and at - last >= 45:  # room for the number
            last = at
            marks.append(
                f'<path d="M{at:.1f} 10V290" stroke="#d8c9a4"/><text x="{at:.1f}" y="310">{moment.round}</text>'
            )
    return (
        f'<svg viewBox="0 0 1000 345" role="img" aria-label="Chances over time" font-size="20" fill="#5d4e38">'
        f'{"".join(marks)}<text x="525" y="335" text-anchor="middle">round</text>'
        f'<path d="M60 150H990" stroke="#8b4308" stroke-dasharray="6 4"/>'
        f'<polyline points="{line}" fill="none" stroke="#7f2f22" stroke-width="3"/></svg>'
    )


def _battles(world: World, tales: Iterable[BattleTale]) -> str:
    def row(tale: BattleTale) -> tuple[str, ...]:
        who = f"{world.powers[tale.attacker].name} against {listed([world.powers[p].name for p in tale.defenders])}"
        return (
            str(tale.round),
            f"{name(world, tale.space)}: {who}",
            f"{_force(world, tale.attack)} – {_force(world, tale.defense)}",
            "" if tale.win is None else f"{tale.win:.0%}",
            RESULTS.get(tale.result, tale.result),
            f"{tale.luck:+.1f}",
        )

    return _table(("Round", "Battle", "Forces", "Chance", "Result", "Luck"), map(row, tales))


def _force(world: World, units: Iterable[tuple[UnitId, int]]) -> str:
    return listed([f"{n} {world.units[unit].name if n == 1 else world.units[unit].plural}" for unit, n in units])


def _rounds(number: int) -> str:
    return f"{number} round" if number == 1 else f"{number} rounds"


def _cell(of: str, text: str) -> str:
    """A cell that knows the head of its column: in a narrow window it stands beside it."""
    return f'<td data-of="{escape(of)}">{escape(text)}</td>'


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    cells = "".join(f"<th>{escape(each)}</th>" for each in head)
    body = "".join("<tr>" + "".join(map(_cell, head, row)) + "</tr>" for row in rows)
    return f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"
