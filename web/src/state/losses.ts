/** Choosing casualties on the battle board: which units take how many hits. What may be lost, the server says. */
import type { BattleSide, Candidate } from "../api/types";
import { total, type Counts } from "./counts";
import { casualties } from "./orders";

type Combatant = BattleSide["columns"][number]["units"][number];

const load = (unit: Pick<Combatant, "cargo">): string => unit.cargo.map((item) => `${item.count}*${item.unit}`).join("+");

/** Units that are one choice: of one power and kind, with the same cargo and marks. */
export const lossKey = (unit: Pick<Combatant, "power" | "unit" | "cargo" | "marks">): string => `${unit.power} ${unit.unit} ${load(unit)} ${unit.marks.join()}`;

const kindOf = (key: string): string => key.split(" ").slice(0, 2).join(" ");

const all = (side: BattleSide): Combatant[] => side.columns.flatMap((column) => column.units);

/** How many hits may go to these units: as many as they take, and as the server allows their kind. */
export function mostHits(side: BattleSide, candidates: readonly Candidate[], chosen: Counts, unit: Combatant): number {
  const key = lossKey(unit);
  const allowed = candidates.find((each) => each.power === unit.power && each.unit === unit.unit)?.most ?? 0;
  const others = Object.entries(chosen).reduce((sum, [other, count]) => sum + (other !== key && kindOf(other) === kindOf(key) ? count : 0), 0);
  const take = all(side).reduce((sum, each) => sum + (lossKey(each) === key ? each.count * each.endures : 0), 0);
  return Math.max(0, Math.min(take, allowed - others));
}

/** A click on units: one hit more; where there is none left to give, they are spared again, or take over the hit that was given last. */
export function clicked(side: BattleSide, candidates: readonly Candidate[], chosen: Counts, hits: number, unit: Combatant): Counts {
  const key = lossKey(unit);
  const now = chosen[key] ?? 0;
  const given = now || total(chosen) < hits ? chosen : lessOne(chosen, Object.keys(chosen).at(-1)!);
  if (now < mostHits(side, candidates, given, unit) && total(given) < hits) return { ...given, [key]: now + 1 };
  const { [key]: _, ...rest } = chosen;
  return rest;
}

function lessOne(chosen: Counts, key: string): Counts {
  const { [key]: now = 0, ...rest } = chosen;
  return now > 1 ? { ...rest, [key]: now - 1 } : rest;
}

/** One hit less. */
export const spared = (chosen: Counts, unit: Combatant): Counts => lessOne(chosen, lossKey(unit));

/** How many crosses each group on the board bears: the same units may stand in two columns, the weaker are lost first. */
export function crosses(side: BattleSide, chosen: Counts): Map<Combatant, number> {
  const left: Record<string, number> = { ...chosen };
  const found = new Map<Combatant, number>();
  for (const unit of all(side)) {
    const key = lossKey(unit);
    const here = Math.min(left[key] ?? 0, unit.count * unit.endures);
    if (here) {
      found.set(unit, here);
      left[key] = (left[key] ?? 0) - here;
    }
  }
  return found;
}

/** The order; units of a kind that differ in what they carry or in their marks are told apart by it. */
export function lossOrder(side: BattleSide, chosen: Counts, chooser: string): string {
  const units = all(side);
  const differ = (kind: string, by: (unit: Combatant) => string): boolean => new Set(units.filter((unit) => kindOf(lossKey(unit)) === kind).map(by)).size > 1;
  return casualties(
    Object.entries(chosen).flatMap(([key, count]) => {
      const unit = units.find((each) => lossKey(each) === key);
      return unit ? [{ unit: unit.unit, power: unit.power, count, cargo: differ(kindOf(key), load) ? unit.cargo : null, marks: differ(kindOf(key), (each) => each.marks.join()) ? unit.marks : null }] : [];
    }),
    chooser,
  );
}
