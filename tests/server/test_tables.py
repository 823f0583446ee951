"""At the table: coming and going, the host's set-up, chat, offers, clocks, standing orders, the end."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from people_help import AXIS, Player, game_of, guest, table_of
from server_help import problem
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from sandtable.server.storage import store
from sandtable.server.tables import company, course, setup

Start = Callable[..., TestClient]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    from server_help import HERE

    from sandtable.server import Settings, create_app

    app = create_app(Settings(data_dir=tmp_path_factory.mktemp("tables"), people=True, heartbeat=5))
    app.state.limits.enabled = False
    with TestClient(app, base_url=HERE) as running:
        yield running


@pytest.fixture
def three(server: TestClient) -> tuple[Player, Player, Player]:
    return guest(server, "Ann"), guest(server, "Bob"), guest(server, "Cleo")


Three = tuple[Player, Player, Player]


def until(socket: Any, kind: str, test: Callable[[Any], bool] = lambda message: True) -> Any:
    """The next message of a kind for which something holds."""
    for _ in range(50):
        message = socket.receive_json()
        if message["type"] == kind and test(message):
            return message
    raise AssertionError(kind)


@pytest.mark.rule("PC-NET-07", "PC-MNU-05")
def test_five_people_come_by_a_link(server: TestClient) -> None:
    people = [guest(server, f"Player {number}") for number in range(1, 6)]
    table = table_of(*people)
    assert [member["name"] for member in table["members"]] == [f"Player {number}" for number in range(1, 6)]
    assert [member["role"] for member in table["members"]] == ["host"] + ["player"] * 4
    powers = ("ussr", "germany", "uk", "japan", "usa")
    given = {power: {"person": player.id} for power, player in zip(powers, people, strict=True)}
    people[0].post(f"/tables/{table['id']}/assign", given=given)
    people[0].post(f"/tables/{table['id']}/begin")
    assert len(people[4].get(f"/games/{table['id']}")["seats"]) == 5


@pytest.mark.rule("PC-NET-06")
def test_a_direct_connection_has_two_ends(three: Three) -> None:
    ann, bob, cleo = three
    table = table_of(ann, bob, connection="direct")
    assert table["most"] == 2
    problem(cleo.http.post(f"/api/links/{table['join_link']}"), 409, "taken")
    cleo.post(f"/links/{table['watch_link']}")  # to look on is fine


@pytest.mark.rule("PC-NET-08")
def test_the_host_ejects_somebody(three: Three) -> None:
    ann, bob, cleo = three
    table = table_of(ann, bob, cleo)
    path = f"/tables/{table['id']}"
    bob.post(f"{path}/eject", 403, person=cleo.id)
    ann.post(f"{path}/eject", 409, person=ann.id)
    with cleo.live(f"{path}/live") as socket:
        until(socket, "table")
        ann.post(f"{path}/eject", person=cleo.id)
        assert until(socket, "ejected")["message"] == "The host has removed you from this game."
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    assert [member["name"] for member in bob.get(path)["members"]] == ["Ann", "Bob"]
    cleo.get(path, 404)
    problem(cleo.http.post(f"/api/links/{table['join_link']}"), 403, "forbidden")


@pytest.mark.rule("PC-NET-09", "PC-NET-10", "PC-NET-16")
def test_the_host_deals_powers_to_people_and_computers(three: Three) -> None:
    ann, bob, _ = three
    table = table_of(ann, bob)
    path = f"/tables/{table['id']}"
    ann.post(f"{path}/assign", given={power: {"person": bob.id} for power in AXIS})
    seen = bob.get(path)["given"]
    assert {power for power, given in seen.items() if given["person"] == bob.id} == set(AXIS)
    error = problem(ann.http.post(f"/api{path}/begin"), 422, "data")
    assert (
        error["message"]
        == "Nobody plays U.S.S.R., United Kingdom, United States: give them to somebody, or to a computer."
    )
    bob.post(f"{path}/assign", 403, given={"uk": {"person": bob.id}})
    ann.post(f"{path}/assign", 422, given={"uk": {"person": "nobody"}})
    ann.post(f"{path}/assign", 422, given={"uk": {"player": "9star"}})
    ann.post(f"{path}/assign", 422, given={"atlantis": {"player": "random"}})
    given = {"ussr": {"person": ann.id}, "uk": {"player": "random"}, "usa": {"player": "random"}}
    ann.post(f"{path}/assign", given=given)
    bob.post(f"{path}/begin", 403)
    with bob.live(f"{path}/live") as socket:
        until(socket, "table")
        ann.post(f"{path}/begin")
        assert until(socket, "table")["table"]["stage"] == "playing"
    game = table["id"]
    assert bob.get(f"/games/{game}/state")["decision"]["power"] == "ussr"
    assert {seat["name"]: seat["powers"] for seat in bob.get(f"/games/{game}")["seats"]}["Bob"] == list(AXIS)
    ann.post(f"{path}/begin", 409)


@pytest.mark.rule("PC-NET-11", "PC-NET-13", "PC-NET-14", "PC-NET-15")
def test_everybody_sees_what_the_host_changes(three: Three) -> None:
    ann, bob, _ = three
    table = table_of(ann, bob)
    path = f"/tables/{table['id']}"
    assert table["variants"] == []
    with bob.live(f"{path}/live") as socket:
        until(socket, "table")
        ann.call("PATCH", path, json={"options": {"second_edition": True}})
        seen = until(socket, "table")["table"]["variants"]
        assert len(seen) >= 1
        assert any("econd" in each for each in seen)
    edits = {"units": {"all": {"infantry": {"cost": 4}}}}
    ann.call("PATCH", path, json={"edits": edits})
    assert "Units were edited." in bob.get(path)["variants"]
    ann.post(f"{path}/reset")
    assert bob.get(path)["variants"] == []
    ann.call("PATCH", path, json={"edits": edits, "options": {"second_edition": True}})
    ann.call("PATCH", path, 422, json={"options": {"no_such_option": True}})
    ann.call("PATCH", path, 422, json={"scenario": "atlantis"})
    bob.call("PATCH", path, 403, json={"name": "Mine"})
    given = {p: {"person": (bob if p in AXIS else ann).id} for p in ("ussr", "uk", "usa", *AXIS)}
    ann.post(f"{path}/assign", given=given)
    ann.post(f"{path}/begin")
    game = bob.get(f"/games/{table['id']}")
    assert game["options"]["second_edition"] is True
    world = bob.get(f"/games/{table['id']}/world")
    assert next(unit for unit in world["units"] if unit["id"] == "infantry")["cost"] == 4
    ann.call("PATCH", path, 409, json={"options": {}})


@pytest.mark.rule("PC-NET-12", "PC-NET-18", "PC-NET-20")
def test_chat_reaches_those_for_whom_it_is(three: Three) -> None:
    ann, bob, cleo = three
    table = table_of(ann, bob, cleo)
    path = f"/tables/{table['id']}"
    assert "Nobody supervises" in ann.get(f"{path}/chat")["notice"]
    with bob.live(f"{path}/live") as hears, cleo.live(f"{path}/live") as other:
        until(hears, "table")
        until(other, "table")
        ann.post(f"{path}/chat", 201, text="Hello,   both")
        for socket in (hears, other):
            message = until(socket, "chat")["message"]
            assert (message["name"], message["text"]) == ("Ann", "Hello, both")
        ann.post(f"{path}/chat", 201, text="Only you", to="person", person=bob.id)
        assert until(hears, "chat")["message"]["text"] == "Only you"
        bob.post(f"{path}/chat", 201, text="All again")
        assert until(other, "chat")["message"]["text"] == "All again"  # and nothing before it
    assert [each["text"] for each in cleo.get(f"{path}/chat")["messages"]] == ["Hello, both", "All again"]
    assert len(bob.get(f"{path}/chat")["messages"]) == 3
    last = bob.get(f"{path}/chat", limit=1)["messages"][0]
    assert [each["text"] for each in bob.get(f"{path}/chat", before=last["id"], limit=1)["messages"]] == ["Only you"]
    ann.post(f"{path}/chat", 409, text="x", to="allies")
    ann.post(f"{path}/chat", 422, text="\u0007")
    secret = bob.get(f"{path}/chat")["messages"][1]
    cleo.post(f"{path}/chat/{secret['id']}/report", 404)  # what one cannot read one cannot report
    bob.post(f"{path}/chat/{secret['id']}/report", 204)
    cleo.call("PATCH", f"{path}/me", json={"muted": [ann.id]})
    assert [each["text"] for each in cleo.get(f"{path}/chat")["messages"]] == ["All again"]


def test_allies_talk_among_themselves(three: Three) -> None:
    ann, bob, cleo = three
    table = table_of(ann, bob, cleo)
    path = f"/tables/{table['id']}"
    given = {p: {"person": bob.id} for p in AXIS} | {
        "ussr": {"person": ann.id}, "uk": {"person": cleo.id}, "usa": {"person": cleo.id}
    }  # fmt: skip
    ann.post(f"{path}/assign", given=given)
    ann.post(f"{path}/begin")
    cleo.post(f"{path}/chat", 201, text="Attack at dawn", to="allies")
    assert [each["text"] for each in ann.get(f"{path}/chat")["messages"]] == ["Attack at dawn"]
    assert bob.get(f"{path}/chat")["messages"] == []
    problem(ann.http.post(f"/api/games/{table['id']}/orders", json={"order": "surrender"}), 409, "consent")
    ann.post(f"{path}/offers", 201, kind="surrender")
    assert bob.get(path)["offers"] == []  # the enemy is not told
    (offer,) = cleo.get(path)["offers"]
    bob.post(f"{path}/offers/{offer['id']}", 409, yes=True)
    cleo.post(f"{path}/offers/{offer['id']}", yes=True)
    assert "surrendered" in bob.get(path)["result"]
    problem(ann.http.post(f"/api/games/{table['id']}/orders", json={"order": "end"}), 409, "halted")


def test_going_back_needs_consent(three: Three) -> None:
    ann, bob, _ = three
    game = game_of(ann, bob)
    path = f"/tables/{game}"
    ann.order(game, "end")
    ann.order(game, "end")
    problem(ann.http.post(f"/api/games/{game}/copy?into=same&at=0"), 409, "consent")
    table = ann.post(f"{path}/offers", 201, kind="rewind", at=0)
    (offer,) = table["offers"]
    assert offer["text"] == "Ann would like to go back to order 0."
    assert offer["answers"] == {bob.id: None}
    ann.post(f"{path}/offers/{offer['id']}", 409, yes=True)  # one's own offer
    bob.post(f"{path}/offers/{offer['id']}", yes=False)
    assert bob.get(path)["offers"] == []
    assert bob.get(f"/games/{game}/state")["orders"] == 2
    (offer,) = ann.post(f"{path}/offers", 201, kind="rewind", at=0)["offers"]
    bob.post(f"{path}/offers/{offer['id']}", yes=True)
    assert bob.get(f"/games/{game}/state")["orders"] == 0
    bob.post(f"{path}/offers/{offer['id']}", 409, yes=True)  # once
    ann.order(game, "end")
    (offer,) = ann.post(f"{path}/offers", 201, kind="rewind", at=0)["offers"]
    ann.order(game, "end")  # the game has moved on: what was offered is no more
    assert eventually(lambda: bob.get(path)["offers"] == [])
    (offer,) = ann.post(f"{path}/offers", 201, kind="rewind", at=0)["offers"]
    ann.call("DELETE", f"{path}/offers/{offer['id']}")
    assert bob.get(path)["offers"] == []


def eventually(test: Callable[[], bool], seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if test():
            return True
        time.sleep(0.05)
    return False


def test_a_seat_that_is_left_is_taken(three: Three) -> None:
    ann, bob, cleo = three
    game = game_of(ann, bob)
    path = f"/tables/{game}"
    cleo.post(f"/links/{ann.get(path)['join_link']}")
    cleo.post(f"{path}/seats/Bob", 409)
    bob.post(f"{path}/leave", 204)
    bob.get(f"/games/{game}/state", 404)
    cleo.post(f"{path}/seats/Bob", 403, player="random")  # a computer is the host's choice
    cleo.post(f"{path}/seats/Bob")
    assert {seat["name"]: seat.get("person") for seat in ann.get(f"/games/{game}")["seats"]}["Bob"] == cleo.id
    ann.post(f"{path}/eject", person=cleo.id)
    ann.post(f"{path}/seats/Bob", player="random")
    assert {seat["name"]: seat["player"] for seat in ann.get(f"/games/{game}")["seats"]}["Bob"] == "random"


def test_the_host_hands_the_table_on(three: Three) -> None:
    ann, bob, cleo = three
    table = table_of(ann, bob)
    ann.post(f"/tables/{table['id']}/leave", 204)
    assert bob.get(f"/tables/{table['id']}")["role"] == "host"
    bob.post(f"/tables/{table['id']}/leave", 204)
    problem(cleo.http.post(f"/api/links/{table['join_link']}"), 404, "not-found")


def test_a_pause(three: Three) -> None:
    ann, bob, _ = three
    game = game_of(ann, bob)
    ann.post(f"/tables/{game}/pause", paused=True)
    error = problem(ann.http.post(f"/api/games/{game}/orders", json={"order": "end"}), 409, "halted")
    assert error["message"] == "The host has paused the game."
    ann.post(f"/tables/{game}/pause", paused=False)
    ann.order(game, "end")


def test_a_public_table_is_found(server: TestClient, three: Three) -> None:
    ann, bob, cleo = three
    hidden, shown = table_of(ann, name="Hidden"), table_of(ann, name="Shown", visibility="public")
    listed = {each["id"]: each for each in bob.get("/tables", public=True)}
    assert hidden["id"] not in listed
    assert (listed[shown["id"]]["name"], listed[shown["id"]]["host"]) == ("Shown", "Ann")
    bob.post(f"/tables/{shown['id']}/join")
    cleo.post(f"/tables/{shown['id']}/join?watch=true")
    roles = {member["name"]: member["role"] for member in ann.get(f"/tables/{shown['id']}")["members"]}
    assert roles == {"Ann": "host", "Bob": "player", "Cleo": "spectator"}
    links = ann.post(f"/tables/{shown['id']}/links")
    problem(bob.http.post(f"/api/links/{shown['join_link']}"), 404, "not-found")
    bob.post(f"/links/{links['join_link']}")


def test_ones_own_turn_comes_first(three: Three) -> None:
    ann, bob, _ = three
    waits = game_of(ann, bob, name="Waits")
    other = game_of(bob, ann, name="Other")
    bob.order(other, "end")
    assert [(each["name"], each["your_turn"]) for each in ann.get("/tables")] == [("Waits", True), ("Other", False)]
    assert [(each["id"], each["your_turn"]) for each in bob.get("/tables")] == [(other, True), (waits, False)]
    assert [each["name"] for each in ann.get("/tables", limit=1)] == ["Waits"], "also where the list has pages"
    assert [each["name"] for each in ann.get("/tables", limit=1, skip=1)] == ["Other"]


def test_a_turn_of_a_power_without_a_seat_is_that_of_whoever_plays_it(three: Three) -> None:
    ann, bob, _ = three
    table = table_of(ann, bob, scenario="anniversary-1941", name="China")
    given = {power: {"person": (bob if power == "usa" else ann).id} for power in table["given"]}
    assert "china" not in given
    ann.post(f"/tables/{table['id']}/assign", given=given)
    ann.post(f"/tables/{table['id']}/begin")
    game = table["id"]
    for _ in range(60):
        question = ann.get(f"/games/{game}/state")["decision"]
        if question["power"] == "china":
            break
        asked = bob if question["power"] == "usa" else ann
        asked.order(game, question.get("suggestion") or "end")
    assert question["power"] == "china"
    assert [line["your_turn"] for line in bob.get("/tables")] == [True]
    assert [line["your_turn"] for line in ann.get("/tables")] == [False]
    assert bob.get(f"/tables/{game}")["your_turn"]
    assert bob.get("/tables", limit=1)[0]["answers"] == "china"


ATTACK = ("end", "end", "move 3 infantry, 1 armor: karelia-ssr -> finland-norway", "end")  # the battle opens itself


def test_standing_orders_answer_in_others_turns(three: Three) -> None:
    ann, bob, _ = three
    game = game_of(ann, bob)
    bob.call("PATCH", f"/tables/{game}/me", 422, json={"standing": {"nonsense": "usual"}})
    bob.call("PATCH", f"/tables/{game}/me", json={"standing": {"casualties": "usual", "retreat": "usual"}})
    for text in ATTACK:
        ann.order(game, text)

    def never_asked() -> bool:
        question = ann.get(f"/games/{game}/state").get("decision")
        return question is not None and question["power"] not in AXIS

    assert eventually(never_asked)
    log = ann.get(f"/games/{game}/log")["lines"]
    given = [line["order"] for line in log if line["power"] == "germany"]
    assert not given or given[0].startswith("casualties")


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """So many seconds have passed, as far as clocks are concerned."""
    for module in (company, course, setup):
        monkeypatch.setattr(module, "now", lambda: store.now() + timedelta(seconds=seconds))


def test_a_clock_runs_out(server: TestClient, three: Three, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten seconds are the least that a clock may have; here they pass at once."""

    from sandtable.server import clocks

    ann, bob, _ = three
    games = {
        late: game_of(ann, bob, clock={"kind": "turn", "seconds": 20, "late": late})
        for late in ("orders", "computer", "host")
    }
    table = ann.get(f"/tables/{games['host']}")
    assert table["due"] is not None
    assert table["times"]["Ann"]["running"] is True
    assert 0 < table["times"]["Ann"]["seconds"] <= 20
    ann.post(f"/tables/{games['host']}/vacation", 409, days=1)
    later(monkeypatch, 30)
    assert clocks.Left(seconds=1, reserve=2).total == 3
    assert eventually(lambda: ann.get(f"/games/{games['orders']}/state")["turn"] != "ussr")
    assert eventually(
        lambda: {s["name"]: s["player"] for s in ann.get(f"/games/{games['computer']}")["seats"]}["Ann"] == "4star"
    )
    assert ann.get(f"/games/{games['host']}/state")["turn"] == "ussr"
    assert ann.get(f"/tables/{games['host']}")["late"] == "Ann"
    later(monkeypatch, 0)
    ann.post(f"/tables/{games['computer']}/seats/Ann")  # coming back
    assert {s["name"]: s["player"] for s in ann.get(f"/games/{games['computer']}")["seats"]}["Ann"] == "human"


