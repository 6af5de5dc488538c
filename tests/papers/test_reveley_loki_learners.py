"""XCS against Loki, settled: the number of seeds from a pilot, five learners, and what is said of them."""

from pathlib import Path

import numpy as np
import pytest

import loki_pilot
from cardwin.papers import Context, findings_of, paper_of
from cardwin.papers.reveley import loki_learners
from cardwin.papers.reveley.baselines import BASELINES, Baselines
from cardwin.papers.reveley.loki_learners import LEARNERS, NETWORK, loki_trial, run_learner
from cardwin.papers.reveley.trainings import TEACHER, Table, Training, TrainingResult, sizes
from cardwin.papers.verdicts import Verdict
from loki_pilot import HALF_WIDTH, LEAST, half_width, seeds_needed

WINS = {"plain": 0.0, "bit-spread": 0.2, "all four": -0.3, "table": 0.3, "network": 0.4}


def test_the_number_of_seeds_is_the_least_that_makes_the_interval_narrow_enough() -> None:
    assert half_width(0.0598, 8) == pytest.approx(0.05, abs=1e-4)  # t(7) is 2.3646
    assert seeds_needed(0.0, 12) == seeds_needed(0.0597, 12) == LEAST == 8
    for deviation in (0.06, 0.08, 0.1):
        found = seeds_needed(deviation, 100)
        assert half_width(deviation, found) <= HALF_WIDTH < half_width(deviation, found - 1)
    assert seeds_needed(1.0, 10) == 10
    assert seeds_needed(0.01, 8) == 8


def test_the_settled_experiment_is_declared_with_eight_seeds_and_a_million_hands() -> None:
    size = sizes(Context(Path(), "paper", 1), "settled")
    assert size["seeds"] >= LEAST
    assert size["hands"] == 1_000_000


@pytest.mark.parametrize("spec", ["xcs:N=300,see=hs+round", NETWORK])
def test_learners_meet_loki_and_are_judged_by_three_lokis(spec: str) -> None:
    one, again = (run_learner(loki_trial(spec, 300, 5, 6)) for _ in range(2))
    assert one.training == Training(spec, TEACHER, 300, 5)
    assert [len(won) for won in one.won] == [6, 6, 6]
    assert all((a == b).all() for a, b in zip(one.won, again.won, strict=True))
    assert (one.rules > 0) == (spec != NETWORK)
    assert one.mean() == pytest.approx(np.mean([won.mean() for won in one.won]))


def test_what_is_said_of_the_learners_follows_from_their_trainings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made_up(hands: int, seeds: list[int], deals: int, workers: int) -> dict[str, list[TrainingResult]]:  # noqa: ARG001
        return {
            name: [TrainingResult(Training(spec, TEACHER, hands, seed), tuple(np.full(4, WINS[name] + seed % 7 / 1000)
                   for _ in range(3)), np.zeros(1), 9, 0.5) for seed in seeds]
            for name, spec in LEARNERS.items()
        }  # fmt: skip

    def blind(tables: list[Table], seeds: list[int], deals: int, workers: int) -> Baselines:  # noqa: ARG001
        won = {name: dict.fromkeys(seeds, -0.5 if name == "always folds" else -1.0) for name in BASELINES}
        return Baselines(dict.fromkeys(tables, won))

    monkeypatch.setattr(loki_learners, "run_learners", made_up)
    monkeypatch.setattr(loki_learners, "baselines_of", blind)
    context = Context(tmp_path, "paper", 1, 1, "settled")
    found = {one.name: one for one in findings_of(paper_of("reveley"), "settled", context)}
    beyond = found["settled: all four changes against Loki, beyond the best blind player"]
    assert beyond.measured == pytest.approx(0.2, abs=0.01)
    assert beyond.verdict == Verdict.AGREES
    assert found["settled: all four changes against Loki, minus plain"].verdict == Verdict.WRONG_SIGN
    assert found["settled: what bit-spread wins from Loki"].verdict is None
    assert "Holm over 5" in found["settled: what bit-spread wins from Loki"].reason
    assert found["settled: bit-spread minus table, against Loki"].measured == pytest.approx(-0.1)
    table, by_seed = context.parts
    assert [row[0] for row in table.rows] == [*LEARNERS, *BASELINES]  # type: ignore[union-attr]
    assert all(len(row) == 9 for row in table.rows)  # type: ignore[union-attr]
    assert len(by_seed.rows[0]) == 2 + sizes(context, "settled")["seeds"]  # type: ignore[union-attr]


def test_the_pilot_prints_a_line_for_each_learner(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loki_pilot, "LEARNERS", {"few rules": "xcs:N=300,see=hs+round"})
    monkeypatch.setattr(loki_pilot, "save_ehs_table", lambda: None)
    assert loki_pilot.main(["--seeds", "2", "--hands", "200", "--deals", "5", "--most", "9"]) == 0
    first, line = capsys.readouterr().out.splitlines()
    assert first.startswith("200 hands, 5 deals a judge, 2 seeds")
    assert line.startswith("few rules: ")
    assert "9 seeds" in line or "8 seeds" in line
