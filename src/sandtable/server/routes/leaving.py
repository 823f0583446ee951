"""Quit: the person who started the server from a terminal stops it from the page."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

from fastapi import APIRouter
from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response

from sandtable.server.errors import ApiError
from sandtable.server.settings import Settings

router = APIRouter(prefix="/api", tags=["leaving"])


@router.post("/quit", operation_id="quit", status_code=204, response_class=Response)
def quit_server(request: Request) -> Response:
    """Stop the server after this answer. Only its own page on this machine may ask for that."""
    settings: Settings = request.app.state.settings
    stop: Callable[[], None] | None = request.app.state.stop
    if stop is None:
        raise ApiError(403, "forbidden", "This server was started by another program, which has to stop it.")
    if settings.people or not settings.is_local or settings.names or not _from_this_machine(request):
        raise ApiError(403, "forbidden", "This server is there for others, too: only whoever started it can stop it.")
    if "origin" not in request.headers:  # which origin it is, the guard has looked at
        raise ApiError(403, "forbidden", "Only the page of this server can stop it.")
    return Response(status_code=204, background=BackgroundTask(stop))


def _from_this_machine(request: Request) -> bool:
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
