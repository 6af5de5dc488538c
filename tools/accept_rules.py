"""Whether rules may be shipped as a player that beats Loki.

    python tools/accept_rules.py xcs:FILE.xcs [--deals 20000] [--seed 1] [--workers 1]

The rule was declared before any were trained: on 20,000 deals that no training saw, each played from both seats, the
rules win at least .10 small bets per hand from Loki without a model, clear of zero, and more than the best blind player
wins on the same deals, clear of zero too.

Prints what they win, what each blind player wins on the same deals, and the lead over the best of these, small bets a
hand with 95% intervals. Ends with 0 if they are accepted and with 1 if not.
"""

import argparse
import sys
from dataclasses import dataclass
from functools import partial

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.executor import Workers
from cardwin.core.rng import key_of
from cardwin.papers.reveley.baselines import BLIND
from cardwin.papers.reveley.trainings import LIMIT, in_parallel
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
    parts = iter(in_parallel(_block, jobs, workers))
    won, *blind = (np.concatenate([next(parts) for _ in blocks]) for _ in specs)
    by_name = dict(zip(BLIND, blind, strict=True))
    best = max(by_name, key=lambda name: float(by_name[name].mean()))
    estimates = {name: mean_interval(one) for name, one in by_name.items()}
    return Acceptance(mean_interval(won), estimates, best, mean_interval(won - by_name[best]))


def line(name: str, found: Estimate) -> str:
    """Format an estimate in words."""
    return f"{name}: {found.mean:+.4f} ({found.low:+.4f} to {found.high:+.4f})"


def main(words: list[str]) -> int:
    """Judge, print, and answer."""
    parser = argparse.ArgumentParser(description="Whether rules may be shipped as a player that beats Loki.")
    parser.add_argument("spec")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args(words)
    try:
        found = acceptance(asked.spec, asked.deals, asked.seed, asked.workers)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"against {AGAINST}, {asked.deals:,} deals from both seats, seed {asked.seed}, small bets a hand:")
    print(line(asked.spec, found.won))
    for name, estimate in found.blind.items():
        print(line(name, estimate))
    print(line(f"lead over the best blind player, which {found.best}", found.lead))
    print(f"{'accepted' if found.accepted else 'not accepted'}: at least {LEAST:.2f}, both intervals above 0")
    return 0 if found.accepted else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
