"""The commands about experiments and runs, as a person or a program meets them."""

import json
import re
from pathlib import Path

import pytest

from cardwin.cli.output import sparkline
from support import call, refusal

SMALL = ["--set", "generations=20", "--set", "population.size=20"]


def test_a_run_from_start_to_report(tmp_path: Path) -> None:
    done = call("evolve", "kuhn-coevolution", *SMALL, "--seed", "5", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert {"run", "generations", "best", "exploitability", "champions", "digest", "seed", "seconds"} <= set(answer)
    assert answer["run"].startswith("runs/kuhn-coevolution-")
    assert re.fullmatch(r".*-\d{8}-\d{6}", answer["run"])  # no seed: a player could read it there
    folder = tmp_path / answer["run"]
    assert "data:image/png;base64," in (folder / "report.html").read_text()
    assert (folder / "experiment.toml").is_file()
    again = call("evolve", "--resume", answer["run"], "--json", cwd=tmp_path)
    assert json.loads(again.stdout) == answer
    listed = json.loads(call("runs", "--json", cwd=tmp_path).stdout)
    assert [row["digest"] for row in listed["runs"]] == [answer["digest"]]
    assert answer["run"] in call("runs", cwd=tmp_path).stdout
    assert call("runs", "rm", answer["run"], cwd=tmp_path).returncode == 0
    assert not folder.exists()


def test_the_file_that_init_writes_runs(tmp_path: Path) -> None:
    assert call("init", "mine.toml", cwd=tmp_path).returncode == 0
    done = call("evolve", "mine.toml", *SMALL, "--set", "search.elites=2", "--out", "run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "exploitability" in done.stdout
    assert "seed" in done.stdout
    refused = call("init", "mine.toml", cwd=tmp_path)
    assert refused.returncode == 2
    assert "exists" in refused.stderr


def test_presets_are_listed() -> None:
    done = call("presets", "--json", cwd=Path.cwd())
    names = {row["name"] for row in json.loads(done.stdout)["presets"]}
    assert {"kuhn-coevolution", "lopez-coevolution", "morsomme", "leduc-coevolution"} <= names


def test_presets_are_grouped_by_the_work_they_are_from(tmp_path: Path) -> None:
    with_report = call("presets", cwd=tmp_path).stdout.splitlines()
    assert len(with_report) < 60
    assert any("López Pozuelo (2015)" in line for line in with_report)
    (alike,) = (line for line in with_report if "lopez-GAME-MODEL-SEAT" in line)
    assert "36 presets" in alike
    every = call("presets", "lopez-kuhn-full-", cwd=tmp_path).stdout
    assert every.count("lopez-kuhn-full-") == 8


@pytest.mark.parametrize(
    ("words", "clue"),
    [
        (["evolve", "no-such-preset"], "no-such-preset"),
        (["evolve"], "--resume"),
        (["evolve", "kuhn-coevolution", "--set", "populaton.size=3"], "populaton"),
        (["evolve", "--resume", "nowhere"], "run folder"),
        (["evolve", "--resume", "nowhere", "--seed", "3"], "unexpected --seed"),
        (["evolve", "kuhn-coevolution", "--set", "game=kuuhn"], " kuhn"),
        (["evolve", "kuhn-coevolution", "--set", "first.against=['nobody']"], "nobody"),
        (["evolve", "kuhn-coevolution", "--out", "/proc/cardwin"], "/proc/cardwin"),
        (["evolve", "lopez-coevolution", "--set", "population.size=1000", "--out", "odd"], "101"),
        (["runs", "rm", "."], "run folder"),
        (["runs", "compare", "one"], "two"),
        (["init", "mine.txt"], ".toml"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path: Path, words: list[str], clue: str) -> None:
    assert clue in refusal(*words, cwd=tmp_path)


def test_a_sparkline_falls_with_its_numbers() -> None:
    assert sparkline([1.0, 0.1, 0.01]) == "█▄▁"
    assert sparkline([0.5]) == "▁"
