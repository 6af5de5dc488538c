"""Duplicate matches of several versions of a player, some with copies, and verdicts on what was claimed of them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardwin.arena.match import match
from cardwin.games.holdem import holdem_game
from cardwin.lab.papers import AGREES, DIFFERS, WRONG_SIGN, Context, Finding
from cardwin.stats.intervals import Estimate, mean_interval

Floats = npt.NDArray[np.float64]
LIMIT = holdem_game("holdem-limit", {})
NOT_SETTLED = "not settled"
MARGIN = 0.05  # small bets a hand: what is closer together counts as equal


@dataclass(frozen=True)
class Played:
    """What each version won in each deal, small bets a hand, mean of its copies and of all seats: (deals,) by name."""

    winnings: dict[str, Floats]

    def mean(self, name: str) -> Estimate:
        """What a version wins."""
        return mean_interval(self.winnings[name])

    def lead(self, name: str, *others: str) -> Estimate:
        """What a version wins more than the mean of others, deal by deal."""
        return mean_interval(self.winnings[name] - np.mean([self.winnings[other] for other in others], axis=0))


def play(context: Context, versions: Mapping[str, tuple[str, int]], deals: int, *names: str) -> Played:
    """Every deal once with everybody in every seat. Versions are a specification and its copies, by name.

    As the authors did, all move round the table in one order; copies are spread in it, so that no version has its own
    kind for neighbours more than it must.
    """
    most = max(copies for _, copies in versions.values())
    around = [name for turn in range(most) for name, (_, copies) in versions.items() if turn < copies]
    record = match(
        LIMIT,
        [versions[name][0] for name in around],
        deals * len(around),
        context.key(*names) % 2**31,
        context.workers,
        duplicate=True,
        seating="rotation",
    )
    by_deal = record.by_deal / LIMIT.chips_per_unit
    return Played({
        name: by_deal[:, [seat for seat, one in enumerate(around) if one == name]].mean(axis=1) for name in versions
    })  # fmt: skip


def ahead(estimate: Estimate) -> str:
    """The verdict on a claim that something is above 0."""
    return AGREES if estimate.low > 0 else (WRONG_SIGN if estimate.high < 0 else NOT_SETTLED)


def equal(estimate: Estimate) -> str:
    """The verdict on a claim that there is no difference to speak of."""
    if estimate.low >= -MARGIN and estimate.high <= MARGIN:
        return AGREES
    return DIFFERS if estimate.low > MARGIN or estimate.high < -MARGIN else NOT_SETTLED


def finding(name: str, published: str, estimate: Estimate, verdict: str, reason: str = "") -> Finding:
    """A finding from an estimate."""
    return Finding(
        name, published, round(estimate.mean, 4), (round(estimate.low, 4), round(estimate.high, 4)), None, verdict,
        reason,
    )  # fmt: skip
