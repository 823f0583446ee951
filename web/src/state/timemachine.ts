/** Steps of the time machine: from a place to the one before or after it, by order, phase, turn or round. */
import type { Timeline } from "../api/types";

export type Step = "order" | "phase" | "turn" | "round";

/** The places where something of this size begins. */
export function beginnings(timeline: Timeline, step: Step): number[] {
  if (step === "order") return Array.from({ length: timeline.orders + 1 }, (_, i) => i);
  const found: number[] = [];
  const begun = new Set<string>(); // a power can act inside another's turn, which then goes on
  for (const mark of timeline.marks) {
    const key =
      step === "round" ? `${mark.round}` : step === "turn" ? `${mark.round} ${mark.turn}` : `${mark.round} ${mark.turn} ${mark.phase}`;
    if (!begun.has(key)) found.push(mark.at);
    begun.add(key);
  }
  return found;
}

/**
 * Where a step leads; null if there is nothing further in that direction. Back is to the beginning of the one before, from
 * the middle of one too; forward ends at the newest place.
 */
export function stepTo(timeline: Timeline, from: number, step: Step, direction: -1 | 1): number | null {
  const places = beginnings(timeline, step);
  if (direction < 0) {
    const now = places.findLastIndex((place) => place <= from);
    return places[now - 1] ?? (places[0] !== undefined && places[0] < from ? places[0] : null);
  }
  return places.find((place) => place > from) ?? (from < timeline.orders ? timeline.orders : null);
}
