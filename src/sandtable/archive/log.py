"""The log: what happened, in sentences for players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

import msgspec

from sandtable.engine import events as e
from sandtable.engine.events import AnyEvent
from sandtable.engine.facts import active, amounts, listed, name, phase_name
from sandtable.engine.game import Entry, Game
from sandtable.engine.phases import phase_title
from sandtable.engine.state import State, Units
from sandtable.notation import format_order
from sandtable.world.model import PowerId, SideId, SpaceId, UnitId, World


class LogLine(msgspec.Struct, frozen=True):
    """One order and what came of it."""

    place: int  # after so many orders; 0 is the opening, before any order
    round: int
    turn: PowerId  # whose turn it was
    phase: str
    power: PowerId  # who gave the order
    order: str  # in the notation of orders; empty for the opening
    sentences: tuple[str, ...]
    dice: tuple[int, ...] = ()
    throws: tuple[tuple[int, ...], ...] = ()  # the same dice in handfuls of at most twelve (CL-CMB-07)


def log(game: Game) -> list[LogLine]:
    """The game up to the point that is shown, order by order."""
    opening = game.opening
    lines = [_line(game.world, 0, game.start, opening, "")]
    before = opening.state
    for number, entry in enumerate(game.entries[: game.cursor], 1):
        lines.append(_line(game.world, number, before, entry, format_order(entry.order)))
        before = entry.state
    return lines


def _line(world: World, number: int, before: State, entry: Entry, order: str) -> LogLine:
    return LogLine(
        number,
        before.round,
        active(world, before),
        phase_name(world, before),
        entry.power,
        order,
        tuple(sentences(world, entry.events)),
        entry.faces,
        tuple(throw for event in entry.events if isinstance(event, e.Rolled) for throw in event.throws),
    )


def sentences(world: World, events: Sequence[AnyEvent]) -> list[str]:
    """Everything worth telling of these events; phases that passed without a word are left out."""
    found = []
    for index, event in enumerate(events):
        following = events[index + 1] if index + 1 < len(events) else None
        if isinstance(event, e.PhaseBegan) and isinstance(following, e.PhaseBegan | e.TurnBegan):
            continue
        words = sentence(world, event)
        if words is not None:
            found.append(words)
    return found


def sentence(world: World, event: AnyEvent) -> str | None:
    """What happened, in one sentence; None for mere bookkeeping."""
    words = _words(world, event)
    if words is None:
        return None
    if words.endswith(".."):  # after a name such as Karelia S.S.R.
        words = words[:-1]
    return words[0].upper() + words[1:]


def _words(world: World, event: AnyEvent) -> str | None:
    match event:
        case e.TurnBegan(power=power, round=number):
            return f"Round {number}: the turn of {the(world, power)} begins."
        case e.PhaseBegan(power=power, phase=phase):
            return f"{the(world, power)}: {phase_title(world, phase).lower()}."
        case e.Rolled():
            return _roll(world, event)
        case e.Researched(power=power, dice=dice, cost=cost, successes=successes):
            what = {0: "no breakthrough", 1: "one breakthrough"}.get(successes, f"{successes} breakthroughs")
            if successes and world.rules.breakthroughs == "one":
                what = "a breakthrough"
            if world.rules.researchers:
                return f"{_researchers(dice)} of {the(world, power)} {'work' if dice > 1 else 'works'}: {what}."
            return f"{the(world, power)} spends {ipcs(cost)} on research ({_dice(dice)}): {what}."
        case e.ResearchersChanged(power=power, change=change, total=total):
            if change < 0:
                return f"the researchers of {the(world, power)} have done their work and go."
            price = ipcs(change * world.rules.research_cost)
            return f"{the(world, power)} hires {_researchers(change)} for {price} and has {total} now."
        case e.BreakthroughMade(power=power):
            return f"{the(world, power)} has to choose a chart for its breakthrough."
        case e.TechGained(power=power, technology=technology):
            return f"{the(world, power)} develops {world.technologies[technology].name}."
        case e.Paid():
            return _payment(world, event)
        case e.Bought(power=power, units=units, cost=cost):
            return f"{the(world, power)} buys {amounts(world, units)} for {ipcs(cost)}."
        case e.Repaired(power=power, space=space, unit=unit, points=points, cost=cost):
            what = f"{points} damage to the {world.units[unit].name} in {place(world, space)}"
            return f"{the(world, power)} repairs {what} for {ipcs(cost)}."
        case e.Damaged(space=space, unit=unit, points=points, rolled=rolled):
            what = f"the {world.units[unit].name} in {place(world, space)}"
            lost = f"; {rolled - points} more than it can take" if points < rolled else ""
            return f"{what} takes {points or 'no'} damage{lost}."
        case e.Reinforced(power=power, units=units):
            return f"{the(world, power)} receives {amounts(world, units)}."
        case e.ObjectiveMet(power=power, objective=objective, bonus=bonus):
            title = next(o.name for o in world.objectives if o.id == objective)
            return f"{the(world, power)} earns {ipcs(bonus)} for an objective: {title}."
        case e.Moved(power=power, path=path, units=units):
            return f"{the(world, power)} moves {crew(world, units)} {_route(world, path)}."
        case e.Boarded(power=power, path=path, units=units):
            aboard = f"{crew(world, units)} from {place(world, path[0])}"
            return f"{the(world, power)} puts {aboard} aboard in {place(world, path[-1])}."
        case e.Landed(power=power, path=path, units=units):
            ashore = f"ashore in {place(world, path[-1])} from {place(world, path[0])}"
            return f"{the(world, power)} puts {crew(world, units)} {ashore}."
        case e.LandingDeclared(power=power, path=path, units=units):
            plan = f"to land {crew(world, units)} in {place(world, path[-1])}"
            return f"{the(world, power)} means {plan} once {place(world, path[0])} is clear."
        case e.LandingCancelled(power=power, space=space):
            return f"{place(world, space)} is not clear, and {the(world, power)} calls a landing off."
        case e.NeutralJoined(power=power, space=space, units=units):
            army = f" with {forces(world, units)}" if units else ""
            return f"{place(world, space)} joins {the(world, power)}{army}."
        case e.LeaningChanged(spaces=spaces, leaning=leaning):
            return (
                f"{listed([place(world, s) for s in spaces])} {'leans' if len(spaces) == 1 else 'lean'} {leaning} now."
            )
        case e.WarDeclared(power=power, on=on, pairs=pairs):
            drawn = sorted({p for pair in pairs for p in pair} - {power, on}, key=list(world.powers).index)
            beside = f", which draws in {listed([the(world, p) for p in drawn])}" if drawn else ""
            return f"{the(world, power)} declares war on {the(world, on)}{beside}."
        case e.NeutralViolated(power=power, space=space, fee=fee):
            return f"{the(world, power)} violates neutral {place(world, space)} for {ipcs(fee)}."
        case e.Captured():
            return _capture(world, event)
        case e.BattlesDeclined(power=power, spaces=spaces):
            where = listed([place(world, s) for s in spaces])
            return f"{the(world, power)} leaves the enemies in {where} alone."
        case e.BattleOpened(battle=battle):
            return _battle(world, battle.kind, battle.space, battle.attacker)
        case e.BattleChanged() | e.Asked() | e.Answered() | e.Restowed():
            return None
        case e.RoundBegan(space=space, round=number):
            return f"Round {number} of the battle in {place(world, space)}."
        case e.CasualtiesChosen(power=power, units=units, battle=battle):
            if not all(piece in battle.doomed for piece, _ in units):
                return None  # they go at once, and that is told next
            fires = "fires" if sum(n for _, n in units) == 1 else "fire"
            return f"{the(world, power)} gives up {forces(world, units)}, which still {fires}."
        case e.Lost(space=space, reason=reason, units=units):
            return f"{forces(world, units)} {_is(units)} {LOSSES[reason]} {place(world, space)}."
        case e.Hurt(space=space, units=units):
            return f"{forces(world, units)} in {place(world, space)} {_is(units)} damaged and {_fights(units)} on."
        case e.Dropped(power=power, space=space, units=units):
            return f"{the(world, power)} drops {crew(world, units)} over {place(world, space)}."
        case e.Withdrew():
            return _withdrawal(world, event)
        case e.Surfaced(space=space, changes=changes):
            up = tuple(item for change in changes for item in change.plus)
            return f"{forces(world, up)} {'surfaces' if _one(up) else 'surface'} in {place(world, space)}."
        case e.StrandedLanded(space=space, to=to, units=units):
            finds = "finds" if _one(units) else "find"
            return f"{forces(world, units)} over {place(world, space)} {finds} a place to land in {place(world, to)}."
        case e.BattleEnded():
            return _ending(world, event)
        case e.ShipsAssigned(zone=zone, shore=shore, units=units):
            plan = f"{'is' if _one(units) else 'are'} to support the landing in {place(world, shore)}"
            return f"{forces(world, units)} in {place(world, zone)} {plan}."
        case e.SupportGiven(space=space, zone=zone, changes=changes):
            ships = tuple(item for change in changes for item in change.minus)
            gives = "gives" if _one(ships) else "give"
            what = f"fire support to the landing in {place(world, space)}"
            return f"{forces(world, ships)} in {place(world, zone)} {gives} {what}."
        case e.RocketDeclined(power=power):
            return f"{the(world, power)} fires no rocket."
        case e.RocketFired(power=power, gun=gun, target=target):
            return f"{the(world, power)} fires a rocket from {place(world, gun)} at {place(world, target)}."
        case e.Placed(power=power, space=space, units=units):
            return f"{the(world, power)} places {amounts(world, units)} in {place(world, space)}."
        case e.Forfeited(power=power, units=units):
            return f"{the(world, power)} has no place for {amounts(world, units)}: lost."
        case e.Kept(power=power, units=units):
            return f"{amounts(world, units)} of {the(world, power)} {_stay(units)} in the mobilization zone."
        case e.Surrendered(power=power):
            return f"{the(world, power)} surrenders."
        case e.Noted():
            return None
        case e.GoalReached(victory=victory, who=who, power=power):
            title = next(v.name for v in world.victory if v.id == victory)
            until = f"until the end of the next turn of {the(world, power)}"
            return f"{_has(world, who)} reached what wins the war when it is held {until}: {title}."
        case e.GoalLost(victory=victory, who=who):
            title = next(v.name for v in world.victory if v.id == victory)
            return f"{_has(world, who)} not held what would have won the war: {title}."
        case e.Won(side=side, reason=reason, power=power):
            result = f"{the_side(side)} win the war" if side is not None else "the war ends undecided"
            if power is not None:
                result = f"{the(world, power)} wins the war"
            return f"{result}. {reason}".strip()
        case _:
            assert_never(event)


def _has(world: World, who: str) -> str:
    """A side or a power, with its verb."""
    return f"{the_side(who)} have" if who in world.sides else f"{the(world, who)} has"


LOSSES = {
    "battle": "lost in",
    "first-shot": "sunk by a first shot in",
    "aa": "shot down over",
    "no-landing": "lost for want of a place to land over",
    "carrier-sunk": "lost with the carrier in",
    "defenceless": "lost without escort in",
    "stalemate": "given up, since nobody can hit anybody, in",
}

SHOTS = {
    "aa": "AA fire",
    "support": "Fire support",
    "attack": "Attack",
    "defense": "Defence",
    "raid": "Bombs",
    "rocket": "Rocket",
    "research": "Research",
    "breakthrough": "Breakthrough",
    "bonds": "War bonds",
}


def _roll(world: World, event: e.Rolled) -> str:
    """Who rolls at what, the faces in handfuls as they are thrown at a table, and what they do."""
    where = f" on {place(world, event.space)}" if event.reason in ("raid", "rocket") and event.space else ""
    if event.needed and event.space:
        where = f" in {place(world, event.space)}"
    dice: dict[tuple[PowerId, UnitId], int] = {}
    for power, unit, n in event.shooters:  # bombers from several places are several groups, and told as one
        dice[power, unit] = dice.get((power, unit), 0) + n
    who = listed([f"{world.powers[p].adjective} {_shooter(world, unit, n)}" for (p, unit), n in dice.items()])
    who = who or the(world, event.power)
    needs = f" at {event.needed} or less" if event.needed else ""
    faces = " / ".join(" ".join(map(str, throw)) for throw in event.throws)
    result = ""
    if event.needed:
        result = {0: ": no hit", 1: ": one hit"}.get(event.hits, f": {event.hits} hits")
    elif event.reason in ("raid", "rocket"):
        result = f": damage of {event.hits}"
    return f"{SHOTS[event.reason]}{where}: {who}{needs}, dice {faces}{result}."


def _shooter(world: World, unit: UnitId, dice: int) -> str:
    """`fighters (3 dice)`: a unit may roll several dice, so that their number does not tell how many there are."""
    return f"{world.units[unit].name if dice == 1 else world.units[unit].plural} ({_dice(dice)})"


def _payment(world: World, event: e.Paid) -> str | None:
    power, money = event.power, ipcs(abs(event.amount))
    match event.reason:
        case "units" | "repair" | "research" | "neutral" | "objective":
            return None  # told by what was bought, repaired, rolled, violated or fulfilled
        case "bonds":
            return f"{the(world, power)} gets {money} for war bonds."
        case "income":
            return f"{the(world, power)} collects {money}."
        case "raid" | "rocket":
            by = "bombs" if event.reason == "raid" else "a rocket"
            return f"{the(world, power)} loses {money} to {by} on {place(world, event.space)}."
        case "capital":
            if event.amount < 0:
                return f"{the(world, power)} surrenders {money} with {place(world, event.space)}."
            return f"{the(world, power)} takes {money} in {place(world, event.space)}."
        case _:
            assert_never(event.reason)


def _capture(world: World, event: e.Captured) -> str:
    where, owner = place(world, event.space), the(world, event.owner)
    by = the(world, event.by)
    match event.reason:
        case "capture":
            loser = f" from {the(world, event.previous)}" if event.previous is not None else ""
            return f"{by} takes {where}{loser}."
        case "liberation":
            return f"{by} frees {where} for {owner}."
        case "restored":
            return f"{where} goes back to {owner}."
        case "neutral":
            return f"{where} comes under the control of {owner}."
        case _:
            assert_never(event.reason)


def _battle(world: World, kind: str, space: SpaceId, attacker: PowerId) -> str:
    who, where = the(world, attacker), place(world, space)
    match kind:
        case "raid":
            return f"{who} raids {where}."
        case "overflight":
            return f"planes of {who} come under AA fire on the way to {where}."
        case "sea":
            return f"{who} opens a sea battle in {where}."
        case _:
            return f"{who} attacks {where}."


def _ending(world: World, event: e.BattleEnded) -> str | None:
    who, where = the(world, event.attacker), place(world, event.space)
    match event.result:
        case "attacker":
            return f"{who} wins the battle in {where}."
        case "defender":
            return f"the attack on {where} is beaten off."
        case "both-destroyed":
            return f"nobody survives the battle in {where}."
        case "retreat":
            return f"{who} breaks off the battle in {where}."
        case "stalemate":
            return f"the battle in {where} ends without a winner."
        case "raid":
            return f"the raid on {where} is over."
        case "passed":
            return None  # the planes fly on
        case _:
            assert_never(event.result)


def _withdrawal(world: World, event: e.Withdrew) -> str:
    units, where = forces(world, event.units), place(world, event.space)
    match event.reason:
        case "retreat":
            return f"{units} {'retreats' if _one(event.units) else 'retreat'} from {where} to {place(world, event.to)}."
        case "submarines":
            return (
                f"{units} {'withdraws' if _one(event.units) else 'withdraw'} from {where} to {place(world, event.to)}."
            )
        case "submerged":
            return f"{units} {'submerges' if _one(event.units) else 'submerge'} in {where}."
        case "planes":
            return f"{units} {'leaves' if _one(event.units) else 'leave'} the fight over {where}."
        case _:
            assert_never(event.reason)


# ---------------------------------------------------------------- words


def the(world: World, power: PowerId) -> str:
    """The power's name as it stands inside a sentence: Germany, the United Kingdom."""
    full = world.powers[power].name
    return (
        f"the {full}" if full.startswith(("United ", "Union ", "U.S.")) or full.endswith((" Union", "lands")) else full
    )


