/** What the player is about to buy and to repair; kept here so that hiding the panel loses nothing. */
import type { Counts } from "./counts";
import { buy, repair } from "./orders";

export class Cart {
  units = $state.raw<Counts>({});
  /** Damage that is going to be repaired, by space. */
  repairs = $state.raw<Counts>({});

  clear(): void {
    this.units = {};
    this.repairs = {};
  }

  /** Carry it out: repairs first, since they make room. False if something was refused; the rest stays in the cart. */
  async pay(order: (text: string) => Promise<boolean>): Promise<boolean> {
    for (const [space, points] of Object.entries(this.repairs)) {
      if (!(await order(repair(space, points)))) return false;
      const { [space]: _, ...rest } = this.repairs;
      this.repairs = rest;
    }
    const units = Object.entries(this.units).map(([unit, count]) => ({ unit, count }));
    if (units.length && !(await order(buy(units)))) return false;
    this.units = {};
    return true;
  }
}
