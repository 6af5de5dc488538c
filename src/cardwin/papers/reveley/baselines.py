"""Baselines beside the results of XCS, on the same deals: blind players, Loki, and a best response.

A blind player always does the same, whatever it holds. XCS *learns* if it wins more than the best of them, which is
chosen by its own result on the same deals: that can only make the comparison harder for XCS. The value of a best
response to a blind opponent is exact (`solvers.blind_response`): no strategy can win more on average.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from cardwin.core.executor import Workers
from cardwin.papers.reveley.trials import Trained, in_parallel, winnings
from cardwin.papers.reveley.versions import NAMES, Table
from cardwin.papers.sample import spread
from cardwin.players.registry import player

BLIND = {"always raises": "raise", "always calls": "call", "always folds": "fold"}
BASELINES = {**BLIND, "Loki": "loki"}
# Small bets a hand of a best response; a test compares them with the solver's.
EXACT: dict[Table, float] = {("call",): 1.163476, ("random",): 3.46632}


def _won(job: tuple[str, Table, int, int]) -> float:
    """What a player wins from a table on the deals of a seed."""
    spec, table, seed, deals = job
    return float(winnings(partial(player, spec), table, deals, seed).mean())


@dataclass(frozen=True)
class Baselines:
    """What each baseline wins from each table, by seed."""

    won: Mapping[Table, Mapping[str, Mapping[int, float]]]

    def mean(self, table: Table, name: str) -> float:
        """Its mean over all seeds."""
        return float(np.mean(list(self.won[table][name].values())))

    def mean_over(self, tables: Sequence[Table], name: str, seed: int) -> float:
        """Its mean over several tables on the deals of one seed."""
        return float(np.mean([self.won[table][name][seed] for table in tables]))

    def best_blind(self, table: Table) -> str:
        """The name of the blind player that wins most from a table."""
        return max(BLIND, key=lambda name: self.mean(table, name))

    def beyond(self, tables: Sequence[Table], one: Trained) -> float:
        """What a training won more than the best blind player on the same deals, the mean over its judges."""
        seed = one.training.seed
        return float(
            np.mean([
                one.mean(number) - self.won[table][self.best_blind(table)][seed] for number, table in enumerate(tables)
            ])
        )  # fmt: skip

    def best_text(self, table: Table) -> str:
        """Return the best blind player against a table, in words."""
        name = self.best_blind(table)
        return f"the best blind player of {NAMES[table]} {name} and wins {self.mean(table, name):+.3f}"

    def cells(self, table: Table, name: str) -> list[str]:
        """The mean over seeds and the half-width of its interval, for a table of results."""
        return mean_cells(list(self.won[table][name].values()))


def baselines_of(tables: Sequence[Table], seeds: Sequence[int], deals: int, workers: Workers) -> Baselines:
    """All baselines against all tables, on the deals of all seeds."""
    jobs = [(spec, table, seed, deals) for table in tables for spec in BASELINES.values() for seed in seeds]
    done = iter(in_parallel(_won, jobs, workers))
    return Baselines({table: {name: {seed: next(done) for seed in seeds} for name in BASELINES} for table in tables})


def baseline_rows(found: Baselines, tables: Sequence[Table]) -> list[list[str]]:
    """Rows for a table of results that has two columns for each table of judges; the last is the best response."""
    rows = [[name, *(text for table in tables for text in found.cells(table, name))] for name in BASELINES]
    exact = [[f"{EXACT[table]:+.3f}", "exact"] if table in EXACT else ["", ""] for table in tables]
    return [*rows, ["best response", *chain(*exact)]] if any(table in EXACT for table in tables) else rows


def header_of(tables: Sequence[Table], first: str) -> list[str]:
    """Return the columns of a table of results."""
    return [first, *(text for table in tables for text in (NAMES.get(table, " and ".join(table)), "±"))]


def result_cells(trained: Sequence[Trained], table: int | None = None) -> list[str]:
    """Return the mean of trainings over seeds, and the half-width of its interval."""
    return mean_cells([one.mean(table) for one in trained])


def mean_cells(won: Sequence[float]) -> list[str]:
    """A mean over seeds, and the half-width of its 95% interval."""
    found = spread(won)
    half = "" if found.ci95 is None else f"{(found.ci95[1] - found.ci95[0]) / 2:.3f}"
    return [f"{found.mean:+.3f}", half]
