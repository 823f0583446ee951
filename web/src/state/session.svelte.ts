/**
 * One open game: what the server last said, and what the player is about to do.
 *
 * The pure parts (merging changes, selections, orders, logs) are functions of their own; this class keeps their
 * results where Svelte sees them and talks to the server.
 */
import { call } from "../api/client";
import { Live, type Status } from "../api/live";
import { asProblem, Problem } from "../api/problem";
import type {
  BattleReport, Change, Decision, GameInfo, LiveMessage, LogLine, Mover, MoveView, Newspaper, Places, Reach, RefusedSpace, State,
  Thinking, Timeline, TransportChoice, Trouble,
} from "../api/types";
import type { Drawn } from "../map/geometry";
import { boardMap } from "./boards";
import { stepped, type Counts } from "./counts";
import { logged, newsworthy } from "./chronicle";
import { buy, move as moveOrder, place as placeOrder, repair } from "./orders";
import { Playback, pause } from "./playback";
import { moves as animated, preferences } from "./preferences.svelte";
import { orderFor, remaining, sent, targets, toggled, type Selection, type Target } from "./selection";
import { changeSounds, turnSound } from "./sound";
import { applied, groups, indexed, type Index } from "./table";
import { burstsOf, flightsOf, scene, type Burst, type Flight } from "./theatre";
import { stepTo, type Step } from "./timemachine";

const MOVING = new Set(["combat-move", "noncombat-move"]);
const FIGHTING = new Set(["casualties", "retreat", "submarines", "battle", "rocket", "stranded"]);
const MOST_ANSWERS = 500; // of a battle that is fought out by itself
const FLIGHT = 520; // milliseconds that a piece is on its way
const BURST = 900;
const PATIENCE = 60_000; // for a computer's answer while a battle is fought out

export interface RaidQuestion {
  selection: Selection;
  target: Target;
  count: number;
}

/** Several transports could be boarded or left: which one? */
export interface TransportQuestion {
  space: string;
  units: { unit: string; count: number }[];
  choices: TransportChoice[];
}

/** A transport with cargo was picked: does it sail, or do they go ashore? */
export interface CargoQuestion {
  space: string;
  transport: string;
  cargo: { unit: string; count: number }[];
}

export class Session {
  info = $state.raw<GameInfo | null>(null);
  index = $state.raw<Index | null>(null);
  map = $state.raw<Drawn | null>(null);
  live = $state.raw<State | null>(null);
  past = $state.raw<State | null>(null);
  /** What had been moved in the phase that the time machine shows. */
  pastMoves = $state.raw<MoveView[]>([]);
  log = $state.raw<LogLine[]>([]);
  moves = $state.raw<MoveView[]>([]);
  movers = $state.raw<Mover[]>([]);
  timeline = $state.raw<Timeline | null>(null);

  selection = $state.raw<Selection | null>(null);
  targets = $state.raw<Map<string, Target>>(new Map());
  inspected = $state<string | null>(null);
  hovered = $state<string | null>(null);
  /** Neighbouring spaces where the picked units cannot go, with the reason. */
  refused = $state.raw<ReadonlyMap<string, RefusedSpace>>(new Map());
  raid = $state.raw<RaidQuestion | null>(null);
  transport = $state.raw<TransportQuestion | null>(null);
  cargo = $state.raw<CargoQuestion | null>(null);
  /** Each click sends everything that is picked, as with Ctrl; for fingers. */
  sendAll = $state(false);
  /** Why the picked units cannot go where the pointer is. */
  whyNot = $state.raw<{ space: string; message: string; rules: string[] } | null>(null);
  placing = $state<string | null>(null);
  /** Whose new units are placed: the one whose turn it is, or a power that it plays. */
  placingOf = $state<string | null>(null);
  places = $state.raw<Places | null>(null);
  onlyPlaced = $state(false);
  /** What the player is about to buy; kept here so that hiding the panel loses nothing. */
  cart = $state.raw<Counts>({});
  /** Damage that the player is about to repair, by space. */
  repairs = $state.raw<Counts>({});

