"""Saved interactive tables, so that they can be viewed after a restart: a JSON-lines file for each table.

The first line describes the table; each further line is a finished hand, as each person may see it. Persons are
identified by the hash of their token, and a table can be read only with a token.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardwin.arena.interactive_table import FinishedHand, InteractiveTable, known_cards

SCHEMA = 1
NAME = re.compile(r"[A-Za-z0-9_-]{4,40}")
MAX_HANDS = 1000  # last hands that are read of a table


def save_hands(
    home: Path, name: str, game: str, opened: float, table: InteractiveTable, tokens: Mapping[str, int], saved: int
) -> None:
    """Append the finished hands to a table's file, after those that it has already.

    Args:
        home: The folder of saved tables.
        name: The table's name.
        game: The game's specification.
        opened: The time at which the table was opened.
        table: The table with its finished hands.
        tokens: The seat of each person's token.
        saved: The number of hands that the file has already.

    """
    if not NAME.fullmatch(name):
        raise ValueError(f"invalid table name {name}")
    path = home / f"{name}.jsonl"
    seats = {_hash(token): seat for token, seat in tokens.items()}
    lines = []
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        lines = [{"schema": SCHEMA, "id": name, "game": game, "players": table.names, "opened": opened, "seats": seats}]
    lines += [{owner: _hand(table, hand, seat) for owner, seat in seats.items()} for hand in table.hands[saved:]]
    with path.open("a", encoding="utf-8") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))


def _hand(table: InteractiveTable, hand: FinishedHand, seat: int) -> dict[str, Any]:
    return {
        "number": hand.number,
        "events": list(hand.events),
        "won": list(hand.won),
        "expected": list(hand.expected),
        "cards": known_cards(table, hand, seat),
        "phh": None if hand.phh is None else hand.phh(seat),
    }


def _hash(token: str) -> str:
    return hashlib.blake2b(token.encode(), digest_size=16).hexdigest()


def saved_tables(home: Path) -> list[dict[str, Any]]:
    """Return summaries of all saved tables, newest first."""
    files = sorted(home.glob("*.jsonl")) if home.is_dir() else []
    tables = [
        {**{key: about[key] for key in ("id", "game", "players", "opened")}, "open": False, "hands": _count(path)}
        for path in files
        if (about := _about(path)) is not None
    ]
    return sorted(tables, key=lambda table: -float(table["opened"]))


def saved_table(home: Path, name: str, token: str) -> dict[str, Any] | None:
    """Return the saved table as the person with a token may see it, or None."""
    path, owner = home / f"{name}.jsonl", _hash(token)
    about = _about(path) if NAME.fullmatch(name) and path.is_file() else None
    if about is None or owner not in about["seats"]:
        return None
    seat, hands = about["seats"][owner], []
    for line in path.read_text(encoding="utf-8").splitlines()[1:][-MAX_HANDS:]:
        try:
            hands.append(json.loads(line)[owner])
        except (ValueError, KeyError):
            continue  # a line truncated when the process was killed
    return {
        "type": "kept",
        "table": name,
        "game": about["game"],
        "players": about["players"],
        "seat": seat,
        "hands": hands,
        "chips": sum(hand["won"][seat] for hand in hands),
    }


def _about(path: Path) -> dict[str, Any] | None:
    """Return the first line of a table's file, or None if it is damaged or from another version."""
    try:
        with path.open(encoding="utf-8") as file:
            about = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    return about if isinstance(about, dict) and about.get("schema") == SCHEMA else None


def _count(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file) - 1
