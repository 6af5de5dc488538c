"""The register of a paper's claims: `claims.toml` in its folder, one row per claim.

A row has the place in the document, the claim in our own words and as narrow as the document made it, and its class.
If it needs a margin, that was committed before any run. `name` is the name of the samples that measure it; with * it
is a pattern for several of one kind. `experiment` measures it. `published`, `rule` and `margin` judge it: `rule` is a
function of papers/verdicts.py. `over` and `reason` are templates of the finding's texts (papers/sample.py). Rows of a
`family` are judged together, corrected for their number.

Only rows of the class `claim` are counted as claims. A self-check, an example of the document that our code must
reproduce, is counted apart. A question, a remark on the background and what cannot be read are listed and not judged.
`ours` is a measurement of our own, without a claim of the document. `anchors` are printed numbers and at most five
words that are close together at that place: `make shared-check` searches the documents for them, if they are there.
"""

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from importlib.resources import files
from typing import Any

FILE = "claims.toml"
CLASSES = ("claim", "self-check", "question", "background", "illegible", "ours")
FROM = ("print", "register")  # where a margin comes from
MAX_WORDS = 5


@dataclass(frozen=True)
class Claim:
    """One row.

    Attributes:
        rule: A function of papers/verdicts.py; empty if the row is not judged.
        value: The number that the rule compares with, if not the published or the exact value.
        every: The share of several settings that must have the verdict.
        margin_from: Where the margin comes from, one of `FROM`.
        unmeasured: Why no finding judges it.
        family: The name of claims that are judged together, by Holm's procedure.

    """

    name: str
    place: str
    claim: str = ""
    kind: str = "claim"
    experiment: str = ""
    published: float | str | None = None
    rule: str = ""
    value: float | None = None
    every: float | None = None
    over: str = ""
    exact: float | str | None = None
    reason: str = ""
    anchors: tuple[str, ...] = ()
    margin: float | None = None
    margin_from: str = ""
    unmeasured: str = ""
    family: str = ""

    def __post_init__(self) -> None:
        words = sum(not any(sign.isdigit() for sign in word) for text in self.anchors for word in text.split())
        if self.kind not in CLASSES or words > MAX_WORDS or (self.margin is None) != (not self.margin_from):
            raise ValueError(
                f"{self.name}: the class is one of {', '.join(CLASSES)}, anchors have at most {MAX_WORDS} words, and "
                f"a margin says where it is from ({' or '.join(FROM)})"
            )


@dataclass(frozen=True)
class Register:
    """All claims of a paper."""

    claims: tuple[Claim, ...]

    def of(self, name: str) -> Claim:
        """Return the row of a finding, by its name or by the only pattern that fits.

        Args:
            name: The finding's name.

        Returns:
            The row.

        Raises:
            KeyError: Unless exactly one row fits.

        """
        exact = [row for row in self.claims if row.name == name]
        fitting = exact or [row for row in self.claims if "*" in row.name and fnmatchcase(name, row.name)]
        if len(fitting) != 1:
            raise KeyError(f"expected 1 row of the register for {name!r}, got {len(fitting)}")
        return fitting[0]

    def names_like(self, pattern: str) -> list[str]:
        """Return the names of rows that fit a pattern, in the order of the file."""
        return [row.name for row in self.claims if fnmatchcase(row.name, pattern)]

    def margin(self, name: str) -> float:
        """Return the margin of a finding's row.

        Args:
            name: The finding's name.

        Returns:
            The margin.

        Raises:
            KeyError: If its row has none, or unless exactly one row fits.

        """
        margin = self.of(name).margin
        if margin is None:
            raise KeyError(f"the register has no margin for {name!r}")
        return margin


def paper_description(package: str) -> tuple[str, str, tuple[str, ...], dict[str, str]]:
    """Read what a paper's module has besides its experiments, from the tables `paper` and `headings` of its file.

    Args:
        package: The paper's package, such as cardwin.papers.chen.

    Returns:
        The title, what the paper is about, the names of the findings that matter, and the headings of its experiments:
        `TITLE, ABOUT, MATTERS, HEADINGS = paper_description(__package__)`.

    """
    data = tomllib.loads((files(package) / FILE).read_text(encoding="utf-8"))
    return data["paper"]["title"], data["paper"]["about"], tuple(data["paper"]["matters"]), data["headings"]


@cache
def register(package: str) -> Register:
    """Read the register of a paper.

    Args:
        package: The paper's package, such as cardwin.papers.chen.

    Returns:
        Its claims; empty if it has no `claims.toml`.

    """
    file = files(package) / FILE
    if not file.is_file():
        return Register(())
    rows: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8")).get("claim", [])
    return Register(tuple(_claim(row) for row in rows))


def _claim(row: dict[str, Any]) -> Claim:
    """Return a row of the file, in which the kind is called class."""
    values: dict[str, Any] = {**row, "kind": row.get("class", "claim"), "anchors": tuple(row.get("anchors", ()))}
    values.pop("class", None)
    return Claim(**values)
