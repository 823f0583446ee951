/** What is to be seen and heard of what happens: pieces on their way, fire, messages, and where one should look. */
import type { Change } from "../api/types";
import type { Tidings } from "./chronicle";
import { moves as animated, preferences } from "./preferences.svelte";
import { burstsOf, flightsOf, scene, type Burst, type Flight } from "./theatre";

const FLIGHT = 520; // milliseconds that a piece is on its way
const BURST = 900;
const A_MESSAGE = 6000;

export class Stage {
  flights = $state.raw<Flight[]>([]);
  bursts = $state.raw<Burst[]>([]);
  /** What the map should have in view. */
  scene = $state.raw<string[]>([]);
  announced = $state.raw<(Tidings & { id: number })[]>([]);
  /** For screen readers. */
  spoken = $state("");

  private counter = 0;

  /** Pieces travel, shells burst, and the map goes where it happens. */
  perform(change: Change, battle: string | null): void {
    if (!animated() || (preferences.quickComputer && change.by !== "human")) return;
    const number = (): number => ++this.counter;
    const flights = flightsOf(change, number);
    const bursts = burstsOf(change, battle, number);
    if (flights.length) {
      this.flights = [...this.flights, ...flights];
      setTimeout(() => (this.flights = this.flights.filter((flight) => !flights.includes(flight))), FLIGHT);
    }
    if (bursts.length) {
      this.bursts = [...this.bursts, ...bursts];
      setTimeout(() => (this.bursts = this.bursts.filter((burst) => !bursts.includes(burst))), BURST);
    }
    const place = change.by === "human" ? [] : scene(change, battle);
    if (place.length) this.scene = place;
  }

  /** Fire over a space, when dice are shown one after the other. */
  burst(space: string, power: string): void {
    if (!animated()) return;
    const burst: Burst = { id: ++this.counter, space, kind: "fire", power };
    this.bursts = [...this.bursts, burst];
    setTimeout(() => (this.bursts = this.bursts.filter((other) => other !== burst)), BURST);
  }

  announce(news: Tidings): void {
    const most = preferences.quickComputer ? 2 : 4;
    const id = ++this.counter;
    this.announced = [...this.announced, { ...news, id }].slice(-most);
    setTimeout(() => (this.announced = this.announced.filter((other) => other.id !== id)), A_MESSAGE);
  }
}
