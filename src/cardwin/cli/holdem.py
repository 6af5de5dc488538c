"""Commands for hold'em: players and hand histories."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cardwin.cli.app import Json, app
from cardwin.cli.output import print_json

if TYPE_CHECKING:
    from cardwin.arena.live_table import LiveTable
    from cardwin.arena.match import OnHand
    from cardwin.games.holdem.events import Event


@contextmanager
def history_writer(path: Path | None, specs: Sequence[str]) -> "Iterator[OnHand | None]":
    """A function that writes every hand to a new PHHS file, or None without a path."""
    if path is None:
        yield None
        return
    from cardwin.arena.hand_history import played_history
    from cardwin.core.files import check_output, whole
    from cardwin.games.formats.phh import phh_text
    from cardwin.players.registry import expand_specs

    check_output(path, "--phh")
    names = expand_specs(specs)
    with whole(path) as file:

        def write(hand: int, table: "LiveTable", record: "list[Event]") -> None:
            text = phh_text(played_history(table, record, [names[who] for who in table.who]), hand + 1)
            file.write(f"{text}\n".encode())

        yield write


@app.command()
def replay(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...", help="Hand histories: PHH, PHHS, texts of poker rooms, or logs of the ACPC dealer."
        ),
    ],
    game: Annotated[
        Path | None,
        typer.Option("--game", metavar="FILE.game", help="The game of the ACPC dealer's logs."),
    ] = None,
    phh: Annotated[
        Path | None, typer.Option("--phh", metavar="FILE.phhs", help="Also write the replayed hands as PHHS.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with code 1 if any hand failed.")] = False,
    as_json: Json = False,
) -> None:
    """Replay hand histories: check every action by the rules, and the final stacks against the file."""
    from cardwin.core.display import printable
    from cardwin.runs.replay_files import replay_files

    answer = replay_files(files, game, phh)
    if as_json:
        print_json(answer)
    else:
        for row in answer["failed"]:
            print(printable(f"{row['file']}, line {row['line']}, hand {row['hand']}: {row['reason']}"))
        print(f"{answer['hands']} hands, {answer['ok']} replayed to the end, {len(answer['failed'])} failed")
    if strict and answer["failed"]:
        raise typer.Exit(1)


@app.command()
def players(as_json: Json = False) -> None:
    """List the hold'em players."""
    from cardwin.players.adapters.specs import KINDS
    from cardwin.players.registry import PLAYERS, installed

    rows = [{"name": name, "title": entry.title, "parameters": entry.parameters} for name, entry in PLAYERS.items()]
    rows += [{"name": name, "title": f"from {point.value}", "parameters": ()} for name, point in installed().items()]
    if as_json:
        print_json({"players": rows})
        return
    for row in rows:
        print(f"{row['name']:<18}{row['title']}")
    print(f"{'python:MOD:CLASS':<18}your own class, with act(view, rng)")
    for kind in KINDS.values():
        print(f"{kind.form}  {kind.title}")
