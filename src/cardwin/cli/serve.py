"""The command that starts the web page."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import note, print_json
from cardwin.core.errors import InputError


@app.command()
def serve(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port; 0 takes any free one.")] = 8765,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; beyond this machine a token is required and printed.")
    ] = "127.0.0.1",
    home: Annotated[Path, typer.Option("--runs", metavar="DIR", help="The folder that holds the runs.")] = Path("runs"),
    seats: Annotated[
        list[str] | None,
        typer.Option("--seat", metavar="SPEC", help="A program that tables of the page may seat; may be repeated."),
    ] = None,
    at_once: Annotated[
        int | None,
        typer.Option("--at-once", min=1, max=100, help="Runs at the same time, by default one a core; others wait."),
    ] = None,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Open the page in the browser.")] = True,
    as_json: Json = False,
) -> None:
    """Start the web page: watch runs, inspect players, play against them."""
    from cardwin.web.server import serve as run
    from cardwin.web.settings import AT_ONCE, ServerSettings

    if home.exists() and not home.is_dir():
        raise InputError(f"--runs {home} is not a folder")

    def listening(url: str) -> None:
        print_json({"url": url}) if as_json else print(f"the page is at {url}")
        sys.stdout.flush()
        note("Ctrl+C stops the server; runs that it started continue")

    _check_seats(seats or [])
    settings = ServerSettings(home.absolute(), host, port, at_once=at_once or AT_ONCE, seats=tuple(seats or ()))
    run(settings, listening, open_browser)


def _check_seats(specs: list[str]) -> None:
    """Refuse what is no program, or does not start."""
    from cardwin.players.builders import makers_of
    from cardwin.players.specs import Untrusted, is_program

    for spec in specs:
        if not is_program(spec):
            raise InputError(f"--seat {spec} is no program of other people, such as pokerbots:FOLDER")
    if specs:
        makers_of(specs, Untrusted(None))
