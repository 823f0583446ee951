import { describe, expect, it } from "vitest";
import type { Decision } from "../src/api/types";
import { byRound, chapters, logged, newsworthy, rocketNews, withoutHeadings } from "../src/state/chronicle";
import { affordable, cost, stepped, total } from "../src/state/counts";
import { targetLights } from "../src/state/lights";
import * as orders from "../src/state/orders";
import { borrowed, variables } from "../src/state/palette";
import { DEFAULTS, parsePreferences } from "../src/state/preferences.svelte";
import { parseRoute } from "../src/state/route.svelte";
import { attacks, orderFor, sent, targets, toggled } from "../src/state/selection";
import { kindOf } from "../src/questions/table";
import { choices, editedValue, freshSetup, gameOf, implied, request, seatsOf, sittersFor, stepSitter, together, withEdit, withOption } from "../src/state/setup";
import { applied, describe as describeSpace, groups, isOurs } from "../src/state/table";
import { beginnings, stepTo } from "../src/state/timemachine";
import { change, destination, index, scenario, stack, state } from "./samples";

describe("the table", () => {
  it("takes over the spaces that a change touched and keeps the others", () => {
    const after = applied(state(3), change(4, { state: { spaces: { middle: { owner: "red", units: [], damage: {} } } } }));
    expect(after?.version).toBe(4);
    expect(after?.spaces.middle?.owner).toBe("red");
    expect(after?.spaces["red-home"]?.units).toHaveLength(2);
    expect(after?.partial).toBe(false);
  });

  it("ignores what it has and refuses what leaves a gap", () => {
    const now = state(3);
    expect(applied(now, change(3))).toBe(now);
    expect(applied(now, change(5))).toBeNull();
  });

  it("knows who fights beside whom, by side or by the alliances of the day", () => {
    const now = { ...state(1), turn: "red" };
    expect([isOurs(index, now, "red"), isOurs(index, now, "blue")]).toEqual([true, false]);
    const allied = { ...now, relations: [{ one: "blue", other: "red", stance: "ally" as const, bound: false }] };
    expect(isOurs(index, allied, "blue")).toBe(true);
  });

  it("names units with their marks where others of their kind have others", () => {
    const planes = [stack("red", "tank", 2), stack("red", "tank", 1, { marks: ["radar"] }), stack("blue", "tank", 1, { marks: ["radar"] })];
    expect(groups(planes, index).map(({ power, unit, count, worn }) => [power, unit, count, worn])).toEqual([
      ["red", "tank[]", 2, []], ["red", "tank[radar]", 1, ["radar"]], ["blue", "tank", 1, ["radar"]],
    ]);
  });

  it("joins stacks of a kind, whatever happened to them", () => {
    const found = groups([stack("red", "tank", 1, { left: 0, done: true }), stack("red", "tank", 2, { left: 2 }), stack("blue", "infantry", 1)], index);
    expect(found.map(({ power, unit, count, left, done }) => [power, unit, count, left, done])).toEqual([
      ["red", "tank", 3, 2, false], ["blue", "infantry", 1, 1, false],
    ]);
  });

  it("tells a screen reader what stands where", () => {
    expect(describeSpace(index, state(), "red-home")).toBe("Red Home, held by the Redland, 2 IPC, capital of the Redland, 2 Red infantry, 1 Red tank");
    expect(describeSpace(index, state(), "red-home", 1)).toBe("Red Home, held by the Redland, 2 IPC, capital of the Redland, 3 Red units");
    expect(describeSpace(index, state(), "waste")).toBe("Waste, neutral, empty");
    expect(describeSpace(index, state(), "bay")).toBe("Bay, empty");
  });
});

describe("orders", () => {
  it("are written as the server reads them", () => {
    expect(orders.move([{ unit: "tank", count: 2 }], ["a", "b", "c"], "raid")).toBe("move 2 tank: a -> b -> c as raid");
    expect(orders.buy([{ unit: "tank", count: 2 }, { unit: "infantry", count: 0 }])).toBe("buy 2 tank");
    expect(orders.place([{ unit: "tank", count: 1 }], "a")).toBe("place 1 tank: a");
    expect(orders.casualties([{ unit: "tank", count: 1, power: "red" }, { unit: "infantry", count: 2, power: "blue" }], "red")).toBe(
      "casualties 1 tank, 2 blue infantry",
    );
  });
});

