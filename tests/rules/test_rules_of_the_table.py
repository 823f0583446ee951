"""Rules about players, seats, pieces and what everybody can see: nothing that dice or orders in a case could show."""

from __future__ import annotations

import itertools

import pytest

from sandtable.engine.chips import Chips, chips
from sandtable.engine.game import Game
from sandtable.errors import Refusal, SandtableError
from sandtable.notation.orders import AnyOrder
from sandtable.world.model import World


@pytest.mark.rule("CL-SET-01")
def test_relations_of_all_pairs(classic_world: World) -> None:
    axis = {"germany", "japan"}
    for a, b in itertools.product(classic_world.powers, repeat=2):
        assert classic_world.same_side(a, b) == ((a in axis) == (b in axis)), (a, b)
    assert len(classic_world.powers) == 5


@pytest.mark.rule("CL-SET-01")
def test_hostile_from_the_first_turn() -> None:
    """No pact keeps the U.S.S.R. from attacking Japan in round 1."""
    game = Game.new(dice=[1] * 40)
    game.play("end")
    game.play("end")
    assert game.decision is not None
    assert (game.decision.power, game.decision.kind) == ("ussr", "combat-move")
    assert "manchuria" in game.legal.destinations("yakut-ssr", "infantry")


@pytest.mark.rule("CL-SET-02", "CL-SET-03", "CL-SET-04", "CL-SET-05", "CL-SET-06")
@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (2, [{"ussr", "uk", "usa"}, {"germany", "japan"}]),
        (3, [{"ussr", "uk", "usa"}, {"germany"}, {"japan"}]),
        (4, [{"ussr", "usa"}, {"uk"}, {"germany"}, {"japan"}]),
        (5, [{"ussr"}, {"germany"}, {"uk"}, {"japan"}, {"usa"}]),
    ],
)
def test_seats_by_number_of_players(players: int, seats: list[set[str]]) -> None:
    game = Game.new(seats=players)
    assert [set(powers) for powers in game.seats.values()] == seats
    assert sorted(p for powers in game.seats.values() for p in powers) == sorted(game.world.order)
    for seat, powers in game.seats.items():
        for power in powers:
            assert game.seat_of(power) == seat
            assert game.view(seat).powers == tuple(powers)


@pytest.mark.rule("CL-SET-02")
@pytest.mark.parametrize("players", [0, 1, 6, 7])
def test_too_few_or_too_many_players(players: int) -> None:
    with pytest.raises(SandtableError, match="CL-SET-02"):
        Game.new(seats=players)


@pytest.mark.rule("CL-SET-02")
@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ({"A": ("ussr", "uk", "usa", "germany", "japan")}, "2 to 5 players"),
        ({"A": ("ussr", "uk", "usa", "germany", "japan"), "B": ()}, "B"),
        ({"A": ("ussr", "uk", "usa"), "B": ("germany",)}, "Nobody plays Japan"),
        ({"A": ("ussr", "uk", "usa", "japan"), "B": ("germany", "japan")}, "one seat only"),
        ({"A": ("ussr", "uk", "usa"), "B": ("germany", "japan", "italy")}, "italy"),
    ],
)
def test_seats_that_cannot_be(seats: dict[str, tuple[str, ...]], words: str) -> None:
    with pytest.raises(SandtableError, match=words):
        Game.new(seats=seats)


@pytest.mark.rule("CL-SET-02")
def test_seats_per_power_of_ones_own() -> None:
    """Any sharing of the five powers among two to five people is possible, across the alliances too."""
    game = Game.new(seats={"Ann": ("ussr", "japan"), "Ben": ("germany", "uk", "usa")})
    assert game.seat_of("japan") == "Ann"
    assert game.view("Ann").to_answer
    assert not game.view("Ben").to_answer


@pytest.mark.rule("CL-SET-11")
def test_everything_shows_an_owners_colour(classic_world: World) -> None:
    """Every piece and every owned territory belongs to a power that has a colour of its own."""
    state = Game.new().state
    colours = [power.colour for power in classic_world.powers.values()]
    assert len(set(colours)) == 5
    assert set(state.owners.values()) == set(classic_world.powers)
    for stack in state.units.values():
        for piece in stack:
            assert classic_world.powers[piece.power].colour in colours
    neutral = [s.id for s in classic_world.spaces.values() if s.is_land and s.id not in state.owners]
    assert all(classic_world.spaces[s].owner is None for s in neutral)


