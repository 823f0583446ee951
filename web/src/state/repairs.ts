/** Repairs in a purchase: what they cost, and the room that they make. The numbers are the server's. */
import type { Purchase } from "../api/types";
import type { Counts } from "./counts";

type Repair = Purchase["repairs"][number];

const chosen = (each: Repair, repairs: Counts) => each.steps.find((step) => step.points === repairs[each.words]);

export function repairBill(offered: readonly Repair[], repairs: Counts): number {
  return offered.reduce((sum, each) => sum + (chosen(each, repairs)?.cost ?? 0), 0);
}

/** Units that can still be put into the cart; null: as many as one can pay for. */
export function roomLeft(offer: Purchase, repairs: Counts, cart: Counts): number | null {
  if (offer.room == null) return null;
  const made = offer.repairs.reduce((sum, each) => sum + ((chosen(each, repairs)?.output ?? each.output ?? 0) - (each.output ?? 0)), 0);
  const taken = offer.prices.reduce((sum, price) => sum + (price.counts ? (cart[price.unit] ?? 0) : 0), 0);
  return offer.room + made - taken;
}
