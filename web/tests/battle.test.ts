import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerForm, Battle, BattleFrame, BattleReport, BattleSide, BattleStep, Candidate, Decision, MoveView } from "../src/api/types";
import { actsOf } from "../src/state/audience";
import { fate, happening, heading, kindName, nobody, reportResult, reportTitle, shots, unneeded } from "../src/state/battlewords";
import { filled, placesFor, sorts } from "../src/state/draft.svelte";
import { clicked, crosses, lossKey, lossOrder, mostHits, spared } from "../src/state/losses";
import { journeys } from "../src/state/moved";
import { lasts, Show, type Act, type Speed } from "../src/state/show.svelte";
import { change, index, state } from "./samples";

const unit = (power: string, kind: string, count: number, more: object = {}) => ({ power, unit: kind, count, cargo: [], marks: [] as string[], dice: count, hits: 0, endures: 1, first_shot: false, ...more });
const side = (...columns: [number, ReturnType<typeof unit>[]][]): BattleSide => ({ powers: ["red"], doomed: [], columns: columns.map(([value, units]) => ({ value, units })) });
const may = (power: string, kind: string, most: number): Candidate => ({ power, unit: kind, most, sorts: [] });

describe("choosing casualties", () => {
  const infantry = unit("red", "infantry", 2);
  const tank = unit("red", "tank", 1);
  const force = side([1, [infantry]], [3, [tank]]);
  const candidates = [may("red", "infantry", 2), may("red", "tank", 1)];

  it("adds hits, and a click too many spares the unit again", () => {
    let chosen = clicked(force, candidates, {}, 2, infantry);
    chosen = clicked(force, candidates, chosen, 2, tank);
    expect(lossOrder(force, chosen, "red")).toBe("casualties 1 infantry, 1 tank");
    chosen = clicked(force, candidates, chosen, 2, tank);
    expect(lossOrder(force, chosen, "red")).toBe("casualties 1 infantry");
    expect(spared(clicked(force, candidates, chosen, 2, infantry), infantry)).toEqual({ [lossKey(infantry)]: 1 });
  });

  it("lets a click on others take over the hit that was given last", () => {
    const first = clicked(force, candidates, {}, 1, infantry);
    expect(clicked(force, candidates, first, 1, tank)).toEqual({ [lossKey(tank)]: 1 });
    const both = clicked(force, candidates, clicked(force, candidates, {}, 2, infantry), 2, infantry);
    expect(clicked(force, candidates, both, 2, tank)).toEqual({ [lossKey(infantry)]: 1, [lossKey(tank)]: 1 });
  });

  it("tells ships apart by what they carry", () => {
    const full = unit("red", "transport", 1, { cargo: [{ unit: "tank", count: 1 }] });
    const empty = unit("red", "transport", 1);
    const fleet = side([0, [full, empty]]);
    const chosen = clicked(fleet, [may("red", "transport", 1)], {}, 1, full);
    expect(lossOrder(fleet, chosen, "red")).toBe("casualties 1 transport carrying 1 tank");
    expect(mostHits(fleet, [may("red", "transport", 1)], chosen, empty)).toBe(0);
    expect(lossOrder(fleet, clicked(fleet, [may("red", "transport", 1)], {}, 1, empty), "blue")).toBe("casualties 1 red transport carrying nothing");
  });

  it("tells marked units from the others", () => {
    const plain = unit("red", "fighter", 2);
    const jet = unit("red", "fighter", 1, { marks: ["jet-power"] });
    const planes = side([3, [plain]], [5, [jet]]);
    const may3 = [may("red", "fighter", 3)];
    const chosen = clicked(planes, may3, clicked(planes, may3, {}, 2, jet), 2, plain);
    expect(lossOrder(planes, chosen, "red")).toBe("casualties 1 fighter[jet-power], 1 fighter[]");
    expect(mostHits(planes, may3, {}, jet)).toBe(1);
  });

  it("crosses out the weaker of those that stand in two columns", () => {
    const strong = unit("red", "infantry", 1);
    const both = side([1, [infantry]], [2, [strong]]);
    const marks = crosses(both, { [lossKey(infantry)]: 3 });
    expect([marks.get(infantry), marks.get(strong)]).toEqual([2, 1]);
  });
});

