/** What the page knows about one kind of question. Everything else asks the table of kinds and branches on nothing. */
import type { Component } from "svelte";
import type { Decision } from "../api/types";
import type { Light } from "../map/light";
import type { Session } from "../state/session.svelte";

export interface QuestionKind {
  /** The picture in the orders panel. */
  panel: Component<{ session: Session }>;
  /** The answers on the battle board, while a battle is open. */
  board: Component<{ session: Session }>;
  /** A phase: orders that its panel has a picture for; whatever else it takes is put together below. */
  knows?: ReadonlySet<string>;
  /** It is answered from a list, not on the map: on a small screen the list gets more room. */
  list?: boolean;
  /** Units are moved: what is closed to them is shown on the map. */
  moves?: boolean;
  /** Units on the battle board are clicked to answer. */
  picks?: boolean;
  /** It comes up in the middle of a fight: nobody hands the screen over for it, and it can be fought out. */
  fighting?: boolean;
  /** Which spaces are lit, and what is written on them. */
  lights: (session: Session, pointed: string | null) => Map<string, Light>;
  /** A space was clicked. */
  click: (session: Session, space: string, all: boolean) => Promise<void>;
  /** A right click: something that was done there is taken back. The number is the order's place in the game. */
  back?: (session: Session, space: string, unit: string | null) => number | null;
  /** Spaces where something can be done, for the key that goes from one to the next. */
  next?: (session: Session) => string[];
  /** When the phase begins, the map goes where these are, unless they are in view. */
  about?: (session: Session) => string[];
  /** Before the phase ends: what lies in the cart is bought. False if it was refused. */
  finish?: (session: Session) => Promise<boolean>;
  /** Escape puts down what is picked up, unless that would lose work. */
  keeps?: boolean;
  /** What somebody in a hurry answers. */
  quick?: (question: Decision) => string | null;
}

export type KindOf = (kind: string | null | undefined) => QuestionKind;
