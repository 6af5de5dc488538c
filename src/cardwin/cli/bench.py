"""The command that measures."""

from typing import Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import console, note, print_json


@app.command()
def bench(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="[NAME]...", help="What to measure; all by default.")
    ] = None,
    peers: Annotated[bool, typer.Option("--peers", help="Measure the peers too, in the same run.")] = False,
    as_json: Json = False,
) -> None:
    """Measure our speed, beside our peers' where they are installed."""
    from cardwin.lab.bench.runner import machine, measure

    rows = []
    for result in measure(names or [], peers):
        rows.append(result)
        ratio = f", {result.ratio:,.1f} times {result.peer}" if result.ratio else ""
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
            row.name, f"{row.ours:,.4g}", row.unit, row.peer or "", peer_value, f"{row.ratio:,.1f}" if row.ratio else ""
        )
    console().print(table)
