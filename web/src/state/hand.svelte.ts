/** What is picked up: which units, where they can go, and what has to be asked before they do. */
import { call } from "../api/client";
import type { Destination, Reach, RefusedSpace, TransportChoice } from "../api/types";
import { move as moveOrder, type Amount } from "./orders";
import { orderFor, sent, targets, toggled, type Selection, type Target } from "./selection";
import type { Session } from "./session.svelte";
import { groups, typeOf } from "./table";

/** Planes over a target where they can do more than one thing, or troops that can walk or be dropped. */
export interface RoleQuestion {
  selection: Selection;
  target: Target;
  units: Amount[];
}

/** Several transports could be boarded or left: which one? */
export interface TransportQuestion {
  space: string;
  units: Amount[];
  choices: TransportChoice[];
}

/** A transport with cargo was picked: does it sail, or do they go ashore? */
export interface CargoQuestion {
  space: string;
  transport: string;
  cargo: Amount[];
}

export class Hand {
  selection = $state.raw<Selection | null>(null);
  targets = $state.raw<ReadonlyMap<string, Target>>(new Map());
  /** Neighbouring spaces where the picked units cannot go, with the reason. */
  refused = $state.raw<ReadonlyMap<string, RefusedSpace>>(new Map());
  /** Why the picked units cannot go where the pointer is. */
  whyNot = $state.raw<{ space: string; message: string; rules: string[] } | null>(null);
  /** Each click sends everything that is picked, as with Ctrl; for fingers. */
  sendAll = $state(false);
  /** What is in hand was picked up with one click, and goes with one. */
  private together = $state(false);
  roles = $state.raw<RoleQuestion | null>(null);
  transport = $state.raw<TransportQuestion | null>(null);
  cargo = $state.raw<CargoQuestion | null>(null);

  constructor(private readonly session: Session) {}

  get sendsAll(): boolean {
    return this.sendAll || this.together;
  }

  set sendsAll(all: boolean) {
    this.sendAll = all;
    this.together = false;
  }

  /** Put everything down. */
  drop(): void {
    this.together = false;
    this.selection = null;
    this.targets = new Map();
    this.refused = new Map();
    this.whyNot = null;
    this.roles = null;
    this.cargo = null;
    this.transport = null;
  }

  /** What the server says of what is picked; nothing if it cannot move any more. */
  take(reach: Reach | null | undefined): void {
    this.selection = reach ? { space: reach.space, units: reach.units } : null;
    this.targets = reach ? targets(reach) : new Map();
    this.refused = new Map(reach?.refused.map((each) => [each.space, each]) ?? []);
  }

  /** Units were clicked on the map or in the list. */
  pick(space: string, unit: string, add: boolean): Promise<void> {
    return this.session.clicks.inTurn(async () => {
      const { session } = this;
      session.inspected = space;
      const elsewhere = this.selection && this.selection.space !== space;
      if (!session.mine || !session.movers.some((mover) => mover.space === space && mover.unit === unit)) {
        if (elsewhere) await session.clickNow(space, false);
        else if (session.mine) this.unload(space, unit);
        return;
      }
      if (elsewhere && this.targets.has(space)) {
        await session.clickNow(space, false);
        return;
      }
      session.problem = null;
      const aboard = add || this.selection?.space === space ? [] : this.aboard(space, unit);
      if (aboard.length) this.cargo = { space, transport: unit, cargo: aboard };
      else this.choose(toggled(this.selection, space, unit, add));
    });
  }

  async pickAll(space: string): Promise<void> {
    const units = this.session.movers.filter((mover) => mover.space === space).map((mover) => mover.unit);
    const chosen = this.choose(units.length ? { space, units } : null);
    this.together = units.length > 0;
    await chosen;
  }

  /** Units are dragged: they are picked up, unless they are part of what is. */
  grab(space: string, unit: string): void {
    this.session.inspected = space;
    if (this.selection?.space === space && this.selection.units.includes(unit)) return;
    this.session.problem = null;
    void this.choose({ space, units: [unit] });
  }

  /** What can be unloaded from ships of this kind. */
  private aboard(space: string, ship: string): Amount[] {
    const { live, index, movers } = this.session;
    if (!live || !index) return [];
    const group = groups(live.spaces[space]?.units ?? [], index).find((each) => each.power === live.turn && each.unit === ship);
    return (group?.cargo ?? []).filter((item) => movers.some((mover) => mover.space === space && mover.unit === item.unit));
  }

  /** A ship that cannot sail on was clicked: what it carries is picked up to go ashore, or put down again. */
  private unload(space: string, ship: string): void {
    const units = this.aboard(space, ship).map(({ unit }) => unit);
    const held = units.length > 0 && units.every((unit) => this.selection?.units.includes(unit));
    if (units.length) void this.choose(held ? null : { space, units });
  }

