"""One training of a classifier system inside an experiment, and its evaluation: jobs for any number of workers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
import numpy.typing as npt

from cardwin.core.executor import Workers, executor_of
from cardwin.core.rng import child, key_of
from cardwin.games.holdem.game import holdem_game
from cardwin.players.xcs.rules import NUMEROSITY, SIZE
from cardwin.players.xcs.training.holdem import HoldemExperiment, HoldemTrainer, won_by_deal
from cardwin.players.xcs.training.start import experiment_values
from cardwin.runs.experiment import check

Floats = npt.NDArray[np.float64]
LIMIT = holdem_game("holdem-limit", {})
POINTS = 4  # of a learning curve
CURVE_DEALS = 50


@dataclass(frozen=True)
class Trial:
    """Rules of a spec trained for `hands` hands and evaluated by opponents: `judges` are tables, a spec a seat."""

    spec: str
    against: tuple[str, ...]
    hands: int
    seed: int
    judges: tuple[tuple[str, ...], ...]
    deals: int


@dataclass(frozen=True)
class Trained:
    """What the rules won from each table of judges (deals,), the curve (points,) against the first, and the rules.

    `general` is the share of all bits that are wildcards, weighted by numerosity.
    """

    won: tuple[Floats, ...]
    curve: Floats
    rules: int
    general: float

    def mean(self, table: int = 0) -> float:
        """Small bets a hand."""
        return float(self.won[table].mean())


def run_trial(trial: Trial) -> Trained:
    """Train and evaluate. All versions of one seed play the same deals, so that they can be compared deal by deal."""
    _, keys = experiment_values(trial.spec, None, LIMIT.name, trial.against, trial.hands, trial.seed)
    experiment = check(keys, trial.spec)
    trainer = HoldemTrainer(cast(HoldemExperiment, experiment))
    key, curve = key_of(trial.seed, "training"), []
    for point in range(POINTS):
        trainer.system.stream[:] = (child(key, 2 * point), 0)
        trainer.play(trial.hands // POINTS, child(key, 2 * point + 1))
        trainer.played += trial.hands // POINTS
        if point < POINTS - 1:
            deals = min(trial.deals, CURVE_DEALS)
            curve.append(won_by_deal(LIMIT, trainer.player, trial.judges[0], deals, key_of(0, "curve")).mean())
    won = tuple(
        won_by_deal(LIMIT, trainer.player, table, trial.deals, key_of(trial.seed, "judged")) for table in trial.judges
    )
    rules, size = trainer.system.rules, int(trainer.system.rules.totals[SIZE])
    full, weights = trainer.encoding.fields.layout.full, rules.counts[NUMEROSITY, :size]
    every = sum(int(word).bit_count() for word in full)
    shares = np.array([sum(int(word).bit_count() for word in rules.condition[:, i]) / every for i in range(size)])
    return Trained(won, np.array([*curve, won[0].mean()]), size, float((shares * weights).sum() / weights.sum()))


def run_all(trials: Sequence[Trial], workers: Workers) -> list[Trained]:
    """All of them, in order."""
    with executor_of(workers, in_python=True) as executor:
        return list(executor.map(run_trial, trials))