describe("picking units up", () => {
  const movers = [
    { space: "red-home", unit: "infantry", count: 2, reach: 2, roles: [] }, { space: "red-home", unit: "tank", count: 1, reach: 3, roles: [] },
  ];

  it("picks, adds, takes away and puts down", () => {
    const one = toggled(null, "red-home", "infantry", false);
    expect(one).toEqual({ space: "red-home", units: ["infantry"] });
    const both = toggled(one, "red-home", "tank", true);
    expect(both?.units).toEqual(["infantry", "tank"]);
    expect(toggled(both, "red-home", "infantry", true)?.units).toEqual(["tank"]);
    expect(toggled(one, "red-home", "infantry", false)).toBeNull();
    expect(toggled(both, "bay", "tank", true)).toEqual({ space: "bay", units: ["tank"] });
  });

  it("lights what can be reached, plainly or as a raid", () => {
    const alone = targets({ destinations: [destination("middle")], roles: [{ role: "raid", destinations: [destination("middle"), destination("bay")] }] });
    expect(alone.get("middle")?.roles).toMatchObject([{ role: "raid" }]);
    expect(alone.get("bay")).toMatchObject({ plain: null });
  });

  it("shows where planes could land after the space that is pointed at", () => {
    const found = targets({ destinations: [destination("middle", { landings: ["red-home"] }), destination("bay")], roles: [] });
    const lit = targetLights(found, index, "middle");
    expect(lit.get("red-home")).toMatchObject({ kind: "landing" });
    expect(lit.get("bay")).toMatchObject({ kind: "faint" });
    expect(targetLights(found, index, "bay").has("red-home")).toBe(false);
  });

  it("sends one of each, or all", () => {
    const both = { space: "red-home", units: ["infantry", "tank"] };
    expect(sent(both, movers, false).map((each) => each.count)).toEqual([1, 1]);
    expect(sent(both, movers, true).map((each) => each.count)).toEqual([2, 1]);
    expect(orderFor(both, destination("middle"), sent(both, movers, true))).toBe("move 2 infantry, 1 tank: red-home -> middle");
    const one = { space: "red-home", units: ["tank"] };
    const far = destination("bay", { route: ["red-home", "middle", "bay"] });
    expect(orderFor(one, far, sent(one, movers, false))).toBe("move 1 tank: red-home -> middle -> bay");
  });

  it("knows the attacks that a tap could begin", () => {
    const both = { space: "red-home", units: ["infantry", "tank"] };
    const found = targets({ destinations: [destination("middle", { battle: true }), destination("bay")], roles: [] });
    expect(attacks(both, found, movers, false)).toEqual([{ space: "middle", order: "move 1 infantry, 1 tank: red-home -> middle" }]);
    expect(attacks(both, found, movers, true)[0]?.order).toBe("move 2 infantry, 1 tank: red-home -> middle");
  });

  it("says what a lit space costs", () => {
    const found = targets({ destinations: [destination("middle", { battle: true }), destination("waste", { fee: 3, captures: true })], roles: [] });
    const lit = targetLights(found, index);
    expect(lit.get("middle")).toMatchObject({ kind: "battle", text: "1" });
    expect(lit.get("waste")?.words).toContain("costs 3 IPC");
    expect(lit.get("waste")?.words).toContain("taken without a fight");
  });
});

describe("counting", () => {
  it("keeps the balance", () => {
    const prices = { tank: 5, infantry: 3 };
    const counts = stepped(stepped({}, "tank", 1), "infantry", 2);
    expect(cost(counts, prices)).toBe(11);
    expect(total(counts)).toBe(3);
    expect(affordable(15, counts, prices, "infantry")).toBe(1);
    expect(affordable(15, counts, prices, "tank")).toBe(0);
    expect(stepped(counts, "tank", -5)).toEqual({ infantry: 2 });
    expect(stepped(counts, "tank", 5, 2).tank).toBe(2);
  });
});

