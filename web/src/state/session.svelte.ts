/**
 * One open game: what the server last said, and how orders get there.
 *
 * What the player has in hand, what is shown and where in time one looks are parts of their own (`Hand`, `Placing`,
 * `Cart`, `Show`, `Stage`, `TimeMachine`); what a click means depends on the question and stands in `questions/`.
 */
import { call } from "../api/client";
import { Live, type Status } from "../api/live";
import { asProblem, Problem } from "../api/problem";
import type { components } from "../api/schema";
import type {
  BattleFrame, BattleReport, Change, Decision, GameInfo, LiveMessage, LogLine, Mover, MoveView, Newspaper, State, Thinking, Trouble, Turn,
} from "../api/types";
import type { Drawn } from "../map/geometry";
import type { KindOf, QuestionKind } from "../questions/kind";
import { actsOf, concernsPeople, people } from "./audience";
import { boardMap } from "./boards";
import { Cart } from "./cart.svelte";
import { logged, newsworthy, rocketNews } from "./chronicle";
import { Draft } from "./draft.svelte";
import { fightOut } from "./fightout";
import { Hand } from "./hand.svelte";
import { TimeMachine } from "./machine.svelte";
import { Placing } from "./placing.svelte";
import { who } from "./people.svelte";
import { Playback, pause } from "./playback";
import { moves as animated, preferences } from "./preferences.svelte";
import { Show, type Act } from "./show.svelte";
import { changeSounds, diceSound, turnSound } from "./sound";
import { Stage } from "./stage.svelte";
import { applied, indexed, type Index } from "./table";

/** In words, or as an object with the parts that its form asked for: the server checks what is in it. */
export type Order = string | Record<string, unknown>;
type OrderBody = components["schemas"]["OrderBody"]["order"];

/** Something that cannot be taken back, or not easily, and is asked about before it is done. */
export type Offer = "end" | "fight" | "fight-all";

export class Session {
  info = $state.raw<GameInfo | null>(null);
  index = $state.raw<Index | null>(null);
  map = $state.raw<Drawn | null>(null);
  live = $state.raw<State | null>(null);
  log = $state.raw<LogLine[]>([]);
  /** What the next click needs, in the player's own phases. */
  turn = $state.raw<Turn | null>(null);

  inspected = $state<string | null>(null);
  hovered = $state<string | null>(null);
  offer = $state<Offer | null>(null);

  news = $state.raw<Newspaper | null>(null);
  /** What the last order brought, for dice that are shown after it. */
  latest = $state.raw<Change | null>(null);
  problem = $state.raw<Problem | null>(null);
  fatal = $state.raw<Problem | null>(null);
  thinking = $state.raw<Thinking | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  connection = $state<Status>("connecting");
  /** Changes that wait to be shown. */
  waiting = $state(0);
  busy = $state(false);
  /** Clicks and questions to the server that are not answered yet. */
  private underWay = $state(0);
  /** Battles are being fought out by themselves. */
  fighting = $state(false);
  /** The person who was last asked to take the seat. */
  sitting = $state<string | null>(null);

  readonly hand = new Hand(this);
  readonly placing = new Placing(this);
  readonly cart = new Cart();
  readonly draft = new Draft();
  readonly stage = new Stage();
  readonly machine: TimeMachine = new TimeMachine(this);
  readonly show = new Show(() => this.speed(), (frame) => this.witness(frame));
  /** Battles that were fought out, until somebody has read about them. */
  fought = $state.raw<BattleReport[]>([]);

