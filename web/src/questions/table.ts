/**
 * The table of question kinds. A kind that stands here has a picture of its own; any other is answered by the general
 * one, with nothing but what the server says about it.
 */
import Casualties from "../panels/Casualties.svelte";
import AnyQuestion from "../panels/AnyQuestion.svelte";
import BattleChoice from "../panels/BattleChoice.svelte";
import BoardAsks from "../panels/BoardAsks.svelte";
import Mobilize from "../panels/Mobilize.svelte";
import Moving from "../panels/Moving.svelte";
import Purchase from "../panels/Purchase.svelte";
import Rising from "../panels/Rising.svelte";
import Research from "../panels/Research.svelte";
import type { Choice, Decision } from "../api/types";
import { inParts, placesFor, wantedPlaces } from "../state/draft.svelte";
import { choiceLights, lit, placeLights, rocketLights, targetLights } from "../state/lights";
import { rocket } from "../state/orders";
import type { Session } from "../state/session.svelte";
import { powerName } from "../state/table";
import type { KindOf, QuestionKind } from "./kind";

const NONE = async (): Promise<void> => undefined;
const DARK = () => new Map();
const at = (question: Decision | null, space: string): Choice[] => (question?.choices ?? []).filter((choice) => choice.place === space);

/** Any question: what the server lists is a button and a lit space; anything else is put together from its parts. */
const general: QuestionKind = {
  panel: AnyQuestion,
  board: AnyQuestion,
  fighting: true,
  lights: ({ decision, draft }) => {
    if (!decision) return new Map();
    const found = choiceLights(decision.choices);
    for (const form of inParts(decision) ? decision.forms : []) {
      for (const field of wantedPlaces(form)) {
        for (const space of placesFor(decision, form, field, draft.places)) {
          const chosen = draft.places[field] === space;
          found.set(space, { kind: chosen ? "place" : "move", text: "", ...(chosen ? { icon: "check" as const } : {}), words: `${form.label}: ${chosen ? "chosen" : "may be chosen"}` });
        }
      }
    }
    return found;
  },
  click: async (session, space) => {
    const { decision, draft } = session;
    const here = at(decision, space);
    if (here.length === 1) {
      await session.order(here[0]!.order);
      return;
    }
    for (const form of decision && inParts(decision) ? decision.forms : []) {
      const field = wantedPlaces(form).find((name) => placesFor(decision!, form, name, draft.places).includes(space));
      if (field) draft.put(field, space);
    }
  },
  next: ({ decision }) => decision?.places ?? [],
  quick: (question) => question.choices.find((choice) => choice.word === "stay")?.order ?? (question.answers.includes("stay") ? "stay" : null),
};

/** Units are picked up and sent. */
const moving: QuestionKind = {
  panel: Moving,
  knows: new Set(["move", "rocket", "assign"]),
  moves: true,
  board: BoardAsks,
  lights: ({ hand, index }, pointed) => targetLights(hand.targets, index!, pointed),
  click: (session, space, all) => session.hand.send(space, all),
  back: ({ moves }, space, unit) => {
    const here = moves.filter((each) => each.path.at(-1) === space);
    const move = here.findLast((each) => each.units.some((moved) => moved.unit === unit)) ?? (unit ? undefined : here.at(-1));
    return move?.at ?? null;
  },
  next: ({ movers, turn }) => [...new Set([...(turn?.aloft ?? []), ...movers.filter((mover) => mover.reach > 0)].map((each) => each.space))],
};

const placesOf = ({ placing }: Session): string[] => placing.places?.places.map((place) => place.space) ?? [];
const pendingSpaces = (session: Session): string[] => session.live?.pending.map((battle) => battle.space) ?? [];

const TABLE: Readonly<Record<string, QuestionKind>> = {
  research: { panel: Research, board: BoardAsks, knows: new Set(["research", "buy"]), lights: DARK, click: NONE },
  chart: { panel: Research, board: BoardAsks, lights: DARK, click: NONE },
  purchase: {
    list: true,
    panel: Purchase, board: BoardAsks, lights: DARK, click: NONE, keeps: true, knows: new Set(["buy", "repair", "research", "upgrade"]),
    finish: (session) => session.cart.pay((text) => session.order(text)),
  },
  training: { ...general, fighting: false },
  scramble: { ...general, panel: Rising, board: Rising },
  interdict: { ...general, panel: Rising, board: Rising },
  intercept: { ...general, panel: Rising, board: Rising },
  ambush: { ...general, panel: Rising, board: Rising },
  "combat-move": moving,
  "noncombat-move": { ...moving, about: ({ turn }) => [...new Set(turn?.aloft.map((plane) => plane.space) ?? [])] },
  mobilize: {
    panel: Mobilize, board: BoardAsks, knows: new Set(["place"]),
    lights: ({ placing }) => placeLights(placing.places),
    click: (session, space, all) => session.placing.put(space, all),
    back: ({ placing }, space) => placing.placedAt(space),
    next: placesOf,
    about: placesOf,
  },
  battle: {
    panel: BattleChoice, board: BoardAsks, fighting: true, lights: DARK,
    click: async (session, space) => {
      if (pendingSpaces(session).includes(space)) await session.order(`battle ${space}`);
    },
    next: pendingSpaces,
    quick: (question) => question.choices.find((choice) => choice.word === "battle")?.order ?? null,
  },
  rocket: {
    panel: BattleChoice, board: BoardAsks, fighting: true,
    lights: ({ decision, index }) => rocketLights(decision!, index!),
    click: async (session, space) => {
      const launch = session.decision?.launches.find((each) => each.target === space);
      if (launch) await session.order(rocket(launch));
    },
    next: ({ decision }) => decision?.launches.map((launch) => launch.target) ?? [],
    quick: () => "stay",
  },
  casualties: { panel: BoardAsks, board: Casualties, picks: true, fighting: true, lights: DARK, click: NONE },
  retreat: {
    ...general,
    lights: ({ decision, index }) => lit(decision?.places ?? [], "retreat", "undo", `${powerName(index!, decision?.power)} may retreat here`),
    quick: (question) => question.choices[0]?.order ?? null, // to press on, where that is a choice
  },
  submarines: {
    ...general,
    lights: ({ decision }) => lit(decision?.places ?? [], "retreat", "undo", "submarines may withdraw here"),
    click: async (session, space) => {
      const all = at(session.decision, space).at(-1); // the more boats, the later in the list
      if (all) await session.order(all.order);
    },
    quick: () => "stay",
  },
  // the ships fire, as many as may
  bombard: { ...general, quick: (question) => question.choices.find((choice) => choice.word === "bombard")?.order ?? null },
  stranded: {
    ...general,
    lights: ({ decision }) => lit(decision?.places ?? [], "move", "plane", "fighters of the sunken carrier may land here"),
    click: async (session, space, all) => {
      const here = at(session.decision, space); // all fighters first, one last
      const answer = all || session.hand.sendsAll ? here[0] : here.at(-1);
      if (answer) await session.order(answer.order);
    },
    quick: (question) => question.choices[0]?.order ?? null,
  },
};

export const kindOf: KindOf = (kind) => TABLE[kind ?? ""] ?? general;
