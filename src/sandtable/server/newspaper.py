"""The newspaper of a round: headlines made from what really happened, the weightiest first.

A headline's weight is roughly what the event was worth in IPCs; capitals and the end of the war come before everything.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.archive.log import forces, ipcs, sentence
from sandtable.engine import events as e
from sandtable.engine.conditions.history import released
from sandtable.engine.events import AnyEvent
from sandtable.engine.facts import the, unit_type
from sandtable.engine.state import Piece, State, Units
from sandtable.server.journal import Journal
from sandtable.server.views.history import Headline, Newspaper
from sandtable.world.model import World

BIG_BATTLE = 10  # IPCs lost on both sides together
MOST = 12  # headlines of an issue


class _Battle(msgspec.Struct):
    """A battle while it is followed through the round."""

    space: str
    kind: str
    attacker: str
    lost: list[tuple[str, str, int]] = []  # power, unit, number
    pieces: list[Units] = []


def newspaper(journal: Journal, number: int) -> Newspaper:
    """The issue of one round; of the current round, what has happened so far."""
    found = sorted(_headlines(journal, number), key=lambda h: (-h.weight, h.at))
    state = journal.game.state
    return Newspaper(round=number, complete=state.round > number or state.over, headlines=found[:MOST])


def _headlines(journal: Journal, number: int) -> Iterator[Headline]:
    world = journal.game.world
    battle: _Battle | None = None
    before = journal.game.start
    for place, entry in enumerate([journal.game.opening, *journal.game.entries]):
        current = before.round
        for event in entry.events:
            if isinstance(event, e.TurnBegan):
                current = event.round
            match event:
                case e.BattleOpened(battle=opened):
                    battle = _Battle(opened.space, opened.kind, opened.attacker)
                case e.Lost(units=units) if battle is not None:
                    battle.pieces.append(units)
                    battle.lost.extend((piece.power, piece.type, n) for piece, n in units)
                    battle.lost.extend((aboard.power, aboard.type, n) for piece, n in units for aboard in piece.cargo)
            if current == number:
                yield from _stories(world, entry.state, event, battle, place)
            if isinstance(event, e.BattleEnded):
                battle = None
        before = entry.state


def _stories(world: World, state: State, event: AnyEvent, battle: _Battle | None, place: int) -> Iterator[Headline]:
    match event:
        case e.Won(side=side, reason=reason, power=power):
            title = "The war ends undecided" if side is None else f"The {side.capitalize()} win the war"
            if power is not None:
                title = f"{_capital(the(world, power))} wins the war"
            yield Headline(kind="victory", headline=title, body=reason, at=place, weight=10_000)
        case e.Surrendered(power=power):
            name = _capital(the(world, power))
            yield Headline(
                kind="surrender",
                headline=f"{name} surrenders",
                body=f"{name} lays down its arms.",
                power=power,
                space=world.powers[power].capital,
                at=place,
                weight=9_000,
            )
        case e.AllianceMade(power=power, partner=partner) | e.AllianceBroken(power=power, partner=partner):
            made = isinstance(event, e.AllianceMade)
            names = f"{world.powers[power].adjective}-{world.powers[partner].adjective}"
            yield Headline(
                kind="alliance",
                headline=f"{names} alliance {'signed' if made else 'broken'}",
                body=sentence(world, event) or "",
                power=power,
                space=world.powers[power].capital,
                at=place,
                weight=40,
            )
        case e.Noted(fact=fact):
            for power in (p for p in world.powers if fact == released(p)):
                name = _capital(the(world, power))
                yield Headline(
                    kind="pact",
                    headline=f"{name} is bound by no pact any more",
                    body=f"{name} leaves nobody alone for the sake of an old treaty.",
                    power=power,
                    space=world.powers[power].capital,
                    at=place,
                    weight=60,
                )
        case e.LandOpened(power=power, space=space):
            yield Headline(
                kind="opened",
                headline=f"{world.powers[power].adjective} gates open in {world.spaces[space].name}",
                body=sentence(world, event) or "",
                power=power,
                space=space,
                at=place,
                weight=20,
            )
        case e.AidSent(power=power, receiver=receiver, amount=amount):
            yield Headline(
                kind="aid",
                headline=f"{world.powers[power].adjective} convoys reach {the(world, receiver)}",
                body=sentence(world, event) or "",
                power=power,
                space=world.powers[receiver].capital,
                at=place,
                weight=amount,
            )
        case e.Captured():
            yield _capture(world, event, place)
        case e.TechGained(power=power, technology=technology):
            found = world.technologies[technology]
            yield Headline(
                kind="technology",
                headline=f"{world.powers[power].adjective} scientists announce {found.name}",
                body=" ".join(found.help.split()) or sentence(world, event) or found.name,
                power=power,
                space=world.powers[power].capital,
                at=place,
                weight=25,
            )
        case e.Paid(power=power, amount=amount, reason="raid" | "rocket", space=space) if amount < 0:
            what = "Bombs" if event.reason == "raid" else "Rockets"
            yield Headline(
                kind=event.reason,
                headline=f"{what} fall on {world.spaces[space].name}",
                body=f"{_capital(the(world, power))} loses {ipcs(-amount)} of its industry's output.",
                power=power,
                space=space,
                at=place,
                weight=-amount,
            )
        case e.Damaged(power=power, space=space, points=points) if points:
            yield Headline(
                kind="damage",
                headline=f"{world.spaces[space].name}: the works are burning",
                body=sentence(world, event) or "",
                power=power,
                space=space,
                at=place,
                weight=points,
            )
        case e.ObjectiveMet(power=power, objective=objective, bonus=bonus):
            title = next(o.name for o in world.objectives if o.id == objective)
            yield Headline(
                kind="objective",
                headline=f"{world.powers[power].adjective} war aim reached: {title}",
                body=sentence(world, event) or title,
                power=power,
                space=world.powers[power].capital,
                at=place,
                weight=bonus,
            )
        case e.BattleEnded() if battle is not None and world.battles[battle.kind].counts:
            story = _battle(world, state, event, battle, place)
            if story is not None:
                yield story


def _capture(world: World, event: e.Captured, place: int) -> Headline:
    where = world.spaces[event.space]
    capital_of = where.capital_of
    by = _capital(the(world, event.by))
    adjective = world.powers[event.by].adjective
    weight = 10 + 3 * where.ipc
    if event.reason in ("liberation", "restored"):
        headline = f"{where.name} is free"
        if event.reason == "restored":
            weight = where.ipc
    elif event.reason == "neutral":
        headline = f"{adjective} troops march into neutral {where.name}"
    else:
        headline = f"{adjective} troops take {where.name}"
    kind = "capture"
    if capital_of is not None:
        kind, weight = "capital", 1_000
        power = the(world, capital_of)
        headline = (
            f"The capital of {power} is free again"
            if event.owner == capital_of
            else f"The capital of {power} has fallen"
        )
    if where.victory_city:
        weight += 20
        if capital_of is None and event.reason not in ("restored", "neutral"):
            headline = (
                f"{where.victory_city} is free" if event.reason == "liberation" else f"{where.victory_city} falls"
            )
    value = f" It is worth {ipcs(where.ipc)}." if where.ipc else ""
    body = (sentence(world, event) or f"{by} holds {where.name}.") + value
    return Headline(kind=kind, headline=headline, body=body, power=event.by, space=where.id, at=place, weight=weight)


def _battle(world: World, state: State, event: e.BattleEnded, battle: _Battle, place: int) -> Headline | None:
    """Worth telling when much was lost; at sea, when a fleet went down."""
    value = sum(n * (unit_type(world, state, power, unit).cost or 0) for power, unit, n in battle.lost)
    if value < BIG_BATTLE:
        return None
    where = world.spaces[battle.space].name
    side = world.side_of(battle.attacker)
    sunk = {
        power: sum(n for owner, unit, n in battle.lost if owner == power and world.units[unit].domain == "sea")
        for power in world.powers
    }
    losers = [power for power, n in sunk.items() if n >= 2]
    attacker = world.powers[battle.attacker].adjective
    kind = "battle"
    if world.spaces[battle.space].is_sea and losers:
        kind = "fleet"
        loser = max(losers, key=lambda power: sunk[power])
        headline = f"{world.powers[loser].adjective} ships go down in {where}"
    elif event.result == "attacker":
        headline = f"{attacker} victory in {where}"
    elif event.result in ("defender", "retreat"):
        headline = f"{attacker} attack on {where} beaten off"
    else:
        headline = f"Heavy fighting in {where}"
    ours = forces(world, _by_side(world, battle.pieces, side, ours=True)) or "nothing"
    theirs = forces(world, _by_side(world, battle.pieces, side, ours=False)) or "nothing"
    body = f"The attackers lost {ours}, the defenders {theirs}: {ipcs(value)} in all."
    return Headline(
        kind=kind, headline=headline, body=body, power=battle.attacker, space=battle.space, at=place, weight=value
    )


def _by_side(world: World, pieces: list[Units], side: str, *, ours: bool) -> Units:
    totals: dict[Piece, int] = {}
    for units in pieces:
        for piece, n in units:
            if (world.side_of(piece.power) == side) == ours:
                totals[piece] = totals.get(piece, 0) + n
    return tuple(totals.items())


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
