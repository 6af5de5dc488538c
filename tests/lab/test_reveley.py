"""Loki's experiments, small: verdicts follow from estimates, and the same seed finds the same."""

from pathlib import Path

import numpy as np
import pytest

from cardwin.lab.papers import AGREES, DIFFERS, NOT_PRINTED, WRONG_SIGN, Context
from cardwin.lab.papers.reveley import EXPERIMENTS, loki
from cardwin.lab.papers.reveley.duplicate import MARGIN, NOT_SETTLED, ahead, equal, play
from cardwin.stats.intervals import Estimate, mean_interval


def estimate(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, (high - low) / 2, low, high, 100, "t")


@pytest.mark.parametrize(
    ("low", "high", "claim_ahead", "claim_equal"),
    [
        (0.01, 0.04, AGREES, AGREES),
        (-0.01, 0.04, NOT_SETTLED, AGREES),
        (-0.04, 0.2, NOT_SETTLED, NOT_SETTLED),
        (0.06, 0.2, AGREES, DIFFERS),
        (-0.2, -0.06, WRONG_SIGN, DIFFERS),
    ],
)
def test_verdicts_are_a_function_of_the_interval(low: float, high: float, claim_ahead: str, claim_equal: str) -> None:
    assert MARGIN == 0.05
    assert ahead(estimate(low, high)) == claim_ahead
    assert equal(estimate(low, high)) == claim_equal


def test_the_answer_names_whom_a_model_pays_against() -> None:
    worth = {"a": estimate(0.1, 0.3), "b": estimate(-0.3, -0.1), "c": estimate(-0.1, 0.1)}
    assert loki.answer(worth) == (
        "pays against a (+0.20 ± 0.10); costs against b (-0.20 ± 0.10); not settled against c (+0.00 ± 0.10)"
    )


def test_copies_are_spread_and_winnings_add_up(tmp_path: Path) -> None:
    context = Context(tmp_path, "seconds", 1, 1, "loki")
    versions = {"caller": ("call", 2), "raiser": ("raise", 1), "folder": ("fold", 1)}
    played = play(context, versions, 200, "test")
    total = sum(copies * played.winnings[name] for name, (_, copies) in versions.items())
    assert np.abs(total).max() < 1e-9
    assert len(played.winnings["caller"]) == 200
    assert played.mean("folder").high < 0 < played.lead("caller", "folder").low
    again = play(context, versions, 200, "test")
    assert all((again.winnings[name] == played.winnings[name]).all() for name in versions)


def test_a_player_leads_its_own_copy_by_nothing(tmp_path: Path) -> None:
    context = Context(tmp_path, "seconds", 1, 1, "loki")
    same = "loki:model=none"
    played = play(context, {"one": (same, 1), "other": (same, 1)}, 40, "self")
    assert (played.winnings["one"] == 0).all()


def test_the_whole_experiment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loki, "deals_of", lambda _: (2, 3))
    found = list(EXPERIMENTS["loki"](Context(tmp_path, "seconds", 3, 1, "loki")))
    names = [one.name for one in found]
    assert len(set(names)) == len(names) == 16
    assert {one.verdict for one in found} <= {AGREES, WRONG_SIGN, NOT_SETTLED, DIFFERS, NOT_PRINTED}
    generic = found[0]
    assert generic.ci95 is not None
    assert isinstance(generic.measured, float)
    low, high = generic.ci95
    expected = AGREES if low > 0 else (WRONG_SIGN if high < 0 else NOT_SETTLED)
    assert generic.verdict == expected
    assert (tmp_path / "pictures" / "loki-generic.png").exists()
    assert all(isinstance(one.measured, str) and "against" in one.measured for one in found[-3:])


def test_an_estimate_is_of_deals_not_of_hands(tmp_path: Path) -> None:
    played = play(Context(tmp_path, "seconds", 1, 1, "loki"), {"a": ("call", 1), "b": ("random", 1)}, 50, "n")
    assert mean_interval(played.winnings["a"]).n == 50
