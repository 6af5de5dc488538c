"""Check that the anchors of every claim stand close together in its document, where the documents are.

    python tools/check_anchors.py [../shared]

An anchor is a printed number or some words of a row of `claims.toml`. A row is found if all its anchors lie within
`CLOSE` characters, in any order. Spaces, line breaks, hyphenation, emphasis, capitals, decimal comma or point and a
leading zero make no difference. The exit code is 1 if a row is not found.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from cardwin.papers import PAPERS
from cardwin.papers.register import Claim, register

CLOSE = 1_500  # characters
SHARED = Path(__file__).resolve().parents[2] / "shared"
DOCUMENTS = {"lopez-pozuelo": "000_*", "morsomme": "001_*", "nicolai": "002_*", "reveley": "003_*", "chen": "004_*"}
REPLACED = (
    (r"[\u2018\u2019`]", "'"),
    (r"[\u2010-\u2015\u2212]", "-"),
    (r"[\u00ad*\\]", ""),  # soft hyphens, emphasis
    (r"(?<=\w)-\s*\n\s*(?=\w)", ""),  # hyphenation
    (r"(?<=\d),(?=\d)", "."),
    (r"(?<![\d.])0\.(?=\d)", "."),
    (r"\s+", " "),
)


def normalised(text: str) -> str:
    """Return the text in the form that is compared."""
    for pattern, new in REPLACED:
        text = re.sub(pattern, new, text)
    return text.strip().casefold()


def places(anchor: str, document: str) -> list[tuple[int, int]]:
    """Return where an anchor stands in a normalised document; a number is not part of a longer one, nor a word."""
    wanted = normalised(anchor)
    before = r"(?<![\w.])" if wanted[0].isdigit() or wanted[0] == "." else r"(?<!\w)" if wanted[0].isalpha() else ""
    after = r"(?!\.?\d)" if wanted[-1].isdigit() else r"(?!\w)" if wanted[-1].isalpha() else ""
    return [found.span() for found in re.finditer(before + re.escape(wanted) + after, document)]


def narrowest(anchors: Sequence[str], document: str) -> int | None:
    """Return the length of the shortest passage that has all anchors; None if one is missing."""
    found = [places(anchor, document) for anchor in anchors]
    if not all(found):
        return None
    marks = sorted((start, end, which) for which, spans in enumerate(found) for start, end in spans)
    last: dict[int, tuple[int, int]] = {}
    lengths = []
    for start, end, which in marks:
        last[which] = (start, end)
        if len(last) == len(anchors):
            lengths.append(max(end for _, end in last.values()) - min(start for start, _ in last.values()))
    return min(lengths)


def problem(row: Claim, document: str) -> str | None:
    """Return what is wrong with a row's anchors, or None."""
    length = narrowest(row.anchors, document)
    if length is None:
        missing = [anchor for anchor in row.anchors if not places(anchor, document)]
        return f"not in the document: {', '.join(map(repr, missing))}"
    return f"{length:,} characters apart, at most {CLOSE:,}" if length > CLOSE else None


def problems(rows: Sequence[Claim], document: str) -> Iterator[str]:
    """Yield a line for every row without a match; the document is normalised."""
    for row in rows:
        if row.anchors and (wrong := problem(row, document)):
            yield f"{row.place}, {row.name}: {wrong}"


def check(shared: Path) -> int:
    """Report all papers; the number of rows that were not found."""
    wrong = 0
    for name, package in PAPERS.items():
        rows = register(package).claims
        files = sorted((shared / "seeds").glob(DOCUMENTS[name])) if name in DOCUMENTS else []
        if not rows or not files:
            print(f"{name}: {'no document' if rows else 'no register'}")
            continue
        found = list(problems(rows, normalised(files[0].read_text(encoding="utf-8"))))
        anchored = sum(bool(row.anchors) for row in rows)
        without = f", {len(rows) - anchored} without anchors" if anchored < len(rows) else ""
        print(f"{name}: anchors of {anchored - len(found)} of {anchored} rows found{without}")
        print(*(f"  {line}" for line in found), sep="\n", end="\n" if found else "")
        wrong += len(found)
    return wrong


def main(arguments: Sequence[str]) -> int:
    """Check the anchors of all papers, and return the exit code."""
    shared = Path(arguments[0]) if arguments else SHARED
    if not (shared / "seeds").is_dir():
        print(f"no documents in {shared}: no anchors to check")
        return 0
    return 1 if check(shared) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
