import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "../src/api/problem";
import type { Change } from "../src/api/types";
import { Clicks } from "../src/state/clicks.svelte";
import { Courier, type Giver } from "../src/state/courier.svelte";
import { Gathering } from "../src/state/gathering.svelte";
import { Wire } from "../src/state/wire.svelte";

const change = (number: number): Change => ({ number }) as Change;

function answers(...all: { status?: number; body: unknown }[]): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(() => {
    const next = all.shift()!;
    return Promise.resolve(new Response(JSON.stringify(next.body), { status: next.status ?? 200, headers: { "content-type": "application/json" } }));
  });
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

class Player implements Giver {
  id = "g";
  version = 7;
  showing = false;
  received: number[] = [];
  failed: unknown[] = [];
  blamed: (Problem | null)[] = [];
  asks = () => ({ space: "karelia", units: ["armor"], placing: null, placing_of: null });
  receive = (each: Change): void => void this.received.push(each.number);
  blame = (problem: Problem | null): void => void this.blamed.push(problem);
  fail = (error: unknown): void => void this.failed.push(error);
}

describe("the way of orders", () => {
  let player: Player;
  let orders: Courier;
  beforeEach(() => {
    player = new Player();
    orders = new Courier(player);
  });
  afterEach(() => vi.unstubAllGlobals());

  it("sends the version that is seen and what is in hand", async () => {
    const fetched = answers({ body: { number: 8 } });
    expect(await orders.give("end")).toBe(true);
    const [, sent] = fetched.mock.calls[0] as [string, { body: string }];
    expect(JSON.parse(sent.body)).toEqual({ order: "end", version: 7, asks: player.asks() });
    expect(player.received).toEqual([8]);
  });

  it("lets what the wire brings meanwhile wait for the answer", async () => {
    answers({ body: { number: 8 } });
    const given = orders.give("end");
    orders.hear(change(9));
    expect(player.received).toEqual([]);
    await given;
    expect(player.received).toEqual([8, 9]);
    orders.hear(change(10));
    expect(player.received).toEqual([8, 9, 10]);
  });

  it("gives one order at a time, and none while something is shown", async () => {
    const fetched = answers({ body: { number: 8 } });
    const first = orders.give("end");
    expect(await orders.give("end")).toBe(false);
    await first;
    player.showing = true;
    expect(await orders.give("end")).toBe(false);
    expect(fetched).toHaveBeenCalledTimes(1);
  });

  it("takes another order after a refusal", async () => {
    answers({ status: 422, body: { detail: "No." } }, { body: { number: 8 } });
    expect(await orders.give("nonsense")).toBe(false);
    expect(player.failed).toHaveLength(1);
    expect(await orders.give("end")).toBe(true);
  });

  it("carries an order out that would be allowed, and else passes the reason on", async () => {
    answers({ body: { legal: true, order: "move" } }, { body: { number: 8 } }, { body: { legal: false, message: "Too far.", rules: ["x"] } });
    await orders.explain("move");
    expect(player.received).toEqual([8]);
    await orders.explain("move far");
    expect(player.failed).toMatchObject([{ message: "Too far.", rules: ["x"] }]);
  });
});

describe("clicks", () => {
  it("are answered one after the other, after what is being asked", async () => {
    const done: string[] = [];
    const clicks = new Clicks(() => undefined);
    let answer = (): void => undefined;
    void clicks.during(new Promise<void>((resolve) => (answer = resolve)));
    const all = ["a", "b"].map((name) => clicks.inTurn(async () => void done.push(name)));
    expect(clicks.underWay).toBe(3);
    await Promise.resolve();
    expect(done).toEqual([]);
    answer();
    await Promise.all(all);
    expect(done).toEqual(["a", "b"]);
    expect(clicks.underWay).toBe(0);
  });

  it("go on after one that failed", async () => {
    const failed: unknown[] = [];
    const clicks = new Clicks((error) => void failed.push(error));
    let second = false;
    void clicks.inTurn(() => Promise.reject(new Error("no")));
    await clicks.inTurn(async () => void (second = true));
    expect(second).toBe(true);
    expect(failed).toHaveLength(1);
  });
});

describe("the wire", () => {
  it("knows who thinks, and what is the trouble until somebody thinks again", () => {
    const deleted = vi.fn();
    const wire = new Wire({ change: vi.fn(), reset: vi.fn(), back: vi.fn(), deleted });
    wire.hear({ type: "trouble", seat: "b", message: "Stuck." } as never);
    expect(wire.trouble?.message).toBe("Stuck.");
    wire.hear({ type: "thinking", active: true, seat: "b" } as never);
    expect([wire.trouble, wire.thinking?.seat]).toEqual([null, "b"]);
    wire.hear({ type: "thinking", active: false, seat: "b" } as never);
    expect(wire.thinking).toBeNull();
    wire.hear({ type: "deleted" } as never);
    expect(deleted).toHaveBeenCalled();
  });
});

describe("a table", () => {
  it("asks the server for one thing after the other, whatever became of the first", async () => {
    const gathering = new Gathering("friday");
    const done: string[] = [];
    let answer = (): void => undefined;
    const given = gathering.act(async () => {
      await new Promise<void>((resolve) => (answer = resolve));
      done.push("given");
      throw new Error("no");
    });
    const begun = gathering.act(() => {
      done.push("begun");
      return Promise.resolve(undefined);
    });
    await Promise.resolve();
    await Promise.resolve();
    expect(done).toEqual([]);
    answer();
    expect(await given).toBe(false);
    expect(await begun).toBe(true);
    expect(done).toEqual(["given", "begun"]);
  });
});
