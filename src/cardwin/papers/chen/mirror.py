"""Test 2: Standard robots only. Their number is not published; here eight, a full table.

The seats are fixed, as in the document: equal robots in random seats are exchangeable by construction, so
that no difference could be found. Fixed before the run: a seat is at the same level as the others if its mean with an
interval that is simultaneous for all eight is within 5% of a stack of zero; the last one stands out if its interval is
outside. Controls, in which the last robot has a defect, show that the test can fail, and which defect is the smallest
that it sees.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.chen import conditions, show
from cardwin.papers.chen.conditions import ALIKE, Setting
from cardwin.papers.sample import Sample, sample
from cardwin.reports import html
from cardwin.results.cash_game import won
from cardwin.stats.intervals import Estimate, share_of

SEATS = 8
LABELS = show.labels_of(("Standard", SEATS))
# Pot odds over which the last robot folds to a raise, where a Standard has .2; the mildest first.
DEFECTS = (0.198, 0.195, 0.19, 0.18, 0.15, 0.1)


def mirror(context: Context) -> Iterator[Sample]:
    """Eight Standard robots in fixed seats: is any seat better than the others?"""
    setting = conditions.setting_of(context)
    context.text(
        f"Setting: stacks of {setting.stack:,}, blind and least bet {setting.blind}, ante {setting.ante}, at most "
        f"{setting.rounds:,} rounds. The seats are the same in all games."
    )
    games = context.pick(4, 10, 5, 4) * conditions.games_of(context)
    specs = [f"{setting.standard()}*{SEATS}"]
    cash_games = conditions.play_games(context, setting, specs, games, "games", fixed_seats=True)
    chips = won(cash_games)
    means = [conditions.wide_interval(chips[:, seat], SEATS) for seat in range(SEATS)]
    controls = {odds: _control(context, setting, games, odds) for odds in DEFECTS}
    faulty = controls[DEFECTS[-1]]
    _show(context, means, faulty)
    middle = conditions.typical(np.abs(chips).max(axis=1))
    show.picture_of_games(
        context, "chen-2-game", [("a typical game", cash_games[middle])], LABELS, "Eight Standard robots in one game."
    )
    rows: show.Rows = [[label, one.mean, one.ci95] for label, one in zip(LABELS, means, strict=True)]
    header = ["robot", "chips won a game", "±"]
    context.table(f"Chips won in {games} games, with simultaneous intervals for all eight", header, rows)
    show.workbook(context, LABELS, cash_games, [("a typical game", cash_games[middle])], header, rows)
    worst = max(range(SEATS), key=lambda seat: abs(means[seat].mean))
    reach, over = (min(one.low for one in means), max(one.high for one in means)), f"{games} games, all eight together"
    name = "chips a game of the seat furthest from the others"
    yield sample(name, means[worst].mean, ci95=reach, over=over, seat=worst + 1, n=games)
    yield sample("chips a game of the last seat", means[-1], over=over)
    yield sample("chips a game of a last robot that has a defect", faulty[-1])
    yield _smallest(context, controls)
    ranges, over = np.ptp(chips, axis=1), f"{games} games"
    ends = conditions.resampled(conditions.median, ranges)
    yield sample("best minus worst robot in one game, chips", float(np.median(ranges)), ci95=ends, over=over)
    odd = share_of(odd_ones(chips), games)
    yield sample("share of games in which one robot stands out from seven", odd)


def _control(context: Context, setting: Setting, games: int, odds: float) -> list[Estimate]:
    specs = [f"{setting.standard()}*{SEATS - 1}", setting.standard(odds)]
    chips = won(conditions.play_games(context, setting, specs, games, "games", fixed_seats=True))
    return [conditions.wide_interval(chips[:, seat], SEATS) for seat in range(SEATS)]


def _smallest(context: Context, controls: dict[float, list[Estimate]]) -> Sample:
    """The smallest defect that the test sees: the interval of the last robot lies beyond the margin."""
    last = {odds: seats[-1] for odds, seats in controls.items()}
    context.table(
        f"A last robot that folds to raises over other odds than .2: chips a game, {last[DEFECTS[0]].n} games each",
        ["odds", "chips won a game", "±"], [[odds, one.mean, one.ci95] for odds, one in last.items()],
    )  # fmt: skip
    seen = [odds for odds, one in last.items() if one.high < -ALIKE]
    one, tried = last[seen[0] if seen else DEFECTS[-1]], ", ".join(f"{odds:g}" for odds in DEFECTS)
    measured = seen[0] if seen else "none of those tried"
    over = f"{one.n} games each"
    return sample("odds of the smallest defect that the test sees", measured, over=over, lost=-one.mean, tried=tried)


def odd_ones(chips: Floats) -> int:
    """In how many games the distance of one robot from the next exceeds half the range of the other seven."""
    odd = 0
    for row in chips:
        order = np.sort(row)
        rest = order[:-1] if order[-1] - order[-2] > order[1] - order[0] else order[1:]
        outside = order[-1] - rest[-1] if rest[0] == order[0] else rest[0] - order[0]
        odd += bool(outside > np.ptp(rest) / 2)
    return odd


def _show(context: Context, means: Sequence[Estimate], faulty: Sequence[Estimate]) -> None:
    figure = html.figure(7, 3.6)
    axes = figure.subplots()
    for robots, label, colour, shift in (
        (means, "eight alike", show.COLOURS["Standard"], 0.0),
        (faulty, f"the last folds to raises over odds of {DEFECTS[-1]:g} instead of 0.2", show.COLOURS["V2"], 0.18),
    ):
        axes.errorbar(
            np.arange(1, SEATS + 1) + shift, [one.mean for one in robots], [one.ci95 for one in robots], fmt="o",
            markersize=4, color=colour, capsize=3, label=label,
        )  # fmt: skip
    axes.axhspan(-ALIKE, ALIKE, color="#e2e6ee", alpha=0.6, label="5% of a stack")
    axes.axhline(0, color="#667085", linewidth=1)
    show.dress(axes, f"{means[0].n} games of each", "seat", "chips won a game")
    html.legend_outside(figure, axes, 3)
    context.picture(
        "chen-2-means", figure, "Eight Standard robots in fixed seats: the means with simultaneous intervals for all "
        "eight; and the same with a last robot that folds too easily, to show that the test sees such a robot.",
        {"mean": [one.mean for one in means], "±": [one.ci95 for one in means],
         "control": [one.mean for one in faulty], "control ±": [one.ci95 for one in faulty]},
    )  # fmt: skip