describe("a battle that is shown", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());
  const frame = (kind: BattleFrame["kind"], more: object = {}) => ({ kind, round: 1, rolls: [], units: [], words: [], battle: { space: "middle" }, ...more }) as unknown as BattleFrame;
  const roll = { faces: [1, 2], needed: 2, hits: 2 } as unknown as BattleFrame["rolls"][number];
  const report = { space: "middle" } as BattleReport;

  function shown(speed: Speed) {
    const seen: string[] = [];
    return { show: new Show(() => speed, (each) => seen.push(each.kind)), seen };
  }

  it("goes step by step, and the table changes after the last of them", () => {
    const { show, seen } = shown("brisk");
    let done = 0;
    show.play([{ frame: frame("opened") }, { frame: frame("volley", { rolls: [roll] }) }, { report }], () => done++);
    expect([seen, show.playing, done]).toEqual([["opened"], true, 0]);
    vi.advanceTimersByTime(20_000);
    expect([seen, show.playing, done]).toEqual([["opened", "volley"], false, 1]);
    expect(show.report).toBe(report);
  });

  it("keeps the next battle back until the last one was read about", () => {
    const { show, seen } = shown("brisk");
    let done = 0;
    show.play([{ frame: frame("ended") }, { report }, { frame: frame("opened") }], () => done++);
    vi.advanceTimersByTime(20_000);
    expect([seen, show.report === report, done]).toEqual([["ended"], true, 0]);
    show.read();
    expect(seen).toEqual(["ended", "opened"]);
    vi.advanceTimersByTime(20_000);
    expect([done, show.report]).toEqual([1, null]);
  });

  it("shows all at once when asked to, and waits when held", () => {
    const { show } = shown("slow");
    let done = 0;
    show.play([{ frame: frame("opened") }, { frame: frame("volley") }, { frame: frame("hit") }], () => done++);
    show.pause();
    vi.advanceTimersByTime(60_000);
    expect([show.frame?.kind, done]).toEqual(["opened", 0]);
    show.step();
    expect(show.frame?.kind).toBe("volley");
    show.skip();
    expect([show.playing, done]).toEqual([false, 1]);
  });

  it("takes longer where it should", () => {
    const volley = frame("volley", { rolls: [roll, roll] });
    expect(lasts(volley, "slow")).toBeGreaterThan(lasts(volley, "brisk"));
    expect(lasts(volley, "brisk")).toBeGreaterThan(lasts(frame("volley", { rolls: [roll] }), "brisk"));
    expect(lasts(volley, "once")).toBe(0);
  });
});

