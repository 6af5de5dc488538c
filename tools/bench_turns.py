"""Compare the speed of two checkouts: `tools/bench_turns.py OLD NEW [--rounds 5] [--names NAME...] [--keep FILE]`.

Every group of `cardwin bench` runs in both checkouts in turns, round after round. For each row: both medians, how many
times as fast the new one is, and the larger of the two relative spreads (half of the interquartile range). A row is
marked if it is slower by more than 3% beyond the spread. FILE keeps the results, and a second call goes on from it.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median, quantiles

# Groups of rows. Left out are those that measure compilation alone, which tools/first_uses.py does.
GROUPS = (
    *("cfr", "exploitability", "populations", "start", "coevolution", "growth", "batch", "calls", "census", "look-ups"),
    *("potential", "cards/tables", "holdem-random", "holdem-threads", "holdem-python", "holdem-replay", "environments"),
    *("matches", "arena/tournaments", "holdings", "loki/tables", "training", "memory", "control", "passes"),
    *("neuro/tournaments", "paper", "xcs/speed", "answers"),
)
TIMES = ("s", "ms", "us", "MB")  # less is better
LIMIT = 0.97


def run_group(tree: Path, name: str) -> list[dict[str, object]]:
    """Run one group of rows in a checkout."""
    environment = {**os.environ, "PYTHONPATH": str(tree / "src")}
    command = [sys.executable, "-m", "cardwin", "bench", name, "--json"]
    done = subprocess.run(command, env=environment, cwd=tree, capture_output=True, text=True)  # noqa: S603  our own command
    if done.returncode:
        print(f"{tree} {name}: {done.stderr.strip()[-200:]}", file=sys.stderr, flush=True)
        return []
    results: list[dict[str, object]] = json.loads(done.stdout)["results"]
    return results


def table(kept: Iterable[dict[str, object]]) -> list[str]:
    """Return the lines that compare the two checkouts."""
    values: dict[tuple[str, str], tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for row in kept:
        values[str(row["name"]), str(row["unit"])][int(str(row["tree"]))].append(float(str(row["ours"])))
    lines = []
    for (name, unit), (old, new) in values.items():
        if not old or not new:
            lines.append(f"  {name:<72} only in {'the new' if new else 'the old'} checkout")
            continue
        ratio = median(old) / median(new) if unit in TIMES else median(new) / median(old)
        spread = max(_spread(old), _spread(new))
        mark = "SLOWER" if ratio < LIMIT - spread else ""
        lines.append(
            f"  {name:<72}{median(old):>14,.4g}{median(new):>14,.4g} {unit:<14}{ratio:6.2f} +-{spread:4.2f}  {mark}"
        )
    return lines


def _spread(values: list[float]) -> float:
    """Return half of the interquartile range, relative to the median."""
    if len(values) < 2:
        return 0.0
    lower, _, upper = quantiles(values, n=4, method="inclusive")
    return (upper - lower) / 2 / median(values)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs=2, type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--names", nargs="+", default=GROUPS)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    kept = (
        [json.loads(line) for line in options.keep.read_text().splitlines()]
        if options.keep and options.keep.exists()
        else []
    )
    known = {(row["round"], row["group"], row["tree"]) for row in kept}
    for number in range(options.rounds):
        for group in options.names:
            for tree, path in enumerate(options.trees):
                if (number, group, tree) in known:
                    continue
                start = time.monotonic()
                rows = [
                    {"round": number, "group": group, "tree": tree, **row} for row in run_group(path.resolve(), group)
                ]
                print(f"{number} {group} {path}: {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)
                kept += rows
                if options.keep:
                    with options.keep.open("a") as file:
                        file.writelines(json.dumps(row) + "\n" for row in rows)
    print("\n".join(table(kept)))


if __name__ == "__main__":
    main()
