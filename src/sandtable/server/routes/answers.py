"""Answers that are made often: written straight from the model, since the framework would check it once more."""

from __future__ import annotations

from starlette.responses import Response

from sandtable.server.views.base import Model
from sandtable.server.views.changes import as_json


def answer(model: Model) -> Response:
    return Response(as_json(model), media_type="application/json")