describe("a question without a picture", () => {
  const question = (more: object) => ({ power: "red", count: 0, places: [], launches: [], candidates: [], ...more }) as unknown as Decision;
  const form = (word: string, ...fields: [string, string, boolean?][]): AnswerForm =>
    ({ word, label: word, fields: fields.map(([name, kind, optional = false]) => ({ name, kind, optional, options: [] })) }) as AnswerForm;
  const blank = { units: {}, places: {}, count: null, picks: {} };

  it("is answered with units and a place", () => {
    const bombard = form("bombard", ["units", "units"], ["space", "place"]);
    const ships = [may("red", "battleship", 2), may("blue", "cruiser", 2)];
    const asked = question({ places: ["middle", "waste"], candidates: ships });
    expect(filled(asked, bombard, blank)).toBeNull();
    expect(filled(asked, bombard, { ...blank, units: { "red battleship": 1 } })).toBeNull();
    expect(filled(asked, bombard, { ...blank, units: { "red battleship": 1, "blue cruiser": 2 }, places: { space: "waste" } })).toEqual({
      order: "bombard", space: "waste", units: [{ type: "battleship", count: 1 }, { type: "cruiser", count: 2, power: "blue" }],
    });
    expect(filled(question({ places: ["middle"], candidates: ships }), bombard, { ...blank, units: { "red battleship": 1 } })).toMatchObject({ space: "middle" });
  });

  it("knows which places go together", () => {
    const scramble = form("scramble", ["units", "units"], ["start", "place"], ["zone", "place"]);
    const asked = question({ candidates: [may("red", "fighter", 2)], launches: [{ gun: "a", target: "x" }, { gun: "b", target: "y" }, { gun: "b", target: "z" }] });
    expect(placesFor(asked, scramble, "start", {})).toEqual(["a", "b"]);
    expect(placesFor(asked, scramble, "zone", { start: "b" })).toEqual(["y", "z"]);
    expect(filled(asked, scramble, { ...blank, units: { "red fighter": 1 }, places: { start: "a" } })).toMatchObject({ start: "a", zone: "x" });
  });

  it("takes the number that is asked for unless another is chosen", () => {
    const ambush = form("ambush", ["count", "count"]);
    expect(filled(question({ count: 3 }), ambush, blank)).toEqual({ order: "ambush", count: 3 });
    expect(filled(question({ count: 3 }), ambush, { ...blank, count: 1 })).toEqual({ order: "ambush", count: 1 });
    expect(filled(question({}), form("contest"), blank)).toEqual({ order: "contest" });
  });

  it("is answered with a power, a weapon or a facility", () => {
    const options = [{ value: "blue", label: "Blue" }, { value: "green", label: "Green" }];
    const ally = { ...form("ally"), fields: [{ name: "power", kind: "choice", optional: false, options }] } as AnswerForm;
    expect(filled(question({}), ally, blank)).toBeNull();
    expect(filled(question({}), ally, { ...blank, picks: { "ally power": "green", "break power": "blue" } })).toEqual({ order: "ally", power: "green" });
    const sole = { ...ally, fields: [{ ...ally.fields[0]!, options: options.slice(0, 1) }] };
    expect(filled(question({}), sole, blank)).toEqual({ order: "ally", power: "blue" });
  });

  it("tells marked units and ships with cargo from the others", () => {
    const sort = (words: string, more: object) => ({ words, most: 2, ...more });
    const candidates = [
      { power: "red", unit: "fighter", most: 3, sorts: [sort("fighter[]", { marks: [] }), sort("fighter[jet-power]", { marks: ["jet-power"] })] },
      { power: "blue", unit: "transport", most: 1, sorts: [sort("transport carrying nothing", { cargo: [] }), sort("transport carrying 1 armor", { cargo: [{ unit: "armor", count: 1 }] })] },
    ] as Candidate[];
    expect(sorts(candidates).map(({ key, most }) => [key, most])).toEqual([
      ["red fighter[]", 2], ["red fighter[jet-power]", 2], ["blue transport carrying nothing", 1], ["blue transport carrying 1 armor", 1],
    ]);
    const units = { "red fighter[]": 1, "red fighter[jet-power]": 2, "blue transport carrying 1 armor": 1, "blue transport carrying nothing": 1 };
    expect(filled(question({ candidates }), form("target", ["units", "units"]), { ...blank, units })).toEqual({
      order: "target",
      units: [
        { type: "fighter", count: 1, marks: [] }, { type: "fighter", count: 2, marks: ["jet-power"] },
        { type: "transport", count: 1, power: "blue", cargo: [] }, { type: "transport", count: 1, power: "blue", cargo: [["armor", 1]] },
      ],
    });
  });

  it("leaves out what may be left out", () => {
    expect(filled(question({ space: "middle" }), form("permit", ["space", "place", true]), blank)).toEqual({ order: "permit" });
    const intercept = form("intercept", ["units", "units"], ["at_bombers", "units", true]);
    expect(filled(question({ candidates: [may("red", "fighter", 3)] }), intercept, { ...blank, units: { "red fighter": 2 } })).toEqual({ order: "intercept", units: [{ type: "fighter", count: 2 }] });
  });
});

