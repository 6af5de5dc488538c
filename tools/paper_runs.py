"""Run rows of docs/papers/RUNS.md again and report what changed.

    python tools/paper_runs.py [WORD ...] [--seconds N] [--write] [--before RUN]

Rows of `reproduce` commands are selected by words of the command, and by CPU seconds of at most N. Each is run with one
worker. The exit code is 1 if a digest differs. `--write` puts the new digests and CPU seconds into the table. With
`--before`, the folder of an earlier run of the same command, the findings that differ are printed.
"""

import argparse
import json
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "papers" / "RUNS.md"
TODAY = "## Repeated with this version"
ROW = re.compile(r"^\| `(reproduce [^`]+)` \| `([0-9a-f]{32})` \| ([\d,]*) \|$", re.MULTILINE)


@dataclass(frozen=True)
class Row:
    """A row of the table: the command, the digest, and the CPU seconds if they were recorded."""

    command: str
    digest: str
    seconds: int | None

    def __str__(self) -> str:
        return f"| `{self.command}` | `{self.digest}` | {'' if self.seconds is None else f'{self.seconds:,}'} |"


def rows(text: str, today: bool = True) -> list[Row]:
    """Return the rows of `reproduce` commands, by default those that were repeated with this version."""
    part = text[text.index(TODAY) :].split("\n## ")[0] if today else text
    return [
        Row(command, digest, int(seconds.replace(",", "")) if seconds else None)
        for command, digest, seconds in ROW.findall(part)
    ]


def remake(row: Row, folder: Path) -> tuple[Row, dict[str, Any]]:
    """Run a row's command in a new folder, and return the row as it is now and the run's answer."""
    before = _cpu_seconds()
    words = [*row.command.split(), "--workers", "1", "--no-report", "--json", "--out", str(folder)]
    done = subprocess.run([sys.executable, "-m", "cardwin", *words], capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(f"{row.command}: exit code {done.returncode}: {done.stderr.strip()}")
    answer = json.loads(done.stdout)
    return Row(row.command, answer["digest"], max(round(_cpu_seconds() - before), 1)), answer


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def changes(before: dict[str, Any], now: dict[str, Any]) -> Iterator[str]:
    """Yield the findings of two answers that differ, by experiment and name."""
    was, new = ({(row["experiment"], row["name"]): row for row in answer["experiments"]} for answer in (before, now))
    for key in dict.fromkeys([*was, *new]):
        title = f"  {': '.join(key)}"
        if key not in was or key not in new:
            yield f"{title}: only {'before' if key in was else 'now'}"
            continue
        for name in sorted({*was[key], *new[key]}):
            if was[key].get(name) != new[key].get(name):
                yield f"{title}: {name} was {was[key].get(name)!r}, is {new[key].get(name)!r}"


def main(words: Sequence[str] | None = None) -> int:
    """Run the selected rows again."""
    options = argparse.ArgumentParser(description="Run rows of docs/papers/RUNS.md again and report what changed.")
    options.add_argument("words", nargs="*", help="words that the command must contain")
    options.add_argument("--seconds", type=int, default=10**9, help="only rows of at most this many CPU seconds")
    options.add_argument("--write", action="store_true", help="write new digests and CPU seconds into the table")
    options.add_argument("--before", type=Path, help="the folder of an earlier run: print the findings that differ")
    chosen = options.parse_args(words)
    text, differ = PAGE.read_text(encoding="utf-8"), 0
    for row in rows(text):
        if not set(chosen.words) <= set(row.command.split()) or (row.seconds or 0) > chosen.seconds:
            continue
        with tempfile.TemporaryDirectory() as folder:
            now, answer = remake(row, Path(folder) / "run")
        same = now.digest == row.digest
        differ += not same
        digest = "same digest" if same else f"digest was {row.digest}, is {now.digest}"
        print(f"{row.command}: {digest}; {now.seconds} CPU seconds, were {row.seconds}", flush=True)
        if chosen.before is not None:
            before = json.loads((chosen.before / "result.json").read_text(encoding="utf-8"))
            print(*changes(before, answer), sep="\n")
        if chosen.write and not same:
            text = text.replace(str(row), str(now), 1)
    if chosen.write:
        PAGE.write_text(text, encoding="utf-8")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
