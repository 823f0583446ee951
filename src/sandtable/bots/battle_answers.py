"""Questions beside the phases: casualties, retreat, submarines, which battle first, rockets, charts."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sandtable.bots import diplomacy, politics, raids
from sandtable.bots.atlas import FAR
from sandtable.bots.battles import GLIMPSES, HOPELESS, Army, Outlook, army, judged, outlook_of, price
from sandtable.bots.front import future, own_value, prize
from sandtable.bots.glance import weigh
from sandtable.bots.risk import merged, risk
from sandtable.bots.schooling import is_worth_raising
from sandtable.bots.scratch import CalmDice
from sandtable.bots.sight import Sight
from sandtable.bots.skies import meet
from sandtable.bots.style import Style
from sandtable.bots.together import HALF_WAY, together
from sandtable.engine.alliances import TOPIC
from sandtable.engine.battle import forces, interception
from sandtable.engine.battle.interception import GROUPS
from sandtable.engine.battle.muster import muster
from sandtable.engine.battle.strength import alone
from sandtable.engine.decision import Decision
from sandtable.engine.facts import active
from sandtable.engine.legal import Legal
from sandtable.engine.pilots import training_of
from sandtable.engine.relations import allied
from sandtable.engine.run import Run
from sandtable.engine.state import ABSENT, State
from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, UnitSpec
from sandtable.odds.intentions import Intentions
from sandtable.odds.position import model_of
from sandtable.odds.solve import solve
from sandtable.world.model import PowerId, SpaceId, UnitId

SCRAMBLE = 1.0  # I.P.C. that rising planes have to save
TIRED = 0.6  # I.P.C. that a plane costs which misses its next attack
PILOTS = 1.0  # I.P.C. a turn that the training of pilots may cost for each plane
CERTAIN = Outlook(1.0, 1.0, 0.0, 0.0)


def answer(sight: Sight, legal: Legal, question: Decision, style: Style) -> tuple[AnyOrder, str]:
    """The answer to a battle's question, with the reason."""
    match question.kind:
        case "casualties":
            return casualties(sight, legal, question)
        case "retreat":
            return retreat(sight, question, style)
        case "submarines":
            return submarines(sight, legal, question)
        case "stranded":
            return stranded(sight, legal)
        case "intercept":
            return intercept(sight, legal, question)
        case "scramble":
            return scramble(sight, legal, question)
        case "interdict":
            return interdict(sight, legal)
        case "rocket":
            return rocket(sight, question)
        case "chart":
            return chart(sight, question)
        case "battle":
            return order_of_battles(sight, question)
        case "training":
            if style.skies and legal.why_not(orders.Train(up=True)) is None and is_worth_raising(sight):
                return orders.Train(up=True), "Better pilots will pay for their schools."
            return training(sight, legal)
        case "declare":
            return declare(sight, style)
        case "permit" if question.about[:1] == (TOPIC,):
            return alliance(sight, question.about[1])
        case _:
            return legal.default(), "What one does without a better idea."


def alliance(sight: Sight, other: PowerId) -> tuple[AnyOrder, str]:
    """Whether to accept an alliance that the other power offers."""
    if diplomacy.agrees(sight.world, sight.state, sight.power, other):
        return orders.Permit(), "There is little to fight about with them."
    return orders.Stay(), "There is more to be had from them as an enemy."


def training(sight: Sight, legal: Legal) -> tuple[AnyOrder, str]:
    """Pilots are kept as they are where that is cheap and there are planes to fly."""
    step = training_of(sight.world, sight.state, sight.power)
    planes = sum(n for _, p, n in sight.armies(sight.power) if sight.type_of(p).domain == "air")
    money = sight.state.treasury[sight.power]
    cheap = step is not None and step.keep <= max(planes * PILOTS, 1) and step.keep * 5 <= money
    if cheap and legal.why_not(orders.Train()) is None:
        return orders.Train(), f"{planes} planes are worth good pilots."
    return orders.Stay(), "Other things are needed more."


