"""Options are agreed on before the first turn and stay."""

from __future__ import annotations

import pytest

from sandtable import Game
from sandtable.errors import NotationError, SaveError


def in_round_three() -> Game:
    game = Game.new("classic-1942", options={"lend_lease": True}, seed=3)
    while game.state.round < 3:
        game.play(game.legal.default())
    return game


@pytest.mark.rule("MX00-03")
def test_no_order_switches_an_option_on() -> None:
    game = in_round_three()
    for text in ("kamikazes", "option kamikazes: true", "options kamikazes=true"):
        with pytest.raises(NotationError):
            game.play(text)
    assert game.world.options["kamikazes"] is False


@pytest.mark.rule("MX00-03")
def test_a_saved_game_keeps_its_options() -> None:
    text = in_round_three().to_text()
    assert Game.from_text(text).world.options["lend_lease"] is True
    line = "option lend_lease: true\n"
    assert line in text
    with pytest.raises(SaveError):
        Game.from_text(text.replace(line, line + "option kamikazes: true\n"))
    with pytest.raises(SaveError):
        Game.from_text(text.replace(line, ""))
