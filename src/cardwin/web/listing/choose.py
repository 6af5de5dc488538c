"""Runs of the list that a person asked for: filtered by words, state and tag, sorted, a page at a time."""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from cardwin.core.errors import unknown
from cardwin.web.listing.index import STATES

Row = dict[str, Any]


@dataclass(frozen=True)
class Wanted:
    """Which runs, in which order, and which part of them."""

    words: str = ""
    state: str = ""
    tag: str = ""
    sort: str = "changed"
    down: bool = True
    first: int = 0
    count: int | None = None


def name_of(row: Row) -> str:
    """The title, and what distinguishes the run from others of this title."""
    return " · ".join([row.get("title") or row["name"], *(f"{key} {value}" for key, value in row.get("apart", []))])


ORDERS: dict[str, Callable[[Row], Any]] = {
    "run": lambda row: name_of(row).lower(),
    "game": lambda row: row.get("game") or row.get("kind") or "",
    "state": lambda row: STATES.index(row["state"]),
    "progress": lambda row: row["generations"] / row["of"] if row.get("of") else None,
    "figure": lambda row: row.get("value"),
    "changed": lambda row: row.get("changed", 0.0),
}


def chosen(rows: Iterable[Row], wanted: Wanted) -> dict[str, Any]:
    """The wanted part of the runs, how many there are in all and of each state and tag, and how many match."""
    if wanted.sort not in ORDERS:
        raise unknown("column", wanted.sort[:40], ORDERS)
    everything = list(rows)
    found = [row for row in everything if _matches(row, wanted)]
    order = ORDERS[wanted.sort]
    known = sorted((row for row in found if order(row) is not None), key=order, reverse=wanted.down)
    found = known + [row for row in found if order(row) is None]
    last = None if wanted.count is None else wanted.first + wanted.count
    return {
        "runs": found[wanted.first : last],
        "total": len(everything),
        "matched": len(found),
        "states": Counter(row["state"] for row in everything),
        "tags": dict(sorted(Counter(tag for row in everything for tag in row.get("tags", [])).items())),
    }


def _matches(row: Row, wanted: Wanted) -> bool:
    if wanted.state and row["state"] != wanted.state:
        return False
    if wanted.tag and wanted.tag not in row.get("tags", []):
        return False
    words = wanted.words.lower().split()
    if not words:
        return True
    text = " ".join([name_of(row), row["name"], row.get("game") or "", row.get("kind") or "", *row.get("tags", [])])
    return all(word in text.lower() for word in words)
