/** Map assets into paths, once for each board. The format is described in docs/reference/map-format.md. */

/** A place on the map, in its units. */
export interface Place {
  x: number;
  y: number;
}

export interface Mark {
  x: number;
  y: number;
  r: number;
}

export interface MapSpace {
  kind: "land" | "sea";
  rings: number[][][];
  anchor: Place;
  label: { x: number; y: number; width: number; height: number; angle?: number; size?: number; lines?: string[] };
  badge?: Mark;
  emblem?: Mark;
  slots: Mark[];
  callout?: { x: number; y: number; w: number; h: number };
}

export interface MapAsset {
  board: string;
  format: number;
  width: number;
  height: number;
  scale: number;
  wraps?: boolean;
  arcs: number[][];
  spaces: Record<string, MapSpace>;
  scenery: { kind: string; rings: number[][][] }[];
  coast: number[];
  borders_land: number[];
  borders_sea: number[];
  borders_ice?: number[];
  rivers: number[][];
  links: { a: string; b: string; kind: string; name?: string; at?: [number, number][]; edition?: string }[];
}

type Point = [number, number];

/** The points of an arc in map units. */
export function arcPoints(arc: readonly number[], scale: number): Point[] {
  const points: Point[] = [];
  let x = 0;
  let y = 0;
  for (let i = 0; i + 1 < arc.length; i += 2) {
    x += arc[i]!;
    y += arc[i + 1]!;
    points.push([x * scale, y * scale]);
  }
  return points;
}

const number = (value: number): string => String(Math.round(value * 10) / 10);
const point = ([x, y]: Point): string => `${number(x)} ${number(y)}`;

/**
 * An arc as a smooth line: vertices are control points, middles of the segments are where the curves meet. It looks
 * the same from both ends, so neighbours share it exactly. `begin` says how to get to its first point.
 */
export function curve(points: readonly Point[], begin: "M" | "L" | ""): string {
  const first = points[0];
  const last = points.at(-1);
  if (!first || !last) return "";
  const parts = begin ? [`${begin}${point(first)}`] : [];
  if (points.length > 2) {
    for (let i = 1; i < points.length - 1; i++) {
      const here = points[i]!;
      const next = points[i + 1]!;
      const end: Point = i === points.length - 2 ? next : [(here[0] + next[0]) / 2, (here[1] + next[1]) / 2];
      parts.push(`Q${point(here)} ${point(end)}`);
    }
  } else {
    parts.push(`L${point(last)}`);
  }
  return parts.join("");
}

export class Paths {
  private readonly points: Point[][];

  constructor(private readonly asset: MapAsset) {
    this.points = asset.arcs.map((arc) => arcPoints(arc, asset.scale));
  }

  private walked(reference: number): Point[] {
    const points = this.points[reference < 0 ? ~reference : reference] ?? [];
    return reference < 0 ? [...points].reverse() : points;
  }

  /** The closed outline of an area, holes included (fill-rule evenodd). */
  area(rings: readonly (readonly number[][])[]): string {
    return rings
      .flatMap((polygon) =>
        polygon.map((ring) => ring.map((arc, i) => curve(this.walked(arc), i ? "" : "M")).join("") + "Z"),
      )
      .join("");
  }

  /** From where to where an area reaches in the west and east. */
  extent(rings: readonly (readonly number[][])[]): { from: number; to: number } {
    const xs = rings.flat(2).flatMap((arc) => this.walked(arc).map(([x]) => x));
    return { from: Math.min(...xs), to: Math.max(...xs) };
  }

  lines(arcs: readonly number[]): string[] {
    return arcs.map((arc) => curve(this.walked(arc), "M"));
  }

  rivers(): string[] {
    return this.asset.rivers.map((river) => curve(arcPoints(river, this.asset.scale), "M"));
  }
}

/** Lines along the edge of a round map where two different zones meet over it; drawn on its eastern edge. */
export function edgeBorders(asset: MapAsset): string[] {
  const right = Math.round(asset.width / asset.scale);
  const sides = new Map<number, [top: number, bottom: number, space: string][]>([[0, []], [right, []]]);
  for (const [id, space] of Object.entries(asset.spaces)) {
    for (const arc of new Set(space.rings.flat(2).map((reference) => (reference < 0 ? ~reference : reference)))) {
      const points = arcPoints(asset.arcs[arc] ?? [], 1);
      points.slice(1).forEach(([x, y], i) => {
        const [before, top] = points[i]!;
        if (x === before && y !== top) sides.get(x)?.push([Math.min(top, y), Math.max(top, y), id]);
      });
    }
  }
  const found: string[] = [];
  for (const [top, bottom, east] of sides.get(right)!) {
    for (const [upper, lower, west] of sides.get(0)!) {
      const [first, last] = [Math.max(top, upper), Math.min(bottom, lower)];
      const sea = asset.spaces[east]?.kind === "sea" && asset.spaces[west]?.kind === "sea";
      if (first < last && east !== west && sea) found.push(`M${number(asset.width)} ${number(first * asset.scale)}V${number(last * asset.scale)}`);
    }
  }
  return found;
}

