/** The New Game screen's choices, and the request that they make. */
import type { Bot, NewGame, Scenario, SeatBody, Value } from "../api/types";
import { commander } from "./commanders";
import type { SetupEdit } from "./setupedit";

/** Who plays a power: a person with a number, or a computer player by its name. */
export type Sitter = { human: number } | { bot: string };

export interface UnitEdits {
  /** Power or "all" → unit → value name → number. */
  [power: string]: Record<string, Record<string, number>>;
}

export interface Setup {
  /** Which game of the list. */
  scenario: string;
  sitters: Record<string, Sitter>;
  options: Record<string, Value>;
  victory: string;
  unitEdits: UnitEdits;
  setupEdits: SetupEdit[];
  /** What people call themselves, by their number. */
  names: Record<number, string>;
}

const NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

export function playerName(number: number): string {
  return `Player ${NUMBERS[number - 1] ?? number}`;
}

/** What a person is called in this set-up; two who give the same name are told apart by their numbers. */
export function nameOf(setup: Pick<Setup, "names">, number: number): string {
  const chosen = setup.names[number]?.trim();
  if (!chosen) return playerName(number);
  const twice = Object.entries(setup.names).some(([other, name]) => Number(other) < number && name.trim() === chosen);
  return twice ? `${chosen} (${number})` : chosen;
}

export function defaults(scenario: Scenario): Record<string, Value> {
  return Object.fromEntries(scenario.options.map((option) => [option.key, option.default as Value]));
}

/** A fresh set-up: one person plays the first power's side against computers of middling strength. */
export function freshSetup(scenario: Scenario, bots: readonly Bot[]): Setup {
  const bot = [...bots].sort((a, b) => a.stars - b.stars)[Math.floor((bots.length - 1) / 2)];
  const powers = scenario.powers.filter((power) => power.seat);
  const side = powers[0]?.side;
  const sitters = Object.fromEntries(
    powers.map((power): [string, Sitter] => [
      power.id,
      power.side === side || !bot ? { human: 1 } : { bot: bot.name },
    ]),
  );
  return { scenario: scenario.id, sitters, options: defaults(scenario), victory: "standard", unitEdits: {}, setupEdits: [], names: {} };
}

/** Powers that one player has together: those of a seat, where seats are fixed. */
export function together(scenario: Scenario, power: string): string[] {
  const fixed = scenario.fixed_seats ? scenario.seat_presets[0]?.seats : undefined;
  return fixed?.find((seat) => seat.includes(power)) ?? [power];
}

/** The game of the list that another one becomes with these options: one of its edition that has them from the start. */
export function gameOf(scenarios: readonly Scenario[], now: Scenario, options: Record<string, Value>): Scenario {
  const own = defaults(now);
  const fits = (each: Scenario): boolean => {
    const differ = Object.entries(defaults(each)).filter(([key, value]) => own[key] !== value);
    return each.id !== now.id && each.edition === now.edition && differ.length > 0 && differ.every(([key, value]) => options[key] === value);
  };
  return scenarios.find(fits) ?? now;
}

/** All sitters that the arrows step through: every player, then every computer player by stars. */
export function sittersFor(scenario: Scenario, bots: readonly Bot[]): Sitter[] {
  const seats = scenario.powers.filter((power) => power.seat).length;
  return [
    ...Array.from({ length: seats }, (_, i) => ({ human: i + 1 })),
    ...[...bots].sort((a, b) => a.stars - b.stars).map((bot) => ({ bot: bot.name })),
  ];
}

