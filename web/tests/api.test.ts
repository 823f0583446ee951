import { afterEach, describe, expect, it, vi } from "vitest";
import { address, call } from "../src/api/client";
import { backOff, Live, liveAddress, type Listener, type Socket } from "../src/api/live";
import { asProblem, Problem, problemFrom } from "../src/api/problem";
import { change } from "./samples";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("requests", () => {
  it("fills the path and leaves missing parameters out", () => {
    expect(address("/api/games/{game}/state", { game: "a/b" }, { at: 3, role: undefined })).toBe("/api/games/a%2Fb/state?at=3");
    expect(address("/api/games", {}, {})).toBe("/api/games");
  });

  it("turns an envelope into a problem with its rules", async () => {
    const body = { error: { kind: "refused", message: "No.", rules: ["CL-MAP-02"], culprits: ["germany"], details: {} } };
    vi.stubGlobal("fetch", async () => new Response(JSON.stringify(body), { status: 422 }));
    const problem = await call("get", "/api/games").then(() => null, asProblem);
    expect(problem).toMatchObject({ kind: "refused", message: "No.", rules: ["CL-MAP-02"], culprits: ["germany"], status: 422 });
  });

  it("says in a sentence that the server is away", async () => {
    vi.stubGlobal("fetch", async () => Promise.reject(new TypeError("failed")));
    await expect(call("get", "/api/games")).rejects.toMatchObject({ kind: "offline" });
  });

  it("does not choke on an answer that is no envelope", () => {
    expect(problemFrom(502, "<html>")).toMatchObject({ kind: "internal", status: 502 });
    expect(asProblem("odd")).toBeInstanceOf(Problem);
  });
});

class FakeSocket implements Socket {
  onopen = null;
  onclose: Socket["onclose"] = null;
  onmessage: Socket["onmessage"] = null;
  closed = false;
  constructor(readonly url: string) {}
  close(): void {
    this.closed = true;
    this.onclose?.({ code: 1006 });
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

function connected(number: number) {
  const sockets: FakeSocket[] = [];
  const heard: string[] = [];
  const listener: Listener = {
    change: (each) => heard.push(`change ${each.number}`),
    message: (each) => heard.push(each.type),
    reset: () => heard.push("reset"),
    status: (status) => heard.push(status),
  };
  const live = new Live("g", number, listener, (url) => {
    const socket = new FakeSocket(url);
    sockets.push(socket);
    return socket;
  }, { protocol: "http:", host: "here" });
  live.start();
  return { live, sockets, heard };
}

const hello = { type: "hello", number: 4, viewer: 1, heartbeat: 15, viewers: [], seats: [] };

describe("the live connection", () => {
  it("asks for what came after the last change", () => {
    expect(liveAddress("g", 4, { protocol: "https:", host: "there" })).toBe("wss://there/api/games/g/live?since=4");
  });

  it("passes changes on once and in order", () => {
    const { sockets, heard, live } = connected(4);
    sockets[0]!.say(hello);
    sockets[0]!.say(change(5));
    sockets[0]!.say(change(5));
    live.seen(6);
    sockets[0]!.say(change(6));
    sockets[0]!.say(change(7));
    expect(heard.filter((each) => each.startsWith("change"))).toEqual(["change 5", "change 7"]);
  });

  it("wants everything anew after a gap", () => {
    const { sockets, heard } = connected(4);
    sockets[0]!.say(change(6));
    expect(heard.at(-1)).toBe("reset");
    sockets[0]!.say(change(7));
    expect(heard.at(-1)).toBe("change 7");
  });

  it("comes back after a lost connection, with the last number", () => {
    vi.useFakeTimers();
    const { sockets, heard } = connected(4);
    sockets[0]!.say(hello);
    sockets[0]!.say(change(5));
    sockets[0]!.close();
    expect(heard.at(-1)).toBe("lost");
    vi.advanceTimersByTime(600);
    expect(sockets[1]!.url).toContain("since=5");
  });

  it("closes a connection that has fallen silent", () => {
    vi.useFakeTimers();
    const { sockets } = connected(4);
    sockets[0]!.say(hello);
    vi.advanceTimersByTime(38_000);
    expect(sockets[0]!.closed).toBe(true);
  });

  it("does not come back to a game that is not there", () => {
    vi.useFakeTimers();
    const { sockets, heard } = connected(4);
    sockets[0]!.onclose?.({ code: 4404 });
    vi.advanceTimersByTime(60_000);
    expect(heard.at(-1)).toBe("closed");
    expect(sockets).toHaveLength(1);
  });

  it("waits longer each time, but never too long", () => {
    const waits = [0, 1, 2, 3, 9].map((attempt) => backOff(attempt, 0.5));
    expect(waits).toEqual([400, 800, 1600, 3200, 8000]);
  });
});
