/** What a person prefers, kept in this browser. */

export interface Preferences {
  palette: "default" | "colour-blind" | "dark";
  textOnMap: boolean;
  roll: "standard" | "quick";
  /** How fast the steps of a battle are shown. */
  battles: "slow" | "brisk" | "once";
  quickComputer: boolean;
  newspaper: boolean;
  animation: "system" | "on" | "off";
  scrollRate: number;
  sound: number;
  music: number;
  textView: boolean;
}

export const DEFAULTS: Preferences = {
  palette: "default",
  textOnMap: true,
  roll: "standard",
  battles: "brisk",
  quickComputer: false,
  newspaper: true,
  animation: "system",
  scrollRate: 5,
  sound: 25,
  music: 8,
  textView: false,
};

const KEY = "sandtable.preferences";

/** Preferences from what was stored: unknown and unfitting values are dropped. */
export function parsePreferences(text: string | null): Preferences {
  let raw: unknown = null;
  try {
    raw = text === null ? null : JSON.parse(text);
  } catch {
    raw = null;
  }
  const found = { ...DEFAULTS } as Record<string, unknown>;
  if (raw && typeof raw === "object") {
    for (const [name, value] of Object.entries(raw)) {
      if (name in DEFAULTS && typeof value === typeof found[name]) found[name] = value;
    }
  }
  if (!["default", "colour-blind", "dark"].includes(String(found.palette))) found.palette = DEFAULTS.palette;
  if (!["system", "on", "off"].includes(String(found.animation))) found.animation = DEFAULTS.animation;
  if (!["standard", "quick"].includes(String(found.roll))) found.roll = DEFAULTS.roll;
  if (!["slow", "brisk", "once"].includes(String(found.battles))) found.battles = DEFAULTS.battles;
  return found as unknown as Preferences;
}

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export const preferences: Preferences = $state(parsePreferences(stored()));

export function keepPreferences(): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(preferences));
  } catch {
    // a browser that stores nothing still plays
  }
}

/** Whether things may move on the screen. */
export function moves(): boolean {
  if (preferences.animation !== "system") return preferences.animation === "on";
  return !globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches;
}
