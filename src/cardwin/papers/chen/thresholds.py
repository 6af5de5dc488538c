"""Test 5: the thresholds that AI V2 learns for target shares of hands won.

In the document's rule a hand counts if V2 calls or raises (3.3); its simulation deals opponents once and counts ties as
losses (3.4). Its V2 forgets between games: what is judged are single games from 1.3, and because neither their length
nor a floor is published, every length and both floors are settings with a verdict of their own. Margins are in the
register. Trainings over many games (AI V3, which the document did not finish) are in studies/chen_training.py.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.executor import open_executor
from cardwin.core.rng import child
from cardwin.papers import Context, verdicts
from cardwin.papers.chen import conditions, grid, show
from cardwin.papers.chen.conditions import DOCUMENTS, Interval, Setting
from cardwin.papers.chen.everybody import rivals
from cardwin.papers.chen.learning import (
    AS_OURS,
    AS_PUBLISHED,
    FLOOR,
    HALF,
    LENGTHS,
    LOW,
    WANTED,
    Singles,
    Wanted,
    Way,
    learner_of,
    single_game,
    single_games,
)
from cardwin.papers.register import register
from cardwin.papers.sample import SHARES, Sample, sample
from cardwin.players.robots.training import held
from cardwin.reports import html

SCANNED = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 2.0, 3.0, 5.0)
SHOWN = LENGTHS.index(100)  # the length of which a finding shows the numbers
PRINTED = dict(zip(WANTED, (1.18, 1.38, 1.5), strict=True))
MARGIN = register(__package__).margin("share of settings with the trend: 50% above 20%")
Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-math.inf, math.inf)
Floors = Mapping[bool, Mapping[Wanted, Singles]]  # single games with the floor and without


def thresholds(context: Context) -> Iterator[Sample]:
    """Thresholds learnt at test 4's table for targets of 20, 33 and 50 percent, and whether any reaches its target."""
    setting = conditions.setting_of(context)
    table = replace(setting, simulation=DOCUMENTS)
    context.text(f"Setting: {table.text(setting.final_rounds)}, as the document did, unless the other way is named.")
    games = context.pick(8, 60, 400, 20)
    singles: Floors = {
        floor: {wanted: single_games(setting, AS_PUBLISHED, wanted, games, context.key("single"), floor=floor,
                                     workers=context.workers) for wanted in WANTED}
        for floor in (True, False)
    }  # fmt: skip
    shares = {way: scan(context, setting, way) for way in (AS_PUBLISHED, AS_OURS)}
    first = {wanted: _first_game(context, setting, wanted) for wanted in WANTED}
    _show(context, first, shares)
    _table_of_singles(context, singles)
    _table_of_shares(context, shares)
    yield from judged_singles(singles)
    for way, found in shares.items():
        (low, (start, _)), (high, (_, end)) = min(found), max(found)
        name = f"share won of hands that count, thresholds held from 1 to 5; {way.name}"
        yield sample(name, f"{low:.1%} to {high:.1%}", ci95=(start, end))
    yield from _everywhere(context)


# --- single games, as the document ran them


def _over_lengths(name: str, numbers: Mapping[bool, Floats], bounds: Bounds = UNBOUNDED, **more: Any) -> Sample:
    """Numbers (games, lengths) of single games: judged at each length, with the floor and without.

    Shown is their mean with the floor at the length `SHOWN`.
    """
    low, high = grid.intervals(numbers[True], bounds)[:, SHOWN].tolist()
    mean, games = float(numbers[True][:, SHOWN].mean()), len(numbers[True])
    over = f"{len(LENGTHS)} lengths of 50 to 500 rounds, with a floor and without, {games} single games each"
    each = [ends for one in numbers.values() for ends in zip(*grid.intervals(one).tolist(), strict=True)]
    return sample(name, mean, ci95=(low, high), judged=each, over=over, rest=floored(mean), **more)


