"""The reproduction of Nicolai and Hilderman: its rules on made-up tables, and the whole of it at its smallest."""

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import ttest_rel

from cardwin.core.rng import generator_of
from cardwin.papers import Context, Finding, findings_of, paper_of, tally
from cardwin.papers.nicolai import comparisons
from cardwin.papers.nicolai.comparisons import out_ranking, paired_p
from cardwin.papers.nicolai.controls import BENCHMARKS, CONTROLS, SIZES
from cardwin.papers.nicolai.seatings import PUBLISHED, ROWS, Seating
from cardwin.papers.sample import finding_of
from cardwin.papers.verdicts import Verdict
from cardwin.runs import launch
from cardwin.stats.comparisons import holm_levels


def seating(own: float, seed: int = 1, folder: float = 2.0) -> Seating:
    """Tables where Control has that mean place, Folder another, and the rest 6."""
    means = np.array([own, folder, *[6.0] * 7])
    places = means + 0.1 * generator_of(seed).standard_normal((400, 9))
    return Seating(places, np.full(9, 1 / 9), np.zeros(9))


def claims(seatings: dict[str, list[Seating]], folders: list[Seating]) -> list[Finding]:
    """What is found at such tables."""
    return [finding_of(one, ROWS) for one in comparisons.claims(seatings, folders)]


FOLDERS = [seating(2.6, seed) for seed in (4, 5, 6)]


def test_published_ranks_would_agree_with_themselves() -> None:
    seatings = {name: [seating(printed, seed) for seed in (1, 2, 3)] for name, printed in PUBLISHED.items()}
    found = {finding.name: finding.verdict for finding in claims(seatings, FOLDERS)}
    assert {found[f"{name}, mean rank of 9"] for name in PUBLISHED} == {Verdict.AGREES}
    assert found["LargeHOF ranks better than Baseline: difference"] == Verdict.AGREES
    assert found["co-evolution adds little: HOF2Pop minus LargeHOF"] == Verdict.AGREES
    for name in ("LargeHOF", "HOF2Pop red", "HOF2Pop blue"):
        assert found[f"who out-ranks {name}"] == Verdict.AGREES
    for name in ("HOF2Pop red", "HOF2Pop blue"):
        assert found[f"LargeHOF ranks better than {name}: difference"] == Verdict.AGREES
    for title in ("SmallHOF is more than one rank better than Baseline: difference",
                  "LargeHOF is closer to Folder's rank than Baseline: difference of gaps"):  # fmt: skip
        assert found[title] == Verdict.AGREES
    assert found["every two agents at a table differ, as 100,000 tables would show it"] == Verdict.UNDECIDED


def test_a_second_folder_and_the_wins_stand_beside_every_verdict_on_ranks() -> None:
    seatings = {name: [seating(printed, seed) for seed in (1, 2, 3)] for name, printed in PUBLISHED.items()}
    others = ("every two", "who out-ranks")
    found = claims(seatings, FOLDERS)
    judged = [one for one in found if one.verdict is not None and not one.name.startswith(others)]
    assert len(judged) == 13
    assert all("a second Folder in its seat: rank 2.60, wins 11.1%" in one.reason for one in judged)
    agrees_too = [one.name for one in judged if "which would agree too" in one.reason]
    assert agrees_too == [f"{name}, mean rank of 9" for name in ("LargeHOF", "HOF2Pop red", "HOF2Pop blue")]


def test_levels_are_those_of_holm() -> None:
    assert holm_levels([0.001, 0.5, 0.012]) == pytest.approx([0.05 / 3, 0.05, 0.025])
    assert holm_levels([0.03, 0.02, 0.9]) == pytest.approx([0.05 / 3] * 3)


def test_a_family_of_comparisons_is_judged_more_strictly_than_one() -> None:
    """One clear difference among five remains one; a doubtful one does not."""
    seatings = {name: [seating(4.0, seed) for seed in (1, 2, 3, 4, 5)] for name in PUBLISHED}
    shifts = (-0.8, -0.1, -0.5, -0.3, -0.9)
    seatings["SmallHOF"] = [seating(4.0 + shift, seed) for seed, shift in enumerate(shifts, 1)]
    found = {one.name: one for one in claims(seatings, FOLDERS)}["SmallHOF ranks better than Baseline: difference"]
    assert found.ci95 is not None
    assert found.ci95[1] < -0.01  # alone it would agree
    assert found.verdict == Verdict.UNDECIDED
    assert "Holm over 5 comparisons" in found.reason


