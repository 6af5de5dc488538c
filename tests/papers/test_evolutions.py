"""Evolutions inside a reproduction: stopped and resumed they end alike, and what a final states holds in fresh play."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardwin.core.experiment import Experiment
from cardwin.papers import evolutions
from cardwin.papers.evolutions import ProgressLog, evolve_in_folder, preset_with
from cardwin.papers.nicolai.champion_fitness import fresh_fitness
from cardwin.papers.nicolai.controls import CONTROLS, SIZES
from cardwin.runs.launch import Stopped
from cardwin.runs.run import Progress


def small(final: int = 8, **more: Any) -> Experiment:
    changes = {"generations": 4, "tournaments": 3, "final": final, "population": {"size": 20}, "hall": {"capacity": 20},
               "network": {"odds": "none"}, "save_seconds": 0, **more}  # fmt: skip
    return preset_with("neuro-hof", 5, changes)


def test_a_stopped_evolution_goes_on_and_ends_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = evolve_in_folder("one", small(), tmp_path / "whole")

    class Stopping(ProgressLog):
        """Interrupts the run after its second generation."""

        def __call__(self, progress: Progress) -> None:
            if progress.generation == 2:
                os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patched:
        patched.setattr(evolutions, "ProgressLog", Stopping)
        with pytest.raises(Stopped):
            evolve_in_folder("one", small(), tmp_path / "parts")
    resumed = evolve_in_folder("one", small(), tmp_path / "parts")
    assert resumed.digest == whole.digest
    assert resumed.champions["red"].read_bytes() == whole.champions["red"].read_bytes()
    assert evolve_in_folder("one", small(), tmp_path / "parts").answer == resumed.answer


def test_a_folder_without_an_experiment_is_begun_anew(tmp_path: Path) -> None:
    (tmp_path / "run" / "checkpoints").mkdir(parents=True)
    assert evolve_in_folder("one", small(), tmp_path / "run").champions["red"].is_file()


def test_the_stated_fitness_of_a_champion_is_that_of_fresh_tournaments(tmp_path: Path) -> None:
    """Chosen by a final, its fitness is from tournaments after the choice, so it is not flattered."""
    run = evolve_in_folder("one", small(final=200), tmp_path / "run")
    fresh = fresh_fitness(run, "red", 200, 7)
    error = np.sqrt(2) * fresh.std(ddof=1) / np.sqrt(len(fresh))
    assert len(fresh) == 20
    assert abs(run.fitness["red"] - fresh.mean()) < 3.5 * error


def test_every_control_has_a_final() -> None:
    for scale, size in SIZES.items():
        for control in CONTROLS.values():
            assert control.changes(size)["final"] >= (2_000 if scale in ("hour", "paper") else 8)
