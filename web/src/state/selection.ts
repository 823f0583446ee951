/** Which units are picked up, and where the server says they may go. No rules: only what was asked and answered. */
import type { Destination, Mover, Reach } from "../api/types";
import { move, type Amount } from "./orders";

export interface Selection {
  space: string;
  /** Kinds of units, the one picked first first. */
  units: string[];
}

/** What a click on a destination can mean: a plain move, or one in another role. */
export interface Target {
  space: string;
  plain: Destination | null;
  roles: { role: string; destination: Destination }[];
}

/** The first thing that a click there can mean. */
export function way(target: Target | undefined): Destination | null {
  return target?.plain ?? target?.roles[0]?.destination ?? null;
}

/** Clicking units: alone they are picked (or put down), with shift they are added or taken away. */
export function toggled(current: Selection | null, space: string, unit: string, add: boolean): Selection | null {
  if (!current || current.space !== space) return { space, units: [unit] };
  if (!add) return current.units.length === 1 && current.units[0] === unit ? null : { space, units: [unit] };
  const units = current.units.includes(unit)
    ? current.units.filter((other) => other !== unit)
    : [...current.units, unit];
  return units.length ? { space, units } : null;
}

/** Where the picked units can go, plainly or in another role. */
export function targets({ destinations, roles }: Pick<Reach, "destinations" | "roles">): Map<string, Target> {
  const found = new Map<string, Target>(
    destinations.map((destination) => [destination.space, { space: destination.space, plain: destination, roles: [] }]),
  );
  for (const { role, destinations: ends } of roles ?? []) {
    for (const destination of ends) {
      const same = found.get(destination.space);
      if (same) same.roles.push({ role, destination });
      else found.set(destination.space, { space: destination.space, plain: null, roles: [{ role, destination }] });
    }
  }
  return found;
}

/** How many of the picked units a click sends: one of each kind, or all that can still be moved. */
export function sent(selection: Selection, movers: readonly Mover[], all: boolean): Amount[] {
  return selection.units.map((unit) => {
    const mover = movers.find((other) => other.space === selection.space && other.unit === unit);
    return { unit, count: all ? (mover?.count ?? 1) : 1 };
  });
}

/** The battles that a tap on a lit space would begin or join, in the order of the server, each with the order for it. */
export function attacks(selection: Selection, found: ReadonlyMap<string, Target>, movers: readonly Mover[], all: boolean): { space: string; order: string }[] {
  const units = sent(selection, movers, all);
  return [...found].flatMap(([space, { plain }]) => (plain?.battle ? [{ space, order: orderFor(selection, plain, units) }] : []));
}

/** The order for a click. A single kind takes the way that was shown; a group lets the server find each unit's way. */
export function orderFor(selection: Selection, destination: Destination, units: Amount[], role?: string): string {
  const route = selection.units.length === 1 ? destination.route : [selection.space, destination.space];
  return move(units, route, role);
}
