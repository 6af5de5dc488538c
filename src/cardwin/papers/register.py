"""The register of a paper's claims: `claims.toml` in its folder, one row per claim.

A row has the place in the document, the claim in our own words and as narrow as the document made it, its class, and if
it needs one its margin, committed before any run. `name` is that of the samples that measure it; with * it stands for
several of one kind. `experiment` measures it. `published`, `rule` and `margin` judge it: `rule` is a function of
papers/verdicts.py. `over` and `reason` are templates of the finding's texts (papers/sample.py). Rows of a `family` are
judged together, corrected for their number.

Only rows of the class `claim` are counted as claims. A self-check, an example of the document that our code must
reproduce, is counted apart. A question, a remark on the background and what cannot be read are listed and not judged.
`ours` is a measurement of our own, without a claim of the document. `anchors` are printed numbers and at most five
words that stand close together at that place: `make shared-check` looks for them where the documents are.
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
MOST_WORDS = 5


@dataclass(frozen=True)
class Claim:
    """One row."""

    name: str
    place: str
    claim: str = ""
    kind: str = "claim"
    experiment: str = ""
    published: float | str | None = None
    rule: str = ""  # a function of papers/verdicts.py
    value: float | None = None  # that the rule compares with, if not with the published or the exact value
    every: float | None = None  # the share of several settings that must have the verdict
    over: str = ""
    exact: float | str | None = None
    reason: str = ""
    anchors: tuple[str, ...] = ()
    margin: float | None = None
    margin_from: str = ""
    unmeasured: str = ""  # why no finding judges it
    family: str = ""  # claims that are judged together, by Holm's procedure

    def __post_init__(self) -> None:
        words = sum(not any(sign.isdigit() for sign in word) for text in self.anchors for word in text.split())
        if self.kind not in CLASSES or words > MOST_WORDS or (self.margin is None) != (not self.margin_from):
            raise ValueError(
                f"{self.name}: the class is one of {', '.join(CLASSES)}, anchors have at most {MOST_WORDS} words, and "
                f"a margin says where it is from ({' or '.join(FROM)})"
            )


@dataclass(frozen=True)
class Register:
    """All claims of a paper."""

    claims: tuple[Claim, ...]

    def of(self, name: str) -> Claim:
        """The row of a finding: by its name, or by the only pattern that fits."""
        exact = [one for one in self.claims if one.name == name]
        fitting = exact or [one for one in self.claims if "*" in one.name and fnmatchcase(name, one.name)]
        if len(fitting) != 1:
            raise KeyError(f"{len(fitting)} rows of the register fit {name!r}, should be 1")
        return fitting[0]

    def like(self, pattern: str) -> list[str]:
        """Return the names of rows that fit a pattern, in the order of the file."""
        return [one.name for one in self.claims if fnmatchcase(one.name, pattern)]

    def margin(self, name: str) -> float:
        """The margin of a finding's row."""
        margin = self.of(name).margin
        if margin is None:
            raise KeyError(f"the register has no margin for {name!r}")
        return margin


def described(package: str) -> tuple[str, str, tuple[str, ...], dict[str, str]]:
    """Return a paper's title, what it is about, the findings that matter, and the headings of its experiments.

    They are the tables `paper` and `headings` of its file: `TITLE, ABOUT, MATTERS, HEADINGS = described(__package__)`.
    """
    data = tomllib.loads((files(package) / FILE).read_text(encoding="utf-8"))
    return data["paper"]["title"], data["paper"]["about"], tuple(data["paper"]["matters"]), data["headings"]


@cache
def register(package: str) -> Register:
    """The register of a paper by its package, such as cardwin.papers.chen; empty if it has none."""
    file = files(package) / FILE
    if not file.is_file():
        return Register(())
    rows: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8")).get("claim", [])
    return Register(tuple(_claim(row) for row in rows))


def _claim(row: dict[str, Any]) -> Claim:
    """A row of the file, where the kind is called class."""
    values: dict[str, Any] = {**row, "kind": row.get("class", "claim"), "anchors": tuple(row.get("anchors", ()))}
    values.pop("class", None)
    return Claim(**values)