def test_the_host_decides_when_time_is_up(server: TestClient, three: Three, monkeypatch: pytest.MonkeyPatch) -> None:

    ann, bob, _ = three
    game = game_of(ann, bob, clock={"kind": "turn", "seconds": 20, "late": "host"})
    for _ in range(40):  # to the turn of Bob
        question = ann.get(f"/games/{game}/state")["decision"]
        if question["power"] in AXIS:
            break
        ann.order(game, question.get("suggestion", "end"))
    ann.post(f"/tables/{game}/seats/Bob", 409, player="random")  # not before it is up
    assert ann.get(f"/tables/{game}").get("late") is None
    later(monkeypatch, 60)
    assert ann.get(f"/tables/{game}")["late"] == "Bob"
    lines = server.portal.call(server.app.state.seating.course.waiting_for, ann.id)
    assert any("time of Bob is up" in line for line in lines), lines
    bob.post(f"/tables/{game}/seats/Ann", 409, player="random")  # Bob is no host
    ann.post(f"/tables/{game}/seats/Bob", player="random")
    later(monkeypatch, 0)
    seats = {seat["name"]: seat for seat in ann.get(f"/games/{game}")["seats"]}
    assert seats["Bob"]["player"] == "random"
    bob.post(f"/tables/{game}/seats/Bob")  # and comes back
    assert {s["name"]: s["player"] for s in ann.get(f"/games/{game}")["seats"]}["Bob"] == "human"


