/**
 * Where the pieces of each space stand: in a neat block on its own ground beside its name, two blocks face to face where enemies
 * meet. Every kind has its place; where the ground is too small, the block stands on a plate over it and a line leads to the land.
 */
import type { Group } from "../state/table";
import type { MapSpace, Mark, Place } from "./geometry";

/** How near the map is seen. Far away, one counter for each power takes the place of its pieces. */
export type Level = "farthest" | "farther" | "distant" | "far" | "roomy" | "wide" | "middle" | "near" | "close";

export const isFar = (level: Level): boolean => level === "far" || level === "distant" || level === "farther" || level === "farthest";

/** From which zoom on each level is shown, nearest first. */
const LEVELS: readonly [Level, number][] = [["close", 2.6], ["near", 1.72], ["middle", 1.25], ["wide", 1], ["far", 0.6], ["distant", 0.44], ["farther", 0.31], ["farthest", 0]];

/** A board whose crowded parts are drawn large shows pieces where others have counters. */
const ROOMY = 0.7;

export function levelAt(k: number, roomy = false): Level {
  const level = LEVELS.find(([, from]) => k >= from)![0];
  return level === "far" && roomy && k >= ROOMY ? "roomy" : level;
}

/** Map units for each pixel that something should have on the screen; `least` is the zoom that shows the whole world. */
export function unitsPerPixel(level: Level, least: number): number {
  const world = (zoom: number): number => Math.min(0.55, Math.max(least, zoom)); // a phone shows the world smaller than others do
  const zooms: Record<Level, number> = { close: 2.75, near: 1.8, middle: 1.3, wide: 1.04, roomy: 0.72, far: 0.68, distant: world(0.5), farther: world(0.36), farthest: world(0.25) };
  return 1 / zooms[level];
}

/** Pixels on the screen at the zoom that a level is made for. */
export const ICON = { width: 30, height: 18.75 };
export const CELL = { width: 34, height: 25 };
export const COUNTER = { width: 27, height: 19 };
const COUNTER_CELL = { width: 30, height: 22 };
const GAP = 13; // between two camps
export const RIM = 3; // of a plate, around what stands on it

export interface Cell<T> {
  item: T;
  x: number;
  y: number;
}

export interface Camp<T> {
  attacks: boolean;
  power: string;
  x: number;
  y: number;
  width: number;
  height: number;
  cells: Cell<T>[];
}

export interface Block<T> {
  space: string;
  x: number;
  y: number;
  width: number;
  height: number;
  camps: Camp<T>[];
  /** Enemies meet here. */
  contested: boolean;
  /** It reaches over its own ground. */
  plate: boolean;
  /** To the land, if it stands beside it. */
  leader: Place | null;
}

/** What shall stand in a space: one camp, or the attackers and the defenders. */
export interface Standing<T> {
  id: string;
  space: MapSpace;
  camps: { attacks: boolean; power: string; items: T[] }[];
}

/** All that the counter of a power stands for. */
export interface Counter {
  power: string;
  /** Units, without facilities. */
  strength: number;
  facilities: number;
  words: string;
}

/**
 * Groups by camp. There are two where units of two sides are; whoever has the turn attacks. `side` tells a power's side.
 */
export function camps(groups: readonly Group[], isOurs: (power: string) => boolean): { attacks: boolean; power: string; items: Group[] }[] {
  const ours = groups.filter((group) => isOurs(group.power));
  const theirs = groups.filter((group) => !isOurs(group.power));
  return [
    { attacks: true, power: foremost(ours), items: ours },
    { attacks: false, power: foremost(theirs), items: theirs },
  ].filter((camp) => camp.items.length);
}

/** The power that has the most units, which gives a camp its colour: guests do not. */
function foremost(groups: readonly Group[]): string {
  const counts = new Map<string, number>();
  for (const { power, count } of groups) counts.set(power, (counts.get(power) ?? 0) + count);
  return [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), ["", 0])[0];
}

/** One counter for each power of a camp. */
export function counters(groups: readonly Group[], isFacility: (unit: string) => boolean, words: (groups: readonly Group[]) => string): Counter[] {
  const powers = [...new Set(groups.map((group) => group.power))];
  return powers.map((power) => {
    const own = groups.filter((group) => group.power === power);
    const count = (some: readonly Group[]): number =>
      some.reduce((sum, group) => sum + group.count + group.cargo.reduce((all, item) => all + item.count, 0), 0);
    return {
      power,
      strength: count(own.filter((group) => !isFacility(group.unit))),
      facilities: count(own.filter((group) => isFacility(group.unit))),
      words: words(own),
    };
  });
}

export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

const around = (x: number, y: number, width: number, height: number): Box => ({ x0: x - width / 2, y0: y - height / 2, x1: x + width / 2, y1: y + height / 2 });

