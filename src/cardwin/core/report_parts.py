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

    A sortable table is sorted by clicking a column's title. `ids` name the rows, for links to them.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    classes: Mapping[str, str] | None = None
    sortable: bool = False
    ids: Sequence[str] = ()


@dataclass(frozen=True)
class Picture:
    """A saved figure: its PNG (the SVG and the CSV stand beside it) and what it shows, in a sentence."""

    png: Path
    caption: str


@dataclass(frozen=True)
class Markup:
    """Raw HTML, for what the other parts cannot show; Markdown omits it."""

    html: str


@dataclass(frozen=True)
class Link:
    """A line with a note below it, that leads to a place of the same page."""

    text: str
    note: str
    target: str


@dataclass(frozen=True)
class Column:
    """A short list of links under a title, with a colour: `good`, `bad`, `odd`.

    `more` says what it leaves out, and leads to the part of the title `all_of_them`, if there is one.
    """

    title: str
    links: Sequence[Link]
    colour: str = ""
    more: str = ""
    all_of_them: str = ""


@dataclass(frozen=True)
class Columns:
    """Lists side by side; one below the other on a narrow screen."""

    columns: Sequence[Column]


@dataclass(frozen=True)
class Fold:
    """Parts that are hidden until their title is clicked; level 2 or 3, as of a heading."""

    title: str
    parts: Sequence["Part"]
    level: int = 2
    note: str = ""
    opened: bool = False


Part = Heading | Text | Grid | Picture | Markup | Columns | Fold
