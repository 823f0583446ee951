import { describe, expect, it } from "vitest";
import type { AnswerOdds, Battle, BattleReport, Politics } from "../src/api/types";
import { levelAt } from "../src/map/stacks";
import { brief, isLarge, reportResult, reportTitle, shotName } from "../src/state/battlewords";
import { atStake, ranked, told, worth } from "../src/state/outlook";
import { awaited, declaredWhen, foes, groupedRights, leaningName, rightsOf, setsOff, shortened, stakes, stanceOf } from "../src/state/politics";
import { sorted } from "../src/state/projects";
import { roleIcon, roleWords } from "../src/state/roles";
import type { Index } from "../src/state/table";

const relations = [
  { one: "germany", other: "uk", stance: "enemy" as const, bound: false },
  { one: "germany", other: "italy", stance: "ally" as const, bound: false },
  { one: "ussr", other: "germany", stance: "peace" as const, bound: false },
];

describe("politics", () => {
  it("finds what two powers are to each other from either side", () => {
    expect(stanceOf(relations, "uk", "germany")).toBe("enemy");
    expect(stanceOf(relations, "germany", "italy")).toBe("ally");
    expect(stanceOf(relations, "germany", "germany")).toBe("self");
    expect(foes(relations, "uk")).toEqual(["germany"]);
    expect(foes(relations, "ussr")).toEqual([]);
  });

  it("puts rights that are open first", () => {
    const right = (by: string, on: string, open: boolean) => ({ by, on, open, phase: "combat-move", missing: [], wars: [], opens: [], ends_peace: [], stakes: [], rules: [] });
    const politics = { declarations: [right("usa", "germany", false), right("usa", "japan", true), right("japan", "usa", true)] } as unknown as Politics;
    expect(rightsOf(politics, "usa").map(({ on }) => on)).toEqual(["japan", "germany"]);
  });

  it("tells once what several wars wait for, and alone what may be declared", () => {
    const right = (on: string, open: boolean, ...missing: string[]) => ({ by: "usa", on, open, phase: "combat-move", missing, wars: [], opens: [], ends_peace: [], stakes: [], rules: [] });
    const all = [right("uk", true), right("anzac", true), right("germany", false, "round 4", "a raid"), right("china", false, "an act of war"), right("japan", false, "round 4", "a raid")];
    expect(groupedRights(all).map((group) => group.map(({ on }) => on))).toEqual([["uk"], ["anzac"], ["germany", "japan"], ["china"]]);
    expect(all.map(awaited)).toEqual(["at any time", "at any time", "round 4 or 1 other reason", "an act of war", "round 4 or 1 other reason"]);
    expect(awaited(right("italy", false, "round 4", "a raid", "a war"))).toBe("round 4 or one of 2 other reasons");
  });

  it("tells what a declaration means for objectives", () => {
    const bonus = (power: string, name: string, amount: number) => ({ power, name, amount });
    const right = { by: "japan", on: "usa", open: true, phase: "combat-move", missing: [], wars: [], opens: [], ends_peace: [], rules: [], stakes: [bonus("usa", "Homeland", 10), bonus("japan", "Trade", -10), bonus("usa", "Philippines", 5)] };
    expect(stakes(right, (power) => (power === "usa" ? "the United States" : "Japan"))).toEqual(["Japan would lose Trade (10 IPC).", "The United States would gain Homeland (10 IPC), Philippines (5 IPC)."]);
  });

  it("says when a war may be declared", () => {
    const right = (open: boolean) => ({ by: "japan", on: "usa", open, phase: "combat-move", missing: [], wars: [], opens: [], ends_peace: [], stakes: [], rules: [] });
    expect([declaredWhen(right(true), true, "Combat movement"), declaredWhen(right(true), false, "Combat movement"), declaredWhen(right(false), false, "")]).toEqual([
      "may be declared now", "may be declared when its phase “Combat movement” begins", "may not be declared yet",
    ]);
  });

  it("cuts long lists of places short, and says how many are left out", () => {
    const long = `capture of ${Array.from({ length: 12 }, (_, i) => `Territory ${i}`).join(", ")} or Greenland`;
    const short = shortened(long);
    expect(short.length).toBeLessThan(100);
    expect(short).toMatch(/or \d+ more$/);
    expect(shortened("round 4")).toBe("round 4");
  });

  it("names leanings", () => {
    const side = (id: string): string => `the ${id}`;
    expect(leaningName("strict", side)).toBe("strictly neutral");
    expect(leaningName("pro-axis", side)).toBe("leans to the axis");
    expect(leaningName("axis", side)).toBe("on the side of the axis");
    expect(setsOff("strict", side)).toContain("turns all other strict neutrals");
    expect(setsOff("pro-axis", side)).toContain("Attacked by others, it joins the axis.");
  });
});

describe("research tracks", () => {
  it("has the furthest project first and what is not begun apart", () => {
    const project = (technology: string, place: number, rolled = false) => ({ technology, place, open: true, rolled });
    const { running, others } = sorted([project("radar", 3), project("rockets", 0), project("jets", 9), project("sonar", 0, true)]);
    expect(running.map(({ technology }) => technology)).toEqual(["jets", "radar", "sonar"]);
    expect(others.map(({ technology }) => technology)).toEqual(["rockets"]);
  });
});