def test_one_tables_trouble_does_not_stop_the_clocks_of_others(
    server: TestClient, three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:

    ann, bob, _ = three
    games = [game_of(ann, bob, clock={"kind": "turn", "seconds": 20, "late": "orders"}) for _ in range(2)]
    seating = server.app.state.seating
    usual = seating.course._time_is_up

    async def broken(name: str) -> None:
        if name == games[0]:
            raise RuntimeError("a table that is in trouble")
        await usual(name)

    async def both(_: Any) -> list[str]:
        return games  # the one in trouble first

    monkeypatch.setattr(seating.course, "_time_is_up", broken)
    monkeypatch.setattr(seating.store, "due", both)
    later(monkeypatch, 30)
    assert eventually(lambda: ann.get(f"/games/{games[1]}/state")["orders"] > 0)
    assert ann.get(f"/games/{games[0]}/state")["orders"] == 0


def test_time_is_counted_for_whoever_has_to_answer() -> None:

    from sandtable.engine.game import check_seats
    from sandtable.server import clocks
    from sandtable.server.journal import Journal
    from sandtable.server.storage.store import Header, Seat, now
    from sandtable.server.storage.tablestore import Clock, Stop
    from sandtable.world.compile import compile_world

    world = compile_world("classic-1942")
    seats = tuple(Seat(name=name, powers=powers, person=name) for name, powers in check_seats(world, None).items())
    begin = now()
    header = Header(
        id="x",
        name="x",
        scenario=world.scenario,
        options=dict(world.options),
        edits={},
        seats=seats,
        seed=3,
        created=begin,
    )
    journal = Journal(header)
    after = lambda seconds: begin + timedelta(seconds=seconds)  # noqa: E731
    clock = Clock(kind="turn", seconds=100, reserve=50)
    name = seats[0].name
    assert clocks.left(journal, clock, (), after(30))[name] == clocks.Left(seconds=70, reserve=50)
    journal.play("end", made=after(40))
    assert clocks.left(journal, clock, (), after(120))[name] == clocks.Left(seconds=0, reserve=30)
    assert clocks.due(journal, clock, (), after(60)) == after(150)
    pause = Stop(start=after(45), end=after(55))
    away = Stop(start=after(50), end=after(65), person=name)
    assert clocks.left(journal, clock, (pause, away), after(120))[name] == clocks.Left(seconds=0, reserve=50)
    assert clocks.due(journal, clock, (Stop(start=after(50)),), after(60)) is None
    others = clocks.left(journal, clock, (), after(120))
    assert others[seats[1].name] == clocks.Left(seconds=100, reserve=50)


def test_a_ladder_of_those_with_accounts(server: TestClient) -> None:
    ann, bob = Player(server, ""), Player(server, "")
    for player, name in ((ann, "Ladder Ann"), (bob, "Ladder Bob")):
        player.id = player.post("/people/account", 201, name=name, password="a long password")["id"]
    game = game_of(ann, bob)
    bob.post(f"/tables/{game}/offers", 201, kind="surrender")  # nobody else is on that side: done at once
    assert "surrendered" in ann.get(f"/tables/{game}")["result"]
    lines = [line for line in ann.get("/ladder") if line["name"].startswith("Ladder")]
    assert [(line["name"], line["edition"], line["games"], line["won"]) for line in lines] == [
        ("Ladder Ann", "classic", 1, 1),
        ("Ladder Bob", "classic", 1, 0),
    ]
    assert ann.get("/ladder", edition="anniversary") == []
    draw = game_of(ann, bob)
    ann.call("PATCH", f"/tables/{draw}", 409, json={"rated": False})  # too late
    ann.post(f"/tables/{draw}/offers", 201, kind="close")
    (offer,) = bob.get(f"/tables/{draw}")["offers"]
    bob.post(f"/tables/{draw}/offers/{offer['id']}", yes=True)
    assert [line["games"] for line in ann.get("/ladder") if line["name"].startswith("Ladder")] == [1, 1]


@pytest.mark.rule("PC-NET-02")
def test_servers_on_a_network_find_each_other() -> None:
    pytest.importorskip("zeroconf")
    import asyncio

    from sandtable.server.neighbours import Neighbourhood

    async def look() -> list[str]:
        one = Neighbourhood("Ann's table", "http://127.0.0.1:1/", "127.0.0.1", 1)
        other = Neighbourhood("Bob's table", "http://127.0.0.1:2/", "127.0.0.1", 2)
        await one.open()
        await other.open()
        try:
            for _ in range(100):
                if found := one.neighbours():
                    return [found[0].name, found[0].url]
                await asyncio.sleep(0.1)
            return []
        finally:
            await one.close()
            await other.close()

    assert asyncio.run(look()) == ["Bob's table", "http://127.0.0.1:2/"]


def test_what_one_shows_to_others(three: Three) -> None:
    ann, bob, cleo = three
    game = game_of(ann, bob, name="Shown")
    for text in ATTACK:
        ann.order(game, text)
    told = bob.get(f"/games/{game}/summary")
    assert (told["round"], told["turn"]) == (1, "ussr")
    assert told["text"].startswith("Shown: round 1, U.S.S.R.\n- ")
    assert "Finland" in told["text"]
    answer = bob.http.get(f"/api/games/{game}/picture.svg", params={"width": 600})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")
    for path in ("summary", "picture.svg"):
        assert cleo.http.get(f"/api/games/{game}/{path}").status_code == 404
    bob.get(f"/games/{game}/summary", 422, at=9999)
