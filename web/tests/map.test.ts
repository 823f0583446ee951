import { render } from "@testing-library/svelte";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { arcPoints, copies, curve, drawn, edgeBorders, held, nearest, nextInDirection, part, Paths, unrolled, type Drawn, type MapAsset } from "../src/map/geometry";
import { arrow, joined, spread, upTo } from "../src/map/ways";
import { boundsOf, groundOf } from "../src/map/ground";
import MapView from "../src/map/MapView.svelte";
import { camps, counters, levelAt, placed, unitsPerPixel, CELL, COUNTER, ICON, type Standing } from "../src/map/stacks";
import type { Group } from "../src/state/table";
import { index, state } from "./samples";

/** Two squares side by side above a strip of sea. */
const square = (id: string, x: number) => ({
  kind: "land" as const, rings: [[id === "red-home" ? [0, 1] : [~0, 2]]], anchor: { x: x + 5, y: 5 },
  label: { x: x + 5, y: 5, width: 8, height: 3, size: 10, lines: [id] }, badge: { x: x + 2, y: 8, r: 2 },
  slots: [{ x: x + 3, y: 3, r: 2 }, { x: x + 7, y: 3, r: 2 }],
});
const asset: MapAsset = {
  board: "small", format: 1, width: 20, height: 20, scale: 0.1,
  arcs: [[100, 0, 0, 100], [100, 100, -100, 0, 0, -100, 100, 0], [100, 100, 100, 0, 0, -100, -100, 0]],
  spaces: {
    "red-home": square("red-home", 0), middle: square("middle", 10),
    bay: { kind: "sea", rings: [], anchor: { x: 10, y: 15 }, label: { x: 10, y: 15, width: 5, height: 2 }, slots: [{ x: 10, y: 15, r: 2 }] },
  },
  scenery: [], coast: [1, 2], borders_land: [0], borders_sea: [], rivers: [],
  links: [{ a: "x", b: "y", kind: "canal", name: "Ditch", at: [[3, 4]] }],
};

describe("geometry", () => {
  it("reads arcs as a point and steps", () => {
    expect(arcPoints([100, 0, 0, 100], 0.1)).toEqual([[10, 0], [10, 10]]);
  });

  it("draws the same curve from both ends", () => {
    const points: [number, number][] = [[0, 0], [10, 0], [10, 10], [20, 10]];
    expect(curve(points, "M")).toBe("M0 0Q10 0 10 5Q10 10 20 10");
    expect(curve([...points].reverse(), "M")).toBe("M20 10Q10 10 10 5Q10 0 0 0");
    expect(curve([[0, 0], [1, 1]], "M")).toBe("M0 0L1 1");
  });

  it("closes rings, walking shared arcs backwards", () => {
    const paths = new Paths(asset);
    expect(paths.area([[[0, 1]]])).toMatch(/^M10 0L10 10.*Z$/);
    expect(paths.area([[[~0, 2]]])).toMatch(/^M10 10L10 0.*Z$/);
    expect(drawn(asset).canals).toEqual([{ name: "Ditch", x: 3, y: 4 }]);
  });

  it("goes with the arrow keys where one looks", () => {
    const anchors = new Map([["a", { x: 0, y: 0 }], ["b", { x: 10, y: 1 }], ["c", { x: 30, y: 0 }], ["d", { x: 0, y: 10 }]]);
    expect(nextInDirection(anchors, "a", 1, 0)).toBe("b");
    expect(nextInDirection(anchors, "a", 0, 1)).toBe("d");
    expect(nextInDirection(anchors, "a", -1, 0)).toBeNull();
    expect(arrow([{ x: 0, y: 0 }, { x: 10, y: 0 }])).toMatch(/^M0 0Q5 1.2 10 0$/);
  });

  it("joins moves along the same way into one arrow", () => {
    const found = joined([
      { path: ["a", "b"], units: [{ unit: "tank", count: 1 }] }, { path: ["a", "b"], units: [{ unit: "tank", count: 2 }] },
      { path: ["a", "b"], units: [{ unit: "bomber", count: 1 }], role: "raid" },
    ]);
    expect(found.map((each) => [each.units, each.role])).toEqual([[[{ unit: "tank", count: 3 }], ""], [[{ unit: "bomber", count: 1 }], "raid"]]);
  });
});