  readonly past: State | null = $derived(this.machine.past);
  readonly shown: State | null = $derived(this.past ?? this.live);
  readonly movers = $derived<Mover[]>(this.turn?.movers ?? []);
  readonly moves = $derived<MoveView[]>(this.turn?.moves ?? []);
  readonly decision = $derived<Decision | null>(this.live?.decision ?? null);
  readonly kind = $derived.by((): QuestionKind => this.kindOf(this.decision?.kind));
  readonly mine = $derived(this.past === null && this.decision?.player === "human" && this.isMine(this.decision.seat) && !this.show.playing);
  /** The people before this screen. */
  readonly humans = $derived(this.live?.seats.filter((seat) => seat.player === "human" && this.isMine(seat.name)).map((seat) => seat.name) ?? []);
  /** The battle on the board: the step that is being shown, or the one that is open. */
  readonly battle = $derived(this.show.frame?.battle ?? this.shown?.battle ?? null);
  /** Nothing is under way and nothing waits to be shown but what is to be read: what one sees is what there is. */
  readonly atRest = $derived(
    !this.busy && this.underWay === 0 && !this.show.playing && (this.waiting === 0 || this.show.report !== null),
  );
  /** Several people share this screen, and another one than before has to play. */
  readonly handOver = $derived(
    this.mine && this.humans.length > 1 && this.decision !== null && this.decision.seat !== this.sitting && !this.kind.fighting,
  );

  private socket: Live | null = null;
  private playback: Playback | null = null;
  private asked = 0;
  private asking: Promise<void> = Promise.resolve();
  private clicks: Promise<void> = Promise.resolve();
  private woken: (() => void)[] = [];
  private early: Change[] = [];

  constructor(
    readonly id: string,
    private readonly kindOf: KindOf,
  ) {}

