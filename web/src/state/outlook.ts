/** What answers bring when they are played out, in words and in order. */
import type { AnswerOdds } from "../api/types";

/** What an answer is worth to whoever gives it: units saved and destroyed, damage, and land that does not fall. */
const LAND = 8;
export const worth = (each: AnswerOdds): number =>
  each.killed - each.lost - each.damage - LAND * Object.values(each.falls).reduce((sum, chance) => sum + chance, 0);

export function ranked(odds: readonly AnswerOdds[]): AnswerOdds[] {
  return [...odds].sort((a, b) => worth(b) - worth(a));
}

/** Land whose fall hangs on the answer: what falls as surely whatever is said is no reason to say anything. */
export function atStake(odds: readonly AnswerOdds[]): ReadonlySet<string> {
  const spaces = new Set(odds.flatMap(({ falls }) => Object.keys(falls)));
  const chances = (space: string): number[] => odds.map(({ falls }) => falls[space] ?? 0);
  return new Set([...spaces].filter((space) => Math.max(...chances(space)) - Math.min(...chances(space)) >= 0.01));
}

export function told({ lost, killed, damage }: AnswerOdds): string {
  return `you lose ${lost.toFixed(1)}, they lose ${killed.toFixed(1)}${damage ? `, damage ${damage.toFixed(1)}` : ""}`;
}