describe("a round world", () => {
  it("goes the shorter way round", () => {
    expect(nearest(10, 95, 100)).toBe(110);
    expect(nearest(95, 10, 100)).toBe(-5);
    expect(unrolled([{ x: 95, y: 0 }, { x: 5, y: 1 }, { x: 20, y: 2 }], 100).map((point) => point.x)).toEqual([95, 105, 120]);
    expect(unrolled([{ x: 95, y: 0 }, { x: 5, y: 1 }], null).map((point) => point.x)).toEqual([95, 5]);
  });

  it("shows the copies that a window reaches into, and always the world itself", () => {
    expect(copies(10, 80, 100)).toEqual([0]);
    expect(copies(-10, 80, 100)).toEqual([-1, 0]);
    expect(copies(60, 130, 100)).toEqual([0, 1]);
    expect(copies(-130, 130, null)).toEqual([0]);
  });

  it("has a border where two zones meet over its edge", () => {
    const zone = (name: string, arc: number) => ({ ...asset.spaces.bay!, rings: [[[arc]]], label: { x: 0, y: 0, width: 1, height: 1, lines: [name] } });
    const round = {
      ...asset, wraps: true, scale: 1, width: 20,
      // the north has the western edge from 0 to 12, the east the eastern one from 0 to 6, the south from 6 to 12
      arcs: [[0, 0, 0, 12, 5, 0, 0, -12], [20, 0, 0, 6, -5, 0], [20, 6, 0, 6, -5, 0]],
      spaces: { north: zone("north", 0), east: zone("east", 1), south: zone("south", 2) },
    };
    expect(edgeBorders(round)).toEqual(["M20 0V6", "M20 6V12"]);
    expect(edgeBorders({ ...round, spaces: { north: { ...round.spaces.north, rings: [[[0]], [[1]]] } } })).toEqual([]);
  });

  it("draws of a copy only what the window reaches, and of the world itself everything", () => {
    const areas = [{ id: "west", from: 0, to: 300 }, { id: "middle", from: 900, to: 1100 }, { id: "east", from: 1700, to: 2000 }];
    const round = { width: 2000, areas } as unknown as Drawn;
    expect(part(round, 0, 1500, 2100).map(({ id }) => id)).toEqual(["west", "middle", "east"]);
    expect(part(round, 1, 1500, 2100).map(({ id }) => id)).toEqual(["west"]);
    expect(part(round, -1, -100, 900).map(({ id }) => id)).toEqual(["east"]);
  });

  it("knows how far its lands reach", () => {
    expect(drawn(asset).areas.slice(0, 2).map(({ id, from, to }) => [id, from, to])).toEqual([["red-home", 0, 10], ["middle", 10, 20]]);
  });

  it("is turned without end, and its keys go on over the edge", () => {
    expect(held({ x: 4000, y: 50, k: 1 }, { width: 2000, height: 1000, wraps: true }, { width: 1000, height: 600 }, { top: 50, right: 0, bottom: 0, left: 0 }).x).toBe(4000);
    const anchors = new Map([["west", { x: 5, y: 0 }], ["east", { x: 95, y: 0 }]]);
    expect(nextInDirection(anchors, "east", 1, 0, 100)).toBe("west");
    expect(nextInDirection(anchors, "east", 1, 0)).toBeNull();
  });
});