def declare(sight: Sight, style: Style) -> tuple[AnyOrder, str]:
    """Whether to go to war at a time of the turn when nothing can move."""
    case = politics.best_case(sight.state, sight.world, sight.power, style)
    if case is None:
        return orders.Stay(), "Peace is better for now."
    return orders.Declare(case.on), f"{case.reason}."


def intercept(sight: Sight, legal: Legal, question: Decision) -> tuple[AnyOrder, str]:
    """Up by the odds, or against raiders whom escorts do not outnumber, unless fighters are needed on the ground."""
    space, power = question.space or "", active(sight.world, sight.state)
    attacked = any(p.power == power and p.mark not in ABSENT for p in sight.state.at(space))
    number = sum(n for _, _, n in question.units)
    if not attacked and (chosen := _by_odds(sight, legal, question)) is not None:
        return chosen
    if attacked or number <= question.count:
        why = "They are needed against the attack." if attacked else "The escorts are too many."
        return orders.Stay(), why
    every = orders.Intercept(tuple(UnitSpec(unit, n) for _, unit, n in question.units))
    if legal.why_not(every) is not None:
        return legal.default(), "What one does without a better idea."
    return every, "Fighters shoot bombers down before they bomb."


def _by_odds(sight: Sight, legal: Legal, question: Decision) -> tuple[AnyOrder, str] | None:
    """All up or none, by what the raid brings the attacker; None where interceptors are asked in the battle itself."""
    asked, space = sight.state.questions[0], question.space or ""
    every = orders.Intercept(tuple(UnitSpec(unit, n) for _, unit, n in question.units))
    if GROUPS not in asked.terms or legal.why_not(every) is not None:
        return None
    run = Run(sight.world, sight.state, CalmDice())
    interception.answer(run, asked, every)
    up, down = (raids.swing(sight.world, state, space) for state in (run.state, sight.state))
    if up < down:
        return every, f"Fighters go up: that takes {down - up:.1f} IPC from the raid."
    return orders.Stay(), f"To go up would cost {up - down:.1f} IPC more than it saves."


def scramble(sight: Sight, legal: Legal, question: Decision) -> tuple[AnyOrder, str]:
    """Planes rise where the battle at sea, or the landing behind it, then goes clearly better for us."""
    best: tuple[float, AnyOrder, str] | None = None
    for order in legal.orders():
        if isinstance(order, orders.Scramble):
            gain = _relief(sight, order)
            if gain > SCRAMBLE and (best is None or gain > best[0]):
                words = f"Planes rise over {sight.world.spaces[order.zone].name}: {gain:+.1f} IPC expected."
                best = (gain, order, words)
    return best[1:] if best is not None else (orders.Stay(), "The planes would be lost for little.")


def _relief(sight: Sight, order: orders.Scramble) -> float:
    """How much less the attack on a zone brings when these planes meet it."""
    world, state, zone = sight.world, sight.state, order.zone
    attacker = active(world, state)
    coming: dict[UnitId, int] = {}
    for piece, n in state.at(zone).items():
        if piece.power == attacker and forces.fights(world, state, piece):
            coming[piece.type] = coming.get(piece.type, 0) + n
    there = sight.ours(zone)
    planes = tuple((sight.power, spec.type, spec.count) for spec in order.units)
    ours = army(attacker, coming)
    alone, met = (_fought(sight, ours, force) for force in (there, merged(there, planes)))
    stake = max((own_value(sight, s, 2.0) for s in _landings_from(state, zone) if sight.is_ours(s)), default=0.0)
    return alone.swing - met.swing + (alone.win - met.win) * stake


def _fought(sight: Sight, coming: Army, force: Army) -> Outlook:
    """An attack on this force, the planes of both sides first."""
    world, state = sight.world, sight.state
    meeting = meet(world, state, coming, force)
    if meeting is None:
        return weigh(world, state, coming, force)
    return meeting.told(weigh(world, state, meeting.ours, meeting.theirs))


