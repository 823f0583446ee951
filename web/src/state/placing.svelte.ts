/** New units on their way to the board: which kind is in hand, and where it may go. */
import type { Places, Turn } from "../api/types";
import { place as placeOrder } from "./orders";
import type { Session } from "./session.svelte";

export class Placing {
  unit = $state<string | null>(null);
  /** Whose new unit it is: of the one whose turn it is, or of a power that it plays. */
  of = $state<string | null>(null);
  places = $state.raw<Places | null>(null);
  /** Show only what was placed this turn. */
  only = $state(false);
  placements = $state.raw<Turn["placements"]>([]);

  constructor(private readonly session: Session) {}

  /** New units to place: one's own, and those of powers that one plays. */
  readonly waiting = $derived.by(() => {
    const { live, index } = this.session;
    return Object.entries(live?.pools ?? {}).flatMap(([power, units]) =>
      power === live?.turn || index?.powers.get(power)?.played_by === live?.turn
        ? Object.entries(units).map(([unit, count]) => ({ power, unit, count }))
        : [],
    );
  });

  /** What was placed this turn: space → unit → number. */
  readonly placed = $derived.by(() => {
    const found = new Map<string, Map<string, number>>();
    for (const { space, units } of this.placements) {
      const there = found.get(space) ?? new Map<string, number>();
      for (const { unit, count } of units) there.set(unit, (there.get(unit) ?? 0) + count);
      found.set(space, there);
    }
    return found;
  });

  /** The last order that placed units in a space. */
  placedAt(space: string): number | null {
    return this.placements.findLast((each) => each.space === space)?.at ?? null;
  }

  take(turn: Turn): void {
    this.placements = turn.placements;
    this.places = turn.places ?? null;
    this.unit = this.places?.unit ?? null;
    this.of = this.places?.power ?? null;
  }

  drop(): void {
    this.unit = null;
    this.of = null;
    this.places = null;
    this.only = false;
  }

  /** Have a unit in hand; where it may go is asked next. */
  hold(unit: string | null, power: string | null): void {
    this.unit = unit;
    this.of = power;
  }

  async choose(unit: string, power: string): Promise<void> {
    this.hold(unit, power);
    await this.session.ask();
    if (this.places?.places.length) this.session.look(this.places.places.map((each) => each.space));
  }

  async put(space: string, all: boolean): Promise<void> {
    const { unit, session } = this;
    if (!unit) return;
    const most = this.places?.places.find((each) => each.space === space)?.most;
    const owner = this.of !== session.live?.turn ? this.of : null;
    const order = placeOrder([{ unit: owner ? `${owner} ${unit}` : unit, count: all ? (most ?? 1) : 1 }], space);
    if (most === undefined) await session.courier.explain(order);
    else await session.order(order);
  }
}
