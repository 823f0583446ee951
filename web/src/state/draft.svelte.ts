/** An answer that is being put together: units, places, a number or whatever else is chosen, for a question that has no picture of its own. */
import type { AnswerForm, Candidate, Decision } from "../api/types";
import { stepped, total, type Counts } from "./counts";

export class Draft {
  units = $state.raw<Counts>({});
  places = $state.raw<Readonly<Record<string, string>>>({});
  count = $state<number | null>(null);
  /** Powers, facilities, weapons and the like, by form and field. */
  picks = $state.raw<Readonly<Record<string, Value>>>({});

  clear(): void {
    this.units = {};
    this.places = {};
    this.count = null;
    this.picks = {};
  }

  step(key: string, by: number, most: number): void {
    this.units = stepped(this.units, key, by, most);
  }

  put(field: string, space: string): void {
    this.places = { ...this.places, [field]: space };
  }

  pick(form: AnswerForm, field: string, value: Value): void {
    this.picks = { ...this.picks, [pickKey(form, field)]: value };
  }
}

export type Value = AnswerForm["fields"][number]["options"][number]["value"];

export const pickKey = (form: Pick<AnswerForm, "word">, field: string): string => `${form.word} ${field}`;

/** Units that are one choice: of one power and kind and, where that differs, with the same cargo and marks. */
export interface Sort {
  key: string;
  power: string;
  unit: string;
  most: number;
  cargo: readonly { unit: string; count: number }[] | null;
  marks: readonly string[] | null;
}

export function sorts(candidates: readonly Candidate[]): Sort[] {
  return candidates.flatMap(({ power, unit, most, sorts: apart }): Sort[] =>
    apart.length
      ? apart.map((sort) => ({ key: `${power} ${sort.words}`, power, unit, most: Math.min(most, sort.most), cargo: sort.cargo ?? null, marks: sort.marks ?? null }))
      : [{ key: `${power} ${unit}`, power, unit, most, cargo: null, marks: null }],
  );
}

/** The names of the places that a form still wants, in their order. */
export function wantedPlaces(form: AnswerForm): string[] {
  return form.fields.filter((field) => field.kind === "place").map((field) => field.name);
}

/** Among which spaces a place of a form is chosen: pairs of places go together. */
export function placesFor(question: Decision, form: AnswerForm, field: string, chosen: Readonly<Record<string, string>>): string[] {
  const names = wantedPlaces(form);
  if (names.length > 1 && question.launches.length) {
    const [from, to] = names;
    const pairs = question.launches.filter(
      (pair) => (field === from || !chosen[from!] || pair.gun === chosen[from!]) && (field === to || !chosen[to!] || pair.target === chosen[to!]),
    );
    return [...new Set(pairs.map((pair) => (field === from ? pair.gun : pair.target)))];
  }
  const listed = form.fields.find((each) => each.name === field)?.options.map((option) => String(option.value)) ?? [];
  return listed.length ? listed : question.places.length ? question.places : question.space ? [question.space] : [];
}

/** The order as an object; null while something is missing. What is not chosen and may be left out is left out. */
export function filled(question: Decision, form: AnswerForm, draft: Pick<Draft, "units" | "places" | "count" | "picks">): Record<string, unknown> | null {
  const order: Record<string, unknown> = { order: form.word };
  const main = form.fields.find((field) => field.kind === "units"); // a part of them can be named apart, but need not be
  for (const field of form.fields) {
    if (field.kind === "units" && field !== main) continue;
    if (field.kind === "units") {
      const units = sorts(question.candidates).flatMap((sort) => {
        const count = draft.units[sort.key] ?? 0;
        if (!count) return [];
        const cargo = sort.cargo ? { cargo: sort.cargo.map((item) => [item.unit, item.count]) } : {};
        return [{ type: sort.unit, count, ...(sort.power === question.power ? {} : { power: sort.power }), ...cargo, ...(sort.marks ? { marks: sort.marks } : {}) }];
      });
      if (units.length) order[field.name] = units;
      else if (!field.optional) return null;
    } else if (field.kind === "place") {
      const only = field.optional ? [] : placesFor(question, form, field.name, draft.places);
      const place = draft.places[field.name] ?? (only.length === 1 ? only[0] : undefined);
      if (place) order[field.name] = place;
      else if (!field.optional) return null;
    } else if (field.kind === "choice") {
      const value = draft.picks[pickKey(form, field.name)] ?? (!field.optional && field.options.length === 1 ? field.options[0]!.value : undefined);
      if (value !== undefined) order[field.name] = value;
      else if (!field.optional) return null;
    } else if (field.kind === "count") {
      const count = draft.count ?? (question.count || (field.most ? 1 : null));
      if (count !== null) order[field.name] = count;
      else if (!field.optional) return null;
    } else if (!field.optional) return null;
  }
  return order;
}

const MANY = 12;

/** Whether an answer is put together from its parts: the server lists none, or too many to choose among. */
export function inParts(question: Pick<Decision, "choices" | "forms">): boolean {
  return !question.choices.length || (question.choices.length > MANY && question.forms.some((form) => form.fields.length > 0));
}

/** How many units a form takes at most; null: as many as there are. */
export function mostUnits(question: Decision): number | null {
  return question.count || null;
}

export const chosenUnits = (draft: Pick<Draft, "units">): number => total(draft.units);
