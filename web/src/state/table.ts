/** The table as the page knows it: a state of the server, brought up to date change by change. */
import { leaningName } from "./politics";
import type { Change, Power, Space, Stack, State, Unit, World } from "../api/types";

/** The state after a change. A change from before what is shown, or one that leaves a gap, is not for this state. */
export function applied(state: State, change: Change): State | null {
  if (change.number <= state.version) return state;
  if (change.number !== state.version + 1) return null;
  const after = change.state;
  return after.partial ? { ...after, partial: false, spaces: { ...state.spaces, ...after.spaces } } : after;
}

/** As much of a state as a map shows. */
export type Table = Pick<State, "spaces" | "turn" | "decision"> & Partial<Pick<State, "relations" | "straits" | "convoys">>;

/** Everything about a board by id, for quick looking up. */
export interface Index {
  world: World;
  spaces: Map<string, Space>;
  powers: Map<string, Power>;
  units: Map<string, Unit>;
}

export function indexed(world: World): Index {
  return {
    world,
    spaces: new Map(world.spaces.map((space) => [space.id, space])),
    powers: new Map(world.powers.map((power) => [power.id, power])),
    units: new Map(world.units.map((unit) => [unit.id, unit])),
  };
}

export function spaceName(index: Index, id: string | null | undefined): string {
  return (id && index.spaces.get(id)?.name) || id || "";
}

/** In the order of play; then those that others play. */
export function everyPower(index: Index): string[] {
  return [...index.world.order, ...index.world.powers.filter((power) => power.played_by).map((power) => power.id)];
}

export function powerName(index: Index, id: string | null | undefined): string {
  return (id && index.powers.get(id)?.name) || id || "";
}

/** The power's name as it stands inside a sentence: Germany, the United Kingdom. */
export function thePower(index: Index, id: string | null | undefined): string {
  return (id && index.powers.get(id)?.in_sentence) || id || "";
}

/** Where a power is at home: its capital, or all its land if it has none. */
export function homeOf(index: Index, power: string): string[] {
  const capital = index.powers.get(power)?.capital;
  return capital ? [capital] : index.world.spaces.filter((space) => space.original === power).map((space) => space.id);
}

export function markName(index: Index, mark: string): string {
  return index.world.marks.find(({ id }) => id === mark)?.name ?? mark;
}

/** Whether a power fights beside the one whose turn it is: by its side, or by the alliances of the day where they change. */
export function isOurs(index: Index, table: Table, power: string): boolean {
  if (power === table.turn) return true;
  const known = table.relations?.find(({ one, other }) => (one === power && other === table.turn) || (one === table.turn && other === power));
  return known ? known.stance === "ally" : index.powers.get(power)?.side === index.powers.get(table.turn)?.side;
}

/** What a side is called; where everybody fights for himself, it is a power. */
export function sideName(index: Index, side: string): string {
  const power = index.powers.get(side);
  return power ? power.name : `the ${capitalised(side)}`;
}

/** The kind of units that an order names with their marks: `fighter[jet-power]` is a fighter. */
export const typeOf = (word: string): string => word.split("[", 1)[0]!;

/** The marks that an order names. */
export const marksOf = (word: string): string[] => (/\[(.+)\]/.exec(word)?.[1] ?? "").split(",").filter(Boolean);

