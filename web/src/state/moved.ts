/** The moves of a phase as somebody wants to read them: what went the same way together, by where it went. */
import type { MoveView } from "../api/types";
import { merged } from "./table";

export interface Journey {
  from: string;
  to: string;
  role: string | null;
  units: { unit: string; count: number }[];
  /** The orders that it consists of, the last one last. */
  orders: number[];
}

/** One line for each pair of ends and role; those to the same place stand together, in the order of the first of them. */
export function journeys(moves: readonly MoveView[]): Journey[] {
  const found = new Map<string, Journey>();
  for (const move of moves) {
    const [from, to, role] = [move.path[0] ?? "", move.path.at(-1) ?? "", move.role ?? null];
    const key = `${from} ${to} ${role}`;
    const same = found.get(key) ?? { from, to, role, units: [], orders: [] };
    same.units = merged([...same.units, ...move.units]);
    if (!same.orders.includes(move.at)) same.orders.push(move.at);
    found.set(key, same);
  }
  const ends = [...new Set([...found.values()].map((each) => each.to))];
  return [...found.values()].sort((a, b) => ends.indexOf(a.to) - ends.indexOf(b.to));
}
