"""Moves of land units that board a transport or go ashore."""

from __future__ import annotations

from collections import Counter

from sandtable.engine.facts import (
    amount,
    name,
)
from sandtable.engine.movement import ashore, boarding, cargo, castaways, sea
from sandtable.engine.movement.pieces import least_left, pick
from sandtable.engine.movement.sail import check_purpose, voyage
from sandtable.engine.run import Run
from sandtable.engine.state import Piece, State
from sandtable.errors import Refusal
from sandtable.notation.orders import Move, UnitSpec


def board(run: Run, order: Move, specs: list[UnitSpec], combat: bool) -> None:
    """Land units board; a longer route takes them on across the sea and ashore in one go."""
    world, power = run.world, run.power
    start, zone = order.route[:2]
    units: list[tuple[Piece, int]] = []
    for spec in specs:
        state = run.state

        def check(piece: Piece, state: State = state) -> None:
            boarding.check_boarding(world, state, piece, start, zone, combat)

        units.extend(pick(world, state, power, start, spec, check, least_left))
    rest = order.route[1:]
    shore = rest[-1] if world.spaces[rest[-1]].is_land else None
    lane = rest[:-1] if shore else rest
    taken = boarding.board(run, start, zone, tuple(units), combat, len(lane) - 1, order.ship)
    if len(rest) == 1:
        return
    if len(lane) > 1:
        ships = Counter(taken)
        for ship in ships:
            if ship.power != power:
                raise Refusal("allied-transport-waits", "An ally's transport moves on its owner's turn only.", (zone,))
            sea.check(world, run.state, ship, lane, combat)
        if combat and shore is None:
            check_purpose(world, run.state, lane, tuple(ships.items()))
        taken = [p for p, n in voyage(run, lane, tuple(ships.items())) for _ in range(n)]
    if shore:
        wanted = [(s.type, s.count) for s in specs]
        ashore.go_ashore(run, lane[-1], shore, wanted, combat, only=taken)


def disembark(run: Run, order: Move, specs: list[UnitSpec], combat: bool) -> None:
    world, state, power = run.world, run.state, run.power
    zone, shore = order.route[0], order.route[-1]
    if world.spaces[shore].is_sea:
        raise Refusal(
            "land-units-alone-at-sea", "Land units at sea move with their transport: name the transport.", (zone,)
        )
    if len(order.route) != 2:
        raise Refusal("ashore-is-whole-move", "Going ashore is a unit's whole move.", (shore,))
    if castaways.go_ashore(run, zone, shore, [(spec.type, spec.count) for spec in specs]):
        return
    for spec in specs:
        if cargo.aboard(state, power, zone)[spec.type] < spec.count:
            there = cargo.aboard(state, power, zone)[spec.type]
            others = [p for t in state.at(zone) for p in t.cargo if p.type == spec.type and p.power != power]
            if others and not there:
                raise Refusal(
                    "allied-cargo-waits",
                    f"An ally's {world.units[spec.type].name} goes ashore on its owner's turn only.",
                )
            raise Refusal(
                "not-aboard",
                f"{amount(world, spec.type, there) if there else 'Nothing of that kind'} "
                f"is aboard in {name(world, zone)}, not {spec.count}.",
                (zone,),
            )
    only = None if order.ship is None else [boarding.named_ship(world, state, power, zone, order.ship)]
    if only and any(cargo.cargo_types(only[0])[spec.type] < spec.count for spec in specs):
        raise Refusal("not-aboard-that-ship", "That transport does not carry them.", (zone,))
    ashore.go_ashore(run, zone, shore, [(s.type, s.count) for s in specs], combat, only)
