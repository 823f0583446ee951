"""Secret services: once a turn they uncover or set back an enemy's project, or send a force by surprise.

G40-RES-32 to G40-RES-34. An enemy who has them as well may contest it; what was ordered then waits for his answer.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from sandtable.engine.events import (
    Change,
    Moved,
    ProjectAdvanced,
    ProjectRevealed,
    Restowed,
    Rolled,
    SpiesStopped,
    SpiesUsed,
)
from sandtable.engine.facts import friendly_at_start, is_hostile_sea, name, phase_name, technologies
from sandtable.engine.projects import hidden
from sandtable.engine.relations import enemies
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, Question, State, in_order, unmoved
from sandtable.errors import Refusal
from sandtable.notation import format_order
from sandtable.notation.orders import Move, Reveal, Sabotage, UnitSpec
from sandtable.world.model import MarkId, PowerId, SpaceId, Spies, Technology, World

KIND = "counter-intelligence"
ROLE = "redeploy"
MARK: MarkId = "redeployed"
"""While they are on their way, units that are sent by surprise go as far as this mark says (`marks.yaml`)."""

Mission = Reveal | Sabotage | Move


def service(world: World, state: State, power: PowerId) -> Technology | None:
    """What the power's secret service is: the development that it has by it."""
    return next((t for t in technologies(world, state, power) if t.spies is not None), None)


def may_act(world: World, state: State, power: PowerId) -> bool:
    return not state.spied and service(world, state, power) is not None


def targets(world: World, state: State, power: PowerId) -> list[PowerId]:
    """Enemies with projects."""
    hostile = enemies(world, state, power)
    return [p for p in world.powers if p in hostile and state.projects.get(p)]


def offers(world: World, state: State, power: PowerId) -> Iterator[Reveal | Sabotage]:
    """What could be done to the enemies' research now."""
    if not may_act(world, state, power):
        return
    for target in targets(world, state, power):
        secret = hidden(world, state, target, power)
        if secret:
            yield Reveal(target)
        yield from (Sabotage(target, t) for t, n in state.projects[target].items() if n and t not in secret)


def act(run: Run, order: Reveal | Sabotage) -> None:
    """Uncover or set back a project, unless its owner contests it."""
    world, state, power = run.world, run.state, run.power
    _check_service(run)
    who = world.powers[order.power].name
    if order.power not in enemies(world, state, power):
        raise Refusal("spies-among-enemies-only", f"{who} is no enemy.")
    secret = hidden(world, state, order.power, power)
    if isinstance(order, Reveal) and not secret:
        raise Refusal("nothing-to-reveal", f"{who} has no hidden project.")
    if isinstance(order, Sabotage) and order.technology not in set(state.projects.get(order.power, {})) - set(secret):
        what = world.technologies[order.technology].name
        raise Refusal("no-such-project", f"Nobody knows of a project of {who} called {what}.")
    _begin(run, order, order.power if service(world, state, order.power) is not None else None)


def redeploy(run: Run, order: Move) -> None:
    """Send a force by surprise, unless an enemy contests it."""
    world, state, power = run.world, run.state, run.power
    _check_service(run)
    rehearsal = Run(world, state, run.dice)
    _send(rehearsal, order)
    hostile = enemies(world, state, power)
    able = (p for p in world.order if p in hostile and service(world, state, p) is not None)
    _begin(run, order, next(able, None))


def _check_service(run: Run) -> None:
    world, state, power = run.world, run.state, run.power
    if service(world, state, power) is None:
        raise Refusal("no-secret-service", f"{world.powers[power].name} has no secret service to speak of.")
    if state.spied == "stopped":
        raise Refusal("spies-were-stopped", "Your agents were caught: they do nothing more this turn.")
    if state.spied:
        raise Refusal("spies-once-a-turn", "The secret service acts once a turn, and has done so.")


def _begin(run: Run, order: Mission, contester: PowerId | None) -> None:
    run.emit(SpiesUsed(run.power))
    if contester is None:
        carry_out(run, order)
    else:
        run.ask(Question(KIND, contester, terms=(format_order(order),)))


def contest(run: Run, contester: PowerId, order: Mission) -> None:
    """Both roll: the higher counter-roll foils it, and an equal one does not."""
    power = run.power
    (mine,) = run.roll(1, lambda faces: Rolled("spies", power, faces))
    (other,) = run.roll(1, lambda faces: Rolled("spies", contester, faces))
    if other > mine:
        run.emit(SpiesStopped(power, contester))
    else:
        carry_out(run, order)


def carry_out(run: Run, order: Mission) -> None:
    power = run.power
    match order:
        case Reveal(power=target):
            secret = hidden(run.world, run.state, target, power)
            projects = run.state.projects[target]
            run.emit(ProjectRevealed(target, max(secret, key=lambda t: projects[t]), power))
        case Sabotage(power=target, technology=technology):
            (face,) = run.roll(1, lambda faces: Rolled("spies", power, faces))
            before = run.state.projects[target][technology]
            now = max(0, before - face)
            run.emit(ProjectAdvanced(target, technology, now - before, now))
        case Move():
            _send(run, order)


# ---------------------------------------------------------------- a force sent by surprise


