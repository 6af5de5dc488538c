"""The reproduction of Nicolai and Hilderman: its rules on made-up tables, and the whole of it at its smallest."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_rel

from cardwin.lab import launch
from cardwin.lab.papers import AGREES, DIFFERS, WRONG_SIGN
from cardwin.lab.papers.nicolai.controls import BENCHMARKS, CONTROLS, SIZES
from cardwin.lab.papers.nicolai.tables import PUBLISHED, UNSETTLED, Sitting, below, claims, little, paired_p, ranks
from cardwin.rng import generator_of


def sitting(own: float, seed: int = 1, folder: float = 2.0) -> Sitting:
    """Tables where Control has that mean place, Folder another, and the rest 6."""
    means = np.array([own, folder, *[6.0] * 7])
    places = means + 0.1 * generator_of(seed).standard_normal((400, 9))
    return Sitting(places, np.full(9, 1 / 9), np.zeros(9))


def test_verdicts_on_differences() -> None:
    assert below((-1.0, -0.1)) == AGREES
    assert below((0.1, 1.0)) == WRONG_SIGN
    assert below((-0.1, 1.0)) == below(None) == UNSETTLED
    assert little((-0.1, 0.2)) == AGREES
    assert little((0.4, 0.9)) == DIFFERS
    assert little((-0.1, 0.9)) == UNSETTLED


def test_published_ranks_would_agree_with_themselves() -> None:
    sittings = {name: [sitting(printed)] for name, printed in PUBLISHED.items()}
    assert {finding.verdict for finding in ranks(sittings)} == {AGREES}
    found = {finding.name: finding.verdict for finding in claims(sittings)}
    assert found["LargeHOF ranks better than Baseline: difference"] == AGREES
    assert found["co-evolution adds little: HOF2Pop minus LargeHOF"] == AGREES
    assert found["who out-ranks LargeHOF"] == AGREES
    assert found["Folder out-ranks everybody at LargeHOF's tables"] == AGREES


def test_other_ranks_do_not_agree() -> None:
    sittings = {name: [sitting(7 - printed, folder=8)] for name, printed in PUBLISHED.items()}
    assert DIFFERS in {finding.verdict for finding in ranks(sittings)}
    found = {finding.name: finding.verdict for finding in claims(sittings)}
    assert found["LargeHOF ranks better than Baseline: difference"] == WRONG_SIGN
    assert found["Folder out-ranks everybody at LargeHOF's tables"] == DIFFERS


def test_paired_tests_are_scipys() -> None:
    one, two = generator_of(1).normal(3, 1, (2, 50)), generator_of(2).normal(3.2, 1, (2, 50))
    expected = ", ".join(f"{ttest_rel(a, b).pvalue:.2g}" for a, b in zip(one, two, strict=True))
    assert paired_p(list(one), list(two)) == expected
    assert paired_p([one[0]], [one[0]]) == "1"


def test_the_paper_scale_is_the_papers() -> None:
    size = SIZES["paper"]
    assert CONTROLS["LargeHOF"].changes(size)["population"] == {"size": 1000}
    assert CONTROLS["SmallHOF"].changes(size)["hall"] == {"capacity": 500}
    assert CONTROLS["Baseline"].changes(size)["hall"] == {"capacity": 0}
    assert (size.generations, size.tournaments, size.tables) == (500, 500, 100_000)
    assert len(BENCHMARKS) == 8


@pytest.mark.slow  # looks win odds up in a table that takes a minute or two to build
def test_the_whole_at_its_smallest(tmp_path: Path) -> None:
    values = {"paper": "nicolai", "scale": "seconds"}
    answer = launch.begin("reproduction", values, 1, tmp_path / "one")
    names = {row["name"] for row in answer["experiments"]}
    assert {f"{control}, mean rank of 9" for control in PUBLISHED} <= names
    assert (tmp_path / "one" / "pictures" / "figure-7.png").is_file()
    again = launch.begin("reproduction", values, 1, tmp_path / "two", workers=2)
    assert again["digest"] == answer["digest"]