function common(a: Box, b: Box): number {
  const width = Math.min(a.x1, b.x1) - Math.max(a.x0, b.x0);
  const height = Math.min(a.y1, b.y1) - Math.max(a.y0, b.y0);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The box of a name, as large as it is written. */
export function labelBox(space: MapSpace, name: string): Box {
  const size = space.label.size ?? 9;
  const lines = space.label.lines?.length ? space.label.lines : [name];
  const width = Math.max(...lines.map((line) => line.length)) * size * (space.kind === "sea" ? 0.46 : 0.74);
  const height = lines.length * size * 1.02;
  const turned = Math.abs(Math.sin(((space.label.angle ?? 0) * Math.PI) / 180));
  return around(space.label.x, space.label.y, width * (1 - turned) + height * turned, height * (1 - turned) + width * turned);
}

const round = (mark: Mark): Box => around(mark.x, mark.y, mark.r * 2, mark.r * 2);

/** The circle of a space's value: large enough that the number in it can be read where a game opens; from afar counters are what matters. */
export function badge(mark: Mark, value: number, per: number, far: boolean): Mark {
  if (far) return mark;
  const r = Math.max(mark.r, 7.8 * per);
  return { ...mark, r: value > 9 ? 1.15 * r : r };
}

interface Shape {
  /** Columns of each camp. */
  columns: number[];
  width: number;
  height: number;
  cost: number;
}

function shapes(counts: readonly number[], cell: { width: number; height: number }, gap: number): Shape[] {
  const ways = counts.map((count) => Array.from({ length: Math.min(count, counts.length > 1 ? 4 : 6) }, (_, i) => i + 1));
  const all = ways.reduce<number[][]>((found, columns) => found.flatMap((before) => columns.map((c) => [...before, c])), [[]]);
  return all.map((columns) => {
    const rows = columns.map((c, i) => Math.ceil(counts[i]! / c));
    const width = columns.reduce((sum, c) => sum + c * cell.width, 0) + (columns.length - 1) * gap;
    const height = Math.max(...rows) * cell.height;
    const ragged = columns.reduce((sum, c, i) => sum + c * rows[i]! - counts[i]!, 0);
    const uneven = rows.length > 1 ? Math.abs(rows[0]! - rows[1]!) * 0.3 : 0;
    return { columns, width, height, cost: 0.35 * Math.abs(width / height - 1.5) + 0.2 * ragged + uneven };
  });
}

/** Where the writing in the box of a small island ends. */
function foot(space: MapSpace, label: Box | undefined): number {
  return Math.max(label?.y1 ?? space.callout!.y, ...[space.badge, space.emblem].map((mark) => (mark ? mark.y + mark.r : -Infinity)));
}

/** How far a point lies outside the ground that the slots of a space cover. */
function outside(space: MapSpace, x: number, y: number): number {
  let least = Infinity;
  for (const slot of space.slots) least = Math.min(least, Math.hypot(slot.x - x, slot.y - y) - slot.r);
  return Math.max(0, least);
}

/**
 * Places for everything that stands on the map. Small ground comes first, because it has the least choice; a block prefers its own
 * ground, then keeps clear of names and of what stands already. What still overlaps is pushed apart a little.
 */
export function placed<T>(all: readonly Standing<T>[], names: ReadonlyMap<string, Box>, per: number, far: boolean): Block<T>[] {
  const size = far ? COUNTER_CELL : CELL;
  const cell = { width: size.width * per, height: size.height * per };
  const gap = GAP * per;
  const order = [...all].sort(
    (a, b) =>
      Number(!a.space.callout) - Number(!b.space.callout) ||
      Number(a.space.kind === "sea") - Number(b.space.kind === "sea") ||
      a.space.slots.length - b.space.slots.length ||
      (a.id < b.id ? -1 : 1),
  );
  const done: { block: Block<T>; box: Box; fixed: boolean; home: Place }[] = [];
  for (const { id, space, camps: here } of order) {
    const counts = here.map((camp) => camp.items.length);
    const contested = here.length > 1;
    const rim = contested ? RIM * per : 0;
    const home = space.anchor;
    const reach = 6 * cell.width; // farther away nothing of the block can come to lie
    const [xs, ys] = [[home, ...space.slots].map((point) => point.x), [home, ...space.slots].map((point) => point.y)];
    const region: Box = { x0: Math.min(...xs) - reach, y0: Math.min(...ys) - reach, x1: Math.max(...xs) + reach, y1: Math.max(...ys) + reach };
    const own = [...(space.badge ? [badge(space.badge, 0, per, far)] : []), ...(space.emblem ? [space.emblem] : [])];
    const avoid = [...names.values(), ...own.map(round)].filter((box) => common(box, region) > 0);
    const others = done.filter((other) => common(other.box, region) > 0);
    const label = names.get(id);
    const under = label && Math.max(label.y1, ...own.map((mark) => mark.y + mark.r)); // the foot of all that is written
    let best: { shape: Shape; x: number; y: number; cost: number; out: number } | null = null;
    for (const shape of shapes(counts, cell, gap)) {
      const starts = space.callout
        ? [{ x: space.callout.x + space.callout.w / 2, y: foot(space, label) + shape.height / 2 }]
        : [
            space.anchor,
            ...space.slots.slice(0, 8),
            ...(label
              ? [
                  { x: space.label.x, y: label.y1 + shape.height / 2 + per + rim },
                  { x: space.label.x, y: under! + shape.height / 2 + per + rim },
                  { x: space.label.x, y: label.y0 - shape.height / 2 - per - rim },
                  { x: label.x0 - shape.width / 2 - per - rim, y: space.label.y },
                  { x: label.x1 + shape.width / 2 + per + rim, y: space.label.y },
                ]
              : []),
          ];
      for (const { x, y } of starts) {
        const box = around(x, y, shape.width + 2 * rim, shape.height + 2 * rim);
        const area = cell.width * cell.height;
        let out = 0;
        const [columns, rows] = [Math.max(1, Math.round(shape.width / cell.width)), Math.max(1, Math.round(shape.height / cell.height))];
        for (let i = 0; i < columns; i++) {
          for (let j = 0; j < rows; j++) {
            out += outside(space, x + ((i + 0.5) / columns - 0.5) * shape.width, y + ((j + 0.5) / rows - 0.5) * shape.height) / cell.width;
          }
        }
        let cost = shape.cost + (space.callout ? 0 : 1.6 * out) + (0.06 * Math.hypot(x - home.x, y - home.y)) / cell.width;
        // one's own name most of all: a plate over it leaves a place without a name, or without its value
        if (!space.callout && label) cost += common(box, label) * (2 / area + 3 / ((label.x1 - label.x0) * (label.y1 - label.y0)));
        if (!space.callout) for (const mark of own) cost += (0.6 * common(box, round(mark))) / (mark.r * mark.r);
        if (!space.callout) for (const other of avoid) cost += (1.7 * common(box, other)) / area;
        for (const other of others) cost += (5 * common(box, other.box)) / area;
        if (!best || cost < best.cost) best = { shape, x, y, cost, out };
      }
    }
    if (!best) continue;
    const { shape, x, y, out } = best;
    const block: Block<T> = {
      space: id, x, y, width: shape.width, height: shape.height, contested,
      plate: contested || (!space.callout && out > 0.9), camps: [], leader: null,
    };
    let left = -shape.width / 2;
    here.forEach((camp, i) => {
      const columns = shape.columns[i]!;
      const rows = Math.ceil(camp.items.length / columns);
      const width = columns * cell.width;
      block.camps.push({
        attacks: camp.attacks, power: camp.power, x: left, y: (-rows * cell.height) / 2, width, height: rows * cell.height,
        cells: camp.items.map((item, n) => {
          const row = Math.floor(n / columns);
          const inRow = Math.min(columns, camp.items.length - row * columns);
          return {
            item,
            x: left + width / 2 + ((n % columns) - (inRow - 1) / 2) * cell.width,
            y: (row - (rows - 1) / 2) * cell.height,
          };
        }),
      });
      left += width + gap;
    });
    done.push({ block, box: around(x, y, shape.width + 2 * rim, shape.height + 2 * rim), fixed: space.callout !== undefined, home: space.anchor });
  }
  pushApart(done);
  for (const { block, home } of done) {
    const beside = Math.abs(block.x - home.x) > block.width / 2 + 2 * per || Math.abs(block.y - home.y) > block.height / 2 + 2 * per;
    const space = all.find((each) => each.id === block.space)!.space;
    if (beside && block.plate && outside(space, block.x, block.y) > cell.height / 2) block.leader = home;
  }
  return done.map(({ block }) => block);
}

function pushApart(all: { block: { x: number; y: number; width: number; height: number; plate: boolean }; box: Box; fixed: boolean }[]): void {
  for (let round = 0; round < 12; round++) {
    let moved = false;
    for (let i = 0; i < all.length; i++) {
      for (let j = i + 1; j < all.length; j++) {
        const [a, b] = [all[i]!, all[j]!];
        if (!common(a.box, b.box)) continue;
        const dx = Math.min(a.box.x1, b.box.x1) - Math.max(a.box.x0, b.box.x0);
        const dy = Math.min(a.box.y1, b.box.y1) - Math.max(a.box.y0, b.box.y0);
        const [x, y] = dx < dy ? [a.block.x < b.block.x ? dx : -dx, 0] : [0, a.block.y < b.block.y ? dy : -dy];
        const [toA, toB] = a.fixed && b.fixed ? [0, 0] : a.fixed ? [0, 1] : b.fixed ? [1, 0] : [0.5, 0.5];
        shift(a, -x * toA, -y * toA);
        shift(b, x * toB, y * toB);
        moved = true;
      }
    }
    if (!moved) return;
  }
}

function shift(one: { block: { x: number; y: number; width: number; height: number; plate: boolean }; box: Box }, x: number, y: number): void {
  if (!x && !y) return;
  one.block.x += x;
  one.block.y += y;
  one.box = around(one.block.x, one.block.y, one.box.x1 - one.box.x0, one.box.y1 - one.box.y0);
}
