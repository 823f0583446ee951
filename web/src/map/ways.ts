/** The ways that units go over the map, as arrows between what stands at their ends, with what goes along each of them. */
import type { Place } from "./geometry";

/** What takes room on the map, around its middle. */
export interface Box extends Place {
  width: number;
  height: number;
}

const number = (value: number): string => String(Math.round(value * 10) / 10);
const point = ({ x, y }: Place): string => `${number(x)} ${number(y)}`;

/** An arrow from one point through others, bent a little so that two ways do not lie on each other. */
export function arrow(points: readonly Place[]): string {
  const [first, ...rest] = points;
  if (!first || !rest.length) return "";
  let path = `M${point(first)}`;
  let last = first;
  for (const next of rest) {
    const bend = 0.12;
    const x = (last.x + next.x) / 2 - (next.y - last.y) * bend;
    const y = (last.y + next.y) / 2 + (next.x - last.x) * bend;
    path += `Q${point({ x, y })} ${point(next)}`;
    last = next;
  }
  return path;
}

interface Moved {
  path: string[];
  units: { unit: string; count: number }[];
  role?: string | null;
}

/** Moves along the same way as one arrow. */
export function joined(moves: readonly Moved[]): { path: string[]; units: { unit: string; count: number }[]; role: string }[] {
  const found = new Map<string, { path: string[]; units: { unit: string; count: number }[]; role: string }>();
  for (const { path, units, role } of moves) {
    const key = `${path.join()} ${role ?? ""}`;
    const same = found.get(key) ?? { path, units: [], role: role ?? "" };
    found.set(key, same);
    for (const { unit, count } of units) {
      const kind = same.units.find((other) => other.unit === unit);
      if (kind) kind.count += count;
      else same.units.push({ unit, count });
    }
  }
  return [...found.values()];
}

/** A place on the first leg of an arrow, at a part of the way: where its load is written. */
export function along(points: readonly Place[], part: number): Place {
  const from = points[0] ?? { x: 0, y: 0 };
  const to = points[1] ?? from;
  const bend = 0.12;
  // the bent line that `arrow` draws: its ends, and its control point
  const control = { x: (from.x + to.x) / 2 - (to.y - from.y) * bend, y: (from.y + to.y) / 2 + (to.x - from.x) * bend };
  const mix = (a: number, c: number, b: number): number => (1 - part) ** 2 * a + 2 * part * (1 - part) * c + part ** 2 * b;
  return { x: mix(from.x, control.x, to.x), y: mix(from.y, control.y, to.y) };
}

/** Points whose last one is drawn back to the edge of a box around it, if the way comes from outside. */
export function upTo<T extends Place>(points: readonly T[], box: Box | undefined): T[] {
  const [from, last] = [points.at(-2), points.at(-1)];
  if (!box || !from || !last) return [...points];
  const [dx, dy] = [from.x - box.x, from.y - box.y];
  const reach = Math.min(dx ? box.width / 2 / Math.abs(dx) : Infinity, dy ? box.height / 2 / Math.abs(dy) : Infinity);
  if (reach >= 0.9) return [...points];
  return [...points.slice(0, -1), { ...last, x: box.x + dx * reach, y: box.y + dy * reach }];
}

/** A way between what stands at its two ends. */
export function between<T extends Place>(points: readonly T[], from: Box | undefined, to: Box | undefined): T[] {
  return upTo(upTo(points.toReversed(), from).toReversed(), to);
}

/** Boxes with their middles moved down as far as it takes that none lies on another. */
export function spread<T extends Box>(boxes: readonly T[]): T[] {
  const found: T[] = [];
  for (const box of [...boxes].sort((a, b) => a.y - b.y)) {
    let y = box.y;
    for (let again = true, tries = 0; again && tries < 20; tries++) {
      again = false;
      for (const other of found) {
        if (Math.abs(other.x - box.x) * 2 < other.width + box.width && Math.abs(other.y - y) * 2 < other.height + box.height) {
          y = other.y + (other.height + box.height) / 2 + 0.5;
          again = true;
        }
      }
    }
    found.push({ ...box, y });
  }
  return found;
}

const PARTS = [0.4, 0.5, 0.6, 0.3, 0.7, 0.2, 0.8];

/** How much of two boxes is the same. */
function common(a: Box, b: Box): number {
  const over = (from: number, to: number, size: number): number => Math.max(0, size - Math.abs(from - to));
  return Math.min(over(a.x, b.x, (a.width + b.width) / 2), a.width) * Math.min(over(a.y, b.y, (a.height + b.height) / 2), a.height);
}

/** Where the load of a way is written: on its first leg or beside it, where it hides the least of what stands on the map. */
export function loadAt(points: readonly Place[], size: { width: number; height: number }, standing: readonly Box[]): Place {
  const [from, to] = [along(points, 0), along(points, 1)];
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const aside = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
  const reach = (Math.abs(aside.x) * size.width + Math.abs(aside.y) * size.height) / 2;
  let best: { at: Place; hidden: number } | null = null;
  for (const step of [0, 1, -1, 2, -2]) {
    for (const part of PARTS) {
      const { x, y } = along(points, part);
      const at = { x: x + aside.x * step * reach, y: y + aside.y * step * reach };
      const hidden = standing.reduce((sum, box) => sum + common({ ...at, ...size }, box), 0);
      if (!hidden) return at;
      if (!best || hidden < best.hidden) best = { at, hidden };
    }
  }
  return best!.at;
}
