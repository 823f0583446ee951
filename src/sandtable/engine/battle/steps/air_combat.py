"""Air combat on its chart: one exchange of all planes that meet, before anything else is fought (G40-ACB-01 to 19).

Both sides roll two dice at full strength and read the row of their own air factors. The defender names his losses and
those who turn back, then the attacker. Whoever turned back is out of everything else this turn.
"""

from __future__ import annotations

import msgspec

from sandtable.engine import pilots
from sandtable.engine.battle.casualties import settle
from sandtable.engine.battle.ending import finish
from sandtable.engine.battle.forces import flight
from sandtable.engine.battle.interception import questions
from sandtable.engine.battle.overhead import interceptors
from sandtable.engine.events import Change, Rolled, TurnedBack
from sandtable.engine.facts import amount, describe, name, type_of
from sandtable.engine.naming import first_of, named
from sandtable.engine.run import Run
from sandtable.engine.state import Hits, Mark, Question, Role, Stack, State, Units, count, in_order, take, units_of
from sandtable.errors import Refusal
from sandtable.notation.orders import UnitSpec
from sandtable.world.model import PowerId, World

ROLES: tuple[Role, Role] = ("attack", "defense")
ROLLED, DEFENDERS, ATTACKERS = 1, 2, 3
"""How far a combat is (`Battle.column`): dice are known · the defender has named his · the attacker has lost some."""


def patrol(run: Run) -> bool:
    """Owners of fighters say who goes up against a raid or sweep (G40-SBR-12), or against a flight overhead."""
    world, battle = run.world, run.battle
    overhead = world.battles[battle.kind].attackers == "passing"
    if overhead:
        free = dict(interceptors(world, run.state, battle.attacker, battle.space))
        asked = [Question("intercept", power, battle.space, units=units_of(planes)) for power, planes in free.items()]
    else:
        found = questions(world, run.state, battle.attacker, battle.space, 0)
        asked = [msgspec.structs.replace(question, terms=()) for question in found]
    for question in asked:
        if question.power not in battle.asked and flight(world, run.state, battle, "attack"):
            run.note(asked=(*battle.asked, question.power))
            run.ask(question)
            return False
    return True


def air_combat(run: Run) -> bool:
    world = run.world
    if run.battle.column < 0:
        flights = {role: flight(world, run.state, run.battle, role) for role in ROLES}
        if not all(flights.values()):
            return _home(run)
        results = tuple(_roll(run, role, flights[role]) for role in ROLES)
        run.note(column=ROLLED, results=results, hits=_kills(results[0]))
    if run.battle.column == ROLLED:
        if not settle(run, "defense", "battle") or not _turn_back(run, "defense"):
            return False
        run.note(column=DEFENDERS, hits=_kills(run.battle.results[1]))
    if run.battle.column == DEFENDERS:
        if not settle(run, "attack", "battle"):
            return False
        run.note(column=ATTACKERS)
    return _turn_back(run, "attack") and _home(run)


def factors(world: World, state: State, planes: Stack) -> dict[PowerId, int]:
    """The air factors of each power's planes (G40-ACB-03)."""
    found: dict[PowerId, int] = {}
    for piece, n in planes.items():
        found[piece.power] = found.get(piece.power, 0) + n * type_of(world, state, piece).traits.get("air_factor", 0)
    return found


def read(world: World, factor: int, roll: int) -> tuple[int, int]:
    """Enemy planes destroyed and turned back, by the chart (G40-ACB-05)."""
    chart = world.rules.air_chart
    row = chart[min(factor, len(chart)) - 1] if factor > 0 else ()
    return row[max(0, min(roll - 2, len(row) - 1))] if row else (0, 0)


def modifier(world: World, state: State, planes: Stack) -> int:
    """What their pilots add to the roll."""
    intercepting = any(p.mark == "intercepting" for p in planes)
    return pilots.flight_modifier(world, state, factors(world, state, planes), intercepting=intercepting)


def _roll(run: Run, role: Role, planes: Stack) -> tuple[int, int]:
    world, battle = run.world, run.battle
    mine = factors(world, run.state, planes)
    added = modifier(world, run.state, planes)
    power = battle.attacker if role == "attack" else max(mine, key=lambda p: mine[p])
    shooters = tuple((p.power, p.type, n) for p, n in in_order(planes))
    result = (0, 0)

    def tell(faces: tuple[int, ...]) -> Rolled:
        nonlocal result
        result = read(world, sum(mine.values()), sum(faces) + added)
        return Rolled("air", power, faces, battle.space, 0, shooters, result[0])

    run.roll(2, tell)
    return result


def _kills(result: tuple[int, int]) -> tuple[Hits, ...]:
    return (Hits(result[0], strikes=("air",)),) if result[0] else ()


def _turn_back(run: Run, role: Role) -> bool:
    """Planes of this force break off; their owner says which, if that makes a difference."""
    world, battle = run.world, run.battle
    number = battle.results[0 if role == "defense" else 1][1]
    planes = flight(world, run.state, battle, role)
    if not number or not planes:
        return True
    if number >= count(planes) or len({(p.power, p.type, p.marks, p.mark, p.target) for p in planes}) == 1:
        _break_off(run, role, first_of(in_order(planes), number))
        return True
    owner = battle.attacker if role == "attack" else min((p.power for p in planes), key=list(world.powers).index)
    run.ask(Question("abort", owner, battle.space, role, number, units_of(planes)))
    return False


def _break_off(run: Run, role: Role, units: Units) -> None:
    battle = run.battle
    place = 0 if role == "defense" else 1
    results = list(battle.results)
    results[place] = (results[place][0], 0)
    fields: dict[str, object] = {"results": tuple(results)}
    if role == "attack" and battle.group:
        fields["group"] = take(battle.group, units)
    run.note(**fields)
    mark: Mark = "off" if role == "attack" else "returned"
    after = tuple(
        (msgspec.structs.replace(p, mark=mark, target="" if role == "attack" else p.target), n) for p, n in units
    )
    powers = sorted({p.power for p, _ in units})
    run.emit(TurnedBack(powers[0], battle.space, units, (Change(battle.space, units, after),)))


def abort(run: Run, question: Question, specs: tuple[UnitSpec, ...]) -> None:
    """The answer: these planes turn back."""
    world = run.world
    assert question.role is not None
    total = sum(spec.count for spec in specs)
    if total != question.count or any(spec.count < 1 for spec in specs):
        raise Refusal(
            "wrong-number-of-aborts",
            f"{question.count} plane{'' if question.count == 1 else 's'} must turn back, not {total}.",
            (question.space,),
        )
    chosen, missing = named(dict(question.units), specs)
    if missing is not None:
        raise Refusal(
            "no-such-plane-to-turn-back",
            f"{amount(world, missing.type, missing.count)} cannot turn back over {name(world, question.space)}: "
            f"{describe(world, question.units)} are there.",
            (question.space,),
        )
    run.close()
    _break_off(run, question.role, chosen)


def _home(run: Run) -> bool:
    """Interceptors return to their base, and are out of everything else this turn (G40-ACB-18, G40-INT-05)."""
    battle = run.battle
    up = units_of({p: n for p, n in run.state.at(battle.space).items() if p.mark == "intercepting"})
    if up:
        after = tuple((msgspec.structs.replace(p, mark="returned"), n) for p, n in up)
        run.emit(TurnedBack(up[0][0].power, battle.space, up, (Change(battle.space, up, after),), fought=True))
    if run.world.battles[battle.kind].air:
        finish(run, "passed")
    return True