export function unitName(index: Index, word: string, count = 1): string {
  const unit = index.units.get(typeOf(word));
  const marks = marksOf(word).map((mark) => markName(index, mark));
  return `${unit ? (count === 1 ? unit.name : unit.plural) : typeOf(word)}${marks.length ? ` (${marks.join(", ")})` : ""}`;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With a full stop, unless it ends with one: names like "U.S.S.R." do. */
export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** The same kinds added up. */
export function merged(units: Iterable<{ unit: string; count: number }>): { unit: string; count: number }[] {
  const found = new Map<string, number>();
  for (const { unit, count } of units) found.set(unit, (found.get(unit) ?? 0) + count);
  return [...found].map(([unit, count]) => ({ unit, count }));
}

/** In the order of the board, in which they are bought, too. */
export function inOrder<T extends { unit: string }>(index: Index, units: readonly T[]): T[] {
  const kinds = [...index.units.keys()];
  return [...units].sort((a, b) => kinds.indexOf(typeOf(a.unit)) - kinds.indexOf(typeOf(b.unit)));
}

/** "2 infantry, 1 armor" */
export function unitList(index: Index, units: Iterable<{ unit: string; count: number }>): string {
  return inOrder(index, merged(units)).map(({ unit, count }) => `${count} ${unitName(index, unit, count)}`).join(", ");
}

/** Units of one power and kind in a space, whatever has happened to each of them: what one icon on the map stands for. */
export interface Group {
  power: string;
  /** As orders name them: with their marks, where others of their kind here have others. */
  unit: string;
  count: number;
  /** Movement that the one with the most of it has left. */
  left: number;
  /** All of them have moved as far as they will. */
  done: boolean;
  cargo: { unit: string; count: number }[];
  /** What is so this turn: raiders, submerged boats. */
  marks: string[];
  /** What they carry for good: weapons that single units have, a leader. */
  worn: readonly string[];
  /** Damage that they have taken together. */
  hits: number;
}

export function groups(stacks: readonly Stack[], index: Index): Group[] {
  const found = new Map<string, Group>();
  const sorts = new Map<string, Set<string>>();
  for (const { power, unit, marks } of stacks) {
    const kind = `${power} ${unit}`;
    sorts.set(kind, (sorts.get(kind) ?? new Set()).add(marks.join()));
  }
  for (const stack of stacks) {
    const differ = sorts.get(`${stack.power} ${stack.unit}`)!.size > 1;
    const unit = differ ? `${stack.unit}[${stack.marks.join()}]` : stack.unit;
    const key = `${stack.power} ${unit}`;
    let group = found.get(key);
    if (!group) {
      group = { power: stack.power, unit, count: 0, left: 0, done: true, cargo: [], marks: [], worn: stack.marks, hits: 0 };
      found.set(key, group);
    }
    group.count += stack.count;
    group.hits += stack.hits * stack.count;
    group.left = Math.max(group.left, stack.left);
    // what never moves is never tired
    group.done &&= index.units.get(stack.unit)?.domain !== "facility" && (stack.done || stack.left === 0);
    if (stack.mark && !group.marks.includes(stack.mark)) group.marks.push(stack.mark);
    for (const item of stack.cargo) {
      const same = group.cargo.find((other) => other.unit === item.unit);
      if (same) same.count += item.count * stack.count;
      else group.cargo.push({ unit: item.unit, count: item.count * stack.count });
    }
  }
  const powers = index.world.powers.map((power) => power.id);
  const units = index.world.units.map((unit) => unit.id);
  return [...found.values()].sort(
    (a, b) => powers.indexOf(a.power) - powers.indexOf(b.power) || units.indexOf(typeOf(a.unit)) - units.indexOf(typeOf(b.unit)),
  );
}

/** What defends neutral land that nobody has attacked yet. */
export function armyWords(index: Index, id: string): string {
  const army = Object.entries(index.spaces.get(id)?.army ?? {}).map(([unit, count]) => ({ unit, count }));
  return army.length ? `${unitList(index, army)} would take up arms` : "no army";
}

/** What a space is called by a screen reader: owner, value, and what stands there; more than so many kinds are summed up by power. */
export function describe(index: Index, state: Pick<Table, "spaces">, id: string, kinds = Infinity): string {
  const space = index.spaces.get(id);
  const now = state.spaces[id];
  if (!space || !now) return id;
  const parts = [space.name];
  if (space.kind === "land") {
    if (space.impassable) parts.push("impassable");
    else parts.push(now.owner ? `held by ${thePower(index, now.owner)}` : now.leaning ? leaningName(now.leaning, (side) => sideName(index, side)) : "neutral");
    if (space.ipc) parts.push(`${space.ipc} IPC`);
    if (space.victory_city) parts.push(`victory city ${space.victory_city}`);
    if (space.capital_of) parts.push(`capital of ${thePower(index, space.capital_of)}`);
  }
  for (const [facility, amount] of Object.entries(now.damage)) parts.push(`${unitName(index, facility)} damaged by ${amount}`);
  for (const [facility, turns] of Object.entries(now.building ?? {})) parts.push(`${unitName(index, facility)} under construction, ${turns} ${turns === 1 ? "turn" : "turns"} to go`);
  if (space.convoy) parts.push("convoy zone");
  const here = groups(now.units, index);
  const summed = new Map<string, number>();
  for (const group of here) {
    if (here.length > kinds) {
      const all = group.count + group.cargo.reduce((sum, item) => sum + item.count, 0);
      summed.set(group.power, (summed.get(group.power) ?? 0) + all);
      continue;
    }
    const aboard = group.cargo.length ? ` carrying ${unitList(index, group.cargo)}` : "";
    const adjective = index.powers.get(group.power)?.adjective ?? group.power;
    parts.push(`${group.count} ${adjective} ${unitName(index, group.unit, group.count)}${aboard}`);
  }
  for (const [power, count] of summed) parts.push(`${count} ${index.powers.get(power)?.adjective ?? power} units`);
  if (!here.length) parts.push(now.leaning ? armyWords(index, id) : "empty");
  return parts.join(", ");
}
