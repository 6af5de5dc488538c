"""Yardsticks of hold'em players: the table of all players, and the output of `cardwin exploitability`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from cardwin.cli.app import Json, Workers, app, seed_option
from cardwin.cli.output import note, print_detail, print_json, progress_bar
from cardwin.core.errors import InputError, unknown_name

if TYPE_CHECKING:
    from cardwin.analysis.holdem_exploitability import ResponseSettings
    from cardwin.analysis.local_best_response import LocalBestResponse
    from cardwin.games.holdem.game import HoldemGame
    from cardwin.solvers.blind_response import BlindResponse

MAX_SITUATIONS = 10  # printed
MAX_HANDS = 10_000_000


@app.command()
def yardsticks(
    specs: Annotated[
        list[str] | None, Argument(metavar="SPEC...", help="Players; default: every registered player.")
    ] = None,
    measure: Annotated[
        bool, Option("--measure", help="Measure them now, instead of reading the stored results.")
    ] = False,
    hands: Annotated[int, Option(metavar="N", help="With --measure: hands of each yardstick.")] = 20_000,
    seed: Annotated[int, seed_option("With --measure: its random numbers.")] = 1,
    exact: Annotated[
        bool, Option("--exact/--no-exact", help="With --measure: exact values too, half a minute each.")
    ] = True,
    write: Annotated[
        Path | None, Option(metavar="FILE.json", help="With --measure: put the rows into this table.")
    ] = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Show how good every player is: local best response, exact value, result against a blueprint."""
    from cardwin.analysis import players_table

    if write is not None and not measure:
        raise InputError("expected --measure with --write, which stores measured rows")
    if measure:
        table = _measure(specs, hands, seed, exact, write, workers)
    else:
        table = players_table.read()
        known = [row["player"] for row in table["players"]]
        for spec in specs or ():
            if spec not in known:
                raise InputError(f"no stored result for {spec}: cardwin yardsticks {spec} --measure measures it")
        if specs:
            table["players"] = [row for row in table["players"] if row["player"] in specs]
    if as_json:
        print_json(table)
        return
    rows = [players_table.HEADER, *map(players_table.cells, table["players"])]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        print("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
    print(
        f"in {table['unit']}, heads-up: a lower bound on the player's exploitability (95%), its exact value, and the "
        "player's result against a blueprint; see docs/explanation/how-good.md"
    )


def _measure(
    specs: list[str] | None, hands: int, seed: int, exact: bool, write: Path | None, workers: int
) -> dict[str, Any]:
    """Measure players; the file is written after each, so that an interruption loses one."""
    import json

    from cardwin.analysis import players_table
    from cardwin.core.files import write_atomic

    if not 2 <= hands <= MAX_HANDS:
        raise InputError(f"expected 2 to {MAX_HANDS:,} --hands, got {hands}")
    rows: list[players_table.Row] = []
    table = players_table.read(write) if write is not None and write.exists() else None
    for row in players_table.measure(specs or players_table.everybody(), hands, seed, workers, note, exact):
        rows.append(row)
        if write is not None:
            table = players_table.merged(table, [row])
            write_atomic(write, (json.dumps(table, indent=1, ensure_ascii=False) + "\n").encode())
    return players_table.merged(None, rows)


def response_settings(hands: int, seed: int | None, bets: str, street: str, method: str | None) -> "ResponseSettings":
    """Return the settings of a local best response that the command line gives."""
    from cardwin.analysis.holdem_exploitability import ResponseSettings
    from cardwin.analysis.local_best_response import ALL_IN
    from cardwin.games.holdem.events import STREET_NAMES

    if street not in STREET_NAMES:
        raise unknown_name("street", street, STREET_NAMES)
    try:
        sizes = tuple(ALL_IN if part.strip() == "all-in" else float(part) for part in bets.split(","))
    except ValueError:
        raise InputError(
            f"invalid --bets {bets!r}: expected shares of the pot or all-in, such as 0.5,1,all-in"
        ) from None
    return ResponseSettings(hands, seed, sizes, STREET_NAMES.index(street), method)


def print_exploitability(
    game: "HoldemGame", spec: str, seat: int | None, workers: int, settings: "ResponseSettings", as_json: bool
) -> None:
    """Print a hold'em player's exploitability: the exact value, or a lower bound by a local best response."""
    from cardwin.analysis.holdem_exploitability import exploitability
    from cardwin.solvers.blind_response import BlindResponse

    with progress_bar(settings.hands, "hands", hidden=as_json) as progress:
        result = exploitability(game, spec, seat, workers, settings, progress)
    if isinstance(result, BlindResponse):
        _print_exact(spec, result, as_json)
    else:
        _print_lower_bound(spec, result, as_json)


def _print_exact(spec: str, result: "BlindResponse", as_json: bool) -> None:
    """Print what a perfect opponent wins from a player that does not use its cards."""
    if as_json:
        names = ("exploitability", "unit", "seats", "seconds")
        print_json({"method": "exact", "at_least": False, **{name: getattr(result, name) for name in names}})
        return
    print(f"{spec} in {result.game}: exploitability {result.exploitability:,.2f} {result.unit}, exact")
    button, other = result.seats
    print(f"a perfect opponent wins {button:.6g} chips per hand on the button, {other:.6g} in the big blind")
    print_detail(f"{result.seconds:.2g} s")


def _print_lower_bound(spec: str, result: "LocalBestResponse", as_json: bool) -> None:
    """Print what a local best response won, and in which situations."""
    from cardwin.results.answers import finite

    won = result.won
    if as_json:
        print_json(
            {
                "method": "lbr",
                "at_least": True,
                "exploitability": won.mean,
                "ci95": finite(won.ci95),
                "low": won.low,
                "high": won.high,
                "unit": result.unit,
                "hands": result.hands,
                "seed": result.seed,
                "exact_chances": result.exact,
                "frozen": result.frozen,
                "situations": [vars(situation) for situation in result.situations],
            }
        )
        return
    digits = 1 if result.unit == "mbb/h" else 3
    interval = f"95% interval {won.low:,.{digits}f} to {won.high:,.{digits}f}"
    print(f"{spec} in {result.game}: exploitability at least {won.mean:,.{digits}f} {result.unit} ({interval})")
    print(f"Situations in which it loses most, in {result.unit} over all hands ([ours] is the best response):")
    for row in result.situations[:MAX_SITUATIONS]:
        line = row.line or "it made no decision"
        print(f"{row.loss:>12,.{digits}f} ± {row.ci95:,.{digits}f}  {row.street}, {row.hands} hands: {line}")
    if rest := result.situations[MAX_SITUATIONS:]:
        print(f"{sum(row.loss for row in rest):>12,.{digits}f}  in {len(rest)} other situations")
    if not result.exact:
        print_detail("its actions with other holdings were sampled: a better model of it could win more")
    if result.frozen:
        print("The player adapts to its opponents; here every hand was the first of a match.")
    print("This is a lower bound by a local best response: a low number proves nothing.")
    print(f"{result.hands} hands, seed {result.seed}")
