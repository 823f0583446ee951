/** The battle calculator's sheet: what is asked, as an address that can be shared and as a question for the server. */
import type { OddsBody, Unit } from "../api/types";
import type { Counts } from "./counts";

export type Kind = "land" | "sea" | "raid";

export interface Sheet {
  scenario: string;
  kind: Kind;
  attackers: Counts;
  defenders: Counts;
  attackerTechs: readonly string[];
  defenderTechs: readonly string[];
  /** `weakest`, `cheapest`, or units by name. */
  attackerOrder: string;
  defenderOrder: string;
  keepLand: number;
  retreatRounds: number;
  retreatUnits: number;
  retreatLand: number;
  retreatPlanes: boolean;
  /** Percent. */
  retreatOdds: number;
  attackerBoats: "stay" | "leave";
  defenderBoats: "stay" | "leave";
}

export const MOST = 99; // of a kind

export const BLANK: Sheet = {
  scenario: "classic-1942",
  kind: "land",
  attackers: {},
  defenders: {},
  attackerTechs: [],
  defenderTechs: [],
  attackerOrder: "weakest",
  defenderOrder: "weakest",
  keepLand: 0,
  retreatRounds: 0,
  retreatUnits: 0,
  retreatLand: 0,
  retreatPlanes: false,
  retreatOdds: 0,
  attackerBoats: "stay",
  defenderBoats: "stay",
};

const force = (counts: Counts): string => Object.entries(counts).map(([unit, count]) => `${count}.${unit}`).join("_");

function readForce(text: string | null): Counts {
  const found: Record<string, number> = {};
  for (const part of (text ?? "").split("_")) {
    const match = /^(\d{1,3})\.([a-z0-9-]+)$/.exec(part);
    const count = Math.min(Number(match?.[1] ?? 0), MOST);
    if (match && count) found[match[2]!] = count;
  }
  return found;
}

/** What differs from an empty sheet, as the query of an address. */
export function toQuery(sheet: Sheet): string {
  const query = new URLSearchParams();
  const set = (name: string, value: string | number | boolean, usual: string | number | boolean): void => {
    if (value !== usual) query.set(name, value === true ? "1" : String(value));
  };
  set("edition", sheet.scenario, BLANK.scenario);
  set("kind", sheet.kind, BLANK.kind);
  set("attack", force(sheet.attackers), "");
  set("defend", force(sheet.defenders), "");
  set("attack-tech", sheet.attackerTechs.join("_"), "");
  set("defend-tech", sheet.defenderTechs.join("_"), "");
  set("attack-order", sheet.attackerOrder, "weakest");
  set("defend-order", sheet.defenderOrder, "weakest");
  set("keep", sheet.keepLand, 0);
  set("rounds", sheet.retreatRounds, 0);
  set("fewer", sheet.retreatUnits, 0);
  set("fewer-land", sheet.retreatLand, 0);
  set("only-planes", sheet.retreatPlanes, false);
  set("below", sheet.retreatOdds, 0);
  set("attack-boats", sheet.attackerBoats, "stay");
  set("defend-boats", sheet.defenderBoats, "stay");
  return query.toString();
}

/** The sheet that an address describes; what makes no sense in it is left out. */
export function fromQuery(text: string): Sheet {
  const query = new URLSearchParams(text);
  const number = (name: string, most: number): number => {
    const value = Math.floor(Number(query.get(name) ?? 0));
    return Number.isFinite(value) ? Math.min(Math.max(value, 0), most) : 0;
  };
  const list = (name: string): string[] => (query.get(name) ?? "").split("_").filter((word) => /^[a-z0-9-]+$/.test(word));
  const kind = query.get("kind");
  return {
    scenario: query.get("edition") ?? BLANK.scenario,
    kind: kind === "sea" || kind === "raid" ? kind : "land",
    attackers: readForce(query.get("attack")),
    defenders: readForce(query.get("defend")),
    attackerTechs: list("attack-tech"),
    defenderTechs: list("defend-tech"),
    attackerOrder: query.get("attack-order") || "weakest",
    defenderOrder: query.get("defend-order") || "weakest",
    keepLand: number("keep", MOST),
    retreatRounds: number("rounds", 99),
    retreatUnits: number("fewer", MOST),
    retreatLand: number("fewer-land", MOST),
    retreatPlanes: query.get("only-planes") === "1",
    retreatOdds: number("below", 100),
    attackerBoats: query.get("attack-boats") === "leave" ? "leave" : "stay",
    defenderBoats: query.get("defend-boats") === "leave" ? "leave" : "stay",
  };
}

