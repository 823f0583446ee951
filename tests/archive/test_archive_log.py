"""The log: every kind of event has its sentence, or is known to be mere bookkeeping."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_args, get_type_hints

import pytest

from sandtable.archive.game import Game
from sandtable.archive.log import log, sentence, sentences
from sandtable.engine import events as e
from sandtable.engine.events import AnyEvent, Change
from sandtable.engine.state import Battle, Piece, Question
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
    (e.TechGained("ussr", "rockets"), "The U.S.S.R. develops Rockets."),
    (e.Paid("japan", 25, "income"), "Japan collects 25 IPCs."),
    (e.Paid("germany", -1, "raid", "germany"), "Germany loses 1 IPC to bombs on Germany."),
    (e.Paid("germany", -4, "rocket", "germany"), "Germany loses 4 IPCs to a rocket on Germany."),
    (e.Paid("uk", -30, "capital", "united-kingdom"), "The United Kingdom surrenders 30 IPCs with United Kingdom."),
    (e.Paid("germany", 30, "capital", "united-kingdom"), "Germany takes 30 IPCs in United Kingdom."),
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
        e.WarDeclared("germany", "uk", (("germany", "uk"), ("germany", "usa"))),
        "Germany declares war on the United Kingdom, which draws in the United States.",
    ),
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
        e.Lost("india", "no-landing", ((Piece("japan", "fighter"), 1),), ()),
        "1 Japanese fighter is lost for want of a place to land over India.",
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


@pytest.mark.parametrize(("event", "words"), ANNIVERSARY)
def test_sentences_of_other_editions(event: AnyEvent, words: str | None) -> None:
    assert sentence(compile_world("anniversary-1941"), event) == words


@pytest.mark.parametrize(("event", "words"), EXPECTED, ids=[type(event).__name__ for event, _ in EXPECTED])
def test_sentences(event: AnyEvent, words: str | None, classic_world: World) -> None:
    assert sentence(classic_world, event) == words


def test_every_kind_of_event_is_above() -> None:
    """A new event without a sentence fails here, and mypy refuses it in `log`."""
    assert {type(event) for event, _ in (*EXPECTED, *ANNIVERSARY)} == set(get_args(AnyEvent))


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
    assert declared == {getattr(event, field) for event, _ in (*EXPECTED, *ANNIVERSARY) if type(event) is kind}


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