def place(world: World, space: SpaceId) -> str:
    """The space's name as it stands inside a sentence: Libya, the Baltic Sea Zone."""
    full = name(world, space)
    return f"the {full}" if full.endswith(" Zone") else full


def the_side(side: SideId) -> str:
    return f"the {side.capitalize()}"


def ipcs(money: int) -> str:
    return f"{money} IPC{'s' if money != 1 else ''}"


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def _researchers(number: int) -> str:
    return "1 researcher" if number == 1 else f"{number} researchers"


def _stay(units: Iterable[tuple[UnitId, int]]) -> str:
    return "stays" if sum(n for _, n in units) == 1 else "stay"


def _one(units: Units) -> bool:
    return sum(n for _, n in units) == 1


def _is(units: Units) -> str:
    return "is" if _one(units) else "are"


def _fights(units: Units) -> str:
    return "fights" if _one(units) else "fight"


def crew(world: World, units: Units) -> str:
    """Units in the edition's order, with what they carry: `2 transports (carrying 2 infantry)`."""
    aboard: dict[UnitId, int] = {}
    for piece, n in units:
        for passenger in piece.cargo:
            aboard[passenger.type] = aboard.get(passenger.type, 0) + n
    load = amounts(world, [(unit, aboard[unit]) for unit in world.units if unit in aboard])
    return _totals(world, ((piece.type, n) for piece, n in units)) + (f" (carrying {load})" if load else "")


def _totals(world: World, units: Iterable[tuple[UnitId, int]]) -> str:
    totals: dict[UnitId, int] = {}
    for unit, n in units:
        totals[unit] = totals.get(unit, 0) + n
    return amounts(world, [(unit, totals[unit]) for unit in world.units if unit in totals])


def forces(world: World, units: Units) -> str:
    """Units with their owners: `2 German infantry and 1 Japanese transport (carrying 1 armor)`."""
    words = []
    for power in world.powers:
        mine = tuple((piece, n) for piece, n in units if piece.power == power)
        for unit in world.units:
            some = tuple((piece, n) for piece, n in mine if piece.type == unit)
            if not some:
                continue
            number, _, word = crew(world, some).partition(" ")
            words.append(f"{number} {world.powers[power].adjective} {word}")
    return listed(words)


def _route(world: World, path: tuple[SpaceId, ...]) -> str:
    over = f" by way of {listed([place(world, space) for space in path[1:-1]])}" if len(path) > 2 else ""
    return f"from {place(world, path[0])} to {place(world, path[-1])}{over}"
