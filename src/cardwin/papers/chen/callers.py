"""Test 1: one Standard robot against seven Call robots.

Slopes are compared by sign, because the document's chips are not published, and by their ratio. What is better with
fewer rivals is not said: chips a round shrink with the pot, so they are also counted a rival. Margins are in the
register: 5% of a stack over a game.
"""

from collections.abc import Iterator, Sequence
from math import log2

import numpy as np

from cardwin.analysis.cash_games import slopes, won
from cardwin.arena.cash_game import CashGameRecord, CashGameRules
from cardwin.papers import Context, Finding, verdicts
from cardwin.papers.chen import conditions, show
from cardwin.papers.chen.conditions import Floats
from cardwin.papers.register import register
from cardwin.stats.intervals import mean_interval

TYPICAL_STANDARD, TYPICAL_CALL, MEAN_STANDARD = 81.492, -28.95, 70.0
BETTER = "Standard does better with one to three rivals left than with five to seven"
SPREAD = "spread of Standard's chips with rising blinds, over that with fixed ones"
LABELS = show.labels_of(("Standard", 1), ("Call", 7))
SCALE_FREE = "the chips are ours to choose, so the sign can be compared and not the size"


def callers(context: Context) -> Iterator[Finding]:
    """One Standard against seven Call: slopes of a typical game, and the average over many."""
    setting = conditions.setting_of(context)
    context.say(f"Setting: {setting.text(setting.rounds)}.")
    specs = [setting.standard(), f"{setting.call()}*7"]
    cash_games = conditions.play_games(context, setting, specs, conditions.games_of(context), "games")
    lines = slopes(cash_games)
    middle = conditions.typical(lines[:, 0])
    _show(context, cash_games, lines, middle)
    yield from _slopes(lines)
    yield from _fewer(cash_games)
    lost = conditions.lost_chips(cash_games)
    yield Finding(
        "3.4, 4.3", "chips lost or made by the table", measured=float(lost), exact=0.0, verdict=None,
        reason="the document's table lost or made up to 5%; ours accounts for every chip after every round",
    )  # fmt: skip
    yield _rising(context, setting, cash_games)


def _slopes(lines: Floats) -> Iterator[Finding]:
    over, place = f"{len(lines)} games", "4.2, test 1"
    ends = conditions.resampled(lambda sample: float(np.median(sample)), lines[:, 0])
    yield Finding(
        f"{place}, figure 14", "Standard's slope in a typical game", published=TYPICAL_STANDARD,
        measured=float(np.median(lines[:, 0])), ci95=ends, over=over,
        verdict=verdicts.judge(verdicts.above(_margin("Standard's slope in a typical game")), ends),
        reason=f"the middle of all games; {SCALE_FREE}",
    )  # fmt: skip
    calls = mean_interval(lines[:, 1:].mean(axis=1))
    ends = conditions.interval(calls)
    yield Finding(
        f"{place}, figure 14", "Call's slope, mean of the seven", published=TYPICAL_CALL, measured=calls.mean,
        ci95=ends, over=over, reason=SCALE_FREE,
        verdict=verdicts.judge(verdicts.below(_margin("Call's slope, mean of the seven")), ends),
    )  # fmt: skip
    mean = mean_interval(lines[:, 0])
    ends = conditions.interval(mean)
    yield Finding(
        f"{place}, figure 16", "Standard's slope, mean of all games", published=MEAN_STANDARD, measured=mean.mean,
        ci95=ends, over=over,
        verdict=verdicts.judge(verdicts.above(_margin("Standard's slope, mean of all games")), ends),
        reason=f"{SCALE_FREE}: {MEAN_STANDARD / mean.mean:.1f} times our chips would make it +70. So do seven stacks "
        "of 10,000 won in 1,000 rounds, which is where our stack comes from.",
    )  # fmt: skip
    yield _proportion(lines, over)
    total = mean_interval(lines.sum(axis=1))
    yield Finding(
        f"{place}, figure 14", "sum of the eight slopes", measured=total.mean, ci95=conditions.interval(total),
        over=over, verdict=None,
        reason=f"the document's add up to {TYPICAL_STANDARD + 7 * TYPICAL_CALL:.1f}. Ours are not zero either though "
        "no chip is lost: a robot's line ends when it is out, so losers' slopes are taken over fewer rounds. Published "
        "slopes that do not add up prove no loss by themselves.",
    )  # fmt: skip