def interdict(sight: Sight, legal: Legal) -> tuple[AnyOrder, str]:
    """Planes of a base attack ships that have moved where that sinks more than they lose and miss by it."""
    best: tuple[float, AnyOrder, str] | None = None
    for order in legal.orders():
        if isinstance(order, orders.Interdict):
            gain = _sunk(sight, order)
            if gain > 0 and (best is None or gain > best[0]):
                words = f"Planes attack the ships in {sight.world.spaces[order.zone].name}: {gain:+.1f} IPC expected."
                best = (gain, order, words)
    return best[1:] if best is not None else (orders.Stay(), "The planes are needed for other things.")


def _sunk(sight: Sight, order: orders.Interdict) -> float:
    """One in six of each side hits; ships go the cheapest first, and planes that flew miss their next attack."""
    world, state, attacker = sight.world, sight.state, active(sight.world, sight.state)
    ships: list[float] = []
    guns = 0
    for piece, n in state.at(order.zone).items():
        kind = sight.type_of(piece)
        if piece.power == attacker and kind.domain == "sea" and forces.has_moved(world, state, piece):
            cargo = sum(price(world, c.power, c.type) for c in piece.cargo)
            ships += [price(world, piece.power, piece.type) + cargo] * (n if "air" not in kind.hides_from else 0)
            guns += n if kind.defense and "air" not in kind.cannot_hit else 0
    sent = [price(world, sight.power, spec.type) for spec in order.units for _ in range(spec.count)]
    hits = len(sent) / world.rules.dice_sides
    sunk = sorted(ships)[: math.ceil(hits)]  # some of them: whoever loses ships names the cheapest
    gain = min(hits, len(sunk)) * sum(sunk) / len(sunk) if sunk else 0.0
    return gain - guns / world.rules.dice_sides * min(sent, default=0) - TIRED * len(sent)


def _landings_from(state: State, zone: SpaceId) -> set[SpaceId]:
    """Shores that troops aboard ships in the zone are bound for."""
    return {cargo.target for piece in state.at(zone) for cargo in piece.cargo if cargo.target}


def chart(sight: Sight, question: Decision) -> tuple[AnyOrder, str]:
    """Where most is still to be found."""
    known = sight.state.techs.get(sight.power, frozenset())
    missing = [t.chart for t in sight.world.technologies.values() if t.id not in known]
    best = max(question.charts, key=lambda number: (missing.count(number), -number))
    return orders.Chart(best), f"Chart {best} holds {missing.count(best)} developments that we do not have."


def outlook(sight: Sight) -> Outlook:
    """The open battle fought to the end from where it stands."""
    battle = sight.state.battle
    assert battle is not None
    found = muster(sight.world, sight.state, battle.space, battle.kind)
    if found is None or not found.attackers or not found.defenders:
        return HOPELESS
    model = model_of(sight.world, found, keep_land=1)
    return outlook_of(solve(model, Intentions(), found, runs=GLIMPSES, seconds=None))


# ---------------------------------------------------------------- casualties


def casualties(sight: Sight, legal: Legal, question: Decision) -> tuple[AnyOrder, str]:
    """What stands a hit first, then the cheapest and least useful; an attacker keeps a unit that can hold land if the
    land is worth it."""
    order = _greedy(sight, question)
    if legal.why_not(order) is None:
        return order, "The cheapest and least useful units go first."
    choices = [c for c in legal.orders() if isinstance(c, orders.Casualties)]
    rank = {(p, u): i for i, (p, u) in enumerate(_ranked(sight, question))}
    best = min(choices, key=lambda c: sum((rank[s.power or question.power, s.type] + 1) * s.count for s in c.units))
    return best, "The cheapest units that these hits can strike."


