"""A folder with very many runs, made cheaply: copies of one finished run, whose large files are the same file."""

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from filelock import FileLock

from cardwin.runs import launch


def many_runs(home: Path, count: int, unfinished: int = 0) -> list[str]:
    """Runs `run-0000`, `run-0001` … titled `Run 0000` …; the last ones have no result. Returns their names."""
    model = home.parent / f"{home.name}-model"
    launch.evolve("kuhn-coevolution", ["generations=60"], 1, launch.Launch(model, report=False))
    text = (model / "experiment.toml").read_text(encoding="utf-8")
    title = next(line for line in text.splitlines() if line.startswith("title"))
    result = (model / "result.json").read_text(encoding="utf-8")
    names = [f"run-{number:04d}" for number in range(count)]
    for number, name in enumerate(names):
        folder = home / name
        folder.mkdir(parents=True)
        (folder / "experiment.toml").write_text(text.replace(title, f'title = "Run {number:04d}"'), encoding="utf-8")
        if number < count - unfinished:
            (folder / "result.json").write_text(result, encoding="utf-8")
        os.link(model / "run.db", folder / "run.db")
        for part in ("champions", "checkpoints"):
            shutil.copytree(model / part, folder / part, copy_function=os.link)
    return names


@contextmanager
def held(home: Path, names: list[str]) -> Iterator[None]:
    """Hold runs as their processes would, so that they count as running."""
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(FileLock(home / name / ".lock"))
            (home / name / ".holder").write_text(str(os.getpid()))
        yield
