import { describe, expect, it } from "vitest";
import type { Unit } from "../src/api/types";
import { bars, BLANK, eligible, fromQuery, percent, question, swapped, toQuery, type Sheet } from "../src/state/calculator";
import { parseRoute } from "../src/state/route.svelte";
import { paragraphs } from "../src/training/text";

const unit = (id: string, domain: string, more: Partial<Unit> = {}): Unit =>
  ({ id, name: id, plural: id, domain, cost: 3, attack: 1, defense: 2, move: 1, hits: 1, attack_dice: 1, raid_dice: 0, anti_air: 0, support: 0, ...more }) as Unit;

const units = [
  unit("infantry", "land"),
  unit("fighter", "air"),
  unit("bomber", "air", { raid_dice: 1 }),
  unit("aa-gun", "land", { anti_air: 1 }),
  unit("submarine", "sea"),
  unit("battleship", "sea", { support: 4 }),
  unit("industrial-complex", "facility"),
];
const ids = (list: readonly Unit[]): string[] => list.map((each) => each.id);

describe("the address of the calculator", () => {
  const full: Sheet = {
    scenario: "anniversary-1941", kind: "sea", attackers: { submarine: 3, fighter: 12 }, defenders: { "aa-gun": 1 },
    attackerTechs: ["jet-power", "rockets"], defenderTechs: ["heavy-bombers"], attackerOrder: "infantry, 2 armor", defenderOrder: "cheapest",
    keepLand: 2, retreatRounds: 3, retreatUnits: 4, retreatLand: 1, retreatPlanes: true, retreatOdds: 35, attackerBoats: "leave", defenderBoats: "leave",
  };

  it("holds the whole sheet", () => {
    expect(fromQuery(toQuery(full))).toEqual(full);
    expect(toQuery(BLANK)).toBe("");
    expect(fromQuery("")).toEqual(BLANK);
  });

  it("makes the best of nonsense", () => {
    const odd = fromQuery("attack=5000.infantry_x.armor_3.Über_0.fighter&keep=-3&below=nine&kind=space&attack-tech=<b>_rockets");
    expect(odd.attackers).toEqual({});
    expect(fromQuery("attack=500.infantry").attackers).toEqual({ infantry: 99 });
    expect([odd.keepLand, odd.retreatOdds, odd.kind, odd.attackerTechs]).toEqual([0, 0, "land", ["rockets"]]);
  });

  it("is an address of its own", () => {
    expect(parseRoute("/calculator?attack=3.infantry")).toEqual({ screen: "calculator", query: "attack=3.infantry" });
    expect(parseRoute("/training/strategy")).toEqual({ screen: "training", strategy: true });
  });
});

describe("the sheet", () => {
  it("offers whoever can be there", () => {
    expect(ids(eligible(units, "land", "attack"))).toEqual(["infantry", "fighter", "bomber", "battleship"]);
    expect(ids(eligible(units, "land", "defend"))).toEqual(["infantry", "fighter", "bomber", "aa-gun"]);
    expect(ids(eligible(units, "sea", "attack"))).toEqual(["fighter", "bomber", "submarine", "battleship"]);
    expect(ids(eligible(units, "raid", "attack"))).toEqual(["bomber"]);
    expect(ids(eligible(units, "raid", "defend"))).toEqual(["aa-gun"]);
  });

  it("asks only when there is something to ask", () => {
    expect(question(BLANK, units)).toBeNull();
    expect(question({ ...BLANK, attackers: { infantry: 1 } }, units)).toBeNull();
    expect(question({ ...BLANK, attackers: { infantry: 1 }, defenders: { submarine: 1 } }, units)).toBeNull();
    const asked = question({ ...BLANK, attackers: { infantry: 3, submarine: 1 }, defenders: { infantry: 2 }, retreatOdds: 40 }, units);
    expect(asked).toMatchObject({ attackers: { infantry: 3 }, defenders: { infantry: 2 }, retreat: { odds: 0.4, rounds: null } });
    expect(question({ ...BLANK, kind: "raid", attackers: { bomber: 1 } }, units)).not.toBeNull();
  });

  it("swaps the sides as far as they can be", () => {
    const before: Sheet = { ...BLANK, attackers: { infantry: 3 }, defenders: { infantry: 2, "aa-gun": 1 }, attackerTechs: ["rockets"] };
    expect(swapped(before, units)).toMatchObject({ attackers: { infantry: 2 }, defenders: { infantry: 3 }, attackerTechs: [], defenderTechs: ["rockets"] });
  });

  it("never calls the uncertain certain", () => {
    expect([percent(0.8634), percent(1), percent(0), percent(0.99999), percent(0.00001)]).toEqual(["86.3 %", "100.0 %", "0.0 %", "> 99.9 %", "< 0.1 %"]);
  });

  it("draws defenders to the left and attackers to the right", () => {
    const shown = bars([0.4, 0.1, 0.5], [0.6, 0.4, 0], 0.6, 0.4);
    expect(shown.map((bar) => [bar.side, bar.left, bar.chance])).toEqual([["defend", 1, 0.4], ["attack", 1, 0.1], ["attack", 2, 0.5]]);
  });
});

describe("texts of lessons", () => {
  it("have paragraphs and stressed words", () => {
    expect(paragraphs("One *two*\nthree.\n\nFour.\n")).toEqual([
      [{ text: "One ", stress: false }, { text: "two", stress: true }, { text: " three.", stress: false }],
      [{ text: "Four.", stress: false }],
    ]);
  });
});
