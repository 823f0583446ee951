"""The application: everything put together."""

from __future__ import annotations

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
from sandtable.server.rooms import Lobby
from sandtable.server.routes import analysis, catalogue, games, history, leaving, live, odds, plan, play, training
from sandtable.server.settings import Settings
from sandtable.server.storage.database import open_database
from sandtable.server.storage.lessons import Lessons
from sandtable.server.storage.store import Store
from sandtable.server.views.changes import LiveMessage

STATUSES: dict[int | str, dict[str, Any]] = {
    404: {"model": ErrorEnvelope, "description": "No such thing"},
    409: {"model": ErrorEnvelope, "description": "The game has moved on, is damaged, or somebody else has to answer"},
    422: {"model": ErrorEnvelope, "description": "Refused by the rules, or not understood"},
}


def create_app(settings: Settings | None = None) -> FastAPI:
    """The server as an ASGI application. Its database is opened when it starts, not now."""
    chosen = settings or Settings()
    registry.load(chosen.bot_modules)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        database = await open_database(chosen.database)
        app.state.lessons = Lessons(database)
        app.state.calculator = calculator = Calculator()
        app.state.lobby = lobby = Lobby(Store(database), chosen)
        try:
            yield
        finally:
            calculator.close()
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
    app.state.stop = None  # whoever runs the app says here how it ends
    errors.install(app)
    for part in (catalogue, games, play, history, live, odds, plan, training, analysis, leaving):
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
    live_messages = LiveMessage.model_json_schema(ref_template="#/components/schemas/{model}", mode="serialization")
    for name, model in {**live_messages.pop("$defs"), "LiveMessage": live_messages["properties"]["message"]}.items():
        models.setdefault(name, model)
    (union,), orders = msgspec.json.schema_components([AnyOrder], ref_template="#/components/schemas/Order{name}")
    models.update({f"Order{name}": model for name, model in orders.items()})
    models["Order"] = union
    text = {"type": "string", "maxLength": 2000}
    models["OrderBody"]["properties"]["order"] = {"anyOf": [text, {"$ref": "#/components/schemas/Order"}]}
    app.openapi_schema = schema
    return schema
