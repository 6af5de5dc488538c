"""Test 1: one Standard robot against seven Call robots.

Slopes are compared by sign, because the document's chips are not published, and by their ratio. What is better with
fewer rivals is not said: chips a round shrink with the pot, so they are also counted a rival. Margins are in the
register: 5% of a stack over a game.
"""

from collections.abc import Iterator, Sequence
from math import log2

import numpy as np

from cardwin.arena.cash_game import CashGameRecord, CashGameRules
from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.chen import conditions, show
from cardwin.papers.sample import Sample, sample
from cardwin.results.cash_game import slopes, won
from cardwin.stats.intervals import mean_interval

TYPICAL_STANDARD, TYPICAL_CALL, MEAN_STANDARD = 81.492, -28.95, 70.0
BETTER = "Standard does better with one to three rivals left than with five to seven"
LABELS = show.labels_of(("Standard", 1), ("Call", 7))


def callers(context: Context) -> Iterator[Sample]:
    """One Standard against seven Call: slopes of a typical game, and the average over many."""
    setting = conditions.setting_of(context)
    context.text(f"Setting: {setting.text(setting.rounds)}.")
    specs = [setting.standard(), f"{setting.call()}*7"]
    cash_games = conditions.play_games(context, setting, specs, conditions.games_of(context), "games")
    lines = slopes(cash_games)
    middle = conditions.typical(lines[:, 0])
    _show(context, cash_games, lines, middle)
    over = f"{len(lines)} games"
    middles = lines[:, 0]
    name, ends = "Standard's slope in a typical game", conditions.resampled(conditions.median, middles)
    yield sample(name, float(np.median(middles)), ci95=ends, over=over)
    yield sample("Call's slope, mean of the seven", mean_interval(lines[:, 1:].mean(axis=1)))
    mean = mean_interval(middles)
    yield sample("Standard's slope, mean of all games", mean, times=MEAN_STANDARD / mean.mean)
    yield _proportion(lines, over)
    yield sample("sum of the eight slopes", mean_interval(lines.sum(axis=1)))
    yield from _fewer(cash_games)
    yield sample("chips lost or made by the table", float(conditions.lost_chips(cash_games)))
    yield _rising(context, setting, cash_games)


def _proportion(lines: Floats, over: str) -> Sample:
    published = TYPICAL_CALL / TYPICAL_STANDARD
    low, high = conditions.resampled(lambda rows: float(rows[:, 1:].mean() / rows[:, 0].mean()), lines)
    apart = (log2(high / published), log2(low / published)) if high < 0 else None  # None: of both signs
    measured = float(lines[:, 1:].mean() / lines[:, 0].mean())
    return sample("Call's slope over Standard's", measured, ci95=(low, high), judged=apart, over=over, n=len(lines))


def _fewer(cash_games: Sequence[CashGameRecord]) -> Iterator[Sample]:
    """Standard's gain while one to three Calls are left, minus that while five to seven are left, two ways."""
    ends = []
    for what, of_a_rival in (("chips a round", False), ("chips a round and rival", True)):
        gaps = np.array([more for one in cash_games if (more := _few_minus_many(one, of_a_rival)) is not None])
        if len(gaps) < 2:
            return
        gap = mean_interval(gaps)
        rivals = 7 if of_a_rival else 1
        ends.append((rivals * gap.low, rivals * gap.high))
        yield sample(f"Standard's {what} with one to three rivals left, minus with five to seven", gap)
    yield sample(BETTER, "{verdicts}", judged=ends)


def _few_minus_many(cash_game: CashGameRecord, of_a_rival: bool) -> float | None:
    gain = np.diff(cash_game.stacks[:, 0]).astype(np.float64)
    left = (cash_game.stacks[:-1, 1:] > 0).sum(axis=1)
    if of_a_rival:
        gain /= np.maximum(left, 1)
    few, many = gain[(left >= 1) & (left <= 3)], gain[left >= 5]
    return float(few.mean() - many.mean()) if len(few) and len(many) else None


def _rising(context: Context, setting: conditions.Setting, fixed: Sequence[CashGameRecord]) -> Sample:
    """The document raised blind and ante as players left, found the game more random, and reverted it."""
    specs, rules = [setting.standard(), f"{setting.call()}*7"], CashGameRules(setting.rounds, rising=True)
    rising = conditions.play_games(context, setting, specs, len(fixed), "games", rules=rules)
    chips = won(rising)[:, 0], won(fixed)[:, 0]
    low, high = conditions.resampled(lambda one, two: float(one.std() / two.std()), *chips)
    risen, level = (float(column.std(ddof=1)) for column in chips)
    name = "spread of Standard's chips with rising blinds, over that with fixed ones"
    over = f"{len(fixed)} games of each"
    ends = {"ci95": (low, high), "judged": (low - 1, high - 1)}
    return sample(name, risen / level, **ends, over=over, risen=risen, level=level)


def _show(context: Context, cash_games: Sequence[CashGameRecord], lines: Floats, middle: int) -> None:
    other = int(np.argsort(lines[:, 0])[len(lines) * 3 // 4])
    pair = [("a typical game", cash_games[middle]), ("a good game", cash_games[other])]
    show.picture_of_games(
        context, "chen-1-games", pair, LABELS,
        "One Standard against seven Call: a typical game, and one better than three in four.",
    )  # fmt: skip
    show.picture_of_means(
        context, "chen-1-mean", cash_games, {"Standard": slice(0, 1), "Call": slice(1, None)},
        f"The mean stacks of Standard and of the seven Call in {len(cash_games)} games, with 95% intervals over games.",
    )  # fmt: skip
    rows: show.Rows = [
        [label, float(lines[middle, seat]), float(lines[:, seat].mean())] for seat, label in enumerate(LABELS)
    ]
    header = ["robot", "slope of the typical game", f"mean slope of {len(cash_games)} games"]
    context.table("Slopes, chips a round", header, rows)
    show.workbook(context, LABELS, cash_games, pair, header, rows)