  /** Battles that are over, until the player has read about them. */
  ended = $state.raw<BattleReport[]>([]);
  news = $state.raw<Newspaper | null>(null);
  /** What the last order brought, for dice that are shown after it. */
  latest = $state.raw<Change | null>(null);
  announced = $state.raw<{ text: string; power: string; id: number }[]>([]);
  spoken = $state("");
  problem = $state.raw<Problem | null>(null);
  fatal = $state.raw<Problem | null>(null);
  thinking = $state.raw<Thinking | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  connection = $state<Status>("connecting");
  flights = $state.raw<Flight[]>([]);
  bursts = $state.raw<Burst[]>([]);
  /** What the map should have in view. */
  scene = $state.raw<string[]>([]);
  /** Changes that wait to be shown. */
  waiting = $state(0);
  busy = $state(false);
  fighting = $state(false);
  /** The person who was last asked to take the seat. */
  sitting = $state<string | null>(null);

  readonly shown = $derived(this.past ?? this.live);
  readonly decision = $derived<Decision | null>(this.live?.decision ?? null);
  readonly mine = $derived(this.past === null && this.decision?.player === "human");
  readonly humans = $derived(this.live?.seats.filter((seat) => seat.player === "human").map((seat) => seat.name) ?? []);
  /** Several people share this screen, and another one than before has to play. */
  readonly handOver = $derived(
    this.mine &&
      this.humans.length > 1 &&
      this.decision !== null &&
      this.decision.seat !== this.sitting &&
      !FIGHTING.has(this.decision.kind),
  );

  private socket: Live | null = null;
  private playback: Playback | null = null;
  private counter = 0;
  private asked = 0;
  private asking: Promise<void> = Promise.resolve();
  private clicks: Promise<void> = Promise.resolve();
  private woken: (() => void) | null = null;
  private fought: BattleReport[] = [];

  constructor(readonly id: string) {}

  // ------------------------------------------------------------ opening and closing

  async open(): Promise<void> {
    try {
      const path = { game: this.id };
      const info = await call("get", "/api/games/{game}", { path });
      const world = await call("get", "/api/games/{game}/world", { path });
      const [map, state, log] = await Promise.all([
        boardMap(world.board ?? world.edition),
        call("get", "/api/games/{game}/state", { path }),
        call("get", "/api/games/{game}/log", { path }),
      ]);
      this.info = info;
      this.index = indexed(world);
      this.map = map;
      this.live = state;
      this.log = log.lines;
      this.sitting = this.humans.length === 1 ? (this.humans[0] ?? null) : null;
      this.playback = new Playback(
        state.version,
        (change) => this.take(change),
        () => void this.reload(),
        (change, waiting) => this.lasts(change, waiting),
        (waiting) => (this.waiting = waiting),
      );
      this.socket = new Live(this.id, state.version, {
        change: (change) => this.receive(change),
        message: (message) => this.hear(message),
        reset: () => void this.reload(),
        status: (status) => (this.connection = status),
      });
      this.socket.start();
      await this.ask();
    } catch (error) {
      this.fatal = asProblem(error);
    }
  }

  close(): void {
    this.socket?.stop();
    this.playback?.stop();
  }

  /** Show at once what waits to be shown. */
  hurry(): void {
    this.playback?.hurry();
  }

  private async reload(): Promise<void> {
    const path = { game: this.id };
    const [state, log] = await Promise.all([
      call("get", "/api/games/{game}/state", { path }),
      call("get", "/api/games/{game}/log", { path }),
    ]);
    this.live = state;
    this.log = log.lines;
    this.playback?.restart(state.version);
    this.socket?.seen(state.version);
    await this.ask();
  }

  // ------------------------------------------------------------ what the server says

  private receive(change: Change): void {
    this.playback?.take(change);
    this.socket?.seen(this.playback?.newest ?? change.number);
  }

  private lasts(change: Change, waiting: number): number {
    if (preferences.quickComputer || this.fighting || !animated() || document.hidden) return 0;
    return pause(change, waiting, this.live?.battle != null && this.onBoard(this.live));
  }

  /** Whether the battle board is shown: a person has units in the battle. */
  onBoard(state: State): boolean {
    if (!state.battle) return false;
    const people = this.people(state);
    return [...state.battle.attack.powers, ...state.battle.defense.powers, state.battle.attacker].some((power) => people.has(power));
  }

  /** Powers that people play, with those without a turn of their own. */
  private people(state: State): Set<string> {
    const seated = new Set(state.seats.filter((seat) => seat.player === "human").flatMap((seat) => seat.powers));
    const others = this.index?.world.powers.filter((power) => power.played_by && seated.has(power.played_by)) ?? [];
    return new Set([...seated, ...others.map((power) => power.id)]);
  }

