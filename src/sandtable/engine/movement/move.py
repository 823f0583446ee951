"""Carrying out a move order: pick the pieces, find the route, check it, and let it happen."""

from __future__ import annotations

from collections.abc import Callable

from sandtable.engine import atomic, spies, task_forces
from sandtable.engine.battle.steps.ambush import lie_in_wait
from sandtable.engine.facts import all_such, name, phase_name, unit_type
from sandtable.engine.movement import base_drop, landing, paradrop, passage, sharing
from sandtable.engine.movement.ferry import board, disembark
from sandtable.engine.movement.fly import fly
from sandtable.engine.movement.limits import check_limits
from sandtable.engine.movement.riders import recall
from sandtable.engine.movement.sail import sail
from sandtable.engine.movement.walk import walk
from sandtable.engine.run import Run
from sandtable.engine.special import peace, surprise, transfer
from sandtable.engine.state import Piece, State, in_order
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec
from sandtable.world.model import PowerId, World

SPECIAL_ROLES: dict[str, Callable[[Run, Move], None]] = {
    transfer.ROLE: transfer.carry_out,
    spies.ROLE: spies.redeploy,
    surprise.ROLE: surprise.carry_out,
    atomic.ROLE: atomic.carry_out,
}
"""Moves that go by rules of their own."""
MOST_TRIES = 8  # different pieces of a kind in one place are few; this only bounds the odd case


def carry_out(run: Run, order: Move, *, granted: tuple[str, ...] = ()) -> None:
    """Move the units of the order, or refuse it whole; or ask whoever has to agree, but about what is `granted`."""
    before, told = run.state, len(run.events)
    sharing.check(run.world, before, order)
    special = SPECIAL_ROLES.get(order.role or "")
    if order.role == paradrop.ROLE and base_drop.is_meant(run.world, run.state, run.power, order):
        special = base_drop.carry_out
    try:
        if special is not None:
            _check_words(run.world, run.state, run.power, order)
            special(run, order)
        else:
            _carry_out(run, order)
        peace.check_moves(run)
    except Refusal as refusal:
        raise paradrop.hinted(run, order, refusal) from None
    if before.stances is None:
        return
    through = () if granted else passage.owners_to_ask(run.world, before, run.events[told:])
    if through or sharing.TOPIC in granted:
        hosts: tuple[PowerId, ...] = ()
    else:
        hosts = sharing.owners_to_ask(run.world, before, run.state, run.events[told:])
    if through or hosts:
        run.state = before
        del run.events[told:]
    if through:
        passage.ask(run, order, through)
    elif hosts:
        sharing.ask(run, order, hosts)


def _carry_out(run: Run, order: Move) -> None:
    world = run.world
    combat = phase_name(world, run.state) == "combat-move"
    start = order.route[0]
    _check_words(world, run.state, run.power, order)
    by_domain: dict[str, list[UnitSpec]] = {"land": [], "sea": [], "air": []}
    for spec in order.units:
        domain = world.units[spec.type].domain
        if domain == "facility":
            raise Refusal(
                "facility-never-moves",
                f"{all_such(world.units[spec.type])} never move.",
                (start,),
            )
        by_domain[domain].append(spec)
    if order.role == paradrop.AIRLIFT and combat:
        text = "Troops are flown to friendly land in the non-combat move; in the combat move they are dropped."
        raise Refusal("airlift-in-combat-move", text, (order.route[-1],))
    if order.role not in (None, paradrop.AIRLIFT) and not combat:
        raise Refusal(
            "role-in-noncombat",
            "Raids and drops are flown in the combat move.",
            (order.route[-1],),
        )
    if paradrop.is_meant(order, by_domain):
        paradrop.load(run, order, by_domain, paradrop.ROLE if combat else paradrop.AIRLIFT)
    elif by_domain["sea"] and order.role in task_forces.FLEETS:
        task_forces.check_role(world, run.state, run.power, order.route[-1], order.role)
    elif order.role is not None and (by_domain["land"] or by_domain["sea"]):
        raise Refusal("role-for-planes-only", f"Only planes can be sent as {order.role!r}.")
    if not _watch_planes(world, by_domain):
        _attempt(run, order, by_domain, combat, None, None)
        return
    if combat and by_domain["air"]:
        recall(run, order)
    before = landing.homeless(world, run.state, run.power)
    start_state, told = run.state, len(run.events)
    refused: Refusal | None = None
    for favourite in _favourites(run, order):
        try:
            meant = {domain: list(specs) for domain, specs in by_domain.items()}
            _attempt(run, order, meant, combat, before, favourite)
            return
        except Refusal as refusal:
            refused = refused or refusal
            run.state = start_state
            del run.events[told:]
    assert refused is not None
    raise refused


def _favourites(run: Run, order: Move) -> list[Piece | None]:
    """Which piece to take first, where pieces of a kind differ: whether all planes can land may hang on it."""
    kinds = {spec.type for spec in order.units}
    here = in_order(run.state.at(order.route[0]))
    pieces = [p for p, _ in here if p.power == run.power and p.type in kinds]
    return [None, *pieces[:MOST_TRIES]] if len(pieces) > len(kinds) else [None]


def _attempt(
    run: Run,
    order: Move,
    by_domain: dict[str, list[UnitSpec]],
    combat: bool,
    before: int | None,
    favourite: Piece | None,
) -> None:
    """Try the move; `before` is how many planes had no place to land until now (None: it cannot matter)."""
    world = run.world
    start, end = order.route[0], order.route[-1]
    sailed = sail(run, order, by_domain, combat, favourite) if by_domain["sea"] else []
    if by_domain["air"]:
        fly(run, order, by_domain["air"], combat, before, favourite)
    elif before is not None and landing.homeless(world, run.state, run.power) > before:
        raise Refusal(
            "move-strands-planes",
            f"If this moves to {name(world, end)}, a plane of yours has no place to land.",
            (end,),
        )
    if by_domain["land"] and not by_domain["sea"]:
        if world.spaces[start].is_sea:
            disembark(run, order, by_domain["land"], combat)
        elif world.spaces[order.route[1]].is_sea:
            board(run, order, by_domain["land"], combat)
        else:
            walk(run, order, by_domain["land"], combat)
    check_limits(world, run.state, run.power, end, {spec.type for spec in order.units})
    if combat and world.rules.task_forces:
        task_forces.check_carriers(world, run.state, run.power)
    lie_in_wait(run, sailed)


def _check_words(world: World, state: State, power: PowerId, order: Move) -> None:
    if len(order.route) < 2:
        raise Refusal("move-without-destination", "A move needs a start and a destination.")
    for spec in order.units:
        if spec.power is not None and spec.power != power:
            owner = world.powers[spec.power].name
            raise Refusal(
                "units-of-another-power",
                f"Units of {owner} move on that power's own turn only.",
            )
        if spec.count < 1:
            raise Refusal("move-without-units", "A move needs at least one unit.")
    if order.ship is not None and not (
        unit_type(world, state, order.ship.power or power, order.ship.type).loads
        and all(world.units[spec.type].domain == "land" for spec in order.units)
        and any(world.spaces[space].is_sea for space in order.route[:2])
    ):
        raise Refusal("ship-named-in-vain", "Only land units that board or leave a transport go `by` one.")


def _watch_planes(world: World, by_domain: dict[str, list[UnitSpec]]) -> bool:
    """Only planes and carriers can change who finds a place to land."""
    return bool(by_domain["air"]) or any(s.type in world.carriers for s in by_domain["sea"])
