"""Classifier systems as runs: exact where games are small, resumable, and their rule files refused when not whole."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardwin.core.errors import InputError
from cardwin.players.xcs.descriptions import fittest
from cardwin.players.xcs.files import read, write
from cardwin.players.xcs.training.experiment import experiment_values
from cardwin.players.xcs.training.game import GameTrainer
from cardwin.players.xcs.training.problem import KnownTrainer
from cardwin.runs import launch
from cardwin.runs.experiment import check
from cardwin.runs.run import Run
from cardwin.runs.run_folder import prepare
from support import answer, call


def experiment_of(spec: str, *how: Any) -> tuple[str, Any]:
    name, values = experiment_values(spec, *how)
    return name, check(values, spec)


def test_a_problem_is_trained_reported_and_told_in_words(tmp_path: Path) -> None:
    words = ("train", "xcs", "--problem", "multiplexer-6", "--seed", "1", "--out")
    found = answer(*words, str(tmp_path / "run"))
    assert found["accuracy"] > 0.97
    assert found["trials"] == 10_000
    report = (tmp_path / "run" / "report.html").read_text()
    assert "address 0 is" in report
    assert "theta_GA" in report
    rules = read(Path(found["file"]))
    assert rules.about["problem"] == "multiplexer-6"
    assert " then " in str(fittest(rules.rules, rules.fields, rules.actions, 1)[0])
    again = answer(*words, str(tmp_path / "two"), "--workers", "2")
    assert again["digest"] == found["digest"]


def test_resumed_equals_uninterrupted(tmp_path: Path) -> None:
    digests = []
    for stops in ((), (2, 5)):
        name, experiment = experiment_of("xcs:predictions=2,N=100", "multiplexer-6", None, [], 7_500, 4)
        folder, experiment = prepare(name, experiment, tmp_path / f"run{len(stops)}")
        for stop in (*stops, 8):
            with Run(folder, experiment, lambda experiment=experiment: KnownTrainer(experiment)) as run:  # type: ignore[misc]
                run.load()
                while run.generation < stop:
                    run.step()
                run.save()
        digests.append(run.chain)
        assert launch.resume(folder)["trials"] == 7_500
    assert digests[0] == digests[1]


@pytest.mark.parametrize(("against", "best"), [("uniform", 1 / 2), ("caller", 1 / 3)])
def test_in_kuhn_poker_it_finds_the_best_response(against: str, best: float) -> None:
    """Its exact expectation, not a sample of it; and nobody can guarantee more than the game's value."""
    _, experiment = experiment_of("xcs", None, "kuhn", [against], 100_000, 1)
    trainer = GameTrainer(experiment)
    values = [trainer.step(key).metrics["rules"]["value"] for key in range(20)]
    assert trainer.best_response == pytest.approx(best)
    assert np.median(values[-5:]) == pytest.approx(best)
    assert trainer.evaluate()["guarantee"] <= -1 / 18 + 1e-9


def test_rule_files_that_are_not_whole_are_refused_by_name(tmp_path: Path) -> None:
    _, experiment = experiment_of("xcs", "multiplexer-6", None, [], 500, 1)
    trainer = KnownTrainer(experiment)
    trainer.step(1)
    (path,) = trainer.write_champions(tmp_path)
    whole = path.read_bytes()
    back = read(path)
    write(tmp_path / "again", back)
    assert (tmp_path / "again").read_bytes() == whole
    for change, part in (
        (whole[: len(whole) // 2], "damaged"),
        (whole[:-9] + bytes(8) + whole[-1:], "checksum"),
        (whole.replace(b"address 0", b"address 9"), "checksum"),
        (whole.replace(b'"schema":"2"', b'"schema":"9"'), "schema 9"),
        (b"", "damaged"),
    ):
        assert change != whole
        path.write_bytes(change)
        with pytest.raises(InputError, match=part) as caught:
            read(path)
        assert path.name in str(caught.value)


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (("xcs",), ("--problem",)),
        (("xcs", "--problem", "multiplexer-7"), ("multiplexer-7", "multiplexer-37")),
        (("xcs:beta=3,mu=-1,N=1", "--problem", "woods1"), ("beta", "3.0", "mu", "-1.0", "N ")),
        (("xcs:beta=x", "--problem", "woods1"), ("beta=x",)),
        (("xcs:theta=3", "--problem", "woods1"), ("theta",)),
        (("xcs", "--game", "kuhn", "--against", "nobody"), ("nobody",)),
        (("xcs", "--game", "nogame"), ("nogame",)),
    ],
)
def test_mistakes_end_in_one_line(words: tuple[str, ...], parts: tuple[str, ...], tmp_path: Path) -> None:
    done = call("train", *words, "--out", str(tmp_path / "run"))
    assert done.returncode == 2, json.dumps(done.stderr)
    assert all(part in done.stderr for part in parts), done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "run").exists()
