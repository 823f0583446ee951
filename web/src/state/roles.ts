/** Roles in which units go somewhere, in words: `raid air-base` is "Raid the air base". */
import { unitName, type Index } from "./table";

const WORDS: Record<string, [title: string, which: string]> = {
  raid: ["Bombing raid", "that raid"],
  escort: ["Escort the bombers", "that escort"],
  sweep: ["Sweep the sky", "that sweep the sky"],
  kamikaze: ["Dive into the ships", "that dive"],
  paradrop: ["Drop from the planes", "that drop"],
  airlift: ["Fly there in the planes", "that fly"],
  surprise: ["Strike by surprise", "that strike by surprise"],
  atomic: ["Drop the atomic bomb", "that carry the bomb"],
  rail: ["Send by rail", "that go by rail"],
  redeploy: ["Redeploy in secret", "that go in secret"],
};
/** What few know by its name. */
const ABOUT: Record<string, string> = {
  escort: "They meet the planes that rise against the bombers.",
  sweep: "They meet the planes that rise, then shoot at those on the ground. No ground units are fought.",
  surprise: "Whoever is hit in the first round does not fire back.",
};
const PLAIN: [title: string, which: string] = ["Attack the units", "that attack"];

/** What a role is called on a button, and the units that have it. */
export function roleWords(index: Index, role: string | null, quiet = false): { title: string; which: string } {
  if (role === null) return quiet ? { title: "Move as usual", which: "that move as usual" } : { title: PLAIN[0], which: PLAIN[1] };
  const [word = "", facility] = role.split(" ");
  if (facility) {
    const what = unitName(index, facility);
    return { title: `Raid the ${what}`, which: `that raid the ${what}` };
  }
  const known = WORDS[word];
  return known ? { title: known[0], which: known[1] } : { title: word.charAt(0).toUpperCase() + word.slice(1), which: word };
}

/** What a role means, where its name does not say it. */
export const aboutRole = (role: string | null): string => ABOUT[role?.split(" ")[0] ?? ""] ?? "";

/** The picture of a role: what is bombed, or who goes. */
export function roleIcon(role: string | null, unit: string): string {
  if (role === null) return "infantry";
  const [word, facility] = role.split(" ");
  return word === "raid" || word === "atomic" ? (facility ?? "industrial-complex") : unit;
}
