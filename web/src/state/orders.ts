/** Orders as text. The page only writes down what the player chose; whether it is legal the server says. */

export interface Amount {
  unit: string;
  count: number;
}

export function amounts(units: Iterable<Amount>): string {
  return [...units]
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(", ");
}

export function move(units: Iterable<Amount>, route: readonly string[], role?: string | null): string {
  return `move ${amounts(units)}: ${route.join(" -> ")}${role ? ` as ${role}` : ""}`;
}

export function buy(units: Iterable<Amount>): string {
  return `buy ${amounts(units)}`;
}

export function repair(space: string, points: number): string {
  return `repair ${space} ${points}`;
}

export function place(units: Iterable<Amount>, space: string): string {
  return `place ${amounts(units)}: ${space}`;
}

/** Casualties; a unit of another power than the one who chooses is named with its owner, a ship with what it carries, a marked unit with its marks. */
export function casualties(chosen: Iterable<Amount & { power: string; cargo?: readonly Amount[] | null; marks?: readonly string[] | null }>, chooser: string): string {
  const words = [...chosen]
    .filter(({ count }) => count > 0)
    .map(({ unit, count, power, cargo, marks }) => {
      const load = cargo ? ` carrying ${cargo.map((item) => `${item.count} ${item.unit}`).join(" + ") || "nothing"}` : "";
      return `${count} ${power === chooser ? "" : `${power} `}${unit}${marks ? `[${marks.join(",")}]` : ""}${load}`;
    });
  return `casualties ${words.join(", ")}`;
}

export function rocket({ gun, target }: { gun: string; target: string }): string {
  return `rocket ${gun} -> ${target}`;
}
