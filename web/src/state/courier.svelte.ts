/** The way of orders to the server: one at a time, each with what the player has in hand, to be told about it with the answer. */
import { call } from "../api/client";
import { Problem } from "../api/problem";
import type { components } from "../api/schema";
import type { Change } from "../api/types";

/** In words, or as an object with the parts that its form asked for: the server checks what is in it. */
export type Order = string | Record<string, unknown>;
type OrderBody = components["schemas"]["OrderBody"]["order"];
type Asks = components["schemas"]["OrderBody"]["asks"];

/** What the way of orders needs of the game. */
export interface Giver {
  readonly id: string;
  readonly version: number | null;
  /** Something is being shown: the table is not yet as the server has it. */
  readonly showing: boolean;
  asks(): Asks;
  receive(change: Change): void;
  blame(problem: Problem | null): void;
  fail(error: unknown): void;
}

export class Courier {
  busy = $state(false);
  /** Changes that came over the wire while an order was under way: its answer, which says more, is waited for. */
  private early: Change[] = [];

  constructor(private readonly giver: Giver) {}

  /** A change from the wire. */
  hear(change: Change): void {
    if (this.busy) this.early.push(change);
    else this.giver.receive(change);
  }

  /** Give an order; true if it was carried out. */
  give(order: Order): Promise<boolean> {
    const { giver } = this;
    const body = { order: order as OrderBody, version: giver.version, asks: giver.asks() };
    return this.change(() => call("post", "/api/games/{game}/orders", { path: { game: giver.id }, body }));
  }

  /** Take back the last order, or the one at an earlier place; later ones stay if they can. */
  undo(at?: number): Promise<boolean> {
    const { giver } = this;
    const body = { ...(at === undefined ? {} : { at }), asks: giver.asks() };
    return this.change(() => call("post", "/api/games/{game}/undo", { path: { game: giver.id }, body }));
  }

  redo(): Promise<boolean> {
    const { giver } = this;
    return this.change(() => call("post", "/api/games/{game}/redo", { path: { game: giver.id }, body: { asks: giver.asks() } }));
  }

  sit(seat: string, player: string): Promise<boolean> {
    const path = { game: this.giver.id, seat };
    return this.change(() => call("post", "/api/games/{game}/seats/{seat}", { path, body: { player } }));
  }

  /** Carry an order out, or say why it would be refused, with the rule. */
  async explain(order: string): Promise<void> {
    const { giver } = this;
    try {
      const verdict = await call("get", "/api/games/{game}/legal/why", { path: { game: giver.id }, query: { order } });
      if (verdict.legal) await this.give(verdict.order);
      else giver.fail(new Problem("refused", verdict.message ?? "That is not possible.", verdict.rules, verdict.culprits));
    } catch (error) {
      giver.fail(error);
    }
  }

  private async change(send: () => Promise<Change>): Promise<boolean> {
    const { giver } = this;
    if (this.busy || giver.showing) return false;
    this.busy = true;
    giver.blame(null);
    try {
      giver.receive(await send());
      return true;
    } catch (error) {
      giver.fail(error);
      return false;
    } finally {
      this.busy = false;
      const early = this.early;
      this.early = [];
      for (const change of early) giver.receive(change);
    }
  }
}
