"""The log: every kind of event has its sentence, or is known to be mere bookkeeping."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args, get_type_hints

import pytest

from sandtable.archive.game import Game
from sandtable.archive.log import log, sentence, sentences
from sandtable.archive.position import patched_state
from sandtable.engine import events as e
from sandtable.engine.events import AnyEvent, Change
from sandtable.engine.state import Battle, Moving, Piece, Question, Sorties
from sandtable.world.compile import compile_world
from sandtable.world.model import World

INFANTRY = Piece("uk", "infantry")
SUBMARINE = Piece("germany", "submarine")
LOADED = Piece("usa", "transport", cargo=(Piece("usa", "infantry"), Piece("usa", "infantry")))
BATTLE = Battle("karelia-ssr", "land", "germany")
LAST = Battle("karelia-ssr", "land", "germany", doomed={INFANTRY: 2})
PATH = ("eastern-usa-sea", "united-kingdom")

EXPECTED: list[tuple[AnyEvent, str | None]] = [
    (e.TurnBegan("uk", 2, 2), "Round 2: the turn of the United Kingdom begins."),
    (e.PhaseBegan("uk", "combat-move", 2), "The United Kingdom: combat movement."),
    (
        e.Rolled(
            "attack", "germany", (1, 6, 3), "karelia-ssr", 3, (("germany", "armor", 2), ("germany", "fighter", 1)), 2
        ),
        "Attack in Karelia S.S.R.: German armor (2 dice) and German fighter (1 die) at 3 or less, dice 1 6 3: 2 hits.",
    ),
    (
        e.Rolled("defense", "uk", (5,), "libya", 2, (("uk", "infantry", 1),), 0),
        "Defence in Libya: British infantry (1 die) at 2 or less, dice 5: no hit.",
    ),
    (
        e.Rolled("aa", "uk", (1,), "libya", 1, (("uk", "aa-gun", 1),), 1),
        "AA fire in Libya: British AA gun (1 die) at 1 or less, dice 1: one hit.",
    ),
    (
        e.Rolled("support", "uk", (4,), "libya", 4, (("uk", "battleship", 1),), 1),
        "Fire support in Libya: British battleship (1 die) at 4 or less, dice 4: one hit.",
    ),
    (
        e.Rolled("raid", "uk", (4, 6), "germany", 0, (("uk", "bomber", 2),), 10),
        "Bombs on Germany: British bombers (2 dice), dice 4 6: damage of 10.",
    ),
    (
        e.Rolled("raid", "uk", (4, 6, 1), "germany", 0, (("uk", "bomber", 1), ("uk", "bomber", 2)), 11),
        "Bombs on Germany: British bombers (3 dice), dice 4 6 1: damage of 11.",
    ),
    (
        e.Rolled("rocket", "germany", (4,), "united-kingdom", 0, (("germany", "aa-gun", 1),), 4),
        "Rocket on United Kingdom: German AA gun (1 die), dice 4: damage of 4.",
    ),
    (e.Rolled("research", "usa", (6, 2), hits=1), "Research: the United States, dice 6 2."),
    (e.Rolled("breakthrough", "usa", (3,)), "Breakthrough: the United States, dice 3."),
    (e.Researched("japan", 2, 10, 1), "Japan spends 10 IPCs on research (2 dice): one breakthrough."),
    (e.Focused("japan", "rockets", 4, False), "Japan spends 4 IPCs on Rockets: nothing."),
    (e.Rolled("sabotage", "uk", (2,), needed=2, hits=1), "Sabotage: the United Kingdom at 2 or less, dice 2: one hit."),
    (e.Sabotaged("germany", "uk"), "British sabotage undoes a breakthrough of Germany."),
    (e.TechGained("ussr", "rockets"), "The U.S.S.R. develops Rockets."),
    (
        e.LeaderNamed("uk", "india", ((INFANTRY, 1),), ()),
        "The leader of the United Kingdom commands 1 British infantry in India.",
    ),
    (e.Funded("uk"), "Dice decide what the United Kingdom begins with."),
    (e.Rolled("income", "uk", (3, 5), hits=8), "Income: the United Kingdom, dice 3 5."),
    (e.Rolled("levy", "usa", (5, 2), hits=2), "Returned to the bank: the United States, dice 5 2."),
    (e.Paid("usa", -2, "levy"), "The United States returns 2 IPCs to the bank."),
    (e.Paid("germany", 12, "economy"), "Germany gets 12 IPCs from its war economy."),
    (e.Paid("japan", 4, "allowance"), "Japan gets 4 IPCs as a handicap."),
    (e.Paid("japan", 25, "income"), "Japan collects 25 IPCs."),
    (e.Paid("germany", -1, "raid", "germany"), "Germany loses 1 IPC to bombs on Germany."),
    (e.Paid("germany", -4, "rocket", "germany"), "Germany loses 4 IPCs to a rocket on Germany."),
    (e.Paid("uk", -30, "capital", "united-kingdom"), "The United Kingdom surrenders 30 IPCs with United Kingdom."),
    (e.Paid("germany", 30, "capital", "united-kingdom"), "Germany takes 30 IPCs in United Kingdom."),
    (e.Paid("uk", -3, "convoy", "north-sea"), "The United Kingdom loses 3 IPCs to enemy ships in the North Sea Zone."),
    (e.Paid("uk", 3, "refund"), "The United Kingdom gets back 3 IPCs."),
    (e.Rolled("convoy", "uk", (2,), "north-sea", hits=2), "Convoys: the United Kingdom, dice 2."),
    (e.Rolled("capture", "uk", (2,), "libya", hits=2), "Damage: the United Kingdom, dice 2."),
    (e.Captured("libya", "uk", "uk", "germany", "occupied"), "The United Kingdom takes over Libya."),
    (e.Paid("germany", -6, "units"), None),
    (e.Paid("germany", -5, "research"), None),
    (e.Paid("germany", -3, "neutral", "spain"), None),
    (
        e.Bought("usa", (("infantry", 3), ("fighter", 1)), 21),
        "The United States buys 3 infantry and 1 fighter for 21 IPCs.",
    ),
    (
        e.Moved("usa", ("eastern-usa-sea", "north-atlantic-sea", "west-spain-sea"), (), ((LOADED, 1),), 2),
        "The United States moves 1 transport (carrying 2 infantry) from the Eastern U.S.A. Sea Zone "
        "to the West Spain Sea Zone by way of the North Atlantic Sea Zone.",
    ),
    (
        e.Boarded("usa", PATH[::-1], ((Piece("usa", "armor"), 1),), ()),
        "The United States puts 1 armor from United Kingdom aboard in the Eastern U.S.A. Sea Zone.",
    ),
    (
        e.Landed("usa", PATH, ((Piece("usa", "armor"), 1),), ()),
        "The United States puts 1 armor ashore in United Kingdom from the Eastern U.S.A. Sea Zone.",
    ),
    (
        e.LandingDeclared("usa", PATH, ((Piece("usa", "armor"), 1),), ()),
        "The United States means to land 1 armor in United Kingdom once the Eastern U.S.A. Sea Zone is clear.",
    ),
    (
        e.LandingCancelled("usa", PATH[0], ()),
        "The Eastern U.S.A. Sea Zone is not clear, and the United States calls a landing off.",
    ),
    (
        e.ShipsAssigned("uk", "north-sea", "western-europe", ((Piece("uk", "battleship"), 1),), ()),
        "1 British battleship in the North Sea Zone is to support the landing in Western Europe.",
    ),
    (
        e.NeutralJoined("germany", "turkey", ((Piece("germany", "infantry"), 2),), ()),
        "Turkey joins Germany with 2 German infantry.",
    ),
    (e.LeaningChanged(("spain", "turkey"), "pro-allies"), "Spain and Turkey lean pro-allies now."),
    (
        e.NeutralDefended("germany", "turkey", ((Piece("germany", "infantry"), 2),), ()),
        "2 German infantry take up arms in Turkey.",
    ),
    (e.CapitalNamed("uk", "india"), "The government of the United Kingdom is in India now."),
    (
        e.Upgraded("uk", "india", "industrial-complex", 20, ()),
        "The United Kingdom upgrades the complex in India (industrial complex) for 20 IPCs.",
    ),
    (e.BuildingChanged("uk", "india", "industrial-complex", 0), "The industrial complex in India is finished."),
    (
        e.Mended("uk", "north-sea", ((Piece("uk", "battleship"), 1),), ()),
        "1 British battleship in the North Sea Zone is repaired.",
    ),
    (e.Dismantled("uk", "india", "industrial-complex", ()), "The industrial complex in India is removed."),
    (
        e.Downgraded("uk", "india", "industrial-complex", "industrial-complex", 0, ()),
        "The complex in India is less now (industrial complex).",
    ),
    (
        e.WarDeclared("germany", "uk", (("germany", "uk"), ("germany", "usa"))),
        "Germany declares war on the United Kingdom, which draws in the United States.",
    ),
    (e.AllianceMade("germany", "ussr"), "Germany and the U.S.S.R. are allied."),
    (e.AllianceDeclined("germany", "ussr"), "The U.S.S.R. declines an alliance with Germany."),
    (
        e.SharingDeclined("germany", "ussr", "spain", "move 1 infantry: france -> spain"),
        "The U.S.S.R. does not share Spain with Germany.",
    ),
    (e.AllianceBroken("germany", "ussr"), "Germany breaks with the U.S.S.R."),
    (e.NeutralViolated("germany", "spain", 3), "Germany violates neutral Spain for 3 IPCs."),
    (
        e.Captured("karelia-ssr", "germany", "germany", "ussr", "capture"),
        "Germany takes Karelia S.S.R. from the U.S.S.R.",
    ),
    (
        e.Captured("karelia-ssr", "uk", "ussr", "germany", "liberation"),
        "The United Kingdom frees Karelia S.S.R. for the U.S.S.R.",
    ),
    (e.Captured("india", "usa", "uk", "usa", "restored"), "India goes back to the United Kingdom."),
    (e.Captured("spain", "germany", "germany", None, "neutral"), "Spain comes under the control of Germany."),
    (e.BattleOpened(BATTLE), "Germany attacks Karelia S.S.R."),
    (
        e.BattleOpened(Battle("baltic-sea", "sea", "uk")),
        "The United Kingdom opens a sea battle in the Baltic Sea Zone.",
    ),
    (e.BattleOpened(Battle("germany", "raid", "uk")), "The United Kingdom raids Germany."),
    (
        e.BattleOpened(Battle("germany", "overflight", "uk")),
        "Planes of the United Kingdom come under AA fire on the way to Germany.",
    ),
    (e.BattleChanged(BATTLE), None),
    (e.Asked(Question("retreat", "germany")), None),
    (e.Answered(Question("retreat", "germany")), None),
    (e.RoundBegan("india", 3, BATTLE), "Round 3 of the battle in India."),
    (
        e.CasualtiesChosen("india", "uk", ((INFANTRY, 2),), LAST),
        "The United Kingdom gives up 2 British infantry, which still fire.",
    ),
    (e.CasualtiesChosen("india", "uk", ((INFANTRY, 2),), BATTLE), None),
    (e.Lost("india", "battle", ((INFANTRY, 1),), ()), "1 British infantry is lost in India."),
    (
        e.Lost("baltic-sea", "first-shot", ((LOADED, 1), (Piece("uk", "carrier"), 2)), ()),
        "2 British aircraft carriers and 1 American transport (carrying 2 infantry) "
        "are sunk by a first shot in the Baltic Sea Zone.",
    ),
    (e.Lost("india", "aa", ((Piece("japan", "fighter"), 1),), ()), "1 Japanese fighter is shot down over India."),
    (
        e.Lost("persia", "aa", ((Piece("japan", "fighter"), 1),), (), over="india"),
        "1 Japanese fighter is shot down over India.",
    ),
    (
        e.Lost("india", "no-landing", ((Piece("japan", "fighter"), 1),), ()),
        "1 Japanese fighter is lost for want of a place to land over India.",
    ),
    (e.Lost("india", "overrun", ((INFANTRY, 1),), ()), "1 British infantry is overrun in India."),
    (e.Lost("india", "drowned", ((INFANTRY, 2),), ()), "2 British infantry are lost with the transport off India."),
    (e.SortiesWent(Sorties(stage=1)), None),
    (
        e.Launched("uk", "united-kingdom", "baltic-sea", ((Piece("uk", "fighter"), 2),), "attack", ()),
        "The United Kingdom sends 2 British fighters from United Kingdom to defend the Baltic Sea Zone.",
    ),
    (
        e.Returned("uk", "baltic-sea", "eire", ((Piece("uk", "fighter"), 1),), ()),
        "1 British fighter is back in Eire.",
    ),
    (e.FlewOn("uk", "germany", ((Piece("uk", "bomber"), 1),), ()), None),
    (
        e.Ambushed("germany", "baltic-sea", ((SUBMARINE, 1),), ()),
        "1 German submarine in the Baltic Sea Zone fires at ships that come by.",
    ),
    (
        e.TurnedBack("uk", "germany", ((Piece("uk", "bomber"), 2),), ()),
        "2 British bombers break off over Germany.",
    ),
    (
        e.TurnedBack("uk", "germany", ((Piece("uk", "fighter"), 1),), (), fought=True),
        "1 British fighter returns from over Germany.",
    ),
    (
        e.Rolled("air", "uk", (3, 4), "germany", 0, (("uk", "fighter", 2),), 1),
        "Air combat: 2 British fighters, dice 3 4: 1 to be shot down.",
    ),
    (
        e.Lost("baltic-sea", "carrier-sunk", ((Piece("uk", "fighter"), 2),), ()),
        "2 British fighters are lost with the carrier in the Baltic Sea Zone.",
    ),
    (
        e.Lost("india", "stalemate", ((Piece("japan", "bomber"), 1),), ()),
        "1 Japanese bomber is given up, since nobody can hit anybody, in India.",
    ),
    (
        e.Lost("baltic-sea", "cast-adrift", ((INFANTRY, 2),), ()),
        "2 British infantry are lost without a ship in the Baltic Sea Zone.",
    ),
    (
        e.Withdrew("germany", "baltic-sea", "north-sea", ((SUBMARINE, 2),), (), "submarines"),
        "2 German submarines withdraw from the Baltic Sea Zone to the North Sea Zone.",
    ),
    (
        e.Withdrew("germany", "baltic-sea", "baltic-sea", ((SUBMARINE, 1),), (), "submerged"),
        "1 German submarine submerges in the Baltic Sea Zone.",
    ),
    (
        e.Withdrew("uk", "india", "persia", ((INFANTRY, 2),), (), "retreat"),
        "2 British infantry retreat from India to Persia.",
    ),
    (
        e.Withdrew("uk", "india", "india", ((Piece("uk", "fighter"), 1),), (), "planes"),
        "1 British fighter leaves the fight over India.",
    ),
    (
        e.Surfaced("baltic-sea", (Change("baltic-sea", (), ((SUBMARINE, 2),)),)),
        "2 German submarines surface in the Baltic Sea Zone.",
    ),
    (
        e.StrandedLanded("uk", "baltic-sea", "eire", ((Piece("uk", "fighter"), 1),), ()),
        "1 British fighter over the Baltic Sea Zone finds a place to land in Eire.",
    ),
    (e.BattleEnded("india", "land", "japan", "attacker"), "Japan wins the battle in India."),
    (e.BattleEnded("india", "land", "japan", "defender"), "The attack on India is beaten off."),
    (e.BattleEnded("india", "land", "japan", "both-destroyed"), "Nobody survives the battle in India."),
    (e.BattleEnded("india", "land", "japan", "retreat"), "Japan breaks off the battle in India."),
    (e.BattleEnded("india", "land", "japan", "stalemate"), "The battle in India ends without a winner."),
    (e.BattleEnded("india", "raid", "japan", "raid"), "The raid on India is over."),
    (e.BattleEnded("india", "overflight", "japan", "passed"), None),
    (
        e.SupportGiven("india", "baltic-sea", (Change("baltic-sea", ((Piece("japan", "battleship"), 1),)),)),
        "1 Japanese battleship in the Baltic Sea Zone gives fire support to the landing in India.",
    ),
    (e.RocketDeclined("germany"), "Germany fires no rocket."),
    (
        e.RocketFired("germany", "western-europe", "united-kingdom"),
        "Germany fires a rocket from Western Europe at United Kingdom.",
    ),
    (
        e.Placed("ussr", "russia", (("infantry", 2), ("armor", 1)), ()),
        "The U.S.S.R. places 2 infantry and 1 armor in Russia.",
    ),
    (e.Forfeited("ussr", (("aa-gun", 1),)), "The U.S.S.R. has no place for 1 AA gun: lost."),
    (e.Surrendered("germany"), "Germany surrenders."),
    (e.Won("allies", "Germany has surrendered."), "The Allies win the war. Germany has surrendered."),
    (e.Won(None, "Round 8 was the last."), "The war ends undecided. Round 8 was the last."),
]


ANNIVERSARY: list[tuple[AnyEvent, str | None]] = [
    (e.ResearchersChanged("italy", 2, 3), "Italy hires 2 researchers for 10 IPCs and has 3 now."),
    (e.ResearchersChanged("italy", -3, 0), "The researchers of Italy have done their work and go."),
    (e.Researched("italy", 3, 10, 2), "3 researchers of Italy work: a breakthrough."),
    (e.Researched("usa", 1, 0, 0), "1 researcher of the United States works: no breakthrough."),
    (e.BreakthroughMade("italy"), "Italy has to choose a chart for its breakthrough."),
    (
        e.Repaired("germany", "germany", "industrial-complex", 5, 3),
        "Germany repairs 5 damage to the industrial complex in Germany for 3 IPCs.",
    ),
    (
        e.Damaged("uk", "karelia-ssr", "industrial-complex", 4, 6),
        "The industrial complex in Karelia S.S.R. takes 4 damage; 2 more than it can take.",
    ),
    (
        e.Damaged("uk", "germany", "industrial-complex", 0, 3),
        "The industrial complex in Germany takes no damage; 3 more than it can take.",
    ),
    (
        e.Hurt("sz-2", ((Piece("uk", "battleship"), 1),), ()),
        "1 British battleship in Sea Zone 2 is damaged and fights on.",
    ),
    (
        e.Dropped("uk", "france", ((Piece("uk", "infantry"), 2),), ()),
        "The United Kingdom drops 2 infantry over France.",
    ),
    (
        e.Lost("sz-2", "defenceless", ((Piece("uk", "transport"), 2),), ()),
        "2 British transports are lost without escort in Sea Zone 2.",
    ),
    (
        e.ShipsAssigned("uk", "sz-7", "france", ((Piece("uk", "cruiser"), 2),), ()),
        "2 British cruisers in Sea Zone 7 are to support the landing in France.",
    ),
    (
        e.BattlesDeclined("uk", ("sz-2", "sz-7")),
        "The United Kingdom leaves the enemies in Sea Zone 2 and Sea Zone 7 alone.",
    ),
    (e.Restowed("uk", "sz-2", ()), None),
    (e.Reinforced("china", (("infantry", 3),)), "China receives 3 infantry."),
    (e.ObjectiveMet("usa", "usa-france", 5), "The United States earns 5 IPCs for an objective: France."),
    (e.Kept("italy", (("infantry", 2),)), "2 infantry of Italy stay in the mobilization zone."),
    (e.Kept("italy", (("fighter", 1),)), "1 fighter of Italy stays in the mobilization zone."),
    (e.Rolled("bonds", "italy", (4,), hits=4), "War bonds: Italy, dice 4."),
    (e.Paid("italy", 4, "bonds"), "Italy gets 4 IPCs for war bonds."),
    (e.Paid("italy", 5, "objective"), None),
    (e.Noted("captured ussr germany"), None),
    (
        e.GoalReached("cities", "axis", "italy"),
        "The Axis have reached what wins the war when it is held until the end of the next turn of Italy: "
        "Standard Victory.",
    ),
    (e.GoalLost("cities", "germany"), "Germany has not held what would have won the war: Standard Victory."),
    (e.Won("axis", "Germany holds Russia.", (), "germany"), "Germany wins the war. Germany holds Russia."),
    (e.Paid("italy", -3, "repair", "italy"), None),
]


GLOBAL: list[tuple[AnyEvent, str | None]] = [
    (e.ProjectAdvanced("germany", "radar", 3, 9), "Germany: Radar advances to 9 of 18."),
    (e.ProjectAdvanced("germany", "B", -2, 7), "Germany: project B is thrown back to 7 of 18."),
    (e.ProjectRevealed("germany", "rockets", "uk"), "The United Kingdom finds out that Germany works on Rockets."),
    (e.Rolled("spies", "uk", (2,)), "Intelligence: the United Kingdom, dice 2."),
    (e.SpiesStopped("uk", "germany"), "The agents of the United Kingdom are caught by Germany."),
    (e.SpiesUsed("uk"), None),
    (e.PilotsTrained("japan", 1, 2, 10), "The level of the pilots of Japan rises to +2 for 10 IPCs."),
    (e.PilotsTrained("japan", -1, -1, 0), "The level of the pilots of Japan falls to -1."),
    (e.Paid("japan", -10, "training"), None),
    (e.BudgetSet("usa", 10), None),
    (e.Rolled("moves", "usa", (4,)), "Units that may move: the United States, dice 4."),
    (e.MovesAllowed("usa", 4), None),
    (e.SurprisePlanned("japan", "sz-26"), "Japan plans a surprise in Sea Zone 26."),
    (
        e.ComplexLifted("ussr", "russia", "urals", "major-complex", ()),
        "The Soviet Union takes its major industrial complex from Russia to Urals.",
    ),
    (
        e.ComplexSettled("ussr", "urals", "minor-complex", Moving("ussr", "minor-complex", "russia", "urals", 2), ()),
        "The Soviet Union puts its minor industrial complex down in Urals.",
    ),
    (
        e.MovingChanged(
            Moving("ussr", "minor-complex", "russia", "urals", 2),
            Moving("ussr", "minor-complex", "russia", "kazakhstan", 2),
        ),
        "The Soviet Union sends the minor industrial complex under way to Urals on to Kazakhstan.",
    ),
    (
        e.MovingChanged(
            Moving("ussr", "minor-complex", "russia", "urals", 2),
            Moving("ussr", "major-complex", "russia", "urals", 2, upgraded=True),
            20,
        ),
        "The Soviet Union makes the minor industrial complex under way to Urals "
        "a major industrial complex for 20 IPCs.",
    ),
    (
        e.ComplexesUpgraded(
            "usa", ("eastern-united-states", "western-united-states"), "minor-complex", "major-complex", ()
        ),
        "The United States mobilizes for war: major industrial complexes in "
        "Eastern United States and Western United States.",
    ),
    (
        e.LineRaised("france", "france", "fortification", ()),
        "A French fortification bars the way into France.",
    ),
    (
        e.LinesLost("france", ("france",), "france"),
        "The border lines of France are worth nothing after the fall of France.",
    ),
    (e.TroopsOffered("france", "france", 12), "France raises troops for 12 IPCs in France."),
    (
        e.TroopsRaised("france", "france", (("infantry", 2), ("armor", 1)), ()),
        "France places 2 infantry and 1 armor in France.",
    ),
    (e.UndergroundLeft("russia", ((Piece("ussr", "partisan"), 1),), ()), "1 Soviet partisan leaves Russia."),
    (e.BuildingChanged("germany", "poland", "air-base", 1), "The air base in Poland takes 1 more turn."),
    (e.BuildingChanged("germany", "poland", "air-base", 2), "The air base in Poland takes 2 more turns."),
    (e.Forfeited("ussr", (("armor", 1),)), "The Soviet Union has no place for 1 armor."),
    (
        e.Launched("uk", "united-kingdom", "sz-110", ((Piece("uk", "fighter"), 1),), "ships", ()),
        "The United Kingdom sends 1 British fighter from United Kingdom against ships in Sea Zone 110.",
    ),
    (e.AdriftSettled("sz-110"), None),
    (
        e.Loaded("usa", "atomic-bomb", 1, "japan", ()),
        "The United States sends 1 atomic bomb against Japan.",
    ),
    (e.BombsReturned("usa", "atomic-bomb", 1, ()), "1 atomic bomb of the United States comes back."),
    (e.ComplexDestroyed("usa", "japan", "major-complex", ()), "The major industrial complex in Japan is destroyed."),
    (
        e.Rolled("commando", "uk", (3, 6), "norway", 3, (("uk", "commando", 2),), 1),
        "Commandos in Norway: British commandos (2 dice) at 3 or less, dice 3 6: one hit.",
    ),
    (
        e.CommandosSent("uk", "commando", "norway", 2, 1),
        "The United Kingdom sends 2 commandos to Norway; 1 does not come back.",
    ),
    (e.CommandosDeclined("uk"), None),
    (
        e.Lost("sz-6", "expended", ((Piece("japan", "fighter"), 2),), ()),
        "2 Japanese fighters are spent in the attack in Sea Zone 6.",
    ),
    (
        e.Lost("france", "captured-base", ((Piece("france", "fighter"), 1),), ()),
        "1 French fighter is lost with the base in France.",
    ),
]

ADVANCED: list[tuple[AnyEvent, str | None]] = [
    (e.Rolled("event", "usa", (3,)), "Event card: the United States, dice 3."),
    (e.Paid("usa", 2, "event"), "The United States gets 2 IPCs by the event of the round."),
    (e.Paid("usa", -2, "event"), "The United States loses 2 IPCs by the event of the round."),
    (e.DropsCounted("uk", 1, cost=4), "The United Kingdom pays 4 IPCs for 2 airborne drops."),
    (e.DropsCounted("uk", 1), None),
    (e.Paid("uk", -4, "drops"), None),
    (e.SetDown("uk", "libya", ((Piece("uk", "bomber"), 1),), ()), "The United Kingdom sets 1 bomber down in Libya."),
    (e.Rolled("lend-lease", "usa", (4,)), "Lend lease: the United States, dice 4."),
    (e.AidSent("usa", "ussr", 3, 4), "The United States pays 3 IPCs and sends the U.S.S.R. 4 IPCs by lend lease."),
    (e.Paid("usa", -3, "lend-lease"), None),
    (
        e.Restrained((("japan", "ussr"), ("ussr", "japan"))),
        "Japan leaves the U.S.S.R. alone and the U.S.S.R. leaves Japan alone.",
    ),
    (e.Restrained(()), "No pact holds anybody back any more."),
    (e.LandOpened("ussr", "karelia-ssr"), "The U.S.S.R. opens Karelia S.S.R. to its allies."),
    (
        e.Intercepted("germany", "germany", ((Piece("germany", "fighter"), 3),), 1, ()),
        "Germany sends 3 German fighters up over Germany, 1 of them against the bombers.",
    ),
    (
        e.Intercepted("germany", "germany", ((Piece("germany", "fighter"), 3),), 0, ()),
        "Germany sends 3 German fighters up over Germany against the escorts.",
    ),
    (
        e.FleetJoined("usa", "hawaiian-sea", "attack", ((Piece("usa", "carrier"), 1),), ()),
        "1 American aircraft carrier in the Hawaiian Sea Zone joins the Attack Fleet.",
    ),
]


@pytest.mark.parametrize(("event", "words"), GLOBAL, ids=[type(event).__name__ for event, _ in GLOBAL])
def test_sentences_of_global(event: AnyEvent, words: str | None) -> None:
    assert sentence(compile_world("global-1940"), event) == words


@pytest.mark.parametrize(("event", "words"), ADVANCED, ids=[type(event).__name__ for event, _ in ADVANCED])
def test_sentences_of_advanced_rules(event: AnyEvent, words: str | None) -> None:
    assert sentence(compile_world("classic-1942", {"paratroopers": True}), event) == words


def test_the_card_of_the_round_is_told() -> None:
    world = compile_world("global-1940", {"event_deck": "fortunes"})
    card = world.cards[0]
    assert sentence(world, e.EventDrawn(card.id, True)) == f"Event card: {card.name}. {card.text}"


ALL = (*EXPECTED, *ANNIVERSARY, *GLOBAL, *ADVANCED)


@pytest.mark.parametrize(("event", "words"), ANNIVERSARY)
def test_sentences_of_other_editions(event: AnyEvent, words: str | None) -> None:
    assert sentence(compile_world("anniversary-1941"), event) == words


@pytest.mark.parametrize(("event", "words"), EXPECTED, ids=[type(event).__name__ for event, _ in EXPECTED])
def test_sentences(event: AnyEvent, words: str | None, classic_world: World) -> None:
    assert sentence(classic_world, event) == words


def test_every_kind_of_event_is_above() -> None:
    """A new event without a sentence fails here, and mypy refuses it in `log`."""
    assert {e.EventDrawn, *(type(event) for event, _ in ALL)} == set(get_args(AnyEvent))


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (e.Rolled, "reason"),
        (e.Paid, "reason"),
        (e.Captured, "reason"),
        (e.Lost, "reason"),
        (e.Withdrew, "reason"),
        (e.BattleEnded, "result"),
    ],
)
def test_every_reason_and_result_is_above(kind: type, field: str) -> None:
    declared = set(get_args(get_type_hints(kind)[field]))
    assert declared == {getattr(event, field) for event, _ in ALL if type(event) is kind}


@pytest.mark.rule("CL-CMB-07")
def test_more_dice_than_a_table_has_are_thrown_in_handfuls(classic_world: World) -> None:
    faces = (1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 1)
    event = e.Rolled("attack", "ussr", faces, "india", 1, (("ussr", "infantry", 14),), 4)
    words = sentence(classic_world, event)
    assert words is not None
    assert "dice 1 2 3 4 5 6 1 2 3 4 5 6 / 1 1: 4 hits" in words


def test_phases_that_pass_by_are_not_told(classic_world: World) -> None:
    told = sentences(
        classic_world,
        [
            e.PhaseBegan("usa", "income", 6),
            e.Paid("usa", 36, "income"),
            e.TurnBegan("ussr", 2, 0),
            e.PhaseBegan("ussr", "research", 0),
            e.PhaseBegan("ussr", "purchase", 1),
        ],
    )
    assert told == [
        "The United States: income.",
        "The United States collects 36 IPCs.",
        "Round 2: the turn of the U.S.S.R. begins.",
        "The U.S.S.R.: purchase.",
    ]


def test_the_log_of_the_sudan(sudan: Callable[..., Game]) -> None:
    game = sudan()
    lines = log(game)
    assert [line.place for line in lines] == [0, 1, 2, 3, 4, 5]
    assert [line.order for line in lines] == [
        "",
        "move 1 infantry, 1 armor: libya -> anglo-egypt-sudan",
        "end",
        "casualties 1 infantry",
        "press",
        "casualties 1 infantry",
    ]
    assert [line.phase for line in lines[1:]] == ["combat-move", "combat-move", "combat", "combat", "combat"]
    assert [line.power for line in lines[1:]] == ["germany", "germany", "uk", "germany", "germany"]
    assert {(line.round, line.turn) for line in lines} == {(1, "germany")}
    assert lines[2].dice == (4, 2)
    assert lines[2].throws == ((4,), (2,))
    assert lines[1].sentences == ("Germany moves 1 infantry and 1 armor from Libya to Anglo-Egypt Sudan.",)
    assert lines[-1].sentences[-2:] == (
        "Germany takes Anglo-Egypt Sudan from the United Kingdom.",
        "Germany: non-combat movement.",
    )
    game.go_to(2)
    assert log(game) == lines[:3]


def test_guns_on_the_way_fire_from_where_they_stand() -> None:
    world = compile_world("classic-1942")
    position = {
        "clear": ["finland-norway", "karelia-ssr", "caucasus"],
        "units": {
            "finland-norway": {"germany": {"fighter": 1}},
            "karelia-ssr": {"ussr": {"aa-gun": 1}},
            "caucasus": {"ussr": {"infantry": 1}},
        },
        "turn": "germany",
        "phase": "combat-move",
    }
    game = Game(world, seed=0, start=patched_state(world, position))
    game.play("move 1 fighter: finland-norway -> karelia-ssr -> caucasus")
    assert any(line.startswith("AA fire in Karelia S.S.R.") for line in sentences(world, game.entries[-1].events))
