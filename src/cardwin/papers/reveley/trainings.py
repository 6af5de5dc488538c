"""Trainings of classifier systems and their evaluation: jobs for any number of workers.

Every seed has its own deals, and so has every table of judges. All versions with one seed play the same deals against
the same judges, so they can be compared deal by deal, and with the baselines (`baselines`). The numbers of hands, deals
and seeds of an experiment are declared before the run: a table `plan` in claims.toml with four numbers, one per scale.
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
from cardwin.players.kind import HoldemPlayer
from cardwin.players.xcs.encoding import SEEN
from cardwin.players.xcs.rules import NUMEROSITY, SIZE
from cardwin.players.xcs.training.experiment import experiment_values
from cardwin.players.xcs.training.holdem import HoldemExperiment, HoldemTrainer, won_by_deal
from cardwin.runs.experiment import check

T = TypeVar("T")
R = TypeVar("R")
LIMIT = holdem_game("holdem-limit", {})
CURVE_DEALS = 50

# Tables of opponents: a specification per seat.
Table = tuple[str, ...]
CALLER: Table = ("call",)
RANDOM: Table = ("random",)
SIMPLE = (CALLER, RANDOM)
LOKIS: tuple[Table, ...] = (("loki:model=none",), ("loki:model=generic",), ("loki:model=specific",))
TEACHER = LOKIS[0]
STANDARD: Table = ("standard",)
DOUBTING: Table = ("loki:model=specific,doubts=on",)
TRUSTING: Table = ("loki:model=specific,doubts=off",)
NAMES = {
    CALLER: "Caller",
    RANDOM: "Random",
    LOKIS[0]: "Loki, no model",
    LOKIS[1]: "Loki, generic",
    LOKIS[2]: "Loki, specific",
    STANDARD: "Chen's Standard",
    DOUBTING: "specific Loki with doubts",
    TRUSTING: "specific Loki without doubts",
}
AGAINST_LOKI = "Loki"  # the name of trainings against Loki without a model, each the mean over three judges

# Versions of XCS.
WITH_BLUFF = "+".join((*SEEN, "bluff"))
WITH_COUNTERS = "+".join((*SEEN, "counters"))
VERSIONS = {
    "plain": "xcs:coding=binary",
    "bit-spread": "xcs",
    "two predictions": "xcs:coding=binary,predictions=2",
    "register": "xcs:coding=binary,register_bits=1",
    "bluff counter": f"xcs:coding=binary,see={WITH_BLUFF}",
    "all four": f"xcs:predictions=2,register_bits=1,see={WITH_BLUFF}",
    "all but two predictions": f"xcs:register_bits=1,see={WITH_BLUFF}",
}
# The literature's settings for problems without noise, on bit-spreads.
LITERATURE = "xcs:nu=5,P_hash=0.33,theta_GA=25,mu=0.04,N=2000,tau=0,beta=0.2,do_action_set_subsumption=1"
WITHOUT_GENERALISATION = "xcs:P_hash=0,theta_GA=1e12,N=200000"  # a table with a row per situation: Q-learning


@cache
def _plans() -> Any:
    return tomllib.loads((files(__package__) / FILE).read_text(encoding="utf-8"))["plan"]


def sizes(context: Context, plan: str | Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return the sizes of a plan, or of the named plan of claims.toml, at the context's scale: hands, deals, seeds."""
    numbers: Mapping[str, Sequence[int]] = _plans()[plan] if isinstance(plan, str) else plan
    return {size: by_scale[SCALES.index(context.scale)] for size, by_scale in numbers.items()}


def seeds_of(context: Context, count: int) -> list[int]:
    """Return the seeds of an experiment; other experiments have others."""
    return [context.key("seed", number) % 2**31 for number in range(count)]


class Training(NamedTuple):
    """The identity of a training: the same four values give the same rules."""

    spec: str
    against: Table
    hands: int
    seed: int


