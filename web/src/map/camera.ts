/** Where the map lies in its window so that something is seen beside the panels: geometry only, nothing moves here. */
import { zoomIdentity, type ZoomTransform } from "d3-zoom";
import { held, nearest, unrolled, type Covered, type Place } from "./geometry";

const BAR = 54; // pixels at the head of the window, always covered
const EDGE = 50; // pixels between what is looked at and the next panel
const HEAD = 88; // the same at the head: pieces stand above the names of their spaces
const NEAR = 16; // the same where the map gives way only as far as it must
const FARTHEST = 1; // to which the map is zoomed out by itself, to have something in view

export interface Frame {
  width: number;
  height: number;
}

/** The map, the window that it is seen through, and what panels cover of it. */
export interface Sight {
  map: { width: number; height: number; wraps: boolean };
  frame: Frame;
  covered: Covered;
}

const least = (values: readonly number[]): number => Math.min(...values);
const most = (values: readonly number[]): number => Math.max(...values);

/** How far round the world is, if it is round. */
export const roundness = (map: Sight["map"]): number | null => (map.wraps ? map.width : null);

/** The zoom that shows the whole world beside the panels, if they leave enough room. */
export function leastZoom({ map, frame, covered: { top, right, bottom, left } }: Sight): number {
  const fit = (width: number, height: number): number => Math.min(width / map.width, height / map.height);
  return Math.max(fit(frame.width - left - right, frame.height - top - bottom), 0.7 * fit(frame.width, frame.height));
}

/** The same place, but no farther out of the window than the map may lie. */
export function within(transform: ZoomTransform, { map, frame, covered }: Sight): ZoomTransform {
  const { x, y } = held(transform, map, frame, covered);
  return x === transform.x && y === transform.y ? transform : zoomIdentity.translate(x, y).scale(transform.k);
}

/**
 * Where the map has to lie so that these points are in the middle of what is free, as far as its edges allow. Panels do
 * not reach from edge to edge, so it fills the whole window and is drawn out from under them only as far as it must be.
 */
export function placed(wished: readonly Place[], k: number, sight: Sight): ZoomTransform {
  const { map, frame } = sight;
  const { top, right, bottom, left } = sight.covered;
  const points = unrolled(wished, roundness(map));
  const along = (values: number[], lies: number, from: number, to: number, before = EDGE): number => {
    const [first, last] = [from + before - least(values) * k, to - EDGE - most(values) * k];
    return first > last ? (first + last) / 2 : Math.min(last, Math.max(first, lies));
  };
  const middle = (values: number[], from: number, to: number): number => (from + to - (least(values) + most(values)) * k) / 2;
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const wish = { x: middle(xs, left, frame.width - right), y: middle(ys, top, frame.height - bottom), k };
  const full = held(wish, map, frame, { top: Math.min(top, BAR), right: 0, bottom: 0, left: 0 });
  const x = along(xs, full.x, left, frame.width - right);
  const y = along(ys, full.y, top, frame.height - bottom, HEAD);
  return within(zoomIdentity.translate(x, y).scale(k), sight);
}

/** What of the map is in the middle of the window from west to east. */
const middleOf = (at: ZoomTransform, frame: Frame): number => (frame.width / 2 - at.x) / at.k;

/** The same place by the shorter way round the world from where the map lies now. */
export function closest(goal: ZoomTransform, now: ZoomTransform, { map, frame }: Sight): ZoomTransform {
  const around = roundness(map);
  if (!around) return goal;
  const there = nearest(middleOf(goal, frame), middleOf(now, frame), around);
  return zoomIdentity.translate(frame.width / 2 - there * goal.k, goal.y).scale(goal.k);
}

/** Where a point is in the window, in pixels; of a round world, its copy nearest to the middle. */
export function inWindow(point: Place, now: ZoomTransform, { map, frame }: Sight): Place {
  const around = roundness(map);
  const x = around ? nearest(point.x, middleOf(now, frame), around) : point.x;
  return { x: x * now.k + now.x, y: point.y * now.k + now.y };
}

/** Where the map has to lie to have some points in view, near to each other as they are, and no farther off than `near`; null if they are. */
export function viewOf(points: readonly Place[], now: ZoomTransform, sight: Sight, near = 0): ZoomTransform | null {
  const { map, frame, covered } = sight;
  const around = roundness(map);
  const [first, ...rest] = points;
  if (!first) return null;
  const begin = around ? { ...first, x: nearest(first.x, middleOf(now, frame), around) } : first;
  const there = unrolled([begin, ...rest], around);
  const seen = there.every(({ x, y }) => {
    const [left, top] = [x * now.k + now.x, y * now.k + now.y];
    return left > covered.left + EDGE && left < frame.width - covered.right - EDGE && top > covered.top + HEAD && top < frame.height - covered.bottom - EDGE;
  });
  if (seen && now.k >= near) return null;
  const [xs, ys] = [there.map(({ x }) => x), there.map(({ y }) => y)];
  const room = Math.min(
    (frame.width - covered.right - covered.left - 2 * EDGE) / Math.max(1, most(xs) - least(xs)),
    (frame.height - covered.top - covered.bottom - HEAD - EDGE) / Math.max(1, most(ys) - least(ys)),
  );
  return placed(there, Math.max(leastZoom(sight), Math.min(Math.max(now.k, near), Math.max(room, FARTHEST))), sight);
}

/** The least that the map has to give way for these points to lie clear of the panels; null if they do. */
export function nudged(points: readonly Place[], now: ZoomTransform, sight: Sight): ZoomTransform | null {
  const { frame, covered } = sight;
  const seen = points.map((point) => inWindow(point, now, sight));
  const short = (values: number[], from: number, to: number): number => {
    const [first, last] = [least(values), most(values)];
    if (first >= from && last <= to) return 0;
    return first < from ? from + NEAR - first : to - NEAR - last;
  };
  const x = short(seen.map((point) => point.x), covered.left, frame.width - covered.right);
  const y = short(seen.map((point) => point.y), covered.top, frame.height - covered.bottom);
  return x || y ? within(zoomIdentity.translate(now.x + x, now.y + y).scale(now.k), sight) : null;
}

/** The place between two, for a part of the way that began quickly and ends slowly. */
export function between(from: ZoomTransform, to: ZoomTransform, part: number): ZoomTransform {
  if (part >= 1) return to; // exactly: which pieces are shown depends on it
  const eased = part * (2 - part);
  const mix = (a: number, b: number): number => a + (b - a) * eased;
  return zoomIdentity.translate(mix(from.x, to.x), mix(from.y, to.y)).scale(mix(from.k, to.k));
}
