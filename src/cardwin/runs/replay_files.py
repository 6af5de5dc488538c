"""Replay files of hand histories: how many hands finished, and what is wrong with the others.

The content of a file says what it is: hands of a poker room, a log of the ACPC dealer, or PHH and PHHS.
"""

import math
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from cardwin.core.display import escape_unprintable
from cardwin.core.errors import InputError
from cardwin.core.files import check_output, open_atomic
from cardwin.games.formats.acpc import replay_log, replayed_log
from cardwin.games.formats.acpc_game import GameFile, read_game
from cardwin.games.formats.phh import phh_text, replay_text, replayed_hands
from cardwin.games.formats.room_hand import replay_room, room_hands
from cardwin.games.formats.room_text import is_room_text
from cardwin.games.holdem.history import ReplayResult


def replay_files(files: Iterable[Path], game: Path | None = None, phh: Path | None = None) -> dict[str, Any]:
    """Replay all hands in some files.

    Args:
        files: The files.
        game: The game file for logs of the ACPC dealer; without it, the one that a log names, if it is beside the log.
        phh: A file for the hands that were replayed, as PHHS.

    Returns:
        The answer of `cardwin replay`.

    """
    table, files = None if game is None else read_table(game), list(files)
    texts = [_read(file) for file in files]
    hands = [
        (escape_unprintable(str(file)), hand)
        for file, text in zip(files, texts, strict=True)
        for hand in _replayed(file, text, table)
    ]
    failed = [
        {"file": file, "hand": hand.hand, "line": hand.line, "reason": hand.reason}
        for file, hand in hands
        if hand.final_stacks is None
    ]
    if phh is not None:
        _write(phh, files, texts, table)
    stacks = [hand.final_stacks and [_json_number(chips) for chips in hand.final_stacks] for _, hand in hands]
    counts = {"hands": len(hands), "read": sum(hand.read for _, hand in hands), "ok": len(hands) - len(failed)}
    return {**counts, "failed": failed, "final_stacks": stacks}


def read_table(file: Path) -> GameFile:
    """Return the game of an ACPC game file."""
    try:
        return read_game(file.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{file}: expected a game file of the ACPC dealer, got a file that is not text") from None
    except InputError as error:
        raise InputError(f"{file}: {error}") from None


def _read(file: Path) -> str | ReplayResult:
    """Return the text of a file; rooms also write in older encodings."""
    if file.exists() and not file.is_file():
        raise InputError(f"{file}: expected a file of hands, got a folder or a pipe")
    content = file.read_bytes()
    try:
        return content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        older = content.decode("cp1252", errors="replace")
        if is_room_text(older):
            return older
        return ReplayResult("", None, 1 + content.count(b"\n", 0, error.start), "this is not UTF-8 text", False)


def is_log(text: str) -> bool:
    """Return whether a text is a log of the ACPC dealer: a line begins with STATE."""
    return text.startswith("STATE:") or "\nSTATE:" in text


def _replayed(file: Path, text: str | ReplayResult, table: GameFile | None) -> list[ReplayResult]:
    if isinstance(text, ReplayResult):
        return [text]
    if is_room_text(text):
        return replay_room(text)
    if is_log(text):
        return replay_log(text, table or _named_table(file, text))
    return replay_text(text) if table is None or "variant" in text else replay_log(text, table)


def _named_table(file: Path, text: str) -> GameFile:
    """Return the game file that a log names in its first line, if it is beside the log."""
    named = re.match(r"# name/game/hands/seed \S+ (\S+)", text)
    beside = file.parent / Path(named[1]).name if named else None
    if beside is not None and beside.is_file():
        return read_table(beside)
    raise InputError(f"{file} is a dealer's log without its game: add --game FILE.game")


def _write(out: Path, files: list[Path], texts: list[str | ReplayResult], table: GameFile | None) -> None:
    """Write the hands that were replayed to the end, as PHHS."""
    check_output(out, "--phh")
    number = 0
    with open_atomic(out) as written:
        for file, text in zip(files, texts, strict=True):
            for part in _phh_hands(file, text, table) if isinstance(text, str) else ():
                number += 1
                written.write(f"[{number}]\n{part}\n".encode())


def _phh_hands(file: Path, text: str, table: GameFile | None) -> Iterator[str]:
    if is_room_text(text):
        for hand in room_hands(text):
            more = {"finishing_stacks": list(hand.finishing), **({"_rake": hand.rake} if hand.rake else {})}
            yield phh_text(hand.history, None, hand.scale, **more)
    elif is_log(text):
        for logged in replayed_log(text, table or _named_table(file, text)):
            yield phh_text(logged.history)
    else:
        for recorded in replayed_hands(text):
            yield phh_text(recorded.history, None, recorded.scale)


def _json_number(chips: float) -> float | str:
    """Return a number that JSON can hold; an unknown stack is the string inf."""
    return "inf" if chips == math.inf else chips