  /** Where people are known, one answers for the seats that are one's own; else for all who share the screen. */
  private isMine(seat: string): boolean {
    return who.me === null || this.live?.seats.find((each) => each.name === seat)?.person === who.me.id;
  }

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
        (change) => this.present(change),
        () => void this.reload(),
        (change, waiting) => this.lasts(change, waiting),
        (waiting) => (this.waiting = waiting),
      );
      this.socket = new Live(this.id, state.version, {
        change: (change) => this.hearChange(change),
        message: (message) => this.hear(message),
        reset: () => void this.reload(),
        status: (status) => this.connected(status),
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
    this.show.stop();
  }

  private connected(status: Status): void {
    if (status === "open" && this.problem?.kind === "offline") this.problem = null; // it is back, and so is the game
    this.connection = status;
  }

  private async reload(): Promise<void> {
    const path = { game: this.id };
    const [state, log] = await Promise.all([
      call("get", "/api/games/{game}/state", { path }),
      call("get", "/api/games/{game}/log", { path }),
    ]);
    this.show.stop();
    this.live = state;
    this.log = log.lines;
    this.playback?.restart(state.version);
    this.socket?.seen(state.version);
    await this.ask();
  }

  // ------------------------------------------------------------ what the server says

  /** The same change comes as the answer to an order, with what the next click needs: that one is waited for. */
  private hearChange(change: Change): void {
    if (this.busy) this.early.push(change);
    else this.receive(change);
  }

  private receive(change: Change): void {
    this.playback?.take(change);
    this.socket?.seen(this.playback?.newest ?? change.number);
  }

  private lasts(change: Change, waiting: number): number {
    if (preferences.quickComputer || this.fighting || !animated() || document.hidden) return 0;
    return pause(change, waiting);
  }

  private speed(): typeof preferences.battles {
    return this.fighting || !animated() || document.hidden ? "once" : preferences.battles;
  }

  /** Show at once what waits to be shown. */
  hurry(): void {
    this.playback?.hurry();
    if (this.show.playing) this.show.hurry();
  }

  /** Whether the battle board is shown: a person has units in the battle. */
  onBoard(state: State): boolean {
    const { battle } = state;
    return battle != null && this.index !== null && concernsPeople(battle, state.spaces[battle.space]?.owner, people(state, this.index));
  }

  /** What of a change is shown before the table changes; battles that fight themselves are read about afterwards. */
  private acts(change: Change): Act[] {
    if (!this.live || !this.index) return [];
    const wish = { steps: this.speed() !== "once", quick: preferences.quickComputer };
    const acts = actsOf(change, this.live, this.index, wish);
    if (!this.fighting) return acts;
    this.fought = [...this.fought, ...acts.flatMap((act) => ("report" in act ? [act.report] : []))];
    return [];
  }

  /** It is the change's turn: first what happened in battle, then the table as it is after it. */
  private present(change: Change): void {
    const acts = this.acts(change);
    if (!acts.length) {
      this.take(change);
      return;
    }
    this.playback?.hold();
    this.show.play(acts, () => {
      this.take(change, acts.some((act) => "frame" in act));
      if (!this.show.reports.length) this.playback?.resume();
    });
  }

  /** The player has read about a battle. */
  read(): void {
    this.show.read();
    if (!this.show.playing && !this.show.reports.length) this.playback?.resume();
  }

  /** A step of a battle comes up. */
  private witness(frame: BattleFrame): void {
    if (frame.kind === "opened") this.look([frame.battle.space]);
    if (frame.kind === "volley") {
      diceSound(frame.rolls.reduce((sum, roll) => sum + roll.faces.length, 0));
      this.stage.burst(frame.battle.space, frame.rolls[0]?.power ?? "");
    }
    if (frame.words.length) this.stage.spoken = frame.words.join(" ");
  }

  private take(change: Change, witnessed = false): void {
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
    if (!witnessed) this.stage.perform(change, before.battle?.space ?? null);
    this.latest = change;
    this.draft.clear();
    this.tell(change, before, witnessed);
    if (change.type === "drop") void this.readLog(); // later orders stay, but their places change
    if (before.phase !== state.phase || before.turn !== state.turn) this.drop();
    if (state.round > before.round && change.type === "order") void this.readNews(before.round);
    const question = state.decision;
    if (question?.player === "human" && this.kindOf(question.kind).fighting && !state.battle) {
      this.look([question.space ?? "", ...question.places].filter(Boolean));
    }
    if (change.turn?.version === state.version) this.learn(change.turn);
    else if (question?.player === "human" || state.over) this.during(this.ask());
    else this.forget();
    const woken = this.woken;
    this.woken = [];
    for (const wake of woken) wake();
  }

  private tell(change: Change, before: State, witnessed: boolean): void {
    const person = change.by === "human";
    if (!this.onBoard(before) && !this.fighting && !witnessed) {
      for (const news of newsworthy(change, preferences.quickComputer)) this.stage.announce(news);
    }
    if (change.type === "order") for (const news of rocketNews(change)) this.stage.announce(news);
    if (change.sentences.length && !witnessed) this.stage.spoken = change.sentences.join(" ");
    const heard = witnessed ? { ...change, events: change.events.filter((event) => event.kind !== "rolled") } : change;
    if (this.index && (person || !preferences.quickComputer)) changeSounds(heard, this.index);
    if (change.state.turn !== before.turn && change.state.decision?.player === "human" && this.isMine(change.state.decision.seat)) turnSound();
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
    this.news = await call("get", "/api/games/{game}/newspaper", { path: { game: this.id }, query: { round } });
  }

  // ------------------------------------------------------------ what the next click needs

  /** What the player has in hand, to be told about it with the next answer. */
  private asks() {
    const { hand, placing } = this;
    return {
      space: hand.selection?.space ?? null,
      units: hand.selection?.units ?? [],
      placing: placing.unit,
      placing_of: placing.of,
    };
  }

  /** Ask for everything that a click needs, if there is anything to click for. */
  async ask(): Promise<void> {
    const question = this.live?.decision;
    if (question?.player !== "human") {
      this.forget();
      return;
    }
    const number = ++this.asked;
    const query = Object.fromEntries(Object.entries(this.asks()).filter(([, value]) => value !== null));
    try {
      const turn = await call("get", "/api/games/{game}/legal/turn", { path: { game: this.id }, query });
      if (number === this.asked) this.learn(turn);
    } catch (error) {
      this.fail(error);
    }
  }

  private learn(turn: Turn): void {
    this.asked++;
    this.turn = turn;
    this.hand.take(turn.reach);
    this.placing.take(turn);
  }

  private forget(): void {
    this.asked++;
    this.turn = null;
    this.hand.take(null);
  }

  /** Clicks wait until this is done. */
  during(work: Promise<void>): Promise<void> {
    this.asking = work;
    this.underWay++;
    return work.finally(() => this.underWay--);
  }

  /** Put down whatever was picked up. */
  drop(): void {
    this.hand.drop();
    this.placing.drop();
    this.draft.clear();
    this.cart.clear();
    this.offer = null;
  }

  look(spaces: string[]): void {
    this.stage.scene = spaces;
  }

  get scene(): string[] {
    return this.stage.scene;
  }

  set scene(spaces: string[]) {
    this.stage.scene = spaces;
  }

  fail(error: unknown): void {
    const problem = asProblem(error);
    if (problem.kind === "stale") {
      void this.reload();
      return;
    }
    this.problem = problem;
    this.stage.spoken = problem.message;
  }

  // ------------------------------------------------------------ orders

  /** Give an order, in words or as an object; true if it was carried out. */
  order(order: Order): Promise<boolean> {
    return this.change(() =>
      call("post", "/api/games/{game}/orders", {
        path: { game: this.id },
        body: { order: order as OrderBody, version: this.live?.version ?? null, asks: this.asks() },
      }),
    );
  }

  /** Take back the last order, or an earlier one; later ones stay if they can. */
  undo(at?: number): Promise<boolean> {
    const which = at === undefined || at === this.live?.at ? {} : { at };
    return this.change(() => call("post", "/api/games/{game}/undo", { path: { game: this.id }, body: { ...which, asks: this.asks() } }));
  }

  redo(): Promise<boolean> {
    return this.change(() => call("post", "/api/games/{game}/redo", { path: { game: this.id }, body: { asks: this.asks() } }));
  }

  sit(seat: string, player: string): Promise<boolean> {
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
    if (this.busy || this.show.playing) return false;
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
      const early = this.early;
      this.early = [];
      for (const change of early) this.receive(change);
    }
  }

  /** This phase is finished; what lies in the cart is bought first. */
  async finish(): Promise<void> {
    this.offer = null;
    if (this.kind.finish && !(await this.kind.finish(this))) return;
    this.drop();
    await this.order("end");
  }

  /** Carry an order out, or say why it would be refused, with the rule. */
  async explain(order: string): Promise<void> {
    try {
      const verdict = await call("get", "/api/games/{game}/legal/why", { path: { game: this.id }, query: { order } });
      if (verdict.legal) await this.order(verdict.order);
      else this.fail(new Problem("refused", verdict.message ?? "That is not possible.", verdict.rules, verdict.culprits));
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answer everything in this battle, or in all of them, by itself. */
  async fightOut(all: boolean): Promise<void> {
    this.offer = null;
    this.fighting = true;
    this.fought = [];
    try {
      await fightOut(this, this.kindOf, all);
    } finally {
      this.fighting = false;
      if (this.fought.length === 1) {
        this.show.reports = this.fought;
        this.fought = [];
      }
    }
  }

  /** Wait until something happens; false if nothing does. */
  nextChange(patience: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), patience);
      this.woken.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  // ------------------------------------------------------------ clicks

  /**
   * Clicks are answered one after the other: whoever clicks three times quickly sends three units, although the answer
   * to the first order is still on its way.
   */
  inTurn(act: () => Promise<void>): Promise<void> {
    this.underWay++;
    this.clicks = this.clicks.then(async () => {
      await this.asking;
      await act();
      await this.asking;
    }).catch((error: unknown) => this.fail(error)).finally(() => this.underWay--);
    return this.clicks;
  }

  /** A space was clicked: what that means, the question says. */
  clickSpace(space: string, all: boolean): Promise<void> {
    return this.inTurn(() => this.clickNow(space, all));
  }

  async clickNow(space: string, all: boolean): Promise<void> {
    this.inspected = space;
    if (this.mine && this.decision) await this.kind.click(this, space, all);
  }

  // ------------------------------------------------------------ time machine

  openTimeMachine(): Promise<void> {
    return this.machine.open();
  }

  visit(at: number): Promise<void> {
    return this.machine.visit(at);
  }
}
