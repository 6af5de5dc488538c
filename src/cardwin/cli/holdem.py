"""Commands about hold'em: matches, players and hand histories."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import print_json
from cardwin.errors import InputError

if TYPE_CHECKING:
    from cardwin.arena.live import LiveTable
    from cardwin.arena.match import OnHand
    from cardwin.games.holdem.events import Event

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
    phh: Annotated[
        Path | None, typer.Option("--phh", metavar="FILE.phhs", help="Write every hand to this file (not there yet).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play players against each other at one table, with fresh stacks every hand."""
    from cardwin.arena import match as arena
    from cardwin.games.holdem import holdem_game
    from cardwin.games.parameters import split_spec
    from cardwin.luck import fresh_seed
    from cardwin.stats.intervals import mean_interval

    seed = fresh_seed() if seed is None else seed
    start = time.perf_counter()
    table = holdem_game(*split_spec(game))
    with history_writer(phh, specs) as on_hand:
        record = arena.match(table, specs, hands, seed, workers, on_hand)
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


@contextmanager
def history_writer(path: Path | None, specs: Sequence[str]) -> "Iterator[OnHand | None]":
    """What writes every hand to a new PHHS file, or None where none is wanted."""
    if path is None:
        yield None
        return
    from cardwin.arena.histories import history_of
    from cardwin.games.holdem.phh import phh_text
    from cardwin.players.registry import expand_specs

    names = expand_specs(specs)
    with path.open("x", encoding="utf-8") as file:

        def write(hand: int, table: "LiveTable", record: "list[Event]") -> None:
            file.write(phh_text(history_of(table, record, names), hand + 1) + "\n")

        yield write


@app.command()
def replay(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Hand histories, .phh or .phhs.")],
    as_json: Json = False,
) -> None:
    """Replay hand histories and check every action against the rules."""
    from cardwin.games.holdem.phh import replay_text

    hands = [(str(file), hand) for file in files for hand in replay_text(read_text(file))]
    failed = [
        {"file": file, "hand": hand.hand, "line": hand.line, "reason": hand.reason}
        for file, hand in hands
        if hand.final_stacks is None
    ]
    if as_json:
        stacks = [hand.final_stacks for _, hand in hands]
        print_json({"hands": len(hands), "ok": len(hands) - len(failed), "failed": failed, "final_stacks": stacks})
        return
    for row in failed:
        print(f"{row['file']}, line {row['line']}, hand {row['hand']}: {row['reason']}")
    print(f"{len(hands)} hands, {len(hands) - len(failed)} replayed to their end, {len(failed)} failed")


def read_text(file: Path) -> str:
    """A text file's content."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{file} is no text file: a hand history in PHH is needed") from None


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