  /** The answer to the question whether a transport sails or unloads. */
  answerCargo(units: string[]): void {
    const question = this.cargo;
    this.cargo = null;
    if (question && units.length) void this.choose({ space: question.space, units });
  }

  choose(selection: Selection | null): Promise<void> {
    this.selection = selection;
    this.together = false;
    this.whyNot = null;
    return this.session.clicks.during(this.askTargets(selection));
  }

  private async askTargets(selection: Selection | null): Promise<void> {
    if (!selection) {
      this.take(null);
      return;
    }
    const { space, units } = selection;
    const able = this.session.movers.filter((mover) => mover.space === space && units.includes(mover.unit));
    const roles = [...new Set(able.flatMap((mover) => mover.roles))];
    try {
      const query = { space, units, ...(roles.length ? { roles } : {}) };
      const reach = await call("get", "/api/games/{game}/legal/reach", { path: { game: this.session.id }, query });
      if (this.selection === selection) this.take(reach);
    } catch (error) {
      this.session.fail(error);
    }
  }

  /** Ask why the picked units cannot go to a space, while the pointer is there. */
  async wonder(space: string): Promise<void> {
    const { selection, session } = this;
    if (!selection || selection.space === space || this.targets.has(space) || this.whyNot?.space === space) return;
    const known = this.refused.get(space);
    if (known) {
      this.whyNot = known;
      return;
    }
    const order = moveOrder(sent(selection, session.movers, false), [selection.space, space]);
    try {
      const verdict = await call("get", "/api/games/{game}/legal/why", { path: { game: session.id }, query: { order } });
      if (session.hovered === space && this.selection === selection && !verdict.legal) {
        this.whyNot = { space, message: verdict.message ?? "", rules: verdict.rules };
      }
    } catch {
      // a hint that does not come is no trouble
    }
  }

  /** A space was clicked while units are picked. */
  async send(space: string, all: boolean): Promise<void> {
    const { selection, session } = this;
    if (!selection || selection.space === space) return;
    const target = this.targets.get(space);
    const units = sent(selection, session.movers, all || this.sendsAll);
    const only = target?.roles[0];
    if (!target) await session.courier.explain(moveOrder(units, [selection.space, space]));
    else if (target.roles.length > 1 || (target.plain && only)) this.roles = { selection, target, units };
    else if (target.plain && target.plain.transports.length > 1) this.transport = { space, units, choices: target.plain.transports };
    else if (target.plain) await session.order(orderFor(selection, target.plain, await this.fitting(selection, target.plain, units)));
    else if (only) await session.order(orderFor(selection, only.destination, units, only.role));
  }

  /** As many of the only kind that is sent as there is room for aboard the ships of a zone; the others stay in hand. */
  private async fitting(selection: Selection, there: Destination, units: Amount[]): Promise<Amount[]> {
    const { session } = this;
    const [one] = units;
    const boards = session.index?.spaces.get(there.space)?.kind === "sea" && session.index.units.get(typeOf(one?.unit ?? ""))?.domain === "land";
    if (!one || units.length > 1 || !boards) return units;
    for (let count = one.count; count > 1; count--) {
      const order = orderFor(selection, there, [{ ...one, count }]);
      const verdict = await call("get", "/api/games/{game}/legal/why", { path: { game: session.id }, query: { order } });
      if (verdict.legal) return [{ ...one, count }];
    }
    return [{ ...one, count: 1 }];
  }

  /** The answer to the question which transport; null: whichever fits. */
  async decideTransport(choice: TransportChoice | null): Promise<void> {
    const { transport: question, selection } = this;
    const target = question && this.targets.get(question.space)?.plain;
    this.transport = null;
    if (!question || !target || !selection) return;
    const ship = choice ? { type: choice.unit, power: choice.power, cargo: choice.cargo } : null;
    await this.session.order(orderFor(selection, target, question.units) + (ship ? by(ship) : ""));
  }

  /** The answer to the question in which roles units go: so many of each kind in each; null is a plain move. */
  async decideRoles(parts: { role: string | null; units: Amount[] }[]): Promise<void> {
    const question = this.roles;
    this.roles = null;
    if (!question) return;
    for (const { role, units } of parts) {
      const there = destinationAs(question.target, role);
      if (!there || !units.some(({ count }) => count)) continue;
      if (!(await this.session.order(orderFor(question.selection, there, units, role ?? undefined)))) return;
    }
  }
}

function destinationAs(target: Target, role: string | null): Destination | null {
  return role === null ? target.plain : (target.roles.find((each) => each.role === role)?.destination ?? null);
}

function by({ type, power, cargo }: { type: string; power: string; cargo: Amount[] }): string {
  return ` by 1 ${power} ${type} carrying ${cargo.map(({ unit, count }) => `${count} ${unit}`).join(" + ") || "nothing"}`;
}
