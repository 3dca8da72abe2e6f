"""The server's application: routes, errors as sentences, the page's own files, and the guard before all of it."""

from __future__ import annotations

import asyncio
import mimetypes
import posixpath
import re
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from astragal import __version__
from astragal.base.errors import AstragalError
from astragal.drawing.pictures.palette import stylesheet
from astragal.web.requests import RequestError
from astragal.web.routes import analysis, lists, play, results, steps, work
from astragal.web.safety import Guard
from astragal.web.state import ServerState, health_line
from astragal.web.thinking import sentence_of

STATIC = Path(__file__).parent / "static"
SHOWN = {".html", ".css", ".js", ".svg", ".png", ".jpg", ".md", ".txt", ".csv", ".json"}  # kinds that are given out
SWEEP_SECONDS = 30.0  # between looks for expired sessions
TELL_SECONDS = 1800.0  # between lines in the log about what the server takes up
FIRST_VIEW = ("js/main.js", "js/views/welcome.js")  # modules whose imports a browser may fetch at once
STYLES = re.compile(r'(?:<link rel="stylesheet" href="static/css/(\w+\.css)">\s*)+')
IMPORTED = re.compile(r'^(?:import|export) .*?from "(\.[^"]+)";$', re.MULTILINE | re.DOTALL)

for kind, suffix in (("text/javascript", ".js"), ("image/svg+xml", ".svg"), ("text/plain", ".md")):
    mimetypes.add_type(kind, suffix)  # whatever the machine's own list says


class Files(StaticFiles):
    """The files of a folder and of those below it, of a few kinds; never one outside it, nor a hidden one."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        parts = Path(path).parts
        if any(part.startswith(".") for part in parts if part != ".") or "\0" in path:
            raise HTTPException(404)
        answer = await super().get_response(path, scope)
        if isinstance(answer, FileResponse) and Path(answer.path).suffix.lower() not in SHOWN:
            raise HTTPException(404)
        return answer


class Compressed(GZipMiddleware):
    """Compresses the page's files and the cards. Other answers are short, or streams, which must not be held back."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http" or (path.startswith("/api/") and path != "/api/cards"):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class KeptFiles(Files):
    """The page's own files under an address that changes with them: a browser asks for each only once."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if path == "all.css":
            answer: Response = Response("\n".join(styles()), media_type="text/css")
        else:
            answer = await super().get_response(path, scope)
        if scope["path_params"].get("stamp") == stamp():
            answer.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return answer


def stamp() -> str:
    """A word for the page's files as they are now."""
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    told = [f"{path.relative_to(STATIC)} {path.stat().st_size} {path.stat().st_mtime_ns}" for path in files]
    return sha256("\n".join(told).encode()).hexdigest()[:12]


def make_app(state: ServerState) -> FastAPI:
    """The application without its guard."""
    app = FastAPI(
        title="Astragal",
        version=__version__,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.shared = state
    for routes in (lists, play, analysis, steps, results, work):
        app.include_router(routes.router)
    app.add_api_route("/", page, include_in_schema=False)
    app.add_api_route("/palette.css", palette, include_in_schema=False)
    app.mount("/static", Files(directory=STATIC, check_dir=False), name="static")
    app.mount("/kept/{stamp}", KeptFiles(directory=STATIC, check_dir=False), name="kept")
    if state.report is not None:
        app.mount("/report", Files(directory=state.report, html=True), name="report")
    app.add_middleware(Compressed, minimum_size=1000)
    app.add_exception_handler(AstragalError, on_user_error)
    app.add_exception_handler(RequestValidationError, on_invalid)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(Exception, on_fault)
    return app


def guarded(state: ServerState, hosts: set[str] | None = None, token: str | None = None) -> ASGIApp:
    """The application as it is served."""
    return Guard(make_app(state), hosts, token, state.caps.body_bytes)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    """While the server runs, unused sessions expire; when it ends, so do its searches."""
    state: ServerState = app.state.shared

    async def sweep() -> None:
        told = state.started
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            state.sessions.forget_expired()
            if time.monotonic() - told >= TELL_SECONDS:
                told = time.monotonic()
                log_health(state)

    sweeping = asyncio.create_task(sweep())
    yield
    sweeping.cancel()
    with suppress(asyncio.CancelledError):
        await sweeping
    if time.monotonic() - state.started >= TELL_SECONDS:  # one that ran for a moment ends without a word
        log_health(state)
    state.close()


def log_health(state: ServerState) -> None:
    print(health_line(state), file=sys.stderr, flush=True)


def page() -> Response:
    if not (STATIC / "index.html").is_file():
        raise HTTPException(404)
    text = (STATIC / "index.html").read_text(encoding="utf-8")
    text = STYLES.sub('<link rel="stylesheet" href="static/all.css">\n', text)
    ahead = "".join(f'<link rel="modulepreload" href="static/{path}">\n' for path in modules_of(*FIRST_VIEW))
    text = text.replace("</head>", f"{ahead}</head>")
    return HTMLResponse(text.replace('"static/', f'"kept/{stamp()}/'), headers={"Cache-Control": "no-cache"})


def styles() -> Iterator[str]:
    """The page's style sheets in the order of `index.html`, which a browser gets as one."""
    for name in re.findall(r'href="static/css/(\w+\.css)"', (STATIC / "index.html").read_text(encoding="utf-8")):
        yield (STATIC / "css" / name).read_text(encoding="utf-8")


def modules_of(*paths: str) -> list[str]:
    """These modules and all that they import at once, each once."""
    found: list[str] = []
    waiting = list(paths)
    while waiting:
        path = waiting.pop(0)
        if path not in found:
            found.append(path)
            text = (STATIC / path).read_text(encoding="utf-8")
            waiting += [
                posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in IMPORTED.findall(text)
            ]
    return found


def palette() -> Response:
    """The colours of pictures, which Python and the page share."""
    return Response(stylesheet(), media_type="text/css")


def sentence(status: int, text: str) -> JSONResponse:
    return JSONResponse({"error": " ".join(text.split())}, status)


def on_user_error(request: Request, error: Exception) -> Response:
    return sentence(error.status if isinstance(error, RequestError) else 422, str(error))


def on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    first: dict[str, Any] = next(iter(error.errors()), {})
    if first.get("type") == "json_invalid":
        return sentence(422, "the request is not JSON")
    place = ".".join(str(part) for part in first.get("loc", ()) if part not in ("body", "query", "path"))
    what = str(first.get("msg", "it cannot be read"))
    return sentence(422, f"{place or 'the request'}: {what[:1].lower()}{what[1:]}")


def on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return sentence(
        error.status_code,
        {404: "there is nothing here", 405: "this cannot be done here"}.get(error.status_code, str(error.detail)),
    )


def on_fault(request: Request, error: Exception) -> Response:
    """An internal error."""
    return sentence(500, sentence_of(error))
