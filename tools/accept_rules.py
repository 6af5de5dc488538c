"""Whether rules may be shipped as a player that beats Loki, by the rule in `cardwin.papers.reveley.acceptance`.

    python tools/accept_rules.py xcs:FILE.xcs [--deals 20000] [--seed 1] [--workers 1]

Prints what they win, what each blind player wins on the same deals, and the lead over the best of these, small bets a
hand with 95% intervals. Ends with 0 if they are accepted and with 1 if not.
"""

import argparse
import sys

from cardwin.core.errors import InputError
from cardwin.papers.reveley.acceptance import AGAINST, DEALS, LEAST, acceptance
from cardwin.stats.intervals import Estimate


def line(name: str, found: Estimate) -> str:
    """An estimate in words."""
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
