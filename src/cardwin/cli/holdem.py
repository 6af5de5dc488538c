"""Commands about hold'em: players and hand histories."""

import math
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
    from cardwin.games.holdem.acpc_game import GameFile
    from cardwin.games.holdem.events import Event
    from cardwin.games.holdem.history import Replayed


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
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Hand histories, .phh or .phhs; a dealer's .log with --game."),
    ],
    game: Annotated[
        Path | None,
        typer.Option("--game", metavar="FILE.game", help="The files are logs of the ACPC dealer of this game."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 if any hand failed.")] = False,
    as_json: Json = False,
) -> None:
    """Replay hand histories, check every action against the rules and the final stacks against the file's."""
    table = None if game is None else _read_table(game)
    hands = [(_printable(str(file)), hand) for file in files for hand in _replay_file(file, table)]
    failed = [
        {"file": file, "hand": hand.hand, "line": hand.line, "reason": hand.reason}
        for file, hand in hands
        if hand.final_stacks is None
    ]
    if as_json:
        stacks = [hand.final_stacks and [_json_number(chips) for chips in hand.final_stacks] for _, hand in hands]
        print_json({"hands": len(hands), "ok": len(hands) - len(failed), "failed": failed, "final_stacks": stacks})
    else:
        for row in failed:
            print(_printable(f"{row['file']}, line {row['line']}, hand {row['hand']}: {row['reason']}"))
        print(f"{len(hands)} hands, {len(hands) - len(failed)} replayed to their end, {len(failed)} failed")
    if strict and failed:
        raise typer.Exit(1)


def _read_table(file: Path) -> "GameFile":
    from cardwin.games.holdem.acpc_game import read_game

    try:
        return read_game(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{file} is no text file: a game file of the ACPC dealer is needed") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _replay_file(file: Path, table: "GameFile | None") -> "list[Replayed]":
    """What became of the hands of one file; a file that is no text is one failure."""
    from cardwin.games.holdem.acpc import replay_log
    from cardwin.games.holdem.history import Replayed
    from cardwin.games.holdem.phh import replay_text

    if table is None and file.suffix == ".log":
        raise InputError(f"{file} is a dealer's log: --game FILE.game must say which game was dealt")
    content = file.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return [Replayed("", None, 1 + content.count(b"\n", 0, error.start), "this is no text in UTF-8")]
    return replay_text(text) if table is None else replay_log(text, table)


def _json_number(chips: float) -> float | str:
    """A number that JSON can hold; a stack that nobody wrote down is the text inf."""
    return "inf" if chips == math.inf else chips


def _printable(text: str) -> str:
    """A text with what a terminal would obey, or could not show, written out."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


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
