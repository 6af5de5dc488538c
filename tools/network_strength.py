"""How strong the champions of finished runs of networks are, by tables and hands that no search has seen.

    python tools/network_strength.py FOLDER ... [--tables 100] [--hands 10000] [--json]

For every run folder:
1. fitness again, by twice as many fresh tournaments: whether the 99% interval of the difference has zero;
2. the nine-seat tables of Nicolai and Hilderman, every seat in turn with the same cards;
3. heads-up against the robots, the matrices and the networks written by hand, every deal in both seats;
4. a table of nine with opponents that no training has seen;
5. how often it folds aces in the charts before the flop.
"""

import argparse
import json
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cardwin.arena.match import MatchOptions, match
from cardwin.arena.tournament import TournamentOptions, tournament
from cardwin.cards.holdings import CLASS_NAMES
from cardwin.core.executor import open_executor
from cardwin.core.rng import key_of
from cardwin.games.holdem.game import holdem_game
from cardwin.players.network.preflop import SITUATIONS, preflop_chances
from cardwin.results.match import judge_match
from cardwin.runs import checkpoint
from cardwin.runs.experiment import load
from cardwin.runs.problems.tournament import TournamentEvolutionExperiment, form_of
from cardwin.runs.problems.tournament.problem import PARTS, TournamentProblem
from cardwin.stats.intervals import quantile

NL = holdem_game("holdem-nl", {})
NINE = ("random", "call", "raise", "fold", "call-or-raise", "matrix:old-best", "matrix:old-scratch", "matrix:old-start")
HEADS_UP = ("fold", "call", "raise", "random", "call-or-raise", "all-in", "matrix:old-best", "matrix:old-scratch",
            "matrix:old-start", "net:by-hand", "net:by-hand-2")  # fmt: skip
UNSEEN = ("net:large-hof", "net:small-hof", "net:baseline", "net:hof2pop-a", "net:hof2pop-b", "standard",
          "net:by-hand", "net:by-hand-2")  # fmt: skip
BATCHES, CHANCE = 20, 0.995  # a two-tailed interval of 99%
SEED = 1970


