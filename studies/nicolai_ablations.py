"""Nicolai and Hilderman, ablations of our own: what each part of LargeHOF's champion is worth.

Each variant is evolved like LargeHOF with one change, and its champion plays the full one's with duplicate deals.
"""

from collections.abc import Iterator
from typing import Any

from cardwin.arena.match import MatchOptions, match
from cardwin.games.holdem.game import holdem_game
from cardwin.papers import Context
from cardwin.papers.nicolai.controls import BENCHMARKS, CONTROLS, benchmarks, evolved, size_of
from cardwin.papers.sample import Sample, sample, spread
from cardwin.results.match import judge_match
from cardwin.stats.intervals import Estimate
from study import main

WITHOUT: dict[str, dict[str, Any]] = {
    "without win odds": {"network": {"odds": "none"}},
    "without aggressiveness": {"network": {"aggression": False}},
    "without a hall": {"hall": {"capacity": 0}},
    "with corrected odds": {"network": {"odds": "corrected"}},
    "fitness by chips": {"fitness": "chips"},
}


def duel(context: Context, one: str, other: str, hands: int, *names: str | int) -> Estimate:
    """Return what the first wins from the second in mbb per hand, with every deal in both seats."""
    seed = context.key("duel", *names)
    record = match(
        holdem_game("holdem-nl", {}), [one, other], hands, seed, context.workers, options=MatchOptions(duplicate=True)
    )
    return judge_match(record).players[0]


def ablations(context: Context) -> Iterator[Sample]:
    """Measure champions against each benchmark heads-up, and each variant against the full one."""
    size, large = size_of(context), CONTROLS["LargeHOF"]
    hands = context.pick(200, 10_000, 50_000, 200_000)
    seeds = range(size.seeds)
    whole = [evolved(context, f"whole-{n}", large.preset, large.changes(size)).champions["red"] for n in seeds]
    others = [benchmarks(context, n) for n in seeds]
    for name in BENCHMARKS:
        won = [duel(context, f"net:{path}", others[n][name], hands, name, n) for n, path in enumerate(whole)]
        found = spread([one.mean for one in won])
        reason = (
            f"ahead on {sum(one.low > 0 for one in won)} of {len(won)} seeds, lowest end of an interval "
            f"{min(one.low for one in won):+.0f}"
        )
        yield sample(f"LargeHOF heads-up against {name}, mbb a hand", found, over="seeds", reason=reason)
    for name, change in WITHOUT.items():
        lost = []
        for n in seeds:
            changes = {**large.changes(size), **change}
            path = evolved(context, f"{name.replace(' ', '-')}-{n}", large.preset, changes).champions["red"]
            lost.append(duel(context, f"net:{whole[n]}", f"net:{path}", hands, name, n).mean)
        yield sample(f"the whole one against one evolved {name}, mbb a hand", spread(lost), over="seeds",
                     reason="above 0: what was changed helped the whole one")  # fmt: skip


if __name__ == "__main__":
    main(ablations)
