/**
 * Water, land and lines, painted on a canvas. It knows no page: a worker runs it, so that no frame waits for a map, and whoever has
 * no worker runs it where it is.
 */
import type { Drawn } from "./geometry";

/** As much of a map as is painted. */
export type Ground = Pick<Drawn, "width" | "height" | "wraps" | "scenery" | "coast" | "landBorders" | "seaBorders" | "iceBorders" | "rivers" | "canals"> & {
  lands: { id: string; d: string }[];
};

export function groundOf(map: Drawn): Ground {
  const { width, height, wraps, scenery, coast, landBorders, seaBorders, iceBorders, rivers, canals } = map;
  const lands = map.areas.filter((area) => area.kind === "land").map(({ id, d }) => ({ id, d }));
  return { width, height, wraps, scenery, coast, landBorders, seaBorders, iceBorders, rivers, canals, lands };
}

/** What it looks like now: colours by the names of their CSS variables, and whose land is whose. */
export interface Look {
  colours: Readonly<Record<string, string>>;
  /** Space → power; nothing for neutral and impassable land, which is hatched. */
  owners: Readonly<Record<string, string>>;
  /** Power → path of a tile of 8 units, in palettes that have patterns. */
  patterns: Readonly<Record<string, string>>;
  desk: string;
}

/** The part that is painted: the map's corner lies at x, y pixels of a picture of this size, at k pixels a unit. */
export interface Frame {
  x: number;
  y: number;
  k: number;
  width: number;
  height: number;
  /** Pixels of the screen for each of the page. */
  ratio: number;
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

interface Shape extends Box {
  path: Path2D;
}

/** The box of a path whose numbers are all absolute coordinates, as `Paths` writes them. */
export function boundsOf(d: string): Box {
  const box = { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity };
  // a vertical line has one number only, so it is written out
  const numbers = d.replace(/M([-\d.]+) ([-\d.]+)V([-\d.]+)/g, "M$1 $2L$1 $3").match(/-?[\d.]+/g) ?? [];
  for (let i = 0; i + 1 < numbers.length; i += 2) {
    const [x, y] = [Number(numbers[i]), Number(numbers[i + 1])];
    box.x0 = Math.min(box.x0, x);
    box.x1 = Math.max(box.x1, x);
    box.y0 = Math.min(box.y0, y);
    box.y1 = Math.max(box.y1, y);
  }
  return box;
}

const shape = (d: string): Shape => ({ path: new Path2D(d), ...boundsOf(d) });
const shapes = (all: readonly string[]): Shape[] => all.map(shape);

type Context = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

export class Painter {
  private readonly lands: (Shape & { id: string })[];
  private readonly scenery: (Shape & { kind: string })[];
  private readonly coast: Shape[];
  private readonly landBorders: Shape[];
  private readonly seaBorders: Shape[];
  private readonly iceBorders: Shape[];
  private readonly rivers: Shape[];
  private readonly canal = new Path2D("M-6 -3H6M-6 3H6M-6 -5V5M6 -5V5");

  constructor(private readonly ground: Ground) {
    this.lands = ground.lands.map(({ id, d }) => ({ id, ...shape(d) }));
    this.scenery = ground.scenery.map(({ kind, d }) => ({ kind, ...shape(d) }));
    this.coast = shapes(ground.coast);
    this.landBorders = shapes(ground.landBorders);
    this.seaBorders = shapes(ground.seaBorders);
    this.iceBorders = shapes(ground.iceBorders);
    this.rivers = shapes(ground.rivers);
  }

  paint(context: Context, look: Look, frame: Frame): void {
    const { x, y, k, width, height, ratio } = frame;
    const { ground } = this;
    const colour = (name: string): string => look.colours[`--${name}`] ?? "#888888";
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = look.desk;
    context.fillRect(0, 0, width * ratio, height * ratio);
    const [from, to] = ground.wraps ? [-x / k, (width - x) / k] : [0, ground.width];
    const base = (): void => context.setTransform(k * ratio, 0, 0, k * ratio, x * ratio, y * ratio);
    base();
    context.fillStyle = colour("ink");
    context.fillRect(from - 6, -6, to - from + 12, ground.height + 12);
    const sea = context.createLinearGradient(0, 0, 0, ground.height);
    for (const [at, name] of [[0, "sea-deep"], [0.3, "sea"], [0.62, "sea"], [1, "sea-deep"]] as const) sea.addColorStop(at, colour(name));
    context.fillStyle = sea;
    context.fillRect(from, 0, to - from, ground.height);
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, ground.height);
    context.clip(); // nothing reaches over the frame
    context.lineJoin = "round";
    const [first, last] = ground.wraps ? [Math.floor(from / ground.width), Math.ceil(to / ground.width) - 1] : [0, 0];
    const inks = inksOf(context, look, colour);
    for (const layer of ["glow", "land", "lines"] as const) {
      for (let n = first; n <= last; n++) {
        base();
        context.translate(n * ground.width, 0);
        const left = n * ground.width;
        const seen: Box = { x0: -x / k - left - 12, y0: -y / k - 12, x1: (width - x) / k - left + 12, y1: (height - y) / k + 12 };
        this[layer](context, look, colour, inks, seen, k);
      }
    }
    context.restore();
  }

