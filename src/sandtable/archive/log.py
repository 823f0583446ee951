"""The log: what happened, in sentences for players."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

import msgspec

from sandtable.engine import events as e
from sandtable.engine.events import AnyEvent
from sandtable.engine.facts import active, amounts, listed, name, phase_name, the
from sandtable.engine.game import Entry, Game
from sandtable.engine.phases import phase_title
from sandtable.engine.state import Pair, State, Units
from sandtable.errors import one_stop
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
    words = one_stop(words)
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
        case e.Focused(power=power, technology=technology, cost=cost, success=success):
            name_of = world.technologies[technology].name
            return f"{the(world, power)} spends {ipcs(cost)} on {name_of}: {'success' if success else 'nothing'}."
        case e.Sabotaged(power=power, by=by):
            return f"{world.powers[by].adjective} sabotage undoes a breakthrough of {the(world, power)}."
        case e.ResearchersChanged(power=power, change=change, total=total):
            if change < 0:
                return f"the researchers of {the(world, power)} have done their work and go."
            price = ipcs(change * world.rules.research_cost)
            return f"{the(world, power)} hires {_researchers(change)} for {price} and has {total} now."
        case e.EventDrawn(card=card):
            found = next(c for c in world.cards if c.id == card)
            return f"Event card: {found.name}. {found.text}".strip()
        case e.BreakthroughMade(power=power):
            return f"{the(world, power)} has to choose a chart for its breakthrough."
        case e.ProjectAdvanced(power=power, technology=technology, spaces=spaces, place=spot):
            what = f"{the(world, power)}: {_project(world, technology)}"
            return f"{what} {'advances' if spaces > 0 else 'is thrown back'} to {spot} of {world.rules.track_length}."
        case e.ProjectRevealed(power=power, technology=technology, by=by):
            return f"{the(world, by)} finds out that {the(world, power)} works on {_project(world, technology)}."
        case e.SpiesStopped(power=power, by=by):
            return f"the agents of {the(world, power)} are caught by {the(world, by)}."
        case e.SpiesUsed():
            return None  # what they do is told next
        case e.PilotsTrained(power=power, change=change, level=level, cost=cost):
            how = {1: "rises to", 0: "stays at", -1: "falls to"}[change]
            price = f" for {ipcs(cost)}" if cost else ""
            return f"the level of the pilots of {the(world, power)} {how} {level:+d}{price}."
        case e.TechGained(power=power, technology=technology):
            return f"{the(world, power)} develops {world.technologies[technology].name}."
        case e.Funded(power=power):
            return f"dice decide what {the(world, power)} begins with."
        case e.LeaderNamed(power=power, space=space, units=units):
            return f"the leader of {the(world, power)} commands {forces(world, units)} in {place(world, space)}."
        case e.AidSent(power=power, receiver=receiver, cost=cost, amount=amount):
            what = f"sends {the(world, receiver)} {ipcs(amount)} by lend lease"
            return f"{the(world, power)} pays {ipcs(cost)} and {what}."
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
        case e.DropsCounted(power=power, cost=cost):
            drop = world.rules.drops
            if not cost or drop is None:
                return None
            return f"{the(world, power)} pays {ipcs(cost)} for {_drops(cost // drop.fee)}."
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
        case e.Upgraded(power=power, space=space, unit=unit, cost=cost):
            where = place(world, space)
            return f"{the(world, power)} upgrades the complex in {where} ({world.units[unit].name}) for {ipcs(cost)}."
        case e.BuildingChanged(space=space, unit=unit, left=left):
            what = f"the {world.units[unit].name} in {place(world, space)}"
            return f"{what} is finished." if not left else f"{what} takes {left} more turn{'' if left == 1 else 's'}."
        case e.Mended(space=space, units=units):
            return f"{forces(world, units)} in {place(world, space)} {_is(units)} repaired."
        case e.Dismantled(space=space, unit=unit):
            return f"the {world.units[unit].name} in {place(world, space)} is removed."
        case e.Downgraded(space=space, unit=unit):
            return f"the complex in {place(world, space)} is less now ({world.units[unit].name})."
        case e.NeutralDefended(space=space, units=units):
            return f"{forces(world, units)} {'takes' if _one(units) else 'take'} up arms in {place(world, space)}."
        case e.CapitalNamed(power=power, space=space):
            return f"The government of {the(world, power)} is in {place(world, space)} now."
        case e.LeaningChanged(spaces=spaces, leaning=leaning):
            return (
                f"{listed([place(world, s) for s in spaces])} {'leans' if len(spaces) == 1 else 'lean'} {leaning} now."
            )
        case e.WarDeclared(power=power, on=on, pairs=pairs):
            drawn = sorted({p for pair in pairs for p in pair} - {power, on}, key=list(world.powers).index)
            beside = f", which draws in {listed([the(world, p) for p in drawn])}" if drawn else ""
            return f"{the(world, power)} declares war on {the(world, on)}{beside}."
        case e.AllianceMade(power=power, partner=partner):
            return f"{the(world, power)} and {the(world, partner)} are allied."
        case e.AllianceDeclined(power=power, partner=partner):
            return f"{the(world, partner)} declines an alliance with {the(world, power)}."
        case e.SharingDeclined(power=power, host=host, space=space):
            return f"{the(world, host)} does not share {name(world, space)} with {the(world, power)}."
        case e.AllianceBroken(power=power, partner=partner):
            return f"{the(world, power)} breaks with {the(world, partner)}."
        case e.Restrained(pairs=pairs):
            return _restraint(world, pairs)
        case e.LandOpened(power=power, space=space):
            return f"{the(world, power)} opens {place(world, space)} to its allies."
        case e.NeutralViolated(power=power, space=space, fee=fee):
            return f"{the(world, power)} violates neutral {place(world, space)} for {ipcs(fee)}."
        case e.Captured():
            return _capture(world, event)
        case e.BattlesDeclined(power=power, spaces=spaces):
            where = listed([place(world, s) for s in spaces])
            return f"{the(world, power)} leaves the enemies in {where} alone."
        case e.BattleOpened(battle=battle):
            return _battle(world, battle.kind, battle.space, battle.attacker)
        case e.BudgetSet() | e.MovesAllowed():
            return None
        case e.SurprisePlanned(power=power, space=space):
            return f"{the(world, power)} plans a surprise in {place(world, space)}."
        case e.ComplexLifted(power=power, space=space, to=to, unit=unit):
            way = f"from {place(world, space)} to {place(world, to)}"
            return f"{the(world, power)} takes its {world.units[unit].name} {way}."
        case e.ComplexSettled(power=power, space=space, unit=unit):
            return f"{the(world, power)} puts its {world.units[unit].name} down in {place(world, space)}."
        case e.MovingChanged(before=before, now=now, cost=cost):
            what = f"the {world.units[before.unit].name} under way to {place(world, before.end)}"
            if now.unit != before.unit:
                return f"{the(world, now.power)} makes {what} a {world.units[now.unit].name} for {ipcs(cost)}."
            return f"{the(world, now.power)} sends {what} on to {place(world, now.end)}."
        case e.ComplexesUpgraded(power=power, spaces=spaces, becomes=becomes):
            where = listed([place(world, s) for s in spaces])
            what = f": {world.units[becomes].plural} in {where}" if spaces else ""
            return f"{the(world, power)} mobilizes for war{what}."
        case e.LineRaised(power=power, space=space, unit=unit):
            return (
                f"a {world.powers[power].adjective} {world.units[unit].name} bars the way into {place(world, space)}."
            )
        case e.LinesLost(power=power, until=until):
            what = f"the border lines of {the(world, power)}"
            return f"{what} are worth nothing after the fall of {place(world, until)}."
        case e.TroopsOffered(power=power, space=space, value=value):
            return f"{the(world, power)} raises troops for {ipcs(value)} in {place(world, space)}."
        case e.TroopsRaised(power=power, space=space, units=raised):
            return f"{the(world, power)} places {amounts(world, raised)} in {place(world, space)}."
        case e.UndergroundLeft(space=space, units=units):
            return f"{forces(world, units)} {'leaves' if _one(units) else 'leave'} {place(world, space)}."
        case e.BattleChanged() | e.Asked() | e.Answered() | e.Restowed() | e.AdriftSettled():
            return None
        case e.Intercepted(power=power, space=space, units=units, at_bombers=number):
            all_of_them = sum(n for _, n in units)
            at = {0: " against the escorts", all_of_them: ""}.get(number, f", {number} of them against the bombers")
            return f"{the(world, power)} sends {forces(world, units)} up over {place(world, space)}{at}."
        case e.SortiesWent() | e.FlewOn():
            return None
        case e.Launched(power=power, base=base, zone=zone, units=units, against=against):
            why = "to defend" if against == "attack" else "against ships in"
            way = f"from {place(world, base)} {why} {place(world, zone)}"
            return f"{the(world, power)} sends {forces(world, units)} {way}."
        case e.Returned(base=base, units=units):
            return f"{forces(world, units)} {'is' if _one(units) else 'are'} back in {place(world, base)}."
        case e.Ambushed(space=space, units=units):
            fires = "fires" if _one(units) else "fire"
            return f"{forces(world, units)} in {place(world, space)} {fires} at ships that come by."
        case e.TurnedBack(space=space, units=units, fought=True):
            return f"{forces(world, units)} {'returns' if _one(units) else 'return'} from over {place(world, space)}."
        case e.TurnedBack(space=space, units=units):
            return f"{forces(world, units)} {'breaks' if _one(units) else 'break'} off over {place(world, space)}."
        case e.RoundBegan(space=space, round=number):
            return f"Round {number} of the battle in {place(world, space)}."
        case e.CasualtiesChosen(power=power, units=units, battle=battle):
            if not all(piece in battle.doomed for piece, _ in units):
                return None  # they go at once, and that is told next
            fires = "fires" if sum(n for _, n in units) == 1 else "fire"
            return f"{the(world, power)} gives up {forces(world, units)}, which still {fires}."
        case e.Lost(space=space, reason=reason, units=units, over=over):
            return f"{forces(world, units)} {_is(units)} {LOSSES[reason]} {place(world, over or space)}."
        case e.Hurt(space=space, units=units):
            return f"{forces(world, units)} in {place(world, space)} {_is(units)} damaged and {_fights(units)} on."
        case e.Dropped(power=power, space=space, units=units):
            return f"{the(world, power)} drops {crew(world, units)} over {place(world, space)}."
        case e.SetDown(power=power, space=space, units=units):
            return f"{the(world, power)} sets {crew(world, units)} down in {place(world, space)}."
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
        case e.FleetJoined(space=space, fleet=fleet, units=units):
            joins = f"{'joins' if _one(units) else 'join'} the {fleet.capitalize()} Fleet"
            return f"{forces(world, units)} in {place(world, space)} {joins}."
        case e.ShipsAssigned(zone=zone, shore=shore, units=units):
            plan = f"{'is' if _one(units) else 'are'} to support the landing in {place(world, shore)}"
            return f"{forces(world, units)} in {place(world, zone)} {plan}."
        case e.SupportGiven(space=space, zone=zone, changes=changes):
            ships = tuple(item for change in changes for item in change.minus)
            gives = "gives" if _one(ships) else "give"
            what = f"fire support to the landing in {place(world, space)}"
            return f"{forces(world, ships)} in {place(world, zone)} {gives} {what}."
        case e.Loaded(power=power, unit=unit, number=number, space=space):
            return f"{the(world, power)} sends {amounts(world, [(unit, number)])} against {place(world, space)}."
        case e.BombsReturned(power=power, unit=unit, number=number):
            return f"{amounts(world, [(unit, number)])} of {the(world, power)} come{'s' if number == 1 else ''} back."
        case e.ComplexDestroyed(space=space, unit=unit):
            return f"the {world.units[unit].name} in {place(world, space)} is destroyed."
        case e.CommandosSent(power=power, unit=unit, space=space, number=number, lost=lost):
            back = f"; {lost} {'does' if lost == 1 else 'do'} not come back" if lost else ""
            return f"{the(world, power)} sends {amounts(world, [(unit, number)])} to {place(world, space)}{back}."
        case e.CommandosDeclined():
            return None
        case e.RocketDeclined(power=power):
            return f"{the(world, power)} fires no rocket."
        case e.RocketFired(power=power, gun=gun, target=target):
            return f"{the(world, power)} fires a rocket from {place(world, gun)} at {place(world, target)}."
        case e.Placed(power=power, space=space, units=units):
            return f"{the(world, power)} places {amounts(world, units)} in {place(world, space)}."
        case e.Forfeited(power=power, units=units):
            gone = "" if world.rules.unplaced_units == "refunded" else ": lost"
            return f"{the(world, power)} has no place for {amounts(world, units)}{gone}."
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


def _project(world: World, technology: str) -> str:
    """The name of a project; somebody who may not know it has only its letter."""
    return world.technologies[technology].name if technology in world.technologies else f"project {technology}"


def _drops(number: int) -> str:
    return "one airborne drop" if number == 1 else f"{number} airborne drops"


def _has(world: World, who: str) -> str:
    """A side or a power, with its verb."""
    return f"{the(world, who)} has" if who in world.powers else f"{the_side(who)} have"


LOSSES = {
    "battle": "lost in",
    "first-shot": "sunk by a first shot in",
    "aa": "shot down over",
    "no-landing": "lost for want of a place to land over",
    "carrier-sunk": "lost with the carrier in",
    "defenceless": "lost without escort in",
    "overrun": "overrun in",
    "drowned": "lost with the transport off",
    "expended": "spent in the attack in",
    "captured-base": "lost with the base in",
    "stalemate": "given up, since nobody can hit anybody, in",
    "cast-adrift": "lost without a ship in",
}

SHOTS = {
    "aa": "AA fire",
    "support": "Fire support",
    "air": "Air combat",
    "attack": "Attack",
    "defense": "Defence",
    "raid": "Bombs",
    "rocket": "Rocket",
    "research": "Research",
    "sabotage": "Sabotage",
    "breakthrough": "Breakthrough",
    "spies": "Intelligence",
    "event": "Event card",
    "moves": "Units that may move",
    "commando": "Commandos",
    "lend-lease": "Lend lease",
    "bonds": "War bonds",
    "convoy": "Convoys",
    "capture": "Damage",
    "income": "Income",
    "levy": "Returned to the bank",
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
    if event.reason == "air":  # two dice for all planes of a side
        planes = [
            (world.units[unit].name if n == 1 else world.units[unit].plural, p, n) for (p, unit), n in dice.items()
        ]
        who = listed([f"{n} {world.powers[p].adjective} {kind}" for kind, p, n in planes])
    needs = f" at {event.needed} or less" if event.needed else ""
    faces = " / ".join(" ".join(map(str, throw)) for throw in event.throws)
    result = ""
    if event.needed:
        result = {0: ": no hit", 1: ": one hit"}.get(event.hits, f": {event.hits} hits")
    elif event.reason == "air":
        result = f": {event.hits} to be shot down"
    elif event.reason in ("raid", "rocket"):
        result = f": damage of {event.hits}"
    return f"{SHOTS[event.reason]}{where}: {who}{needs}, dice {faces}{result}."


def _shooter(world: World, unit: UnitId, dice: int) -> str:
    """`fighters (3 dice)`: a unit may roll several dice, so that their number does not tell how many there are."""
    return f"{world.units[unit].name if dice == 1 else world.units[unit].plural} ({_dice(dice)})"


def _payment(world: World, event: e.Paid) -> str | None:
    power, money = event.power, ipcs(abs(event.amount))
    match event.reason:
        case "units" | "repair" | "training" | "research" | "drops" | "lend-lease" | "neutral" | "objective":
            return None  # told by what was bought, repaired, rolled, sent, violated or fulfilled
        case "refund":
            return f"{the(world, power)} gets back {money}."
        case "economy":
            return f"{the(world, power)} gets {money} from its war economy."
        case "allowance":
            return f"{the(world, power)} gets {money} as a handicap."
        case "event":
            return f"{the(world, power)} {'gets' if event.amount > 0 else 'loses'} {money} by the event of the round."
        case "convoy":
            return f"{the(world, power)} loses {money} to enemy ships in {place(world, event.space)}."
        case "bonds":
            return f"{the(world, power)} gets {money} for war bonds."
        case "levy":
            return f"{the(world, power)} returns {money} to the bank."
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


def _restraint(world: World, pairs: tuple[Pair, ...]) -> str:
    """Who keeps a pact now, told after every change."""
    if not pairs:
        return "no pact holds anybody back any more."
    return listed([f"{the(world, one)} leaves {the(world, other)} alone" for one, other in pairs]) + "."


def _capture(world: World, event: e.Captured) -> str:
    where, owner = place(world, event.space), the(world, event.owner)
    by = the(world, event.by)
    match event.reason:
        case "capture":
            loser = f" from {the(world, event.previous)}" if event.previous is not None else ""
            return f"{by} takes {where}{loser}."
        case "liberation":
            return f"{by} frees {where} for {owner}."
        case "occupied":
            return f"{by} takes over {where}."
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
        case "air" | "air-raid" | "air-sweep":
            return f"planes of {who} fight for the air over {where}."
        case "sweep":
            return f"fighters of {who} sweep {where}."
        case "interdiction":
            return f"ships of {who} are attacked from the air in {where}."
        case "ambush":
            return f"ships of {who} meet submarines on the way to {where}."
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
