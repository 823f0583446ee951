/**
 * What happened is shown before the table changes: changes wait in a queue, each for its time, and battles of people step by step with
 * their report after them.
 */
import type { BattleFrame, BattleReport, Change, State } from "../api/types";
import { actsOf, concernsPeople, people } from "./audience";
import { Playback, pause } from "./playback";
import { moves as animated, preferences } from "./preferences.svelte";
import { Show, type Act, type Speed } from "./show.svelte";
import type { Index } from "./table";

/** What is shown, and whom it is shown to. */
export interface Audience {
  readonly live: State | null;
  readonly index: Index | null;
  /** It is the change's turn, and the table becomes what it is after it. */
  take(change: Change, witnessed: boolean): void;
  /** A step of a battle comes up. */
  witness(frame: BattleFrame): void;
  /** A change is missing. */
  reload(): void;
}

export class Screening {
  /** Changes that wait to be shown. */
  waiting = $state(0);
  /** Battles are being fought out by themselves: nothing is shown, everything is read about afterwards. */
  fighting = $state(false);
  /** Battles that were fought out, until somebody has read about them. */
  fought = $state.raw<BattleReport[]>([]);
  readonly show: Show;

  private playback: Playback | null = null;
  private woken: (() => void)[] = [];
  /** The newspaper lies over the table: it is read first. */
  covered = $state(false);

  constructor(private readonly audience: Audience) {
    this.show = new Show(() => this.speed(), (frame) => audience.witness(frame));
  }

  start(version: number): void {
    this.playback = new Playback(
      version,
      (change) => this.present(change),
      () => this.audience.reload(),
      (change, waiting) => this.lasts(change, waiting),
      (waiting) => (this.waiting = waiting),
    );
  }

  /** Begin again from a state that was read as a whole. */
  restart(version: number): void {
    this.show.stop();
    this.covered = false;
    this.playback?.restart(version);
  }

  stop(): void {
    this.playback?.stop();
    this.show.stop();
  }

  /** A change joins the queue; gives the number of the newest one. */
  take(change: Change): number {
    this.playback?.take(change);
    return this.playback?.newest ?? change.number;
  }

  /** Show at once what waits to be shown. */
  hurry(): void {
    this.playback?.hurry();
    if (this.show.playing) this.show.hurry();
  }

  /** The player has read about a battle. */
  read(): void {
    this.show.read();
    if (!this.show.playing) this.goOn();
  }

  /** The newspaper is laid on the table: nothing more happens under it. */
  cover(): void {
    this.covered = true;
    this.playback?.hold();
  }

  /** It is taken away again. */
  uncover(): void {
    this.covered = false;
    if (!this.show.playing) this.goOn();
  }

  /** The next change is shown, unless there is something to read. */
  private goOn(): void {
    if (!this.covered && !this.show.reports.length) this.playback?.resume();
  }

  /** Whether the battle board is shown: a person has units in the battle, or is asked about it, as owners of submarines are that lie in wait. */
  onBoard(state: State): boolean {
    const { battle, decision } = state;
    const { index } = this.audience;
    return battle != null && index !== null && (decision?.player === "human" || concernsPeople(battle, state.spaces[battle.space]?.owner, people(state, index)));
  }

  /** Let battles fight themselves; a single one is read about like any other, several together. */
  async unseen(fight: () => Promise<void>): Promise<void> {
    this.fighting = true;
    this.fought = [];
    try {
      await fight();
    } finally {
      this.fighting = false;
      if (this.fought.length === 1) {
        this.show.reports = this.fought;
        this.fought = [];
      }
    }
  }

  /** Wait until something happens; false if nothing does. */
  nextChange(patience: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patience);
      this.woken.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  private lasts(change: Change, waiting: number): number {
    if (preferences.quickComputer || this.fighting || !animated() || document.hidden) return 0;
    return pause(change, waiting);
  }

  private speed(): Speed {
    return this.fighting || !animated() || document.hidden ? "once" : preferences.battles;
  }

  private acts(change: Change): Act[] {
    const { live, index } = this.audience;
    if (!live || !index) return [];
    const acts = actsOf(change, live, index, { steps: this.speed() !== "once", quick: preferences.quickComputer });
    if (!this.fighting) return acts;
    this.fought = [...this.fought, ...acts.flatMap((act) => ("report" in act ? [act.report] : []))];
    return [];
  }

  private present(change: Change): void {
    const acts = this.acts(change);
    if (!acts.length) {
      this.happen(change, false);
      return;
    }
    this.playback?.hold();
    this.show.play(acts, () => {
      this.happen(change, acts.some((act) => "frame" in act));
      this.goOn();
    });
  }

  private happen(change: Change, witnessed: boolean): void {
    this.audience.take(change, witnessed);
    const woken = this.woken;
    this.woken = [];
    for (const wake of woken) wake();
  }
}
