/** Maps and worlds, read once and kept. */
import { call } from "../api/client";
import type { World } from "../api/types";
import { drawn, type Drawn, type MapAsset } from "../map/geometry";

const maps = new Map<string, Promise<Drawn>>();

export function boardMap(board: string): Promise<Drawn> {
  let found = maps.get(board);
  if (!found) {
    found = call("get", "/api/maps/{board}", { path: { board } }).then((asset) => drawn(asset as MapAsset));
    found.catch(() => maps.delete(board));
    maps.set(board, found);
  }
  return found;
}

export function scenarioWorld(scenario: string, options: Record<string, unknown>): Promise<World> {
  const query = Object.fromEntries(Object.entries(options).map(([key, value]) => [key, String(value)]));
  return call("get", "/api/scenarios/{scenario}/world", { path: { scenario }, query });
}
