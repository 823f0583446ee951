"""Scenarios, boards, maps, bots and the rulebook."""

from __future__ import annotations

import platform
from functools import cache, lru_cache
from importlib import resources
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

import sandtable
from sandtable import maps
from sandtable.archive.picture import PLAIN, map_of
from sandtable.errors import DataError
from sandtable.rulebook import groups, rule, search
from sandtable.rulebook.books import BOOKS
from sandtable.server.bots.registry import bots
from sandtable.server.errors import not_found
from sandtable.server.views.base import Model
from sandtable.server.views.catalogue import (
    BotView,
    OptionsView,
    RuleGroup,
    RuleView,
    ScenarioView,
    WorldView,
    bot_view,
    options_view,
    rule_view,
    scenario_view,
    world_view,
)
from sandtable.world.compile import compile_edition, compile_world
from sandtable.world.library import edition_by, edition_with
from sandtable.world.load import scenarios
from sandtable.world.model import World
from sandtable.world.options import allowed, is_allowed, option_text, wrong_value

router = APIRouter(prefix="/api", tags=["catalogue"])


class Found(Model):
    """Rules that answer a question, best first; without words the groups of rules."""

    rules: list[RuleView]
    total: int
    groups: list[RuleGroup]


@cache
def _scenarios() -> list[ScenarioView]:
    return [scenario_view(compile_world(info.id)) for info in scenarios()]


@router.get("/scenarios", operation_id="listScenarios")
def list_scenarios() -> list[ScenarioView]:
    """Everything that a new game can be made from, the playable scenarios first."""
    return _scenarios()


@router.get("/scenarios/{scenario}/world", operation_id="getWorld")
def get_world(scenario: str, request: Request) -> WorldView:
    """What never changes in a game. Options are given as further parameters: `?second_edition=true`."""
    return world_view(compile_world(scenario, _options(_scenario(scenario), request)))


def _scenario(name: str) -> World:
    try:
        edition_with(name)
    except DataError:
        known = ", ".join(sorted(info.id for info in scenarios()))
        raise not_found(f"There is no scenario {name[:60]!r}; there are: {known}.") from None
    return compile_world(name)


@router.get("/scenarios/{scenario}/options", operation_id="tryOptions")
def try_options(scenario: str, request: Request) -> OptionsView:
    """What comes of options that are given as parameters: what they bring with them, and whether they go together."""
    world = _scenario(scenario)
    chosen = _options(world, request)
    by_key = {option.key: option for option in world.option_list}
    wrong = {key: value for key, value in chosen.items() if not is_allowed(value, allowed(by_key[key]))}
    if wrong:
        raise DataError([f"{key}: {wrong_value(value, allowed(by_key[key]))}" for key, value in wrong.items()])
    return options_view(world.option_list, chosen)


def _options(world: World, request: Request) -> dict[str, Any]:
    """Options from a query, where everything is text."""
    chosen: dict[str, Any] = {}
    by_key = {option.key: option for option in world.option_list}
    for key, text in request.query_params.items():
        option = by_key.get(key)
        if option is None:
            raise DataError([f"There is no option {key[:60]!r}; there are: {', '.join(by_key)}."])
        chosen[key] = next((value for value in allowed(option) if option_text(value) == text), text)
    return chosen


@router.get("/maps/{board}", operation_id="getMap", responses={200: {"content": {"application/json": {}}}})
def get_map(board: str, request: Request) -> Response:
    """The map asset of a board, as docs/reference/map-format.md describes it."""
    try:
        data, tag = _map(board)
    except DataError:
        known = ", ".join(maps.boards())
        raise not_found(f"There is no map of the board {board[:60]!r}; there are: {known}.") from None
    headers = {"etag": tag, "cache-control": "no-cache"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type="application/json", headers=headers)


@lru_cache(maxsize=32)
def _map(board: str) -> tuple[bytes, str]:
    import hashlib

    if board.startswith(PLAIN):
        edition = edition_by(board.removeprefix(PLAIN))
        if edition is None:
            raise DataError([f"the edition of {board[:60]!r} is not here"])
        data = msgspec.json.encode(map_of(compile_edition(edition, next(iter(edition.scenarios)))))
    elif board in maps.boards():
        data = resources.files("sandtable.maps").joinpath("assets", f"{board}.json").read_bytes()
    else:
        raise DataError([f"there is no map of {board[:60]!r}"])
    return data, f'"{hashlib.blake2b(data, digest_size=12).hexdigest()}"'


@router.get("/bots", operation_id="listBots")
def list_bots() -> list[BotView]:
    """Computer players that a seat can be given to."""
    return [bot_view(bot) for bot in bots.values() if bot.listed]


class About(Model):
    version: str
    python: str


@router.get("/about", operation_id="getAbout")
def get_about() -> About:
    """Which Sandtable this is."""
    return About(version=sandtable.__version__, python=platform.python_version())


@router.get("/rules", operation_id="searchRules")
def search_rules(
    q: Annotated[str, Query(max_length=200, description="a plain question, words, an id or the beginning of one")] = "",
    book: Annotated[str | None, Query(max_length=60)] = None,
    edition: Annotated[str | None, Query(max_length=60, description="a book whose rules come first")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Found:
    """Search the rulebook by words or a plain question; without any it gives the groups of rules."""
    books = {each.id: each.title for each in BOOKS}
    for named in (book, edition):
        if named is not None and named not in books:
            raise not_found(f"There is no book {named!r}; there are: {', '.join(books)}.")
    found = search(q, book, edition)
    shown = [] if q.strip() else [group for group in groups() if book is None or group.book == books[book]]
    return Found(
        rules=[rule_view(entry) for entry in found[:limit]],
        total=len(found),
        groups=[RuleGroup(id=g.id, name=g.name, book=g.book, rules=list(g.rules)) for g in shown],
    )


@router.get("/rules/{rule_id}", operation_id="getRule")
def get_rule(rule_id: str) -> RuleView:
    """One rule by its id."""
    return rule_view(rule(rule_id[:60]))
