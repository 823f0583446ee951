/**
 * One open game: what the server last said, and what the player looks at.
 *
 * Everything else is a part of its own: the way of orders (`Courier`), the live connection (`Wire`), what is shown before the table changes
 * (`Screening`, `Stage`), what was written about it (`Papers`), the player's hand (`Hand`, `Placing`, `Cart`, `Draft`) and earlier
 * moments (`TimeMachine`). What a click means depends on the question and stands in `questions/`.
 */
import { call } from "../api/client";
import { asProblem, Problem } from "../api/problem";
import type { BattleFrame, Change, Decision, GameInfo, Mover, MoveView, State, Turn } from "../api/types";
import type { Drawn } from "../map/geometry";
import type { KindOf, QuestionKind } from "../questions/kind";
import { boardMap } from "./boards";
import { Cart } from "./cart.svelte";
import { Clicks } from "./clicks.svelte";
import { Courier, type Order } from "./courier.svelte";
import { Draft } from "./draft.svelte";
import { fightOut } from "./fightout";
import { Hand } from "./hand.svelte";
import { TimeMachine } from "./machine.svelte";
import { Papers } from "./papers.svelte";
import { who } from "./people.svelte";
import { Placing } from "./placing.svelte";
import { preferences } from "./preferences.svelte";
import { Screening } from "./screening.svelte";
import { Stage } from "./stage.svelte";
import { applied, homeOf, indexed, type Index } from "./table";
import { Wire } from "./wire.svelte";

/** Something that cannot be taken back, or not easily, and is asked about before it is done. */
export type Offer = "end" | "fight" | "fight-all";

export class Session {
  info = $state.raw<GameInfo | null>(null);
  index = $state.raw<Index | null>(null);
  map = $state.raw<Drawn | null>(null);
  live = $state.raw<State | null>(null);
  /** What the next click needs, in the player's own phases. */
  turn = $state.raw<Turn | null>(null);
  /** What the last order brought, for dice that are shown after it. */
  latest = $state.raw<Change | null>(null);

  inspected = $state<string | null>(null);
  hovered = $state<string | null>(null);
  offer = $state<Offer | null>(null);
  problem = $state.raw<Problem | null>(null);
  fatal = $state.raw<Problem | null>(null);
  /** The person who was last asked to take the seat. */
  sitting = $state<string | null>(null);

  readonly hand = new Hand(this);
  readonly placing = new Placing(this);
  readonly cart = new Cart();
  readonly draft = new Draft();
  readonly stage = new Stage();
  readonly machine: TimeMachine = new TimeMachine(this);
  readonly clicks = new Clicks((error) => this.fail(error));
  readonly courier = new Courier(this);
  readonly screening = new Screening(this);
  readonly show = this.screening.show;
  readonly papers: Papers;
  readonly wire = new Wire({
    change: (change) => this.courier.hear(change),
    reset: () => this.reload(),
    back: () => {
      if (this.problem?.kind === "offline") this.problem = null;
    },
    deleted: () => {
      this.fatal = new Problem("not-found", "This game was deleted.");
      this.close();
    },
  });

  readonly past: State | null = $derived(this.machine.past);
  readonly shown: State | null = $derived(this.past ?? this.live);
  readonly movers = $derived<Mover[]>(this.turn?.movers ?? []);
  readonly moves = $derived<MoveView[]>(this.turn?.moves ?? []);
  readonly decision = $derived<Decision | null>(this.live?.decision ?? null);
  readonly kind = $derived.by((): QuestionKind => this.kindOf(this.decision?.kind));
  readonly busy = $derived(this.courier.busy);
  readonly showing = $derived(this.show.playing);
  readonly version = $derived(this.live?.version ?? null);
  readonly mine = $derived(this.past === null && this.decision?.player === "human" && this.isMine(this.decision.seat) && !this.showing);
  /** The people before this screen. */
  readonly humans = $derived(this.live?.seats.filter((seat) => seat.player === "human" && this.isMine(seat.name)).map((seat) => seat.name) ?? []);
  /** The battle on the board: the step that is being shown, or the one that is open. */
  readonly battle = $derived(this.show.frame?.battle ?? this.shown?.battle ?? null);
  /** Nothing is under way and nothing waits to be shown but what is to be read: what one sees is what there is. */
  readonly atRest = $derived(
    !this.busy && this.clicks.underWay === 0 && !this.showing && (this.screening.waiting === 0 || this.show.report !== null || this.screening.covered),
  );
  /** Several people share this screen, and another one than before has to play. */
  readonly handOver = $derived(
    this.mine && this.humans.length > 1 && this.decision !== null && this.decision.seat !== this.sitting && !this.kind.fighting,
  );

  /** Answers to earlier questions than this one come too late. */
  private asked = 0;

