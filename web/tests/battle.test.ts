import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnswerForm, BattleFrame, BattleReport, BattleSide, Candidate, Decision, MoveView } from "../src/api/types";
import { actsOf } from "../src/state/audience";
import { filled, placesFor } from "../src/state/draft.svelte";
import { clicked, crosses, lossKey, lossOrder, mostHits, spared } from "../src/state/losses";
import { journeys } from "../src/state/moved";
import { lasts, Show, type Act, type Speed } from "../src/state/show.svelte";
import { change, index, state } from "./samples";

const unit = (power: string, kind: string, count: number, more: object = {}) => ({ power, unit: kind, count, cargo: [], dice: count, hits: 0, endures: 1, first_shot: false, ...more });
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

  it("tells ships apart by what they carry", () => {
    const full = unit("red", "transport", 1, { cargo: [{ unit: "tank", count: 1 }] });
    const empty = unit("red", "transport", 1);
    const fleet = side([0, [full, empty]]);
    const chosen = clicked(fleet, [may("red", "transport", 1)], {}, 1, full);
    expect(lossOrder(fleet, chosen, "red")).toBe("casualties 1 transport carrying 1 tank");
    expect(mostHits(fleet, [may("red", "transport", 1)], chosen, empty)).toBe(0);
    expect(lossOrder(fleet, clicked(fleet, [may("red", "transport", 1)], {}, 1, empty), "blue")).toBe("casualties 1 red transport carrying nothing");
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
    ({ word, label: word, fields: fields.map(([name, kind, optional = false]) => ({ name, kind, optional })) }) as AnswerForm;
  const blank = { units: {}, places: {}, count: null };

  it("is answered with units and a place", () => {
    const bombard = form("bombard", ["units", "units"], ["space", "place"]);
    const asked = question({ places: ["middle", "waste"] });
    expect(filled(asked, bombard, blank)).toBeNull();
    expect(filled(asked, bombard, { ...blank, units: { "red battleship": 1 } })).toBeNull();
    expect(filled(asked, bombard, { ...blank, units: { "red battleship": 1, "blue cruiser": 2 }, places: { space: "waste" } })).toEqual({
      order: "bombard", space: "waste", units: [{ type: "battleship", count: 1 }, { type: "cruiser", count: 2, power: "blue" }],
    });
    expect(filled(question({ places: ["middle"] }), bombard, { ...blank, units: { "red battleship": 1 } })).toMatchObject({ space: "middle" });
  });

  it("knows which places go together", () => {
    const scramble = form("scramble", ["units", "units"], ["start", "place"], ["zone", "place"]);
    const asked = question({ launches: [{ gun: "a", target: "x" }, { gun: "b", target: "y" }, { gun: "b", target: "z" }] });
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

  it("leaves out what may be left out", () => {
    expect(filled(question({ space: "middle" }), form("permit", ["space", "place", true]), blank)).toEqual({ order: "permit" });
    const intercept = form("intercept", ["units", "units"], ["at_bombers", "units", true]);
    expect(filled(question({}), intercept, { ...blank, units: { "red fighter": 2 } })).toEqual({ order: "intercept", units: [{ type: "fighter", count: 2 }] });
  });
});

describe("moves to read", () => {
  it("are one line for what went the same way, by where it went", () => {
    const move = (at: number, from: string, to: string, kind: string, role: string | null = null) =>
      ({ at, order: "", kind: "moved", path: [from, to], units: [{ power: "red", unit: kind, count: 1, cargo: [] }], role }) as MoveView;
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

  it("is not shown where computers fight each other", () => {
    const theirs = battle("blue", "green");
    const course = [step("opened", { battle: theirs }), step("ended", { battle: theirs, report: 0 })];
    expect(actsOf(of({ course }), before, index, { steps: true, quick: false })).toEqual([]);
  });
});