def again(folder: Path, workers: int) -> dict[str, float | bool]:
    """Compare the stated fitness with fresh finals, with the interval of their difference."""
    _, experiment = load(str(folder / "experiment.toml"))
    if not isinstance(experiment, TournamentEvolutionExperiment):
        raise SystemExit(f"{folder} does not evolve players in tournaments")
    problem, saved = TournamentProblem(experiment), checkpoint.newest(folder / "checkpoints")
    if saved is None:
        raise SystemExit(f"{folder} has no checkpoint")
    halls = {name: problem.hall(name, 0) for name in problem.populations}
    for name, hall in halls.items():
        prefix = f"hall.{name}."
        hall.load({key.removeprefix(prefix): one for key, one in saved.arrays.items() if key.startswith(prefix)})
    name = problem.populations[0]
    genes, stated = saved.arrays[f"champion.{name}.genes"], float(saved.arrays[f"champion.{name}.values"][0])
    living = saved.arrays[f"before.{name}"]
    part = max(1, experiment.final // PARTS)
    with open_executor(workers) as executor:
        keys = [key_of(SEED, str(number)) for number in range(BATCHES)]
        fresh = np.array(
            [problem.fresh_fitness(name, living, halls, executor, genes[None], part, key)[0] for key in keys]
        )
    # The stated fitness is a mean of PARTS such batches, with its own interval of 95%.
    own = float(saved.arrays[f"champion.{name}.values"][2]) / quantile(0.975, PARTS - 1)
    half = quantile(CHANCE, PARTS - 1) * math.hypot(own, fresh.std(ddof=1) / math.sqrt(BATCHES))
    difference = stated - fresh.mean()
    return {"stated": stated, "fresh": float(fresh.mean()), "low": float(difference - half),
            "high": float(difference + half), "covers_zero": bool(abs(difference) <= half)}  # fmt: skip


def at_table(spec: str, opponents: tuple[str, ...], tables: int, workers: int) -> dict[str, float]:
    """Return the mean rank, share of tournaments won and mbb per hand, with 95% intervals over tables."""
    record = tournament(NL, [spec, *opponents], tables, SEED, workers, options=TournamentOptions(duplicate=True))
    results, per = record.results, record.per_table
    ranks = results.ranks[:, 0].reshape(-1, per)
    won, hands = (column[:, 0].reshape(-1, per).sum(axis=1) for column in (results.won, results.hands))
    rate = won.sum() / hands.sum()
    half = quantile(0.975, tables - 1) / math.sqrt(tables)
    wins = (ranks == 1).mean(axis=1)
    # The ratio of two sums: the deviation of its numerator from what the ratio would give (a linear approximation).
    spread = (won - rate * hands).std(ddof=1) / hands.mean()
    return {"rank": float(ranks.mean()), "rank_ci95": float(half * ranks.mean(axis=1).std(ddof=1)),
            "wins": float(wins.mean()), "wins_ci95": float(half * wins.std(ddof=1)),
            "mbb": float(rate), "mbb_ci95": float(half * spread)}  # fmt: skip


def heads_up(spec: str, hands: int, workers: int) -> dict[str, dict[str, float]]:
    """Winnings in mbb a hand against every opponent, with the interval that `cardwin match` shows."""
    found = {}
    for opponent in HEADS_UP:
        one = judge_match(
            match(NL, [spec, opponent], hands, SEED, workers, options=MatchOptions(duplicate=True))
        ).players[0]
        found[opponent] = {"mbb": one.mean, "low": one.low, "high": one.high}
    return found


def aces_folded(experiment: TournamentEvolutionExperiment, genes: Any) -> dict[str, float]:
    """How often it folds two aces, by chart."""
    form, aces = form_of(experiment, genes), CLASS_NAMES.index("AA")
    return {one.title: float(preflop_chances(form, one)[aces, 0]) for one in SITUATIONS}


def strength(folder: Path, tables: int, hands: int, workers: int) -> dict[str, Any]:
    """Everything about the first champion of a run."""
    _, experiment = load(str(folder / "experiment.toml"))
    saved = checkpoint.newest(folder / "checkpoints")
    name = experiment.populations[0]  # type: ignore[attr-defined]
    spec = f"net:{folder / 'champions' / name}.safetensors"
    return {
        "run": str(folder), "seed": experiment.seed, "fitness": again(folder, workers),
        "nine": at_table(spec, NINE, tables, workers), "heads_up": heads_up(spec, hands, workers),
        "unseen": at_table(spec, UNSEEN, tables, workers),
        "aces_folded": aces_folded(experiment, saved.arrays[f"champion.{name}.genes"]),  # type: ignore[arg-type,union-attr]
    }  # fmt: skip


def table_text(label: str, one: Mapping[str, float]) -> str:
    """Return a line about a table."""
    return (
        f"  {label}: rank {one['rank']:.2f} ± {one['rank_ci95']:.2f}, wins {one['wins']:.1%} ± {one['wins_ci95']:.1%}, "
        f"{one['mbb']:+.0f} ± {one['mbb_ci95']:.0f} mbb/h"
    )


def text(found: Mapping[str, Any]) -> str:
    """Return a summary as a few lines of text."""
    fitness, matches = found["fitness"], found["heads_up"]
    lost = [name for name, one in matches.items() if one["low"] <= 0]
    aces = max(found["aces_folded"].values())
    lines = [
        f"{found['run']} (seed {found['seed']})",
        f"  fitness stated {fitness['stated']:.3f}, fresh {fitness['fresh']:.3f}, difference "
        f"{fitness['low']:+.3f} to {fitness['high']:+.3f}",
        table_text("nine seats", found["nine"]),
        table_text("unseen", found["unseen"]),
        "  heads-up " + ", ".join(f"{name} {one['mbb']:+.0f} ({one['low']:+.0f})" for name, one in matches.items()),
        f"  not clear of zero: {', '.join(lost) or 'nobody'}; aces folded at most {aces:.1%}",
    ]
    return "\n".join(lines)


def main() -> None:
    """Print the strength of every run's champion."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--hands", type=int, default=10_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    for folder in asked.folders:
        found = strength(folder, asked.tables, asked.hands, asked.workers)
        sys.stdout.write((json.dumps(found) if asked.json else text(found)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
