"""Orders as text: what is written can be read, what people type is understood, and nothing else ever happens."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sandtable.errors import NotationError
from sandtable.notation import canonical, format_order, orders, parse_order
from sandtable.notation import names as name_module
from sandtable.notation.orders import AnyOrder, UnitSpec
from sandtable.notation.parse import ROLES
from sandtable.world.compile import compile_world
from sandtable.world.model import World
from support.choices import CLASSIC

GLOBAL = compile_world("global-1940")
WORLDS = {"classic": CLASSIC, "anniversary": compile_world("anniversary-1942"), "global": GLOBAL}

# ---------------------------------------------------------------- every order there is


@st.composite
def unit_specs(draw: st.DrawFn, world: World) -> UnitSpec:
    unit = draw(st.sampled_from(list(world.units)))
    power = draw(st.none() | st.sampled_from(list(world.powers)))
    cargo = None
    if world.units[unit].loads and draw(st.booleans()):
        land = [u for u in world.units if world.units[u].domain == "land"]
        kinds = draw(st.lists(st.sampled_from(land), unique=True, max_size=2))
        cargo = tuple((u, draw(st.integers(1, 2))) for u in sorted(kinds, key=land.index))
    return UnitSpec(unit, draw(st.integers(1, 999_999)), power, cargo)


def some_units(world: World) -> st.SearchStrategy[tuple[UnitSpec, ...]]:
    return st.lists(unit_specs(world), min_size=1, max_size=4).map(tuple)


@st.composite
def moves(draw: st.DrawFn, world: World) -> orders.Move:
    spaces = st.sampled_from(list(world.spaces))
    route = draw(st.lists(spaces, min_size=2, max_size=7).map(tuple))
    role = draw(st.none() | st.sampled_from(sorted(ROLES)))
    facility = draw(st.none() | st.sampled_from(list(world.units))) if role else None
    return orders.Move(draw(some_units(world)), route, role, facility)


def _any_order(world: World) -> st.SearchStrategy[AnyOrder]:
    space = st.sampled_from(list(world.spaces))
    power = st.sampled_from(list(world.powers))
    unit = st.sampled_from(list(world.units))
    number = st.integers(1, 999_999)
    units = some_units(world)
    kinds: dict[type, st.SearchStrategy[Any]] = {
        orders.Research: st.builds(orders.Research, number)
        | st.builds(orders.Research, st.just(0), st.sampled_from(list(world.technologies))),
        orders.Chart: st.builds(orders.Chart, number),
        orders.Train: st.builds(orders.Train, st.booleans()),
        orders.Repair: st.builds(orders.Repair, space, number, st.none() | st.sampled_from(list(world.units))),
        orders.Buy: st.builds(orders.Buy, units),
        orders.Upgrade: st.builds(orders.Upgrade, space),
        orders.Declare: st.builds(orders.Declare, power),
        orders.Ally: st.builds(orders.Ally, power),
        orders.Break: st.builds(orders.Break, power),
        orders.Permit: st.builds(orders.Permit, st.none() | space),
        orders.Capital: st.builds(orders.Capital, space),
        orders.Reveal: st.builds(orders.Reveal, power),
        orders.Sabotage: st.builds(orders.Sabotage, power, st.sampled_from(list(world.technologies))),
        orders.Contest: st.just(orders.Contest()),
        orders.LendLease: st.just(orders.LendLease()),
        orders.Airborne: st.builds(orders.Airborne, number),
        orders.Move: moves(world),
        orders.Assign: st.builds(orders.Assign, units, space, st.sampled_from(("invasion", "attack"))),
        orders.Relocate: st.builds(orders.Relocate, unit, space, space),
        orders.Rocket: st.builds(orders.Rocket, space, space, st.none() | unit),
        orders.Commando: st.builds(orders.Commando, number, space, space, st.none() | unit),
        orders.Undo: st.just(orders.Undo()),
        orders.Fight: st.builds(orders.Fight, space),
        orders.Casualties: st.builds(orders.Casualties, units),
        orders.Submerge: st.builds(orders.Submerge, st.none() | number),
        orders.Withdraw: st.builds(orders.Withdraw, space, st.none() | number),
        orders.Stay: st.just(orders.Stay()),
        orders.Scramble: st.builds(orders.Scramble, units, space, space),
        orders.Interdict: st.builds(orders.Interdict, units, space, space),
        orders.Intercept: st.builds(orders.Intercept, units, st.none() | st.just(()) | units),
        orders.Ambush: st.builds(orders.Ambush, number),
        orders.Abort: st.builds(orders.Abort, units),
        orders.Target: st.builds(orders.Target, units),
        orders.Antitank: st.builds(orders.Antitank, number),
        orders.Leader: st.builds(orders.Leader, units, space),
        orders.Land: st.builds(orders.Land, units, space),
        orders.Press: st.just(orders.Press()),
        orders.Retreat: st.builds(orders.Retreat, st.none() | space),
        orders.Place: st.builds(orders.Place, units, space),
        orders.End: st.just(orders.End()),
        orders.Surrender: st.just(orders.Surrender()),
    }
    assert set(kinds) == set(AnyOrder.__args__), "a kind of order is not tried"
    return st.one_of(list(kinds.values()))


ORDERS = {edition: _any_order(world) for edition, world in WORLDS.items()}


@settings(max_examples=300)
@given(data=st.data(), edition=st.sampled_from(list(WORLDS)))
def test_reading_what_was_written(data: st.DataObject, edition: str) -> None:
    world = WORLDS[edition]
    order = data.draw(ORDERS[edition])
    text = format_order(order)
    assert parse_order(world, text) == order
    assert format_order(parse_order(world, text)) == text
    assert text == text.lower()


@settings(max_examples=150)
@given(data=st.data())
def test_letter_case_spaces_comments_and_arrows_do_not_matter(data: st.DataObject) -> None:
    order = data.draw(ORDERS["classic"])
    text = format_order(order)
    shouted = data.draw(st.sampled_from((text, text.upper(), text.title(), text.swapcase())))
    gap = data.draw(st.sampled_from((" ", "  ", "\t", "   ")))
    spread = shouted.replace(" ", gap)
    arrows = spread.replace("->", data.draw(st.sampled_from(("->", "→"))))
    comment = data.draw(st.sampled_from(("", "# why not", "  #", " # a # b -> c: d")))
    assert parse_order(CLASSIC, f"{gap}{arrows}{gap}{comment}") == order


def spoken(world: World, order: AnyOrder) -> str:
    """The canonical text with every id replaced by the name on the board."""
    names = {s.id: s.name for s in world.spaces.values()}
    names |= {u.id: u.name for u in world.units.values()}
    return re.sub(r"[a-z0-9-]+", lambda word: names.get(word[0], word[0]), format_order(order).replace("->", "→"))


@settings(max_examples=100)
@given(data=st.data())
def test_display_names(data: st.DataObject) -> None:
    space = st.sampled_from(list(CLASSIC.spaces))
    unit = st.sampled_from(list(CLASSIC.units)).map(lambda u: (UnitSpec(u, 2),))
    order = data.draw(
        st.builds(orders.Place, unit, space)
        | st.builds(lambda u, a, b: orders.Move(u, (a, b)), unit, space, space)
        | st.builds(orders.Fight, space)
        | st.builds(orders.Retreat, space)
    )
    assert parse_order(CLASSIC, spoken(CLASSIC, order)) == order


# ---------------------------------------------------------------- what people type


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("buy 2 transports, 2 armor", "buy 2 transport, 2 armor"),
        ("BUY 3 Infantry", "buy 3 infantry"),
        ("buy infantry", "buy 1 infantry"),
        ("buy 2 AA guns, 1 Industrial Complex", "buy 2 aa-gun, 1 industrial-complex"),
        ("buy 2 aircraft carriers", "buy 2 carrier"),
        ("research 3", "research 3"),
        ("research Heavy Bombers", "research heavy-bombers"),
        ("move 1 armor: Libya -> Anglo-Egypt Sudan", "move 1 armor: libya -> anglo-egypt-sudan"),
        ("move 1 bomber: United Kingdom → Germany as raid", "move 1 bomber: united-kingdom -> germany as raid"),
        ("move 2 fighters:japan->okinawa", "move 2 fighter: japan -> okinawa"),
        (
            "move 1 transport carrying 1 infantry + 1 infantry: north-sea -> baltic-sea",
            "move 1 transport carrying 2 infantry: north-sea -> baltic-sea",
        ),
        (
            "move 1 transport carrying 1 armor + 1 infantry: north-sea -> baltic-sea",
            "move 1 transport carrying 1 infantry + 1 armor: north-sea -> baltic-sea",
        ),
        ("casualties 1 british infantry, 1 Soviet armor", "casualties 1 uk infantry, 1 ussr armor"),
        ("casualties 1 united kingdom fighter", "casualties 1 uk fighter"),
        ("rocket western europe -> united kingdom", "rocket western-europe -> united-kingdom"),
        ("battle  ukraine s.s.r.", "battle ukraine-ssr"),
        ("withdraw 2 baltic sea zone", "withdraw 2 baltic-sea"),
        ("submerge", "submerge"),
        ("submerge 2", "submerge 2"),
        ("retreat", "retreat"),
        ("retreat libya  # live to fight another day", "retreat libya"),
        ("declare war on usa", "declare war on usa"),
        ("declare WAR ON United States", "declare war on usa"),
        ("train up", "train up"),
        ("end", "end"),
        ("End # of my turn", "end"),
        ("UNDO", "undo"),
    ],
)  # fmt: skip
def test_what_people_type(text: str, canonical: str) -> None:
    assert format_order(parse_order(CLASSIC, text)) == canonical


def test_facilities_and_numbered_zones_of_the_large_board() -> None:
    repair = parse_order(GLOBAL, "repair ukraine air-base 2")
    assert repair == orders.Repair("ukraine", 2, "air-base")
    assert parse_order(GLOBAL, "scramble 2 fighters: united-kingdom -> sz-110") == orders.Scramble(
        (UnitSpec("fighter", 2),), "united-kingdom", "sz-110"
    )


def test_every_id_and_name_is_understood() -> None:
    """All spaces, units, powers and technologies of all boards, by id and by display name where that is unique."""
    for world in WORLDS.values():
        for space in world.spaces.values():
            assert parse_order(world, f"battle {space.id}") == orders.Fight(space.id)
            if sum(s.name == space.name for s in world.spaces.values()) == 1:
                assert parse_order(world, f"battle {space.name.upper()}") == orders.Fight(space.id)
        for unit in world.units.values():
            for word in (unit.id, unit.name, unit.plural, unit.plural.upper()):
                assert parse_order(world, f"buy 2 {word}") == orders.Buy((UnitSpec(unit.id, 2),)), word
        for power in world.powers.values():
            for word in (power.id, power.name):
                assert parse_order(world, f"declare war on {word}") == orders.Declare(power.id)
        for tech in world.technologies.values():
            assert parse_order(world, f"research {tech.name}") == orders.Research(0, tech.id)


# ---------------------------------------------------------------- what cannot be read


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "empty"),
        ("   # nothing", "empty"),
        ("attack germany", "'attack' is no order"),
        ("buy", "2 infantry"),
        ("buy 0 infantry", "at least one"),
        ("buy -1 infantry", "-1 infantry"),
        ("buy 2 infentry", "Did you mean infantry?"),
        ("buy 1000000 infantry", "1000000"),
        ("buy 1 infantry,", "names no units"),
        ("move 1 armor libya -> algeria", "colon"),
        ("move 1 armor: libya", "its start and its end"),
        ("move 1 armor: libya -> algera", "Did you mean algeria"),
        ("move 1 armor: libya -> -> algeria", "must be named"),
        ("move 1 bomber: uk -> germany as riad", "'riad' is no role"),
        ("battle of berlin", "no space called"),
        ("place 1 infantry", "colon"),
        ("research", "how many dice"),
        ("research rokets", "Did you mean rockets?"),
        ("research ²", "²"),
        ("submerge two", "whole number"),
        ("end now", "stands alone"),
        ("press on", "stands alone"),
        ("train down", "train up"),
        ("declare peace", "declare war on POWER"),
        ("rocket germany -> libya -> algeria", "rocket GUN -> TARGET"),
        ("repair germany", "repair SPACE NUMBER"),
        ("x" * 3000, "at most"),
        ("buy " + "1 infantry, " * 150 + "1 armor", "at most 100 groups"),
        ("move 1 armor: " + "libya -> " * 150 + "algeria", "at most 100 spaces"),
        ("move 1 transport carrying 1 uk infantry: north-sea -> baltic-sea", "by kind and number"),
        ("move 1 transport carrying 1 transport carrying 1 armor: north-sea -> baltic-sea", "by kind and number"),
        ("buy 1 transport carrying 999999 infantry + 1 armor", "no ship carries more"),
    ],
)
def test_errors_help(text: str, words: str) -> None:
    with pytest.raises(NotationError) as error:
        parse_order(CLASSIC, text)
    assert words in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "buy " + "a " * 990,
        "buy " + "united kingdom " * 130,
        "buy " + "transport carrying " * 100,
        "move 1 armor: " + "by a " * 390,
        "move 1 armor: " + "a by a as 1 " * 150,
        "casualties " + "uk " * 600,
        "battle " + "-s-e-a" * 330,
        "repair " + "a " * 900 + "1",
        "y" * 2000,
    ],
)
def test_long_nonsense_is_cheap(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking for a name that is near is what costs; it happens a bounded number of times, and the answer is short."""
    searched: list[str] = []

    def search(word: str, *rest: object, **more: object) -> list[str]:
        searched.append(word)
        return []

    monkeypatch.setattr(name_module, "get_close_matches", search)
    with pytest.raises(NotationError) as error:
        parse_order(GLOBAL, text)
    assert len(searched) <= 1
    assert len(str(error.value)) < 400


