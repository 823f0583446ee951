"""Making, listing, naming, copying, importing, exporting and deleting games; seats."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from server_help import ATTACK, get, order, orders, problem, units
from starlette.testclient import TestClient

from sandtable import Game
from sandtable.archive.position import patched_state
from sandtable.world.compile import compile_world

NewGame = Callable[..., str]

ALLIES = ["ussr", "uk", "usa"]


def test_a_new_game_with_everything(client: TestClient) -> None:
    answer = client.post(
        "/api/games",
        json={
            "scenario": "classic-1942",
            "name": "Friday",
            "options": {"second_edition": True, "joint_casualties": "owner"},
            "edits": {
                "units": {"all": {"armor": {"cost": 6}}},
                "setup": [{"power": "uk", "unit": "infantry", "count": 2, "space": "india"}],
            },
            "seats": [
                {"name": "Ann", "powers": ["ussr", "uk", "usa"]},
                {"name": "Machine", "powers": ["germany", "japan"], "player": "random"},
            ],
            "seed": "a seed",
        },
    )
    assert answer.status_code == 201
    game = answer.json()
    assert game["name"] == "Friday"
    assert game["seed"] == "a seed"
    assert game["options"]["second_edition"] is True
    assert game["options"]["joint_casualties"] == "owner"
    assert [(s["name"], s["player"]) for s in game["seats"]] == [("Ann", "human"), ("Machine", "random")]
    assert (game["version"], game["orders"], game["round"], game["answers"]) == (0, 0, 1, "ussr")
    state = get(client, game["id"], "state")
    assert units(state, "india")["uk", "infantry"] == 4
    prices = {p["unit"]: p["cost"] for p in get(client, game["id"], "legal/purchase")["prices"]}
    assert prices["armor"] == 6


def test_without_a_seed_every_game_has_its_own(client: TestClient) -> None:
    first, second = (client.post("/api/games", json={}).json() for _ in range(2))
    assert first["seed"] != second["seed"]
    assert first["name"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"scenario": "atlantis"}, "atlantis"),
        ({"options": {"second": True}}, "second"),
        ({"options": {"second_edition": 1}}, "second_edition"),
        ({"edits": {"units": {"all": {"armor": {"cost": 900}}}}}, "units.all.armor.cost"),
        ({"edits": {"nonsense": 1}}, "nonsense"),
        ({"edits": {"setup": [{"power": "uk", "unit": "infantry", "count": -90, "space": "india"}]}}, "only"),
        ({"seats": []}, "Nobody plays"),
        ({"seats": [{"name": "A", "powers": ["uk"]}]}, "Nobody plays"),
        ({"seats": [{"name": "A", "powers": ALLIES}, {"name": "B", "powers": ["atlantis"]}]}, "atlantis"),
        ({"seats": [{"name": "A", "powers": ALLIES}, {"name": "A", "powers": ["germany", "japan"]}]}, "same name"),
        (
            {
                "seats": [
                    {"name": "A", "powers": ["ussr", "uk", "usa"]},
                    {"name": "B", "powers": ["germany", "japan"], "player": "hal"},
                ]
            },
            "hal",
        ),
        (
            {
                "seats": [
                    {"name": "A", "powers": ["ussr", "uk", "usa"]},
                    {"name": "B", "powers": ["germany", "japan"], "player": "random", "style": "wild"},
                ]
            },
            "wild",
        ),
    ],
)  # fmt: skip
def test_games_that_cannot_be_made(client: TestClient, fields: dict[str, object], words: str) -> None:
    assert words in problem(client.post("/api/games", json=fields), 422, "data")["message"]


@pytest.mark.parametrize(
    "fields",
    [
        {"scenario": 7},
        {"name": ""},
        {"name": "x" * 101},
        {"seed": 1.5},
        {"seed": 2**60},
        {"options": {"second_edition": [True]}},
        {"options": "all"},
        {"seats": "two"},
        {"seats": [{"name": "A"}]},
        {"seats": [{"name": "A", "powers": ["uk"], "colour": "red"}]},
        {"unknown": 1},
    ],
)
def test_requests_of_the_wrong_form(client: TestClient, fields: dict[str, object]) -> None:
    error = problem(client.post("/api/games", json=fields), 422, "validation")
    assert error["details"]["problems"]


def test_the_list_tells_where_games_stand(client: TestClient, new_game: NewGame) -> None:
    quiet, lively = new_game(name="Quiet"), new_game(name="Lively")
    orders(client, lively, *ATTACK)
    found = {game["id"]: game for game in client.get("/api/games").json()}
    assert found[quiet]["orders"] == 0
    line = found[lively]
    assert (line["name"], line["orders"], line["version"]) == ("Lively", 6, 6)
    assert (line["turn"], line["phase"], line["answers"]) == ("ussr", "combat", "germany")
    assert line["updated"] > line["created"]
    assert line["damaged"] is None
    ids = [game["id"] for game in client.get("/api/games").json()]
    assert ids.index(lively) < ids.index(quiet)  # the one played last comes first


def test_renaming(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    assert client.patch(f"/api/games/{game}", json={"name": "Saturday"}).json()["name"] == "Saturday"
    assert client.get(f"/api/games/{game}").json()["name"] == "Saturday"
    assert client.get(f"/api/games/{game}/export").json()["file"] == "saturday.sandtable"
    problem(client.patch(f"/api/games/{game}", json={"name": ""}), 422, "validation")


def test_deleting(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    order(client, game, "end")
    assert client.delete(f"/api/games/{game}").status_code == 204
    problem(client.get(f"/api/games/{game}"), 404, "not-found")
    problem(client.delete(f"/api/games/{game}"), 404, "not-found")
    assert game not in {each["id"] for each in client.get("/api/games").json()}


def test_export_is_a_save_of_the_archive(client: TestClient, new_game: NewGame) -> None:
    game = new_game(options={"several_aa_guns": False})
    orders(client, game, *ATTACK)
    text = get(client, game, "export")["text"]
    loaded = Game.from_text(text)
    assert len(loaded.entries) == len(ATTACK)
    assert loaded.state.digest() == client.get(f"/api/games/{game}").json()["digest"]
    assert loaded.world.options["several_aa_guns"] is False


def test_import_goes_on_where_the_save_ended(client: TestClient) -> None:
    local = Game.new(seed=11)
    for text in ATTACK:
        local.play(text)
    answer = client.post("/api/games/import", json={"text": local.to_text(), "name": "From afar"})
    assert answer.status_code == 201, answer.text
    game = answer.json()
    assert (game["name"], game["orders"], game["digest"]) == ("From afar", 6, local.state.digest())
    suggestion = get(client, game["id"], "state")["decision"]["suggestion"]
    change = order(client, game["id"], suggestion)
    local.play(suggestion)
    assert tuple(change["dice"]) == local.entries[-1].faces
    assert client.get(f"/api/games/{game['id']}").json()["digest"] == local.state.digest()


def test_an_imported_game_keeps_its_dice_when_it_goes_back(client: TestClient) -> None:
    """Dice that are not those of the seed: whoever goes back and plays the same again gets the same."""
    local = Game.new(dice=[1, 1, 1, 1, 6, 6, 6, 6, 6, 6] + [4] * 40)
    for text in ATTACK:
        local.play(text)
    game = client.post("/api/games/import", json={"text": local.to_text()}).json()["id"]
    before = client.get(f"/api/games/{game}").json()["digest"]
    assert client.post(f"/api/games/{game}/copy", params={"at": 5, "into": "same"}).status_code == 201
    change = order(client, game, "battle finland-norway")
    assert tuple(change["dice"]) == local.entries[5].faces
    assert client.get(f"/api/games/{game}").json()["digest"] == before


def test_a_game_with_too_much_of_everything_is_not_made(client: TestClient) -> None:
    crowd = [{"power": "uk", "space": "india", "unit": "infantry", "count": 1_000}]
    for edits, words in (
        ({"setup": crowd}, "at most 1,000 can be set up"),
        ({"setup": crowd * 12_000}, "at most 1,000 can be made"),
        ({"victory": {"rounds": 100_000}}, "expected a round from 1 to 10,000"),
    ):
        assert words in problem(client.post("/api/games", json={"edits": edits}), 422, "data")["message"]


def test_a_game_with_too_many_units_is_not_imported(client: TestClient) -> None:
    world = compile_world("classic-1942")
    start = patched_state(world, {"units": {"india": {"uk": {"infantry": 5}}}})
    (infantry,) = (piece for piece, n in start.at("india").items() if n == 5)
    crowded = {**start.units, "india": {infantry: 1_000_000}}
    text = Game(world, start=replace(start, units=crowded)).to_text()
    error = problem(client.post("/api/games/import", json={"text": text}), 422, "save")
    assert "1,000,000 units in india, where at most 1,000 can be set up" in error["message"]


def test_imports_with_other_seats(client: TestClient) -> None:
    seats = [
        {"name": "Ann", "powers": ["ussr", "uk", "usa"]},
        {"name": "Bob", "powers": ["germany", "japan"]},
    ]
    answer = client.post("/api/games/import", json={"text": Game.new().to_text(), "seats": seats})
    assert [seat["name"] for seat in answer.json()["seats"]] == ["Ann", "Bob"]


@pytest.mark.parametrize("text", ["", "not a game", "sandtable 1\n", "sandtable 99\n\nsum: 0", "\x00" * 50])
def test_texts_that_are_no_games(client: TestClient, text: str) -> None:
    problem(client.post("/api/games/import", json={"text": text}), 422, "save")


def test_an_edited_save_is_refused_with_the_line(client: TestClient) -> None:
    local = Game.new(seed=11)
    local.play("buy 1 infantry")
    text = local.to_text().replace("buy 1 infantry", "buy 9 infantry")
    assert "buy 9 infantry" in problem(client.post("/api/games/import", json={"text": text}), 422, "save")["message"]


def test_a_copy_continues_from_an_earlier_point(client: TestClient, new_game: NewGame) -> None:
    game = new_game(name="Original")
    orders(client, game, *ATTACK)
    copy = client.post(f"/api/games/{game}/copy", params={"at": 2}).json()
    assert copy["id"] != game
    assert copy["orders"] == 2
    order(client, copy["id"], "end")  # no attack this time
    assert get(client, copy["id"], "state")["orders"] == 3
    assert get(client, game, "state")["orders"] == 6
    whole = client.post(f"/api/games/{game}/copy").json()
    assert whole["digest"] == client.get(f"/api/games/{game}").json()["digest"]


def test_the_same_game_can_go_back(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, *ATTACK)
    end = client.get(f"/api/games/{game}").json()["digest"]
    back = client.post(f"/api/games/{game}/copy", params={"at": 3, "into": "same", "version": 6})
    assert back.json()["id"] == game
    assert (back.json()["orders"], back.json()["version"]) == (3, 7)
    state = get(client, game, "state")
    assert state["can_redo"] is True
    assert units(state, "finland-norway")["ussr", "infantry"] == 3
    for _ in range(3):  # forward again, with the same dice
        assert client.post(f"/api/games/{game}/redo").status_code == 200
    assert client.get(f"/api/games/{game}").json()["digest"] == end
    problem(client.post(f"/api/games/{game}/redo"), 409, "nothing-to-redo")


@pytest.mark.parametrize("at", [-1, 7, 10**12])
def test_copies_from_places_that_do_not_exist(client: TestClient, new_game: NewGame, at: int) -> None:
    game = new_game()
    orders(client, game, *ATTACK)
    for into in ("new", "same"):
        answer = client.post(f"/api/games/{game}/copy", params={"at": at, "into": into})
        assert "6 orders" in problem(answer, 422, "data")["message"]
    problem(client.post(f"/api/games/{game}/copy", params={"into": "elsewhere"}), 422, "validation")


def test_a_stale_copy_into_the_same_game(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    orders(client, game, "end", "end")
    problem(client.post(f"/api/games/{game}/copy", params={"at": 0, "into": "same", "version": 1}), 409, "stale")


def test_seats_change_hands(client: TestClient, new_game: NewGame) -> None:
    game = new_game()
    change = client.post(f"/api/games/{game}/seats/Germany", json={"player": "random", "version": 0}).json()
    assert (change["type"], change["number"], change["seat"]) == ("seat", 1, "Germany")
    seats = {s["name"]: s["player"] for s in client.get(f"/api/games/{game}").json()["seats"]}
    assert seats["Germany"] == "random"
    client.post(f"/api/games/{game}/seats/Germany", json={})
    seats = {s["name"]: s["player"] for s in client.get(f"/api/games/{game}").json()["seats"]}
    assert set(seats.values()) == {"human"}
    problem(client.post(f"/api/games/{game}/seats/Atlantis", json={}), 422, "data")
    problem(client.post(f"/api/games/{game}/seats/Germany", json={"player": "hal"}), 422, "data")
    problem(client.post(f"/api/games/{game}/seats/Germany", json={"player": "random", "style": "x"}), 422, "data")
    problem(client.post(f"/api/games/{game}/seats/Germany", json={"version": 0}), 409, "stale")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", ""), ("patch", ""), ("delete", ""), ("post", "/copy"), ("get", "/export"), ("post", "/seats/Germany"),
        ("post", "/bots"), ("get", "/state"), ("post", "/orders"), ("post", "/undo"), ("post", "/redo"),
        ("get", "/legal/destinations?space=a&unit=b"), ("get", "/legal/why?order=end"), ("get", "/legal/targets"),
        ("get", "/legal/places?unit=infantry"), ("get", "/legal/purchase"), ("get", "/moves"), ("get", "/log"),
        ("get", "/statistics"), ("get", "/newspaper"), ("get", "/timeline"),
    ],
)  # fmt: skip
def test_no_address_of_a_game_that_does_not_exist(client: TestClient, method: str, path: str) -> None:
    bodies = {"": {"name": "x"}, "/bots": {"running": True}, "/orders": {"order": "end"}}
    body = bodies.get(path, {}) if method in ("post", "patch") else None
    answer = client.request(method, f"/api/games/nothing{path}", json=body)
    problem(answer, 404, "not-found")
