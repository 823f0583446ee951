"""Odds as text: a table of figures and a histogram that fits a terminal. Pure functions, no colours."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sandtable.engine.facts import in_brackets
from sandtable.odds.raid import RaidOdds
from sandtable.odds.result import Odds
from sandtable.world.model import UnitId, World

BAR = "█"
PARTS = " ▏▎▍▌▋▊▉"
UNLIKELY = 0.001  # rows of a histogram below this share are left out


def percent(chance: float) -> str:
    """Chances as people read them; what is neither impossible nor certain never looks so.

    >>> percent(0.5), percent(0.00001), percent(0.99999)
    ('50.0 %', '<0.1 %', '>99.9 %')
    """
    if 0.0 < chance < 0.0005:
        return "<0.1 %"
    if 0.9995 <= chance < 1.0 - 1e-9:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"


def table(odds: Odds, world: World | None = None, *, hold: Sequence[int] = (1,), ends: int = 5) -> str:
    """Everything at a glance: results, losses, rounds, the most likely ends."""
    attack, defense = odds.expected_losses
    rows: list[tuple[str, str]] = [("attacker wins", percent(odds.win)), ("draw", percent(odds.draw))]
    rows.append(("defender wins", percent(odds.loss)))
    if odds.retreat:
        rows.append(("attacker retreats", percent(odds.retreat)))
    if odds.model.takes_land:
        for number in hold:
            some = f"{number} land unit{'s' if number != 1 else ''}"
            rows.append((f"land taken with {some} or more", percent(odds.take_and_hold(number))))
    rows.append(("rounds, on average", f"{odds.mean_rounds:.1f}"))
    a_lost, d_lost = odds.losses_by_type
    rows.append(("attacker loses", _lost(attack, a_lost, world)))
    rows.append(("defender loses", _lost(defense, d_lost, world)))
    rows.append(("swing", f"{odds.swing:+.1f} I.P.C."))
    lines = _aligned(rows)
    if ends:
        lines += ["", "most likely ends:"]
        for end in odds.survivors(most=ends):
            who = f"{force(end.attackers, world)} against {force(end.defenders, world)}"
            lines.append(f"  {percent(end.chance):>8}  {end.result:<7}  {who}")
    lines += ["", source(odds), *notes(odds)]
    return "\n".join(lines)


def notes(odds: Odds) -> list[str]:
    """What may surprise in these figures, with the rules behind it."""
    model = odds.model
    found = []
    if odds.retreat and "lone-transports" in model.steps and any(k.last for k in model.attack.kinds):
        rule = in_brackets(model.world, "lone-transports-must-retreat")
        found.append(f"Attacking transports that lose their escort retreat if they can{rule}.")
    units = [(k, n) for k, n in zip(model.defense.kinds, model.defense.counts, strict=True) if not k.shield]
    planes = sum(n for kind, n in units if kind.domain == "air")
    decks = sum(n * max((room for _, room in kind.deck), default=0) for kind, n in units)
    if model.has_decks and planes > decks and not model.shelter:
        rule = in_brackets(model.world, "homeless-planes-are-lost")
        found.append(f"Defending planes without a deck to land on are lost after the battle{rule}.")
    return found


def source(odds: Odds) -> str:
    """Where the figures come from."""
    if odds.exact:
        return "exact odds"
    low, high = odds.interval
    played = f"played out: {odds.runs:,} battle{'s' if odds.runs != 1 else ''} by the engine"
    return f"{played}, {100 * low:.1f} to {100 * high:.1f} % to win (95 % confidence); no exact odds because {odds.why}"


def raid_table(odds: RaidOdds) -> str:
    """A raid at a glance."""
    rows = [
        ("damage, on average", f"{odds.expected_damage:.1f} I.P.C."),
        ("planes lost, on average", f"{odds.expected_lost:.2f} ({odds.loss_worth:.1f} I.P.C.)"),
        ("no plane lost", percent(odds.lost[0])),
        ("swing", f"{odds.swing:+.1f} I.P.C."),
    ]
    return "\n".join([*_aligned(rows), "", raid_source(odds)])


def raid_source(odds: RaidOdds) -> str:
    """Where the figures come from."""
    if odds.exact:
        return "exact odds"
    low, high = odds.interval
    return (
        f"played out: {odds.runs:,} raids by the engine, {100 * low:.1f} to {100 * high:.1f} % without loss "
        f"(95 % confidence); no exact odds because {odds.why}"
    )


def histogram(chances: Sequence[float], *, width: int = 40, label: str = "", unlikely: float = UNLIKELY) -> str:
    """A bar a value, from the first to the last that is not too unlikely.

    >>> print(histogram([0.25, 0.5, 0.25], width=4))
     0   25.0 %  ██
     1   50.0 %  ████
     2   25.0 %  ██
    """
    shown = [i for i, p in enumerate(chances) if p >= unlikely]
    if not shown:
        return label
    top = max(chances)
    lines = [label] if label else []
    for value in range(shown[0], shown[-1] + 1):
        lines.append(f"{value:>2}  {percent(chances[value]):>7}  {_bar(chances[value] / top, width)}".rstrip())
    return "\n".join(lines)


def plot(odds: Odds, width: int = 40) -> str:
    """Histograms of the units left on both sides and of the rounds fought."""
    rounds = (0.0, *odds.rounds)
    return "\n\n".join(
        (
            histogram(odds.left("attack"), width=width, label="attackers left"),
            histogram(odds.left("defense"), width=width, label="defenders left"),
            histogram(rounds, width=width, label="rounds fought"),
        )
    )


def force(units: Mapping[UnitId, int] | Mapping[UnitId, float], world: World | None = None) -> str:
    """`2 infantry, 1 fighter`, or `nobody`."""
    return ", ".join(_amount(u, n, world) for u, n in units.items()) or "nobody"


def _amount(unit: UnitId, number: float, world: World | None) -> str:
    count = f"{number:g}" if float(number).is_integer() else f"{number:.1f}"
    if world is None:
        return f"{count} {unit}"
    kind = world.units[unit]
    return f"{count} {kind.name if number == 1 else kind.plural}"


def _lost(worth: float, units: Mapping[UnitId, float], world: World | None) -> str:
    some = {unit: number for unit, number in units.items() if number >= 0.05}
    text = f"{worth:.1f} I.P.C."
    return f"{text} ({force(some, world)})" if some else text


def _aligned(rows: Sequence[tuple[str, str]]) -> list[str]:
    width = max(len(name) for name, _ in rows)
    return [f"{name:<{width}}  {value}" for name, value in rows]


def _bar(share: float, width: int) -> str:
    eighths = round(share * width * 8)
    return BAR * (eighths // 8) + PARTS[eighths % 8].strip()