describe("answers that are played out", () => {
  const answer = (order: string, lost: number, killed: number, falls: Record<string, number> = {}): AnswerOdds => ({ order, runs: 9, lost, killed, damage: 0, falls });

  it("ranks by units, and land counts", () => {
    const all = [answer("stay", 10, 2), answer("scramble 1", 12, 9), answer("scramble 3", 12, 9, { scotland: 1 })];
    expect(ranked(all).map(({ order }) => order)).toEqual(["scramble 1", "stay", "scramble 3"]);
    expect(worth(all[2]!)).toBeLessThan(worth(all[1]!));
    expect(told(all[0]!)).toBe("you lose 10.0, they lose 2.0");
  });

  it("names land only where the answer makes a difference", () => {
    expect([...atStake([answer("stay", 1, 1, { iraq: 1, scotland: 0.9 }), answer("scramble 1", 1, 1, { iraq: 1 })])]).toEqual(["scotland"]);
  });
});

describe("roles", () => {
  const index = { units: new Map([["air-base", { name: "air base", plural: "air bases" }]]), world: { marks: [] } } as unknown as Index;

  it("has words for raids on single facilities and for rare roles", () => {
    expect(roleWords(index, "raid air-base").title).toBe("Raid the air base");
    expect(roleWords(index, "surprise").title).toBe("Strike by surprise");
    expect(roleWords(index, null).title).toBe("Attack the units");
    expect(roleWords(index, null, true).title).toBe("Move as usual");
    expect(roleIcon("raid air-base", "bomber")).toBe("air-base");
    expect(roleIcon("rail", "infantry")).toBe("infantry");
  });
});

describe("a board that is drawn large", () => {
  it("shows pieces where others have counters", () => {
    expect(levelAt(0.8)).toBe("far");
    expect(levelAt(0.8, true)).toBe("roomy");
    expect(levelAt(0.65, true)).toBe("far");
    expect(levelAt(1.3, true)).toBe("middle");
  });
});

describe("large forces", () => {
  const side = (...columns: number[]) => ({ columns: columns.map((n) => ({ value: 1, units: Array.from({ length: n }, () => ({})) })) });
  const battle = (attack: number[], defense: number[]): Battle => ({ attack: side(...attack), defense: side(...defense) }) as unknown as Battle;

  it("are those that would make the board tall", () => {
    expect([battle([2, 3], [3]), battle([1], [4]), battle([3, 3, 3], [1]), battle([], [])].map(isLarge)).toEqual([false, true, true, false]);
  });

  it("fire in few words", () => {
    const index = { units: new Map([["infantry", { name: "infantry", plural: "infantry" }]]) } as unknown as Index;
    const roll = (reason: string, needed: number) => ({ reason, needed, shooters: [{ power: "uk", unit: "infantry", dice: 2 }] }) as unknown as Battle["rolls"][number];
    expect([roll("attack", 2), roll("defense", 1), roll("aa", 1)].map((each) => brief(index, each))).toEqual(["At 2", "At 1", "Antiaircraft fire at 1 with infantry"]);
  });
});

describe("fights that are no attack on a space", () => {
  const index = { powers: new Map([["germany", { adjective: "German" }]]), spaces: new Map([["sz-111", { name: "Sea Zone 111" }]]) } as unknown as Index;
  const report = (kind: string, lost: BattleReport["lost"] = {}): BattleReport => ({ space: "sz-111", kind, attacker: "germany", result: "passed", rounds: 1, rolls: [], lost, turned_back: {}, money: {}, damage: 0, captured_by: null, steps: [], sentences: [] });

  it("are called by what they are", () => {
    expect(reportTitle(index, report("interdiction"))).toBe("Planes attack German ships in Sea Zone 111");
    expect(reportTitle(index, report("ambush"))).toBe("Submarines attack German ships on the way to Sea Zone 111");
    expect(reportTitle(index, report("air"))).toBe("Air combat over Sea Zone 111");
    expect(reportTitle(index, report("sea"))).toBe("German attack on Sea Zone 111");
  });

  it("tell who fires", () => {
    expect([shotName("attack", "ambush"), shotName("defense", "interdiction"), shotName("attack", "sea"), shotName("aa")]).toEqual(["Submarines fire", "Planes fire", "Attackers fire", "Antiaircraft fire"]);
  });

  it("end in words about ships or planes", () => {
    const lost = { germany: [{ unit: "destroyer", count: 1 }] };
    expect([report("interdiction"), report("ambush", lost), report("air"), report("air", { uk: lost.germany }), report("overflight"), report("land")].map((each) => reportResult(index, each))).toEqual([
      "No ship was sunk.", "Ships were sunk on their way.", "No plane was shot down.", "Planes were shot down.", "The planes came through.", "The planes have struck and fly off.",
    ]);
  });

  it("tell how many planes had to turn back", () => {
    const one = { germany: [{ unit: "fighter", count: 1 }] };
    const more = { ...one, uk: [{ unit: "bomber", count: 2 }] };
    expect([one, more].map((turned_back) => reportResult(index, { ...report("air"), turned_back }))).toEqual([
      "No plane was shot down. One plane had to turn back.", "No plane was shot down. 3 planes had to turn back.",
    ]);
  });
});
