"""`cardwin verify` of damaged runs: every flipped bit is a problem, in one sentence, and never a traceback."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardwin.core.rng import draw_below, stream_of
from cardwin.runs import checksums, launch, reader
from cardwin.runs import verify as verifying
from cardwin.runs.kinds import remake_report
from cardwin.runs.verify import verify
from support import call

MODULE = """
from cardwin.games.base import CALL, CHECK, Action


class Sometimes:
    def act(self, view, rng):
        if view.min_raise_to and view.hole[0] % 3 == 0:
            return Action("raise" if view.current_bet else "bet", view.min_raise_to)
        return CALL if view.to_call else CHECK
"""
PROGRAM = "python:strange:Sometimes"
SEATS = ["call", PROGRAM]
RUNS: dict[str, dict[str, Any]] = {
    "match": {"players": SEATS, "hands": 20},
    "tournament": {"players": [*SEATS, "fold"], "tables": 1, "structure": {"every": 2}},
    "leaderboard": {"players": SEATS, "hands": 10},
    "evolve": {},
}
# In each: a person reads it, or a run continues from it.
FILES = ("run.db", "experiment.toml", "result.json", "report.html", "commitments.jsonl", "checkpoints/*", "champions/*")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One small run of each kind, with its report."""
    home = tmp_path_factory.mktemp("damage")
    (home / "strange.py").write_text(MODULE)
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(home)
        patched.syspath_prepend(str(home))
        for kind, values in RUNS.items():
            out = launch.Launch(home / kind)
            if kind == "evolve":
                launch.evolve("kuhn-coevolution", ["generations=4", "population.size=10"], 1, out)
            else:
                launch.begin(kind, values, launch=out)
        yield home


def copy_of(runs: Path, kind: str, home: Path) -> Path:
    shutil.copytree(runs / kind, home / kind)
    return home / kind


def files_of(folder: Path) -> list[Path]:
    return [path for pattern in FILES for path in sorted(folder.glob(pattern))]


def flipped(path: Path, count: int) -> Iterator[tuple[int, int]]:
    """Flip one bit of a file after the other, at random; each is flipped back."""
    content, rng = path.read_bytes(), stream_of(len(path.read_bytes()))
    for _ in range(count):
        place, bit = draw_below(rng, len(content)), draw_below(rng, 8)
        path.write_bytes(content[:place] + bytes([content[place] ^ 1 << bit]) + content[place + 1 :])
        yield place, bit
    path.write_bytes(content)


def damage(folder: Path, positions: int, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """Return the bits of a run whose flips are no problem."""
    silent, page = [], list[bytes]()

    def remake(run: Path, pictures: Path) -> bytes:
        """Make the page once: it takes seconds."""
        if not page:
            page.append(remake_report(run, pictures).replace(bytes(run), b"RUN"))
        return page[0].replace(b"RUN", bytes(run))

    for path in files_of(folder):
        with monkeypatch.context() as patched:
            if path.name != "run.db" or checksums.recorded(folder):
                patched.setattr(verifying, "remake_report", remake)
            for place, bit in flipped(path, positions):
                found = verify(folder)
                assert all(len(text.splitlines()) == 1 for text in found.problems), (path, place, found.problems)
                if not found.problems and not any("title" in text for text in found.unchecked):
                    silent.append((str(path.relative_to(folder)), place, bit))
    return silent


@pytest.mark.parametrize("kind", RUNS)
def test_an_untouched_run_is_right(kind: str, runs: Path) -> None:
    found = verify(runs / kind)
    assert (found.problems, found.unchecked) == ((), ())


@pytest.mark.parametrize("kind", [kind for kind in RUNS if kind != "evolve"])
def test_a_run_that_was_moved_and_renamed_is_right(kind: str, runs: Path, tmp_path: Path) -> None:
    moved = copy_of(runs, kind, tmp_path).rename(tmp_path / "elsewhere")
    reader.rename(moved, "Another title")
    found = verify(moved)
    assert (found.problems, found.unchecked) == ((), ("report.html has another title than the run, which was renamed",))
    (moved / "report.html").unlink()
    launch.resume(moved)
    found = verify(moved)
    assert (found.problems, found.unchecked) == ((), ())


@pytest.mark.parametrize("kind", RUNS)
def test_a_flipped_bit_of_any_file_is_a_problem(
    kind: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert damage(copy_of(runs, kind, tmp_path), 2, monkeypatch) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", RUNS)
def test_sixty_flipped_bits_of_every_file_are_problems(
    kind: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert damage(copy_of(runs, kind, tmp_path), 60, monkeypatch) == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", RUNS)
def test_without_checksums_only_what_the_run_does_not_determine_is_silent(
    kind: str, runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a person's edits, who would edit the checksums too. Free pages of SQLite and times may be silent."""
    folder = copy_of(runs, kind, tmp_path)
    (folder / checksums.FILE).unlink()
    silent = damage(folder, 60, monkeypatch)
    files = {name for name, _, _ in silent}
    assert files <= {"run.db", "result.json", "experiment.toml", "checkpoints/000000004.safetensors"}, silent
    text = (folder / "result.json").read_text()
    for name, place, _ in silent:
        if name == "result.json":
            line = text[text.rfind("\n", 0, place) : text.find("\n", place)]
            assert line.strip().startswith(('"seconds"', '"run"', '"schema"')) or text[place].isspace(), line


def test_an_edited_report_is_found_and_the_difference_shown(runs: Path, tmp_path: Path) -> None:
    folder = copy_of(runs, "match", tmp_path)
    path = folder / "report.html"
    path.write_text(path.read_text(encoding="utf-8").replace("20 hands of", "99 hands of"), encoding="utf-8")
    (folder / checksums.FILE).unlink()
    (problem,) = verify(folder).problems
    assert "report.html does not follow from the record" in problem
    assert "99 hands" in problem


def test_what_was_not_recorded_is_named(runs: Path, tmp_path: Path) -> None:
    folder = copy_of(runs, "evolve", tmp_path)
    for name in (checksums.FILE, "report.html"):
        (folder / name).unlink()
    found = verify(folder)
    assert found.ok
    assert found.unchecked == (
        "the files have no checksums: the run has no checksums.json",
        "the run has no report.html",
    )
    done = call("verify", str(folder))
    assert done.returncode == 0
    assert "not checked: the run has no report.html\n4 steps computed again: no differences\n" in done.stdout
    (folder / "champions" / "hall.json").write_text("{}")
    (folder / "experiment.toml").write_text("kind = \x00")
    done = call("verify", str(folder), "--json")
    assert done.returncode == 1
    assert "experiment.toml is not valid TOML" in json.loads(done.stdout)["problems"][0]
    assert done.stderr == ""
