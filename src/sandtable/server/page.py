"""The built page, from the package or a folder; and what is shown where it has not been built."""

from __future__ import annotations

from html import escape
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.responses import FileResponse, HTMLResponse, Response

from sandtable.server.errors import not_found, of_status, response
from sandtable.server.settings import Settings

BUILT = Path(__file__).parent / "static"

MISSING = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Sandtable</title>
<style>body {{ font: 1.1rem/1.5 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }}</style>
</head>
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
            return _file(index, fresh=True)
        try:
            file = (folder / path).resolve()
            found = file.is_relative_to(folder) and file.is_file()
        except (OSError, ValueError):  # a name that no file can have
            return response(of_status(404, "There is no such file."))
        if found:
            return _file(file, fresh=not path.startswith("assets/"))
        if Path(path).suffix:
            return response(of_status(404, f"There is no file /{path[:200]}."))
        return _file(index, fresh=True)


def _file(file: Path, *, fresh: bool) -> Response:
    """Files under assets/ have a fingerprint in their names and never change."""
    keep = "no-cache" if fresh else "public, max-age=31536000, immutable"
    return FileResponse(file, headers={"cache-control": keep})