def test_a_name_that_is_nearly_right_is_searched_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    real = name_module.get_close_matches

    def search(word: str, *rest: Any, **more: Any) -> list[str]:
        searched.append(word)
        return real(word, *rest, **more)

    monkeypatch.setattr(name_module, "get_close_matches", search)
    with pytest.raises(NotationError, match="Did you mean infantry"):
        parse_order(CLASSIC, "casualties 1 infentry")
    assert searched == ["infentry"]


# ---------------------------------------------------------------- one form for what means the same


@settings(max_examples=100)
@given(data=st.data(), edition=st.sampled_from(list(WORLDS)))
def test_a_load_is_the_same_in_whatever_order_it_is_named(data: st.DataObject, edition: str) -> None:
    world = WORLDS[edition]
    land = [u for u in world.units if world.units[u].domain == "land"]
    load = tuple((u, data.draw(st.integers(1, 3))) for u in data.draw(st.lists(st.sampled_from(land), max_size=4)))
    ship = UnitSpec("transport", 1, None, load)
    spaces = list(world.spaces)[:2]
    for order in (
        orders.Move((ship,), (spaces[0], spaces[1])),
        orders.Move((UnitSpec("infantry"),), (spaces[0], spaces[1]), ship=ship),
        orders.Casualties((ship, UnitSpec("infantry"))),
    ):
        once = canonical(world, order)
        assert canonical(world, once) == once
        assert parse_order(world, format_order(once)) == once
        assert canonical(world, parse_order(world, format_order(order))) == once


