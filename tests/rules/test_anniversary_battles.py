"""Anniversary battles as their events tell them: what comes before what, and questions that cases cannot see."""

from __future__ import annotations

from typing import Any

import pytest

from sandtable.archive.position import patched_state
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import (
    BattleOpened,
    CasualtiesChosen,
    Damaged,
    Dropped,
    Hurt,
    LandingCancelled,
    Lost,
    Rolled,
    StrandedLanded,
    SupportGiven,
)
from sandtable.engine.game import Game
from sandtable.errors import Refusal
from sandtable.notation import parse_order
from sandtable.world.compile import compile_world

WORLD = compile_world("anniversary-1941")


def game_of(power: str, units: dict[str, Any], dice: list[int], **more: Any) -> Game:
    patch = {"clear": "all", "units": units, "turn": power, "phase": "combat-move", **more}
    return Game(WORLD, start=patched_state(WORLD, patch), dice=ScriptedDice(dice))


def told(game: Game, *kinds: type) -> list[Any]:
    return [event for event in game.events if isinstance(event, kinds)]


def reasons(game: Game) -> list[str]:
    """Rolls and losses in the order in which they happened."""
    return [
        f"{event.reason} fire" if isinstance(event, Rolled) else f"lost: {event.reason}"
        for event in told(game, Rolled, Lost)
    ]


@pytest.mark.rule("AN-CBT-03", "AN-SEA-02", "AN-SEA-04")
def test_opposing_strikes_come_first_and_kill_together() -> None:
    units = {
        "sz-7": {"germany": {"submarine": 1, "cruiser": 1}},
        "sz-8": {"uk": {"submarine": 1, "cruiser": 1}},
    }
    game = game_of("germany", units, [1, 1, 3, 6])
    for order in ("move 1 submarine, 1 cruiser: sz-7 -> sz-8", "end", "stay", "stay"):
        game.play(order)
    game.play("casualties 1 submarine")  # it strikes all the same
    game.play("casualties 1 submarine")
    assert reasons(game) == [
        "attack fire",
        "defense fire",
        "lost: first-shot",
        "lost: first-shot",
        "attack fire",
        "defense fire",
        "lost: battle",
    ]
    assert game.state.at("sz-8") == {
        p: 1 for p in game.state.at("sz-8") if p.type == "cruiser" and p.power == "germany"
    }


@pytest.mark.rule("AN-AAG-01", "AN-AAG-03", "AN-TEC-09")
def test_every_plane_has_its_die_and_troops_go_down_with_theirs() -> None:
    units = {
        "united-kingdom": {"uk": {"fighter": 1, "bomber": 2, "infantry": 2}},
        "france": {"germany": {"infantry": 1, "aa-gun": 1}},
    }
    game = game_of("uk", units, [6, 6, 1, 1, 6], technologies={"uk": ["paratroopers"]})
    game.play("move 2 bomber, 2 infantry: united-kingdom -> france as paradrop")
    game.play("move 1 fighter: united-kingdom -> france")
    game.play("end")
    guns = [e for e in told(game, Rolled) if e.reason == "aa"]
    assert [g.faces for g in guns] == [(6, 6, 1)]
    (down,) = [e for e in told(game, Lost) if e.reason == "aa"]
    assert [(p.type, len(p.cargo), n) for p, n in down.units] == [("bomber", 1, 1)]
    (drop,) = told(game, Dropped)
    assert sum(n for _, n in drop.units) == 1
    assert game.state.owners["france"] == "uk"


@pytest.mark.rule("AN-TEC-07", "AN-TEC-08", "AN-TEC-10")
@pytest.mark.parametrize(
    "order",
    [
        "move 1 bomber, 2 infantry: united-kingdom -> france as paradrop",
        "move 1 bomber carrying 1 armor: united-kingdom -> france",
        "move 1 bomber, 1 infantry: united-kingdom -> sz-6 -> northwestern-europe -> germany as paradrop",
        "move 1 bomber, 1 infantry: united-kingdom -> germany as raid",
        "move 1 fighter, 1 infantry: united-kingdom -> france as paradrop",
        "move 1 bomber, 1 infantry: united-kingdom -> iceland as paradrop",
    ],
)
def test_drops_that_are_refused(order: str) -> None:
    units = {
        "united-kingdom": {"uk": {"fighter": 1, "bomber": 1, "infantry": 2, "armor": 1}},
        "germany": {"germany": {"industrial-complex": 1}},
    }
    game = game_of("uk", units, [], technologies={"uk": ["paratroopers"]})
    fine = parse_order(WORLD, "move 1 bomber carrying 1 infantry: united-kingdom -> france")
    assert game.legal.why_not(fine) is None
    with pytest.raises(Refusal) as refused:
        game.play(order)
    assert all(rule.startswith("AN-") for rule in refused.value.rules)


@pytest.mark.rule("AN-CBT-23", "AN-CBT-24", "AN-UNI-08")
def test_a_damaged_battleship_fights_on_and_is_mended_by_the_end() -> None:
    units = {"sz-7": {"germany": {"cruiser": 1}}, "sz-8": {"uk": {"battleship": 1}}}
    game = game_of("germany", units, [3, 4])
    game.play("move 1 cruiser: sz-7 -> sz-8")
    game.play("end")
    assert len(told(game, Hurt)) == 1
    assert not told(game, CasualtiesChosen) or all(e.power == "germany" for e in told(game, CasualtiesChosen))
    assert [(p.type, p.hits, n) for p, n in game.state.at("sz-8").items()] == [("battleship", 0, 1)]


