"""Test 2: equal robots only. The document does not publish their number; here eight Standard robots fill the table.

The seats are fixed, as in the document: in random seats equal robots are exchangeable, so no difference could be found.
Fixed before the run: a seat is at the same level as the others if the interval of its mean, simultaneous for all eight,
is within 5% of a stack of zero. The last seat stands out if its interval is outside. In the controls the last robot has
a defect. They show that the test can fail, and the smallest defect that it detects.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.chen import game_settings, pictures
from cardwin.papers.chen.game_settings import CHIP_MARGIN, Setting
from cardwin.papers.sample import Sample, sample
from cardwin.reports import html
from cardwin.results.cash_game import won
from cardwin.stats.intervals import Estimate, quantile, share_of

SEATS = 8
LABELS = pictures.seat_labels(("Standard", SEATS))
# Pot odds over which the last robot folds to a raise, where a Standard has .2; the mildest first.
DEFECTS = (0.198, 0.195, 0.19, 0.18, 0.15, 0.1)


def experiment(context: Context) -> Iterator[Sample]:
    """Play eight Standard robots in fixed seats, and controls in which the last one has a defect."""
    setting = game_settings.setting_of(context)
    context.text(
        f"Setting: stacks of {setting.stack:,}, blind and minimum bet {setting.blind}, ante {setting.ante}, at most "
        f"{setting.rounds:,} rounds. The seats are the same in all games."
    )
    games = context.pick(4, 10, 5, 4) * game_settings.games_of(context)
    specs = [f"{setting.standard()}*{SEATS}"]
    cash_games = game_settings.play_games(context, setting, specs, games, "games", fixed_seats=True)
    chips = won(cash_games)
    means = _seat_means(chips)
    controls = {odds: _control(context, setting, games, odds) for odds in DEFECTS}
    faulty = controls[DEFECTS[-1]]
    _draw_means(context, means, faulty)
    example = [("a typical game", cash_games[game_settings.median_game(np.abs(chips).max(axis=1))])]
    pictures.save_games(context, "chen-2-game", example, LABELS, "Eight Standard robots in one game.")
    rows: pictures.Rows = [[label, mean.mean, mean.ci95] for label, mean in zip(LABELS, means, strict=True)]
    header = ["robot", "chips won a game", "±"]
    context.table(f"Chips won in {games} games, with simultaneous intervals for all eight", header, rows)
    pictures.save_workbook(context, LABELS, cash_games, example, header, rows)
    furthest = max(range(SEATS), key=lambda seat: abs(means[seat].mean))
    ends = min(mean.low for mean in means), max(mean.high for mean in means)
    over = f"{games} games, all eight together"
    name = "chips a game of the seat furthest from the others"
    yield sample(name, means[furthest].mean, ci95=ends, over=over, seat=furthest + 1, n=games)
    yield sample("chips a game of the last seat", means[-1], over=over)
    yield sample("chips a game of a last robot that has a defect", faulty[-1])
    yield _smallest_defect(context, {odds: seats[-1] for odds, seats in controls.items()})
    ranges, over = np.ptp(chips, axis=1), f"{games} games"
    ends = game_settings.resampled(game_settings.median, ranges)
    yield sample("best minus worst robot in one game, chips", float(np.median(ranges)), ci95=ends, over=over)
    outliers = share_of(_games_with_outlier(chips), games)
    yield sample("share of games in which one robot stands out from seven", outliers)


def _seat_means(chips: Floats) -> list[Estimate]:
    """Return the mean of each seat, of chips (games, seats), with intervals that are simultaneous for all seats.

    The intervals are Student's with Bonferroni's correction.
    """
    games = len(chips)
    errors = quantile(1 - 0.025 / SEATS, games - 1)
    return [_estimate(float(seat.mean()), errors * float(seat.std(ddof=1)) / sqrt(games), games) for seat in chips.T]


def _estimate(mean: float, half_width: float, games: int) -> Estimate:
    return Estimate(mean, half_width, mean - half_width, mean + half_width, games, "t")


def _control(context: Context, setting: Setting, games: int, odds: float) -> list[Estimate]:
    """Play the same games with a last robot that calls raises by other odds."""
    specs = [f"{setting.standard()}*{SEATS - 1}", setting.standard(odds)]
    return _seat_means(won(game_settings.play_games(context, setting, specs, games, "games", fixed_seats=True)))


def _smallest_defect(context: Context, last_seat: Mapping[float, Estimate]) -> Sample:
    """Find the smallest defect that the test detects: the interval of the last robot lies beyond the margin."""
    games = last_seat[DEFECTS[0]].n
    context.table(
        f"A last robot that folds to raises over other odds than .2: chips a game, {games} games each",
        ["odds", "chips won a game", "±"],
        [[odds, mean.mean, mean.ci95] for odds, mean in last_seat.items()],
    )
    detected = [odds for odds, mean in last_seat.items() if mean.high < -CHIP_MARGIN]
    loss = -last_seat[detected[0] if detected else DEFECTS[-1]].mean
    measured, tried = detected[0] if detected else "none of those tried", ", ".join(f"{odds:g}" for odds in DEFECTS)
    name = "odds of the smallest defect that the test sees"
    return sample(name, measured, over=f"{games} games each", lost=loss, tried=tried)


def _games_with_outlier(chips: Floats) -> int:
    """Count games in which the distance of one robot from the next exceeds half the range of the other seven."""
    count = 0
    for row in chips:
        order = np.sort(row)
        others = order[:-1] if order[-1] - order[-2] > order[1] - order[0] else order[1:]
        distance = order[-1] - others[-1] if others[0] == order[0] else others[0] - order[0]
        count += bool(distance > np.ptp(others) / 2)
    return count


def _draw_means(context: Context, means: Sequence[Estimate], faulty: Sequence[Estimate]) -> None:
    figure = html.figure(7, 3.6)
    axes = figure.subplots()
    for estimates, label, colour, shift in (
        (means, "eight alike", pictures.COLOURS["Standard"], 0.0),
        (faulty, f"the last folds to raises over odds of {DEFECTS[-1]:g} instead of 0.2", pictures.COLOURS["V2"], 0.18),
    ):
        seats, values, errors = np.arange(1, SEATS + 1) + shift, *_means_and_errors(estimates)
        axes.errorbar(seats, values, errors, fmt="o", markersize=4, color=colour, capsize=3, label=label)
    axes.axhspan(-CHIP_MARGIN, CHIP_MARGIN, color="#e2e6ee", alpha=0.6, label="5% of a stack")
    axes.axhline(0, color="#667085", linewidth=1)
    pictures.style_axes(axes, f"{means[0].n} games of each", "seat", "chips won a game")
    html.legend_outside(figure, axes, 3)
    caption = (
        "Eight Standard robots in fixed seats: the means with simultaneous intervals for all eight; and the same with "
        "a last robot that folds too easily, to show that the test sees such a robot."
    )
    names = ("mean", "±", "control", "control ±")
    columns = (*_means_and_errors(means), *_means_and_errors(faulty))
    context.picture("chen-2-means", figure, caption, dict(zip(names, columns, strict=True)))


def _means_and_errors(estimates: Sequence[Estimate]) -> tuple[list[float], list[float]]:
    return [estimate.mean for estimate in estimates], [estimate.ci95 for estimate in estimates]
