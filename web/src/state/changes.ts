/** What is different between two moments of a game: for somebody who sits down again. */
import type { LogLine, State } from "../api/types";
import type { Index } from "./table";

export interface Difference {
  captured: { space: string; from: string | null; to: string | null }[];
  units: { power: string; unit: string; change: number }[];
  money: { power: string; treasury: number; production: number }[];
  technologies: { power: string; technology: string }[];
}

function counted(state: State): Map<string, number> {
  const found = new Map<string, number>();
  const add = (power: string, unit: string, count: number): void => {
    found.set(`${power} ${unit}`, (found.get(`${power} ${unit}`) ?? 0) + count);
  };
  for (const space of Object.values(state.spaces)) {
    for (const stack of space.units) {
      add(stack.power, stack.unit, stack.count);
      for (const item of stack.cargo) add(item.power, item.unit, item.count * stack.count);
    }
  }
  return found;
}

export function difference(before: State, after: State, index: Index): Difference {
  const captured = index.world.spaces
    .filter((space) => space.kind === "land" && before.spaces[space.id]?.owner !== after.spaces[space.id]?.owner)
    .map((space) => ({ space: space.id, from: before.spaces[space.id]?.owner ?? null, to: after.spaces[space.id]?.owner ?? null }));
  const [had, has] = [counted(before), counted(after)];
  const units = index.world.powers.flatMap(({ id: power }) =>
    index.world.units.flatMap(({ id: unit }) => {
      const change = (has.get(`${power} ${unit}`) ?? 0) - (had.get(`${power} ${unit}`) ?? 0);
      return change ? [{ power, unit, change }] : [];
    }),
  );
  const money = index.world.order.flatMap((power) => {
    const [was, is] = [before.powers[power], after.powers[power]];
    if (!was || !is || (was.treasury === is.treasury && was.production === is.production)) return [];
    return [{ power, treasury: is.treasury - was.treasury, production: is.production - was.production }];
  });
  const technologies = index.world.order.flatMap((power) =>
    (after.powers[power]?.technologies ?? [])
      .filter((technology) => !before.powers[power]?.technologies.includes(technology))
      .map((technology) => ({ power, technology })),
  );
  return { captured, units, money, technologies };
}

/** After which order the last turn of these powers ended that is not the one being played; null if there was none. */
export function lastTurnEnd(log: readonly LogLine[], powers: readonly string[]): number | null {
  let i = log.length - 1;
  while (i >= 0 && powers.includes(log[i]!.turn)) i--; // the turn that has begun
  while (i >= 0 && !powers.includes(log[i]!.turn)) i--; // what others did
  return i >= 0 ? log[i]!.at : null;
}
