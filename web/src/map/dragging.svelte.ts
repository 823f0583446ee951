/** Units that are dragged over the map with the pointer. A press that hardly moves stays a click. */
import type { Group } from "../state/table";

const FAR_ENOUGH = 7; // pixels

interface Held {
  space: string;
  unit: string;
  power: string;
  x: number;
  y: number;
}

export interface Hands {
  board(): HTMLElement;
  movable(space: string, unit: string): boolean;
  /** Units are lifted from the board. */
  lifted(space: string, unit: string): void;
  over(space: string): void;
  dropped(space: string, all: boolean): void;
}

const under = (event: PointerEvent): string | null =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-at]")?.getAttribute("data-at") ?? null;

export class Dragging {
  /** What is under the pointer, and where in the board. */
  held = $state.raw<Held | null>(null);
  /** Something was just dropped: the click that follows means nothing. */
  done = false;
  private pressed: Held | null = null;

  constructor(private readonly hands: Hands) {}

  press(event: PointerEvent, space: string, { unit, power }: Group): void {
    if (event.button !== 0 || !this.hands.movable(space, unit) || event.ctrlKey || event.shiftKey) return;
    this.pressed = { space, unit, power, x: event.clientX, y: event.clientY };
    (event.target as Element).releasePointerCapture?.(event.pointerId);
  }

  move(event: PointerEvent): void {
    const { pressed } = this;
    if (!pressed) return;
    if (!this.held) {
      if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < FAR_ENOUGH) return;
      this.hands.lifted(pressed.space, pressed.unit);
    }
    const box = this.hands.board().getBoundingClientRect();
    this.held = { ...pressed, x: event.clientX - box.left, y: event.clientY - box.top };
    const there = under(event);
    if (there) this.hands.over(there);
  }

  drop(event: PointerEvent): void {
    const from = this.held;
    this.cancel();
    if (!from) return;
    this.done = true;
    setTimeout(() => (this.done = false));
    const there = under(event);
    if (there && there !== from.space) this.hands.dropped(there, event.ctrlKey || event.metaKey);
  }

  cancel(): void {
    this.pressed = null;
    this.held = null;
  }
}
