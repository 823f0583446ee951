/** What is to be seen and heard of what happens: pieces on their way, fire, messages, and where one should look. */
import type { BattleFrame, Change } from "../api/types";
import { newsworthy, rocketNews, type Tidings } from "./chronicle";
import { moves as animated, preferences } from "./preferences.svelte";
import { changeSounds, diceSound, turnSound } from "./sound";
import type { Index } from "./table";
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

  /** A step of a battle comes up: dice fall, shells burst. */
  witness(frame: BattleFrame): void {
    if (frame.kind === "opened") this.scene = [frame.battle.space];
    if (frame.kind === "volley") {
      diceSound(frame.rolls.reduce((sum, roll) => sum + roll.faces.length, 0));
      this.burst(frame.battle.space, frame.rolls[0]?.power ?? "");
    }
    if (frame.words.length) this.spoken = frame.words.join(" ");
  }

  /**
   * What a change brought, in words and sounds. Of a battle that was seen step by step, everything has been told; one on its board tells
   * itself; somebody at this screen whose turn it is now is called.
   */
  tell(change: Change, index: Index | null, { witnessed, onBoard, called }: { witnessed: boolean; onBoard: boolean; called: boolean }): void {
    if (!onBoard && !witnessed) for (const news of newsworthy(change, preferences.quickComputer)) this.announce(news);
    if (change.type === "order") for (const news of rocketNews(change)) this.announce(news);
    if (change.sentences.length && !witnessed) this.spoken = change.sentences.join(" ");
    const heard = witnessed ? { ...change, events: change.events.filter((event) => event.kind !== "rolled") } : change;
    if (index && (change.by === "human" || !preferences.quickComputer)) changeSounds(heard, index);
    if (called) turnSound();
  }

  /** Fire over a space, when dice are shown one after the other. */
  private burst(space: string, power: string): void {
    if (!animated()) return;
    const burst: Burst = { id: ++this.counter, space, kind: "fire", power };
    this.bursts = [...this.bursts, burst];
    setTimeout(() => (this.bursts = this.bursts.filter((other) => other !== burst)), BURST);
  }

  private announce(news: Tidings): void {
    const most = preferences.quickComputer ? 2 : 4;
    const id = ++this.counter;
    this.announced = [...this.announced, { ...news, id }].slice(-most);
    setTimeout(() => (this.announced = this.announced.filter((other) => other.id !== id)), A_MESSAGE);
  }
}
