"""Commands about hold'em: matches, players and hand histories."""

import time
from typing import Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import note, print_json

Specs = Annotated[list[str], typer.Argument(metavar="SPEC...", help="Players, one for each seat; random*3 is three.")]
GameSpec = Annotated[str, typer.Option("--game", metavar="GAME", help="holdem-nl, holdem-limit or holdem-simple.")]
Seed = Annotated[
    int | None, typer.Option("--seed", metavar="N", help="The run's luck; drawn and printed if not given.")
]
Workers = Annotated[int, typer.Option("--workers", metavar="N", help="Threads; the result does not depend on them.")]


@app.command()
def match(
    specs: Specs,
    game: GameSpec = "holdem-nl",
    hands: Annotated[int, typer.Option("--hands", metavar="N", help="How many hands.")] = 10_000,
    seed: Seed = None,
    workers: Workers = 1,
    as_json: Json = False,
) -> None:
    """Play players against each other at one table, with fresh stacks every hand."""
    from cardwin.arena import match as arena
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.luck import fresh_seed
    from cardwin.stats.intervals import mean_interval

    if seed is None:
        seed = fresh_seed()
        note(f"seed {seed}")
    start = time.perf_counter()
    table = holdem_game(*split_spec(game))
    record = arena.match(table, specs, hands, seed, workers)
    results = [mean_interval(record.chips[:, place], table.chips_per_unit) for place in range(len(record.specs))]
    if as_json:
        players = [
            {"spec": spec, "seat_hands": hands, "mean": result.mean, "ci95": result.ci95, "unit": table.unit}
            for spec, result in zip(record.specs, results, strict=True)
        ]
        seconds = round(time.perf_counter() - start, 3)
        print_json(
            {"game": table.name, "hands": hands, "seed": seed, "players": players, "tests": [],
             "digest": record.digest, "seconds": seconds}
        )  # fmt: skip
        return
    for spec, result in zip(record.specs, results, strict=True):
        print(f"{spec:<24}{result.mean:>12.1f} ± {result.ci95:.1f} {table.unit}")
    print(f"{hands} hands of {table.name}, seed {seed}, digest {record.digest}")


@app.command()
def players(as_json: Json = False) -> None:
    """List the players of hold'em."""
    from cardwin.players.registry import PLAYERS

    rows = [{"name": name, "title": entry.title, "parameters": entry.parameters} for name, entry in PLAYERS.items()]
    if as_json:
        print_json({"players": rows})
        return
    for name, entry in PLAYERS.items():
        print(f"{name:<16}{entry.title}")
    print(f"{'python:MOD:CLASS':<16}a class of your own, with act(view, luck)")
