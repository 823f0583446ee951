/** Numbers that are stepped up and down against a limit: purchases against money, casualties against hits. */

export type Counts = Readonly<Record<string, number>>;

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

export function cost(counts: Counts, prices: Readonly<Record<string, number>>): number {
  return Object.entries(counts).reduce((sum, [key, count]) => sum + count * (prices[key] ?? 0), 0);
}

/** One more or less of something, never below zero nor above `most`. */
export function stepped(counts: Counts, key: string, by: number, most: number = Infinity): Counts {
  const count = Math.max(0, Math.min((counts[key] ?? 0) + by, most));
  const { [key]: _, ...rest } = counts;
  return count ? { ...rest, [key]: count } : rest;
}

/** How many more of one thing the money that is left pays for. */
export function affordable(money: number, counts: Counts, prices: Readonly<Record<string, number>>, key: string): number {
  const price = prices[key];
  if (price === undefined) return 0;
  return price === 0 ? 99 : Math.floor((money - cost(counts, prices)) / price);
}