describe("where pieces stand", () => {
  const kinds = ["infantry", "tank", "fighter", "bomber", "gun", "factory"];
  const group = (power: string, unit: string, count: number): Group => ({ power, unit, count, left: 0, done: false, cargo: [], marks: [], worn: [], hits: 0 });
  const side = (power: string): string => (power === "blue" ? "west" : "east");
  const standing = (id: string, x: number, groups: Group[]): Standing<Group> => ({
    id, camps: camps(groups, (power) => side(power) === side("red")),
    space: { ...asset.spaces.middle!, anchor: { x, y: 50 }, label: { x, y: 30, width: 20, height: 5 }, slots: [{ x, y: 50, r: 6 }] },
  });
  const overlap = (a: { x: number; y: number; width: number; height: number }, b: typeof a): boolean =>
    Math.abs(a.x - b.x) * 2 < a.width + b.width - 0.01 && Math.abs(a.y - b.y) * 2 < a.height + b.height - 0.01;

  it("gives a camp the colour of those who are most in it", () => {
    const [camp] = camps([group("red", "fighter", 1), group("grey", "infantry", 2), group("grey", "tank", 1)], () => true);
    expect(camp!.power).toBe("grey");
  });

  it("gives every kind a place, however small the land is", () => {
    const [block] = placed([standing("tiny", 50, kinds.map((unit) => group("red", unit, 12)))], new Map(), 1, false);
    expect(block!.camps.flatMap((camp) => camp.cells.map((cell) => cell.item.unit))).toEqual(kinds);
    const cells = block!.camps[0]!.cells.map((cell) => ({ ...cell, ...CELL }));
    for (const a of cells) for (const b of cells) if (a !== b) expect(overlap(a, b)).toBe(false);
    expect(block!.plate).toBe(true);
  });

  it("puts enemies face to face, the attackers on the left", () => {
    const [block] = placed([standing("tiny", 50, [group("blue", "infantry", 3), group("red", "tank", 2), group("blue", "factory", 1)])], new Map(), 1, false);
    expect(block!.contested).toBe(true);
    expect(block!.camps.map((camp) => [camp.attacks, camp.cells.map((cell) => cell.item.unit)])).toEqual([[true, ["tank"]], [false, ["infantry", "factory"]]]);
    const [left, right] = block!.camps;
    expect(left!.x + left!.width).toBeLessThan(right!.x);
  });

  it("pushes blocks of neighbours apart", () => {
    const all = placed([standing("a", 50, kinds.map((unit) => group("red", unit, 1))), standing("b", 60, kinds.map((unit) => group("red", unit, 1)))], new Map(), 1, false);
    expect(overlap(all[0]!, all[1]!)).toBe(false);
  });

  it("is large enough to be read where a game opens", () => {
    const k = 1.3;
    const per = unitsPerPixel(levelAt(k), 0.5);
    expect(ICON.width * per * k).toBeGreaterThanOrEqual(28);
    expect(14 * per * k).toBeGreaterThanOrEqual(12); // the numbers
  });

  it("counts each power's units on a counter, facilities apart and cargo too", () => {
    const loaded = { ...group("red", "boat", 2), cargo: [{ unit: "infantry", count: 2 }] };
    const found = counters([loaded, group("red", "factory", 1), group("white", "tank", 3)], (unit) => unit === "factory", () => "");
    expect(found.map((each) => [each.power, each.strength, each.facilities])).toEqual([["red", 4, 1], ["white", 3, 0]]);
  });

  it("ends an arrow before the pieces, and keeps loads apart", () => {
    expect(upTo([{ x: 0, y: 0 }, { x: 100, y: 0 }], { x: 100, y: 0, width: 40, height: 20 }).at(-1)).toEqual({ x: 80, y: 0 });
    const boxes = spread([{ x: 0, y: 0, width: 10, height: 4 }, { x: 3, y: 1, width: 10, height: 4 }, { x: 50, y: 0, width: 10, height: 4 }]);
    for (const a of boxes) for (const b of boxes) if (a !== b) expect(overlap(a, b)).toBe(false);
  });
});

