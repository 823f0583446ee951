/** Which spaces are lit, and what is written on them: the server's answers in the words of the map. */
import type { Decision, Places } from "../api/types";
import type { Target } from "./selection";
import { powerName, spaceName, type Index } from "./table";

export interface Lit {
  kind: "move" | "battle" | "raid" | "place" | "retreat" | "landing" | "faint";
  text: string;
  words: string;
  route?: string[];
}

export function lightsFor(
  decision: Decision | null,
  targets: ReadonlyMap<string, Target>,
  places: Places | null,
  index: Index,
  pointed: string | null = null,
): Map<string, Lit> {
  const lit = new Map<string, Lit>();
  for (const [space, target] of targets) {
    const way = target.plain ?? target.raid;
    if (!way) continue;
    const words = [`in reach, ${way.cost} ${way.cost === 1 ? "space" : "spaces"} away, ${way.left} left`];
    if (way.battle) words.push(target.plain ? "battle" : target.role);
    if (way.captures) words.push("is taken without a fight");
    if (way.fee) words.push(`costs ${way.fee} IPC`);
    if (way.landings.length) words.push(`${way.landings.length} ${way.landings.length === 1 ? "place" : "places"} to land after it`);
    if (way.transports.length > 1) words.push(`a choice of ${way.transports.length} transports`);
    if (way.under_fire) words.push("antiaircraft fire on the way");
    const kind = !target.plain ? "raid" : way.battle ? "battle" : "move";
    lit.set(space, { kind, text: way.fee ? `${way.cost}$` : String(way.cost), words: words.join(", "), route: way.route });
  }
  // Where a plane could land after going where the pointer is.
  const ahead = pointed ? (targets.get(pointed)?.plain ?? targets.get(pointed)?.raid) : null;
  if (ahead?.landings.length) {
    for (const [space, light] of lit) if (space !== pointed) lit.set(space, { ...light, kind: "faint", text: "" });
    for (const space of ahead.landings) {
      if (space !== pointed) lit.set(space, { kind: "landing", text: "⌂", words: `can land here after ${spaceName(index, pointed)}` });
    }
  }
  if (decision?.kind === "mobilize") {
    for (const place of places?.places ?? []) {
      lit.set(place.space, { kind: "place", text: String(place.most), words: `room for ${place.most}` });
    }
  }
  if (decision?.kind === "retreat") {
    for (const place of decision.places) {
      lit.set(place, { kind: "retreat", text: "↩", words: `${powerName(index, decision.power)} may retreat here` });
    }
  }
  if (decision?.kind === "submarines") {
    for (const place of decision.places) lit.set(place, { kind: "retreat", text: "↩", words: "submarines may withdraw here" });
  }
  if (decision?.kind === "stranded") {
    for (const place of decision.places) lit.set(place, { kind: "move", text: "✈", words: "fighters of the sunken carrier may land here" });
  }
  if (decision?.kind === "rocket") {
    for (const { gun, target } of decision.launches) {
      lit.set(target, { kind: "raid", text: "✹", words: `in range of the rockets in ${spaceName(index, gun)}`, route: [gun, target] });
    }
  }
  return lit;
}
