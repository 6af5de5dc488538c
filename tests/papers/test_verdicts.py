"""Verdicts: every rule can give each of its answers, and no experiment writes one down."""

import ast
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cardwin.papers
from cardwin.papers import Finding, finding_line, tally, verdicts
from cardwin.papers.verdicts import Conclusion, Regions, Verdict, conclusion_of

PAPERS = Path(cardwin.papers.__file__).parent
A, N, U, C = Verdict.AGREES, Verdict.NO_DIFFERENCE, Verdict.UNDECIDED, Verdict.CANNOT_TELL
D, W, M = Verdict.DIFFERS, Verdict.WRONG_SIGN, Verdict.MISCALCULATED
SCALES = (3, 5, 10, 20, 40, 60)  # runs that the experiments have at their scales
REGIONS: dict[str, tuple[Regions, dict[Any, Verdict]]] = {
    "above": (verdicts.above(0.1), {
        (0.2, 0.3): A, (-0.3, -0.2): W, (-0.05, 0.1): N, (0.05, 0.2): U, (-0.2, 0.2): U, None: C, 0.1: N, 0.11: A,
    }),
    "above, exactly": (verdicts.above(0.0), {0.01: A, -0.01: W, 0.0: N, (0.0, 1.0): U, (-1.0, 0.0): U}),
    "below": (verdicts.below(0.1), {(0.2, 0.3): W, (-0.3, -0.2): A, (-0.1, 0.1): N, (-0.2, 0.0): U, None: C}),
    "at least": (verdicts.at_least(0.5), {
        (-0.499, -0.1): A, (-0.501, -0.1): U, (-0.9, -0.6): W, -0.5: A, (0.0, 3.0): A,
    }),
    "at most": (verdicts.at_most(0.01), {0.0: A, 0.01: A, 0.02: D, (0.0, 0.02): U}),
    "within": (verdicts.within(1.0, 0.1), {
        (0.95, 1.05): A, (1.2, 1.3): D, (0.2, 0.8): D, (1.0, 1.15): U, (1.0, 1.3): C, None: C, 1.1: A, 1.11: D,
    }),
    "calculated": (verdicts.calculated(7 / 6, 0.005), {1.17: A, 1.2: M}),
    "apart": (verdicts.apart(0.1), {(0.2, 0.3): A, (-0.3, -0.2): A, (-0.05, 0.05): D, (0.0, 0.2): U, None: C}),
    "share above": (verdicts.share_above(0.1, 0.5), {(0.6, 0.9): A, (0.0, 0.05): D, (0.2, 0.4): N, (0.05, 0.2): U}),
    "share below": (verdicts.share_below(0.1, 0.5), {(0.6, 0.9): D, (0.0, 0.05): A, (0.2, 0.4): N, (0.05, 0.2): U}),
    "best of many": (verdicts.best_of_many(1 / 12, 0.04, 101_000, 0.005), {
        0.083: A, 0.23: Verdict.INFLATED, 0.83: Verdict.IMPOSSIBLE, 0.05: D, (0.25, 0.9): Verdict.INFLATED,
    }),
    "one mean": (verdicts.one_mean(0.05, 0.03, 0.005), {0.1: A, 0.2: D, -0.1: D}),
}  # fmt: skip


@pytest.mark.parametrize("name", list(REGIONS))
def test_every_region_gives_each_of_its_verdicts(name: str) -> None:
    regions, cases = REGIONS[name]
    for found, verdict in cases.items():
        assert verdicts.judge(regions, found) is verdict, found
    assert set(regions.verdicts) <= set(cases.values())


def line(regions: Regions, width: float, steps: int = 400) -> list[Conclusion]:
    """The conclusions of the verdicts on an interval of some width that moves along the line."""
    start = min(regions.cuts) - width - 1
    length = max(regions.cuts) + width + 1 - start
    places = (start + length * step / steps for step in range(steps + 1))
    return [conclusion_of(verdicts.judge(regions, (place, place + width))) for place in places]


@given(st.sampled_from(sorted(REGIONS)), st.floats(0.02, 2))
def test_no_verdict_turns_into_its_opposite_without_an_open_one_between(name: str, width: float) -> None:
    regions, _ = REGIONS[name]
    seen = line(regions, width, steps=int(8 / 0.005))
    for before, after in pairwise(seen):
        assert {before, after} != {Conclusion.FOR, Conclusion.AGAINST}


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 0.5))
def test_an_interval_that_covers_zero_never_tells_a_sign(middle: float, half: float, margin: float) -> None:
    ends = middle - half, middle + half
    if ends[0] <= 0 <= ends[1]:
        for regions in (verdicts.above(margin), verdicts.below(margin)):
            assert conclusion_of(verdicts.judge(regions, ends)) not in (Conclusion.FOR, Conclusion.AGAINST)
        assert verdicts.judge(verdicts.within(0.0, margin), ends) != Verdict.DIFFERS


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0.001, 0.5))
def test_a_lead_is_never_both_above_and_equal(middle: float, half: float, margin: float) -> None:
    ends = middle - half, middle + half
    both = [verdicts.judge(regions, ends) for regions in (verdicts.above(margin), verdicts.within(0.0, margin))]
    assert both.count(Verdict.AGREES) < 2


def test_luck_reaches_further_where_more_means_are_compared() -> None:
    few, many = (verdicts.best_of_many(0.0, 0.05, means, 0.0) for means in (1, 100))
    assert verdicts.judge(few, 0.2) == Verdict.IMPOSSIBLE
    assert verdicts.judge(many, 0.2) == Verdict.INFLATED


