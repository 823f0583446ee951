/** Another set-up: starting units moved, added or taken away, and the table that comes of it. */
import type { World } from "../api/types";
import type { Table } from "./table";

/** As the server takes it: pieces moved from one space to another, or added to (or taken from) one. */
export type SetupEdit =
  | { power: string; unit: string; count: number; from: string; to: string }
  | { power: string; unit: string; count: number; space: string };

type Pieces = Map<string, number>;
const key = (space: string, power: string, unit: string): string => `${space} ${power} ${unit}`;

/** What stands where, by space, power and unit. */
export function pieces(world: World, edits: readonly SetupEdit[]): Pieces {
  const found: Pieces = new Map();
  const put = (space: string, power: string, unit: string, count: number): void => {
    const name = key(space, power, unit);
    const left = (found.get(name) ?? 0) + count;
    if (left > 0) found.set(name, left);
    else found.delete(name);
  };
  for (const { power, space, unit, count } of world.setup) put(space, power, unit, count);
  for (const edit of edits) {
    if ("space" in edit) put(edit.space, edit.power, edit.unit, edit.count);
    else {
      put(edit.from, edit.power, edit.unit, -edit.count);
      put(edit.to, edit.power, edit.unit, edit.count);
    }
  }
  return found;
}

/** The edits that lead from the usual set-up to these pieces, as few as they can be: what was undone is no edit. */
export function editsFor(world: World, wanted: ReadonlyMap<string, number>): SetupEdit[] {
  const usual = pieces(world, []);
  const surplus = new Map<string, { space: string; count: number }[]>();
  const lack = new Map<string, { space: string; count: number }[]>();
  for (const name of new Set([...usual.keys(), ...wanted.keys()])) {
    const [space = "", power = "", unit = ""] = name.split(" ");
    const change = (wanted.get(name) ?? 0) - (usual.get(name) ?? 0);
    if (!change) continue;
    const list = change > 0 ? lack : surplus;
    const kind = `${power} ${unit}`;
    list.set(kind, [...(list.get(kind) ?? []), { space, count: Math.abs(change) }]);
  }
  const found: SetupEdit[] = [];
  for (const kind of new Set([...surplus.keys(), ...lack.keys()])) {
    const [power = "", unit = ""] = kind.split(" ");
    const from = (surplus.get(kind) ?? []).map((each) => ({ ...each }));
    for (const { space, count } of lack.get(kind) ?? []) {
      let left = count;
      for (const source of from) {
        const taken = Math.min(left, source.count);
        if (!taken) continue;
        found.push({ power, unit, count: taken, from: source.space, to: space });
        source.count -= taken;
        left -= taken;
      }
      if (left) found.push({ power, unit, count: left, space });
    }
    for (const { space, count } of from) if (count) found.push({ power, unit, count: -count, space });
  }
  return found;
}

/** Some pieces put elsewhere, added or taken away. */
export function withPieces(world: World, edits: readonly SetupEdit[], edit: SetupEdit): SetupEdit[] {
  return editsFor(world, pieces(world, [...edits, edit]));
}

/** The table before the first turn, as a map shows it. */
export function tableOf(world: World, edits: readonly SetupEdit[]): Table {
  const spaces: Table["spaces"] = Object.fromEntries(
    world.spaces.map((space) => [space.id, { owner: space.owner, units: [], damage: {}, building: {} }]),
  );
  for (const [name, count] of pieces(world, edits)) {
    const [space = "", power = "", unit = ""] = name.split(" ");
    spaces[space]?.units.push({ power, unit, count, used: 0, left: 1, done: false, mark: null, hits: 0, origin: null, cargo: [], marks: [] });
  }
  return { spaces, turn: "" };
}