@pytest.mark.rule("CL-SET-14")
@pytest.mark.parametrize(
    ("units", "seen"),
    [(0, (0, 0, 0)), (1, (0, 0, 1)), (2, (0, 1, 1)), (5, (0, 4, 1)), (6, (1, 0, 1)), (7, (1, 1, 1)), (26, (5, 0, 1))],
)
def test_chips(units: int, seen: tuple[int, int, int]) -> None:
    assert chips(units) == Chips(*seen)


@pytest.mark.rule("CL-SET-14")
def test_chips_add_up() -> None:
    for units in range(1, 100):
        stack = chips(units)
        assert 5 * stack.red + stack.white + stack.pieces == units
        assert stack.pieces == 1
        assert stack.white < 5
    with pytest.raises(ValueError, match="-1"):
        chips(-1)


@pytest.mark.rule("CL-SET-29")
def test_nobody_commands_an_ally() -> None:
    """Naming an ally's units is refused in every phase that moves or makes units, even for a player who has both."""
    game = Game.new(seats=2)
    refused = [
        ("buy 1 transport", "buy 1 uk infantry"),
        ("end", "move 1 uk infantry: india -> persia"),
        ("end", "move 1 usa infantry: china -> sinkiang"),
    ]
    for legal, foreign in refused:
        game.play(legal)
        with pytest.raises(Refusal):
            game.play(foreign)
    with pytest.raises(Refusal, match="CL-MPF-01"):
        game.play("move 1 infantry: united-kingdom -> north-sea")


@pytest.mark.rule("CL-SET-29")
def test_only_own_units_are_offered() -> None:
    game = Game.new(seed=3)
    for _ in range(5):
        while game.decision is not None and game.decision.kind != "combat-move":
            game.play("end")
        power = game.decision.power if game.decision else ""
        for move in game.legal.moves():
            (spec,) = move.units
            stack = game.state.at(move.route[0])
            own = [p for p in stack if p.power == power and p.type == spec.type]
            own += [c for p in stack for c in p.cargo if c.power == power and c.type == spec.type]
            assert own, move
        turn = game.state.turn
        while game.state.turn == turn:
            game.play("end")


@pytest.mark.rule("CL-MAP-01")
def test_every_space_is_land_or_sea(classic_world: World) -> None:
    for space in classic_world.spaces.values():
        assert space.kind in ("land", "sea")
        assert space.is_land != space.is_sea
        assert classic_world.neighbours[space.id], f"{space.id} borders nothing"
        for near in classic_world.neighbours[space.id]:
            assert space.id in classic_world.neighbours[near], "a boundary has two sides"
            assert near != space.id


@pytest.mark.rule("CL-TEC-12")
def test_everybody_sees_developments() -> None:
    """Germany gains Rockets with a six and a two; every seat's view and a spectator's list it."""
    game = Game.new(dice=[6, 2])
    while game.decision is not None and game.decision.power != "germany":
        game.play("end")
    game.play("research 1")
    for seat in (*game.seats, None):
        assert game.view(seat).state.techs["germany"] == {"rockets"}
        assert game.view(seat).state.techs["japan"] == frozenset()


@pytest.mark.rule("CL-INC-03", "CL-SET-29")
def test_no_order_gives_money_away() -> None:
    """There is no kind of order that names money and a receiver: powers are named to fight, to ally with, to spy on."""
    fields = {field for kind in AnyOrder.__args__ for field in kind.__struct_fields__}
    assert fields == {
        "dice", "technology", "chart", "up", "space", "points", "facility", "units", "power", "route", "role", "gun",
        "target", "count", "start", "zone", "ship", "end", "unit", "drops", "at_bombers",
    }  # fmt: skip
    with_power = [kind.__name__ for kind in AnyOrder.__args__ if "power" in kind.__struct_fields__]
    assert with_power == ["Declare", "Ally", "Break", "Reveal", "Sabotage"]