describe("where the map may lie", () => {
  const map = { width: 2000, height: 1000 };
  const frame = { width: 1000, height: 600 };
  const free = { top: 50, right: 0, bottom: 0, left: 0 };

  it("fills the window: no desk beyond what a panel covers", () => {
    expect(held({ x: 40, y: 300, k: 1 }, map, frame, free)).toEqual({ x: 0, y: 50 });
    expect(held({ x: -3000, y: -3000, k: 1 }, map, frame, free)).toEqual({ x: -1000, y: -400 });
    expect(held({ x: -200, y: -100, k: 1 }, map, frame, free)).toEqual({ x: -200, y: -100 });
  });

  it("can be drawn out from under the panels", () => {
    expect(held({ x: -3000, y: 0, k: 1 }, map, frame, { ...free, right: 300 })).toEqual({ x: -1300, y: 0 });
    expect(held({ x: 0, y: 500, k: 1 }, map, frame, { ...free, top: 400 })).toEqual({ x: 0, y: 400 });
  });

  it("lies in the middle of what is free if it is smaller", () => {
    expect(held({ x: 7, y: 7, k: 0.3 }, map, frame, { ...free, right: 200 })).toEqual({ x: 100, y: 175 });
  });
});

describe("the map", () => {
  beforeAll(() => {
    vi.stubGlobal("ResizeObserver", class { observe() {} disconnect() {} });
  });

  function shown(more: object = {}) {
    const calls: string[] = [];
    const props = {
      map: drawn(asset), index, table: state(), lights: new Map(), battles: new Set<string>(), picked: null, inspected: null, moves: [],
      textOnMap: true, blamed: [], onlyUnits: null, scrollRate: 5, animate: false,
      onspace: (space: string, all: boolean) => calls.push(`space ${space} ${all}`),
      onunit: (space: string, unit: string) => calls.push(`unit ${space} ${unit}`),
      onback: (space: string | null) => calls.push(`back ${space}`),
      ...more,
    };
    return { ...render(MapView, { props }), calls };
  }

  it("names every space for a screen reader, with what is lit", () => {
    const lights = new Map([["middle", { kind: "battle" as const, text: "1", words: "in reach, 1 space away" }]]);
    const { getByRole } = shown({ lights });
    expect(getByRole("button", { name: /^Middle, held by the Blueland.*in reach/ })).toBeTruthy();
    expect(getByRole("button", { name: /^Red Home.*2 Red infantry, 1 Red tank$/ })).toBeTruthy();
  });

  it("tells clicks, clicks with ctrl, units and the right button", () => {
    const { container, calls } = shown();
    const middle = container.querySelector('[data-space="middle"]')!;
    middle.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    middle.dispatchEvent(new MouseEvent("click", { bubbles: true, ctrlKey: true }));
    middle.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true }));
    container.querySelector('[data-unit="tank"]')!.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(calls).toEqual(["space middle false", "space middle true", "back middle", "unit red-home tank"]);
  });

  it("is played with keys: Enter selects, digits pick units", () => {
    const { container, calls } = shown();
    const home = container.querySelector('[data-space="red-home"]')!;
    home.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true }));
    home.dispatchEvent(new KeyboardEvent("keydown", { key: "2", bubbles: true }));
    expect(calls).toEqual(["space red-home true", "unit red-home tank"]);
  });

  it("has one stop for Tab", () => {
    const { container } = shown();
    expect(container.querySelectorAll('.area[tabindex="0"]')).toHaveLength(1);
  });

  it("hides names and values when they are not wanted", () => {
    expect(shown().container.querySelectorAll(".name").length).toBeGreaterThan(0);
    expect(shown({ textOnMap: false }).container.querySelectorAll(".name, .badge")).toHaveLength(0);
  });

  it("can show only the units that were placed", () => {
    const onlyUnits = new Map([["red-home", new Map([["tank", 1]])]]);
    const pieces = [...shown({ onlyUnits }).container.querySelectorAll(".piece")];
    expect(pieces.map((piece) => piece.outerHTML.includes("tank"))).toEqual([true]);
  });

  it("paints no ground itself: a worker does, from the map's paths", () => {
    const { container } = shown();
    expect(container.querySelectorAll("canvas")).toHaveLength(2);
    expect(container.querySelectorAll(".area")).toHaveLength(Object.keys(asset.spaces).length);
    const ground = groundOf(drawn(asset));
    expect(ground.lands.map((land) => land.id)).toEqual(["red-home", "middle"]);
    expect(ground.coast).toHaveLength(asset.coast.length);
    expect(boundsOf("M10 0L10 10Q12 5 4 -3Z")).toEqual({ x0: 4, y0: -3, x1: 12, y1: 10 });
    expect(boundsOf("M20 0V6")).toEqual({ x0: 20, y0: 0, x1: 20, y1: 6 });
  });

  describe("in motion", () => {
    beforeEach(() => void vi.useFakeTimers());
    afterEach(() => void vi.useRealTimers());

    const large = () => shown({ map: { ...drawn(asset), width: 2000, height: 1200 } });
    const painted = (container: Element) => container.querySelector(".map > g")!.getAttribute("transform");
    const moved = (container: Element) => container.querySelector<HTMLElement>(".sheet")!.style.transform;
    const wheel = (container: Element) =>
      container.querySelector(".board")!.dispatchEvent(new WheelEvent("wheel", { deltaY: 100, clientX: 300, clientY: 300, bubbles: true }));

    it("is painted anew when it has come to rest", () => {
      const { container, component } = large();
      const before = painted(container);
      component.zoomBy(0.95);
      expect([painted(container), moved(container) !== ""]).toEqual([before, true]);
      vi.advanceTimersByTime(150);
      expect([painted(container) === before, moved(container)]).toEqual([false, ""]);
    });

    it("is not painted while somebody has it in the hand, however slow that is", () => {
      const { container } = large();
      const before = painted(container);
      wheel(container);
      vi.advanceTimersByTime(140);
      wheel(container);
      vi.advanceTimersByTime(140);
      expect([painted(container), moved(container) !== ""]).toEqual([before, true]);
      vi.advanceTimersByTime(150);
      expect([painted(container) === before, moved(container)]).toEqual([false, ""]);
    });

    it("leaves nothing to be done when it goes away", () => {
      for (const move of [({ container }: ReturnType<typeof large>) => wheel(container), ({ component }: ReturnType<typeof large>) => component.zoomBy(0.95)]) {
        const map = large();
        move(map);
        map.unmount();
        expect(() => vi.runAllTimers()).not.toThrow();
      }
    });
  });
});

