/** Whom a battle concerns: people at the table see it step by step and read its report; of others' battles they hear. */
import type { Battle, BattleReport, Change, State } from "../api/types";
import type { Act } from "./show.svelte";
import type { Index } from "./table";

/** Powers that people play, with those without a turn of their own. */
export function people(state: Pick<State, "seats">, index: Index): Set<string> {
  const seated = new Set(state.seats.filter((seat) => seat.player === "human").flatMap((seat) => seat.powers));
  const others = index.world.powers.filter((power) => power.played_by && seated.has(power.played_by));
  return new Set([...seated, ...others.map((power) => power.id)]);
}

/** Whether a person has units in a battle, or land under it. */
export function concernsPeople(battle: Battle, owner: string | null | undefined, who: ReadonlySet<string>): boolean {
  return [...battle.attack.powers, ...battle.defense.powers, battle.attacker, owner ?? ""].some((power) => who.has(power));
}

/** Whether a battle is worth a report: a person fought in it, and there were dice. */
export function worthReading(report: BattleReport, owner: string | null | undefined, who: ReadonlySet<string>): boolean {
  const powers = [report.attacker, ...report.rolls.map((roll) => roll.power), ...Object.keys(report.lost), ...Object.keys(report.money), owner ?? ""];
  return report.rolls.length > 0 && powers.some((power) => who.has(power));
}

/** Guns fired at planes on their way and hit nothing: whoever saw that need not read it, too. */
const harmless = (report: BattleReport): boolean => report.kind === "overflight" && !Object.values(report.lost).some((units) => units.length);

export interface Wish {
  /** Steps are shown, not only reports. */
  steps: boolean;
  /** Computers are not watched, and battles that they begin not read about. */
  quick: boolean;
}

/** What of a change is shown before the table changes: steps and reports in their order. */
export function actsOf(change: Change, before: State, index: Index, { steps, quick }: Wish): Act[] {
  if (change.type !== "order") return [];
  const who = people(change.state, index);
  const owner = (space: string): string | null | undefined => before.spaces[space]?.owner;
  const worth = (report: BattleReport): boolean => !(quick && !who.has(report.attacker)) && worthReading(report, owner(report.space), who);
  const watched = steps && !(quick && change.by !== "human");
  const told = new Set<number>();
  const acts = change.course.flatMap((frame): Act[] => {
    const report = frame.report == null ? undefined : change.battles[frame.report];
    if (frame.report != null) told.add(frame.report);
    const seen = watched && concernsPeople(frame.battle, owner(frame.battle.space), who);
    return [...(seen ? [{ frame }] : []), ...(report && worth(report) && !(seen && harmless(report)) ? [{ report }] : [])];
  });
  const rest = change.battles.filter((report, i) => !told.has(i) && worth(report));
  return [...acts, ...rest.map((report): Act => ({ report }))];
}
