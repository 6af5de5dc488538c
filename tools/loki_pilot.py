"""The pilot of the experiment `settled` of Reveley: how much trainings against Loki differ, and so how many are needed.

    python tools/loki_pilot.py [--seeds 4] [--hands 1000000] [--deals 4000] [--seed 1] [--most 12]

Its seeds are not those of the experiment. The number of a training is what it wins, the mean over three Lokis. With the
standard deviation s of the pilot's trainings, n trainings have a 95% interval of half-width t(n - 1) s / sqrt(n). The
number of seeds is the least n from `LEAST` on at which the half-width expected is at most `HALF_WIDTH` for every
learner that can reach it within --most seeds, which is what the machine's time allows.

Prints for each learner what every training won (small bets per hand), the standard deviation, the number of seeds, the
half-width to expect then, and the processor time of a training with its judges.
"""

import argparse
import math
import sys
import time

import numpy as np

from cardwin.cards.ehs import save_ehs_table
from cardwin.core.rng import key_of
from cardwin.papers.reveley.loki_learners import LEARNERS, loki_trial, run_learner

HALF_WIDTH, LEAST = 0.05, 8


def half_width(deviation: float, seeds: int) -> float:
    """Return the expected half-width of a 95% interval over `seeds` trainings."""
    from scipy.stats import t

    return float(t.ppf(0.975, seeds - 1)) * deviation / math.sqrt(seeds)


def seeds_needed(deviation: float, most: int) -> int:
    """Return the minimum number of seeds, from LEAST, with a half-width of at most HALF_WIDTH; `most` if none has."""
    enough = (number for number in range(LEAST, most) if half_width(deviation, number) <= HALF_WIDTH)
    return next(enough, most)


def main(words: list[str]) -> int:
    """Train, judge, print."""
    parser = argparse.ArgumentParser(description="How many seeds the experiment `settled` of Reveley takes.")
    for name, usual in (("seeds", 4), ("hands", 1_000_000), ("deals", 4_000), ("seed", 1), ("most", 12)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    asked = parser.parse_args(words)
    seeds = [key_of(asked.seed, "pilot", number) % 2**31 for number in range(asked.seeds)]
    print(f"{asked.hands:,} hands, {asked.deals:,} deals a judge, {asked.seeds} seeds of pilot {asked.seed}")
    for name, spec in LEARNERS.items():
        began = time.process_time()
        done = [run_learner(loki_trial(spec, asked.hands, seed, asked.deals)) for seed in seeds]
        won, seconds = [one.mean() for one in done], (time.process_time() - began) / asked.seeds
        deviation = float(np.std(won, ddof=1))
        needed = seeds_needed(deviation, asked.most)
        print(f"{name}: {' '.join(f'{one:+.4f}' for one in won)}; mean {np.mean(won):+.4f}, deviation {deviation:.4f}, "
              f"{needed} seeds, half-width {half_width(deviation, needed):.4f}; {done[0].rules:,} rules, "
              f"{seconds:.0f} s", flush=True)  # fmt: skip
    save_ehs_table()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
