/** Small made-up boards and states for tests. */
import type { Change, Destination, Scenario, State, World } from "../src/api/types";
import { indexed } from "../src/state/table";

const unit = (id: string, cost: number, more: object = {}) => ({
  id, name: id, plural: id === "infantry" ? id : `${id}s`, domain: "land", cost, attack: 1, defense: 2, move: 1, hits: 1,
  attack_dice: 1, raid_dice: 0, blitz: false, captures: true, factory: false, anti_air: 0, support: 0, first_shot: [], withdraws: [],
  submerges: [], loads: [], deck: {}, limit: null, editable: ["cost", "attack", "defense", "move"], ...more,
});

const power = (id: string, name: string, adjective: string, side: string) => ({
  id, name, in_sentence: `the ${name}`, adjective, side, colour: "", capital: `${id}-home`, treasury: 10, seat: true,
});

const space = (id: string, name: string, kind: string, owner: string | null, more: object = {}) => ({
  id, name, kind, ipc: kind === "land" ? 2 : 0, owner, original: owner, impassable: false, island: false, zone: null, victory_city: null,
  capital_of: null, neighbours: [], ...more,
});

export const world = {
  scenario: "small", scenario_name: "Small", edition: "small", edition_name: "Small", playable: true, board: "small", options: {},
  sides: ["reds", "blues"],
  powers: [power("red", "Redland", "Red", "reds"), power("blue", "Blueland", "Blue", "blues")],
  order: ["red", "blue"],
  spaces: [
    space("red-home", "Red Home", "land", "red", { capital_of: "red" }),
    space("middle", "Middle", "land", "blue"),
    space("waste", "Waste", "land", null, { ipc: 0 }),
    space("bay", "Bay", "sea", null),
  ],
  canals: [], units: [unit("infantry", 3), unit("tank", 5, { move: 2, attack: 3 }), unit("bomber", 15, { domain: "air" })],
  unit_edits: {}, technologies: [], phases: [], battles: {}, victory: [], setup: [], dice_sides: 6, research_cost: 5, research_success: 6,
  neutrals: "fee",
  neutral_fee: 3,
} as unknown as World;

export const index = indexed(world);

export const stack = (power: string, unit: string, count: number, more: object = {}) => ({
  power, unit, count, used: 0, left: 1, done: false, hits: 0, cargo: [], marks: [], ...more,
});

export function state(version = 0, more: object = {}): State {
  return {
    game: "g", version, at: version, orders: version, round: 1, turn: "red", phase: "combat-move", phase_title: "Combat movement",
    over: false, winners: [], partial: false, powers: {}, seats: [], pool: {}, placed: {}, fought: [], pending: [],
    can_undo: false, can_redo: false,
    spaces: {
      "red-home": { owner: "red", units: [stack("red", "infantry", 2), stack("red", "tank", 1, { left: 2 })], damage: {} },
      middle: { owner: "blue", units: [], damage: {} },
      waste: { units: [], damage: {} },
      bay: { units: [], damage: {} },
    },
    ...more,
  } as unknown as State;
}

export function change(number: number, more: object = {}): Change {
  const { state: after, ...rest } = { state: {}, ...more } as { state: object };
  return {
    type: "order", number, power: "red", seat: "Player one", by: "human", order: "end", dice: [], events: [], battles: [], course: [],
    sentences: ["Something happens."], made: "2026-01-01T00:00:00Z",
    state: { ...state(number), partial: true, spaces: {}, ...after },
    ...rest,
  } as unknown as Change;
}

export const destination = (space: string, more: Partial<Destination> = {}): Destination => ({
  space, route: ["red-home", space], cost: 1, left: 0, battle: false, captures: false, fee: 0, under_fire: false,
  landings: [], transports: [], order: `move 1 infantry: red-home -> ${space}`, ...more,
});

const ALONE = { implies: {}, requires: {}, excludes: {}, idles: {} };

export const scenario = {
  id: "small", name: "Small", edition: "small", edition_name: "Small", playable: true, board: "small",
  options: [
    { key: "old", name: "Old rules", help: "As of old.", default: false, choices: [true, false], group: "edition", rules: ["X-1"], sets: { true: { dive: false } }, ...ALONE },
    { key: "dive", name: "Diving", help: "Boats dive.", default: true, choices: [true, false], group: "edition", rules: ["X-2"], sets: {}, ...ALONE },
  ],
  powers: world.powers, sides: ["reds", "blues"], order: ["red", "blue"], seat_presets: [{ players: 2, seats: [["red"], ["blue"]] }], least_seats: 2, fixed_seats: false, drawn: false,
  victory: [], victory_presets: [
    { key: "standard", name: "As in the rules", edit: null }, { key: "none", name: "For ever", edit: { none: true } },
  ],
  units: world.units, unit_ranges: { cost: { low: 1, high: 99 }, attack: { low: 0, high: 6 }, defense: { low: 0, high: 6 }, move: { low: 0, high: 12 } },
} as unknown as Scenario;
