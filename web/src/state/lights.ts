/** Which spaces are lit, and what is written on them: the server's answers in the words of the map. */
import type { Light } from "../map/light";
import type { IconName } from "../ui/Icon.svelte";
import type { Choice, Decision, Places } from "../api/types";
import { way, type Target } from "./selection";
import { spaceName, type Index } from "./table";

export type Lights = Map<string, Light>;

/** Where the picked units can go; and where a plane could land after going where the pointer is. */
export function targetLights(targets: ReadonlyMap<string, Target>, index: Index, pointed: string | null = null): Lights {
  const lit: Lights = new Map();
  for (const [space, target] of targets) {
    const there = way(target);
    if (!there) continue;
    const words = [`in reach, ${there.cost} ${there.cost === 1 ? "space" : "spaces"} away${there.left ? `, can go ${there.left} farther` : ""}`];
    if (there.battle) words.push(target.plain ? "battle" : (target.roles[0]?.role ?? "battle"));
    if (there.captures) words.push("is taken without a fight");
    if (there.fee) words.push(`costs ${there.fee} IPC`);
    if (there.landings.length) words.push(`${there.landings.length} ${there.landings.length === 1 ? "place" : "places"} to land after it`);
    if (there.transports.length > 1) words.push(`a choice of ${there.transports.length} transports`);
    if (there.under_fire) words.push("antiaircraft fire on the way");
    const kind = !target.plain ? "raid" : there.battle ? "battle" : "move";
    lit.set(space, { kind, text: there.fee ? `${there.cost}$` : String(there.cost), words: words.join(", "), route: there.route });
  }
  const ahead = pointed ? way(targets.get(pointed)) : null;
  if (ahead?.landings.length) {
    for (const [space, light] of lit) if (space !== pointed) lit.set(space, { ...light, kind: "faint", text: "" });
    for (const space of ahead.landings) {
      if (space !== pointed) lit.set(space, { kind: "landing", text: "", icon: "home", words: `can land here after ${spaceName(index, pointed)}` });
    }
  }
  return lit;
}

export function placeLights(places: Places | null): Lights {
  return new Map((places?.places ?? []).map((place) => [place.space, { kind: "place", text: String(place.most), words: `room for ${place.most}` }]));
}

/** Spaces that an answer leads to, all in the same way. */
export function lit(spaces: Iterable<string>, kind: Light["kind"], icon: IconName, words: string): Lights {
  return new Map([...spaces].map((space) => [space, { kind, text: "", icon, words }]));
}

/** Spaces that the listed answers are about, each with the answers in words. */
export function choiceLights(choices: readonly Choice[]): Lights {
  const found: Lights = new Map();
  for (const { place, label } of choices) {
    if (!place) continue;
    const same = found.get(place);
    found.set(place, { kind: "move", text: "", words: same ? `${same.words}; ${label}` : label });
  }
  return found;
}

export function rocketLights(question: Pick<Decision, "launches">, index: Index): Lights {
  return new Map(
    question.launches.map(({ gun, target }) => [
      target, { kind: "raid", text: "", icon: "flash", words: `in range of the rockets in ${spaceName(index, gun)}`, route: [gun, target] },
    ]),
  );
}
