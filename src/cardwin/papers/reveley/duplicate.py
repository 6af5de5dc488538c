"""Duplicate matches of several versions of a player, some with copies, and verdicts on claims about them."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from cardwin.arena.match import match
from cardwin.games.holdem import holdem_game
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.register import register
from cardwin.papers.verdicts import Verdict
from cardwin.stats.intervals import Estimate, mean_interval

Floats = npt.NDArray[np.float64]
LIMIT = holdem_game("holdem-limit", {})


@dataclass(frozen=True)
class Played:
    """Results of each version by deal, small bets a hand, mean of its copies and of all seats: (deals,) by name."""

    winnings: dict[str, Floats]

    def mean(self, name: str) -> Estimate:
        """The mean result of a version."""
        return mean_interval(self.winnings[name])

    def lead(self, name: str, *others: str) -> Estimate:
        """The result of a version minus the mean of others, deal by deal."""
        return mean_interval(self.winnings[name] - np.mean([self.winnings[other] for other in others], axis=0))


def play(context: Context, versions: Mapping[str, tuple[str, int]], deals: int, *names: str) -> Played:
    """Play every deal with each player in every seat. Versions are a specification and its copies, by name.

    As in the authors' experiments, all players move round the table in one order; copies are spread over it, so that
    equal players are neighbours as rarely as possible.
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


def ahead(place: str, name: str, published: str, estimate: Estimate, reason: str = "") -> Finding:
    """A claim that something is above 0; by less than the register's margin counts as equal."""
    regions = verdicts.above(register(__package__).margin(name))
    return _finding(place, name, published, estimate, verdicts.judge(regions, (estimate.low, estimate.high)), reason)


def comparable(place: str, name: str, published: str, estimate: Estimate) -> Finding:
    """A claim that there is no notable difference."""
    regions, ends = verdicts.within(0.0, register(__package__).margin(name)), (estimate.low, estimate.high)
    needed = verdicts.runs_needed(regions, ends, estimate.n)
    return _finding(place, name, published, estimate, verdicts.judge(regions, ends), "", needed)


def ours(name: str, estimate: Estimate, reason: str) -> Finding:
    """A finding that was not published."""
    return _finding("ours", name, None, estimate, None, reason)


def _finding(place: str, name: str, published: str | None, estimate: Estimate, verdict: Verdict | None,
             reason: str, needed: int | None = None) -> Finding:  # fmt: skip
    ends = round(estimate.low, 4), round(estimate.high, 4)
    return Finding(place, name, published=published, measured=round(estimate.mean, 4), ci95=ends,
                   over=f"{estimate.n:,} deals", verdict=verdict, reason=reason, needed=needed)  # fmt: skip
