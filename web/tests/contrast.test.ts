/// <reference types="node" />
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import palettes from "../src/generated/palettes.json";

/** Contrast of two colours as the accessibility guidelines count it. */
function contrast(a: string, b: string): number {
  const light = (colour: string): number => {
    const [r, g, blue] = [1, 3, 5].map((at) => {
      const part = parseInt(colour.slice(at, at + 2), 16) / 255;
      return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * blue!;
  };
  const [bright, dark] = [light(a), light(b)].sort((x, y) => y - x);
  return (bright! + 0.05) / (dark! + 0.05);
}

const css = readFileSync("src/styles/app.css", "utf-8");

/** The variables of a palette: those of its own block over those of the root. */
function variables(name: string): Record<string, string> {
  const block = (start: string): string => css.slice(css.indexOf(start), css.indexOf("}", css.indexOf(start)));
  const read = (text: string) => Object.fromEntries([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((found) => [found[1]!, found[2]!]));
  return { ...read(block(":root {")), ...(name === "default" ? {} : read(block(`:root[data-palette="${name}"]`))) };
}

describe.each(["default", "dark", "colour-blind"] as const)("the palette %s", (name) => {
  const own = variables(name);
  const map = palettes[name];

  it("has text that can be read on its panels", () => {
    const text = { ink: map.ink, ...Object.fromEntries(["soft", "accent", "good", "warn", "bad"].map((key) => [key, own[key]!])) };
    for (const [key, colour] of Object.entries(text)) {
      for (const ground of ["panel", "panel-deep"]) expect(contrast(colour, own[ground]!), `${key} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(own["accent-text"]!, own.accent!)).toBeGreaterThanOrEqual(4.5);
    if (own.highlight) expect(contrast(map.ink, own.highlight)).toBeGreaterThanOrEqual(4.5);
  });

  it("has text that can be read on everybody's land and on the sea", () => {
    for (const [power, tone] of Object.entries({ ...map.powers, neutral: map.neutral })) {
      expect(contrast(map.land_text, tone.fill), `name on the land of ${power}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(map.ink, tone.fill), `text on the colour of ${power}`).toBeGreaterThanOrEqual(4.5);
      expect(contrast(map.badge_text, tone.shade), `value on the land of ${power}`).toBeGreaterThanOrEqual(4.5);
    }
    expect(contrast(map.sea_text, map.sea)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(map.chip_text, map.chip)).toBeGreaterThanOrEqual(4.5);
  });
});
