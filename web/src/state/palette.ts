/** The map's palettes, which come from the Python package, as CSS variables. */
import palettes from "../generated/palettes.json";
import tiles from "../generated/patterns.json";

interface Tone {
  fill: string;
  shade: string;
  piece: string;
}

type Palettes = typeof palettes;

export function variables(name: keyof Palettes): Record<string, string> {
  const palette = palettes[name];
  const found: Record<string, string> = {};
  const tone = (key: string, value: Tone): void => {
    found[`--fill-${key}`] = value.fill;
    found[`--shade-${key}`] = value.shade;
    found[`--piece-${key}`] = value.piece;
  };
  for (const [key, value] of Object.entries(palette)) {
    if (typeof value === "string" && value.startsWith("#")) found[`--${key.replaceAll("_", "-")}`] = value;
  }
  tone("neutral", palette.neutral);
  tone("impassable", palette.impassable);
  for (const [power, value] of Object.entries(palette.powers)) tone(power, value);
  return found;
}

/** Tones for powers that a palette does not know: they borrow those that nobody else in the game has. */
export function borrowed(name: keyof Palettes, powers: readonly string[]): Record<string, string> {
  const known: Record<string, Tone> = palettes[name].powers;
  const spare = Object.keys(known).filter((power) => !powers.includes(power));
  const found: Record<string, string> = {};
  for (const power of powers.filter((each) => !(each in known))) {
    const lender = spare.shift();
    const tone = lender === undefined ? palettes[name].neutral : known[lender]!;
    found[`--fill-${power}`] = tone.fill;
    found[`--shade-${power}`] = tone.shade;
    found[`--piece-${power}`] = tone.piece;
  }
  return found;
}

export function showPowers(name: keyof Palettes, powers: readonly string[], root: HTMLElement = document.documentElement): void {
  for (const [key, value] of Object.entries(borrowed(name, powers))) root.style.setProperty(key, value);
}

export function showPalette(name: keyof Palettes, root: HTMLElement = document.documentElement): void {
  for (const [key, value] of Object.entries(variables(name))) root.style.setProperty(key, value);
  root.dataset.palette = name;
  root.dataset.patterns = String(palettes[name].patterns);
}

/** The patterns that land carries in a palette, by power; none where colour alone tells them apart. */
export function landPatterns(name: keyof Palettes): Readonly<Record<string, string>> {
  return palettes[name].patterns ? tiles : {};
}
