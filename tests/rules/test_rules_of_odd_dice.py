"""Research with dice that no table has: it comes to an end whatever they show."""

from __future__ import annotations

import msgspec
import pytest

from sandtable.engine.events import Rolled, TechGained
from sandtable.engine.game import Game
from sandtable.engine.phases.research import MOST_REROLLS
from sandtable.engine.start import starting_state
from sandtable.world.compile import compile_world
from sandtable.world.model import World


class ConstantDice:
    """They show what they are told to, the last face for ever."""

    def __init__(self, *faces: int) -> None:
        self.faces = faces

    def face(self, index: int, sides: int) -> int:
        return min(self.faces[min(index, len(self.faces) - 1)], sides)


def with_sides(world: World, sides: int) -> World:
    rules = msgspec.structs.replace(world.rules, dice_sides=sides, research_success=min(6, sides))
    return msgspec.structs.replace(world, rules=rules)


def researching(world: World, known: set[str], *faces: int) -> Game:
    """The first power with money enough, which owns these developments."""
    power = world.order[0]
    start = starting_state(world)
    start = msgspec.structs.replace(
        start, techs={**start.techs, power: frozenset(known)}, treasury={**start.treasury, power: 100}
    )
    return Game(world, start=start, dice=ConstantDice(*faces))


def gained(game: Game) -> list[str]:
    return [event.technology for event in game.events if isinstance(event, TechGained)]


def breakthroughs(game: Game) -> int:
    return sum(isinstance(event, Rolled) and event.reason == "breakthrough" for event in game.events)


CLASSIC = compile_world("classic-1942")
BY_ROLL = {t.roll: t.id for t in CLASSIC.technologies.values()}


@pytest.mark.rule("CL-TEC-08")
@pytest.mark.parametrize("left", range(1, 6))
def test_dice_that_always_show_what_is_owned(left: int) -> None:
    """Six after six, and the sixth development is owned: the rest still come, one for each six that was bought."""
    known = {BY_ROLL[roll] for roll in range(1, 7) if roll != left}
    game = researching(CLASSIC, known, 6)
    game.play("research 1")
    assert gained(game) == [BY_ROLL[left]]
    assert breakthroughs(game) == MOST_REROLLS


def test_several_breakthroughs_with_one_face() -> None:
    game = researching(CLASSIC, set(), 6)
    game.play("research 8")
    assert sorted(gained(game)) == sorted(BY_ROLL.values())
    assert gained(game)[0] == BY_ROLL[6]


def test_a_chart_whose_face_is_owned() -> None:
    world = compile_world("anniversary-1941")
    chart = {t.roll: t.id for t in world.technologies.values() if t.chart == 2}
    game = researching(world, {chart[6]}, 6)
    game.play("research 1")
    game.play("chart 2")
    (found,) = gained(game)
    assert found in set(chart.values()) - {chart[6]}


@pytest.mark.parametrize("sides", [2, 4, 6, 12, 100])
@pytest.mark.parametrize("face", [1, 2, 6, 12, 100])
def test_any_number_of_sides(sides: int, face: int) -> None:
    """Every die that is bought shows a success; what names the development shows the face in question, always."""
    world = with_sides(CLASSIC, sides)
    game = researching(world, set(), *[sides] * 6, face)
    game.play("research 6")
    assert sorted(gained(game)) == sorted(BY_ROLL.values())


def test_faces_beyond_the_chart_are_rolled_again() -> None:
    game = researching(with_sides(CLASSIC, 12), set(), 12, 9, 7, 4)
    game.play("research 1")
    assert gained(game) == [BY_ROLL[4]]
    assert breakthroughs(game) == 3


def test_a_die_with_too_few_faces_is_not_rolled_in_vain() -> None:
    """With four faces the fifth and sixth development cannot be rolled; one die chooses between them."""
    game = researching(with_sides(CLASSIC, 4), {BY_ROLL[roll] for roll in range(1, 5)}, 4)
    game.play("research 1")
    assert gained(game) == [BY_ROLL[6]]
    assert breakthroughs(game) == 1


@pytest.mark.rule("CL-TEC-06")
def test_ordinary_dice_choose_as_ever() -> None:
    game = researching(CLASSIC, {BY_ROLL[2]}, 6, 2, 2, 3)
    game.play("research 1")
    assert gained(game) == [BY_ROLL[3]]
    assert breakthroughs(game) == 3
