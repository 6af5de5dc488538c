"""The table of all players: printed as it is kept, or measured."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cardwin.cli.app import Json, Workers, app
from cardwin.cli.output import note, print_json
from cardwin.core.errors import InputError


@app.command()
def yardsticks(
    specs: Annotated[
        list[str] | None, typer.Argument(metavar="SPEC...", help="Players; without any, everybody in the registry.")
    ] = None,
    measure: Annotated[bool, typer.Option("--measure", help="Measure them now, in place of what is kept.")] = False,
    hands: Annotated[
        int, typer.Option("--hands", metavar="N", help="With --measure: hands of each yardstick.")
    ] = 20_000,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="With --measure: its random numbers.")] = 1,
    exact: Annotated[
        bool, typer.Option("--exact/--no-exact", help="With --measure: exact values too, half a minute each.")
    ] = True,
    write: Annotated[
        Path | None, typer.Option("--write", metavar="FILE.json", help="With --measure: put the rows into this table.")
    ] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Show how good every player is: local best response, exact value, result against a blueprint."""
    from cardwin.analysis.yardsticks import players_table

    if write is not None and not measure:
        raise InputError("--write keeps what --measure finds: give both")
    if measure:
        table = _measured(specs, hands, seed, exact, write, workers)
    else:
        table = players_table.read()
        known = [row["player"] for row in table["players"]]
        for spec in specs or ():
            if spec not in known:
                raise InputError(f"{spec} is not in the kept table: cardwin yardsticks {spec} --measure measures it")
        if specs:
            table["players"] = [row for row in table["players"] if row["player"] in specs]
    if as_json:
        print_json(table)
        return
    rows = [players_table.HEADER, *map(players_table.cells, table["players"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(f"{cell:<{wide}}" for cell, wide in zip(row, widths, strict=True)).rstrip())
    print(
        f"in {table['unit']}, heads-up: what can be won from the player at least (95% at any stop), exactly, and "
        "what it wins against a blueprint; docs/explanation/how-good.md says what each tells"
    )


def _measured(
    specs: list[str] | None, hands: int, seed: int, exact: bool, write: Path | None, workers: int
) -> dict[str, Any]:
    """Measure players; the file is written after each, so that an interruption loses one."""
    import json

    from cardwin.analysis.yardsticks import players_table
    from cardwin.core.files import write_atomic

    if not 2 <= hands <= 10_000_000:
        raise InputError(f"{hands} hands: from 2 to 10,000,000 can be played")
    found: list[players_table.Row] = []
    table = players_table.read(write) if write is not None and write.exists() else None
    wanted = players_table.everybody() if specs is None or not specs else specs
    for row in players_table.measure(wanted, hands, seed, workers, note, exact):
        found.append(row)
        if write is not None:
            table = players_table.merged(table, [row])
            write_atomic(write, (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode())
    return players_table.merged(None, found)
