"""The server: the application with its routers and pages, its start on a port, and modules loaded in the background."""

import asyncio
import socket
import threading
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from importlib.resources import files
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response
from uvicorn.protocols.http.h11_impl import H11Protocol

from cardwin import __version__
from cardwin.core.errors import InputError
from cardwin.web import catalogue, players, runs, sessions, tables
from cardwin.web.responses import JsonResponse, NotFoundError, add_error_handlers
from cardwin.web.runs import READ_SECONDS, Lists
from cardwin.web.security import Guard
from cardwin.web.settings import ServerSettings, new_token

STATIC = Path(__file__).parent / "static"
PAGES = ("", "runs", "players", "atlas", "table", "hands", "leaderboard", "papers")
KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}


def make_app(settings: ServerSettings) -> FastAPI:
    """Build the application."""
    app = FastAPI(
        title="Cardwin",
        version=__version__,
        description="Everything that the page shows, as JSON. docs/page.md describes tokens and sockets.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        default_response_class=JsonResponse,
    )
    app.state.settings = settings
    app.state.room = tables.Room(settings)
    app.state.lists = runs.make_lists(settings)
    app.state.ready = threading.Event()
    add_error_handlers(app)
    for module in (catalogue, runs, players, sessions, tables):
        app.include_router(module.router)
    app.include_router(sessions.hands_router)
    _add_pages(app)
    app.add_middleware(Guard, settings=settings)
    return app


def _add_pages(app: FastAPI) -> None:
    shell, known = (STATIC / "index.html").read_text(encoding="utf-8"), _static_files()

    @app.get("/static/plotly.js", include_in_schema=False)
    def plotly() -> Response:
        """Return the plotly script, from its Python package; only pages with charts load it."""
        path = str(files("plotly") / "package_data" / "plotly.min.js")
        return FileResponse(path, media_type="text/javascript", headers={"Cache-Control": "max-age=86400"})

    @app.get("/static/{name:path}", include_in_schema=False)
    def static(name: str) -> Response:
        """Return our own scripts and styles."""
        if name not in known:
            raise NotFoundError("no such file")
        path = STATIC / name
        return FileResponse(path, media_type=KINDS[path.suffix], headers={"Cache-Control": "no-cache"})

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        """Return the icon."""
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    @app.get("/{path:path}", include_in_schema=False)
    def page(path: str, request: Request) -> Response:  # noqa: ARG001
        """Return the HTML shell of every page; its content comes from /api."""
        if path == "api/docs" or path.split("/")[0] in PAGES:
            return HTMLResponse(shell)
        raise NotFoundError("no such page")


def _static_files() -> set[str]:
    return {str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.suffix in KINDS}


MAX_FRAME = 16_384  # bytes
HEADER_SECONDS = 20.0


class TimedProtocol(H11Protocol):
    """An HTTP connection that is closed if the headers of a request are not complete in time.

    Uvicorn closes connections that are idle between two requests, but not those that send a part of one and wait.
    """

    timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timer for a new connection."""
        super().connection_made(transport)
        self._start_timer()

    def data_received(self, data: bytes) -> None:
        """Receive a part of a request, or all of it."""
        super().data_received(data)
        if self.cycle is not None and not self.cycle.response_complete:
            self._stop_timer()
        elif self.timer is None:
            self._start_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer of a closed connection."""
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self.timer = self.loop.call_later(HEADER_SECONDS, self.transport.close)

    def _stop_timer(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None


def bind_socket(settings: ServerSettings) -> socket.socket:
    """Return a socket bound to the host and port; port 0 takes any free one."""
    try:
        kind, _, _, _, address = socket.getaddrinfo(settings.host, settings.port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(kind, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
    except OSError as error:
        reason = error.strerror or error
        raise InputError(f"cannot listen on {settings.host} port {settings.port}: {reason}; try --port 0") from None
    settings.port = listener.getsockname()[1]
    return listener


# Modules that requests use. Threads that import a module at the same time may see it half initialised, so all of them
# are imported before the first request.
MODULES = (
    "cardwin.analysis.ev_loss",
    "cardwin.analysis.range_grid",
    "cardwin.analysis.hand_review",
    "cardwin.analysis.opponents",
    "cardwin.arena.interactive_tables",
    "cardwin.runs.reader",
    "cardwin.runs.champions",
    "cardwin.web.forms",
    "cardwin.web.saved_tables",
    "cardwin.analysis.playing_style",
    "cardwin.reports.champion_view",
)


def load_modules() -> None:
    """Import the modules that requests use, including the kinds of runs and the papers."""
    from cardwin.papers import PAPERS
    from cardwin.runs.kinds import KINDS

    for name in (*MODULES, *KINDS.values(), *PAPERS.values()):
        import_module(name)


def serve(settings: ServerSettings, listening: Callable[[str], object], open_browser: bool) -> None:
    """Serve until stopped; calls `listening` with the address once the server is up."""
    if not settings.local:
        settings.token = new_token()
    listener = bind_socket(settings)
    load_modules()
    app = make_app(settings)
    app.state.room.small_ready.clear()

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            listening(settings.url)
            threading.Thread(
                target=compile_kernels, args=(app.state.ready, app.state.room.small_ready), daemon=True
            ).start()
            threading.Thread(target=start_waiting_runs, args=(app.state.lists,), daemon=True).start()
            if open_browser:
                webbrowser.open(settings.url)

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        ws_max_size=MAX_FRAME,
        ws_max_queue=16,
        ws_ping_interval=30,
        timeout_graceful_shutdown=2,
        http=TimedProtocol,
        server_header=False,
        limit_concurrency=4000,
        h11_max_incomplete_event_size=32_768,
    )
    Server(config).run(sockets=[listener])


def start_waiting_runs(lists: Lists) -> None:
    """Read the runs that are not in the index, a part at a time; then start those of the queue when a slot is free."""
    with suppress(OSError):  # the folder may be removed
        while any(row["state"] == "unread" for row in lists.index.rows(budget=READ_SECONDS)):
            time.sleep(0.01)  # requests come between two parts
    while True:
        with suppress(OSError):  # a full disk: they keep their positions
            lists.queue.advance()
        time.sleep(1.0)


def compile_kernels(ready: threading.Event, small_ready: threading.Event) -> None:
    """Play a few hands of every kind of game, so that the kernels are compiled before a person plays.

    Only one thread compiles at a time: hold'em waits until small games need no compiler any more.
    """
    from cardwin.analysis.ev_loss import against_any
    from cardwin.arena.interactive_tables import LARGE, SMALL, warm_up

    try:
        warm_up(SMALL)
    finally:
        small_ready.set()
    warm_up(LARGE)
    for opponents in (1, 2):
        against_any((50, 51), (0, 5, 10), opponents)
    ready.set()
