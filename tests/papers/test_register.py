"""The registers of claims: every judged finding has one row of the class claim or self-check, and these are judged.

What each experiment finds at scale `seconds` is in `findings.json`; a slow test runs the papers and compares. To write
the file anew: `python tests/papers/test_register.py`.
"""

import json
import sys
import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

from cardwin.papers import PAPERS, Context, findings_of, heading_of, paper_of, verdicts
from cardwin.papers.register import Claim, Register, register

FILE = Path(__file__).with_name("findings.json")
REGISTERED = [name for name, package in PAPERS.items() if register(package).claims]
JUDGED = ("claim", "self-check")
Found = dict[str, list[str]]  # the names of judged findings by experiment


def judged(name: str, folder: Path) -> Found:
    """The judged findings of a paper at scale `seconds`."""
    found = {}
    rows = register(PAPERS[name])
    for experiment in paper_of(name).EXPERIMENTS:
        context = Context(folder, "seconds", 1, 1, experiment)
        findings = [one for one in findings_of(paper_of(name), experiment, context) if one.verdict is not None]
        assert all((rows.of(one.name).kind == "self-check") == one.check for one in findings)
        found[experiment] = [one.name for one in findings]
    return found


def stored(name: str) -> Found:
    found: dict[str, Found] = json.loads(FILE.read_text(encoding="utf-8"))
    return found[name]


def test_every_paper_has_a_register_and_headings() -> None:
    assert list(PAPERS) == REGISTERED
    for name in PAPERS:
        paper = paper_of(name)
        assert all(heading_of(paper, experiment) != experiment for experiment in paper.EXPERIMENTS), name


@pytest.mark.parametrize("name", REGISTERED)
def test_every_judged_finding_has_one_row_of_a_judged_class(name: str) -> None:
    rows = register(PAPERS[name])
    found = stored(name)
    assert list(found) == list(paper_of(name).EXPERIMENTS)
    for experiment, one in ((experiment, one) for experiment, names in found.items() for one in names):
        assert rows.of(one).kind in JUDGED, one
        assert not rows.of(one).unmeasured, one
        assert rows.of(one).experiment in (experiment, ""), one


@pytest.mark.parametrize("name", REGISTERED)
def test_every_claim_is_judged_or_says_why_not(name: str) -> None:
    names = [one for found in stored(name).values() for one in found]
    for row in register(PAPERS[name]).claims:
        measured = any(fnmatchcase(one, row.name) for one in names)
        assert measured == (row.kind in JUDGED and not row.unmeasured), row.name


@pytest.mark.parametrize("name", REGISTERED)
def test_rows_are_named_once_and_have_a_place_and_words_of_their_own(name: str) -> None:
    rows = register(PAPERS[name]).claims
    assert len({row.name for row in rows}) == len(rows)
    for row in rows:
        assert row.place, row.name
        assert row.claim or row.kind == "ours", row.name
        assert not row.rule or (row.kind in JUDGED and hasattr(verdicts, row.rule)), row.name


def test_a_row_is_found_by_its_name_or_the_only_pattern_that_fits() -> None:
    rows = Register((Claim("a *", "1", "A."), Claim("a b", "2", "B."), Claim("* c", "3", "C.")))
    assert [rows.of(name).place for name in ("a b", "a d", "x c")] == ["2", "1", "3"]
    for name in ("a c", "nothing"):
        with pytest.raises(KeyError, match="expected 1 row"):
            rows.of(name)
    with pytest.raises(KeyError, match="no margin"):
        rows.margin("a b")


@pytest.mark.parametrize(
    "wrong",
    [{"kind": "guess"}, {"anchors": ("six words of the document here",)}, {"margin": 0.1}, {"margin_from": "print"}],
)
def test_mistakes_in_a_row_are_named(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="a row"):
        Claim("a row", "1", "A.", **wrong)  # type: ignore[arg-type]


@pytest.mark.slow  # runs every paper at its smallest scale
@pytest.mark.parametrize("name", REGISTERED)
def test_the_stored_findings_are_those_of_a_run(name: str, tmp_path: Path) -> None:
    assert judged(name, tmp_path) == stored(name)


def write(names: list[str]) -> None:
    """Run these papers and store what they judge."""
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}
    with tempfile.TemporaryDirectory() as folder:
        found |= {name: judged(name, Path(folder)) for name in names}
    FILE.write_text(json.dumps(found, indent=1, sort_keys=False, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1:] or REGISTERED)