  private perform(change: Change, battle: string | null): void {
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

  private take(change: Change): void {
    const before = this.live;
    if (!before) return;
    const state = applied(before, change);
    if (state === before) return;
    if (state === null) {
      void this.reload();
      return;
    }
    this.live = state;
    this.log = logged(this.log, change);
    this.perform(change, before.battle?.space ?? null);
    this.latest = change;
    this.tell(change, before);
    if (change.type === "drop") void this.readLog(); // later orders stay, but their places change
    const concerned = change.type === "order" ? change.battles.filter((report) => this.concerns(report, change)) : [];
    if (this.fighting) this.fought.push(...concerned);
    else if (concerned.length) {
      this.ended = [...this.ended, ...concerned];
      this.playback?.hold();
    }
    if (before.phase !== state.phase || before.turn !== state.turn) this.drop();
    if (state.round > before.round && change.type === "order") void this.readNews(before.round);
    if (state.decision?.kind === "stranded" && state.decision.player === "human") this.scene = [state.decision.space ?? "", ...state.decision.places].filter(Boolean);
    if (state.decision?.player === "human" || state.over) this.asking = this.ask();
    else this.forget();
    const woken = this.woken;
    this.woken = null;
    woken?.();
  }

  private tell(change: Change, before: State): void {
    const person = change.by === "human";
    const onBoard = this.onBoard(before); // the battle board shows it
    if (!onBoard && !this.fighting) {
      for (const { text, power } of newsworthy(change, preferences.quickComputer)) this.announce(text, power);
    }
    if (change.sentences.length) this.spoken = change.sentences.join(" ");
    if (this.index && (person || !preferences.quickComputer)) changeSounds(change, this.index);
    if (change.state.turn !== before.turn && change.state.decision?.player === "human") turnSound();
  }

  private announce(text: string, power: string): void {
    const most = preferences.quickComputer ? 2 : 5;
    const id = ++this.counter;
    this.announced = [...this.announced, { text, power, id }].slice(-most);
    setTimeout(() => (this.announced = this.announced.filter((other) => other.id !== id)), 6000);
  }

  /** Whether a battle is worth a window of its own: a person fought in it, and there were dice. */
  private concerns(report: BattleReport, change: Change): boolean {
    const people = this.people(change.state);
    if (preferences.quickComputer && !people.has(report.attacker)) return false;
    const powers = [report.attacker, ...report.rolls.map((roll) => roll.power), ...Object.keys(report.lost), ...Object.keys(report.money), this.live?.spaces[report.space]?.owner ?? ""];
    return report.rolls.length > 0 && powers.some((power) => people.has(power));
  }

  /** The player has read about a battle. */
  read(): void {
    this.ended = this.ended.slice(1);
    if (!this.ended.length) this.playback?.resume();
  }

  private async readLog(): Promise<void> {
    try {
      this.log = (await call("get", "/api/games/{game}/log", { path: { game: this.id } })).lines;
    } catch (error) {
      this.fail(error);
    }
  }

  private hear(message: Exclude<LiveMessage, Change>): void {
    switch (message.type) {
      case "hello":
        this.thinking = message.thinking ?? null;
        this.trouble = message.trouble ?? null;
        break;
      case "thinking":
        this.thinking = message.active ? message : null;
        if (message.active) this.trouble = null;
        break;
      case "trouble":
        this.trouble = message;
        break;
      case "deleted":
        this.fatal = new Problem("not-found", "This game was deleted.");
        this.close();
        break;
      default:
    }
  }

  private async readNews(round: number): Promise<void> {
    if (!preferences.newspaper || !this.humans.length) return;
    const news = await call("get", "/api/games/{game}/newspaper", { path: { game: this.id }, query: { round } });
    this.news = news;
  }

  /** Ask what can be moved and what has been moved, as far as the question is about that. */
  private async ask(): Promise<void> {
    const state = this.live;
    if (!state || !MOVING.has(state.decision?.kind ?? "") || state.decision?.player !== "human") {
      this.forget();
      if (state?.decision?.kind === "mobilize") await this.askPlaces(this.placing);
      return;
    }
    const turn = ++this.asked;
    const path = { game: this.id };
    try {
      const [movers, moves] = await Promise.all([
        call("get", "/api/games/{game}/legal/targets", { path }),
        call("get", "/api/games/{game}/moves", { path }),
      ]);
      if (turn !== this.asked) return;
      this.movers = movers;
      this.moves = moves;
      const left = remaining(this.selection, movers);
      this.selection = left;
      await this.askTargets(left);
    } catch (error) {
      this.fail(error);
    }
  }

  private forget(): void {
    this.asked++;
    this.movers = [];
    this.moves = [];
    this.selection = null;
    this.targets = new Map();
  }

  /** Put down whatever was picked up. */
  drop(): void {
    this.selection = null;
    this.targets = new Map();
    this.raid = null;
    this.cargo = null;
    this.transport = null;
    this.whyNot = null;
    this.placing = null;
    this.places = null;
    this.onlyPlaced = false;
    this.cart = {};
    this.repairs = {};
  }

  fail(error: unknown): void {
    const problem = asProblem(error);
    if (problem.kind === "stale") {
      void this.reload();
      return;
    }
    this.problem = problem;
    this.spoken = problem.message;
  }

  // ------------------------------------------------------------ orders

  /** Give an order; true if it was carried out. */
  async order(text: string): Promise<boolean> {
    return this.change(() =>
      call("post", "/api/games/{game}/orders", {
        path: { game: this.id },
        body: { order: text, version: this.live?.version ?? null },
      }),
    );
  }

  async undo(): Promise<boolean> {
    return this.change(() => call("post", "/api/games/{game}/undo", { path: { game: this.id }, body: {} }));
  }

  async redo(): Promise<boolean> {
    return this.change(() => call("post", "/api/games/{game}/redo", { path: { game: this.id }, body: {} }));
  }

  async sit(seat: string, player: string): Promise<boolean> {
    return this.change(() =>
      call("post", "/api/games/{game}/seats/{seat}", { path: { game: this.id, seat }, body: { player } }),
    );
  }

  async runBots(running: boolean): Promise<void> {
    try {
      this.info = await call("post", "/api/games/{game}/bots", { path: { game: this.id }, body: { running } });
      if (running) this.trouble = null;
    } catch (error) {
      this.fail(error);
    }
  }

  private async change(send: () => Promise<Change>): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.problem = null;
    try {
      this.receive(await send());
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    } finally {
      this.busy = false;
    }
  }