describe("moves to read", () => {
  it("are one line for what went the same way, by where it went", () => {
    const move = (at: number, from: string, to: string, kind: string, role: string | null = null) =>
      ({ at, order: "", kind: "moved", path: [from, to], units: [{ power: "red", unit: kind, count: 1, cargo: [], marks: [] }], role }) as MoveView;
    const found = journeys([move(1, "a", "x", "infantry"), move(2, "b", "y", "tank"), move(3, "a", "x", "infantry"), move(4, "b", "x", "bomber", "raid")]);
    expect(found.map(({ from, to, units, orders }) => [from, to, units, orders])).toEqual([
      ["a", "x", [{ unit: "infantry", count: 2 }], [1, 3]],
      ["b", "x", [{ unit: "bomber", count: 1 }], [4]],
      ["b", "y", [{ unit: "tank", count: 1 }], [2]],
    ]);
  });
});

describe("whom a battle concerns", () => {
  const seats = [{ name: "Anna", powers: ["red"], player: "human", style: "" }, { name: "Computer", powers: ["blue"], player: "3star", style: "" }];
  const force = (power: string) => ({ powers: [power], columns: [], doomed: [] });
  const battle = (attacker: string, defender: string) => ({ space: "middle", attacker, attack: force(attacker), defense: force(defender) });
  const told = { space: "middle", attacker: "blue", rolls: [{ power: "blue" }], lost: {}, money: {} } as unknown as BattleReport;
  const step = (kind: string, more: object = {}) => ({ kind, round: 1, rolls: [], units: [], words: [], battle: battle("blue", "red"), ...more });
  const of = (more: object) => change(1, { by: "3star", course: [step("opened"), step("ended", { report: 0 })], battles: [told], state: { seats }, ...more });
  const before = state(0, { seats });
  const kinds = (acts: Act[]): string[] => acts.map((act) => ("frame" in act ? act.frame.kind : "report"));

  it("is shown to whoever is attacked, then told", () => {
    const hurt = { ...told, lost: { red: [{ unit: "infantry", count: 1 }] } };
    expect(kinds(actsOf(of({ battles: [hurt] }), before, index, { steps: true, quick: false }))).toEqual(["opened", "ended", "report"]);
    expect(kinds(actsOf(of({ battles: [hurt] }), before, index, { steps: false, quick: false }))).toEqual(["report"]);
    expect(actsOf(of({ battles: [hurt] }), before, index, { steps: true, quick: true })).toEqual([]);
    expect(actsOf(of({ battles: [hurt], type: "undo" }), before, index, { steps: true, quick: false })).toEqual([]);
  });

  it("is not told, too, when guns fired at passing planes before one's eyes and hit nothing", () => {
    const passed = { ...told, kind: "overflight", rolls: [{ power: "red" }] } as unknown as BattleReport;
    expect(kinds(actsOf(of({ battles: [passed] }), before, index, { steps: true, quick: false }))).toEqual(["opened", "ended"]);
    expect(kinds(actsOf(of({ battles: [passed] }), before, index, { steps: false, quick: false }))).toEqual(["report"]);
    const down = { ...passed, lost: { blue: [{ unit: "bomber", count: 1 }] } };
    expect(kinds(actsOf(of({ battles: [down] }), before, index, { steps: true, quick: false }))).toEqual(["opened", "ended", "report"]);
  });

  it("is not shown where computers fight each other", () => {
    const theirs = battle("blue", "green");
    const course = [step("opened", { battle: theirs }), step("ended", { battle: theirs, report: 0 })];
    expect(actsOf(of({ course }), before, index, { steps: true, quick: false })).toEqual([]);
  });
});

