"""Verdicts: every rule can give each of its answers, and no experiment writes one down."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cardwin.papers
from cardwin.papers import Finding, finding_line, tally, verdicts
from cardwin.papers.verdicts import Verdict

PAPERS = Path(cardwin.papers.__file__).parent
RULES = {
    name: rule
    for name, rule in vars(verdicts).items()
    if callable(rule) and getattr(rule, "__module__", "") == verdicts.__name__ and rule is not Verdict
}
A, D, W, U = Verdict.AGREES, Verdict.DIFFERS, Verdict.WRONG_SIGN, Verdict.UNDECIDED
ANSWERS: dict[str, dict[tuple[Any, ...], Verdict]] = {
    "calculated": {(1.17, 7 / 6, 0.005): A, (1.16, 1.2, 0.005): Verdict.MISCALCULATED},
    "stated": {("uniform", "uniform"): A, ("normal", "uniform"): D},
    "above": {((0.1, 0.2),): A, ((-0.2, -0.1),): W, ((-0.1, 0.2),): U, (None,): U, ((0.0, 1.0),): U},
    "below": {((0.1, 0.2),): W, ((-0.2, -0.1),): A, ((-0.1, 0.2),): U, (None,): U},
    "exactly_above": {(0.01,): A, (-0.01,): W, (0,): D},
    "close": {
        (1.0, (0.9, 1.1), 0.1001): A, (1.0, (1.2, 1.3), 0.1): D, (1.0, (0.2, 0.8), 0.1): D, (1.0, (1.0, 1.3), 0.1): U,
        (1.0, None, 0.1): U,
    },
    "best_of_many": {
        (0.083, 1 / 12, 0.04, 101_000, 0.005): A, (0.23, 1 / 12, 0.04, 101_000, 0.005): Verdict.INFLATED,
        (0.83, 1 / 12, 0.04, 101_000, 0.005): Verdict.IMPOSSIBLE, (0.05, 1 / 12, 0.04, 101_000, 0.005): D,
    },
    "one_mean": {(0.1, 0.05, 0.03, 0.005): A, (0.2, 0.05, 0.03, 0.005): D},
    "equilibrium": {(0.0, 0.001): A, (0.02, 0.001): D},
    "without_errors": {(0,): A, (2,): D},
    "among": {
        (("a",), ("a",), ()): A, (("a",), ("a", "b"), ()): D, (("a",), (), ()): D, (("a",), (), ("a",)): U,
        (("a",), ("a",), ("b",)): U, ((), (), ()): A,
    },
    "argued": {
        ((0.01, 0.5), 0.05): Verdict.SUPPORTED, ((-0.5, -0.01), 0.05): Verdict.NOT_SUPPORTED,
        ((-0.04, 0.05), 0.05): Verdict.NOT_SUPPORTED, ((-0.04, 0.06), 0.05): U, (None, 0.05): U,
    },
    "best_of_matches": {
        (0.3, 0.1, 0.04, 10_000, 0.01): Verdict.INFLATED, (0.4, 0.1, 0.04, 10_000, 0.01): D,
        (0.05, 0.1, 0.04, 10_000, 0.01): D,
    },
    "always_chosen": {(True, "1"): A, (False, "0"): A, (True, "0"): D, (True, "~"): U, (False, "1*"): U},
    "happens": {((0.1, 0.3), 0.01): A, ((0.0, 0.005), 0.01): D, ((0.0, 0.3), 0.01): U, (None, 0.01): U},
    "hardly_happens": {((0.0, 0.17), 0.2): A, ((0.3, 0.5), 0.2): D, ((0.1, 0.3), 0.2): U, (None, 0.2): U},
    "at_least": {
        ((-0.1, 0.3), 0.1): A, ((-0.05, -0.01), 0.1): A, ((-0.3, -0.05), 0.1): W, ((-0.2, 0.1), 0.1): U, (None, 0.1): U,
    },
    "rises": {
        ((0.2, 0.3), 0.1): A, ((-0.3, -0.2), 0.1): W, ((0.01, 0.09), 0.1): D, ((0.05, 0.2), 0.1): U, (None, 0.1): U,
    },
    "apart": {((0.2, 0.3), 0.1): A, ((-0.3, -0.2), 0.1): A, ((-0.1, 0.1), 0.1): D, ((0, 0.2), 0.1): U, (None, 0.1): U},
    "throughout": {(9, 10, 0.9): A, (1, 10, 0.9): W, (2, 10, 0.9): U, (8, 10, 0.9): U},
}  # fmt: skip


def test_every_rule_gives_every_answer_that_its_docstring_names() -> None:
    assert set(RULES) == set(ANSWERS)
    for name, cases in ANSWERS.items():
        for given_, answer in cases.items():
            assert RULES[name](*given_) is answer, (name, given_)
        words = " ".join((RULES[name].__doc__ or "").lower().split())
        if "as `above`" in words:
            continue
        promised = {verdict for verdict in Verdict if verdict.split(" by ")[0] in words}
        if Verdict.NOT_SUPPORTED in promised:
            promised.add(Verdict.SUPPORTED)
        assert promised == set(cases.values()), name


def test_luck_reaches_further_where_more_means_are_compared() -> None:
    assert verdicts.best_of_many(0.2, 0.0, 0.05, 1, 0.0) == Verdict.IMPOSSIBLE
    assert verdicts.best_of_many(0.2, 0.0, 0.05, 100, 0.0) == Verdict.INFLATED


@given(st.floats(-1, 1), st.floats(0, 1), st.floats(0, 0.5))
def test_an_interval_that_covers_zero_never_tells_a_sign(middle: float, half: float, margin: float) -> None:
    ends = middle - half, middle + half
    covers = ends[0] <= 0 <= ends[1]
    assert (verdicts.above(ends) == Verdict.UNDECIDED) == (verdicts.below(ends) == Verdict.UNDECIDED) == covers
    if covers:
        assert verdicts.close(0.0, ends, margin) != Verdict.DIFFERS
        assert verdicts.argued(ends, margin) != Verdict.SUPPORTED


def test_what_nobody_published_has_no_verdict() -> None:
    with pytest.raises(ValueError, match="judge"):
        Finding("ours", "a thing", measured=1.0, verdict=verdicts.above((0.5, 1.5)))
    with pytest.raises(TypeError, match="verdict"):
        Finding("5.1", "a thing", published=1.0)  # type: ignore[call-arg]


def test_the_tally_counts_claims_apart_from_other_findings() -> None:
    rows = [
        Finding("1", "holds", published=1.0, exact=1.0, verdict=verdicts.calculated(1.0, 1.0, 0.0)),
        Finding("2", "fails", published=1.0, exact=2.0, verdict=verdicts.calculated(1.0, 2.0, 0.0)),
        Finding("3", "open", published="more", measured=0.1, verdict=verdicts.above(None)),
        Finding("ours", "no claim", measured=0.1, verdict=None),
    ]
    assert tally(rows) == (
        "3 claims judged: 1 hold, 1 do not (miscalculated 1), 1 undecided. 1 further findings have nothing published "
        "beside them."
    )
    assert finding_line(rows[1]) == "2: fails: MISCALCULATED (published 1, exact 2)"
    assert finding_line(rows[3]) == "ours: no claim: (measured 0.1)"


def experiments() -> Iterator[tuple[Path, ast.Module]]:
    """The syntax trees of all experiments."""
    for path in sorted(PAPERS.rglob("*.py")):
        if path.name != "verdicts.py":
            yield path, ast.parse(path.read_text(encoding="utf-8"))


def test_no_experiment_writes_a_verdict_down() -> None:
    """Every `verdict=` is a rule's answer, handed on at most; no word of a verdict is a literal, no member is named."""
    seen = 0
    for path, tree in experiments():
        framework = path.parent == PAPERS
        for node in ast.walk(tree):
            where = f"{path.relative_to(PAPERS)}:{getattr(node, 'lineno', 0)}"
            if isinstance(node, ast.Constant) and not framework:
                assert node.value not in set(Verdict), f"{where} writes {node.value!r}"
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and not framework:
                assert node.value.id != "Verdict" or node.attr not in Verdict.__members__, where
            if isinstance(node, ast.keyword) and node.arg == "verdict":
                seen += 1
                assert _computed(node.value, tree), f"{where}: {ast.unparse(node.value)} is no rule's answer"
    assert seen > 20