  /** This phase is finished; what lies in the cart is bought first. */
  async finish(): Promise<void> {
    if (this.decision?.kind === "purchase") {
      for (const [space, points] of Object.entries(this.repairs)) {
        if (!(await this.order(repair(space, points)))) return;
        this.repairs = stepped(this.repairs, space, -points);
      }
      const cart = Object.entries(this.cart).map(([unit, count]) => ({ unit, count }));
      if (cart.length && !(await this.order(buy(cart)))) return;
    }
    this.drop();
    await this.order("end");
  }

  /** Take back one order of this phase; later ones stay if they can. */
  async takeBack(at: number): Promise<void> {
    await this.change(() =>
      call("post", "/api/games/{game}/undo", { path: { game: this.id }, body: at === this.live?.at ? {} : { at } }),
    );
  }

  /** The orders of this turn that placed units. */
  private placements(): LogLine[] {
    const state = this.live;
    return this.log.filter(
      (each) => state && each.round === state.round && each.turn === state.turn && each.at <= state.at && /^place /.test(each.order),
    );
  }

  /** The last order of this phase that placed units in a space. */
  placedAt(space: string): number | null {
    return this.placements().findLast((each) => each.order.endsWith(`: ${space}`))?.at ?? null;
  }

  /** What was placed this turn: space → unit → number. */
  placedUnits(): Map<string, Map<string, number>> {
    const found = new Map<string, Map<string, number>>();
    for (const { order } of this.placements()) {
      const [, units = "", space = ""] = /^place (.+): (\S+)$/.exec(order) ?? [];
      const there = found.get(space) ?? new Map<string, number>();
      for (const [, count, unit] of units.matchAll(/(\d+) ([a-z0-9-]+)/g)) there.set(unit!, (there.get(unit!) ?? 0) + Number(count));
      found.set(space, there);
    }
    return found;
  }

