import { zoomIdentity } from "d3-zoom";
import { describe, expect, it } from "vitest";
import { between, closest, inWindow, leastZoom, nudged, placed, viewOf, within, type Sight } from "../src/map/camera";
import { between as betweenBlocks, loadAt } from "../src/map/ways";

const FREE = { top: 0, right: 0, bottom: 0, left: 0 };
const flat: Sight = { map: { width: 2000, height: 1000, wraps: false }, frame: { width: 1000, height: 600 }, covered: FREE };
const round: Sight = { ...flat, map: { ...flat.map, wraps: true } };
const at = (x: number, y: number, k: number) => zoomIdentity.translate(x, y).scale(k);

describe("where the map lies", () => {
  it("shows the whole world beside the panels, but not as small as one likes", () => {
    expect(leastZoom(flat)).toBeCloseTo(0.5);
    expect(leastZoom({ ...flat, covered: { ...FREE, right: 200 } })).toBeCloseTo(0.4);
    expect(leastZoom({ ...flat, covered: { ...FREE, right: 900 } })).toBeCloseTo(0.35);
  });

  it("has a point in the middle of what panels leave free", () => {
    const covered = { ...FREE, right: 300 };
    const lies = placed([{ x: 1000, y: 500 }], 2, { ...flat, covered });
    expect(inWindow({ x: 1000, y: 500 }, lies, flat)).toEqual({ x: 350, y: 300 });
  });

  it("keeps the edges of the map out of the window, except where the world is round", () => {
    expect(within(at(500, 10, 1), flat)).toMatchObject({ x: 0, y: 0 });
    expect(within(at(500, 10, 1), round)).toMatchObject({ x: 500, y: 0 });
  });

  it("goes the shorter way round the world", () => {
    const east = at(-1400, 0, 1); // 1900 is in the middle
    const west = at(400, 0, 1); // 100 is
    expect(closest(west, east, flat)).toEqual(west);
    expect(closest(west, east, round).x).toBe(-1600);
  });

  it("gives way only as far as a panel covers something", () => {
    const now = at(-500, -200, 1);
    const beside: Sight = { ...flat, covered: { ...FREE, right: 300 } };
    expect(nudged([{ x: 1100, y: 500 }, { x: 1190, y: 540 }], now, beside)).toBeNull();
    expect(nudged([{ x: 1150, y: 500 }, { x: 1250, y: 540 }], now, beside)).toMatchObject({ x: -566, y: -200 });
    expect(nudged([{ x: 600, y: 190 }, { x: 700, y: 230 }], now, beside)).toMatchObject({ x: -500, y: -174 });
  });

  it("moves only if something is out of view", () => {
    const now = at(-500, -200, 1);
    expect(viewOf([], now, flat)).toBeNull();
    expect(viewOf([{ x: 1000, y: 500 }], now, flat)).toBeNull();
    const goal = viewOf([{ x: 1990, y: 500 }], now, flat)!;
    expect(goal.x).toBeLessThan(now.x);
    // of a round world, what is near by over the edge is not looked for at the other end
    expect(viewOf([{ x: 1990, y: 500 }], at(300, -200, 1), round)).toBeNull();
  });

  it("goes farther away to have two places in view together", () => {
    const now = at(-500, -200, 2);
    const goal = viewOf([{ x: 300, y: 400 }, { x: 1000, y: 500 }], now, flat)!;
    expect(goal.k).toBeLessThan(2);
    expect(goal.k).toBeGreaterThanOrEqual(1);
  });

  it("begins quickly and ends slowly", () => {
    const [from, to] = [at(0, 0, 1), at(100, 0, 2)];
    expect(between(from, to, 0.5)).toMatchObject({ x: 75, k: 1.75 });
    expect(between(from, to, 1)).toMatchObject({ x: 100, k: 2 });
  });
});

describe("ways between what stands at their ends", () => {
  const [from, to] = [{ x: 0, y: 0, width: 20, height: 20 }, { x: 100, y: 0, width: 40, height: 20 }];

  it("begin and end at the edge of it", () => {
    expect(betweenBlocks([{ x: 0, y: 0 }, { x: 100, y: 0 }], from, to)).toEqual([{ x: 10, y: 0 }, { x: 80, y: 0 }]);
  });

  it("have their load where it hides nothing", () => {
    const line = [{ x: 0, y: 0 }, { x: 100, y: 0 }];
    const size = { width: 10, height: 10 };
    expect(loadAt(line, size, []).x).toBeCloseTo(40);
    expect(loadAt(line, size, [{ x: 40, y: 5, width: 14, height: 30 }]).x).toBeGreaterThan(50);
    // a short way between two blocks has it beside the line
    expect(Math.abs(loadAt(line, size, [{ x: 50, y: 3, width: 300, height: 12 }]).y)).toBeGreaterThan(8);
    expect(loadAt(line, size, [{ x: 50, y: 0, width: 300, height: 300 }]).x).toBeCloseTo(40); // hidden anyhow
  });
});