describe("what a battle is called", () => {
  const volley = (space: string, hits: number) => ({ round: 1, reason: "aa", power: "blue", space, faces: [1], throws: [[1]], needed: 1, shooters: [], hits, latest: true });
  const passing = (more: object = {}) => ({ space: "red-home", kind: "overflight", attacker: "red", stage: "AA fire", rolls: [volley("middle", 1)], guns: [], attack: side([3, [unit("red", "bomber", 1)]]), defense: side(), ...more }) as unknown as Battle;
  const step = (kind: BattleFrame["kind"], more: object = {}) => ({ kind, rolls: [], units: [], words: [], battle: passing(), ...more }) as unknown as BattleFrame;

  it("names the land that planes pass over, not where they go", () => {
    expect(heading(index, passing())).toBe("Red planes on the way to Red Home");
    expect(happening(index, step("volley", { rolls: [volley("middle", 1)] }))).toBe("Antiaircraft fire over Middle:");
    expect(unneeded(step("volley", { rolls: [volley("middle", 1)], unneeded: [] }))).toBe("");
    expect(unneeded(step("volley", { rolls: [volley("middle", 1)], unneeded: [3] }))).toBe("No dice at 3: nothing left that they can hit.");
    expect(unneeded(step("volley", { rolls: [volley("middle", 1)], unneeded: [2, 3, 4] }))).toBe("No dice at 2, 3 and 4: nothing left that they can hit.");
    const report = { ...passing(), result: "passed", lost: { red: [{ unit: "bomber", count: 1 }] } } as unknown as BattleReport;
    expect([reportTitle(index, report), reportResult(index, report)]).toEqual(["Antiaircraft fire over Middle", "Planes were shot down on their way."]);
    expect(reportResult(index, { ...report, lost: {} })).toBe("The planes came through.");
  });

  it("names the land over which fighters meet planes", () => {
    const met = passing({ stages: ["Fighters rise", "Air combat", "AA fire"], rolls: [], air: {} });
    expect([heading(index, met), kindName(met), nobody(met, true)]).toEqual(["Red planes over Red Home", "Planes overhead", "Nobody has risen yet."]);
    expect(nobody(passing({ kind: "air-raid", rolls: [], air: {} }), true)).toBe("Nobody has risen yet.");
    expect(nobody(passing({ kind: "ambush" }), true)).toBe("Submarines lie in wait.");
    expect([kindName(passing()), kindName(passing({ kind: "sea" }))]).toEqual(["Antiaircraft fire", "Naval battle"]);
  });

  it("tells who came through the fire", () => {
    expect(happening(index, step("ended"))).toBe("The others fly on.");
    expect(happening(index, step("ended", { battle: passing({ attack: side() }) }))).toBe("No plane came through.");
    expect([nobody(passing(), false), nobody(passing(), true)]).toEqual(["No plane came through.", "The guns have fired."]);
    expect(nobody(passing({ kind: "land" }), true)).toBe("Nobody is left.");
  });

  it("says who fires and what hits", () => {
    const roll = (reason: string, needed: number, ...shooters: [string, number][]) => ({ reason, needed, shooters: shooters.map(([unit, dice]) => ({ power: "red", unit, dice })) }) as unknown as Battle["rolls"][number];
    expect(shots(index, roll("attack", 1, ["infantry", 8]))).toBe("Infantry fire at 1");
    expect(shots(index, roll("defense", 4, ["fighter", 1]))).toBe("Fighter fires at 4 or less");
    expect(shots(index, roll("aa", 1))).toBe("Antiaircraft fire at 1");
  });

  it("says that boats dived, not that some are left", () => {
    const dived = { kind: "left", units: [{ power: "blue", unit: "submarine", count: 1 }], words: ["1 Blue submarine submerges in Bay."] } as unknown as BattleStep;
    expect(fate(index, dived)).toBe("1 Blue submarine submerges in Bay.");
    expect(fate(index, { ...dived, words: [] })).toMatch(/left the battle$/);
    expect(fate(index, { ...dived, kind: "hit", still_firing: true })).toMatch(/hit, fired back$/);
  });

  it("says whose the land is after it was taken", () => {
    const report = { space: "middle", kind: "land", attacker: "red", result: "attacker", captured_by: "red", lost: {}, rolls: [] } as unknown as BattleReport;
    expect(reportResult(index, report)).toBe("The attackers win: Middle is Red now.");
  });

  it("says who got away", () => {
    const left = step("left", { role: "defense", units: [{ power: "blue", unit: "infantry", count: 2, marks: [] }] });
    const report = { space: "middle", kind: "sea", attacker: "red", result: "attacker", captured_by: null, lost: {}, rolls: [], steps: [left] } as unknown as BattleReport;
    expect(reportResult(index, report)).toBe("The attackers win, but 2 infantry got away.");
    expect(reportResult(index, { ...report, result: "defender" })).toBe("The defenders hold.");
  });
});
