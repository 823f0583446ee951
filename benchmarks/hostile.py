"""Requests and messages of people who mean harm: no traceback, no change, nothing that is not theirs to see.

    python -m benchmarks.hostile --times 100000

It starts a server of its own in a temporary folder with a game of two people. A stranger, somebody who only looks on,
and nobody at all then send nonsense, half truths and attempts: every route of the API with odd values, foreign hosts
and origins, files outside, broken HTTP, live connections. Limits of rate are lifted, so that all of it reaches the
code. In the end the game has to be as it was. Everything happens on loopback, and ends by itself.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import secrets
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import websockets

AT_ONCE = 16
REPORT = 5_000  # requests between two words about how it goes
LAUNCH = """
import sys
from pathlib import Path
from sandtable.server import Settings, quotas, serve
quotas.PER_MINUTE = {what: 1e9 for what in quotas.PER_MINUTE}
serve(port=0, open_browser=False, settings=Settings(
    data_dir=Path(sys.argv[1]), people=True, rate=10**9, connections_each=10**6, sockets_each=10**6))
"""
WORDS = (
    "",
    "0",
    "-1",
    "99999999999999999999",
    "1e309",
    "NaN",
    "null",
    "true",
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "a" * 5000,
    "'; DROP TABLE games; --",
    "<script>alert(1)</script>",
    "${jndi:ldap://x}",
    "{{7*7}}",
    "\u202e\ud7ff",
    "😀" * 50,
    "\n\r\t",
    "usual",
    "human",
    "5star",
    "instructor",
    "germany",
    "end",
    "buy 1 infantry",
    "surrender",
    "undo",
    "research radar",
    "move 1 infantry: karelia-ssr -> finland-norway",
    "infantry:99999",
    "classic-1942",
    "host",
    "public",
)
PATHS = (
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/assets/../../settings.py",
    "/assets/%2e%2e%2findex.html",
    "//evil",
    "/api/../../x",
    "/index.html%00.js",
    "/games.sqlite",
    "/.git/config",
    "/api/openapi.json/..",
    "/game/x/../../y",
)
RAW = (
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n",
    b"\x00\x01\x02\xff" * 50,
    b"\x16\x03\x01\x02\x00",
    b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n",
    b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
    b"GET /\x00 HTTP/1.1\r\n\r\n",
    b"GET /api/games HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    b"GET /api/tables/x/live HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
)
FIELDS = (
    "order", "text", "person", "player", "style", "name", "seat", "given", "options", "edits", "yes", "kind", "at",
    "paused", "days", "standing", "version", "running", "scenario", "seats", "password", "link", "to", "muted", "clock",
    "visibility", "webhook", "email", "subscription", "secret", "old", "new",
)  # fmt: skip
ENDING = ("/api/me/delete", "/api/people/sign-out", "/api/me/sessions/{session}")  # ends nobody's session but one's own


class Attack:
    def __init__(self, url: str, seed: int) -> None:
        self.url = url
        self.chance = random.Random(seed)
        self.statuses: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.sent = 0
        self.http = httpx2.AsyncClient(base_url=url, timeout=300)
        self.marks = {name: f"{name}-{secrets.token_hex(8)}" for name in ("private", "game")}
        self.who: dict[str, dict[str, str]] = {"nobody": {}}

    # ------------------------------------------------------------ the game that is attacked

    async def prepare(self) -> None:
        host, friend = await self._person("Host"), await self._person("Friend")
        self.owner = host
        call = self._by(host)
        table = await call("POST", "/api/tables", {"name": self.marks["game"]})
        self.game, self.links = table["id"], (table["join_link"], table["watch_link"])
        await self._by(friend)("POST", f"/api/links/{self.links[0]}", {})
        members = (await call("GET", f"/api/tables/{self.game}"))["members"]
        other = next(member["id"] for member in members if member["name"] == "Friend")
        own = table["host"]
        axis = ("germany", "japan")
        given = {power: {"person": other if power in axis else own} for power in table["given"]}
        await call("POST", f"/api/tables/{self.game}/assign", {"given": given})
        await call("POST", f"/api/tables/{self.game}/begin", {})
        await call("POST", f"/api/games/{self.game}/orders", {"order": "end"})
        said = {"text": self.marks["private"], "to": "person", "person": other}
        await call("POST", f"/api/tables/{self.game}/chat", said)
        self.who["stranger"] = await self._person("Stranger")
        self.who["watcher"] = await self._person("Watcher")
        await self._by(self.who["watcher"])("POST", f"/api/links/{self.links[1]}", {})
        schema = (await self.http.get("/api/openapi.json")).json()
        self.routes = [(m.upper(), path, op) for path, ops in schema["paths"].items() for m, op in ops.items()]
        self.people = (own, other)
        self.before = await self.position()

    async def _person(self, name: str) -> dict[str, str]:
        async with httpx2.AsyncClient(base_url=self.url) as http:
            answer = await http.post("/api/people/guest", json={"name": name})
            answer.raise_for_status()
            token = (await http.post("/api/me/tokens", json={"label": "attack"})).json()["token"]
        return {"authorization": f"Bearer {token}"}

    def _by(self, headers: dict[str, str]) -> Any:
        async def call(method: str, path: str, body: Any = None) -> Any:
            answer = await self.http.request(method, path, json=body, headers=headers)
            answer.raise_for_status()
            return answer.json()

        return call

    async def position(self) -> dict[str, Any]:
        """All of the game that nobody else may change."""
        call = self._by(self.owner)
        game, table = await call("GET", f"/api/games/{self.game}"), await call("GET", f"/api/tables/{self.game}")
        kept = ("name", "host", "visibility", "stage", "given", "options", "paused", "clock", "join_link", "commitment")
        members = {m["id"]: m["role"] for m in table["members"] if m["id"] in self.people}
        return {
            "game": {key: game[key] for key in ("version", "digest", "seats", "name", "bots_running")},
            "table": {key: table[key] for key in kept},
            "members": members,
        }

    # ------------------------------------------------------------ attempts

    async def attempt(self) -> None:
        dice = self.chance.random()
        name = self.chance.choice(tuple(self.who))
        if dice < 0.72:
            await self._route(name)
        elif dice < 0.80:
            await self._ask(name, "GET", self.chance.choice(PATHS))
        elif dice < 0.88:
            await self._raw()
        else:
            await self._socket(name)
        self.sent += 1

    def _value(self, deep: int = 0) -> Any:
        kind = self.chance.randrange(9 if deep < 3 else 6)
        if kind < 4:
            return self.chance.choice((*WORDS, self.game, *self.people))
        if kind < 6:
            return self.chance.choice((0, -1, 1, 2**70, 0.5, True, False, None))
        if kind == 6:
            return [self._value(deep + 1) for _ in range(self.chance.randrange(4))]
        return {str(self._value(9)): self._value(deep + 1) for _ in range(self.chance.randrange(4))}

    def _body(self, operation: dict[str, Any]) -> dict[str, Any]:
        """Sometimes of the right form with odd values, sometimes anything."""
        dice = self.chance.random()
        if "requestBody" not in operation or dice < 0.1:
            return {}
        if dice < 0.25:
            return {"content": self.chance.randbytes(self.chance.randrange(400))}
        chosen = self.chance.sample(FIELDS, self.chance.randrange(1, 5))
        if self.chance.random() < 0.5:
            chosen += ["order"]
        body = {field: self._value() for field in chosen}
        try:
            return {"content": json.dumps(body).encode(), "headers": {"content-type": "application/json"}}
        except ValueError:
            return {}

    async def _route(self, name: str) -> None:
        method, path, operation = self.chance.choice(self.routes)
        if name != "nobody" and path in ENDING:
            name = "nobody"
        query = {}
        for each in operation.get("parameters", ()):
            if each["in"] == "path":
                right = {"game": self.game, "table": self.game, "person": self.people[0]}.get(each["name"])
                odd = self.chance.choice((*WORDS, self.game))
                value = right if right and self.chance.random() < 0.8 else odd
                path = path.replace(f"{{{each['name']}}}", quote(value, safe=self.chance.choice(("", "/.:%"))) or "odd")
            elif self.chance.random() < 0.6:
                query[each["name"]] = str(self._value(9))[:3000]
        await self._ask(name, method, path, params=query, **self._body(operation))

    async def _ask(self, name: str, method: str, path: str, **fields: Any) -> None:
        headers = {**self.who[name], **fields.pop("headers", {})}
        if self.chance.random() < 0.15:
            odd = (("host", "evil.example"), ("origin", "https://evil.example"), ("cookie", "sandtable=" + "x" * 300),
                   ("authorization", "Bearer ' OR 1=1"), ("content-length", "7"), ("x-forwarded-for", "127.0.0.1"),
                   ("content-type", "text/html"), ("sec-fetch-site", "cross-site"))  # fmt: skip
            key, value = self.chance.choice(odd)
            if key != "content-length":
                headers[key] = value
        try:
            answer = await self.http.request(method, path, headers=headers, **fields)
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError, UnicodeError) as error:
            self.statuses[type(error).__name__] += 1
            return
        self.statuses[str(answer.status_code)] += 1
        self._judge(name, f"{method} {path}", answer.status_code, answer.text)

    def _judge(self, name: str, what: str, status: int, text: str) -> None:
        if status >= 500 and '"busy"' not in text:
            self.wrong.append(f"{name}: {what[:200]}: {status} {text[:200]}")
        if "Traceback" in text:
            self.wrong.append(f"{name}: {what[:200]}: a traceback")
        if self.marks["private"] in text:
            self.wrong.append(f"{name} read what was said in private: {what[:200]}")
        if name != "watcher" and (self.marks["game"] in text or self.links[0] in text):
            self.wrong.append(f"{name} saw the game: {what[:200]}")

    async def _raw(self) -> None:
        host, port = self.url.removeprefix("http://").split(":")
        with contextlib.suppress(OSError, asyncio.TimeoutError):
            reader, writer = await asyncio.open_connection(host, int(port))
            data = self.chance.choice(RAW)
            if self.chance.random() < 0.3:
                data = bytes(self.chance.choice((b, self.chance.randrange(256))) for b in data)
            writer.write(data)
            with contextlib.suppress(OSError):
                await writer.drain()
                writer.write_eof()
            async with asyncio.timeout(20):
                answer = (await reader.read(100_000)).decode("latin-1")
            writer.close()
            self.statuses["raw"] += 1
            first = answer.split(" ", 2)[1] if answer.startswith("HTTP/") else "0"
            self._judge("nobody", repr(data[:80]), int(first) if first.isdigit() else 0, answer)

    async def _socket(self, name: str) -> None:
        kind = self.chance.choice(("games", "tables"))
        where = self.game if self.chance.random() < 0.8 else "nowhere"
        since = self.chance.choice(("", "?since=0", "?since=-1", "?since=99999999999", "?since=x", "?since=5"))
        address = f"{self.url.replace('http', 'ws', 1)}/api/{kind}/{where}/live{since}"
        headers = dict(self.who[name])
        if self.chance.random() < 0.2:
            headers["origin"] = "https://evil.example"
        try:
            async with websockets.connect(address, additional_headers=headers, open_timeout=300) as socket:
                for _ in range(self.chance.randrange(4)):
                    await socket.send(
                        self.chance.choice(
                            (json.dumps(self._value()), b"\xff" * 30, "[" * 5000, '{"type":"name","name":1}')
                        )
                    )
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.05):
                        while True:
                            text = str(await socket.recv())
                            self._judge(name, f"socket {kind}", 200, text)
                            if name != "watcher" and where == self.game and '"error"' not in text:
                                self.wrong.append(f"{name} heard of the game: {text[:200]}")
        except (websockets.WebSocketException, OSError, TimeoutError):
            pass
        self.statuses["socket"] += 1


async def measure(times: int, seed: int) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        errors = Path(folder) / "errors.txt"
        with errors.open("wb") as written:
            server = subprocess.Popen(
                [sys.executable, "-c", LAUNCH, folder], stdout=subprocess.PIPE, stderr=written, text=True
            )
        try:
            assert server.stdout is not None
            attack = Attack(server.stdout.readline().split()[-1].rstrip("/"), seed)
            await attack.prepare()
            began, left = time.monotonic(), iter(range(times))

            async def attacker() -> None:
                for _ in left:
                    await attack.attempt()
                    if attack.sent % REPORT == 0:
                        speed = attack.sent / (time.monotonic() - began)
                        rest = (times - attack.sent) / speed / 60
                        print(
                            f"{attack.sent} of {times}, {len(attack.wrong)} wrong; {rest:.0f} minutes left", flush=True
                        )

            await asyncio.gather(*(attacker() for _ in range(AT_ONCE)))
            after = await attack.position()
            await attack.http.aclose()
            alive = server.poll() is None
        finally:
            server.terminate()
            server.wait(20)
        told = errors.read_text(errors="replace")
    tracebacks = told.count("Traceback (most recent call last)")
    changed = [key for key in attack.before if attack.before[key] != after[key]]
    print(f"{attack.sent} hostile requests and messages in {(time.monotonic() - began) / 60:.1f} minutes")
    print(f"  answers: {', '.join(f'{status} × {n}' for status, n in attack.statuses.most_common())}")
    print(f"  tracebacks {tracebacks}, changes {changed or 'none'}, wrong answers {len(attack.wrong)}, alive: {alive}")
    for line in list(dict.fromkeys(attack.wrong))[:10]:
        print(f"  {line}")
    if tracebacks:
        print(told[-3000:])
    return alive and not tracebacks and not changed and not attack.wrong


def main() -> None:
    parser = argparse.ArgumentParser(description="Attack a server on this machine, and see whether it minds.")
    parser.add_argument("--times", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    sys.exit(0 if asyncio.run(measure(chosen.times, chosen.seed)) else 1)


if __name__ == "__main__":
    main()
