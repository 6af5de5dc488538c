"""Test 1: one Standard robot against seven Call robots."""

from collections.abc import Iterator, Sequence

import numpy as np

from cardwin.arena.session import SessionRecord, SessionRules
from cardwin.lab import html
from cardwin.lab.papers import AGREES, DIFFERS, WRONG_SIGN, Context, Finding
from cardwin.lab.papers.chen import conditions, show
from cardwin.lab.papers.chen.conditions import Floats
from cardwin.stats.intervals import mean_interval

TYPICAL_STANDARD, TYPICAL_CALL, MEAN_STANDARD = 81.492, -28.95, 70.0
LABELS = show.labels_of(("Standard", 1), ("Call", 7))
SIGN_AGREES = "agrees in sign"
SCALE_FREE = "the chips are ours to choose, so the sign can be compared and not the size"


def callers(context: Context) -> Iterator[Finding]:
    """One Standard against seven Call: slopes of a typical game, and the average over many."""
    setting = conditions.setting_of(context)
    sessions = conditions.play_games(
        context, setting, [setting.standard(), f"{setting.call()}*7"], conditions.games_of(context), "games"
    )
    slopes = conditions.slopes(sessions)
    middle = conditions.typical(slopes[:, 0])
    _show(context, sessions, slopes, middle, setting.rounds)
    yield from _typical(slopes, middle)
    mean = mean_interval(slopes[:, 0])
    yield Finding(
        "Standard's slope, mean of all games", MEAN_STANDARD, mean.mean, conditions.interval(mean), None,
        SIGN_AGREES if mean.low > 0 else WRONG_SIGN,
        f"wins, in {len(sessions)} games; {SCALE_FREE}: {MEAN_STANDARD / mean.mean:.1f} times our chips would make it "
        "+70. So do seven stacks of 10,000 won in 1,000 rounds, which is where our stack comes from.",
    )  # fmt: skip
    yield from _sums(sessions, slopes)
    yield _rising(context, setting, sessions)


def _typical(slopes: Floats, middle: int) -> Iterator[Finding]:
    low, high = (float(np.quantile(slopes[:, 0], share)) for share in (0.025, 0.975))
    yield Finding(
        "Standard's slope, a typical game", TYPICAL_STANDARD, float(slopes[middle, 0]), (low, high), None,
        SIGN_AGREES if slopes[middle, 0] > 0 else WRONG_SIGN, f"95% of single games lie in the interval; {SCALE_FREE}",
    )  # fmt: skip
    calls = mean_interval(slopes[:, 1:].mean(axis=1))
    yield Finding(
        "Call's slope, mean of the seven", TYPICAL_CALL, calls.mean, conditions.interval(calls), None,
        SIGN_AGREES if calls.high < 0 else WRONG_SIGN, f"loses; {SCALE_FREE}",
    )  # fmt: skip
    ratio = calls.mean / float(slopes[:, 0].mean())
    yield Finding(
        "Call's slope over Standard's", round(TYPICAL_CALL / TYPICAL_STANDARD, 3), ratio, None, None,
        AGREES if 0.5 < ratio * TYPICAL_STANDARD / TYPICAL_CALL < 2 else DIFFERS,
        "free of scale; it agrees if it is within a factor of two, for one published game says no more",
    )  # fmt: skip


def _sums(sessions: Sequence[SessionRecord], slopes: Floats) -> Iterator[Finding]:
    total = mean_interval(slopes.sum(axis=1))
    yield Finding(
        "sum of the eight slopes", round(TYPICAL_STANDARD + 7 * TYPICAL_CALL, 1), total.mean,
        conditions.interval(total), None, AGREES if total.high < 0 else DIFFERS,
        "ours is not zero either though no chip is lost: a robot's line ends when it is out, so losers' slopes are "
        "taken over fewer rounds. Published slopes that do not add up prove no loss by themselves.",
    )  # fmt: skip
    lost = conditions.lost_chips(sessions)
    yield Finding(
        "chips lost or made by the table", "within 5%", float(lost), None, 0.0, AGREES if lost == 0 else DIFFERS,
        "every chip is accounted for after every round",
    )  # fmt: skip


def _rising(context: Context, setting: conditions.Setting, fixed: Sequence[SessionRecord]) -> Finding:
    """The document raised blind and ante as players left, found the game more random, and took it back."""
    specs = [setting.standard(), f"{setting.call()}*7"]
    rules = SessionRules(setting.rounds, rising=True)
    rising = conditions.play_games(context, setting, specs, len(fixed), "games", rules=rules)
    spread = [float(conditions.won(sessions)[:, 0].std(ddof=1)) for sessions in (rising, fixed)]
    return Finding(
        "spread of Standard's chips with rising blinds, over that with fixed ones", "more random",
        spread[0] / spread[1], None, None, AGREES if spread[0] > 1.05 * spread[1] else DIFFERS,
        f"standard deviations of the chips won, {spread[0]:.0f} and {spread[1]:.0f}, in {len(fixed)} games each",
    )  # fmt: skip


def _show(context: Context, sessions: Sequence[SessionRecord], slopes: Floats, middle: int, rounds: int) -> None:
    other = int(np.argsort(slopes[:, 0])[len(slopes) * 3 // 4])
    show.picture_of_games(
        context, "chen-1-games",
        [("a typical game", sessions[middle], LABELS), ("a good game", sessions[other], LABELS)],
        "One Standard against seven Call: a typical game, and one better than three in four.",
    )  # fmt: skip
    mean = show.mean_curves(sessions, rounds)
    figure = html.figure(6, 3.8)
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
