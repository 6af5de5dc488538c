"""What three readings of Papp's thesis are worth to Loki: `python studies/loki_readings.py [--deals N] [--tables N]`.

Loki with each reading, and with all three, plays limit hold'em against Loki as it is by default: heads-up, every deal
from both seats, and at a table of ten, five of each, every deal from all ten seats. A row is what the reading wins a
hand more than the default, in small bets, with a 95% interval over deals. The table is Markdown, as docs/loki.md shows
it; below it is a digest of all results.
"""

import argparse
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

from cardwin.arena.match import MatchOptions, match
from cardwin.games.holdem import holdem_game
from cardwin.stats.intervals import Estimate, mean_interval

LIMIT = holdem_game("holdem-limit", {})
READINGS = ("rates=seven", "field=normalised", "zero-mu=on", "rates=seven,field=normalised,zero-mu=on")
SEATS = 10
DEFAULT = "loki"


@dataclass(frozen=True)
class Effect:
    """A reading, what it wins a hand at a table more than the default does, and the digest of the match."""

    reading: str
    seats: int
    lead: Estimate
    digest: str


def effect(reading: str, seats: int, deals: int, seed: int) -> Effect:
    """Return the effect of a reading that every second seat has; the others have the default."""
    record = match(
        LIMIT,
        [f"{DEFAULT}:{reading}", DEFAULT] * (seats // 2),
        deals * seats,
        seed,
        options=MatchOptions(duplicate=True, seating="rotation"),
    )
    won = record.by_deal / LIMIT.chips_per_unit
    lead = won[:, ::2].mean(axis=1) - won[:, 1::2].mean(axis=1)
    # Heads-up one wins what the other loses: half of the difference is what is won.
    return Effect(reading, seats, mean_interval(lead / 2 if seats == 2 else lead), record.digest)


def effects(deals: int, tables: int, seed: int) -> Iterator[Effect]:
    """Yield every reading heads-up, then at the table of ten."""
    for reading in READINGS:
        yield effect(reading, 2, deals, seed)
        yield effect(reading, SEATS, tables, seed)


def text(one: Estimate) -> str:
    """Format a mean with its interval."""
    return f"{one.mean:+.3f} ({one.low:+.3f} to {one.high:+.3f})"


def markdown(found: list[Effect]) -> str:
    """Render the table and the digest as Markdown."""
    lines = ["| reading | heads-up | ten seats, more than the default |", "|---|---|---|"]
    for pair, ten in zip(found[::2], found[1::2], strict=True):
        lines.append(f"| `{pair.reading}` | {text(pair.lead)} | {text(ten.lead)} |")
    digest = hashlib.blake2b("".join(one.digest for one in found).encode(), digest_size=16).hexdigest()
    return "\n".join([*lines, "", f"digest {digest}"])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=10_000, help="deals heads-up, two hands each")
    parser.add_argument("--tables", type=int, default=1_000, help="deals at ten seats, ten hands each")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if min(given.deals, given.tables) < 2:
        parser.error("--deals and --tables are from 2 up: an interval needs two deals")
    print(markdown(list(effects(given.deals, given.tables, given.seed))))


if __name__ == "__main__":
    main()
