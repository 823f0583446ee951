"""Writing orders. What was parsed comes back in its canonical form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from sandtable.notation import orders
from sandtable.notation.orders import AnyOrder, UnitSpec


def format_units(units: Iterable[UnitSpec]) -> str:
    return ", ".join(_unit(spec) for spec in units)


def _unit(spec: UnitSpec) -> str:
    text = f"{spec.count} {spec.power + ' ' if spec.power else ''}{spec.type}"
    if spec.marks is not None:
        text += f"[{','.join(spec.marks)}]"
    if spec.cargo is not None:
        text += " carrying " + (" + ".join(f"{n} {unit}" for unit, n in spec.cargo) or "nothing")
    return text


def format_order(order: AnyOrder) -> str:
    match order:
        case orders.Research(dice=dice, technology=tech):
            return f"research {tech or dice}"
        case orders.Chart(chart=chart):
            return f"chart {chart}"
        case orders.Train(up=up):
            return "train up" if up else "train"
        case orders.Repair(space=space, points=points, facility=facility):
            return f"repair {space} {facility + ' ' if facility else ''}{points}"
        case orders.Buy(units=units):
            return f"buy {format_units(units)}"
        case orders.Upgrade(space=space):
            return f"upgrade {space}"
        case orders.Declare(power=power):
            return f"declare war on {power}"
        case orders.Ally(power=power):
            return f"ally with {power}"
        case orders.Break(power=power):
            return f"break with {power}"
        case orders.Permit(space=space):
            return f"permit {space}" if space else "permit"
        case orders.Capital(space=space):
            return f"capital {space}"
        case orders.Reveal(power=power):
            return f"reveal {power}"
        case orders.Sabotage(power=power, technology=technology):
            return f"sabotage {power} {technology}"
        case orders.Contest():
            return "contest"
        case orders.LendLease():
            return "lend-lease"
        case orders.Airborne(drops=drops):
            return f"airborne {drops}"
        case orders.Move(units=units, route=route, role=role, facility=facility, ship=ship):
            text = f"move {format_units(units)}: {' -> '.join(route)}"
            if ship is not None:
                text += f" by {_unit(ship)}"
            if role:
                text += f" as {role}"
            return f"{text} {facility}" if role and facility else text
        case orders.Assign(units=units, space=space, role=role):
            return f"assign {format_units(units)}: {space} as {role}"
        case orders.Relocate(unit=unit, start=start, end=end):
            return f"relocate {unit}: {start} -> {end}"
        case orders.Rocket(gun=gun, target=target, facility=facility):
            return f"rocket {gun} -> {target}{' ' + facility if facility else ''}"
        case orders.Commando(count=number, start=start, target=target, facility=facility):
            return f"commando {number}: {start} -> {target}{' ' + facility if facility else ''}"
        case orders.Undo():
            return "undo"
        case orders.Fight(space=space):
            return f"battle {space}"
        case orders.Casualties(units=units):
            return f"casualties {format_units(units)}"
        case orders.Submerge(count=count):
            return "submerge" if count is None else f"submerge {count}"
        case orders.Withdraw(space=space, count=count):
            return f"withdraw {space}" if count is None else f"withdraw {count} {space}"
        case orders.Stay():
            return "stay"
        case orders.Scramble(units=units, start=start, zone=zone):
            return f"scramble {format_units(units)}: {start} -> {zone}"
        case orders.Interdict(units=units, start=start, zone=zone):
            return f"interdict {format_units(units)}: {start} -> {zone}"
        case orders.Intercept(units=units, at_bombers=None):
            return f"intercept {format_units(units)}"
        case orders.Intercept(units=units, at_bombers=()):
            return f"intercept {format_units(units)} against escorts"
        case orders.Intercept(units=units, at_bombers=some):
            return f"intercept {format_units(units)} against bombers {format_units(some or ())}"
        case orders.Ambush(count=number):
            return f"ambush {number}"
        case orders.Abort(units=units):
            return f"abort {format_units(units)}"
        case orders.Bombard(units=units, space=space):
            return f"bombard {format_units(units)}: {space}"
        case orders.Target(units=units):
            return f"target {format_units(units)}"
        case orders.Antitank(count=number):
            return f"antitank {number}"
        case orders.Leader(units=units, space=space):
            return f"leader {format_units(units)}: {space}"
        case orders.Land(units=units, space=space):
            return f"land {format_units(units)}: {space}"
        case orders.Press():
            return "press"
        case orders.Retreat(space=space):
            return f"retreat {space}" if space else "retreat"
        case orders.Place(units=units, space=space):
            return f"place {format_units(units)}: {space}"
        case orders.End():
            return "end"
        case orders.Surrender():
            return "surrender"
        case _:
            assert_never(order)
