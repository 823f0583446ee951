/** The time machine: an earlier moment of the game, shown in the place of the present. */
import { call } from "../api/client";
import type { MoveView, State, Timeline } from "../api/types";
import { stepTo, type Step } from "./timemachine";

/** What the machine needs of the game. */
interface Present {
  readonly id: string;
  readonly live: State | null;
  readonly shown: State | null;
  look(spaces: string[]): void;
  /** Where a power is at home. */
  home(power: string): string[];
  fail(error: unknown): void;
}

const MOST = 5; // spaces that are looked at together

/** Where something is different, if that is in few places: there one wants to look. */
export function changedPlaces(before: State | null, after: State): string[] {
  if (!before) return [];
  const found = Object.keys(after.spaces).filter((space) => JSON.stringify(before.spaces[space]) !== JSON.stringify(after.spaces[space]));
  return found.length <= MOST ? found : [];
}

export class TimeMachine {
  past = $state.raw<State | null>(null);
  /** What had been moved in the phase that is shown. */
  moves = $state.raw<MoveView[]>([]);
  timeline = $state.raw<Timeline | null>(null);

  constructor(private readonly game: Present) {}

  async open(): Promise<void> {
    try {
      this.timeline = await call("get", "/api/games/{game}/timeline", { path: { game: this.game.id } });
    } catch (error) {
      this.game.fail(error);
    }
  }

  async visit(at: number): Promise<void> {
    try {
      if (!this.timeline) await this.open();
      const before = this.game.shown;
      if (at >= (this.game.live?.at ?? 0)) {
        this.past = null;
        return;
      }
      const parts = { path: { game: this.game.id }, query: { at } };
      const [state, moves] = await Promise.all([
        call("get", "/api/games/{game}/state", parts),
        call("get", "/api/games/{game}/moves", parts),
      ]);
      this.past = state;
      this.moves = moves;
      const last = moves.findLast((move) => move.at === at);
      const fight = state.battle?.space ?? state.decision?.space;
      if (fight) this.game.look([fight]);
      else if (last) this.game.look([last.path[0]!, last.path.at(-1)!]);
      else {
        const places = changedPlaces(await this.besides(at, before), state);
        const turns = at === 0 || before?.turn !== state.turn;
        if (this.past === state) this.game.look(!places.length && turns ? this.game.home(state.turn) : places); // nobody has gone elsewhere meanwhile
      }
    } catch (error) {
      this.game.fail(error);
    }
  }

  /** The table one order away from a place in the game: after a leap half the world has changed, not what happened there. */
  private async besides(at: number, before: State | null): Promise<State | null> {
    if (!at || (before && Math.abs(before.at - at) === 1)) return before;
    return call("get", "/api/games/{game}/state", { path: { game: this.game.id }, query: { at: at - 1 } });
  }

  async travel(step: Step, direction: -1 | 1): Promise<void> {
    const to = this.timeline && stepTo(this.timeline, this.game.shown?.at ?? 0, step, direction);
    if (to !== null) await this.visit(to);
  }

  /** Play on from the point that is shown, in this game or in a copy; gives the id of the copy. */
  async playFromHere(into: "same" | "new"): Promise<string | null> {
    const at = this.past?.at;
    if (at === undefined) return null;
    try {
      const game = await call("post", "/api/games/{game}/copy", { path: { game: this.game.id }, query: { at, into } });
      this.leave();
      return into === "new" ? game.id : null;
    } catch (error) {
      this.game.fail(error);
      return null;
    }
  }

  leave(): void {
    this.past = null;
    this.timeline = null;
  }
}
