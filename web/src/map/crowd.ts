/** What stands on the map, and where, for every nearness: worked out once for each, as long as nothing moves. */
import { groups, isOurs, powerName, unitList, type Group, type Index, type Table } from "../state/table";
import type { Drawn } from "./geometry";
import { camps, counters, labelBox, placed, type Block, type Box, type Counter, type Standing } from "./stacks";

export interface Layout {
  blocks: readonly Block<Group>[];
  /** Far away, in the place of blocks. */
  tokens: readonly Block<Counter>[];
  inSpaces: ReadonlyMap<string, Block<unknown>>;
}

/** The units of every space; with `only`, those that were placed in this phase. */
export function standing(map: Drawn, index: Index, table: Table, only: ReadonlyMap<string, ReadonlyMap<string, number>> | null): Standing<Group>[] {
  return map.areas.flatMap(({ id, space }) => {
    const placed = only?.get(id);
    if (only && !placed) return [];
    const all = groups(table.spaces[id]?.units ?? [], index);
    const here = placed
      ? all.filter((group) => group.power === table.turn && placed.has(group.unit)).map((group) => ({ ...group, count: placed.get(group.unit)! }))
      : all;
    return here.length ? [{ id, space, camps: camps(here, (power) => isOurs(index, table, power)) }] : [];
  });
}

/** The boxes of all names that are written. */
export function namesOf(map: Drawn, index: Index): Map<string, Box> {
  return new Map(map.areas.map(({ id, space }) => [id, labelBox(space, index.spaces.get(id)?.name ?? id)] as const));
}

/** Gives the places for a nearness: `per` map units for each pixel, `far` with counters. */
export function layouts(all: readonly Standing<Group>[], names: ReadonlyMap<string, Box>, index: Index): (per: number, far: boolean) => Layout {
  const isFacility = (unit: string): boolean => index.units.get(unit)?.domain === "facility";
  const words = (own: readonly Group[]): string => `${powerName(index, own[0]?.power)}: ${unitList(index, own)}`;
  const counted = (): Standing<Counter>[] =>
    all.map((each) => ({ ...each, camps: each.camps.map((camp) => ({ ...camp, items: counters(camp.items, isFacility, words) })) }));
  const known = new Map<string, Layout>();
  return (per, far) => {
    const key = `${per} ${far}`;
    const found = known.get(key);
    if (found) return found;
    const blocks = far ? [] : placed(all, names, per, false);
    const tokens = far ? placed(counted(), names, per, true) : [];
    const layout = { blocks, tokens, inSpaces: new Map([...blocks, ...tokens].map((block) => [block.space, block] as const)) };
    known.set(key, layout);
    return layout;
  };
}
