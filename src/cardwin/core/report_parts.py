"""The parts of a report. `reports.html` writes them as HTML and Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Cell = str | float | None


@dataclass(frozen=True)
class Heading:
    """A section title of level 2 or 3."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str


@dataclass(frozen=True)
class Grid:
    """A table. The classes colour the cells of one column by its words: `good`, `bad`, `odd`.

    A click on a column's title sorts a sortable table. `ids` name the rows, for links to them.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    classes: Mapping[str, str] | None = None
    sortable: bool = False
    ids: Sequence[str] = ()


@dataclass(frozen=True)
class Picture:
    """A saved figure: its PNG, with the SVG and the CSV in the same folder, and a caption of one sentence."""

    png: Path
    caption: str


@dataclass(frozen=True)
class Markup:
    """Raw HTML for what the other parts cannot express; Markdown omits it."""

    html: str


@dataclass(frozen=True)
class Link:
    """A line with a note below it that links to another part of the same page."""

    text: str
    note: str
    target: str


@dataclass(frozen=True)
class Column:
    """A short list of links under a title, with a colour: `good`, `bad`, `odd`.

    `more` says how many links are left out. It links to the part with the title `more_target`, if there is one.
    """

    title: str
    links: Sequence[Link]
    colour: str = ""
    more: str = ""
    more_target: str = ""


@dataclass(frozen=True)
class Columns:
    """Lists side by side, or one below the other on a narrow screen."""

    columns: Sequence[Column]


@dataclass(frozen=True)
class Fold:
    """Parts that are hidden until their title is clicked. The level is 2 or 3, as of a heading."""

    title: str
    parts: Sequence["Part"]
    level: int = 2
    note: str = ""
    opened: bool = False


Part = Heading | Text | Grid | Picture | Markup | Columns | Fold
