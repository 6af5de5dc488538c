"""The commands `bench` (measure speed) and `warm` (compile everything now)."""

import os
import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

import cardwin
from cardwin.cli.app import Json, app
from cardwin.cli.output import Offer, console, note, print_json
from cardwin.core.errors import InputError


def times(ratio: float) -> str:
    """A ratio with one decimal, or with two digits where the peer is faster."""
    return f"{ratio:,.1f}" if ratio >= 1 else f"{ratio:.2g}"


def _runner() -> tuple[Callable[[], str], Callable[[Iterable[str], bool], Iterable[Any]]]:
    """Return the functions of the benchmarks, which are in the repository and not in the package."""
    folder = Path(cardwin.__file__).parents[2] / "benchmarks"
    if not (folder / "speed" / "runner.py").is_file():
        raise InputError(
            f"expected the benchmarks in {folder}, found none: clone the repository and call `cardwin bench` there"
        )
    sys.path.insert(0, str(folder))
    runner = import_module("speed.runner")
    return runner.machine, runner.measure


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="Benchmarks to run; default: all.")
    ] = None,
    peers: Annotated[bool, typer.Option("--peers", help="Also measure other libraries in the same run.")] = False,
    as_json: Json = False,
) -> None:
    """Measure speed, compared with other libraries where they are installed; in a checkout of the repository."""
    machine, measure = _runner()

    rows = []
    for result in measure(names or [], peers):
        rows.append(result)
        ratio = f", {times(result.ratio)} times {result.peer}" if result.ratio else ""
        note(f"{result.name}: {result.ours:,.4g} {result.unit}{ratio}")
    if as_json:
        keys = ("name", "ours", "unit", "peer", "peer_value", "ratio")
        print_json({"machine": machine(), "results": [{key: getattr(row, key) for key in keys} for row in rows]})
        return
    from rich.table import Table

    table = Table("measured", "ours", "unit", "peer", "peer's", "ratio", title=machine(), title_justify="left")
    for row in rows:
        peer_value = f"{row.peer_value:,.4g}" if row.peer_value else ""
        table.add_row(
            row.name, f"{row.ours:,.4g}", row.unit, row.peer or "", peer_value, times(row.ratio) if row.ratio else ""
        )
    console().print(table)


@app.command()
def warm(as_json: Json = False) -> None:
    """Compile everything now, part by part, so that later commands start at once."""
    from cardwin.runs.warm import PARTS
    from cardwin.runs.warm import warm as compile_all

    Offer.wanted = False
    note(f"compiling {len(PARTS)} parts, once for this version; they are cached on disk")
    done = []
    for one in compile_all(lambda part: note(f"{part} ..."), min(os.cpu_count() or 1, 2)):
        done.append({"part": one.part, "seconds": round(one.seconds, 1)})
        if not as_json:
            print(f"{one.part:<20}{one.seconds:6.1f} s")
    seconds = round(sum(one["seconds"] for one in done), 1)  # type: ignore[misc]  # numbers and names
    print_json({"parts": done, "seconds": seconds}) if as_json else print(f"{'all':<20}{seconds:6.1f} s")
