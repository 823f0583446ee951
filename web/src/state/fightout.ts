/** Battles that fight themselves: the cheapest are lost first, nobody retreats. */
import type { KindOf } from "../questions/kind";
import type { Session } from "./session.svelte";

const MOST_ANSWERS = 500;
const PATIENCE = 60_000; // milliseconds for a computer's answer

/** Answer every question of the open battle, or of all battles, until something else is asked. */
export async function fightOut(session: Session, kindOf: KindOf, all: boolean): Promise<void> {
  const { turn, phase, battle } = session.live ?? {};
  for (let i = 0; i < MOST_ANSWERS; i++) {
    const state = session.live;
    if (state?.turn !== turn || state?.phase !== phase || !state?.decision) return;
    if (!all && state.battle?.space !== battle?.space) return;
    const question = state.decision;
    if (question.player !== "human") {
      if (session.wire.trouble || !(await session.screening.nextChange(PATIENCE))) return; // a computer defends, and is asked for its losses
      continue;
    }
    const kind = kindOf(question.kind);
    const answer = kind.fighting ? (question.suggestion ?? kind.quick?.(question)) : null;
    if (!answer || !(await session.order(answer))) return;
  }
}