  /** Answer everything in battles by itself until the player is asked something else. */
  async fightAll(): Promise<void> {
    this.fighting = true;
    this.fought = [];
    const { turn, phase } = this.live ?? {};
    try {
      for (let i = 0; i < MOST_ANSWERS && this.live?.turn === turn && this.live?.phase === phase; i++) {
        const question = this.live?.decision;
        if (!question) break;
        if (question.player !== "human") {
          if (this.trouble || !(await this.nextChange())) break; // a computer defends, and is asked for its losses
          continue;
        }
        if (!FIGHTING.has(question.kind)) break;
        const answer = question.suggestion ?? quickAnswer(question);
        if (!answer || !(await this.order(answer))) break;
      }
    } finally {
      this.fighting = false;
      // A single battle is told as a whole; of many, a line each, since somebody was in a hurry.
      if (this.fought.length === 1) this.ended = [...this.ended, ...this.fought];
      else for (const report of this.fought) this.announce(report.sentences.at(-1) ?? "", report.attacker);
    }
  }

  /** Wait until something happens; false if nothing does. */
  private nextChange(): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), PATIENCE);
      this.woken = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  // ------------------------------------------------------------ the map

  /**
   * Clicks are answered one after the other: whoever clicks three times quickly sends three units, although the answer
   * to the first order is still on its way.
   */
  private inTurn(act: () => Promise<void>): Promise<void> {
    this.clicks = this.clicks.then(async () => {
      await this.asking;
      await act();
      await this.asking;
    }).catch((error: unknown) => this.fail(error));
    return this.clicks;
  }

  /** Units were clicked on the map or in the list. */
  pick(space: string, unit: string, add: boolean): Promise<void> {
    return this.inTurn(() => this.pickNow(space, unit, add));
  }

  private async pickNow(space: string, unit: string, add: boolean): Promise<void> {
    this.inspected = space;
    if (!this.mine || !this.movers.some((mover) => mover.space === space && mover.unit === unit)) {
      if (this.selection && this.selection.space !== space) await this.clickNow(space, false);
      return;
    }
    if (this.selection && this.selection.space !== space && this.targets.has(space)) {
      await this.clickNow(space, false);
      return;
    }
    this.problem = null;
    const aboard = add || this.selection?.space === space ? [] : this.aboard(space, unit);
    if (aboard.length) {
      this.cargo = { space, transport: unit, cargo: aboard };
      return;
    }
    this.choose(toggled(this.selection, space, unit, add));
  }

  /** Units are dragged: they are picked up, unless they are part of what is. */
  grab(space: string, unit: string): void {
    this.inspected = space;
    if (this.selection?.space === space && this.selection.units.includes(unit)) return;
    this.problem = null;
    this.choose({ space, units: [unit] });
  }

  /** What can be unloaded from ships of this kind. */
  private aboard(space: string, ship: string): { unit: string; count: number }[] {
    if (!this.live || !this.index) return [];
    const group = groups(this.live.spaces[space]?.units ?? [], this.index).find(
      (each) => each.power === this.live?.turn && each.unit === ship,
    );
    return (group?.cargo ?? []).filter((item) => this.movers.some((mover) => mover.space === space && mover.unit === item.unit));
  }

  /** The answer to the question whether a transport sails or unloads. */
  answerCargo(units: string[]): void {
    const question = this.cargo;
    this.cargo = null;
    if (question && units.length) this.choose({ space: question.space, units });
  }

  private choose(selection: Selection | null): void {
    this.selection = selection;
    this.whyNot = null;
    this.asking = this.askTargets(selection);
  }

  /** Ask why the picked units cannot go to a space, while the pointer is there. */
  async wonder(space: string): Promise<void> {
    const selection = this.selection;
    if (!selection || selection.space === space || this.targets.has(space) || this.whyNot?.space === space) return;
    const known = this.refused.get(space);
    if (known) {
      this.whyNot = known;
      return;
    }
    const order = moveOrder(sent(selection, this.movers, false), [selection.space, space]);
    try {
      const verdict = await call("get", "/api/games/{game}/legal/why", { path: { game: this.id }, query: { order } });
      if (this.hovered === space && this.selection === selection && !verdict.legal) {
        this.whyNot = { space, message: verdict.message ?? "", rules: verdict.rules };
      }
    } catch {
      // a hint that does not come is no trouble
    }
  }

  async pickAll(space: string): Promise<void> {
    const units = this.movers.filter((mover) => mover.space === space).map((mover) => mover.unit);
    this.choose(units.length ? { space, units } : null);
    await this.asking;
  }

  private async askTargets(selection: Selection | null): Promise<void> {
    if (!selection) {
      this.targets = new Map();
      return;
    }
    const { space, units } = selection;
    const ask = (role?: string): Promise<Reach> =>
      call("get", "/api/games/{game}/legal/reach", { path: { game: this.id }, query: { space, units, ...(role ? { role } : {}) } });
    try {
      const role = units.length === 1 ? "raid" : "paradrop"; // bombers alone, or with troops beside them
      const special = this.movers.some((mover) => mover.space === space && units.includes(mover.unit) && mover.roles.includes(role));
      const [plain, other] = await Promise.all([ask(), special ? ask(role) : Promise.resolve(null)]);
      if (this.selection !== selection) return;
      this.targets = targets(plain.destinations, other?.destinations, role);
      this.refused = new Map(plain.refused.map((each) => [each.space, each]));
    } catch (error) {
      this.fail(error);
    }
  }

  /** A space was clicked: send the picked units, fight there, place there, or look at it. */
  clickSpace(space: string, all: boolean): Promise<void> {
    return this.inTurn(() => this.clickNow(space, all));
  }

  private async clickNow(space: string, all: boolean): Promise<void> {
    this.inspected = space;
    const question = this.decision;
    if (!this.mine || !question) return;
    if (question.kind === "battle" && this.live?.pending.some((battle) => battle.space === space)) {
      await this.order(`battle ${space}`);
    } else if (question.kind === "retreat" && question.places.includes(space)) {
      await this.order(`retreat ${space}`);
    } else if (question.kind === "submarines" && question.places.includes(space)) {
      await this.order(`withdraw ${space}`);
    } else if (question.kind === "stranded" && question.places.includes(space)) {
      const there = question.orders.filter((order) => order.endsWith(` -> ${space}`));
      await this.order((all || this.sendAll ? there[0] : there.at(-1)) ?? "");
    } else if (question.kind === "rocket" && question.launches.some((launch) => launch.target === space)) {
      await this.order(`rocket ${question.launches.find((launch) => launch.target === space)!.gun} -> ${space}`);
    } else if (question.kind === "mobilize" && this.placing) {
      await this.put(space, all);
    } else if (this.selection && this.selection.space !== space) {
      await this.send(this.selection, space, all);
    }
  }

  private async send(selection: Selection, space: string, all: boolean): Promise<void> {
    const target = this.targets.get(space);
    const units = sent(selection, this.movers, all || this.sendAll);
    if (!target) {
      await this.explain(moveOrder(units, [selection.space, space]));
    } else if (target.plain && target.raid && target.role === "raid") {
      this.raid = { selection, target, count: units[0]?.count ?? 1 };
    } else if (target.plain && target.plain.transports.length > 1) {
      this.transport = { space, units, choices: target.plain.transports };
    } else if (target.plain) {
      await this.order(orderFor(selection, target.plain, units));
    } else if (target.raid) {
      await this.order(orderFor(selection, target.raid, units, target.role));
    }
  }

  /** The answer to the question which transport; null: whichever fits. */
  async decideTransport(choice: TransportChoice | null): Promise<void> {
    const question = this.transport;
    const target = question && this.targets.get(question.space)?.plain;
    const selection = this.selection;
    this.transport = null;
    if (!question || !target || !selection) return;
    const by = choice?.order.split(" by ")[1];
    await this.order(`${orderFor(selection, target, question.units)}${by ? ` by ${by}` : ""}`);
  }

  /** The answer to the question whether bombers raid or attack. */
  async decideRaid(raiders: number, attackers: number): Promise<void> {
    const question = this.raid;
    this.raid = null;
    if (!question) return;
    const { selection, target } = question;
    const unit = selection.units[0] ?? "";
    if (raiders && target.raid) {
      if (!(await this.order(orderFor(selection, target.raid, [{ unit, count: raiders }], "raid")))) return;
    }
    if (attackers && target.plain) await this.order(orderFor(selection, target.plain, [{ unit, count: attackers }]));
  }

  /** Why an order would be refused, with the rule. */
  private async explain(order: string): Promise<void> {
    try {
      const verdict = await call("get", "/api/games/{game}/legal/why", { path: { game: this.id }, query: { order } });
      if (verdict.legal) await this.order(verdict.order);
      else this.fail(new Problem("refused", verdict.message ?? "That is not possible.", verdict.rules, verdict.culprits));
    } catch (error) {
      this.fail(error);
    }
  }

  async choosePlacing(unit: string, power: string): Promise<void> {
    this.placing = this.placing === unit && this.placingOf === power ? null : unit;
    this.placingOf = power;
    await this.askPlaces(this.placing);
    if (this.places?.places.length) this.scene = this.places.places.map((place) => place.space);
  }

  /** New units to place: one's own, and those of powers that one plays. */
  readonly newUnits = $derived(
    Object.entries(this.live?.reserves ?? {}).flatMap(([power, units]) =>
      power === this.live?.turn || this.index?.powers.get(power)?.played_by === this.live?.turn
        ? Object.entries(units).map(([unit, count]) => ({ power, unit, count }))
        : [],
    ),
  );

  private async askPlaces(unit: string | null): Promise<void> {
    const wanted = this.newUnits.find((each) => each.unit === unit && each.power === this.placingOf) ?? this.newUnits[0];
    this.placing = wanted?.unit ?? null;
    this.placingOf = wanted?.power ?? null;
    if (!wanted) {
      this.places = null;
      return;
    }
    try {
      const query = { unit: wanted.unit, power: wanted.power };
      const places = await call("get", "/api/games/{game}/legal/places", { path: { game: this.id }, query });
      if (this.placing === wanted.unit && this.placingOf === wanted.power) this.places = places;
    } catch (error) {
      this.fail(error);
    }
  }

  private async put(space: string, all: boolean): Promise<void> {
    const unit = this.placing;
    if (!unit) return;
    const most = this.places?.places.find((place) => place.space === space)?.most;
    const owner = this.placingOf !== this.live?.turn ? this.placingOf : null;
    const order = placeOrder([{ unit: owner ? `${owner} ${unit}` : unit, count: all ? (most ?? 1) : 1 }], space);
    if (most === undefined) await this.explain(order);
    else await this.order(order);
  }

  // ------------------------------------------------------------ time machine

  async openTimeMachine(): Promise<void> {
    try {
      this.timeline = await call("get", "/api/games/{game}/timeline", { path: { game: this.id } });
    } catch (error) {
      this.fail(error);
    }
  }

  async visit(at: number): Promise<void> {
    try {
      if (!this.timeline) await this.openTimeMachine();
      if (at >= (this.live?.at ?? 0)) {
        this.past = null;
        return;
      }
      const parts = { path: { game: this.id }, query: { at } };
      const [state, moves] = await Promise.all([
        call("get", "/api/games/{game}/state", parts),
        call("get", "/api/games/{game}/moves", parts),
      ]);
      this.past = state;
      this.pastMoves = moves;
      const last = moves.findLast((move) => move.at === at);
      const there = last ? [last.path[0], last.path.at(-1)] : [state.battle?.space ?? state.decision?.space];
      this.scene = there.flatMap((space) => space ?? []);
    } catch (error) {
      this.fail(error);
    }
  }

  async travel(step: Step, direction: -1 | 1): Promise<void> {
    const to = this.timeline && stepTo(this.timeline, this.shown?.at ?? 0, step, direction);
    if (to !== null) await this.visit(to);
  }

  /** Play on from the point that is shown, in this game or in a copy; gives the id of the copy. */
  async playFromHere(into: "same" | "new"): Promise<string | null> {
    const at = this.past?.at;
    if (at === undefined) return null;
    try {
      const game = await call("post", "/api/games/{game}/copy", { path: { game: this.id }, query: { at, into } });
      this.past = null;
      this.timeline = null;
      return into === "new" ? game.id : null;
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  leaveTimeMachine(): void {
    this.past = null;
    this.timeline = null;
  }
}

/** What somebody in a hurry answers: fight on, stay, take whatever battle comes first. */
export function quickAnswer(question: Decision): string | null {
  switch (question.kind) {
    case "retreat":
      return "press";
    case "submarines":
    case "rocket":
      return "stay";
    case "battle":
      return question.orders.find((order) => order.startsWith("battle")) ?? null;
    case "stranded":
      return question.orders[0] ?? null;
    default:
      return null;
  }
}
