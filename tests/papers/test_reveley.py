"""Loki's experiments, small: verdicts follow from estimates, and the same seed finds the same."""

from pathlib import Path

import numpy as np
import pytest

from cardwin.papers import Context, findings_of, paper_of, verdicts
from cardwin.papers.register import register
from cardwin.papers.reveley import loki
from cardwin.papers.reveley.loki import play
from cardwin.papers.sample import finding_of
from cardwin.papers.verdicts import Verdict
from cardwin.stats.intervals import Estimate, mean_interval


def estimate(low: float, high: float) -> Estimate:
    return Estimate((low + high) / 2, (high - low) / 2, low, high, 100, "t")


def verdict_of(name: str, low: float, high: float) -> tuple[Verdict | None, int | None]:
    found = finding_of(loki.measured(name, estimate(low, high)), register("cardwin.papers.reveley"))
    return found.verdict, found.needed


def test_claims_are_judged_by_the_interval_over_deals() -> None:
    lead, level = "tight minus moderate", "specific minus generic model"
    assert {register("cardwin.papers.reveley").margin(name) for name in (lead, level)} == {0.05}
    assert verdict_of(lead, 0.06, 0.09) == (Verdict.AGREES, None)
    assert verdict_of(lead, 0.01, 0.04) == (Verdict.NO_DIFFERENCE, None)
    assert verdict_of(lead, 0.01, 0.09) == (Verdict.UNDECIDED, None)
    assert verdict_of(level, -0.01, 0.04) == (Verdict.AGREES, None)
    assert verdict_of(level, 0.06, 0.2)[0] == Verdict.DIFFERS
    assert verdict_of(level, -0.1, 0.1) == (Verdict.CANNOT_TELL, 400)
    assert verdict_of("loki against one who always calls", 0.06, 0.2)[0] is None


def test_the_answer_names_whom_a_model_pays_against() -> None:
    value = {"a": estimate(0.1, 0.3), "b": estimate(-0.3, -0.1), "c": estimate(-0.1, 0.1)}
    assert loki.gains_text(value) == (
        "pays against a (+0.20 ± 0.10); costs against b (-0.20 ± 0.10); undecided against c (+0.00 ± 0.10)"
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
    monkeypatch.setattr(loki, "sizes", lambda *_: {"models": 2, "rules": 2, "heads-up": 3})
    found = findings_of(paper_of("reveley"), "loki", Context(tmp_path, "seconds", 3, 1, "loki"))
    names = [one.name for one in found]
    assert len(set(names)) == len(names) == 16
    assert sum(one.verdict is None for one in found) == 6  # Loki against three careless ones, and three answers
    generic = found[0]
    assert generic.ci95 is not None
    assert isinstance(generic.measured, float)
    assert generic.verdict == verdicts.judge(verdicts.above(0.05), generic.ci95)
    assert (tmp_path / "pictures" / "loki-generic.png").exists()
    assert all(isinstance(one.measured, str) and "against" in one.measured for one in found[-3:])


def test_an_estimate_is_of_deals_not_of_hands(tmp_path: Path) -> None:
    played = play(Context(tmp_path, "seconds", 1, 1, "loki"), {"a": ("call", 1), "b": ("random", 1)}, 50, "n")
    assert mean_interval(played.winnings["a"]).n == 50