def judged_singles(singles: Floors) -> Iterator[Sample]:
    """The published thresholds, their trend, the hands played, and where steps balance."""
    learnt = {wanted: {floor: games[wanted].thresholds for floor, games in singles.items()} for wanted in WANTED}
    for wanted in WANTED:
        yield _over_lengths(f"threshold learnt for {wanted.text}", learnt[wanted])
    yield _over_lengths(f"threshold learnt for {LOW.text}, as 3.3 has it", learnt[LOW])
    for low, high in (*pairwise(WANTED), (LOW, HALF)):
        name = f"the trend: threshold for {high.share:.0%} minus threshold for {low.share:.0%}"
        steps, printed = (
            {floor: learnt[high][floor] - learnt[low][floor] for floor in singles},
            PRINTED[high] - PRINTED[low],
        )
        yield _over_lengths(name, steps, published=round(printed, 2))
    name = "hands a game that V2 plays when it wants 20%, minus those when it wants 50%"
    yield _over_lengths(name, {floor: games[LOW].hands - games[HALF].hands for floor, games in singles.items()})
    for steps_of in (HALF, LOW):
        exact = steps_of.up / (steps_of.up + steps_of.down)
        yield sample(f"share at which steps of -{steps_of.down:g}/+{steps_of.up:g} balance", exact, exact=exact)
    won = {floor: games[HALF].won / np.maximum(games[HALF].hands, 1) for floor, games in singles.items()}
    yield _over_lengths("share won of hands that counted, steps of -0.01/+0.01", won, SHARES)


def floored(value: float) -> str:
    """Whether a value is at our lower limit: the document had none, and would have fallen further."""
    if value < FLOOR + 0.05:
        return (
            f"this is our floor of {FLOOR:.1f} and no place of rest: below it a row of the decision table would be "
            "empty, and without it the threshold would go on falling"
        )
    return f"above our floor of {FLOOR:.1f}"


def _table_of_singles(context: Context, singles: Floors) -> None:
    rows: list[list[str | float]] = []
    for floor, games in singles.items():
        for place, length in enumerate(LENGTHS):
            means = [float(games[wanted].thresholds[:, place].mean()) for wanted in WANTED]
            rows.append([f"floor of {FLOOR:.1f}" if floor else "none", length, *means, means[-1] - means[0]])
    context.table(
        f"Single games from 1.3, {len(singles[True][LOW].thresholds)} each: the threshold after some rounds",
        ["floor", "rounds", *(wanted.text for wanted in WANTED), "50% minus 20%"], rows,
    )  # fmt: skip


# --- fixed thresholds: ours


def scan(context: Context, setting: Setting, way: Way) -> list[tuple[float, Interval]]:
    """The share of counted hands won with the threshold fixed at each of SCANNED, with its interval."""
    games = context.pick(12, 40, 150, 100)
    table = replace(setting, simulation=way.simulation)

    def play(threshold: float) -> tuple[float, Interval]:
        learner = learner_of(setting, way, f",threshold={threshold}")
        tally = held(table.game, learner, rivals(table), games, context.key("scan"), table.final_rules).astype(float)
        return share_won(tally), conditions.resampled(share_won, tally)

    with open_executor(context.workers) as executor:
        return list(executor.map(play, SCANNED))


def share_won(tally: Floats) -> float:
    """The share of counted hands that were won, from their numbers (games, 2)."""
    hands, won = tally.sum(axis=0)
    return float(won / hands) if hands else 0.0


def _first_game(context: Context, setting: Setting, wanted: Wanted) -> Floats:
    """The threshold (games, rounds + 1) in some games of a V2 that begins at 1.3 and learns as published."""
    rounds = setting.final_rounds

    def play(number: int) -> Floats:
        return single_game(setting, AS_PUBLISHED, wanted, child(context.key("first"), number), rounds)[:, 0]

    with open_executor(context.workers) as executor:
        games = list(executor.map(play, range(context.pick(4, 12, 40, 12))))
    shortest = min(map(len, games))
    return np.array([values[:shortest] for values in games])