class Trial(NamedTuple):
    """A training and its evaluation: `judges` are tables of opponents, each of which plays `deals` deals."""

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
        return Training(self.spec, self.against, self.hands, self.seed)


@dataclass(frozen=True)
class TrainingResult:
    """The result of a trial.

    `won` has the small bets that the rules won from each table of judges by deal (deals,), `curve` the means (points,)
    against the first. `rules` is their number. `general` is the share of all bits that are wildcards, weighted by
    numerosity.
    """

    training: Training
    won: tuple[Floats, ...]
    curve: Floats
    rules: int
    general: float

    def mean(self, table: int | None = None) -> float:
        """Return small bets per hand against one table of judges, or the mean over all of them."""
        means = [float(won.mean()) for won in self.won]
        return float(np.mean(means)) if table is None else means[table]

    def deals_won(self) -> float:
        """Return the share of deals on which it won, the mean over its judges."""
        return float(np.mean([(won > 0).mean() for won in self.won]))


def deal_key(seed: int, table: Table, purpose: str = "judged") -> int:
    """Return the key of the deals on which a table judges the trainings of a seed."""
    return key_of(seed, purpose, *table)


def winnings(make: Callable[[], HoldemPlayer], table: Table, deals: int, seed: int, purpose: str = "judged") -> Floats:
    """Play a player against a table of judges.

    Args:
        make: The player's factory.
        table: The judges.
        deals: The number of deals, each played from both seats.
        seed: The seed of a training, to which the deals belong.
        purpose: The purpose of the deals: evaluation, or a point of the curve.

    Returns:
        Small bets per hand by deal (deals,).

    """
    return won_by_deal(LIMIT, make, table, deals, deal_key(seed, table, purpose))


def train(trial: Trial) -> tuple[HoldemTrainer, list[float]]:
    """Return a trainer after all hands of a trial, and the curve before its last point."""
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


def run_trial(trial: Trial) -> TrainingResult:
    """Train and evaluate."""
    trainer, curve = train(trial)
    won = tuple(winnings(trainer.player, table, trial.deals, trial.seed) for table in trial.judges)
    rules, size = trainer.system.rules, int(trainer.system.rules.totals[SIZE])
    full, weights = trainer.encoding.fields.layout.full, rules.counts[NUMEROSITY, :size]
    shares = np.bitwise_count(rules.condition[:, :size]).sum(axis=0) / int(np.bitwise_count(full).sum())
    general = float((shares * weights).sum() / weights.sum())
    return TrainingResult(trial.training, won, np.array([*curve, won[0].mean()]), size, general)


def in_parallel(job: Callable[[T], R], items: Iterable[T], workers: Workers, in_python: bool = True) -> list[R]:
    """Return the results of all jobs, in order; `in_python` if they hold the interpreter's lock."""
    with open_executor(workers, in_python=in_python) as executor:
        return list(executor.map(job, items))


def run_all(trials: Sequence[Trial], workers: Workers) -> list[TrainingResult]:
    """Run all trials and return their results, in order."""
    return in_parallel(run_trial, trials, workers)


def train_each(
    context: Context,
    versions: Mapping[str, str],
    tables: Sequence[Table],
    size: Mapping[str, int],
    seeds: Sequence[int],
) -> dict[str, dict[str, list[TrainingResult]]]:
    """Train every version against each table on every seed; the same table judges it.

    Args:
        context: The experiment, whose workers are used.
        versions: The specification of each version, by name.
        tables: Opponents, which have a name in `NAMES`.
        size: The numbers of `hands` and `deals`.
        seeds: The seeds.

    Returns:
        A result per seed, by version and opponent.

    """
    trials = [
        Trial(spec, table, size["hands"], seed, (table,), size["deals"])
        for spec in versions.values()
        for table in tables
        for seed in seeds
    ]
    results = iter(run_all(trials, context.workers))
    return {version: {NAMES[table]: [next(results) for _ in seeds] for table in tables} for version in versions}