describe("pieces beside what is written", () => {
  it("stand below the name and the value of the land, where there is room", () => {
    const land = { ...asset.spaces.middle!, anchor: { x: 50, y: 40 }, label: { x: 50, y: 30, width: 20, height: 5 }, badge: { x: 50, y: 40, r: 4 }, slots: [{ x: 50, y: 38, r: 60 }], rings: [] };
    const item = { power: "red", unit: "infantry", count: 3, left: 0, done: false, cargo: [], marks: [], worn: [], hits: 0 };
    const label = { x0: 40, x1: 60, y0: 27, y1: 33 };
    const [block] = placed([{ id: "wide", space: land, camps: [{ attacks: true, power: "red", items: [item] }] }], new Map([["wide", label]]), 0.5, false);
    expect(block!.y - block!.height / 2).toBeGreaterThanOrEqual(44);
  });

  it("are large enough to be read wherever they stand singly", () => {
    for (const k of [1, 1.1, 1.24, 1.25, 1.5, 1.72, 2.6]) expect(ICON.width * unitsPerPixel(levelAt(k), 0.5) * k).toBeGreaterThanOrEqual(28);
  });

  it("has counters of about one size on a phone, from the whole world to where pieces are shown", () => {
    const sizes = [0.24, 0.3, 0.32, 0.42, 0.45, 0.59, 0.61, 0.9].map((k) => COUNTER.width * unitsPerPixel(levelAt(k), 0.22) * k);
    expect(Math.min(...sizes)).toBeGreaterThan(20);
    expect(Math.max(...sizes)).toBeLessThan(37);
  });
});