@pytest.mark.parametrize("runs", SCALES)
def test_a_share_of_runs_can_say_each_answer_or_that_it_cannot_tell(runs: int) -> None:
    for rarely in (0.01, 0.1, 0.25, 0.5):
        for regions in (verdicts.share_above(rarely), verdicts.share_below(rarely)):
            said = {conclusion_of(verdicts.judge_share(regions, hits, runs)) for hits in range(runs + 1)}
            assert said == {Conclusion.OPEN} or {Conclusion.FOR, Conclusion.AGAINST} <= said
            needed = verdicts.shares_needed(regions)
            assert needed is not None
            assert (said == {Conclusion.OPEN}) == (runs < needed)


@settings(max_examples=30)
@given(st.integers(2, 40), st.floats(0.01, 0.99))
def test_one_run_more_or_less_never_turns_a_share_into_its_opposite(runs: int, margin: float) -> None:
    for regions in (verdicts.share_above(margin), verdicts.share_below(margin)):
        said = [conclusion_of(verdicts.judge_share(regions, hits, runs)) for hits in range(runs + 1)]
        for before, after in pairwise(said):
            assert {before, after} != {Conclusion.FOR, Conclusion.AGAINST}


def test_what_cannot_tell_says_how_many_runs_could() -> None:
    never = verdicts.share_above(0.01)
    assert {verdicts.judge_share(never, hits, 60) for hits in range(61)} == {Verdict.CANNOT_TELL}
    assert verdicts.shares_needed(never) == 368
    wide = verdicts.within(1.0, 0.1)
    assert verdicts.judge(wide, (0.8, 1.2)) == Verdict.CANNOT_TELL
    assert verdicts.runs_needed(wide, (0.8, 1.2), 10) == 40
    assert verdicts.runs_needed(wide, (0.95, 1.05), 10) is None


def test_facts_in_words() -> None:
    assert [verdicts.stated(true) for true in (True, False)] == [A, D]
    for claimed, mark, verdict in ((True, "1", A), (False, "0", A), (True, "0", D), (True, "~", N), (False, "1*", N)):
        assert verdicts.chosen(claimed, mark) is verdict
    members: list[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], Verdict]] = [
        (("a",), ("a",), (), A), (("a",), ("a", "b"), (), D), (("a",), (), (), D), (("a",), (), ("a",), U),
        (("a",), ("a",), ("b",), U), ((), (), (), A),
    ]  # fmt: skip
    for claimed_, surely, perhaps, verdict in members:
        assert verdicts.among(claimed_, surely, perhaps) is verdict


def test_a_grid_of_settings_has_the_verdict_of_most_of_them() -> None:
    assert verdicts.in_most([A] * 9 + [U], 0.9) is A
    assert verdicts.in_most([W] * 9 + [A], 0.9) is W
    assert verdicts.in_most([N] * 9 + [A], 0.9) is N
    assert verdicts.in_most([A] * 2 + [U] * 8, 0.9) is U  # not shown is not the opposite
    assert verdicts.in_most([A] * 8 + [W] * 2, 0.9) is U


def test_what_nobody_published_has_no_verdict() -> None:
    with pytest.raises(ValueError, match="judge"):
        Finding("ours", "a thing", measured=1.0, verdict=verdicts.judge(verdicts.above(0.0), (0.5, 1.5)))
    with pytest.raises(TypeError, match="verdict"):
        Finding("5.1", "a thing", published=1.0)  # type: ignore[call-arg]


def test_the_tally_counts_claims_apart_from_other_findings() -> None:
    rows = [
        Finding("1", "holds", published=1.0, exact=1.0, verdict=verdicts.stated(True)),
        Finding("2", "fails", published=1.0, exact=2.0, verdict=verdicts.judge(verdicts.calculated(2.0), 1.0)),
        Finding("3", "open", published="more", measured=0.1, verdict=verdicts.judge(verdicts.above(0.0), None)),
        Finding("ours", "no claim", measured=0.1, verdict=None),
    ]
    assert tally(rows) == (
        "3 claims judged: 1 hold, 1 do not (miscalculated 1), of 1 this scale "
        "cannot tell. 1 further findings are not judged."
    )
    assert finding_line(rows[1]) == "2: fails: MISCALCULATED (published 1, exact 2)"
    assert finding_line(rows[3]) == "ours: no claim: measured 0.1"


def faults(tree: ast.Module) -> Iterator[str]:
    """What an experiment may not do: write a verdict down, name one, or make a finding."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in set(Verdict):
            yield f"writes {node.value!r}"
        if isinstance(node, ast.Attribute) and node.attr in Verdict.__members__:
            yield f"names {ast.unparse(node)}"
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in ("Finding", "Verdict"):
            yield f"calls {ast.unparse(node.func)}"
        if isinstance(node, ast.keyword) and node.arg == "verdict":
            yield f"sets a verdict to {ast.unparse(node.value)}"


def test_no_experiment_writes_a_verdict_down() -> None:
    """Experiments yield samples: the one function that makes findings of them is in papers/sample.py."""
    paths = [path for path in sorted(PAPERS.rglob("*.py")) if path.parent != PAPERS]
    assert len(paths) > 30
    for path in paths:
        assert list(faults(ast.parse(path.read_text(encoding="utf-8")))) == [], path


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ('Finding("1", "x", measured=1.0)', 1),
        ('papers.Finding("1", "x", verdict="agrees")', 3),
        ("sample('x', judged=[verdicts.Verdict.AGREES])", 1),
        ("sample('x', judged=Verdict('differs'))", 2),
        ("sample('x', spread(gains), judged=[verdicts.judge(verdicts.above(0.1), ends)])", 0),
    ],
)
def test_the_check_of_the_syntax_tree_can_fail(source: str, count: int) -> None:
    assert len(list(faults(ast.parse(source)))) == count
