"""One envelope for everything that goes wrong: {error: {kind, message, rules, culprits, details}}.

`kind` is stable and for programs, `message` is a sentence for a player, `rules` are ledger ids of which the first tells
most, `culprits` are spaces and units at fault.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Literal

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from sandtable.errors import DataError, NotationError, Refusal, SandtableError, SaveError
from sandtable.rulebook import UnknownRuleError
from sandtable.server.storage.database import why

logger = logging.getLogger("sandtable.server")

Kind = Literal[
    "refused",  # the order is against the rules
    "notation",  # the text is no order
    "stale",  # the game has changed since the version that the request was made on
    "not-your-seat",  # somebody else has to answer
    "lesson",  # legal, but not what the lesson is about now: the message is a hint
    "nothing-to-redo",
    "validation",  # the request has the wrong form
    "data",  # scenario, options, edits or seats do not fit
    "save",  # the text is no game of ours
    "damaged",  # a stored game cannot be played again
    "not-found",
    "not-allowed",  # the method
    "too-large",
    "forbidden",  # from another site, or by another host name; or not this person's business
    "sign-in",  # the server has to know who asks
    "consent",  # others have to agree first
    "halted",  # the game is paused, or was given up
    "taken",  # the name, or the seat
    "slow-down",  # too many requests
    "storage",  # nothing was written; the game is as it was
    "busy",  # too many questions at once
    "internal",
]


class ErrorBody(BaseModel):
    kind: Kind
    message: str
    rules: list[str] = []
    culprits: list[str] = []
    details: dict[str, Any] = {}


class ErrorEnvelope(BaseModel):
    """What every answer with a status from 400 on looks like."""

    error: ErrorBody


class ApiError(Exception):
    """An answer that is an error."""

    def __init__(
        self,
        status: int,
        kind: Kind,
        message: str,
        *,
        rules: Sequence[str] = (),
        culprits: Sequence[str] = (),
        details: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = ErrorBody(
            kind=kind, message=message, rules=list(rules), culprits=list(culprits), details=details or {}
        )


def not_found(what: str) -> ApiError:
    return ApiError(404, "not-found", what)


def stale(asked: int, now: int) -> ApiError:
    return ApiError(
        409,
        "stale",
        f"The game has moved on: it is at version {now}, and the request was made for version {asked}.",
        details={"version": now},
    )


def envelope_of(error: SandtableError) -> ApiError:
    """The answer to an error of the engine, the archive or the data."""
    match error:
        case Refusal():
            return ApiError(422, "refused", error.text, rules=error.rules, culprits=error.culprits)
        case NotationError():
            return ApiError(422, "notation", str(error))
        case DataError():
            return ApiError(422, "data", "; ".join(error.problems), details={"problems": list(error.problems)})
        case SaveError():
            return ApiError(422, "save", str(error))
        case UnknownRuleError():
            words = str(error)
            return ApiError(404, "not-found", words[:1].upper() + words[1:])
        case _:
            return ApiError(422, "data", str(error))


def as_api_error(error: ApiError | SQLAlchemyError) -> ApiError:
    """What is said about it, also where the database did not answer."""
    if isinstance(error, ApiError):
        return error
    logger.error("the database failed: %s", why(error))
    return ApiError(503, "storage", f"Nothing was changed: {why(error)}.")


def response(error: ApiError) -> Response:
    """Escaped to ASCII, since the message may quote characters that no encoding has."""
    body = json.dumps({"error": error.body.model_dump()})
    return Response(body, status_code=error.status, media_type="application/json")


def of_status(status: int, message: str) -> ApiError:
    kinds: dict[int, Kind] = {403: "forbidden", 404: "not-found", 405: "not-allowed", 413: "too-large"}
    kind: Kind = kinds.get(status, "internal" if status >= 500 else "validation")
    return ApiError(status, kind, message)


def install(app: FastAPI) -> None:
    """Let every error of the app be answered by the envelope."""

    @app.exception_handler(ApiError)
    async def on_api_error(_: Request, error: ApiError) -> Response:
        return response(error)

    @app.exception_handler(SandtableError)
    async def on_sandtable_error(_: Request, error: SandtableError) -> Response:
        return response(envelope_of(error))

    @app.exception_handler(SQLAlchemyError)
    async def on_database(_: Request, error: SQLAlchemyError) -> Response:
        return response(as_api_error(error))

    @app.exception_handler(RequestValidationError)
    async def on_validation(_: Request, error: RequestValidationError) -> Response:
        problems = [{"where": ".".join(map(str, e["loc"])), "what": str(e["msg"])} for e in error.errors()[:50]]
        first = problems[0] if problems else {"where": "request", "what": "cannot be read"}
        message = f"The request has the wrong form: {first['where']}: {first['what']}."
        return response(ApiError(422, "validation", message, details={"problems": problems}))

    @app.exception_handler(HTTPException)
    async def on_http(request: Request, error: HTTPException) -> Response:
        words = {
            404: f"There is nothing at {request.url.path[:200]}.",
            405: f"{request.method} is not possible at {request.url.path[:200]}.",
        }
        default = f"{error.detail or HTTPStatus(error.status_code).phrase}"
        return response(of_status(error.status_code, words.get(error.status_code, default)))

    @app.exception_handler(Exception)
    async def on_anything(request: Request, error: Exception) -> Response:
        logger.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return response(
            ApiError(500, "internal", f"The server made a mistake ({type(error).__name__}). The game is as it was.")
        )
