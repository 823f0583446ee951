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

/** What a declaration takes from objectives and gives to them: a sentence for each power, losses first. */
export function stakes(right: Declaration, name: (power: string) => string): string[] {
  const told = (verb: string, some: Declaration["stakes"]): string[] =>
    [...new Set(some.map(({ power }) => power))].map((power) => {
      const list = some.filter((each) => each.power === power).map((each) => `${each.name} (${Math.abs(each.amount)} IPC)`);
      const words = `${name(power)} would ${verb} ${list.join(", ")}.`;
      return words.charAt(0).toUpperCase() + words.slice(1);
    });
  const all = right.stakes ?? [];
  return [...told("lose", all.filter(({ amount }) => amount < 0)), ...told("gain", all.filter(({ amount }) => amount > 0))];
}

/** The rights of a power to go to war: those that are open first. */
export function rightsOf(politics: Politics, power: string): Declaration[] {
  return politics.declarations.filter(({ by }) => by === power).sort((a, b) => Number(b.open) - Number(a.open));
}

/** Rights that wait for the same things, together: a list of wars for each of them. What may be declared stands alone, because each sets off something else. */
export function groupedRights(rights: readonly Declaration[]): Declaration[][] {
  const groups: Declaration[][] = [];
  for (const right of rights) {
    const like = right.open ? undefined : groups.find(([first]) => !first!.open && first!.missing.join() === right.missing.join());
    if (like) like.push(right);
    else groups.push([right]);
  }
  return groups;
}

/** What a right waits for, in a few words: the first of its ways in, and how many others there are. */
export function awaited(right: Declaration): string {
  const [first, ...others] = right.missing;
  if (right.open || !first) return "at any time";
  return `${shortened(first, 60)}${others.length ? ` or one of ${others.length} other ${others.length === 1 ? "reason" : "reasons"}` : ""}`.replace("one of 1 other reason", "1 other reason");
}

/** Whether a war may be declared; where it is not offered now, when it is: a declaration comes before all else in its phase. */
export function declaredWhen(right: Declaration, now: boolean, phase: string): string {
  if (!right.open) return "may not be declared yet";
  return now ? "may be declared now" : `may be declared when its phase “${phase}” begins`;
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

/** What becomes of neutral land when somebody goes there, and of others. */
export function setsOff(leaning: string, sideName: (side: string) => string): string {
  if (leaning === "strict") return "An attack on it turns all other strict neutrals against the attacker's side.";
  if (!leaning.startsWith("pro-")) return "It was attacked; troops of its side may still join it.";
  const side = sideName(leaning.slice(4));
  return `Troops of ${side} at war that walk in take the land and its army over. Attacked by others, it joins ${side}.`;
}

/** What a power's convoys would lose about, if its income were collected now. */
export function convoyLosses(table: State, power: string): number {
  return Math.round((table.convoys ?? []).filter((each) => each.power === power).reduce((sum, each) => sum + each.expected, 0));
}

/** What hangs on a convoy zone now, in words; nothing where no enemy ship lies. */
export function convoyWords(table: Partial<Pick<State, "convoys">>, zone: string, thePower: (id: string) => string): string {
  return (table.convoys ?? []).filter((each) => each.zone === zone).map((each) => `${thePower(each.power)} would lose about ${each.expected} IPC`).join(", ");
}
