/**
 * A battle as it is lived through: the board at each step, one after the other, then the report.
 *
 * The server is done with a volley, its victims and the reply in one answer. What happened waits here and is shown step
 * by step at the speed that the player likes; only then does the table change and the next question is asked.
 */
import type { BattleFrame, BattleReport } from "../api/types";
import type { Preferences } from "./preferences.svelte";

export type Speed = Preferences["battles"];

const A_DIE = 70;
const A_COLUMN = 480; // milliseconds between the dice of one column and the next
export const TUMBLE = 550;
const LASTS: Record<Exclude<Speed, "once">, Record<BattleFrame["kind"], number>> = {
  slow: { opened: 1500, volley: 1700, hit: 1700, lost: 1500, left: 1500, joined: 1500, damage: 1500, ended: 1500 },
  brisk: { opened: 650, volley: 600, hit: 850, lost: 750, left: 750, joined: 750, damage: 750, ended: 600 },
};

/** When the dice of each column fall, in milliseconds after the step began. */
export function columnDelay(column: number, speed: Speed): number {
  return column * (speed === "slow" ? 1.6 * A_COLUMN : A_COLUMN);
}

/** Milliseconds for which a step stays. */
export function lasts(frame: BattleFrame, speed: Speed): number {
  if (speed === "once") return 0;
  const dice = Math.max(0, ...frame.rolls.map((roll) => roll.faces.length));
  const rolling = frame.rolls.length ? columnDelay(frame.rolls.length - 1, speed) + TUMBLE + Math.min(dice, 12) * A_DIE : 0;
  return rolling + LASTS[speed][frame.kind];
}

export type Act = { frame: BattleFrame } | { report: BattleReport };

export class Show {
  /** The step that is shown now. */
  frame = $state.raw<BattleFrame | null>(null);
  /** Battles that are over and wait to be read about; the first one is shown. */
  reports = $state.raw<BattleReport[]>([]);
  paused = $state(false);
  /** Steps are being shown: the table still is as it was before them. */
  readonly playing = $derived(this.frame !== null);
  readonly report = $derived(this.playing ? null : (this.reports[0] ?? null));

  private acts: Act[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private finished: (() => void) | null = null;

  constructor(
    private readonly speed: () => Speed,
    private readonly seen: (frame: BattleFrame) => void,
  ) {}

  /** Show steps and reports in their order; `finished` is called when no step is left, and the table may change. */
  play(acts: Act[], finished: () => void): void {
    this.acts = acts;
    this.finished = finished;
    this.next();
  }

  /** The next step at once. */
  step(): void {
    this.next();
  }

  pause(): void {
    this.paused = !this.paused;
    clearTimeout(this.timer);
    if (!this.paused) this.next();
  }

  /** Everything at once, up to the next report or question. */
  skip(): void {
    this.paused = false;
    this.acts = this.acts.filter((act, i) => "report" in act || this.acts.slice(0, i).some((earlier) => "report" in earlier));
    this.next();
  }

  /** Everything at once, reports included. */
  hurry(): void {
    this.paused = false;
    this.acts = this.acts.filter((act) => "report" in act);
    this.next();
  }

  /** The report was read. */
  read(): void {
    this.reports = this.reports.slice(1);
    if (!this.reports.length && this.acts.length) this.next();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.acts = [];
    this.finished = null;
    this.frame = null;
    this.reports = [];
  }

  private next(): void {
    clearTimeout(this.timer);
    const framesLeft = this.acts.some((act) => "frame" in act);
    const act = framesLeft ? this.acts.shift() : undefined;
    if (act && "frame" in act) {
      this.frame = act.frame;
      this.seen(act.frame);
      if (!this.paused) this.timer = setTimeout(() => this.next(), lasts(act.frame, this.speed()));
      return;
    }
    this.frame = null;
    if (act) {
      this.reports = [...this.reports, act.report]; // the next battle waits until this one was read about
      return;
    }
    // No step is left: what was reported after the last of them is read with the table as it is now.
    this.reports = [...this.reports, ...this.acts.flatMap((each) => ("report" in each ? [each.report] : []))];
    this.acts = [];
    const finished = this.finished;
    this.finished = null;
    finished?.();
  }
}
