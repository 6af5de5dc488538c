"""The rule by which rules that beat Loki are shipped: declared before they were trained.

On 20,000 deals that no training saw, each played from both seats, the rules win at least .10 small bets a hand from
Loki without a model, clear of zero, and more than the best blind player wins on the same deals, clear of zero too.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np

from cardwin.core.executor import Workers, executor_of
from cardwin.core.rng import key_of
from cardwin.papers.reveley.baselines import BLIND
from cardwin.papers.reveley.trials import LIMIT, Floats
from cardwin.players.registry import player
from cardwin.players.xcs.training.holdem import won_by_deal
from cardwin.stats.intervals import Estimate, mean_interval

AGAINST = "loki:model=none"
LEAST = 0.10
DEALS, BLOCK = 20_000, 500


@dataclass(frozen=True)
class Acceptance:
    """What rules win, what each blind player wins on the same deals, and the lead over the best of these."""

    won: Estimate
    blind: dict[str, Estimate]
    best: str
    lead: Estimate

    @property
    def accepted(self) -> bool:
        """Whether they can be shipped."""
        return self.won.mean >= LEAST and self.won.low > 0 and self.lead.low > 0


def _block(job: tuple[str, int, int, int]) -> Floats:
    spec, deals, seed, block = job
    return won_by_deal(LIMIT, partial(player, spec), (AGAINST,), deals, key_of(seed, "acceptance", block))


def acceptance(spec: str, deals: int = DEALS, seed: int = 1, workers: Workers = 1) -> Acceptance:
    """Judge rules, given as a player's specification."""
    blocks = [min(BLOCK, deals - first) for first in range(0, deals, BLOCK)]
    specs = [spec, *BLIND.values()]
    jobs = [(one, count, seed, number) for one in specs for number, count in enumerate(blocks)]
    with executor_of(workers, in_python=True) as executor:
        parts = iter(list(executor.map(_block, jobs)))
    won, *blind = (np.concatenate([next(parts) for _ in blocks]) for _ in specs)
    by_name = dict(zip(BLIND, blind, strict=True))
    best = max(by_name, key=lambda name: float(by_name[name].mean()))
    estimates = {name: mean_interval(one) for name, one in by_name.items()}
    return Acceptance(mean_interval(won), estimates, best, mean_interval(won - by_name[best]))
