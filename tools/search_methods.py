"""Ways to search the weights of a network, each on several seeds at about equal processor time, judged on fresh deals.

    python tools/search_methods.py FOLDER [--seeds 5] [--first 1] [--methods NAME ...] [--tables 60] [--hands 4000]

Every evolution is a run in FOLDER, METHOD-SEED, that is made once, resumed if it was stopped, and then judged as by
`tools/network_strength.py`. Generations are fixed, so that the runs can be made again; they were chosen so that each
takes about a minute of processor time, and the table has the seconds that it took with the final. All but the paper's
GA have the mixed field.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.core.files import write_atomic
from cardwin.runs import launch
from cardwin.runs.experiment import load
from cardwin.runs.reader import read
from cardwin.runs.run_folder import answer_of
from network_strength import strength

WEIGHTS, NORMALISED, GENETIC = "network.genes=weights", "network.genes=normalised", "searcher=genetic"
SHORT = "generations=80", "search.horizon=80", "hall.every=8"
METHODS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "evolution strategy, shared genes": ("neuro-es", SHORT),
    "the same without a hall": ("neuro-es", (*SHORT, "hall.capacity=0")),
    "evolution strategy, normalised inputs": ("neuro-es", (NORMALISED, *SHORT)),
    "evolution strategy, weights": ("neuro-es", (WEIGHTS, *SHORT, "search.sigma=0.3", "search.sigma_end=0")),
    "separable CMA-ES, weights": ("neuro-es", ("searcher=sep-cma-es", WEIGHTS, *SHORT)),
    "GA, all genes mutated, shared genes": ("neuro-es", (GENETIC, *SHORT, "search.mutation_rate=1.0")),
    "GA, all genes mutated, weights": ("neuro-es", (GENETIC, WEIGHTS, *SHORT, "search.mutation_rate=1.0")),
    "GA, weights": ("neuro-es", (GENETIC, WEIGHTS, *SHORT, "search.mutation_rate=0.05")),
    "paper's GA": ("neuro-hof", ("population.size=100", "hall.capacity=100", "tournaments=40", "generations=72")),
}  # fmt: skip
FINAL = "final=400"
ROBOTS = ("fold", "call", "raise", "random", "call-or-raise", "all-in")


def made(folder: Path, method: str, seed: int) -> Path:
    """Return the folder of a method's evolution, after running or resuming it if it is not finished."""
    preset, changes = METHODS[method]
    own = folder / f"{method.replace(' ', '-').replace(',', '').replace(chr(39), '')}-{seed}"
    name, experiment = load(preset, [*changes, FINAL], seed)
    if answer_of(own) is None:
        began = time.process_time()
        if (own / "experiment.toml").is_file():
            launch.resume(own, launch.Launch(report=False))
        else:
            launch.start(name, experiment, launch.Launch(own, report=False))
        write_atomic(own / "processor-seconds.json", json.dumps(time.process_time() - began).encode())
    return own


def reliabilities(own: Path) -> float:
    """Return the mean reliability of fitness in the second half of the generations."""
    (series,) = read(own).populations.values()
    values = np.asarray(series.metrics["reliability"], np.float64)
    return float(np.nanmean(values[len(values) // 2 :]))


def row(folder: Path, method: str, seed: int, tables: int, hands: int) -> dict[str, float]:
    """Return the numbers of one evolution."""
    own = made(folder, method, seed)
    kept = own / f"strength-{tables}-{hands}.json"
    if not kept.is_file():
        write_atomic(kept, json.dumps(strength(own, tables, hands, 1)).encode())
    found, matches = json.loads(kept.read_text()), json.loads(kept.read_text())["heads_up"]
    return {
        "seconds": json.loads((own / "processor-seconds.json").read_text()),
        "reliability": reliabilities(own), "rank": found["nine"]["rank"], "wins": found["nine"]["wins"],
        "mbb": found["nine"]["mbb"], "robots beaten": sum(matches[name]["low"] > 0 for name in ROBOTS),
        "by-hand": matches["net:by-hand"]["mbb"], "unseen wins": found["unseen"]["wins"],
        "unseen mbb": found["unseen"]["mbb"], "aces folded": max(found["aces_folded"].values()),
    }  # fmt: skip


def line(method: str, rows: Sequence[Mapping[str, float]]) -> str:
    """Return a row of the table: means over seeds, and their standard deviation behind ±."""

    def cell(name: str, form: str) -> str:
        values = np.array([one[name] for one in rows])
        spread = values.std(ddof=1) if len(values) > 1 else 0.0
        return f"{values.mean():{form}} ± {abs(spread):{form.lstrip('+')}}"

    forms = (("seconds", ".0f"), ("reliability", ".2f"), ("rank", ".2f"), ("wins", ".0%"), ("mbb", "+,.0f"),
             ("robots beaten", ".1f"), ("by-hand", "+,.0f"), ("unseen wins", ".0%"), ("unseen mbb", "+,.0f"),
             ("aces folded", ".0%"))  # fmt: skip
    return f"| {method} | {len(rows)} | " + " | ".join(cell(name, form) for name, form in forms) + " |"


def main() -> None:
    """Print a row for every method as soon as its seeds are judged."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--methods", nargs="+", choices=tuple(METHODS), default=tuple(METHODS))
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--hands", type=int, default=4_000)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for method in asked.methods:
        seeds = range(asked.first, asked.first + asked.seeds)
        rows: list[dict[str, Any]] = [row(asked.folder, method, seed, asked.tables, asked.hands) for seed in seeds]
        sys.stdout.write(line(method, [dict(one) for one in rows]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
