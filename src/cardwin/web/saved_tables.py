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

from cardwin.arena.interactive.table import FinishedHand, InteractiveTable, known_cards

SCHEMA = 1
NAME = re.compile(r"[A-Za-z0-9_-]{4,40}")
MOST_READ = 1000  # last hands that are read of a table


def keep(
    home: Path, name: str, game: str, opened: float, table: InteractiveTable, tokens: Mapping[str, int], kept: int
) -> None:
    """Append the finished hands to a table's file, after those that it has already."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{name} is not a valid table name")
    path = home / f"{name}.jsonl"
    seats = {_hash(token): seat for token, seat in tokens.items()}
    lines = []
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        lines = [{"schema": SCHEMA, "id": name, "game": game, "players": table.names, "opened": opened, "seats": seats}]
    lines += [{owner: _hand(table, hand, seat) for owner, seat in seats.items()} for hand in table.hands[kept:]]
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


def kept_tables(home: Path) -> list[dict[str, Any]]:
    """Summaries of all saved tables, newest first."""
    found = [(path, _about(path)) for path in sorted(home.glob("*.jsonl"))] if home.is_dir() else []
    found_tables = [
        {**{key: about[key] for key in ("id", "game", "players", "opened")}, "open": False, "hands": _count(path)}
        for path, about in found
        if about is not None
    ]
    return sorted(found_tables, key=lambda one: -float(one["opened"]))


def kept_table(home: Path, name: str, token: str) -> dict[str, Any] | None:
    """The saved table as the person with a token may see it, or None."""
    path, owner = home / f"{name}.jsonl", _hash(token)
    about = _about(path) if NAME.fullmatch(name) and path.is_file() else None
    if about is None or owner not in about["seats"]:
        return None
    seat, hands = about["seats"][owner], []
    for line in path.read_text(encoding="utf-8").splitlines()[1:][-MOST_READ:]:
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
    """The first line of a table's file, or None if it is damaged or from another version."""
    try:
        with path.open(encoding="utf-8") as file:
            found = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("schema") == SCHEMA else None


def _count(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file) - 1
