"""The FastAPI application: its routers, its pages and its access checks."""

import threading
from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, Response

from cardwin import __version__
from cardwin.web import catalogue, hands, papers, players, runs, sessions, tables
from cardwin.web.answers import Answer, NotHereError, add_refusals
from cardwin.web.security import Guard
from cardwin.web.settings import ServerSettings

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
        default_response_class=Answer,
    )
    app.state.settings = settings
    app.state.room = tables.Room(settings)
    app.state.lists = runs.make_lists(settings)
    app.state.ready = threading.Event()
    add_refusals(app)
    for part in (catalogue, runs, players, sessions, tables, hands, papers):
        app.include_router(part.router)
    _add_pages(app)
    app.add_middleware(Guard, settings=settings)
    return app


def _add_pages(app: FastAPI) -> None:
    shell, known = (STATIC / "index.html").read_text(encoding="utf-8"), _static_files()

    @app.get("/static/plotly.js", include_in_schema=False)
    def plotly() -> Response:
        """The plotly script, from its Python package; only pages with charts load it."""
        path = str(files("plotly") / "package_data" / "plotly.min.js")
        return FileResponse(path, media_type="text/javascript", headers={"Cache-Control": "max-age=86400"})

    @app.get("/static/{name:path}", include_in_schema=False)
    def static(name: str) -> Response:
        """Our own scripts and styles."""
        if name not in known:
            raise NotHereError("no such file")
        path = STATIC / name
        return FileResponse(path, media_type=KINDS[path.suffix], headers={"Cache-Control": "no-cache"})

    @app.get("/favicon.ico", include_in_schema=False)
    def icon() -> Response:
        """The icon."""
        return FileResponse(STATIC / "icon.svg", media_type="image/svg+xml")

    @app.get("/{path:path}", include_in_schema=False)
    def page(path: str, request: Request) -> Response:  # noqa: ARG001
        """The HTML shell of every page; its content comes from /api."""
        if path == "api/docs" or path.split("/")[0] in PAGES:
            return HTMLResponse(shell)
        raise NotHereError("no such page")


def _static_files() -> set[str]:
    return {str(path.relative_to(STATIC)) for path in STATIC.rglob("*") if path.suffix in KINDS}
