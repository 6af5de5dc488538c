"""What each of the compiler's options wins: `python tools/compiler_options.py [--rounds 3] [OPTION ...]`.

For each option, a copy of the package without it is measured beside the package: CPU seconds of first uses, each from
an empty kernel cache, and CPU seconds of jobs from a warm cache. Both copies take turns, and medians are printed.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import cardwin
from cardwin.core.files import cache_folder

PACKAGE = Path(cardwin.__file__).parent
WITH = "with"

# The source of an option, and the text by which the package does without it.
OPTIONS = {
    "inner kernels": (
        "core/kernel.py",
        {
            "numba.njit(**options)": "numba.njit(forceinline=True, **options)",
            "entry.get_call_template, entry.get_overload = resolve, inner.get_overload": "del inner, resolve",
        },
    ),
    "bitcode on disk": (
        "core/kernel.py",
        {'_cached(compile_, function, folder and folder / "inner", InnerCache)': "compile_(function)"},
    ),
    "refcount=False": ("core/kernel.py", {'"_nrt": refcount': '"_nrt": True'}),
    "vector layers": ("players/network/decision.py", {"if COMPILED and code == TANH and": "if len(hidden) < 0 and"}),
    "prefetching": ("core/intrinsics.py", {"            builder.call(call,": "            (call,"}),
    "no_cfunc_wrapper": ("core/kernel.py", {'"no_cfunc_wrapper": True': '"no_cfunc_wrapper": False'}),
    "literals as integers": ("core/kernel.py", {"map(numba.types.unliteral, args)": "args"}),
}  # fmt: skip

FIRST_USES = {
    "match call random": "match call random --hands 1000 --seed 1",
    "then match net:champion call": "match net:champion call --hands 1000 --seed 1",
    "then tournament random*12": "tournament random*12 --tables 1 --seed 1",
    "then match cfr:limit call": "match cfr:limit call --game holdem-limit --hands 1000 --seed 1",
    "then match loki call": "match loki call --game holdem-limit --hands 500 --seed 1",
}

BENCHMARKS = Path(__file__).parent.parent / "benchmarks"
# A worker process runs a job once to warm up. Then it prints the CPU seconds of a run for every line that it reads.
WORKER = """
import sys, time
import cardwin
import numpy as np
from speed import holdem
from speed import neuro


def networks():
    series = neuro._series(neuro.random_networks(300))
    return lambda: series.play(0, neuro.SLICE)


def passes():
    inputs, hidden, out = (np.ones(length, np.float32) for length in (36, 20, 3))
    weights, length = neuro.random_networks(1000).reshape(-1), neuro.Shape().weights
    return lambda: neuro.many_passes(weights, 1000, length, inputs, hidden, out)


def live_table():
    table = holdem.LiveTable(holdem.GAME, [holdem.PythonCaller(), holdem.player("random")])

    def play():
        for hand in range(2000):
            table.play([holdem.GAME.stack] * 2, hand % 2, holdem.child(1, hand))

    return play


def match(*specs, **options):
    return lambda: cardwin.match(specs, seed=1, **options)


JOBS = {
    "match call random": lambda: match("call", "random", hands=400_000),
    "match of ten random": lambda: match(*["random"] * 10, hands=40_000),
    "match net:champion call": lambda: match("net:champion", "call", hands=30_000),
    "200,000 passes of 1,000 networks": passes,
    "tournaments of 300 networks": networks,
    "a Python player's live table": live_table,
}
play = JOBS[sys.argv[1]]()
play()
print("ready", flush=True)
for _ in sys.stdin:
    start = time.process_time()
    play()
    print(time.process_time() - start, flush=True)
"""
JOBS = (
    "match call random",
    "match of ten random",
    "match net:champion call",
    "200,000 passes of 1,000 networks",
    "tournaments of 300 networks",
    "a Python player's live table",
)


def copy_without(option: str, folder: Path) -> Path:
    """Copy the package without an option, or whole; return the folder to import it from."""
    source = folder / option.replace("/", " ") / "src"
    shutil.copytree(PACKAGE, source / "cardwin")
    if option != WITH:
        name, edits = OPTIONS[option]
        file = source / "cardwin" / name
        text = file.read_text(encoding="utf-8")
        for before, after in edits.items():
            if before not in text:
                raise ValueError(f"expected {before!r} in {name}")
            text = text.replace(before, after)
        file.write_text(text, encoding="utf-8")
    return source


def environment(source: Path, cache: Path) -> dict[str, str]:
    """Return the environment of a process that imports that copy and uses that cache."""
    cache.mkdir(exist_ok=True)
    for odds in cache_folder().glob("odds-*"):
        if not (cache / odds.name).exists():
            (cache / odds.name).symlink_to(odds)
    return {**os.environ, "PYTHONPATH": str(source), "CARDWIN_CACHE": str(cache), "OPENBLAS_NUM_THREADS": "1"}


def first_uses(source: Path, folder: Path) -> list[float]:
    """Return CPU seconds of each command, one after another from an empty cache."""
    times = []
    with tempfile.TemporaryDirectory() as cache:
        for command in FIRST_USES.values():
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            words = [sys.executable, "-m", "cardwin", *command.split()]
            subprocess.run(words, env=environment(source, Path(cache)), cwd=folder, check=True, capture_output=True)  # noqa: S603  our own commands
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return times


def job_times(job: str, sources: dict[str, Path], folder: Path, rounds: int) -> dict[str, list[float]]:
    """Return CPU seconds of a job by copy, from processes that take turns."""
    workers = {}
    for name, source in sources.items():
        words = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(BENCHMARKS)!r})\n{WORKER}", job]
        env = environment(source, folder / f"cache {source.parent.name}")
        workers[name] = subprocess.Popen(  # noqa: S603  our own program
            words, env=env, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
    times: dict[str, list[float]] = {name: [] for name in sources}
    for worker in workers.values():
        assert worker.stdout is not None  # noqa: S101
        worker.stdout.readline()
    for _ in range(rounds):
        for name, worker in workers.items():
            assert worker.stdin is not None  # noqa: S101
            assert worker.stdout is not None  # noqa: S101
            worker.stdin.write("\n")
            worker.stdin.flush()
            times[name].append(float(worker.stdout.readline()))
    for worker in workers.values():
        worker.communicate()
    return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("options", nargs="*", default=list(OPTIONS), help=", ".join(OPTIONS))
    parser.add_argument("--rounds", type=int, default=3, help="first uses of each copy; jobs run five times as often")
    parser.add_argument("--jobs", default=";".join(JOBS), help="jobs, separated by semicolons")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sources = {option: copy_without(option, folder) for option in (WITH, *arguments.options)}
        times: dict[str, list[list[float]]] = {option: [] for option in sources}
        for _ in range(arguments.rounds):
            for option, source in sources.items():
                times[option].append(first_uses(source, folder))
        for option, rows in times.items():
            medians = [statistics.median(column) for column in zip(*rows, strict=True)]
            for command, seconds in zip(FIRST_USES, medians, strict=False):
                print(f"{seconds:7.1f} s  {command:32} {option}", flush=True)
        for job in filter(None, arguments.jobs.split(";")):
            for option, seconds in job_times(job, sources, folder, 5 * max(arguments.rounds, 1)).items():
                print(f"{1000 * statistics.median(seconds):7.0f} ms {job:32} {option}", flush=True)


if __name__ == "__main__":
    main()