describe("a new game", () => {
  const bots = [{ name: "weak", title: "Weak", help: "", stars: 3, styles: [] }, { name: "hard", title: "Hard", help: "", stars: 5, styles: [] }];

  it("seats a person against the computer", () => {
    const setup = freshSetup(scenario, bots);
    expect(seatsOf(scenario, setup, bots)).toEqual([
      { name: "Player one", powers: ["red"], player: "human", style: "" },
      { name: "Computer (Blueland)", powers: ["blue"], player: "weak", style: "" },
    ]);
  });

  it("calls people what they call themselves", () => {
    const setup = { ...freshSetup(scenario, bots), sitters: { red: { human: 1 }, blue: { human: 2 } }, names: { 1: " Ann ", 2: "Ann" } };
    expect(seatsOf(scenario, setup, bots).map((seat) => seat.name)).toEqual(["Ann", "Ann (2)"]);
  });

  it("steps through all players and comes round", () => {
    const all = sittersFor(scenario, bots);
    expect(all).toEqual([{ human: 1 }, { human: 2 }, { bot: "weak" }, { bot: "hard" }]);
    expect(stepSitter(all, { bot: "hard" }, 1)).toEqual({ human: 1 });
    expect(stepSitter(all, { human: 1 }, -1)).toEqual({ bot: "hard" });
  });

  it("lets an option bring others with it, and go back", () => {
    const on = withOption(scenario, { old: false, dive: true }, "old", true);
    expect(on).toEqual({ old: true, dive: false });
    expect(withOption(scenario, on, "old", false)).toEqual({ old: false, dive: true });
    expect(withOption(scenario, on, "dive", true)).toEqual({ old: true, dive: true });
  });

  it("knows which options bring, need and bar others", () => {
    const option = (key: string, more: object = {}) => ({ key, name: key, help: "", default: false, choices: [true, false], group: "advanced", rules: [], sets: {}, implies: {}, requires: {}, excludes: {}, idles: {}, ...more });
    const many = {
      ...scenario,
      options: [
        option("both", { implies: { true: { land: true, sea: true } } }), option("land"), option("sea"),
        option("more", { requires: { true: { land: [true] } } }), option("other", { excludes: { true: { more: [true] } } }),
      ],
    } as unknown as typeof scenario;
    const none = Object.fromEntries(many.options.map((each) => [each.key, false]));
    const both = withOption(many, none, "both", true);
    expect(implied(many, both).get("sea")).toEqual({ value: true, by: ["both"] });
    expect(choices(many, both)).toEqual({ both: true, more: false, other: false });
    expect(withOption(many, none, "more", true)).toMatchObject({ more: true, land: true });
    const barred = withOption(many, withOption(many, none, "more", true), "other", true);
    expect(barred).toMatchObject({ other: true, more: false });
    expect(withOption(many, barred, "more", true)).toMatchObject({ other: false, more: true });
  });

  it("becomes another game of the list with its options", () => {
    const other = { ...scenario, id: "other", options: scenario.options.map((each) => (each.key === "old" ? { ...each, default: true } : each)) } as typeof scenario;
    expect(gameOf([scenario, other], scenario, { old: true, dive: true }).id).toBe("other");
    expect(gameOf([scenario, other], scenario, { old: false, dive: true }).id).toBe("small");
    expect(gameOf([scenario, other], other, { old: false, dive: true }).id).toBe("small");
  });

  it("keeps powers together that share a fixed seat", () => {
    const pair = { ...scenario, fixed_seats: true, seat_presets: [{ players: 1, seats: [["red", "blue"]] }] } as typeof scenario;
    expect(together(pair, "blue")).toEqual(["red", "blue"]);
    expect(together(scenario, "blue")).toEqual(["blue"]);
    const setup = { ...freshSetup(pair, bots), sitters: { red: { bot: "hard" }, blue: { bot: "hard" } } };
    expect(seatsOf(pair, setup, bots).map((seat) => seat.powers)).toEqual([["red", "blue"]]);
  });

  it("edits units for all or for one, and forgets edits that change nothing", () => {
    const all = withEdit({}, "all", "infantry", "cost", 4, 3);
    expect(editedValue(all, "red", "infantry", "cost", 3)).toBe(4);
    const one = withEdit(all, "red", "infantry", "cost", 6, 3);
    expect(editedValue(one, "red", "infantry", "cost", 3)).toBe(6);
    expect(editedValue(one, "blue", "infantry", "cost", 3)).toBe(4);
    expect(withEdit(all, "all", "infantry", "cost", 3, 3)).toEqual({});
  });

  it("asks the server for exactly that", () => {
    const setup = { ...freshSetup(scenario, bots), victory: "none", unitEdits: { all: { tank: { move: 3 } } } };
    const body = request(scenario, setup, bots);
    expect(body.edits).toEqual({ units: { all: { tank: { move: 3 } } }, victory: { none: true } });
    expect(body.options).toEqual({ old: false, dive: true });
  });
});

