"""Replay files of hand histories: how many hands finished, and what is wrong with the others."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from cardwin.core.display import printable
from cardwin.core.errors import InputError
from cardwin.games.formats.acpc import replay_log
from cardwin.games.formats.acpc_game import GameFile, read_game
from cardwin.games.formats.phh import replay_text
from cardwin.games.holdem.history import Replayed


def replay_files(files: Iterable[Path], game: Path | None = None) -> dict[str, Any]:
    """The answer of `cardwin replay`: PHH or PHHS files, or with a game file logs of the ACPC dealer."""
    table = None if game is None else read_table(game)
    hands = [(printable(str(file)), hand) for file in files for hand in replay_file(file, table)]
    failed = [
        {"file": file, "hand": hand.hand, "line": hand.line, "reason": hand.reason}
        for file, hand in hands
        if hand.final_stacks is None
    ]
    stacks = [hand.final_stacks and [_json_number(chips) for chips in hand.final_stacks] for _, hand in hands]
    return {"hands": len(hands), "ok": len(hands) - len(failed), "failed": failed, "final_stacks": stacks}


def read_table(file: Path) -> GameFile:
    """The game of an ACPC game file."""
    try:
        return read_game(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{file} is not a text file: a game file of the ACPC dealer is needed") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def replay_file(file: Path, table: GameFile | None = None) -> list[Replayed]:
    """The result of each hand of one file; a file that is not text counts as one failure."""
    if table is None and file.suffix == ".log":
        raise InputError(f"{file} is a dealer's log: --game FILE.game must say which game was dealt")
    content = file.read_bytes()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return [Replayed("", None, 1 + content.count(b"\n", 0, error.start), "this is not UTF-8 text")]
    return replay_text(text) if table is None else replay_log(text, table)


def _json_number(chips: float) -> float | str:
    """A number that JSON can hold; an unknown stack is the string inf."""
    return "inf" if chips == math.inf else chips
