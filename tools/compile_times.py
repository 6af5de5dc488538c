"""CPU seconds of a new user's first commands, from an empty kernel cache: `python tools/compile_times.py`.

Each command is a separate process; compiled kernels are cached for the next ones. The win-odds table is linked from the
user's cache, since its time is measured elsewhere. The last line counts the overloads of the engine (`advance`).
"""

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from cardwin.core.cache import cache_folder

COMMANDS = (
    "match call random --hands 1000 --seed 1",
    "match standard call --duplicate --hands 1000 --seed 1",
    "match v1 call --hands 1000 --seed 1",
    "match net:large-hof call --hands 1000 --seed 1",
    "match all-in raise fold --duplicate --hands 1000 --seed 1",
    "match all-in raise fold --reduce-variance --hands 1000 --seed 1",
    "tournament random*12 --tables 1 --seed 1",
    "tournament net:large-hof call fold random --tables 1 --seed 1",
    "match call random --watch --hands 5 --seed 1",
    "evolve neuro-hof --set population.size=20 --set hall.capacity=20 --set generations=2 --set tournaments=1 --seed 1",
)
PAGE = """
from cardwin.analysis.ev_loss import closing_calls
from cardwin.arena.interactive.tables import open_table
table = open_table("holdem-nl", ["person", "call"], 1, review=closing_calls)
table.deal()
while table.turn == 0:
    table.take(0, table.look(0)["actions"][0]["name"])
"""


def seconds(words: list[str], cache: str, folder: str) -> float:
    """CPU seconds of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env={**os.environ, "CARDWIN_CACHE": cache}, cwd=folder, check=True, capture_output=True)  # noqa: S603  our own commands
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def engine_overloads(cache: Path) -> int:
    """How many versions of `advance` are cached, for kernels and for Python."""
    return len(list(cache.glob("kernels/**/engine.advance-*.nbc")))


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as folder:
        for odds in cache_folder().glob("odds-*"):
            (Path(cache) / odds.name).symlink_to(odds)
        total = 0.0
        for command in COMMANDS:
            took = seconds([sys.executable, "-m", "cardwin", *command.split()], cache, folder)
            total += took
            print(f"{took:6.1f}  {command}", flush=True)
        took = seconds([sys.executable, "-c", PAGE], cache, folder)
        print(f"{took:6.1f}  one hand at the page's table\n{total + took:6.1f}  in all")
        print(f"overloads of the engine: {engine_overloads(Path(cache))}")


if __name__ == "__main__":
    main()