def _proportion(lines: Floats, over: str) -> Finding:
    published = TYPICAL_CALL / TYPICAL_STANDARD
    low, high = conditions.resampled(lambda sample: float(sample[:, 1:].mean() / sample[:, 0].mean()), lines)
    same_sign = high < 0
    apart = (log2(high / published), log2(low / published)) if same_sign else None
    regions = verdicts.within(0.0, _margin("Call's slope over Standard's"))
    return Finding(
        "4.2, test 1, figure 14", "Call's slope over Standard's", published=round(published, 3),
        measured=float(lines[:, 1:].mean() / lines[:, 0].mean()), ci95=(low, high), over=over,
        verdict=verdicts.judge(regions, apart),
        needed=verdicts.runs_needed(regions, apart, len(lines)) if apart else None,
        reason="free of scale; margin: a factor of two",
    )  # fmt: skip


def _fewer(cash_games: Sequence[CashGameRecord]) -> Iterator[Finding]:
    """Standard's gain while one to three Calls are left, minus that while five to seven are left, two ways."""
    found, margin = [], _margin(BETTER)
    for what, of_a_rival in (("chips a round", False), ("chips a round and rival", True)):
        gaps = np.array([more for one in cash_games if (more := _few_minus_many(one, of_a_rival)) is not None])
        if len(gaps) < 2:
            return
        gap = mean_interval(gaps)
        ends = conditions.interval(gap)
        found.append(verdicts.judge(verdicts.above(margin / 7 if of_a_rival else margin), ends))
        yield Finding(
            "ours", f"Standard's {what} with one to three rivals left, minus with five to seven", measured=gap.mean,
            ci95=ends, over=f"{len(gaps)} games that came so far", verdict=None,
            reason="every rival's ante and blind are in the pot" if not of_a_rival else "so that the pot is no reason",
        )  # fmt: skip
    yield Finding(
        "4.2, test 1", BETTER, published="behaves better", measured=", ".join(found), over="both ways to count",
        verdict=verdicts.in_most(found, 1.0),
        reason="by chips a round, and by chips a round and rival; the document does not say which",
    )  # fmt: skip


def _few_minus_many(cash_game: CashGameRecord, of_a_rival: bool) -> float | None:
    gain = np.diff(cash_game.stacks[:, 0]).astype(np.float64)
    left = (cash_game.stacks[:-1, 1:] > 0).sum(axis=1)
    if of_a_rival:
        gain /= np.maximum(left, 1)
    few, many = gain[(left >= 1) & (left <= 3)], gain[left >= 5]
    return float(few.mean() - many.mean()) if len(few) and len(many) else None


def _margin(name: str) -> float:
    return register(__package__).margin(name)


def _rising(context: Context, setting: conditions.Setting, fixed: Sequence[CashGameRecord]) -> Finding:
    """The document raised blind and ante as players left, found the game more random, and reverted it."""
    specs = [setting.standard(), f"{setting.call()}*7"]
    rules = CashGameRules(setting.rounds, rising=True)
    rising = conditions.play_games(context, setting, specs, len(fixed), "games", rules=rules)
    chips = won(rising)[:, 0], won(fixed)[:, 0]
    ends = conditions.resampled(lambda one, two: float(one.std() / two.std()), *chips)
    sizes = [float(sample.std(ddof=1)) for sample in chips]
    return Finding(
        "4.1", SPREAD, published="more random",
        measured=sizes[0] / sizes[1], ci95=ends, over=f"{len(fixed)} games of each",
        verdict=verdicts.judge(verdicts.above(_margin(SPREAD)), (ends[0] - 1, ends[1] - 1)),
        reason=f"standard deviations of the chips won, {sizes[0]:.0f} and {sizes[1]:.0f}",
    )  # fmt: skip


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
