/** What answers bring when they are played out, in words and in order. */
import type { AnswerOdds } from "../api/types";

/** What an answer is worth to whoever gives it: units saved and destroyed, damage, and land that does not fall. */
const LAND = 8;
export const worth = (each: AnswerOdds): number =>
  each.killed - each.lost - each.damage - LAND * Object.values(each.falls).reduce((sum, chance) => sum + chance, 0);

export function ranked(odds: readonly AnswerOdds[]): AnswerOdds[] {
  return [...odds].sort((a, b) => worth(b) - worth(a));
}

export function told({ lost, killed, damage }: AnswerOdds): string {
  return `you lose ${lost.toFixed(1)}, they lose ${killed.toFixed(1)}${damage ? `, damage ${damage.toFixed(1)}` : ""}`;
}