/** Who can be on a side of such a battle. The server has the last word. */
export function eligible(units: readonly Unit[], kind: Kind, side: "attack" | "defend"): Unit[] {
  return units.filter((unit) => {
    if (unit.domain === "facility") return false;
    if (kind === "raid") return side === "attack" ? unit.raid_dice > 0 : unit.anti_air > 0;
    if (side === "attack" && unit.anti_air > 0) return false;
    if (unit.domain === "air") return true;
    if (kind === "sea") return unit.domain === "sea";
    return unit.domain === "land" || (side === "attack" && unit.support > 0);
  });
}

/** Only those of a force who can be there. */
export function fitting(force: Counts, units: readonly Unit[]): Counts {
  const known = new Set(units.map((unit) => unit.id));
  return Object.fromEntries(Object.entries(force).filter(([unit]) => known.has(unit)));
}

/** The question for the server; null when a side is missing. */
export function question(sheet: Sheet, units: readonly Unit[]): OddsBody | null {
  const attackers = fitting(sheet.attackers, eligible(units, sheet.kind, "attack"));
  const defenders = fitting(sheet.defenders, eligible(units, sheet.kind, "defend"));
  if (!Object.keys(attackers).length || (sheet.kind !== "raid" && !Object.keys(defenders).length)) return null;
  return {
    scenario: sheet.scenario,
    options: {},
    kind: sheet.kind,
    attackers,
    defenders,
    attacker: null,
    defender: null,
    attacker_techs: [...sheet.attackerTechs],
    defender_techs: [...sheet.defenderTechs],
    attacker_order: sheet.attackerOrder,
    defender_order: sheet.defenderOrder,
    keep_land: sheet.keepLand,
    amphibious: null,
    retreat: {
      rounds: sheet.retreatRounds || null,
      units: sheet.retreatUnits,
      land_units: sheet.retreatLand,
      only_planes: sheet.retreatPlanes,
      odds: sheet.retreatOdds / 100,
    },
    attacker_submarines: sheet.attackerBoats,
    defender_submarines: sheet.defenderBoats,
  };
}

/** The two sides change places; what each of them means to do goes along as far as it can. */
export function swapped(sheet: Sheet, units: readonly Unit[]): Sheet {
  const can = eligible(units, sheet.kind, "attack");
  return {
    ...sheet,
    attackers: fitting(sheet.defenders, can),
    defenders: sheet.attackers,
    attackerTechs: sheet.defenderTechs,
    defenderTechs: sheet.attackerTechs,
    attackerOrder: sheet.defenderOrder,
    defenderOrder: sheet.attackerOrder,
    attackerBoats: sheet.defenderBoats,
    defenderBoats: sheet.attackerBoats,
  };
}

/** 0.8634 -> "86.3 %", and never 100 or 0 for what is not certain. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.0005) return "< 0.1 %";
  if (chance < 1 && chance > 0.9995) return "> 99.9 %";
  return `${(100 * chance).toFixed(1)} %`;
}

/** Bars of a histogram with the rest that is too small to see left out at the ends. */
export function bars(attackers: readonly number[], defenders: readonly number[], win: number, loss: number): { left: number; chance: number; side: "attack" | "defend" | "none" }[] {
  const some = (chances: readonly number[]): number => chances.findLastIndex((chance) => chance >= 0.0005);
  const most = Math.max(1, some(attackers));
  const least = Math.max(1, some(defenders));
  const found: { left: number; chance: number; side: "attack" | "defend" | "none" }[] = [];
  for (let left = least; left > 0; left--) found.push({ left, chance: loss > 0 ? (defenders[left] ?? 0) : 0, side: "defend" });
  for (let left = 1; left <= most; left++) found.push({ left, chance: win > 0 ? (attackers[left] ?? 0) : 0, side: "attack" });
  return found;
}
