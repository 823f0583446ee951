/** What a battle, its dice and each of its steps are called. */
import type { Battle, BattleFrame, BattleReport, BattleStep } from "../api/types";
import { capitalised, sentence, spaceName, unitList, unitName, type Index } from "./table";

const KINDS: Record<string, string> = {
  land: "Land battle", sea: "Naval battle", "land-surprise": "Land battle", "sea-surprise": "Naval battle", raid: "Strategic raid", "air-raid": "Air raid",
  overflight: "Antiaircraft fire", air: "Air battle", "air-sweep": "Air battle", sweep: "Fighter sweep", interdiction: "Planes against ships", ambush: "Ambush",
};
const SHOTS: Record<string, string> = {
  aa: "Antiaircraft fire", attack: "Attackers fire", defense: "Defenders fire", support: "Support shots", raid: "Bombs", air: "Air combat", commando: "Commandos",
};
/** Steps whose dice need no other name than that of those who roll them. */
const PLAIN = new Set(["", "AA fire", "Attackers fire", "Defenders fire", "Bombardment", "Bombs", "Press or retreat"]);
const RESULTS: Record<string, string> = {
  attacker: "The attackers win", defender: "The defenders hold", retreat: "The attackers retreat", "both-destroyed": "Nobody is left", stalemate: "Neither side can hit the other",
};

type BattleRoll = Battle["rolls"][number];

export const kindName = (battle: Battle): string => (metOnTheWay(battle) ? "Planes overhead" : (KINDS[battle.kind] ?? battle.kind));
/** Who fires where nobody attacks a space: those who lie in wait roll as attackers, planes over moving ships as defenders. */
const SPECIAL_SHOTS: Record<string, Record<string, string>> = { ambush: { attack: "Submarines fire" }, interdiction: { defense: "Planes fire", attack: "Ships fire" } };
export const shotName = (reason: string, kind = ""): string => SPECIAL_SHOTS[kind]?.[reason] ?? SHOTS[reason] ?? reason;

/** Who fires, and what they need; the heads of the two sides say which of them it is. */
export function shots(index: Index, roll: BattleRoll, kind = ""): string {
  const who = [...new Set(roll.shooters.map((shooter) => unitName(index, shooter.unit, shooter.dice)))].join(", ");
  const at = roll.needed ? ` at ${roll.needed}${roll.needed > 1 ? " or less" : ""}` : "";
  if (who && (roll.reason === "attack" || roll.reason === "defense")) {
    const alone = roll.shooters.length === 1 && roll.shooters[0]?.dice === 1;
    return `${capitalised(who)} ${alone ? "fires" : "fire"}${at}`;
  }
  return `${shotName(roll.reason, kind)}${at}${who ? ` with ${who}` : ""}`;
}

/** The same in short, for a board on which the units stand closely: who fires at what, the columns show. */
export function brief(index: Index, roll: BattleRoll, kind = ""): string {
  const plain = roll.needed > 0 && (roll.reason === "attack" || roll.reason === "defense");
  return plain ? `At ${roll.needed}` : shots(index, roll, kind);
}

/** Where the guns stand that fire at planes on their way; they fire from elsewhere than where the planes go. */
export const overWhat = (battle: Battle | BattleReport): string => battle.rolls.at(-1)?.space ?? battle.space;

const adjective = (index: Index, power: string): string => index.powers.get(power)?.adjective ?? power;

/** Fights that are no attack on a space: planes or submarines at ships that sail by, and planes at planes. */
function special(index: Index, battle: Battle | BattleReport): string | null {
  const where = spaceName(index, battle.space);
  const ships = `${adjective(index, battle.attacker)} ships`;
  switch (battle.kind) {
    case "interdiction": return `Planes attack ${ships} in ${where}`;
    case "ambush": return `Submarines attack ${ships} on the way to ${where}`;
    case "air":
    case "air-sweep": return `Air combat over ${where}`;
    case "sweep": return `${adjective(index, battle.attacker)} fighters sweep ${where}`;
    default: return null;
  }
}

/** Planes that fighters and guns of a land meet, where the rules know more than guns: the battle is then over that land. */
const metOnTheWay = (battle: Battle): boolean => battle.kind === "overflight" && (battle.stages?.length ?? 0) > 1;

const inTheAir = (report: BattleReport): boolean => report.rolls.some(({ reason }) => reason === "air");

/** So many kinds of units in one column, or on one side, would make the board tall. */
const [MANY_IN_COLUMN, MANY_ON_SIDE] = [3, 8];
export const isLarge = (battle: Battle): boolean =>
  [battle.attack, battle.defense].some(({ columns }) => columns.some(({ units }) => units.length > MANY_IN_COLUMN) || columns.flatMap(({ units }) => units).length > MANY_ON_SIDE);

/** What the board is about. */
export function heading(index: Index, battle: Battle): string {
  const who = adjective(index, battle.attacker);
  const told = special(index, battle);
  if (told) return told;
  if (metOnTheWay(battle)) return `${who} planes over ${spaceName(index, battle.space)}`;
  if (battle.kind === "overflight") return `${who} planes on the way to ${spaceName(index, battle.space)}`;
  if (battle.kind === "raid" || battle.kind === "air-raid") return `${who} bombers raid ${spaceName(index, battle.space)}`;
  return `${who} forces attack ${spaceName(index, battle.space)}`;
}

