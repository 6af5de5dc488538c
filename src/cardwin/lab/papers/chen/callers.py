"""Test 1: one Standard robot against seven Call robots."""

from collections.abc import Iterator, Sequence

import numpy as np

from cardwin.arena.session import Session
from cardwin.lab import pages
from cardwin.lab.papers import AGREES, DIFFERS, WRONG_SIGN, Context, Finding
from cardwin.lab.papers.chen import show, table
from cardwin.lab.papers.chen.table import Floats

TYPICAL_STANDARD, TYPICAL_CALL, MEAN_STANDARD = 81.492, -28.95, 70.0
LABELS = show.labels_of(("Standard", 1), ("Call", 7))
SCALE_FREE = "the chips are ours to choose, so the sign can be compared and not the size"


def callers(context: Context) -> Iterator[Finding]:
    """One Standard against seven Call: slopes of a typical game, and the average over many."""
    setting = table.setting_of(context)
    sessions = table.play_games(
        context, setting, [setting.standard(), f"{setting.call()}*7"], table.games_of(context), "games"
    )
    slopes = table.slopes(sessions)
    middle = table.typical(slopes[:, 0])
    _show(context, sessions, slopes, middle, setting.rounds)
    yield from _typical(slopes, middle)
    mean = table.estimate(slopes[:, 0])
    yield Finding(
        "Standard's slope, mean of all games", MEAN_STANDARD, mean.mean, table.interval(mean), None,
        AGREES if mean.mean - mean.ci95 > 0 else WRONG_SIGN,
        f"wins, in {len(sessions)} games; {SCALE_FREE} (with 1.4 times our chips the mean would be "
        f"{1.4 * mean.mean:+.0f}). Seven stacks of 10,000 won in 1,000 rounds make exactly +70.",
    )  # fmt: skip
    yield from _sums(sessions, slopes)


def _typical(slopes: Floats, middle: int) -> Iterator[Finding]:
    low, high = (float(np.quantile(slopes[:, 0], share)) for share in (0.025, 0.975))
    yield Finding(
        "Standard's slope, a typical game", TYPICAL_STANDARD, float(slopes[middle, 0]), (low, high), None,
        AGREES if slopes[middle, 0] > 0 else WRONG_SIGN, f"95% of single games lie in the interval; {SCALE_FREE}",
    )  # fmt: skip
    calls = table.estimate(slopes[:, 1:].mean(axis=1))
    yield Finding(
        "Call's slope, mean of the seven", TYPICAL_CALL, calls.mean, table.interval(calls), None,
        AGREES if calls.mean + calls.ci95 < 0 else WRONG_SIGN, f"loses; {SCALE_FREE}",
    )  # fmt: skip
    ratio = calls.mean / float(slopes[:, 0].mean())
    yield Finding(
        "Call's slope over Standard's", round(TYPICAL_CALL / TYPICAL_STANDARD, 3), ratio, None, None,
        AGREES if -0.6 < ratio < -0.2 else DIFFERS, "free of scale: about the same in ours",
    )  # fmt: skip


def _sums(sessions: Sequence[Session], slopes: Floats) -> Iterator[Finding]:
    total = table.estimate(slopes.sum(axis=1))
    yield Finding(
        "sum of the eight slopes", round(TYPICAL_STANDARD + 7 * TYPICAL_CALL, 1), total.mean, table.interval(total),
        None, AGREES if total.mean + total.ci95 < 0 else DIFFERS,
        "ours is not zero either though no chip is lost: a robot's line ends when it is out, so losers' slopes are "
        "taken over fewer rounds. Published slopes that do not add up prove no loss by themselves.",
    )  # fmt: skip
    lost = table.lost_chips(sessions)
    yield Finding(
        "chips lost or made by the table", "within 5%", float(lost), None, 0.0, AGREES if lost == 0 else DIFFERS,
        "every chip is accounted for after every round",
    )  # fmt: skip


def _show(context: Context, sessions: Sequence[Session], slopes: Floats, middle: int, rounds: int) -> None:
    other = int(np.argsort(slopes[:, 0])[len(slopes) * 3 // 4])
    show.picture_of_games(
        context, "chen-1-games",
        [("a typical game", sessions[middle], LABELS), ("a good game", sessions[other], LABELS)],
        "One Standard against seven Call: a typical game, and one better than three in four.",
    )  # fmt: skip
    mean = show.mean_curves(sessions, rounds)
    figure = pages.figure(6, 3.8)
    axes = figure.subplots()
    axes.plot(mean[:, 0], color=show.COLOURS["Standard"], label="Standard")
    axes.plot(mean[:, 1:].mean(axis=1), color=show.COLOURS["Call"], label="Call, mean of seven")
    show.dress(axes, f"mean of {len(sessions)} games", "round", "chips")
    context.picture(
        "chen-1-mean", figure, f"The mean stacks of {len(sessions)} games.",
        {"Standard": mean[:, 0].tolist(), "Call": mean[:, 1:].mean(axis=1).tolist()},
    )  # fmt: skip
    rows: show.Rows = [
        [label, float(slopes[middle, seat]), float(slopes[:, seat].mean())] for seat, label in enumerate(LABELS)
    ]
    header = ["robot", "slope of the typical game", f"mean slope of {len(sessions)} games"]
    context.table("Slopes, chips a round", header, rows)
    show.workbook(
        context, {"typical game": (sessions[middle], LABELS), "good game": (sessions[other], LABELS)}, header, rows
    )