def _send(run: Run, order: Move) -> None:
    """The move, by units that go as far as a surprise takes them; everything else about it is as ever.

    It is tried out first, to find the way: a surprise is a unit's whole move, however short.
    """
    world, power = run.world, run.power
    found = service(world, run.state, power)
    assert found is not None
    assert found.spies is not None
    try:
        _check_force(world, order, found.spies)
        rehearsal = Run(world, run.state, run.dice)
        _go(rehearsal, order, 0)
        _go(run, order, found.spies.spaces - _distance(rehearsal, order))
    except Refusal as refusal:
        rules = (*found.rules, *refusal.rules)
        raise Refusal(refusal.reason, refusal.text, refusal.culprits, rules=rules) from None


def _go(run: Run, order: Move, used: int) -> None:
    from sandtable.engine.movement.move import carry_out as carry_out_move  # it knows this role, too

    marked = _marked(run, order, used)
    carry_out_move(run, Move(marked, order.route, None, order.facility, order.ship))
    _check_way(run, order)


def _distance(run: Run, order: Move) -> int:
    """How far the force went."""
    return max(len(path) for path in _paths(run, order)) - 1


def _paths(run: Run, order: Move) -> list[tuple[SpaceId, ...]]:
    """The ways that its units took."""
    found = [event.path for event in run.events if isinstance(event, Moved) and event.path[0] == order.route[0]]
    return found or [order.route]


def redeployments(world: World, state: State, power: PowerId) -> Iterator[Move]:
    """Single units that could be sent by surprise now, farther than they go otherwise."""
    from sandtable.engine.movement.reach import destinations  # it tries moves out, this one among them

    if not may_act(world, state, power) or phase_name(world, state) not in ("combat-move", "noncombat-move"):
        return
    found = service(world, state, power)
    assert found is not None
    assert found.spies is not None
    for space, stack in state.units.items():
        for piece in stack:
            if piece.power != power or world.units[piece.type].domain not in ("land", "sea") or not unmoved(piece):
                continue
            sent = msgspec.structs.replace(piece, marks=tuple(sorted({*piece.marks, MARK})))
            then = msgspec.structs.replace(state, units={**state.units, space: {sent: 1}})
            for route in destinations(world, then, space, piece.type).values():
                if len(route) - 1 <= found.spies.spaces and not any(
                    _is_closed(world, state, power, s) for s in route[1:-1]
                ):
                    yield Move((UnitSpec(piece.type),), route, ROLE)


def _check_force(world: World, order: Move, limits: Spies) -> None:
    at_sea = any(world.units[s.type].domain == "sea" for s in order.units)
    number = sum(s.count for s in order.units if not (at_sea and world.units[s.type].domain == "land"))
    most = limits.ships if at_sea else limits.troops
    if number > most:
        what = "ships and planes" if at_sea else "land units and planes"
        raise Refusal("too-many-by-surprise", f"A surprise sends at most {most} {what}.", (order.route[0],))
    if len(order.route) - 1 > limits.spaces:
        raise Refusal("too-far-by-surprise", f"A surprise goes {limits.spaces} spaces at most.", (order.route[-1],))


def _check_way(run: Run, order: Move) -> None:
    """Through spaces of its own side, whatever the route that was found."""
    world, state, power = run.world, run.state, run.power
    for space in dict.fromkeys(space for path in _paths(run, order) for space in path[1:-1]):
        if _is_closed(world, state, power, space):
            text = f"A surprise goes through spaces of your own side: {name(world, space)} is not."
            raise Refusal("surprise-through-enemies", text, (space,))


def _is_closed(world: World, state: State, power: PowerId, space: SpaceId) -> bool:
    """No space of the power's own side."""
    if world.spaces[space].is_land:
        return not friendly_at_start(world, state, power, space)
    return is_hostile_sea(world, state, power, space)


def _marked(run: Run, order: Move, used: int) -> tuple[UnitSpec, ...]:
    """Give the units of the order their mark, and name them by it; so much of their way they do not go."""
    here = run.state.at(order.route[0])
    specs = []
    minus: list[tuple[Piece, int]] = []
    plus: list[tuple[Piece, int]] = []
    for spec in order.units:
        if run.world.units[spec.type].domain == "land" and run.world.spaces[order.route[0]].is_sea:
            specs.append(spec)  # aboard
            continue
        left = spec.count
        marks = spec.marks
        for piece, n in in_order(here):
            fits = piece.power == run.power and piece.type == spec.type and (marks is None or piece.marks == marks)
            if fits and left and unmoved(piece):
                some = min(left, n)
                left -= some
                minus.append((piece, some))
                marked = tuple(sorted({*piece.marks, MARK}))
                plus.append((msgspec.structs.replace(piece, marks=marked, used=used), some))
        if left:
            where = name(run.world, order.route[0])
            raise Refusal("too-few-units-there", f"There are not so many fresh units in {where}.", (order.route[0],))
        sort = tuple(sorted({*(marks or ()), MARK}))
        specs.append(UnitSpec(spec.type, spec.count, spec.power, spec.cargo, sort))
    run.emit(Restowed(run.power, order.route[0], (Change(order.route[0], tuple(minus), tuple(plus)),)))
    return tuple(specs)
