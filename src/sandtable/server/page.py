"""The built page, from the package or a folder; and what is shown where it has not been built."""

from __future__ import annotations

import mimetypes
from html import escape
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, HTMLResponse, Response

from sandtable.server.errors import not_found, of_status, response
from sandtable.server.settings import Settings

BUILT = Path(__file__).parent / "static"

MISSING = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandtable</title></head>
<body>
<h1>The server is running, but its page has not been built</h1>
<p>There is no <code>index.html</code> in <code>{folder}</code>. An installed Sandtable brings its
page along; in a copy of the source <code>make play</code> or <code>python -m tools.page</code> builds it. Then load
this page again: the server need not be restarted.</p>
<p>Programs can use the server as it is: its interface is described in
<a href="/api/openapi.json">/api/openapi.json</a>.</p>
</body>
</html>
"""


def is_built() -> bool:
    """Whether the package has its page."""
    return (BUILT / "index.html").is_file()


def install(app: FastAPI, settings: Settings) -> None:
    """Serve files of the page; every other address that is not the API's is the page itself, which reads it."""
    folder = (settings.static_dir or BUILT).resolve()

    @app.get("/api/{path:path}", include_in_schema=False)
    async def nothing(path: str) -> Response:
        return response(not_found(f"There is nothing at /api/{path[:200]}."))

    @app.get("/{path:path}", include_in_schema=False)
    async def page(path: str, request: Request) -> Response:
        index = folder / "index.html"
        if not index.is_file():
            return HTMLResponse(MISSING.format(folder=escape(str(folder))), status_code=503)
        if not path:
            return _file(index, request, fresh=True)
        try:
            file = (folder / path).resolve()
            found = file.is_relative_to(folder) and file.is_file()
        except (OSError, ValueError):  # a name that no file can have
            return response(of_status(404, "There is no such file."))
        if found:
            return _file(file, request, fresh=not path.startswith("assets/"))
        if Path(path).suffix:
            return response(of_status(404, f"There is no file /{path[:200]}."))
        return _file(index, request, fresh=True)


ENCODINGS = (("br", ".br"), ("gzip", ".gz"))
"""How files lie packed beside the plain ones, smallest first."""


def _file(file: Path, request: Request, *, fresh: bool) -> Response:
    """A file, packed if it lies there packed and the browser can unpack it; nothing at all if the browser has it.

    Files under assets/ have a fingerprint in their names and never change.
    """
    headers = {
        "cache-control": "no-cache" if fresh else "public, max-age=31536000, immutable",
        "vary": "accept-encoding",
    }
    sent = file
    accepted = _accepted(request.headers.get("accept-encoding", ""))
    for encoding, ending in ENCODINGS:
        packed = file.with_name(file.name + ending)
        if encoding in accepted and packed.is_file():
            sent, headers["content-encoding"] = packed, encoding
            break
    about = sent.stat()
    headers["etag"] = tag = f'"{about.st_mtime_ns:x}-{about.st_size:x}{sent.suffix if sent is not file else ""}"'
    if tag in (each.strip() for each in request.headers.get("if-none-match", "").split(",")):
        return Response(status_code=304, headers=headers)
    kind = mimetypes.guess_type(file.name)[0]
    return FileResponse(sent, headers=headers, media_type=kind or "application/octet-stream", stat_result=about)


def _accepted(header: str) -> set[str]:
    """What `Accept-Encoding` names and does not rule out."""
    found = set()
    for part in header.split(","):
        name, _, rest = part.partition(";")
        quality = rest.replace(" ", "").partition("q=")[2]
        if quality not in ("0", "0.0", "0.00", "0.000"):
            found.add(name.strip().lower())
    return found
