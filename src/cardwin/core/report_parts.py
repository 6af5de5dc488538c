"""The parts that a report is made of; `reports.html` writes them as HTML and Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Cell = str | float | None


@dataclass(frozen=True)
class Heading:
    """A section's title; level 2 or 3."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Grid:
    """A table. The classes colour the cells of one column by its words: `good`, `bad`, `odd`.

    A sortable table is sorted by clicking a column's title.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    classes: Mapping[str, str] | None = None
    sortable: bool = False


@dataclass(frozen=True)
class Picture:
    """A saved figure: its PNG (the SVG and the CSV stand beside it) and what it shows, in a sentence."""

    png: Path
    caption: str


@dataclass(frozen=True)
class Markup:
    """Raw HTML, for what the other parts cannot show; Markdown omits it."""

    html: str


Part = Heading | Text | Grid | Picture | Markup
