/** Short names for the models of the API, all of them generated from the server's schema. */
import type { components } from "./schema";

type Models = components["schemas"];

export type Scenario = Models["ScenarioView"];
export type Option = Models["OptionView"];
export type Value = boolean | number | string;
export type World = Models["WorldView"];
export type Unit = Models["UnitView"];
export type Power = Models["PowerView"];
export type Space = Models["SpaceView"];
export type Bot = Models["BotView"];
export type Rule = Models["RuleView"];
export type RuleGroup = Models["RuleGroup"];
export type GameSummary = Models["GameSummary"];
export type GameInfo = Models["GameView"];
export type NewGame = Models["NewGame"];
export type SeatBody = Models["SeatBody"];
export type State = Models["StateView"];
export type Stack = Models["StackView"];
export type Decision = Models["DecisionView"];
export type Battle = Models["BattleView"];
export type BattleSide = Models["BattleSide"];
export type Change = Models["ChangeView"];
export type EventView = Models["EventView"];
export type Destination = Models["Destination"];
export type Mover = Models["Mover"];
export type Places = Models["Places"];
export type MoveView = Models["MoveView"];
export type LogLine = Models["LogLineView"];
export type Timeline = Models["Timeline"];
export type Newspaper = Models["Newspaper"];
export type Statistics = Models["StatisticsView"];
export type Thinking = Models["Thinking"];
export type Trouble = Models["Trouble"];
export type LiveMessage = Models["LiveMessage"];
export type ErrorEnvelope = Models["ErrorEnvelope"];