def _computed(value: ast.expr, tree: ast.Module) -> bool:
    """None, a call of a rule, a parameter that hands one on, or a name that only such calls are assigned to."""
    if isinstance(value, ast.Constant):
        return value.value is None
    if isinstance(value, ast.IfExp):
        return _computed(value.body, tree) and _computed(value.orelse, tree)
    if isinstance(value, ast.Call):
        called = value.func
        return isinstance(called, ast.Attribute) and called.attr in RULES
    if not isinstance(value, ast.Name):
        return False
    given_ = [arg for node in ast.walk(tree) if isinstance(node, ast.arguments) for arg in node.args]
    made = [node.value for node in ast.walk(tree) if isinstance(node, ast.Assign)
            for target in node.targets if isinstance(target, ast.Name) and target.id == value.id]  # fmt: skip
    handed_on = any(arg.arg == value.id and "Verdict" in ast.unparse(arg.annotation or arg) for arg in given_)
    return handed_on or (bool(made) and all(_computed(one, tree) for one in made))


@pytest.mark.parametrize(
    ("source", "fine"),
    [
        ('Finding("1", "x", verdict="agrees")', False),
        ("verdict = verdicts.above(ends)\nFinding('1', 'x', verdict=verdict)", True),
        ("verdict = 'a' + 'b'\nFinding('1', 'x', verdict=verdict)", False),
        ("Finding('1', 'x', verdict=Verdict('agrees'))", False),
        ("Finding('1', 'x', verdict=None if ends is None else verdicts.close(1.0, ends, 0.1))", True),
        ("def f(verdict: str): Finding('1', 'x', verdict=verdict)", False),
        ("def f(verdict: Verdict | None): Finding('1', 'x', verdict=verdict)", True),
    ],
)
def test_the_check_of_the_syntax_tree_can_fail(source: str, fine: bool) -> None:
    tree = ast.parse(source)
    given_ = [node.value for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "verdict"]
    assert [_computed(value, tree) for value in given_] == [fine]