export function sameSitter(a: Sitter, b: Sitter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export function stepSitter(all: readonly Sitter[], current: Sitter, by: number): Sitter {
  const at = all.findIndex((sitter) => sameSitter(sitter, current));
  return all[(at + by + all.length) % all.length] ?? current;
}

/** Set an option as the edition says: a value may bring other defaults with it, need others, or shut them out. */
export function withOption(scenario: Scenario, options: Record<string, Value>, key: string, value: Value): Record<string, Value> {
  const option = scenario.options.find((each) => each.key === key);
  const others = new Map(scenario.options.map((each) => [each.key, each]));
  const changed: Record<string, Value> = { ...options, [key]: value };
  for (const [name, effect] of Object.entries(option?.sets ?? {})) {
    for (const [other, brought] of Object.entries(effect)) {
      changed[other] = name === String(value) ? (brought as Value) : ((others.get(other)?.default ?? brought) as Value);
    }
  }
  const at = String(value);
  const held = implied(scenario, changed);
  for (const [other, needed] of Object.entries(option?.requires[at] ?? {})) {
    if (!needed.includes(changed[other] as Value) && !held.has(other)) changed[other] = needed[0] as Value;
  }
  for (const [other, bad] of Object.entries(option?.excludes[at] ?? {})) {
    if (bad.includes(changed[other] as Value)) changed[other] = others.get(other)?.default as Value;
  }
  for (const each of scenario.options) {
    const refused = each.excludes[String(changed[each.key])]?.[key];
    if (each.key !== key && refused?.includes(value)) changed[each.key] = each.default as Value;
  }
  return changed;
}

/** Options whose value comes with the values of others, with those that bring it. */
export function implied(scenario: Scenario, options: Record<string, Value>): Map<string, { value: Value; by: string[] }> {
  const found = new Map<string, { value: Value; by: string[] }>();
  const open = scenario.options.map((option): [string, Value | undefined] => [option.key, options[option.key]]);
  for (let i = 0; i < open.length; i++) {
    const [key, value] = open[i]!;
    const brings = scenario.options.find((option) => option.key === key)?.implies[String(value)] ?? {};
    for (const [other, brought] of Object.entries(brings)) {
      const same = found.get(other);
      if (same) {
        if (!same.by.includes(key)) same.by.push(key);
      } else {
        found.set(other, { value: brought as Value, by: [key] });
        open.push([other, brought as Value]);
      }
    }
  }
  return found;
}

/** What somebody has chosen, as the server takes it: what comes with other values is left to them. */
export function choices(scenario: Scenario, options: Record<string, Value>): Record<string, Value> {
  const held = implied(scenario, options);
  return Object.fromEntries(Object.entries(options).filter(([key]) => !held.has(key)));
}

/** Seats for the server: each person one, with all of their powers; each computer power one of its own. */
export function seatsOf(scenario: Scenario, setup: Setup, bots: readonly Bot[]): SeatBody[] {
  const seats = new Map<string, SeatBody>();
  for (const power of scenario.powers.filter((each) => each.seat)) {
    const sitter = setup.sitters[power.id] ?? { human: 1 };
    if ("human" in sitter) {
      const key = playerName(sitter.human);
      const name = nameOf(setup, sitter.human);
      const seat = seats.get(key);
      if (seat) seat.powers.push(power.id);
      else seats.set(key, { name, powers: [power.id], player: "human", style: "" });
    } else {
      const stars = bots.find((bot) => bot.name === sitter.bot)?.stars ?? 0;
      const own = together(scenario, power.id);
      if (own[0] !== power.id && own.length > 1) continue; // it comes with the first of them
      const name = scenario.drawn ? `Computer ${seats.size + 1}` : `${commander(power.id, stars)} (${power.name})`;
      seats.set(name, { name, powers: own, player: sitter.bot, style: "" });
    }
  }
  return [...seats.values()];
}

/** What the server is asked to make. */
export function request(scenario: Scenario, setup: Setup, bots: readonly Bot[]): NewGame {
  const victory = scenario.victory_presets.find((preset) => preset.key === setup.victory)?.edit ?? null;
  const edits: Record<string, unknown> = {};
  if (Object.keys(setup.unitEdits).length) edits.units = setup.unitEdits;
  if (setup.setupEdits.length) edits.setup = setup.setupEdits;
  if (victory) edits.victory = victory;
  return { scenario: scenario.id, options: choices(scenario, setup.options), edits, seats: seatsOf(scenario, setup, bots) };
}

/** A unit's value with the edits; `base` without them. */
export function editedValue(edits: UnitEdits, power: string, unit: string, name: string, base: number): number {
  return edits[power]?.[unit]?.[name] ?? edits.all?.[unit]?.[name] ?? base;
}

/** Edits with one value set; a value that is the same as without the edit is no edit. */
export function withEdit(edits: UnitEdits, power: string, unit: string, name: string, value: number, base: number): UnitEdits {
  const copy: UnitEdits = structuredClone(edits);
  const inherited = power === "all" ? base : editedValue({ all: copy.all ?? {} }, "all", unit, name, base);
  const values = ((copy[power] ??= {})[unit] ??= {});
  if (value === inherited) delete values[name];
  else values[name] = value;
  if (!Object.keys(values).length) delete copy[power]![unit];
  if (!Object.keys(copy[power]!).length) delete copy[power];
  return copy;
}
