"""Results that print as a short text, and as a small table in a notebook."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from html import escape
from typing import Any

MAX_ITEMS = 6
MAX_LETTERS = 60


def format_value(value: object) -> str:
    """Return a value as a short text: short fractions in full, long lists abbreviated."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Fraction):
        text = str(value)
        return text if len(text) <= 12 else f"{float(value):.6g}"
    if isinstance(value, dict):
        return _brief_dict(value)
    if isinstance(value, list | tuple) and any(isinstance(item, list | dict) for item in value):
        return f"[{len(value)} of them]"
    if isinstance(value, list | tuple):
        shown = ", ".join(map(format_value, value[:MAX_ITEMS]))
        return f"[{shown}]" if len(value) <= MAX_ITEMS else f"[{shown}, ... {len(value)} in all]"
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 3] + "..."


def _brief_dict(value: dict[Any, Any]) -> str:
    """Return an estimate as mean ± interval, any other dictionary as its names and values."""
    if {"mean", "ci95"} <= set(value):
        return f"{format_value(value['mean'])} ± {format_value(value['ci95'])}"
    text = ", ".join(f"{name} {format_value(entry)}" for name, entry in value.items())
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 3] + "..."


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Return a table for a notebook.

    Args:
        heads: the titles of the columns; without any there is no head.
        rows: the cells, row by row.
        caption: a caption above the table.

    """
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "<tr>" + "".join(f"<th>{escape(text)}</th>" for text in heads) + "</tr>" if heads else ""
    body = "".join("<tr>" + "".join(f"<td>{escape(format_value(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{above}{head}{body}</table>"


class BriefRepr:
    """A dataclass of results with a short repr of its fields. Declare the dataclass with repr=False."""

    __slots__ = ()

    def _shown(self) -> dict[str, Any]:
        """Return the fields that are shown, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.repr}  # type: ignore[arg-type]

    def __repr__(self) -> str:
        parts = (f"{name}={format_value(value)}" for name, value in self._shown().items())
        return f"{type(self).__name__}({', '.join(parts)})"

    def _repr_html_(self) -> str:
        return html_table((), [field for field in self._shown().items() if field[1] is not None], type(self).__name__)


class JsonResult(dict[str, Any]):
    """The JSON result of a command, as a dictionary with a short repr."""

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {format_value(value)}" for name, value in self.items()) + "}"

    def _repr_html_(self) -> str:
        """Return one table of the plain values, and one for each list of similar items."""
        lists = {name: value for name, value in self.items() if _alike(value)}
        tables = [
            html_table(list(value[0]), [list(row.values()) for row in value], name) for name, value in lists.items()
        ]
        plain = [
            (name, value)
            for name, value in self.items()
            if not (name in lists or name == "schema" or value in (None, []))
        ]
        return html_table((), plain) + "".join(tables)


def _alike(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def escape_unprintable(text: str) -> str:
    """Return a text with control and unprintable characters escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def number_duplicates(specs: Sequence[str]) -> list[str]:
    """Return distinct names for players: equal names get the number of their position."""
    counts = Counter(specs)
    return [f"{spec} #{position}" if counts[spec] > 1 else spec for position, spec in enumerate(specs, 1)]


def seed_text(seed: int | None) -> str:
    """Return where the cards of a result come from: secret cards, or a seed."""
    return "secret cards" if seed is None else f"seed {seed}"
