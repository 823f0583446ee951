/** What happened, for people: the log as far as it holds, and what of a change is worth telling. */
import type { Change, LogLine } from "../api/types";

const FIGHTS = new Set(["casualties", "battle-ended", "rolled"]);
/** What says how a battle went; what follows it, such as boats that surface again, does not. */
const ENDS = new Set(["battle-ended", "captured"]);

/** The log after a change: what was taken back disappears, what was done is added. */
export function logged(lines: readonly LogLine[], change: Change): LogLine[] {
  const at = change.state.at;
  if (change.type === "seat" || change.type === "drop") return [...lines];
  const kept = lines.filter((line) => (change.type === "order" || change.type === "redo" ? line.at < at : line.at <= at));
  if (change.type !== "order" && change.type !== "redo") return kept;
  const fights = change.events.filter((event) => FIGHTS.has(event.kind) && event.space);
  const ended = fights.some((event) => event.kind === "battle-ended");
  const line: LogLine = {
    at,
    round: change.state.round,
    turn: change.state.turn,
    phase: change.state.phase,
    power: change.power,
    order: change.order ?? "",
    sentences: change.sentences,
    dice: change.dice,
    throws: change.events.flatMap((event) => event.throws ?? []),
    battle: fights[0]?.space ?? null,
    ended,
    outcome: ended ? (change.events.findLast((event) => ENDS.has(event.kind) && event.sentence)?.sentence ?? null) : null,
  };
  return [...kept, line];
}

export function byRound(lines: readonly LogLine[]): { round: number; turn: string; lines: LogLine[] }[] {
  const found: { round: number; turn: string; lines: LogLine[] }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last && last.round === line.round && last.turn === line.turn) last.lines.push(line);
    else found.push({ round: line.round, turn: line.turn, lines: [line] });
  }
  return found;
}

const ALWAYS = new Set(["captured", "technology", "battle-ended", "neutral", "rocket", "surrendered", "won", "turn", "forfeited", "stranded-landed"]);
const OF_OTHERS = new Set(["bought", "placed", "moved", "boarded", "landed", "battle", "withdrew", "researched", "paid"]);

/** Something worth a line on the map, with the dice that decided it if they fell in no battle. */
export interface Tidings {
  text: string;
  power: string;
  faces?: readonly number[];
}

/** Rockets: they fly outside of battles, so their dice are shown with what they did. */
export function rocketNews(change: Change): Tidings[] {
  const fired = change.events.filter((event) => event.kind === "rolled" && event.reason === "rocket");
  const brought = change.events.filter((event) => event.kind === "damaged" || (event.kind === "paid" && event.reason === "rocket"));
  return fired.map((event, i) => ({
    text: brought[i]?.sentence ?? event.sentence ?? "",
    power: event.power ?? change.power,
    faces: event.faces ?? [],
  }));
}

/** What is worth a line on the map: everything new for what others do, only consequences for what oneself does. */
export function newsworthy(change: Change, quick: boolean): Tidings[] {
  const own = change.by === "human";
  return change.events
    .filter((event) => ALWAYS.has(event.kind) || (!own && !quick && OF_OTHERS.has(event.kind)))
    .flatMap((event) => (event.sentence ? [{ text: event.sentence, power: event.kind === "turn" ? change.state.turn : change.power }] : []));
}

/** A line without what only names the next phase: the log has a heading for that. */
export function withoutHeadings(line: LogLine, phases: readonly { title: string }[]): LogLine {
  const names = phases.map((phase) => `: ${phase.title.toLowerCase()}.`);
  return { ...line, sentences: line.sentences.filter((sentence) => !names.some((name) => sentence.endsWith(name))) };
}

/** One entry of the log: an order, or all orders of a battle. */
export interface Item {
  battle: string | null;
  lines: LogLine[];
}

/** The lines of a turn by phase; those of one battle are one entry. */
export function chapters(lines: readonly LogLine[]): { phase: string; items: Item[] }[] {
  const found: { phase: string; items: Item[] }[] = [];
  let fight: string | null = null; // the battle that is not over yet
  for (const line of lines) {
    const battle: string | null = line.battle ?? fight;
    const phase = battle ? "combat" : line.phase; // the order that ends the moves opens the first battle
    if (found.at(-1)?.phase !== phase) found.push({ phase, items: [] });
    const items = found.at(-1)!.items;
    const last = items.at(-1);
    if (battle && last?.battle === battle) last.lines.push(line);
    else items.push({ battle, lines: [line] });
    fight = battle && !line.ended ? battle : null;
  }
  return found;
}