def _ranked(sight: Sight, question: Decision) -> list[tuple[PowerId, UnitId]]:
    battle = sight.state.battle
    attacking = battle is not None and allied(sight.world, sight.state, battle.attacker, question.power)
    places = list(sight.world.units)
    cargo = _cargo(sight)

    def rank(kind: tuple[PowerId, UnitId, int]) -> tuple[float, float, int, str]:
        power, unit, _ = kind
        own = alone(sight.kind(power, unit), "attack" if attacking else "defense")
        strength = own.value * own.dice
        cost = price(sight.world, power, unit) + cargo.get((power, unit), 0.0)
        return (cost + 0.5 * strength, strength, places.index(unit), power)

    return [(p, u) for p, u, _ in sorted(question.units, key=rank)]


def _cargo(sight: Sight) -> dict[tuple[PowerId, UnitId], float]:
    """What goes down with a ship of each kind in the open battle, on average."""
    battle = sight.state.battle
    aboard: dict[tuple[PowerId, UnitId], float] = {}
    ships: dict[tuple[PowerId, UnitId], int] = {}
    for piece, n in sight.state.at(battle.space).items() if battle is not None else ():
        key = (piece.power, piece.type)
        ships[key] = ships.get(key, 0) + n
        aboard[key] = aboard.get(key, 0.0) + n * sum(price(sight.world, c.power, c.type) for c in piece.cargo)
    return {key: worth / ships[key] for key, worth in aboard.items()}


def _greedy(sight: Sight, question: Decision) -> orders.Casualties:
    most = {(p, u): n for p, u, n in question.units}
    ranked = _ranked(sight, question)
    battle = sight.state.battle
    kept: dict[tuple[PowerId, UnitId], int] = {}
    if battle is not None and sight.world.battles[battle.kind].captures and battle.attacker == question.power:
        holders = [k for k in ranked if sight.kind(*k).captures]
        force = forces.attackers(sight.world, sight.state, battle)
        lost_all = sum(n for p, n in force.items() if sight.type_of(p).captures) <= question.count
        others = [k for k in ranked if k not in holders]
        if holders and others and lost_all:
            cheapest = min(price(sight.world, *k) for k in others)
            if prize(sight, battle.space, 0.5, 2.0) > cheapest - price(sight.world, *holders[-1]):
                kept[max(holders, key=lambda k: price(sight.world, *k))] = 1
    left = question.count
    chosen: dict[tuple[PowerId, UnitId], int] = {}
    for limits in (_stood(sight, most), {key: n - kept.get(key, 0) for key, n in most.items()}):
        for key in ranked:
            some = min(left, limits.get(key, 0) - chosen.get(key, 0))
            if some > 0:
                chosen[key] = chosen.get(key, 0) + some
                left -= some
    return orders.Casualties(
        tuple(UnitSpec(unit, chosen[power, unit], power) for power, unit in ranked if (power, unit) in chosen)
    )


def _stood(sight: Sight, most: Mapping[tuple[PowerId, UnitId], int]) -> dict[tuple[PowerId, UnitId], int]:
    """Hits that ships of each kind can take without going down: they come before every loss. Not those of carriers
    that stay damaged, for their planes would have nowhere to land."""
    battle = sight.state.battle
    found: dict[tuple[PowerId, UnitId], int] = {}
    for piece, n in sight.state.at(battle.aside or battle.space).items() if battle is not None else ():
        kind = sight.type_of(piece)
        spare = kind.hits - 1 - piece.hits
        if spare > 0 and (not kind.deck or kind.traits.get("repaired") == "after-battle"):
            key = (piece.power, piece.type)
            found[key] = min(most.get(key, 0), found.get(key, 0) + spare * n)
    return found


# ---------------------------------------------------------------- retreat


