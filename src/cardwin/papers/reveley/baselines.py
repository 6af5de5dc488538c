"""Baselines beside the results of XCS, on the same deals: blind players, Loki, and a best response.

A blind player always does the same, whatever it holds. XCS *learns* if it wins more than the best of them. The best one
is selected by its result on the same deals, which can only make the comparison harder for XCS. The value of a best
response to a blind opponent is exact (`solvers.blind_response`): no strategy can win more on average.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from cardwin.core.executor import Workers
from cardwin.papers.reveley.trainings import NAMES, Table, TrainingResult, in_parallel, winnings
from cardwin.papers.sample import spread
from cardwin.players.registry import player

BLIND = {"always raises": "raise", "always calls": "call", "always folds": "fold"}
BASELINES = {**BLIND, "Loki": "loki"}
# Small bets per hand of a best response; a test compares them with the solver's.
EXACT: dict[Table, float] = {("call",): 1.163476, ("random",): 3.46632}


@dataclass(frozen=True)
class Baselines:
    """Small bets per hand that each baseline wins from each table: by table, baseline and seed."""

    won: Mapping[Table, Mapping[str, Mapping[int, float]]]

    def mean(self, table: Table, name: str) -> float:
        """Return a baseline's mean over all seeds."""
        return float(np.mean(list(self.won[table][name].values())))

    def mean_over(self, tables: Sequence[Table], name: str, seed: int) -> float:
        """Return a baseline's mean over several tables on the deals of one seed."""
        return float(np.mean([self.won[table][name][seed] for table in tables]))

    def best_blind(self, table: Table) -> str:
        """Return the name of the blind player that wins most from a table."""
        return max(BLIND, key=lambda name: self.mean(table, name))

    def beyond(self, tables: Sequence[Table], result: TrainingResult) -> float:
        """Return what a training won more than the best blind player on the same deals, the mean over its judges."""
        seed = result.training.seed
        blind = [self.won[table][self.best_blind(table)][seed] for table in tables]
        return float(np.mean([result.mean(number) - won for number, won in enumerate(blind)]))

    def best_text(self, table: Table) -> str:
        """Return the best blind player against a table, in words."""
        name = self.best_blind(table)
        return f"the best blind player of {NAMES[table]} {name} and wins {self.mean(table, name):+.3f}"

    def cells(self, table: Table, name: str) -> list[str]:
        """Return a baseline's mean over seeds and the half-width of its interval, for a table of results."""
        return mean_cells(list(self.won[table][name].values()))


def baselines_of(tables: Sequence[Table], seeds: Sequence[int], deals: int, workers: Workers) -> Baselines:
    """Play all baselines against all tables, on the deals of all seeds."""
    jobs = [(spec, table, seed, deals) for table in tables for spec in BASELINES.values() for seed in seeds]
    results = iter(in_parallel(_mean_won, jobs, workers))
    return Baselines({table: {name: {seed: next(results) for seed in seeds} for name in BASELINES} for table in tables})


def _mean_won(job: tuple[str, Table, int, int]) -> float:
    """Return what a player wins from a table on the deals of a seed."""
    spec, table, seed, deals = job
    return float(winnings(partial(player, spec), table, deals, seed).mean())


def baseline_rows(baselines: Baselines, tables: Sequence[Table]) -> list[list[str]]:
    """Return the rows of the baselines, with two columns per table of judges; the last row is the best response."""
    rows = [[name, *(text for table in tables for text in baselines.cells(table, name))] for name in BASELINES]
    if not any(table in EXACT for table in tables):
        return rows
    exact = [[f"{EXACT[table]:+.3f}", "exact"] if table in EXACT else ["", ""] for table in tables]
    return [*rows, ["best response", *chain(*exact)]]


def header_of(tables: Sequence[Table], first: str) -> list[str]:
    """Return the columns of a table of results."""
    return [first, *(text for table in tables for text in (NAMES.get(table, " and ".join(table)), "±"))]


def result_cells(results: Sequence[TrainingResult], table: int | None = None) -> list[str]:
    """Return the mean of trainings over seeds, and the half-width of its interval.

    Args:
        results: A result per seed.
        table: The number of a table of judges, by default the mean over all.

    """
    return mean_cells([result.mean(table) for result in results])


def mean_cells(won: Sequence[float]) -> list[str]:
    """Return a mean over seeds, and the half-width of its 95% interval."""
    mean = spread(won)
    half = "" if mean.ci95 is None else f"{(mean.ci95[1] - mean.ci95[0]) / 2:.3f}"
    return [f"{mean.mean:+.3f}", half]
