/** Politics in words and tables: nothing is decided here, only told. */
import type { Politics, State } from "../api/types";

export type Stance = "self" | "ally" | "enemy" | "peace";
type Relation = State["relations"][number];
type Declaration = Politics["declarations"][number];

export function stanceOf(relations: readonly Relation[], a: string, b: string): Stance {
  if (a === b) return "self";
  return relations.find(({ one, other }) => (one === a && other === b) || (one === b && other === a))?.stance ?? "peace";
}

/** Powers at war with this one. */
export function foes(relations: readonly Relation[], power: string): string[] {
  return relations.flatMap(({ one, other, stance }) => (stance !== "enemy" ? [] : one === power ? [other] : other === power ? [one] : []));
}

/** A long list of places is cut short; the whole of it is for whoever opens it. */
export function shortened(text: string, most = 90): string {
  if (text.length <= most) return text;
  const parts = text.split(/, | or /);
  let kept = "";
  let n = 0;
  for (const part of parts) {
    if (kept.length + part.length > most - 20) break;
    kept += (n ? ", " : "") + part;
    n++;
  }
  return n ? `${kept} or ${parts.length - n} more` : `${text.slice(0, most)}…`;
}

/** The rights of a power to go to war: those that are open first. */
export function rightsOf(politics: Politics, power: string): Declaration[] {
  return politics.declarations.filter(({ by }) => by === power).sort((a, b) => Number(b.open) - Number(a.open));
}

/** Others whose rights are about this power. */
export function threatsTo(politics: Politics, power: string): Declaration[] {
  return politics.declarations.filter(({ on }) => on === power).sort((a, b) => Number(b.open) - Number(a.open));
}

/** What neutral land is called by its leaning. */
export function leaningName(leaning: string, sideName: (side: string) => string): string {
  if (leaning === "strict") return "strictly neutral";
  return leaning.startsWith("pro-") ? `leans to ${sideName(leaning.slice(4))}` : `on the side of ${sideName(leaning)}`;
}
