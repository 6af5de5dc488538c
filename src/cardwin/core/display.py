"""Results that print in a few words, and as a small table in a notebook."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from html import escape
from typing import Any

MAX_ITEMS = 6
MAX_LETTERS = 60


def format_value(value: object) -> str:
    """A value as a short text: short fractions in full, long lists abbreviated."""
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
    """An estimate as mean ± interval, any other dictionary as its names and values."""
    if {"mean", "ci95"} <= set(value):
        return f"{format_value(value['mean'])} ± {format_value(value['ci95'])}"
    text = ", ".join(f"{name} {format_value(one)}" for name, one in value.items())
    return text if len(text) <= MAX_LETTERS else text[: MAX_LETTERS - 3] + "..."


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """A table for a notebook."""
    above = f"<caption>{escape(caption)}</caption>" if caption else ""
    head = "<tr>" + "".join(f"<th>{escape(text)}</th>" for text in heads) + "</tr>" if heads else ""
    body = "".join("<tr>" + "".join(f"<td>{escape(format_value(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{above}{head}{body}</table>"


class BriefRepr:
    """A dataclass of results that shows its fields, each briefly. Declare the dataclass with repr=False."""

    __slots__ = ()

    def _shown(self) -> dict[str, Any]:
        """The fields that are shown, by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.repr}  # type: ignore[arg-type]

    def __repr__(self) -> str:
        parts = (f"{name}={format_value(value)}" for name, value in self._shown().items())
        return f"{type(self).__name__}({', '.join(parts)})"

    def _repr_html_(self) -> str:
        return html_table((), [one for one in self._shown().items() if one[1] is not None], type(self).__name__)


class JsonResult(dict[str, Any]):
    """The answer of a command with `--json`, as a dictionary with a short repr."""

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name!r}: {format_value(value)}" for name, value in self.items()) + "}"

    def _repr_html_(self) -> str:
        """One table of the plain values, and one for each list of similar items."""
        lists = {name: value for name, value in self.items() if _alike(value)}
        tables = [
            html_table(list(value[0]), [list(row.values()) for row in value], name) for name, value in lists.items()
        ]
        rest = [
            (name, value)
            for name, value in self.items()
            if not (name in lists or name == "schema" or value in (None, []))
        ]
        return html_table((), rest) + "".join(tables)


def _alike(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(row, dict) for row in value)


def escape_unprintable(text: str) -> str:
    """A text with control and unprintable characters escaped."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def number_duplicates(specs: Sequence[str]) -> list[str]:
    """Distinct names for players: equal names are numbered by position."""
    often = Counter(specs)
    return [f"{spec} #{place}" if often[spec] > 1 else spec for place, spec in enumerate(specs, 1)]


def seed_text(seed: int | None) -> str:
    """Where the cards of a result come from."""
    return "secret cards" if seed is None else f"seed {seed}"