def retreat(sight: Sight, question: Decision, style: Style) -> tuple[AnyOrder, str]:
    """Fight on as long as the rest of the battle promises more than it costs."""
    battle = sight.state.battle
    assert battle is not None
    look = outlook(sight)
    land = sight.world.spaces[battle.space].is_land
    gain = sight.rate * look.defender_loss - look.attacker_loss
    if land:
        taken, anyway = together(sight, battle.space, look, HALF_WAY) if style.joint else (0.0, 0.0)
        gain += max(look.take, taken - anyway) * prize(sight, battle.space, 0.5, future(sight, style))
    figures = f"{look.win:.0%} to win, {gain:+.1f} IPC to be expected"
    if question.planes_only:
        own = forces.attackers(sight.world, sight.state, battle)
        if any(sight.type_of(p).captures for p in own):
            stay = look.win > 0.45 or gain > 0
            return (
                (orders.Press(), f"The planes stay: {figures}.")
                if stay
                else (orders.Retreat(), f"Save the planes: {figures}.")
            )
        if gain > 0:
            return orders.Press(), f"Fight on: {figures}."
        return orders.Retreat(), f"Nothing more to gain for planes: {figures}."
    if not question.must_leave and (gain > 0 or (gain > -0.5 and look.win > 0.3)):
        return orders.Press(), f"Fight on: {figures}."
    places = sorted(question.places, key=lambda s: (risk(sight, s, sight.ours(s)).cost, sight.time.get(s, FAR), s))
    return orders.Retreat(places[0]), f"Break off: {figures}."


# ---------------------------------------------------------------- submarines


def submarines(sight: Sight, legal: Legal, question: Decision) -> tuple[AnyOrder, str]:
    """Boats leave a battle that their side is going to lose."""
    battle = sight.state.battle
    assert battle is not None
    look = outlook(sight)
    attacking = battle.attacker == question.power
    chance = look.win if attacking else 1 - look.win
    if chance >= 0.5:
        return orders.Stay(), f"The boats stay: {chance:.0%} to win."
    choices: list[AnyOrder] = []
    if question.submerge:
        choices.append(orders.Submerge(question.count))
    choices += [orders.Withdraw(p, question.count) for p in question.places]
    for choice in choices:
        if legal.why_not(choice) is None:
            return choice, f"Save the boats: {chance:.0%} to win."
    return orders.Stay(), "There is no way out."


# ---------------------------------------------------------------- the rest


def stranded(sight: Sight, legal: Legal) -> tuple[AnyOrder, str]:
    """Fighters of a sunken carrier go together to where the enemy is least likely to follow them."""
    choices = [order for order in legal.orders() if isinstance(order, orders.Move)]
    together = max(order.units[0].count for order in choices)
    most = [order for order in choices if order.units[0].count == together]
    best = min(most, key=lambda order: risk(sight, order.route[-1], sight.ours(order.route[-1])).chance)
    return best, f"{sight.world.spaces[best.route[-1]].name} is the safest place near by."


def order_of_battles(sight: Sight, question: Decision) -> tuple[AnyOrder, str]:
    """Sea battles first, since landings hang on them; then the surest."""

    def look(space: str) -> Outlook:
        found = muster(sight.world, sight.state, space)
        if found is None or not found.defenders:
            return CERTAIN
        return judged(sight.world, found, keep_land=True, runs=GLIMPSES) if found.attackers else HOPELESS

    looks = {space: look(space) for space in question.places}
    first = min(looks, key=lambda space: (not sight.world.spaces[space].is_sea, -looks[space].win, space))
    if question.optional and looks[first].swing <= 0:
        return orders.Stay(), f"Nothing to gain in {sight.world.spaces[first].name}: the enemies there are left alone."
    return orders.Fight(first), f"{sight.world.spaces[first].name} first."


def rocket(sight: Sight, question: Decision) -> tuple[AnyOrder, str]:
    """At the power that has the most money to lose."""

    def money(launch: tuple[str, str]) -> tuple[int, str, str]:
        owner = sight.state.owners.get(launch[1])
        return (-(sight.state.treasury.get(owner, 0) if owner else 0), launch[1], launch[0])

    if not question.launches:
        return orders.Stay(), "There is nothing to fire at."
    gun, target = min(question.launches, key=money)
    return orders.Rocket(gun, target), f"A rocket at {sight.world.spaces[target].name}."
