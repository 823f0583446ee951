"""The application: everything put together."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.middleware.gzip import GZipMiddleware

import sandtable
from sandtable.notation.orders import AnyOrder
from sandtable.server import errors, page
from sandtable.server.bots import registry
from sandtable.server.calculator import Calculator
from sandtable.server.errors import ErrorEnvelope
from sandtable.server.guard import Guard
from sandtable.server.hub import Hub
from sandtable.server.ladder import Ladder
from sandtable.server.mail import Mailer
from sandtable.server.news import News
from sandtable.server.notifying import Notifier
from sandtable.server.people import Passwords
from sandtable.server.quotas import Limits
from sandtable.server.rooms import Lobby
from sandtable.server.routes import (
    analysis,
    catalogue,
    games,
    history,
    leaving,
    live,
    odds,
    people,
    plan,
    play,
    sharing,
    tables,
    training,
)
from sandtable.server.settings import Settings
from sandtable.server.storage.connection import Database
from sandtable.server.storage.lessons import Lessons
from sandtable.server.storage.people import People
from sandtable.server.storage.store import Store
from sandtable.server.storage.tablestore import TableStore
from sandtable.server.tables import Seating
from sandtable.server.views.changes import LiveMessage
from sandtable.server.views.tables import TableMessage

STATUSES: dict[int | str, dict[str, Any]] = {
    401: {"model": ErrorEnvelope, "description": "The server has to know who asks"},
    403: {"model": ErrorEnvelope, "description": "Not for this person"},
    404: {"model": ErrorEnvelope, "description": "No such thing"},
    409: {"model": ErrorEnvelope, "description": "The game has moved on, is damaged, or somebody else has to answer"},
    422: {"model": ErrorEnvelope, "description": "Refused by the rules, or not understood"},
    429: {"model": ErrorEnvelope, "description": "Too many requests"},
}


def create_app(settings: Settings | None = None) -> FastAPI:
    """The server as an ASGI application. Its database is opened when it starts, not now."""
    chosen = settings or Settings()
    registry.load(chosen.bot_modules)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = await Database.open(chosen.database)
        app.state.lessons = Lessons(database)
        app.state.calculator = calculator = Calculator(chosen.calculators)
        app.state.people = known = People(database)
        app.state.tables = kept = TableStore(database)
        app.state.passwords = passwords = Passwords()
        app.state.mailer = mailer = Mailer(chosen)
        app.state.notifier = notifier = Notifier(chosen, known, mailer)
        app.state.ladder = ladder = Ladder(database)
        app.state.lobby = lobby = Lobby(Store(database), chosen)
        app.state.seating = seating = Seating(lobby, kept, Hub(), notifier, ladder, chosen)
        news = News(database, lobby, seating)
        tasks = [asyncio.create_task(lobby.watch_idle())]
        if chosen.people:
            await known.tidy()
            tasks.append(asyncio.create_task(seating.course.watch_clocks()))
        if app.state.neighbourhood is not None:
            await app.state.neighbourhood.open()
        if database.is_postgres:
            tasks += [asyncio.create_task(news.listen()), asyncio.create_task(news.live())]
            await news.ready.wait()
            seating.company.tell_elsewhere = news.tell
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if app.state.neighbourhood is not None:
                await app.state.neighbourhood.close()
            if database.is_postgres:
                await news.part()
            seating.hub.close()
            await seating.course.stop()
            await notifier.close()
            calculator.close()
            passwords.close()
            await lobby.close()

    app = FastAPI(
        title="Sandtable",
        version=sandtable.__version__,
        description="Games over HTTP and WebSocket. See docs/reference/server-api.md.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        separate_input_output_schemas=False,
        responses=STATUSES,
    )
    app.state.settings = chosen
    app.state.limits = Limits(chosen.rate, enabled=chosen.people, sockets=chosen.sockets_each)
    app.state.neighbourhood = None  # and what it tells the network
    app.state.stop = None  # whoever runs the app says here how it ends
    errors.install(app)
    for part in (
        catalogue,
        people,
        tables,
        games,
        play,
        history,
        live,
        odds,
        plan,
        training,
        analysis,
        sharing,
        leaving,
    ):
        app.include_router(part.router)
    page.install(app, chosen)
    app.add_middleware(GZipMiddleware, minimum_size=1400, compresslevel=4)  # what fits one packet gains nothing
    app.add_middleware(Guard, settings=chosen)
    app.openapi = lambda: _schema(app)  # type: ignore[method-assign]
    return app


def _schema(app: FastAPI) -> dict[str, Any]:
    """The schema of the API, with the messages of live connections and the structured form of orders."""
    if app.openapi_schema is not None:
        return app.openapi_schema
    schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
    models: dict[str, Any] = schema["components"]["schemas"]
    for kind in (LiveMessage, TableMessage):
        found = kind.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
        for name, model in {**found.pop("$defs"), kind.__name__: found["properties"]["message"]}.items():
            models.setdefault(name, model)
    (union,), orders = msgspec.json.schema_components([AnyOrder], ref_template="#/components/schemas/Order{name}")
    models.update({f"Order{name}": model for name, model in orders.items()})
    models["Order"] = union
    text = {"type": "string", "maxLength": 2000}
    models["OrderBody"]["properties"]["order"] = {"anyOf": [text, {"$ref": "#/components/schemas/Order"}]}
    app.openapi_schema = schema
    return schema
