/**
 * The picture of the map under the hand. While the map is dragged or zoomed, the pictures that are painted already are moved and
 * stretched, which costs nothing: the ground, which a worker paints, and the sheet with names and pieces, which is painted by one
 * transform on one group when the map rests, or no longer fills the window. Where that is slow, it waits until the hand does.
 */
import { zoomIdentity, type ZoomTransform } from "d3-zoom";
import type { Frame } from "./camera";
import { copies } from "./geometry";
import type Land from "./Land.svelte";
import { levelAt, type Level } from "./stacks";

/** Of the window, painted beyond each edge, so that a dragged map need not be painted anew. */
export const OVER = 0.25;
const EFFORT = 24; // milliseconds: a sheet that takes longer is not painted under a moving hand
const [STRETCHED, SHRUNK] = [1.8, 0.55]; // a picture that is moved looks well up to here
const [HAND_RESTS, RESTS] = [160, 110]; // milliseconds without a move

export interface Layers {
  sheet: HTMLElement;
  /** Groups inside it that are as large as the map. */
  groups: SVGGElement[];
  land: ReturnType<typeof Land>;
}

/** What is painted. */
export interface Painted {
  readonly frame: Frame;
  /** How far round the world is, if it is round. */
  readonly around: number | null;
  /** The crowded parts of the board are drawn large. */
  readonly roomy: boolean;
}

export class Sheet {
  view = $state.raw({ x: 0, y: 0, k: 1 });
  level = $state<Level>("middle");
  /** Which copies of a round world are seen. */
  shown = $state.raw<readonly number[]>([0]);
  /** From where to where the sheet reaches, in map units; kept while there are copies. */
  span = $state.raw({ west: 0, east: 0 });
  wanted = zoomIdentity;
  inHand = false;

  private layers: Layers | null = null;
  private painted = zoomIdentity;
  private effort = 0;
  private settle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly what: () => Painted) {}

  use(layers: Layers): void {
    this.layers = layers;
  }

  /** The hand lets go. */
  release(): void {
    if (this.inHand && this.wanted !== this.painted) this.paint();
    this.inHand = false;
  }

  stop(): void {
    clearTimeout(this.settle);
  }

  show(transform: ZoomTransform): void {
    const { layers, painted } = this;
    if (!layers) return;
    const { frame } = this.what();
    this.wanted = transform;
    const scale = transform.k / painted.k;
    const whole = (value: number): number => (scale === 1 ? Math.round(value) : value); // pictures that lie on pixels are only copied
    const x = whole(transform.x - painted.x * scale);
    const y = whole(transform.y - painted.y * scale);
    const spare = { x: frame.width * OVER, y: frame.height * OVER };
    const left = x - spare.x * scale;
    const top = y - spare.y * scale;
    const right = left + (frame.width + 2 * spare.x) * scale;
    const bottom = top + (frame.height + 2 * spare.y) * scale;
    const short = scale > STRETCHED || scale < SHRUNK || left > 0 || top > 0 || right < frame.width || bottom < frame.height;
    if (short && this.effort < EFFORT) {
      this.paint();
      return;
    }
    layers.sheet.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    layers.land.place(painted.x * scale + x, painted.y * scale + y, transform.k);
    clearTimeout(this.settle);
    this.settle = setTimeout(() => this.paint(), this.inHand ? HAND_RESTS : RESTS);
  }

  paint(): void {
    clearTimeout(this.settle);
    const { layers } = this;
    if (!layers) return;
    const { frame, around, roomy } = this.what();
    const spare = { x: frame.width * OVER, y: frame.height * OVER };
    this.painted = this.wanted;
    const { k, y } = this.painted;
    // A round world is turned as far as one likes; what is painted is the copy of it that is in the middle of the window.
    const turns = around ? Math.floor((frame.width / 2 - this.painted.x) / k / around) : 0;
    const x = this.painted.x + turns * (around ?? 0) * k;
    for (const group of layers.groups) group.setAttribute("transform", `translate(${x + spare.x} ${y + spare.y}) scale(${k})`);
    layers.sheet.style.transform = "";
    layers.sheet.style.transformOrigin = `${spare.x}px ${spare.y}px`;
    this.level = levelAt(k, roomy);
    const [west, east] = [-(x + spare.x) / k, (frame.width + spare.x - x) / k];
    const seen = copies(west, east, around);
    if (seen.join() !== this.shown.join()) this.shown = seen;
    if (seen.length > 1) this.span = { west, east };
    this.view = { x, y, k };
    layers.land.place(this.painted.x, this.painted.y, k);
    layers.land.paint({
      x: this.painted.x + spare.x, y: y + spare.y, k,
      width: frame.width + 2 * spare.x, height: frame.height + 2 * spare.y, ratio: Math.min(2, globalThis.devicePixelRatio || 1),
    });
    const began = performance.now();
    requestAnimationFrame(() => requestAnimationFrame((now) => (this.effort = (this.effort + Math.max(0, now - began - 17)) / 2)));
  }
}