def _everywhere(context: Context) -> Iterator[Sample]:
    """Single games on the grid: whether each setting has the published trend."""
    settings, games = grid.settings_of(context), context.pick(4, 10, 40, 20)
    context.text(grid.text_of(settings, games, f"single games for each wanted share, after {grid.ROUNDS} rounds"))
    values = _grid_values(context, settings, games)  # (wanted, games, settings x lengths)
    steps = [grid.intervals(values[high] - values[low]) for low, high in pairwise(range(len(WANTED)))]
    claims = {
        "50% above 20%": grid.intervals(values[2] - values[0]),
        "each threshold above the one before": np.min(steps, axis=0),
    }
    over = f"{len(settings) * len(grid.ROUNDS)} settings and lengths, {games} games in each"
    marks = {}
    for what, ends in claims.items():
        each = grid.verdicts_of(verdicts.above(MARGIN), ends)
        marks[what] = grid.marks_of(each).reshape(len(settings), -1).mean(axis=1)
        yield sample(f"share of settings with the trend: {what}", judged=each, over=over)
    printed = list(PRINTED.values())
    near = (np.abs(values.mean(axis=1).T - printed) <= MARGIN).all(axis=1)
    name = "share of settings with all three thresholds near the published ones"
    yield sample(name, float(near.mean()), over=over, near=int(near.sum()), of=len(near))
    header = ["quantity", "settings", *marks]
    context.table("Thresholds on the grid: share of settings", header, grid.by_axis(settings, marks))


def _grid_values(context: Context, settings: Sequence[Setting], games: int) -> Floats:
    """The threshold (wanted, games, settings x lengths) of single games in each setting, by the document's rule."""

    def run(number: int) -> list[Floats]:
        setting = settings[number]
        way, key = Way("", "play", setting.simulation), context.key("grid", number)
        return [single_games(setting, way, wanted, games, key, lengths=grid.ROUNDS).thresholds for wanted in WANTED]

    with open_executor(context.workers) as executor:
        found = np.array(list(executor.map(run, range(len(settings)))))  # (settings, wanted, games, lengths)
    values: Floats = found.transpose(1, 2, 0, 3).reshape(len(WANTED), games, -1)
    return values


def _show(context: Context, first: Mapping[Wanted, Floats],
          shares: Mapping[Way, Sequence[tuple[float, Interval]]]) -> None:  # fmt: skip
    figure = html.figure(10.4, 4.8)
    left, right = figure.subplots(1, 2)
    curves: dict[str, list[float]] = {}
    for colour, (wanted, values) in zip(("#1f77b4", "#e07b00", "#b3152a"), first.items(), strict=True):
        mean, (low, high) = values.mean(axis=0), grid.intervals(values)
        curves |= {
            wanted.text: mean.tolist(),
            f"{wanted.text}, from": low.tolist(),
            f"{wanted.text}, to": high.tolist(),
        }
        left.plot(mean, color=colour, label=f"{wanted.text} wanted")
        left.fill_between(range(len(mean)), low, high, color=colour, alpha=0.2, linewidth=0)
        left.axhline(PRINTED[wanted], color=colour, linestyle=":", linewidth=1)
        right.axhline(wanted.share, color=colour, linestyle=":", linewidth=1)
    left.axhline(FLOOR, color="#667085", linewidth=1, label=f"our lower limit of {FLOOR:.1f}")
    show.dress(left, "learnt in a single game from 1.3 (dotted: published)", "round", "threshold")
    html.legend_outside(figure, left, 1, "outside lower left")
    for (way, found), colour in zip(shares.items(), ("#20242c", "#667085"), strict=True):
        curves[f"won, {way.name}"] = [share for share, _ in found]
        errors = np.abs(np.array([[share - low, high - share] for share, (low, high) in found]).T)
        right.errorbar(SCANNED, curves[f"won, {way.name}"], errors, color=colour, marker="o", markersize=4, capsize=2,
                       label=way.name)  # fmt: skip
    right.set_ylim(0, 1)
    show.dress(right, "share won of hands that count (dotted: wanted)", "threshold, fixed", "share")
    html.legend_outside(figure, right, 1, "outside lower right")
    context.picture(
        "chen-5-thresholds", figure,
        "Left: V2's threshold by round, the mean of single games by the document's rule. Right: why it falls: with a "
        "threshold that is fixed, the share of hands won is above the wanted shares. All with 95% intervals.",
        {**curves, "threshold, fixed": list(SCANNED)},
    )  # fmt: skip


def _table_of_shares(context: Context, shares: Mapping[Way, Sequence[tuple[float, Interval]]]) -> None:
    context.table(
        "Share won of the hands that count, with a fixed threshold",
        ["threshold", *(text for way in shares for text in (way.name, "from", "to"))],
        [
            [held_at, *(cell for found in shares.values() for cell in (found[place][0], *found[place][1]))]
            for place, held_at in enumerate(SCANNED)
        ],
    )
