"""Trainings of classifier systems inside an experiment, and their evaluation: jobs for any number of workers.

Every seed has deals of its own, and so has every table of judges. All versions of one seed play the same deals against
the same judges, so that they can be compared deal by deal; so do the baselines (`baselines`). How many hands, deals and
seeds an experiment has is declared in claims.toml before the run: a table `plan` with four numbers, one per scale.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import Workers, open_executor
from cardwin.core.rng import child, key_of
from cardwin.games.holdem.game import holdem_game
from cardwin.papers import SCALES, Context
from cardwin.papers.register import FILE
from cardwin.papers.reveley.versions import NAMES, Table
from cardwin.players.kind import HoldemPlayer
from cardwin.players.xcs.rules import NUMEROSITY, SIZE
from cardwin.players.xcs.training.experiment import experiment_values
from cardwin.players.xcs.training.holdem import HoldemExperiment, HoldemTrainer, won_by_deal
from cardwin.runs.experiment import check

T = TypeVar("T")
R = TypeVar("R")
LIMIT = holdem_game("holdem-limit", {})
CURVE_DEALS = 50


@cache
def _plans() -> Any:
    return tomllib.loads((files(__package__) / FILE).read_text(encoding="utf-8"))["plan"]


def sizes(context: Context, plan: str | Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return the sizes of a plan at the context's scale, such as hands, deals and seeds."""
    numbers: Mapping[str, Sequence[int]] = _plans()[plan] if isinstance(plan, str) else plan
    return {size: by_scale[SCALES.index(context.scale)] for size, by_scale in numbers.items()}


def seeds_of(context: Context, count: int) -> list[int]:
    """Return the seeds of an experiment; other experiments have others."""
    return [context.key("seed", number) % 2**31 for number in range(count)]


class Training(NamedTuple):
    """What makes a training: the same four values give the same rules."""

    spec: str
    against: Table
    hands: int
    seed: int


class Trial(NamedTuple):
    """Rules of a spec trained for `hands` hands and evaluated by opponents: `judges` are tables, a spec per seat."""

    spec: str
    against: Table
    hands: int
    seed: int
    judges: tuple[Table, ...]
    deals: int
    points: int = 4  # of the learning curve

    @property
    def training(self) -> Training:
        """The training, whoever judges it."""
        return Training(*self[:4])


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

    def deals_won(self) -> float:
        """The share of deals on which it won, the mean over its judges."""
        return float(np.mean([(won > 0).mean() for won in self.won]))


def deal_key(seed: int, table: Table, purpose: str = "judged") -> int:
    """The key of the deals on which a seed's trainings are judged by a table."""
    return key_of(seed, purpose, *table)


def winnings(make: Callable[[], HoldemPlayer], table: Table, deals: int, seed: int, purpose: str = "judged") -> Floats:
    """Return what a player wins from a table of judges on the deals of a seed (deals,), small bets a hand."""
    return won_by_deal(LIMIT, make, table, deals, deal_key(seed, table, purpose))


def trained_by(trial: Trial) -> tuple[HoldemTrainer, list[float]]:
    """A trainer after all hands of a trial, and the curve before its last point."""
    _, keys = experiment_values(trial.spec, None, LIMIT.name, trial.against, trial.hands, trial.seed)
    trainer = HoldemTrainer(cast(HoldemExperiment, check(keys, trial.spec)))
    key, curve, points = key_of(trial.seed, "training"), [], trial.points
    table, deals = trial.judges[0], min(trial.deals, CURVE_DEALS)
    for point in range(points):
        trainer.system.stream[:] = (child(key, 2 * point), 0)
        hands = trial.hands * (point + 1) // points - trial.hands * point // points
        trainer.play(hands, child(key, 2 * point + 1))
        trainer.played += hands
        if point < points - 1:
            curve.append(float(winnings(trainer.player, table, deals, trial.seed, "curve").mean()))
    return trainer, curve


def run_trial(trial: Trial) -> Trained:
    """Train and evaluate."""
    trainer, curve = trained_by(trial)
    won = tuple(winnings(trainer.player, table, trial.deals, trial.seed) for table in trial.judges)
    rules, size = trainer.system.rules, int(trainer.system.rules.totals[SIZE])
    full, weights = trainer.encoding.fields.layout.full, rules.counts[NUMEROSITY, :size]
    shares = np.bitwise_count(rules.condition[:, :size]).sum(axis=0) / int(np.bitwise_count(full).sum())
    general = float((shares * weights).sum() / weights.sum())
    return Trained(trial.training, won, np.array([*curve, won[0].mean()]), size, general)


def in_parallel(job: Callable[[T], R], items: Iterable[T], workers: Workers, in_python: bool = True) -> list[R]:
    """Return the results of all jobs, in order; `in_python` if they hold the interpreter's lock."""
    with open_executor(workers, in_python=in_python) as executor:
        return list(executor.map(job, items))


def run_all(trials: Sequence[Trial], workers: Workers) -> list[Trained]:
    """Run all trials, in order."""
    return in_parallel(run_trial, trials, workers)


def train_each(context: Context, versions: Mapping[str, str], tables: Sequence[Table], size: Mapping[str, int],
               seeds: Sequence[int]) -> dict[str, dict[str, list[Trained]]]:  # fmt: skip
    """Train and judge every version against each table on every seed; return trainings by version and opponent."""
    trials = [
        Trial(spec, table, size["hands"], seed, (table,), size["deals"])
        for spec in versions.values() for table in tables for seed in seeds
    ]  # fmt: skip
    done = iter(run_all(trials, context.workers))
    return {name: {NAMES[table]: [next(done) for _ in seeds] for table in tables} for name in versions}
