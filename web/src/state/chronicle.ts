/** What happened, for people: the log as far as it holds, and what of a change is worth telling. */
import type { Change, LogLine } from "../api/types";

/** The log after a change: what was taken back disappears, what was done is added. */
export function logged(lines: readonly LogLine[], change: Change): LogLine[] {
  const at = change.state.at;
  if (change.type === "seat" || change.type === "drop") return [...lines];
  const kept = lines.filter((line) => (change.type === "order" || change.type === "redo" ? line.at < at : line.at <= at));
  if (change.type !== "order" && change.type !== "redo") return kept;
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

/** What is worth a line on the map: everything new for what others do, only consequences for what oneself does. */
export function newsworthy(change: Change, quick: boolean): { text: string; power: string }[] {
  const own = change.by === "human";
  return change.events
    .filter((event) => ALWAYS.has(event.kind) || (!own && !quick && OF_OTHERS.has(event.kind)))
    .flatMap((event) => (event.sentence ? [{ text: event.sentence, power: event.kind === "turn" ? change.state.turn : change.power }] : []));
}

/** The lines of a turn by phase. */
export function chapters(lines: readonly LogLine[]): { phase: string; lines: LogLine[] }[] {
  const found: { phase: string; lines: LogLine[] }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    if (last?.phase === line.phase) last.lines.push(line);
    else found.push({ phase: line.phase, lines: [line] });
  }
  return found;
}
