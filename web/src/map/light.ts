import type { IconName } from "../ui/Icon.svelte";

/** What is lit on the map, and what a click there would mean. */
export interface Light {
  kind: "move" | "battle" | "raid" | "place" | "retreat" | "landing" | "faint";
  /** Written on the space: cost or capacity. */
  text: string;
  /** Drawn there instead. */
  icon?: IconName;
  /** Said by a screen reader. */
  words: string;
  route?: string[];
}
