"""The reproduction of Nicolai and Hilderman: its rules on made-up tables, and the whole of it at its smallest."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_rel

from cardwin.core.rng import generator_of
from cardwin.papers import Context
from cardwin.papers.nicolai import bets
from cardwin.papers.nicolai.controls import BENCHMARKS, CONTROLS, SIZES
from cardwin.papers.nicolai.tables import PUBLISHED, Seating, ahead_of, claims, paired_p, ranks
from cardwin.papers.verdicts import Verdict
from cardwin.runs import launch


def seating(own: float, seed: int = 1, folder: float = 2.0) -> Seating:
    """Tables where Control has that mean place, Folder another, and the rest 6."""
    means = np.array([own, folder, *[6.0] * 7])
    places = means + 0.1 * generator_of(seed).standard_normal((400, 9))
    return Seating(places, np.full(9, 1 / 9), np.zeros(9))


def test_published_ranks_would_agree_with_themselves() -> None:
    seatings = {name: [seating(printed, seed) for seed in (1, 2, 3)] for name, printed in PUBLISHED.items()}
    assert {finding.verdict for finding in ranks(seatings)} == {Verdict.AGREES}
    found = {finding.name: finding.verdict for finding in claims(seatings)}
    assert found["LargeHOF ranks better than Baseline: difference"] == Verdict.AGREES
    assert found["co-evolution adds little: HOF2Pop minus LargeHOF"] == Verdict.AGREES
    assert found["who out-ranks LargeHOF"] == Verdict.AGREES
    for title in ("SmallHOF is more than one rank better than Baseline: difference",
                  "LargeHOF is closer to Folder's rank than Baseline: difference of gaps"):  # fmt: skip
        assert found[title] == Verdict.AGREES
    assert found["every two agents at a table differ, as 100,000 tables would show it"] == Verdict.UNDECIDED


def test_one_evolution_of_each_kind_cannot_tell() -> None:
    seatings = {name: [seating(printed)] for name, printed in PUBLISHED.items()}
    found = [*ranks(seatings), *claims(seatings)]
    judged = {one.name: one.verdict for one in found if one.verdict is not None}
    assert set(judged.values()) == {Verdict.CANNOT_TELL, Verdict.UNDECIDED}
    assert {one.needed for one in found if one.verdict == Verdict.CANNOT_TELL} == {2}


def test_equal_agents_refute_that_all_differ() -> None:
    same = Seating(np.repeat(generator_of(1).normal(5, 1, (100, 1)), 9, axis=1), np.full(9, 1 / 9), np.zeros(9))
    found = {one.name: one for one in claims({name: [same] for name in PUBLISHED})}
    row = found["every two agents at a table differ, as 100,000 tables would show it"]
    assert (row.verdict, row.measured) == (Verdict.DIFFERS, "0 of 180 pairs surely")


def test_what_the_text_says_of_bet_sizes_is_not_what_the_table_has(tmp_path: Path) -> None:
    found = {one.name: one for one in bets.experiments(Context(tmp_path, "seconds", 1, 1, "bet-sizes"))}
    assert {name for name, one in found.items() if one.verdict == Verdict.DIFFERS} == {
        "large bets all-in, in the text",
        "middle of large bets, below figure 2",
        "a small bet reaches the whole stack: probability",
    }
    for one in found.values():
        if one.ci95 is not None:
            assert isinstance(one.published, float)
            assert one.ci95[0] - 0.02 < one.published < one.ci95[1] + 0.02


def test_other_ranks_do_not_agree() -> None:
    seatings = {
        name: [seating(7 - printed, seed, folder=8) for seed in (1, 2, 3)] for name, printed in PUBLISHED.items()
    }
    assert Verdict.DIFFERS in {finding.verdict for finding in ranks(seatings)}
    found = {finding.name: finding.verdict for finding in claims(seatings)}
    assert found["LargeHOF ranks better than Baseline: difference"] == Verdict.WRONG_SIGN
    assert found["SmallHOF is more than one rank better than Baseline: difference"] == Verdict.DIFFERS
    assert found["who out-ranks LargeHOF"] == Verdict.DIFFERS


def test_who_cannot_be_told_apart_is_named() -> None:
    level = seating(6.0)
    surely, perhaps = ahead_of([level], 0)
    assert surely == ["Folder"]
    assert len(perhaps) >= 6
    found = {finding.name: finding for finding in claims({name: [level] for name in PUBLISHED})}
    assert found["who out-ranks LargeHOF"].verdict == Verdict.UNDECIDED
    assert "not shown to differ from it: Caller" in found["who out-ranks LargeHOF"].reason


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
