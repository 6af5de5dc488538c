"""Commands about the installation: the page's server, clusters, compilation and benchmarks."""

import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer import Argument, Option

import cardwin
from cardwin.cli.app import Json, app
from cardwin.cli.output import CompileMessages, column_table, console, note, print_json
from cardwin.core.errors import InputError


@app.command()
def serve(
    port: Annotated[int, Option(min=0, max=65535, help="Port; 0 takes any free one.")] = 8765,
    host: Annotated[
        str, Option(help="Address to listen on; beyond this machine a token is required and printed.")
    ] = "127.0.0.1",
    home: Annotated[Path, Option("--runs", metavar="DIR", help="The folder that holds the runs.")] = Path("runs"),
    seats: Annotated[
        list[str] | None,
        Option("--seat", metavar="SPEC", help="A program that tables of the page may seat; may be repeated."),
    ] = None,
    at_once: Annotated[
        int | None, Option(min=1, max=100, help="Runs at the same time; default: one per core; others wait.")
    ] = None,
    open_browser: Annotated[bool, Option("--open/--no-open", help="Open the page in the browser.")] = True,
    as_json: Json = False,
) -> None:
    """Start the web page: watch runs, inspect players, play against them."""
    from cardwin.players.registry import makers_of
    from cardwin.players.specs import Untrusted, is_program
    from cardwin.web.server import serve as run
    from cardwin.web.settings import AT_ONCE, ServerSettings

    def listening(url: str) -> None:
        print_json({"url": url}) if as_json else print(f"the page is at {url}")
        sys.stdout.flush()
        note("Ctrl+C stops the server; runs that it started continue")

    if home.exists() and not home.is_dir():
        raise InputError(f"expected a folder for --runs, got the file {home}")
    for spec in seats or []:
        if not is_program(spec):
            raise InputError(f"invalid --seat {spec}: expected another person's program, such as pokerbots:FOLDER")
    if seats:
        makers_of(seats, Untrusted(None))  # an error if a program does not start
    settings = ServerSettings(home.absolute(), host, port, at_once=at_once or AT_ONCE, seats=tuple(seats or ()))
    run(settings, listening, open_browser)


cluster_app = typer.Typer(help="Show a Ray cluster.", no_args_is_help=True)
app.add_typer(cluster_app, name="cluster")


@cluster_app.command()
def status(
    address: Annotated[
        str, Argument(metavar="[auto|HOST:PORT]", help="The cluster; auto is the one of this machine.")
    ] = "auto",
    as_json: Json = False,
) -> None:
    """List the nodes of a cluster: cores, versions, and whether each is ready for jobs."""
    from cardwin.core.cluster import open_cluster

    with open_cluster(address, check=False) as cluster:
        answer = cluster.answer()
    if as_json:
        print_json(answer)
        return
    for node in answer["nodes"]:
        state = "ready" if node["ready"] else f"not ready: {node['problem'] or 'no answer'}"
        print(f"{node['name']}  {node['cores']} cores  Cardwin {node['version'] or 'unknown'}  {state}")
    print(f"{len(answer['nodes'])} nodes, {answer['cores']} cores")


@app.command()
def warm(as_json: Json = False) -> None:
    """Compile everything now, part by part, so that later commands start at once."""
    from cardwin.runs.warm import PARTS
    from cardwin.runs.warm import warm as compile_all

    CompileMessages.hint = False
    note(f"compiling {len(PARTS)} parts, once per version; the result is cached on disk")
    parts: list[dict[str, Any]] = []
    for timed in compile_all(lambda part: note(f"{part} ..."), min(os.cpu_count() or 1, 2)):
        parts.append({"part": timed.part, "seconds": round(timed.seconds, 1)})
        if not as_json:
            print(f"{timed.part:<20}{timed.seconds:6.1f} s")
    seconds = round(sum(part["seconds"] for part in parts), 1)
    print_json({"parts": parts, "seconds": seconds}) if as_json else print(f"{'all':<20}{seconds:6.1f} s")


@app.command()
def sandbox(as_json: Json = False) -> None:
    """Show which protections hold on this machine around other people's programs, and the rules for time and forfeits.

    Each is tried: a process is started behind all of them. Exit code 1: one that a match needs is absent.
    """
    from cardwin.players.base import FORFEIT_RULE, LATE_RULE
    from cardwin.players.sandbox.walls import STANDS, WALLS, missing_walls, standing_walls

    states = standing_walls()
    missing = missing_walls(states)
    if as_json:
        walls = [
            {"name": wall.name, "state": states[wall.name], "prevents": wall.prevents, "needed": wall.needed}
            for wall in WALLS
        ]
        rules = {"late": LATE_RULE, "forfeit": FORFEIT_RULE}
        print_json({"complete": not missing, "missing": missing, "walls": walls, "rules": rules})
    else:
        for wall in WALLS:
            state = "yes" if states[wall.name] == STANDS else "no"
            print(f"{wall.name:<18}{state:<5}{'needed  ' if wall.needed else '        '}{wall.prevents}")
            if states[wall.name] != STANDS:
                print(f"{'':<31}{states[wall.name]}")
        print(f"rules: {LATE_RULE}; {FORFEIT_RULE}")
        print(f"not complete: {', '.join(missing)} absent" if missing else "complete: untrusted players may sit here")
    if missing:
        raise typer.Exit(1)


def _ratio_text(ratio: float) -> str:
    """Return a ratio with one decimal, or with two digits if the peer is faster."""
    return f"{ratio:,.1f}" if ratio >= 1 else f"{ratio:.2g}"


def _benchmark_functions() -> tuple[Callable[[], str], Callable[[Iterable[str], bool], Iterable[Any]]]:
    """Return the functions of the benchmarks, which are in the repository and not in the package."""
    folder = Path(cardwin.__file__).parents[2] / "benchmarks"
    if not (folder / "speed" / "runner.py").is_file():
        raise InputError(
            f"expected the benchmarks in {folder}, got no such folder: clone the repository and call `cardwin bench` "
            "there"
        )
    sys.path.insert(0, str(folder))
    runner = import_module("speed.runner")
    return runner.machine, runner.measure


@app.command()
def bench(
    names: Annotated[list[str] | None, Argument(metavar="[NAME]...", help="Benchmarks to run; default: all.")] = None,
    peers: Annotated[bool, Option("--peers", help="Also measure other libraries in the same run.")] = False,
    as_json: Json = False,
) -> None:
    """Measure speed, compared with other libraries if they are installed; in a checkout of the repository."""
    machine, measure = _benchmark_functions()
    rows = []
    for row in measure(names or [], peers):
        rows.append(row)
        ratio = f", {_ratio_text(row.ratio)} times {row.peer}" if row.ratio else ""
        note(f"{row.name}: {row.ours:,.4g} {row.unit}{ratio}")
    if as_json:
        keys = ("name", "ours", "unit", "peer", "peer_value", "ratio")
        print_json({"machine": machine(), "results": [{key: getattr(row, key) for key in keys} for row in rows]})
        return
    table = column_table(machine(), dict.fromkeys(("measured", "ours", "unit", "peer", "peer's", "ratio"), "left"))
    for row in rows:
        peer_value = f"{row.peer_value:,.4g}" if row.peer_value else ""
        ratio = _ratio_text(row.ratio) if row.ratio else ""
        table.add_row(row.name, f"{row.ours:,.4g}", row.unit, row.peer or "", peer_value, ratio)
    console().print(table)