  constructor(
    readonly id: string,
    private readonly kindOf: KindOf,
  ) {
    this.papers = new Papers(id);
  }

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
      const [map, state] = await Promise.all([
        boardMap(world.board ?? world.edition),
        call("get", "/api/games/{game}/state", { path }),
        this.papers.readLog(),
      ]);
      this.info = info;
      this.index = indexed(world);
      this.map = map;
      this.live = state;
      this.sitting = this.humans.length === 1 ? (this.humans[0] ?? null) : null;
      this.screening.start(state.version);
      this.wire.start(this.id, state.version);
      await this.ask();
    } catch (error) {
      this.fatal = asProblem(error);
    }
  }

  close(): void {
    this.wire.stop();
    this.screening.stop();
  }

  /** Read everything anew: a change is missing, or what is seen is older than what the server has. */
  reload(): void {
    const read = async (): Promise<void> => {
      const [state] = await Promise.all([call("get", "/api/games/{game}/state", { path: { game: this.id } }), this.papers.readLog()]);
      this.live = state;
      this.screening.restart(state.version);
      this.wire.seen(state.version);
      await this.ask();
    };
    read().catch((error: unknown) => this.fail(error));
  }

  // ------------------------------------------------------------ what the server says

  /** A change, as the answer to an order or from the wire: the same one comes twice, and counts once. */
  receive(change: Change): void {
    this.wire.seen(this.screening.take(change));
  }

  witness(frame: BattleFrame): void {
    this.stage.witness(frame);
  }

  /** The table becomes what it is after a change. */
  take(change: Change, witnessed: boolean): void {
    const before = this.live;
    if (!before) return;
    const state = applied(before, change);
    if (state === before) return;
    if (state === null) {
      this.reload();
      return;
    }
    const begins = before.phase !== state.phase || before.turn !== state.turn;
    this.live = state;
    this.papers.write(change).catch((error: unknown) => this.fail(error));
    if (!witnessed) this.stage.perform(change, before.battle?.space ?? null);
    this.latest = change;
    this.draft.clear();
    this.stage.tell(change, this.index, {
      witnessed,
      onBoard: this.screening.onBoard(before) || this.screening.fighting,
      called: state.turn !== before.turn && state.decision?.player === "human" && this.isMine(state.decision.seat),
    });
    if (begins) this.drop();
    if (state.round > before.round && change.type === "order") this.readNews(before.round);
    const question = state.decision;
    if (question?.player === "human" && this.kindOf(question.kind).fighting && !state.battle) {
      this.look([question.space ?? "", ...question.places].filter(Boolean));
    }
    if (change.turn?.version === state.version) this.learn(change.turn, begins);
    else if (question?.player === "human" || state.over) void this.clicks.during(this.ask(begins));
    else this.forget();
  }

  private readNews(round: number): void {
    if (!preferences.newspaper || !this.humans.length) return;
    this.screening.cover();
    this.papers.readNews(round).catch((error: unknown) => {
      this.screening.uncover();
      this.fail(error);
    });
  }

  /** The newspaper was read. */
  putNewsAway(): void {
    this.papers.news = null;
    this.screening.uncover();
  }

  blame(problem: Problem | null): void {
    this.problem = problem;
  }

  fail(error: unknown): void {
    const problem = asProblem(error);
    if (problem.kind === "stale") {
      this.reload();
      return;
    }
    this.problem = problem;
    this.stage.spoken = problem.message;
  }

  // ------------------------------------------------------------ what the next click needs

  /** What the player has in hand, to be told about it with the next answer. */
  asks() {
    const { hand, placing } = this;
    return {
      space: hand.selection?.space ?? null,
      units: hand.selection?.units ?? [],
      placing: placing.unit,
      placing_of: placing.of,
    };
  }

  /** Ask for everything that a click needs, if there is anything to click for; when a phase begins, what it is about comes into view. */
  async ask(begins = false): Promise<void> {
    if (this.decision?.player !== "human") {
      this.forget();
      return;
    }
    const number = ++this.asked;
    const query = Object.fromEntries(Object.entries(this.asks()).filter(([, value]) => value !== null));
    try {
      const turn = await call("get", "/api/games/{game}/legal/turn", { path: { game: this.id }, query });
      if (number === this.asked) this.learn(turn, begins);
    } catch (error) {
      this.fail(error);
    }
  }

  private learn(turn: Turn, begins: boolean): void {
    this.asked++;
    this.turn = turn;
    this.hand.take(turn.reach);
    this.placing.take(turn);
    const about = begins && this.mine ? (this.kind.about?.(this) ?? []) : [];
    if (about.length) this.look(about);
  }

  private forget(): void {
    this.asked++;
    this.turn = null;
    this.hand.take(null);
  }

  // ------------------------------------------------------------ what the player does

  /** Give an order, in words or as an object; true if it was carried out. */
  order(order: Order): Promise<boolean> {
    return this.courier.give(order);
  }

  /** Take back the last order, or an earlier one. */
  undo(at?: number): Promise<boolean> {
    return this.courier.undo(at === this.live?.at ? undefined : at);
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

  home(power: string): string[] {
    return this.index ? homeOf(this.index, power) : [];
  }

  /** A space was clicked: what that means, the question says. */
  clickSpace(space: string, all: boolean): Promise<void> {
    return this.clicks.inTurn(() => this.clickNow(space, all));
  }

  async clickNow(space: string, all: boolean): Promise<void> {
    this.inspected = space;
    if (this.mine && this.decision) await this.kind.click(this, space, all);
  }

  /** This phase is finished; what lies in the cart is bought first. */
  async finish(): Promise<void> {
    this.offer = null;
    if (this.kind.finish && !(await this.kind.finish(this))) return;
    const { unit, of } = this.placing;
    this.drop();
    if (await this.order("end")) return;
    this.placing.hold(unit, of);
    await this.ask(); // something is to be done before: what it needs is at hand again
  }

  /** Answer everything in this battle, or in all of them, by itself. */
  async fightOut(all: boolean): Promise<void> {
    this.offer = null;
    await this.screening.unseen(() => fightOut(this, this.kindOf, all));
  }

  /** Let the computer that is thinking make up its mind quickly. */
  async hurryBot(): Promise<void> {
    try {
      await call("post", "/api/games/{game}/hurry", { path: { game: this.id } });
    } catch (error) {
      this.fail(error);
    }
  }

  /** Let the computers go on, or stop them. */
  async runBots(running: boolean): Promise<void> {
    try {
      this.info = await call("post", "/api/games/{game}/bots", { path: { game: this.id }, body: { running } });
      if (running) this.wire.trouble = null;
    } catch (error) {
      this.fail(error);
    }
  }
}
