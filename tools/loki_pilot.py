"""The pilot of the experiment `settled` of Reveley: how much trainings against Loki differ, and so how many are needed.

    python tools/loki_pilot.py [--seeds 4] [--hands 1000000] [--deals 4000] [--seed 1] [--most 12]

Its seeds are not those of the experiment. Prints for each learner what every training won (small bets a hand, the mean
over three Lokis), the standard deviation, the seeds that a half-width of .05 takes (at least 8, at most --most), the
half-width to expect then, and the processor time of a training with its judges.
"""

import argparse
import sys
import time

import numpy as np

from cardwin.cards.tables.ehs_table import save_ehs_table
from cardwin.core.rng import key_of
from cardwin.papers.reveley.settled.learners import LEARNERS, Lesson, learned
from cardwin.papers.reveley.settled.pilot import half_width, seeds_needed


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
        done = [learned(Lesson(spec, asked.hands, seed, asked.deals)) for seed in seeds]
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
