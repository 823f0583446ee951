/** What moves on the map when something happens: pieces on their way, and fire where there is fighting. */
import type { Change } from "../api/types";

export interface Flight {
  id: number;
  path: string[];
  power: string;
  unit: string;
  count: number;
}

export interface Burst {
  id: number;
  space: string;
  kind: "fire" | "flag";
  power: string;
}

const MOVES = new Set(["moved", "boarded", "landed", "withdrew"]);
const MOST = 6;

/** Pieces that travel because of a change, the larger groups first. */
export function flightsOf(change: Change, number: () => number): Flight[] {
  if (change.type !== "order" && change.type !== "redo") return [];
  return change.events
    .filter((event) => MOVES.has(event.kind))
    .flatMap((event) => {
      const path = event.path ?? (event.space && event.to ? [event.space, event.to] : []);
      if (path.length < 2) return [];
      return (event.units ?? []).map(({ power, unit, count }) => ({ id: number(), path, power, unit, count }));
    })
    .sort((a, b) => b.count - a.count)
    .slice(0, MOST);
}

/** Where something is to be seen: fire in battle, a flag where land changes hands. */
export function burstsOf(change: Change, battle: string | null, number: () => number): Burst[] {
  if (change.type !== "order" && change.type !== "redo") return [];
  const found = new Map<string, Burst>();
  for (const event of change.events) {
    const space = event.space ?? battle;
    if (!space) continue;
    if (event.kind === "rolled" && event.reason !== "research" && event.reason !== "breakthrough") {
      found.set(`fire ${space}`, { id: number(), space, kind: "fire", power: event.power ?? "" });
    } else if (event.kind === "captured") {
      found.set(`flag ${space}`, { id: number(), space, kind: "flag", power: event.owner ?? event.power ?? "" });
    }
  }
  return [...found.values()];
}

/** The spaces that one should have in view to see a change. */
export function scene(change: Change, battle: string | null): string[] {
  const found = new Set<string>();
  for (const event of change.events) {
    if (MOVES.has(event.kind)) for (const space of [event.path?.[0], event.path?.at(-1), event.to]) if (space) found.add(space);
    if (["battle", "captured", "rocket", "neutral"].includes(event.kind) && event.space) found.add(event.space);
    if (event.kind === "rolled" && battle) found.add(battle);
  }
  return [...found];
}
