import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { difference, lastTurnEnd } from "../src/state/changes";
import { along } from "../src/map/ways";
import { Playback, pause } from "../src/state/playback";
import { editsFor, pieces, tableOf, withPieces } from "../src/state/setupedit";
import { burstsOf, flightsOf, scene } from "../src/state/theatre";
import type { LogLine, State, World } from "../src/api/types";
import { change, index, state, world } from "./samples";

describe("turns of others", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  function playback(lasts: number) {
    const shown: number[] = [];
    const gaps: string[] = [];
    const counts: number[] = [];
    const list = new Playback(0, (each) => shown.push(each.number), () => gaps.push("gap"), () => lasts, (n) => counts.push(n));
    return { list, shown, gaps, counts };
  }

  it("are shown one after the other", () => {
    const { list, shown, counts } = playback(500);
    for (const number of [1, 2, 2, 3]) list.take(change(number));
    expect(shown).toEqual([1]);
    vi.advanceTimersByTime(500);
    expect(shown).toEqual([1, 2]);
    vi.advanceTimersByTime(1000);
    expect(shown).toEqual([1, 2, 3]);
    expect(counts.at(-1)).toBe(0);
  });

  it("are shown at once when somebody is in a hurry", () => {
    const { list, shown } = playback(500);
    for (const number of [1, 2, 3]) list.take(change(number));
    list.hurry();
    expect(shown).toEqual([1, 2, 3]);
  });

  it("wait while a report is read", () => {
    const { list, shown } = playback(0);
    list.hold();
    list.take(change(1));
    expect(shown).toEqual([]);
    list.resume();
    expect(shown).toEqual([1]);
  });

  it("are read anew when one is missing", () => {
    const { list, shown, gaps } = playback(0);
    list.take(change(2));
    expect([shown, gaps]).toEqual([[], ["gap"]]);
    list.restart(7);
    list.take(change(8));
    expect(shown).toEqual([8]);
  });

  it("take longer for what matters, never for one's own, and less when many wait", () => {
    const move = change(1, { by: "bot", events: [{ kind: "moved" }] });
    expect(pause(change(1, { events: [{ kind: "moved" }] }), 0)).toBe(0);
    expect(pause(move, 0)).toBeGreaterThan(pause(change(1, { by: "bot", events: [{ kind: "phase" }] }), 0));
    expect(pause(move, 60)).toBeLessThan(pause(move, 0));
  });
});

describe("the theatre", () => {
  let n = 0;
  const number = (): number => ++n;
  const attack = change(1, {
    by: "bot",
    events: [
      { kind: "moved", path: ["red-home", "middle"], space: "middle", units: [{ power: "red", unit: "infantry", count: 2, cargo: [], marks: [] }] },
      { kind: "captured", space: "middle", power: "red", owner: "red" },
    ],
  });

  it("lets pieces travel and raises flags", () => {
    expect(flightsOf(attack, number)).toMatchObject([{ path: ["red-home", "middle"], unit: "infantry", count: 2 }]);
    expect(burstsOf(attack, null, number)).toMatchObject([{ space: "middle", kind: "flag", power: "red" }]);
    expect(scene(attack, null)).toEqual(["red-home", "middle"]);
  });

  it("shows fire where dice are thrown in battle, but none for research", () => {
    const roll = (reason: string) => change(1, { events: [{ kind: "rolled", reason, power: "red" }] });
    expect(burstsOf(roll("attack"), "middle", number)).toMatchObject([{ space: "middle", kind: "fire" }]);
    expect(burstsOf(roll("research"), "middle", number)).toEqual([]);
    expect(flightsOf({ ...attack, type: "undo" }, number)).toEqual([]);
  });
});

describe("since the last turn", () => {
  it("begins where one's last turn ended", () => {
    const log = ["red", "red", "blue", "blue", "red"].map((turn, i) => ({ at: i + 1, turn })) as LogLine[];
    expect(lastTurnEnd(log, ["red"])).toBe(2);
    expect(lastTurnEnd(log.slice(2, 4), ["red"])).toBeNull();
  });

  it("tells what changed hands, what was lost and what it cost", () => {
    const before = { ...state(1), powers: { red: { treasury: 9, production: 3, technologies: [], capital_lost: false } } } as unknown as State;
    const after = structuredClone(before);
    const home = after.spaces["red-home"]!;
    home.owner = "blue";
    home.units = [];
    after.powers.red!.treasury -= 4;
    const found = difference(before, after, index);
    expect(found.captured).toEqual([{ space: "red-home", from: "red", to: "blue" }]);
    expect(found.units.every((unit) => unit.change < 0)).toBe(true);
    expect(found.money).toMatchObject([{ power: "red", treasury: -4 }]);
    expect(difference(before, before, index)).toEqual({ captured: [], units: [], money: [], technologies: [] });
  });
});

describe("another set-up", () => {
  const small = { ...world, setup: [{ power: "red", space: "red-home", unit: "infantry", count: 3 }] } as World;

  it("moves pieces, and forgets what was moved back", () => {
    const once = withPieces(small, [], { power: "red", unit: "infantry", count: 1, from: "red-home", to: "middle" });
    expect(once).toEqual([{ power: "red", unit: "infantry", count: 1, from: "red-home", to: "middle" }]);
    const twice = withPieces(small, once, { power: "red", unit: "infantry", count: 2, from: "red-home", to: "middle" });
    expect(twice).toEqual([{ power: "red", unit: "infantry", count: 3, from: "red-home", to: "middle" }]);
    expect(withPieces(small, twice, { power: "red", unit: "infantry", count: 3, from: "middle", to: "red-home" })).toEqual([]);
  });

  it("adds and takes away", () => {
    const more = withPieces(small, [], { power: "red", unit: "tank", count: 1, space: "middle" });
    expect(more).toEqual([{ power: "red", unit: "tank", count: 1, space: "middle" }]);
    expect(editsFor(small, new Map())).toEqual([{ power: "red", unit: "infantry", count: -3, space: "red-home" }]);
    expect(tableOf(small, more).spaces.middle?.units).toMatchObject([{ power: "red", unit: "tank", count: 1 }]);
    expect(pieces(small, []).get("red-home red infantry")).toBe(3);
  });
});

describe("arrows", () => {
  it("carry their load in the middle of the bent line", () => {
    expect(along([{ x: 0, y: 0 }, { x: 100, y: 0 }], 0.5)).toEqual({ x: 50, y: 6 });
    expect(along([], 0.4)).toEqual({ x: 0, y: 0 });
  });
});
