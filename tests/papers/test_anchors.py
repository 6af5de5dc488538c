"""Anchors of claims are found where they stand close together, however the document breaks its lines."""

from pathlib import Path

import pytest

from cardwin.papers.register import Claim
from check_anchors import CLOSE, main, narrowest, normalised, places, problems

TEXT = normalised(
    "The *best* agents ob-\ntained a rank of 2,85 out\nof 9; the others’ was 0.5, of 1990." + " x" * CLOSE + " end"
)


@pytest.mark.parametrize(
    ("anchor", "times"),
    [("best agents obtained", 1), ("2.85", 1), ("rank of  2.85 OUT", 1), (".5", 1), ("0,5", 1), ("others'", 1),
     ("990", 0), ("2.8", 0), ("85", 0), ("agent", 0)],
)  # fmt: skip
def test_an_anchor_is_a_whole_number_or_whole_words(anchor: str, times: int) -> None:
    assert len(places(anchor, TEXT)) == times


def test_the_shortest_passage_with_all_anchors() -> None:
    assert narrowest(["c", "a"], "a b c a") == 3
    assert narrowest(["a", "c", "e"], "a b c a e") == 5
    assert narrowest(["a", "z"], "a b c") is None


def test_rows_that_are_not_found_are_named() -> None:
    rows = [Claim("fine", "1", "A.", anchors=("2.85", "rank")), Claim("none", "2", "B."),
            Claim("far", "3", "C.", anchors=("2.85", "end")), Claim("gone", "4", "D.", anchors=("3.14",))]  # fmt: skip
    far, gone = problems(rows, TEXT)
    assert far.startswith("3, far: 3,0")
    assert gone == "4, gone: not in the document: '3.14'"


def test_without_documents_there_is_nothing_to_check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 0
    assert "no documents" in capsys.readouterr().out


def test_a_missing_anchor_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "seeds").mkdir()
    (tmp_path / "seeds" / "002_x.txt").write_text("nothing of it")
    assert main([str(tmp_path)]) == 1
    said = capsys.readouterr().out
    assert "nicolai: anchors of 0 of" in said
    assert "reveley: no document" in said