@pytest.mark.rule("AN-AMP-15", "AN-CMV-30")
def test_after_a_costly_sea_battle_troops_may_stay_aboard() -> None:
    """Two transports, a cruiser lost: the attacker may land one load, both or none, but nowhere else."""
    units = {
        "sz-6": {"uk": {"cruiser": 2}},
        "sz-5": {"germany": {"cruiser": 1}},
        "poland": {"germany": {"infantry": 1}},
    }
    cargo = {"sz-6": {"uk": {"transport": [{"infantry": 1}, {"armor": 1}]}}}

    def landing(dice: list[int]) -> Game:
        game = game_of("uk", units, dice, cargo=cargo)
        for order in ("move 2 cruiser, 2 transport: sz-6 -> sz-5", "move 1 infantry, 1 armor: sz-5 -> poland", "end"):
            game.play(order)
        return game

    sea = [3, 6, 3]  # one cruiser each goes down; the other British one stays
    game = landing(sea)
    assert game.decision is not None
    assert (game.decision.kind, game.decision.places, game.decision.optional) == ("battle", ("poland",), True)
    with pytest.raises(Refusal, match="declared"):
        game.play("move 1 armor: sz-5 -> germany")
    game.play("stay")
    assert len(told(game, LandingCancelled)) == 2
    assert sum(len(p.cargo) * n for p, n in game.state.at("sz-5").items()) == 2
    assert game.decision is not None
    assert game.decision.kind == "noncombat-move"

    game = landing([*sea, 3, 6])
    game.play("move 1 armor: sz-5 -> poland")
    assert game.state.owners["poland"] == "uk"
    assert [c.type for p in game.state.at("sz-5") for c in p.cargo] == ["infantry"]

    game = landing([*sea, 1, 3, 6])
    game.play("battle poland")
    assert {p.type for p in game.state.at("poland")} == {"infantry", "armor"}
    assert not told(game, SupportGiven)


@pytest.mark.rule("AN-SEA-18")
def test_fighters_without_a_carrier_find_the_nearest_friend_when_all_is_fought() -> None:
    units = {
        "sz-57": {"japan": {"submarine": 2}},
        "sz-53": {"usa": {"carrier": 1, "fighter": 2}},
        "hawaiian-islands": {"usa": {"infantry": 1}},
    }
    game = game_of("japan", units, [1, 6])
    game.play("move 2 submarine: sz-57 -> sz-53")
    game.play("end")
    game.play("stay")
    assert {e.to for e in told(game, StrandedLanded)} == {"hawaiian-islands"}
    assert sum(n for p, n in game.state.at("hawaiian-islands").items() if p.type == "fighter") == 2


@pytest.mark.rule("AN-CBT-01", "AN-TEC-02", "AN-SBR-09")
def test_rockets_then_raids_then_assaults_then_the_rest() -> None:
    units = {
        "united-kingdom": {"uk": {"aa-gun": 1, "bomber": 1}},
        "germany": {"germany": {"industrial-complex": 1}},
        "sz-3": {"uk": {"transport": 1, "infantry": 1}},
        "norway": {"germany": {"infantry": 1}},
        "egypt": {"uk": {"armor": 1}},
        "libya": {"italy": {"infantry": 1}},
    }
    game = game_of("uk", units, [5, 2, 1, 6, 3, 6], technologies={"uk": ["rockets"]})
    for order in (
        "move 1 armor: egypt -> libya",
        "move 1 infantry: sz-3 -> norway",
        "move 1 bomber: united-kingdom -> germany as raid",
        "end",
        "rocket united-kingdom -> germany",
    ):
        game.play(order)
    assert [e.points for e in told(game, Damaged)] == [5, 2]
    assert [e.battle.space for e in told(game, BattleOpened)] == ["germany", "norway", "libya"]
    assert game.state.owners["norway"] == game.state.owners["libya"] == "uk"


def test_troops_beside_a_bomber_are_told_how_to_ride_in_it() -> None:
    """Only who has the technology, in the phase where it can be used, and for what can ride."""
    units = {"united-kingdom": {"uk": {"bomber": 1, "infantry": 1, "armor": 1}}, "france": {"germany": {"infantry": 1}}}
    hint = "To drop the troops from the bomber, end the order with `as paradrop`."
    way = "united-kingdom -> sz-7 -> france"

    def why_not(order: str, **other: Any) -> str | None:
        game = game_of("uk", units, [], **{"technologies": {"uk": ["paratroopers"]}, **other})
        refusal = game.legal.why_not(parse_order(WORLD, order))
        return None if refusal is None else refusal.text

    both = f"move 1 bomber, 1 infantry: {way}"
    assert why_not(both) == f"There is no transport in Sea Zone 7 for the infantry. {hint}"
    assert why_not(f"{both} as paradrop") is None
    for text in (
        why_not(f"move 1 bomber, 1 armor: {way}"),
        why_not(f"move 1 infantry: {way}"),
        why_not(both, technologies={}),
        why_not(both, phase="noncombat-move"),
    ):
        assert text is not None
        assert hint not in text
