"""Commands about hold'em: players and hand histories."""

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
            file.write(phh_text(history_of(table, record, [names[who] for who in table.who]), hand + 1) + "\n")

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
        print(f"{name:<18}{entry.title}")
    print(f"{'python:MOD:CLASS':<18}a class of your own, with act(view, luck)")
