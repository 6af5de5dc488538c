"""One training of a classifier system inside an experiment, and its evaluation: jobs for any number of workers.

Every seed has deals of its own, and so has every table of judges. All versions of one seed play the same deals against
the same judges, so that they can be compared deal by deal; so do the baselines (`baselines`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

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
Table = tuple[str, ...]
LIMIT = holdem_game("holdem-limit", {})
POINTS = 4  # of a learning curve
CURVE_DEALS = 50


class Training(NamedTuple):
    """What makes a training: the same four values give the same rules."""

    spec: str
    against: Table
    hands: int
    seed: int


@dataclass(frozen=True)
class Trial:
    """Rules of a spec trained for `hands` hands and evaluated by opponents: `judges` are tables, a spec a seat."""

    spec: str
    against: Table
    hands: int
    seed: int
    judges: tuple[Table, ...]
    deals: int

    @property
    def training(self) -> Training:
        """The training, whoever judges it."""
        return Training(self.spec, self.against, self.hands, self.seed)


@dataclass(frozen=True)
class Trained:
    """What the rules won from each table of judges (deals,), the curve (points,) against the first, and the rules.

    `general` is the share of all bits that are wildcards, weighted by numerosity.
    """

    training: Training
    won: tuple[Floats, ...]
    curve: Floats
    rules: int
    general: float

    def mean(self, table: int | None = None) -> float:
        """Small bets a hand against one table of judges, or the mean over all of them."""
        means = [float(won.mean()) for won in self.won]
        return float(np.mean(means)) if table is None else means[table]


def deal_key(seed: int, table: Table, purpose: str = "judged") -> int:
    """The key of the deals on which a seed's trainings are judged by a table."""
    return key_of(seed, purpose, *table)


def trained_by(trial: Trial, points: int = POINTS) -> tuple[HoldemTrainer, list[float]]:
    """A trainer after all hands of a trial, and the curve before its last point."""
    _, keys = experiment_values(trial.spec, None, LIMIT.name, trial.against, trial.hands, trial.seed)
    experiment = check(keys, trial.spec)
    trainer = HoldemTrainer(cast(HoldemExperiment, experiment))
    key, curve = key_of(trial.seed, "training"), []
    table, deals = trial.judges[0], min(trial.deals, CURVE_DEALS)
    for point in range(points):
        trainer.system.stream[:] = (child(key, 2 * point), 0)
        hands = trial.hands * (point + 1) // points - trial.hands * point // points
        trainer.play(hands, child(key, 2 * point + 1))
        trainer.played += hands
        if point < points - 1:
            won = won_by_deal(LIMIT, trainer.player, table, deals, deal_key(trial.seed, table, "curve"))
            curve.append(float(won.mean()))
    return trainer, curve


def run_trial(trial: Trial) -> Trained:
    """Train and evaluate."""
    return judged_rules(trial, *trained_by(trial))


def judged_rules(trial: Trial, trainer: HoldemTrainer, curve: Sequence[float]) -> Trained:
    """A trainer's rules judged by the tables of its trial."""
    won = tuple(
        won_by_deal(LIMIT, trainer.player, table, trial.deals, deal_key(trial.seed, table)) for table in trial.judges
    )
    rules, size = trainer.system.rules, int(trainer.system.rules.totals[SIZE])
    full, weights = trainer.encoding.fields.layout.full, rules.counts[NUMEROSITY, :size]
    every = sum(int(word).bit_count() for word in full)
    shares = np.array([sum(int(word).bit_count() for word in rules.condition[:, i]) / every for i in range(size)])
    general = float((shares * weights).sum() / weights.sum())
    return Trained(trial.training, won, np.array([*curve, won[0].mean()]), size, general)


def run_all(trials: Sequence[Trial], workers: Workers) -> list[Trained]:
    """All of them, in order."""
    with executor_of(workers, in_python=True) as executor:
        return list(executor.map(run_trial, trials))
