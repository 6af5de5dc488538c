"""Sweeps over seeds and settings: every run is the one that `evolve` makes, and the means are theirs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.reports import report
from cardwin.reports.sweep import curve_of, mean_curve, seeds_of, settings_of, sweep
from cardwin.runs import launch
from cardwin.runs.launch import evolve
from cardwin.runs.store import Reader

SMALL = ["generations=4", "population.size=10"]


def test_seeds_and_settings_are_read() -> None:
    assert seeds_of("1-3,7") == [1, 2, 3, 7]
    assert settings_of(["a=1|2", "b=x|y"]) == [("a=1", "b=x"), ("a=1", "b=y"), ("a=2", "b=x"), ("a=2", "b=y")]
    assert settings_of([]) == [()]
    for wrong in ("", "x", "1-", "5-1", "1,1", "1-99999999", "9" * 40):
        with pytest.raises(InputError, match="--seeds"):
            seeds_of(wrong)
    for wrong in ("a", "a=", "a=1|"):
        with pytest.raises(InputError, match="--vary"):
            settings_of([wrong])


def test_a_sweep_is_made_of_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "write", lambda folder: folder)
    vary = ["search.mutation_rate=0.1|0.5"]
    found = sweep("kuhn-coevolution", SMALL, [1, 2], vary, tmp_path / "sweep")
    assert [row["setting"] for row in found["settings"]] == ["search.mutation_rate=0.1", "search.mutation_rate=0.5"]
    alone = evolve("kuhn-coevolution", [*SMALL, "search.mutation_rate=0.5"], 2, launch.Launch(tmp_path / "alone"))
    row = found["settings"][1]
    assert row["digests"][1] == alone["digest"]
    ends = [Reader(Path(run) / "run.db").primaries[1][-1] for run in row["runs"]]
    assert row["mean"] == pytest.approx(np.mean(ends))
    assert row["ci95"] == pytest.approx(12.7062 * np.std(ends, ddof=1) / np.sqrt(2), rel=1e-4)
    assert (tmp_path / "sweep" / "means.png").is_file()
    assert (tmp_path / "sweep" / "means.csv").read_text().startswith('"generation, search.mutation_rate=0.1"')
    one = mean_curve("one", [Path(row["runs"][0])])
    assert one.generation.tolist() == [0, 1, 2, 3]
    assert np.isnan(one.half).all()
    assert row["interval"][0] == max(0, row["mean"] - row["ci95"])  # nobody gives away less than nothing
    assert row["interval"][1] == pytest.approx(row["mean"] + row["ci95"])


def test_an_interval_of_shares_stays_within_0_and_1() -> None:
    rows = np.array([[0.0, 0.5, 0.9], [0.3, 0.6, 1.0]])
    curve = curve_of("it", "outlived", np.arange(3), rows)
    assert (curve.mean + curve.half > 1).all()
    assert (curve.low >= 0).all()
    assert (curve.high <= 1).all()
    assert curve_of("it", "fitness", np.arange(3), rows).low[0] < 0


def test_a_sweep_goes_on_and_takes_more_seeds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "write", lambda folder: folder)
    first = sweep("kuhn-coevolution", SMALL, [1], [], tmp_path / "sweep")
    begun: list[Any] = []

    def noted(*words: Any) -> dict[str, Any]:
        begun.append(words[3].out)
        return evolve(*words)

    monkeypatch.setattr("cardwin.reports.sweep.evolve", noted)
    more = sweep("kuhn-coevolution", SMALL, [1, 2], [], tmp_path / "sweep")
    assert begun == [tmp_path / "sweep" / "runs" / "seed-2"]
    assert more["settings"][0]["digests"][0] == first["settings"][0]["digests"][0]
    with pytest.raises(InputError, match="another changes"):
        sweep("kuhn-coevolution", ["generations=5"], [1], [], tmp_path / "sweep")
    with pytest.raises(InputError, match="sweep"):
        sweep("kuhn-coevolution", SMALL, [1], [], tmp_path)
    with pytest.raises(InputError, match="serch"):
        sweep("kuhn-coevolution", SMALL, [1], ["serch.sigma=1|2"], tmp_path / "typo")
    assert not (tmp_path / "typo").exists()