export function reportTitle(index: Index, report: BattleReport): string {
  if (report.kind === "overflight" && inTheAir(report)) return `Air combat over ${spaceName(index, report.space)}`;
  if (report.kind === "overflight") return `Antiaircraft fire over ${spaceName(index, overWhat(report))}`;
  const told = special(index, report);
  if (told) return told;
  if (report.kind === "raid") return `Strategic raid on ${spaceName(index, report.space)}`;
  return `${adjective(index, report.attacker)} attack on ${spaceName(index, report.space)}`;
}

/** How many planes had to turn back; who they were, the report says below. */
function drivenOff(report: BattleReport): string {
  const number = Object.values(report.turned_back).flat().reduce((sum, unit) => sum + unit.count, 0);
  return number ? ` ${number === 1 ? "One plane" : `${number} planes`} had to turn back.` : "";
}

export function reportResult(index: Index, report: BattleReport): string {
  const hurt = Boolean(report.lost[report.attacker]?.length);
  if (report.result === "passed" && ["interdiction", "ambush"].includes(report.kind)) return hurt ? "Ships were sunk on their way." : "No ship was sunk.";
  if (report.result === "passed" && special(index, report)) return `${Object.keys(report.lost).length ? "Planes were shot down." : "No plane was shot down."}${drivenOff(report)}`;
  if (report.result === "passed" && inTheAir(report)) return `${hurt ? "Attacking planes were shot down." : "No attacking plane was shot down."}${drivenOff(report)}`;
  if (report.result === "passed" && report.kind !== "overflight") return "The planes have struck and fly off.";
  if (report.result === "passed") return hurt ? "Planes were shot down on their way." : "The planes came through.";
  const taken = report.captured_by ? `: ${spaceName(index, report.space)} is ${adjective(index, report.captured_by)} now` : "";
  return RESULTS[report.result] ? sentence(`${RESULTS[report.result]}${taken || escaped(index, report)}`) : "";
}

/** Who of the defenders left a battle that the attackers won. */
function escaped(index: Index, { result, steps }: BattleReport): string {
  const gone = result === "attacker" ? steps.filter((step) => step.kind === "left" && step.role === "defense").flatMap((step) => step.units) : [];
  return gone.length ? `, but ${unitList(index, gone)} got away` : "";
}

/** Why a side of the board is empty. */
export function nobody(battle: Battle, defending: boolean): string {
  if (defending && battle.air && !battle.rolls.length) return "Nobody has risen yet.";
  if (defending && battle.kind === "ambush") return "Submarines lie in wait.";
  if (battle.kind !== "overflight") return defending && battle.guns.length ? "Guns only." : "Nobody is left.";
  if (defending && metOnTheWay(battle)) return "Nobody is in the air.";
  return defending ? "The guns have fired." : "No plane came through.";
}

/** What happens in a step, in a few words. */
export function happening(index: Index, frame: BattleFrame): string {
  const { battle } = frame;
  const units = unitList(index, frame.units);
  const are = frame.units.reduce((sum, unit) => sum + unit.count, 0) === 1 ? "is" : "are";
  const told = frame.words.join(" ");
  switch (frame.kind) {
    case "opened":
      return battle.kind === "overflight" ? told : sentence(special(index, battle) ?? `${adjective(index, battle.attacker)} forces attack`);
    case "volley":
      return `${PLAIN.has(battle.stage) ? "" : `${battle.stage}. `}${shotName(frame.rolls[0]?.reason ?? "", battle.kind) || "Fire"}${battle.kind === "overflight" ? ` over ${spaceName(index, overWhat(battle))}` : ""}:`;
    case "hit":
      return `${units} ${are} hit${frame.damaged ? ` and ${are === "is" ? "fights" : "fight"} on, damaged` : frame.still_firing ? " and will fire back" : ""}.`;
    case "lost":
      return told || `${units} ${are} lost, too.`;
    case "left":
      return told || `${units} leave.`;
    case "ended":
      return told || (battle.kind === "overflight" ? (battle.attack.columns.length ? "The others fly on." : "No plane came through.") : "");
    default:
      return told;
  }
}

/** What became of the units of a step, as it is read afterwards. */
export function fate(index: Index, step: BattleStep): string {
  const units = unitList(index, step.units);
  if (step.kind === "left") return step.words.join(" ") || `${units} left the battle`; // it says where to: away, or under water
  if (step.kind === "joined") return `${units} joined the battle`;
  return `${units} ${step.damaged ? "damaged" : step.still_firing ? "hit, fired back" : "lost"}`;
}

/** Why some columns of a volley rolled no dice. */
export function unneeded(step: BattleStep): string {
  if (!step.unneeded?.length) return "";
  const columns = step.unneeded.length > 1 ? `${step.unneeded.slice(0, -1).join(", ")} and ${step.unneeded.at(-1)}` : `${step.unneeded[0]}`;
  return `No dice at ${columns}: nothing left that they can hit.`;
}

/** What a volley brought. */
export function brought(frame: BattleFrame): string {
  if (frame.kind !== "volley") return "";
  const hits = frame.rolls.reduce((sum, roll) => sum + roll.hits, 0);
  if (!frame.rolls[0]?.needed) return `${frame.rolls.flatMap((roll) => roll.faces).join(" + ")}.`;
  return hits === 1 ? "one hit." : hits ? `${hits} hits.` : "no hit.";
}