describe("the chronicle", () => {
  it("leaves out what its headings say", () => {
    const line = { sentences: ["Germany: combat movement.", "Germany buys 2 tanks."] } as unknown as Parameters<typeof withoutHeadings>[0];
    expect(withoutHeadings(line, [{ title: "Combat movement" }]).sentences).toEqual(["Germany buys 2 tanks."]);
  });

  it("adds what is done and drops what is taken back", () => {
    const one = logged([], change(1));
    const two = logged(one, change(2));
    expect(two.map((line) => line.at)).toEqual([1, 2]);
    expect(logged(two, change(3, { type: "undo", state: { at: 1 } })).map((line) => line.at)).toEqual([1]);
    expect(byRound(two)).toHaveLength(1);
  });

  it("says of a battle how it went, not what came after", () => {
    const events = [
      { kind: "battle-ended", space: "bay", sentence: "Red wins the battle in Bay." },
      { kind: "surfaced", space: "bay", sentence: "1 submarine surfaces in Bay." },
    ];
    expect(logged([], change(1, { events }))[0]).toMatchObject({ battle: "bay", ended: true, outcome: "Red wins the battle in Bay." });
    expect(logged([], change(1, { events: events.slice(1) }))[0]).toMatchObject({ ended: false, outcome: null });
  });

  it("tells a battle as one entry, from the order that opens it to the one that ends it", () => {
    const line = (at: number, phase: string, battle: string | null = null, ended = false) => ({ ...logged([], change(at))[0]!, at, phase, battle, ended });
    const found = chapters([
      line(1, "combat-move"), line(2, "combat-move", "middle"), line(3, "combat"), line(4, "combat", "middle", true), line(5, "combat", "bay", true), line(6, "noncombat-move"),
    ]);
    expect(found.map(({ phase, items }) => [phase, items.map((item) => [item.battle, item.lines.map((each) => each.at)])])).toEqual([
      ["combat-move", [[null, [1]]]],
      ["combat", [["middle", [2, 3, 4]], ["bay", [5]]]],
      ["noncombat-move", [[null, [6]]]],
    ]);
  });
});

describe("news", () => {
  const events = [{ kind: "phase", sentence: "Phase." }, { kind: "moved", sentence: "Moves." }, { kind: "captured", sentence: "Falls." }];

  it("is what others do, and what comes of one's own orders", () => {
    const told = (by: string, quick: boolean) => newsworthy(change(1, { events, by }), quick).map(({ text }) => text);
    expect(told("human", false)).toEqual(["Falls."]);
    expect(told("random", false)).toEqual(["Moves.", "Falls."]);
    expect(told("random", true)).toEqual(["Falls."]);
  });

  it("has the dice of rockets with what they did", () => {
    const rolled = { kind: "rolled", reason: "rocket", power: "red", faces: [4], sentence: "Rocket: 4." };
    const paid = { kind: "paid", reason: "rocket", power: "blue", sentence: "Blue loses 4 IPC." };
    expect(rocketNews(change(1, { events: [rolled, paid] }))).toEqual([{ text: "Blue loses 4 IPC.", power: "red", faces: [4] }]);
    expect(rocketNews(change(1, { events }))).toEqual([]);
  });
});

