"""Test 1: one Standard robot against seven Call robots.

The document does not publish its chip sizes, so slopes are compared by their sign, and by their ratio. It does not say
in which unit Standard does better with fewer rivals. Chips per round shrink with the pot, so chips per round and rival
are measured too. Margins are in the register: 5% of a stack per game.
"""

from collections.abc import Iterator, Sequence
from math import log2

import numpy as np

from cardwin.arena.cash_game import CashGameRecord, CashGameRules
from cardwin.core.arrays import Floats
from cardwin.papers import Context
from cardwin.papers.chen import game_settings, pictures
from cardwin.papers.sample import Sample, sample
from cardwin.results.cash_game import slopes, won
from cardwin.stats.intervals import mean_interval

TYPICAL_STANDARD, TYPICAL_CALL, MEAN_STANDARD = 81.492, -28.95, 70.0
BETTER = "Standard does better with one to three rivals left than with five to seven"
LABELS = pictures.seat_labels(("Standard", 1), ("Call", 7))


def experiment(context: Context) -> Iterator[Sample]:
    """Play one Standard against seven Call: slopes of a typical game, and means over many."""
    setting = game_settings.setting_of(context)
    context.text(f"Setting: {setting.describe(setting.rounds)}.")
    specs = [setting.standard(), f"{setting.call()}*7"]
    cash_games = game_settings.play_games(context, setting, specs, game_settings.games_of(context), "games")
    seat_slopes = slopes(cash_games)
    standard = seat_slopes[:, 0]
    _show_games(context, cash_games, seat_slopes)
    over = f"{len(seat_slopes)} games"
    ends = game_settings.resampled(game_settings.median, standard)
    yield sample("Standard's slope in a typical game", float(np.median(standard)), ci95=ends, over=over)
    yield sample("Call's slope, mean of the seven", mean_interval(seat_slopes[:, 1:].mean(axis=1)))
    mean = mean_interval(standard)
    yield sample("Standard's slope, mean of all games", mean, times=MEAN_STANDARD / mean.mean)
    yield _slope_ratio(seat_slopes, over)
    yield sample("sum of the eight slopes", mean_interval(seat_slopes.sum(axis=1)))
    yield from _fewer_rivals(cash_games)
    yield sample("chips lost or made by the table", float(_chip_change(cash_games)))
    yield _rising_blinds(context, setting, cash_games)


def _slope_ratio(seat_slopes: Floats, over: str) -> Sample:
    """Compare the ratio of Call's slope to Standard's with the printed one, as a power of two."""
    published = TYPICAL_CALL / TYPICAL_STANDARD
    low, high = game_settings.resampled(lambda rows: float(rows[:, 1:].mean() / rows[:, 0].mean()), seat_slopes)
    powers = (log2(high / published), log2(low / published)) if high < 0 else None  # None: of both signs
    ratio = float(seat_slopes[:, 1:].mean() / seat_slopes[:, 0].mean())
    name = "Call's slope over Standard's"
    return sample(name, ratio, ci95=(low, high), judged=powers, over=over, n=len(seat_slopes))


def _fewer_rivals(cash_games: Sequence[CashGameRecord]) -> Iterator[Sample]:
    """Compare Standard's gain with one to three Calls left to that with five to seven, in two units."""
    ends = []
    for unit, per_rival in (("chips per round", False), ("chips per round and rival", True)):
        gains = [_few_minus_many(cash_game, per_rival) for cash_game in cash_games]
        gaps = np.array([gain for gain in gains if gain is not None])
        if len(gaps) < 2:
            return
        gap = mean_interval(gaps)
        rivals = 7 if per_rival else 1
        ends.append((rivals * gap.low, rivals * gap.high))
        yield sample(f"Standard's {unit} with one to three rivals left, minus with five to seven", gap)
    yield sample(BETTER, "{verdicts}", judged=ends)


def _few_minus_many(cash_game: CashGameRecord, per_rival: bool) -> float | None:
    """Return Standard's gain with few rivals minus with many; None if the game did not have both."""
    gain = np.diff(cash_game.stacks[:, 0]).astype(np.float64)
    left = (cash_game.stacks[:-1, 1:] > 0).sum(axis=1)
    if per_rival:
        gain /= np.maximum(left, 1)
    few, many = gain[(left >= 1) & (left <= 3)], gain[left >= 5]
    return float(few.mean() - many.mean()) if len(few) and len(many) else None


def _chip_change(cash_games: Sequence[CashGameRecord]) -> int:
    """Return the largest difference between the chips at the table and those at the beginning."""
    return max(int(np.abs(cash_game.stacks.sum(axis=1) - cash_game.stacks[0].sum()).max()) for cash_game in cash_games)


def _rising_blinds(context: Context, setting: game_settings.Setting, fixed_games: Sequence[CashGameRecord]) -> Sample:
    """Compare the spread of results with rising and with fixed blinds.

    The document raised blind and ante as players left, found the game more random, and reverted it.
    """
    specs, rules = [setting.standard(), f"{setting.call()}*7"], CashGameRules(setting.rounds, rising=True)
    rising_games = game_settings.play_games(context, setting, specs, len(fixed_games), "games", rules=rules)
    chips = won(rising_games)[:, 0], won(fixed_games)[:, 0]
    low, high = game_settings.resampled(lambda rising, fixed: float(rising.std() / fixed.std()), *chips)
    risen, level = (float(column.std(ddof=1)) for column in chips)
    return sample(
        "spread of Standard's chips with rising blinds, over that with fixed ones",
        risen / level,
        ci95=(low, high),
        judged=(low - 1, high - 1),
        over=f"{len(fixed_games)} games of each",
        risen=risen,
        level=level,
    )


def _show_games(context: Context, cash_games: Sequence[CashGameRecord], seat_slopes: Floats) -> None:
    typical = game_settings.median_game(seat_slopes[:, 0])
    good = int(np.argsort(seat_slopes[:, 0])[len(seat_slopes) * 3 // 4])
    examples = [("a typical game", cash_games[typical]), ("a good game", cash_games[good])]
    caption = "One Standard against seven Call: a typical game, and one better than three in four."
    pictures.save_games(context, "chen-1-games", examples, LABELS, caption)
    seats = {"Standard": slice(0, 1), "Call": slice(1, None)}
    caption = (
        f"The mean stacks of Standard and of the seven Call in {len(cash_games)} games, with 95% intervals over games."
    )
    pictures.save_means(context, "chen-1-mean", cash_games, seats, caption)
    rows: pictures.Rows = [
        [label, float(seat_slopes[typical, seat]), float(seat_slopes[:, seat].mean())]
        for seat, label in enumerate(LABELS)
    ]
    header = ["robot", "slope of the typical game", f"mean slope of {len(cash_games)} games"]
    context.table("Slopes, chips per round", header, rows)
    pictures.save_workbook(context, LABELS, cash_games, examples, header, rows)
