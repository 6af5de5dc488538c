"""How far evolutions in tournaments are, finished or not: a row for each run, and one picture of all.

    python tools/run_progress.py PICTURE.png RUN ...

The digest is the one after that generation: whoever runs the same experiment so far has the same.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from cardwin.reports import html
from cardwin.runs import checkpoint
from cardwin.runs.reader import RunData, read

LAST = 10  # generations over which reliability is averaged
PANELS = {
    "reliability": "reliability of fitness",
    "spread": "deviation of a weight",
    "best_outlived": "share that the best outlasts",
}


def row(data: RunData) -> str:
    """Return generations, seconds, reliability, spread of genes and the digest so far, as a row of a table."""
    saved = checkpoint.newest(data.folder / "checkpoints")
    if saved is None:
        raise SystemExit(f"{data.folder} has no checkpoint")
    series = list(data.populations.values())
    reliable = np.mean([np.nanmean(one.metrics["reliability"][-LAST:]) for one in series])
    first, last = (np.mean([one.metrics["spread"][at] for one in series]) for at in (0, -1))
    return (
        f"| {data.folder.name} | {saved.notes['generation']} of {data.experiment.steps} | "
        f"{float(saved.notes['seconds']):,.0f} | {reliable:.2f} | {first:.2f} to {last:.2f} | "
        f"`{saved.notes['chain'][:8]}…` |"
    )


def draw(path: Path, runs: list[RunData]) -> None:
    """Draw a panel per metric, over the generations."""
    figure = html.figure(11, 3.2)
    for axes, (name, label) in zip(figure.subplots(1, len(PANELS)), PANELS.items(), strict=True):
        for data in runs:
            for population, series in data.populations.items():
                if name in series.metrics:
                    alone = len(data.populations) == 1
                    title = data.folder.name if alone else f"{data.folder.name}, {population}"
                    axes.plot(series.generation, series.metrics[name], lw=1.0, label=title)
        axes.set(xlabel="generation", ylabel=label)
        axes.set_ylim(bottom=0)
    axes.legend(fontsize=7, frameon=False)
    figure.savefig(path, dpi=110)


def main() -> None:
    """Print the table and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("picture", type=Path)
    parser.add_argument("runs", type=Path, nargs="+")
    asked = parser.parse_args()
    runs = [read(folder) for folder in asked.runs]
    lines = [
        "| run | generations | seconds | reliability | deviation of a weight | digest |",
        "|---|---:|---:|---:|---|---|",
    ]
    sys.stdout.write("\n".join([*lines, *map(row, runs)]) + "\n")
    draw(asked.picture, runs)


if __name__ == "__main__":
    main()