describe("the time machine", () => {
  const timeline = {
    orders: 9,
    marks: [
      { at: 0, round: 1, turn: "red", phase: "research" }, { at: 2, round: 1, turn: "red", phase: "combat-move" },
      { at: 4, round: 1, turn: "blue", phase: "research" }, { at: 7, round: 2, turn: "red", phase: "research" },
    ],
  };

  it("knows where everything begins", () => {
    expect(beginnings(timeline, "phase")).toEqual([0, 2, 4, 7]);
    expect(beginnings(timeline, "turn")).toEqual([0, 4, 7]);
    expect(beginnings(timeline, "round")).toEqual([0, 7]);
  });

  it("counts a power that acts inside another's turn by itself, and the rest of that turn not again", () => {
    const turns = ["usa", "china", "usa", "germany"].map((turn, at) => ({ at, round: 1, turn, phase: `phase ${at}` }));
    expect(beginnings({ orders: 4, marks: turns }, "turn")).toEqual([0, 1, 3]);
    expect(beginnings({ orders: 4, marks: turns }, "phase")).toEqual([0, 1, 2, 3]);
  });

  it("goes back and forth, and no further than was played", () => {
    expect(stepTo(timeline, 9, "round", -1)).toBe(0);
    expect(stepTo(timeline, 7, "turn", -1)).toBe(4);
    expect(stepTo(timeline, 4, "order", -1)).toBe(3);
    expect(stepTo(timeline, 0, "phase", -1)).toBeNull();
    expect(stepTo(timeline, 7, "round", 1)).toBe(9);
    expect(stepTo(timeline, 9, "order", 1)).toBeNull();
  });
});

describe("small things", () => {
  it("reads addresses", () => {
    expect(parseRoute("/")).toEqual({ screen: "menu" });
    expect(parseRoute("/game/abc")).toEqual({ screen: "game", game: "abc", at: null, film: false });
    expect(parseRoute("/game/abc?at=12")).toEqual({ screen: "game", game: "abc", at: 12, film: false });
    expect(parseRoute("/game/abc?at=0&film")).toEqual({ screen: "game", game: "abc", at: 0, film: true });
    expect(parseRoute("/game/abc/analysis")).toEqual({ screen: "analysis", game: "abc" });
    expect(parseRoute("/rules/CL-NAV-04")).toEqual({ screen: "rules", rule: "CL-NAV-04" });
    expect(parseRoute("/nowhere")).toEqual({ screen: "menu" });
  });

  it("survives whatever was stored as preferences", () => {
    expect(parsePreferences(null)).toEqual(DEFAULTS);
    expect(parsePreferences("{broken")).toEqual(DEFAULTS);
    expect(parsePreferences('{"palette":"pink","sound":"loud","textOnMap":false,"extra":1}')).toEqual({ ...DEFAULTS, textOnMap: false });
  });

  it("has the colours of every palette", () => {
    for (const name of ["default", "colour-blind", "dark"] as const) {
      expect(variables(name)["--fill-germany"]).toMatch(/^#/);
      expect(variables(name)["--sea-deep"]).toMatch(/^#/);
    }
  });

  it("lends colours to powers that no palette knows", () => {
    const found = borrowed("default", ["red", "blue", "usa"]);
    expect(Object.keys(found)).toHaveLength(6);
    expect(found["--fill-red"]).toMatch(/^#/);
    expect(found["--fill-red"]).not.toBe(found["--fill-blue"]);
    expect(found["--fill-red"]).not.toBe(variables("default")["--fill-usa"]);
    expect(borrowed("default", ["usa", "uk"])).toEqual({});
  });

  it("answers for somebody in a hurry, but never chooses losses by itself", () => {
    const choices = (...orders: string[]) => orders.map((order) => ({ order, label: order, word: order.split(" ")[0]!, place: null, count: null }));
    const quick = (kind: string, more: object = {}) => kindOf(kind).quick?.({ kind, answers: [], choices: [], ...more } as unknown as Decision) ?? null;
    expect(quick("retreat", { choices: choices("press", "retreat a") })).toBe("press");
    expect(quick("submarines")).toBe("stay");
    expect(quick("battle", { choices: choices("rocket a -> b", "battle middle") })).toBe("battle middle");
    expect(quick("stranded", { choices: choices("move 2 fighter: a -> b", "move 1 fighter: a -> b") })).toBe("move 2 fighter: a -> b");
    expect(quick("scramble", { answers: ["scramble", "stay"] })).toBe("stay");
    expect(quick("bombard", { choices: choices("bombard 2 battleship: a", "bombard 1 battleship: a", "stay") })).toBe("bombard 2 battleship: a");
    expect(quick("casualties")).toBeNull();
  });
});