def test_worked_examples_are_self_checks_and_agree(tmp_path: Path) -> None:
    found = findings_of(paper_of("nicolai"), "worked-examples", Context(tmp_path, "seconds", 1, 1, "worked-examples"))
    assert {one.verdict for one in found} == {Verdict.AGREES}
    assert [one.name for one in found if not one.check] == ["the hall's memory in the worst case, in generations"]
    assert "1 claims judged: 1 hold" in tally(found)
    assert "Self-checks: 6 of 6 agree" in tally(found)


def test_one_evolution_of_each_kind_cannot_tell() -> None:
    seatings = {name: [seating(printed)] for name, printed in PUBLISHED.items()}
    found = claims(seatings, FOLDERS[:1])
    judged = {one.name: one.verdict for one in found if one.verdict is not None}
    assert set(judged.values()) == {Verdict.CANNOT_TELL, Verdict.UNDECIDED}
    assert {one.needed for one in found if one.verdict == Verdict.CANNOT_TELL} == {2}


def test_equal_agents_refute_that_all_differ() -> None:
    same = Seating(np.repeat(generator_of(1).normal(5, 1, (100, 1)), 9, axis=1), np.full(9, 1 / 9), np.zeros(9))
    found = {one.name: one for one in claims({name: [same] for name in PUBLISHED}, FOLDERS)}
    row = found["every two agents at a table differ, as 100,000 tables would show it"]
    assert (row.verdict, row.measured) == (Verdict.DIFFERS, "0 of 180 pairs surely")


def test_what_the_text_says_of_bet_sizes_is_not_what_the_table_has(tmp_path: Path) -> None:
    context = Context(tmp_path, "seconds", 1, 1, "bet-sizes")
    found = {one.name: one for one in findings_of(paper_of("nicolai"), "bet-sizes", context)}
    assert {name for name, one in found.items() if one.verdict == Verdict.DIFFERS} == {
        "large bets all-in, in the text",
        "middle of large bets, below figure 2",
        "a small bet reaches the whole stack: probability",
        "a large bet reaches the smallest one: probability",
    }
    assert "46 deviations" in found["a small bet reaches the whole stack: probability"].reason
    assert "24 deviations" in found["a large bet reaches the smallest one: probability"].reason
    for one in found.values():
        if one.ci95 is not None:
            assert isinstance(one.published, float)
            assert one.ci95[0] - 0.02 < one.published < one.ci95[1] + 0.02


def test_other_ranks_do_not_agree() -> None:
    seatings = {
        name: [seating(7 - printed, seed, folder=8) for seed in (1, 2, 3)] for name, printed in PUBLISHED.items()
    }
    found = {finding.name: finding.verdict for finding in claims(seatings, FOLDERS)}
    assert Verdict.DIFFERS in {found[f"{name}, mean rank of 9"] for name in PUBLISHED}
    assert found["LargeHOF ranks better than Baseline: difference"] == Verdict.WRONG_SIGN
    assert found["SmallHOF is more than one rank better than Baseline: difference"] == Verdict.DIFFERS
    assert found["who out-ranks LargeHOF"] == Verdict.DIFFERS


def test_who_cannot_be_told_apart_is_named() -> None:
    level = seating(6.0)
    surely, perhaps = out_ranking([level], 0)
    assert surely == ["Folder"]
    assert len(perhaps) >= 6
    found = {finding.name: finding for finding in claims({name: [level] for name in PUBLISHED}, FOLDERS)}
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
    answer = launch.begin("reproduction", values, 1, launch.Launch(tmp_path / "one"))
    names = {row["name"] for row in answer["experiments"]}
    assert {f"{control}, mean rank of 9" for control in PUBLISHED} <= names
    assert (tmp_path / "one" / "pictures" / "figure-7.png").is_file()
    again = launch.begin("reproduction", values, 1, launch.Launch(tmp_path / "two", workers=2))
    assert again["digest"] == answer["digest"]