  private glow(context: Context, _: Look, colour: (name: string) => string, __: Inks, seen: Box): void {
    stroke(context, this.coast, seen, colour("shallows"), 18, 0.32);
    stroke(context, this.coast, seen, colour("shallows"), 7, 0.55);
  }

  private land(context: Context, look: Look, colour: (name: string) => string, inks: Inks, seen: Box): void {
    const all = this.lands.filter((land) => meet(land, seen));
    for (const { id, path } of all) {
      const owner = look.owners[id];
      context.fillStyle = owner ? colour(`fill-${owner}`) : inks.hatch;
      context.fill(path, "evenodd");
    }
    context.globalAlpha = 0.35;
    context.lineWidth = 3;
    for (const { id, path } of all) {
      context.strokeStyle = colour(`shade-${look.owners[id] ?? "neutral"}`);
      context.stroke(path);
    }
    context.globalAlpha = 1;
    for (const { id, path } of all) {
      const pattern = inks.patterns.get(look.owners[id] ?? "");
      if (!pattern) continue;
      context.fillStyle = pattern;
      context.fill(path, "evenodd");
    }
  }

  private lines(context: Context, _: Look, colour: (name: string) => string, __: Inks, seen: Box, k: number): void {
    for (const { kind, path, ...box } of this.scenery) {
      if (!meet(box, seen)) continue;
      context.fillStyle = colour(kind === "land" ? "scenery" : kind);
      context.fill(path, "evenodd");
    }
    if (k >= 1) stroke(context, this.rivers, seen, colour("water-line"), 0.5, 0.4);
    stroke(context, this.seaBorders, seen, colour("sea-border-shadow"), 2, 0.14);
    stroke(context, this.seaBorders, seen, colour("sea-border"), 1, 0.8);
    stroke(context, this.iceBorders, seen, colour("ice-line"), 0.8, 1);
    stroke(context, this.landBorders, seen, colour("border-light"), 2.4, 0.25);
    stroke(context, this.landBorders, seen, colour("border"), 0.9, 0.8);
    stroke(context, this.coast, seen, colour("coast"), 1.1, 1);
    context.strokeStyle = colour("coast");
    context.lineWidth = 1.3;
    for (const { x, y } of this.ground.canals) {
      context.save();
      context.translate(x, y);
      context.stroke(this.canal);
      context.restore();
    }
  }
}

interface Inks {
  hatch: CanvasPattern | string;
  patterns: Map<string, CanvasPattern>;
}

function inksOf(context: Context, look: Look, colour: (name: string) => string): Inks {
  const hatch = tile(context, 5, 38, (on) => {
    on.fillStyle = colour("fill-neutral");
    on.fillRect(0, 0, 5, 5);
    on.globalAlpha = 0.55;
    on.strokeStyle = colour("hatch");
    on.lineWidth = 0.9;
    on.stroke(new Path2D("M0 0V5M5 0V5"));
  });
  const patterns = new Map<string, CanvasPattern>();
  for (const [power, d] of Object.entries(look.patterns)) {
    const made = tile(context, 8, 0, (on) => {
      on.globalAlpha = 0.5;
      on.strokeStyle = colour(`shade-${power}`);
      on.lineWidth = 0.9;
      on.stroke(new Path2D(d));
    });
    if (made) patterns.set(power, made);
  }
  return { hatch: hatch ?? colour("fill-neutral"), patterns };
}

/** A pattern of square tiles in map units. */
function tile(context: Context, size: number, angle: number, draw: (on: OffscreenCanvasRenderingContext2D) => void): CanvasPattern | null {
  const fine = 6;
  const canvas = new OffscreenCanvas(size * fine, size * fine);
  const on = canvas.getContext("2d");
  if (!on) return null;
  on.scale(fine, fine);
  draw(on);
  const pattern = context.createPattern(canvas, "repeat");
  pattern?.setTransform(new DOMMatrix().rotate(angle).scale(1 / fine));
  return pattern;
}

/** All lines as one: where they meet they are not darker. */
function stroke(context: Context, lines: readonly Shape[], seen: Box, colour: string, width: number, alpha: number): void {
  const all = new Path2D();
  let some = false;
  for (const line of lines) {
    if (!meet(line, seen)) continue;
    all.addPath(line.path);
    some = true;
  }
  if (!some) return;
  context.globalAlpha = alpha;
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke(all);
  context.globalAlpha = 1;
}

function meet(a: Box, b: Box): boolean {
  return a.x0 <= b.x1 && b.x0 <= a.x1 && a.y0 <= b.y1 && b.y0 <= a.y1;
}
