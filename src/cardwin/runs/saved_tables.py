"""Tables at which people played, kept so that they can be looked at after a restart: one file of lines a table.

The first line tells who sat there; each further one is a finished hand, as each person may know it. Persons are named
by the hash of their token, and nobody reads a table without one.
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
MOST_READ = 1000  # hands of a table, the last ones


def keep(home: Path, name: str, game: str, opened: float, table: InteractiveTable, tokens: Mapping[str, int]) -> None:
    """Add the hand that was finished last to a table's file."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{name} is no table's name")
    path, hand = home / f"{name}.jsonl", table.hands[-1]
    seats = {_hash(token): seat for token, seat in tokens.items()}
    lines = []
    if not path.exists():
        home.mkdir(parents=True, exist_ok=True)
        lines = [{"schema": SCHEMA, "id": name, "game": game, "players": table.names, "opened": opened,
                  "seats": seats}]  # fmt: skip
    lines.append({owner: _hand(table, hand, seat) for owner, seat in seats.items()})
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
    """All kept tables in a few words, the newest first."""
    found = [(path, _about(path)) for path in sorted(home.glob("*.jsonl"))] if home.is_dir() else []
    found_tables = [
        {**{key: about[key] for key in ("id", "game", "players", "opened")}, "open": False, "hands": _count(path)}
        for path, about in found
        if about is not None
    ]
    return sorted(found_tables, key=lambda one: -float(one["opened"]))


def kept_table(home: Path, name: str, token: str) -> dict[str, Any] | None:
    """What the person with a token may know of a kept table, or None."""
    path, owner = home / f"{name}.jsonl", _hash(token)
    about = _about(path) if NAME.fullmatch(name) and path.is_file() else None
    if about is None or owner not in about["seats"]:
        return None
    seat, hands = about["seats"][owner], []
    for line in path.read_text(encoding="utf-8").splitlines()[1:][-MOST_READ:]:
        try:
            hands.append(json.loads(line)[owner])
        except (ValueError, KeyError):
            continue  # the line that a kill cut off
    return {
        "type": "kept", "table": name, "game": about["game"], "players": about["players"], "seat": seat, "hands": hands,
        "chips": sum(hand["won"][seat] for hand in hands),
    }  # fmt: skip


def _about(path: Path) -> dict[str, Any] | None:
    """The first line of a table's file, or None where it is damaged or another version's."""
    try:
        with path.open(encoding="utf-8") as file:
            found = json.loads(file.readline())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("schema") == SCHEMA else None


def _count(path: Path) -> int:
    with path.open("rb") as file:
        return sum(1 for _ in file) - 1