WORDS = st.sampled_from(
    ["move", "buy", "research", "place", "casualties", "1", "2", "0", "-3", "infantry", "uk", "germany", "->", "→", ":",
     ",", "#", "as", "raid", "carrying", "+", "libya", "north-sea", "²", "٣", "\x00", "é", "battle", "withdraw",
     "repair", "999999", "1e9", "transport", "all", "on", "war", "declare", "scramble", "submerge", "undo", "up"]
)  # fmt: skip


@settings(max_examples=400)
@given(
    text=st.text(max_size=80) | st.lists(WORDS, max_size=12).map(" ".join) | st.lists(WORDS, max_size=12).map("".join)
)
@example("move ²: libya -> algeria")
@example("submerge ٣")
@example("research ٣")
@example("move 1 infantry: libya -> algeria as ")
@example("withdraw 1 2 3")
def test_any_other_text_is_refused_politely(text: str) -> None:
    """Nothing but NotationError, and what is read can be written and read again."""
    try:
        order = parse_order(CLASSIC, text)
    except NotationError:
        return
    assert parse_order(CLASSIC, format_order(order)) == order


@settings(max_examples=200)
@given(data=st.data())
def test_damaged_orders_are_refused_politely(data: st.DataObject) -> None:
    """A real order with a few characters dropped, doubled or changed."""
    text = list(format_order(data.draw(ORDERS["classic"])))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, max(0, len(text) - 1)))
        change = data.draw(st.sampled_from(("drop", "double", "other")))
        if text and change == "drop":
            del text[place]
        elif text and change == "double":
            text.insert(place, text[place])
        elif text:
            text[place] = data.draw(st.characters())
    damaged = "".join(text)
    try:
        order = parse_order(CLASSIC, damaged)
    except NotationError:
        return
    assert parse_order(CLASSIC, format_order(order)) == order