export interface Drawn {
  width: number;
  height: number;
  /** Its western edge is its eastern one: the world is round. */
  wraps: boolean;
  areas: { id: string; kind: "land" | "sea"; d: string; space: MapSpace; from: number; to: number }[];
  scenery: { kind: string; d: string }[];
  /** Lines are kept apart: a browser that paints in tiles then strokes only those that touch the tile. */
  coast: string[];
  landBorders: string[];
  seaBorders: string[];
  iceBorders: string[];
  rivers: string[];
  canals: { name: string; x: number; y: number }[];
}

export function drawn(asset: MapAsset): Drawn {
  const paths = new Paths(asset);
  return {
    width: asset.width,
    height: asset.height,
    wraps: asset.wraps ?? false,
    areas: Object.entries(asset.spaces).map(([id, space]) => ({ id, kind: space.kind, d: paths.area(space.rings), space, ...paths.extent(space.rings) })),
    scenery: asset.scenery.map(({ kind, rings }) => ({ kind, d: paths.area(rings) })),
    coast: paths.lines(asset.coast),
    landBorders: paths.lines(asset.borders_land),
    seaBorders: [...paths.lines(asset.borders_sea), ...(asset.wraps ? edgeBorders(asset) : [])],
    iceBorders: paths.lines(asset.borders_ice ?? []),
    rivers: paths.rivers(),
    canals: asset.links
      .filter((link) => link.kind === "canal")
      .flatMap((link) => (link.at ?? []).map(([x, y]) => ({ name: link.name ?? "", x, y }))),
  };
}

/** A place in a world that is `around` units round, in the copy of the world that brings it closest to another. */
export function nearest(x: number, to: number, around: number): number {
  return x + Math.round((to - x) / around) * around;
}

/** Points one after the other, each on the shorter way round the world from the one before. */
export function unrolled<T extends Place>(points: readonly T[], around: number | null): T[] {
  const found: T[] = [];
  for (const point of points) {
    const last = found.at(-1);
    found.push(last && around ? { ...point, x: nearest(point.x, last.x, around) } : point);
  }
  return found;
}

/** Which copies of the world are seen in a window from x0 to x1 in map units: 0 is the world itself, 1 the one east of it. */
export function copies(x0: number, x1: number, around: number | null): number[] {
  if (!around) return [0];
  const found: number[] = [];
  for (let n = Math.floor(x0 / around); n * around < x1; n++) found.push(n);
  return found.includes(0) ? found : [0, ...found];
}

const BESIDE = 150; // names and pieces reach so far beyond their land

/** What of a copy of the world is seen in a window from x0 to x1: the world itself is always whole, for keys and reading aloud. */
export function part(map: Drawn, n: number, x0: number, x1: number): Drawn["areas"] {
  if (!n) return map.areas;
  return map.areas.filter(({ from, to }) => to + n * map.width > x0 - BESIDE && from + n * map.width < x1 + BESIDE);
}

/** The next space in a direction, for the arrow keys: near, and rather ahead than aside. */
export function nextInDirection(
  anchors: ReadonlyMap<string, Place>,
  from: string,
  dx: number,
  dy: number,
  around: number | null = null,
): string | null {
  const here = anchors.get(from);
  if (!here) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const [id, there] of anchors) {
    const x = around ? nearest(there.x, here.x, around) - here.x : there.x - here.x;
    const y = there.y - here.y;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (id === from || ahead <= 0 || aside > ahead * 1.6) continue;
    const far = ahead + aside * 1.8;
    if (far < least) [least, best] = [far, id];
  }
  return best;
}

/** What panels cover at the edges of the window, in pixels. */
export interface Covered {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

/**
 * Where the map may lie: its edges can be drawn into the part of the window that no panel covers, but no farther, so that it
 * fills the window wherever it is large enough; a smaller one lies in the middle. A round world has no edge in the east and west.
 */
export function held(
  at: { x: number; y: number; k: number },
  map: { width: number; height: number; wraps?: boolean },
  frame: { width: number; height: number },
  covered: Covered,
): Place {
  const along = (wish: number, size: number, room: number, before: number, behind: number): number =>
    size <= room - before - behind ? before + (room - before - behind - size) / 2 : Math.min(before, Math.max(wish, room - behind - size));
  return {
    x: map.wraps ? at.x : along(at.x, map.width * at.k, frame.width, covered.left, covered.right),
    y: along(at.y, map.height * at.k, frame.height, covered.top, covered.bottom),
  };
}
