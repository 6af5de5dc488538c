"""The five learners that meet Loki: three versions of XCS, a table of the same situations, and a small network.

All of them see the same state variables and play the same number of hands against Loki without a model; the network
plays `SHARE` times as many, because it learns from the results of whole hands: its hands take less time, so that it
learns about as long as XCS with one prediction. Then each is judged by the three Lokis, on deals that belong to its
seed and to that judge. A learner gives one number: the mean over its three judges.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.core.executor import Workers, executor_of
from cardwin.papers.reveley.small_network import evolved_network
from cardwin.papers.reveley.trials import LIMIT, Trained, Training, Trial, deal_key, judged_rules, trained_by
from cardwin.papers.reveley.versions import LOKIS, TABLE, VERSIONS
from cardwin.players.xcs.training.holdem import won_by_deal

NETWORK, SHARE = "network", 4
LEARNERS = {
    "plain": VERSIONS["plain"],
    "bit-spread": VERSIONS["bit-spread"],
    "all four": VERSIONS["all four"],
    "table": TABLE,
    "network": NETWORK,
}
TEACHER = LOKIS[0]
Learned = Mapping[str, Sequence[Trained]]  # by the learner's name, a training a seed


@dataclass(frozen=True)
class Lesson:
    """A learner (a spec of XCS, or NETWORK), its hands against the teacher, its seed, and the deals of each judge."""

    spec: str
    hands: int
    seed: int
    deals: int


def learned(lesson: Lesson) -> Trained:
    """Train and judge."""
    if lesson.spec == NETWORK:
        return _network(lesson)
    trial = Trial(lesson.spec, TEACHER, lesson.hands, lesson.seed, LOKIS, lesson.deals)
    return judged_rules(trial, *trained_by(trial, points=1))


def _network(lesson: Lesson) -> Trained:
    """A network evolved against the teacher; it has no rules."""
    make = evolved_network(LIMIT, TEACHER[0], lesson.hands, lesson.seed, SHARE)
    won = tuple(
        won_by_deal(LIMIT, make, table, lesson.deals, deal_key(lesson.seed, table)) for table in LOKIS
    )  # fmt: skip
    training = Training(NETWORK, TEACHER, lesson.hands, lesson.seed)
    return Trained(training, won, np.array([won[0].mean()]), 0, 0.0)


def learn_all(hands: int, seeds: Sequence[int], deals: int, workers: Workers) -> Learned:
    """Every learner on every seed."""
    lessons = [Lesson(spec, hands, seed, deals) for spec in LEARNERS.values() for seed in seeds]
    with executor_of(workers, in_python=True) as executor:
        done = iter(list(executor.map(learned, lessons)))
    return {name: [next(done) for _ in seeds] for name in LEARNERS}
