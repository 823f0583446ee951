/**
 * How fast the turns of others are shown. The server is done with a computer's turn long before anybody could follow
 * it, so its changes wait in a queue here and are shown one after the other; the more are waiting, the faster.
 */
import type { Change } from "../api/types";

const LASTS: Record<string, number> = {
  turn: 700, bought: 900, moved: 520, boarded: 420, landed: 520, landing: 300, placed: 380, battle: 500, "battle-ended": 900,
  captured: 700, technology: 1200, rocket: 1200, neutral: 600, withdrew: 600, submerged: 600, surrendered: 2000,
};
const MANY = 12;

/** Milliseconds for which a change stays before the next one comes. */
export function pause(change: Change, waiting: number): number {
  if (change.by === "human") return 0;
  const longest = Math.max(60, ...change.events.map((event) => LASTS[event.kind] ?? 0));
  return Math.round(longest * Math.min(1, MANY / Math.max(1, waiting)));
}

/** Changes in the order of their numbers, each shown for its time. */
export class Playback {
  private queue: Change[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private last: number;
  private hurried = false;
  private held = false;

  constructor(
    version: number,
    private readonly show: (change: Change) => void,
    private readonly gap: () => void,
    private readonly lasts: (change: Change, waiting: number) => number,
    private readonly count: (waiting: number) => void,
  ) {
    this.last = version;
  }

  /** The number of the newest change that came, shown or not. */
  get newest(): number {
    return this.last;
  }

  take(change: Change): void {
    if (change.number <= this.last) return;
    if (change.number !== this.last + 1) {
      this.gap();
      return;
    }
    this.last = change.number;
    this.queue.push(change);
    if (this.timer === undefined) this.next();
  }

  /** Show nothing more until `resume`. */
  hold(): void {
    this.held = true;
  }

  resume(): void {
    this.held = false;
    if (this.timer === undefined) this.next();
  }

  /** Show everything that waits at once. */
  hurry(): void {
    this.hurried = true;
    clearTimeout(this.timer);
    this.next();
  }

  /** Begin again from a state that was read as a whole. */
  restart(version: number): void {
    this.stop();
    this.held = false;
    this.last = version;
    this.count(0);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.queue = [];
  }

  private next(): void {
    this.timer = undefined;
    while (!this.held) {
      const change = this.queue.shift();
      if (!change) break;
      this.show(change);
      if (this.held) break; // it is being shown step by step
      const wait = this.hurried ? 0 : this.lasts(change, this.queue.length);
      if (wait > 0) {
        this.timer = setTimeout(() => this.next(), wait);
        this.count(this.queue.length + 1);
        return;
      }
    }
    if (!this.held) this.hurried = false;
    this.count(this.queue.length + (this.held ? 1 : 0));
  }
}
