"""Test 5: the thresholds that AI V2 learns for target shares of hands won.

In the document's rule a hand counts if V2 calls or raises (3.3). Its simulation deals opponents once and counts ties as
losses (3.4). Its V2 forgets between games, so single games from 1.3 are judged. Neither their length nor a lower limit
is published: every length, with our lower limit and without, is a setting with a verdict of its own. Margins are in the
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
from cardwin.papers.chen import game_settings, grid, pictures
from cardwin.papers.chen.game_settings import DOCUMENT_SIMULATION, Interval, Setting
from cardwin.papers.chen.learning import (
    FIFTH,
    FLOOR,
    HALF,
    LENGTHS,
    OUR_RULE,
    PUBLISHED_RULE,
    TARGETS,
    LearningRule,
    SingleGames,
    Target,
    learner_of,
    play_single_game,
    play_single_games,
)
from cardwin.papers.register import register
from cardwin.papers.sample import SHARES, Sample, sample
from cardwin.players.robots.training import held
from cardwin.reports import html

FIXED_THRESHOLDS = (1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 2.0, 3.0, 5.0)
SHOWN = LENGTHS.index(100)  # the length of which a finding shows the numbers
PRINTED = dict(zip(TARGETS, (1.18, 1.38, 1.5), strict=True))
MARGIN = register(__package__).margin("share of settings with the trend: 50% above 20%")
Bounds = tuple[float, float]
UNBOUNDED: Bounds = (-math.inf, math.inf)
GamesByFloor = Mapping[bool, Mapping[Target, SingleGames]]  # with our lower limit and without
SharesByRule = Mapping[LearningRule, Sequence[tuple[float, Interval]]]  # won, by fixed threshold


def experiment(context: Context) -> Iterator[Sample]:
    """Learn thresholds at test 4's table for 20, 33 and 50 percent, and find whether any fixed one reaches these."""
    setting = game_settings.setting_of(context)
    table = replace(setting, simulation=DOCUMENT_SIMULATION)
    context.text(
        f"Setting: {table.describe(setting.final_rounds)}, as the document did, unless the other way is named."
    )
    single_games = {floor: _single_games(context, setting, floor) for floor in (True, False)}
    shares = {rule: _shares_won(context, setting, rule) for rule in (PUBLISHED_RULE, OUR_RULE)}
    _draw_thresholds(context, {target: _first_games(context, setting, target) for target in TARGETS}, shares)
    _show_single_games(context, single_games)
    _show_shares(context, shares)
    yield from judge_single_games(single_games)
    for rule, by_threshold in shares.items():
        (low, (start, _)), (high, (_, end)) = min(by_threshold), max(by_threshold)
        name = f"share won of hands that count, thresholds held from 1 to 5; {rule.name}"
        yield sample(name, f"{low:.1%} to {high:.1%}", ci95=(start, end))
    yield from _grid_claims(context)


# --- single games, as the document ran them


def _single_games(context: Context, setting: Setting, floor: bool) -> dict[Target, SingleGames]:
    games, key, workers = context.pick(8, 60, 400, 20), context.key("single"), context.workers
    return {
        target: play_single_games(setting, PUBLISHED_RULE, target, games, key, floor=floor, workers=workers)
        for target in TARGETS
    }


def judge_single_games(single_games: GamesByFloor) -> Iterator[Sample]:
    """Judge the published thresholds, their trend, the hands played, and the shares at which steps balance."""
    learnt = {
        target: {floor: by_target[target].thresholds for floor, by_target in single_games.items()} for target in TARGETS
    }
    for target in TARGETS:
        yield _over_lengths(f"threshold learnt for {target.text}", learnt[target])
    yield _over_lengths(f"threshold learnt for {FIFTH.text}, as 3.3 has it", learnt[FIFTH])
    for low, high in (*pairwise(TARGETS), (FIFTH, HALF)):
        name = f"the trend: threshold for {high.share:.0%} minus threshold for {low.share:.0%}"
        differences = {floor: learnt[high][floor] - learnt[low][floor] for floor in single_games}
        yield _over_lengths(name, differences, published=round(PRINTED[high] - PRINTED[low], 2))
    name = "hands a game that V2 plays when it wants 20%, minus those when it wants 50%"
    yield _over_lengths(name, {floor: games[FIFTH].hands - games[HALF].hands for floor, games in single_games.items()})
    for target in (HALF, FIFTH):
        exact = target.up / (target.up + target.down)
        yield sample(f"share at which steps of -{target.down:g}/+{target.up:g} balance", exact, exact=exact)
    won = {floor: games[HALF].won / np.maximum(games[HALF].hands, 1) for floor, games in single_games.items()}
    yield _over_lengths("share won of hands that counted, steps of -0.01/+0.01", won, SHARES)


def _over_lengths(name: str, values: Mapping[bool, Floats], bounds: Bounds = UNBOUNDED, **fields: Any) -> Sample:
    """Return a sample that is judged at each length of a game, with our lower limit and without.

    Args:
        name: The sample's name.
        values: With the lower limit and without, a number per single game and length (games, lengths).
        bounds: The bounds of such a number.
        fields: Further fields of the sample.

    Returns:
        The sample, which shows the mean with the lower limit at the length `SHOWN`.

    """
    low, high = grid.mean_intervals(values[True], bounds)[:, SHOWN].tolist()
    mean, games = float(values[True][:, SHOWN].mean()), len(values[True])
    over = f"{len(LENGTHS)} lengths of 50 to 500 rounds, with a floor and without, {games} single games each"
    ends = [grid.mean_intervals(column).T for column in values.values()]
    judged = [(start, end) for by_length in ends for start, end in by_length.tolist()]
    return sample(name, mean, ci95=(low, high), judged=judged, over=over, rest=floor_remark(mean), **fields)


def floor_remark(threshold: float) -> str:
    """Return whether a threshold is at our lower limit; the document had none, and would have fallen further."""
    if threshold < FLOOR + 0.05:
        return (
            f"clipped at our lower bound of {FLOOR:.1f}, not converged: below it a row of the decision table would be "
            "empty, and without the bound the threshold would go on falling"
        )
    return f"above our lower bound of {FLOOR:.1f}"


def _first_games(context: Context, setting: Setting, target: Target) -> Floats:
    """Return the threshold by round (games, rounds + 1) in some games of a V2 that learns as published."""
    rounds = setting.final_rounds

    def play(number: int) -> Floats:
        key = child(context.key("first"), number)
        return play_single_game(setting, PUBLISHED_RULE, target, key, rounds)[:, 0]

    with open_executor(context.workers) as executor:
        games = list(executor.map(play, range(context.pick(4, 12, 40, 12))))
    shortest = min(map(len, games))
    return np.array([thresholds[:shortest] for thresholds in games])


# --- fixed thresholds: ours


def _shares_won(context: Context, setting: Setting, rule: LearningRule) -> list[tuple[float, Interval]]:
    """Return the share won of the hands that count, with its interval, for each of FIXED_THRESHOLDS."""
    games = context.pick(12, 40, 150, 100)
    table = replace(setting, simulation=rule.simulation)
    key, rules = context.key("scan"), table.final_rules

    def play(threshold: float) -> tuple[float, Interval]:
        learner = learner_of(setting, rule, f",threshold={threshold}")
        tally = held(table.game, learner, table.v2_rivals(), games, key, rules).astype(float)
        return _share_won(tally), game_settings.resampled(_share_won, tally)

    with open_executor(context.workers) as executor:
        return list(executor.map(play, FIXED_THRESHOLDS))


def _share_won(tally: Floats) -> float:
    """Return the share won, from hands that counted and those won by game (games, 2)."""
    hands, won = tally.sum(axis=0)
    return float(won / hands) if hands else 0.0


# --- the trend on the grid


def _grid_claims(context: Context) -> Iterator[Sample]:
    """Judge the published trend in single games of every setting of the grid, after each length."""
    settings, games = grid.grid_settings(context), context.pick(4, 10, 40, 20)
    unit = f"single games for each wanted share, after {grid.ROUNDS} rounds"
    context.text(grid.describe(settings, games, unit))
    values = _grid_thresholds(context, settings, games)
    steps = [grid.mean_intervals(values[high] - values[low]) for low, high in pairwise(range(len(TARGETS)))]
    claims = {
        "50% above 20%": grid.mean_intervals(values[2] - values[0]),
        "each threshold above the one before": np.min(steps, axis=0),
    }
    over = f"{len(settings) * len(grid.ROUNDS)} settings and lengths, {games} games in each"
    marks = {}
    for claim, ends in claims.items():
        judged = grid.judge_settings(verdicts.above(MARGIN), ends)
        marks[claim] = grid.marks_of(judged).reshape(len(settings), -1).mean(axis=1)
        yield sample(f"share of settings with the trend: {claim}", judged=judged, over=over)
    printed = list(PRINTED.values())
    near = (np.abs(values.mean(axis=1).T - printed) <= MARGIN).all(axis=1)
    name = "share of settings with all three thresholds near the published ones"
    yield sample(name, float(near.mean()), over=over, near=int(near.sum()), of=len(near))
    header = ["quantity", "settings", *marks]
    context.table("Thresholds on the grid: share of settings", header, grid.rows_by_axis(settings, marks))


def _grid_thresholds(context: Context, settings: Sequence[Setting], games: int) -> Floats:
    """Return the thresholds (targets, games, settings x lengths) that the document's rule learns in each setting."""

    def run(number: int) -> list[Floats]:
        setting, key = settings[number], context.key("grid", number)
        rule = LearningRule("", "play", setting.simulation)
        single_games = (play_single_games(setting, rule, target, games, key, lengths=grid.ROUNDS) for target in TARGETS)
        return [by_length.thresholds for by_length in single_games]

    with open_executor(context.workers) as executor:
        values = np.array(list(executor.map(run, range(len(settings)))))  # (settings, targets, games, lengths)
    thresholds: Floats = values.transpose(1, 2, 0, 3).reshape(len(TARGETS), games, -1)
    return thresholds


# --- tables and pictures


def _show_single_games(context: Context, single_games: GamesByFloor) -> None:
    rows: list[list[str | float]] = []
    for floor, by_target in single_games.items():
        for number, length in enumerate(LENGTHS):
            means = [float(by_target[target].thresholds[:, number].mean()) for target in TARGETS]
            rows.append([f"floor of {FLOOR:.1f}" if floor else "none", length, *means, means[-1] - means[0]])
    games = len(single_games[True][FIFTH].thresholds)
    title = f"Single games from 1.3, {games} each: the threshold after some rounds"
    context.table(title, ["floor", "rounds", *(target.text for target in TARGETS), "50% minus 20%"], rows)


def _show_shares(context: Context, shares: SharesByRule) -> None:
    header = ["threshold", *(text for rule in shares for text in (rule.name, "from", "to"))]
    rows = [
        [threshold, *(number for share, interval in by_rule for number in (share, *interval))]
        for threshold, *by_rule in zip(FIXED_THRESHOLDS, *shares.values(), strict=True)
    ]
    context.table("Share won of the hands that count, with a fixed threshold", header, rows)


def _draw_thresholds(context: Context, first_games: Mapping[Target, Floats], shares: SharesByRule) -> None:
    figure = html.figure(10.4, 4.8)
    left, right = figure.subplots(1, 2)
    curves: dict[str, list[float]] = {}
    for colour, (target, thresholds) in zip(("#1f77b4", "#e07b00", "#b3152a"), first_games.items(), strict=True):
        mean, (low, high) = thresholds.mean(axis=0), grid.mean_intervals(thresholds)
        curves |= {
            target.text: mean.tolist(),
            f"{target.text}, from": low.tolist(),
            f"{target.text}, to": high.tolist(),
        }
        left.plot(mean, color=colour, label=f"{target.text} wanted")
        left.fill_between(range(len(mean)), low, high, color=colour, alpha=0.2, linewidth=0)
        left.axhline(PRINTED[target], color=colour, linestyle=":", linewidth=1)
        right.axhline(target.share, color=colour, linestyle=":", linewidth=1)
    left.axhline(FLOOR, color="#667085", linewidth=1, label=f"our lower limit of {FLOOR:.1f}")
    pictures.style_axes(left, "learnt in a single game from 1.3 (dotted: published)", "round", "threshold")
    html.legend_outside(figure, left, 1, "outside lower left")
    for (rule, by_threshold), colour in zip(shares.items(), ("#20242c", "#667085"), strict=True):
        won = curves[f"won, {rule.name}"] = [share for share, _ in by_threshold]
        errors = np.abs(np.array([[share - low, high - share] for share, (low, high) in by_threshold]).T)
        style = {"color": colour, "marker": "o", "markersize": 4, "capsize": 2}
        right.errorbar(FIXED_THRESHOLDS, won, errors, label=rule.name, **style)
    right.set_ylim(0, 1)
    pictures.style_axes(right, "share won of hands that count (dotted: wanted)", "threshold, fixed", "share")
    html.legend_outside(figure, right, 1, "outside lower right")
    caption = (
        "Left: V2's threshold by round, the mean of single games by the document's rule. Right: why it falls: with a "
        "threshold that is fixed, the share of hands won is above the wanted shares. All with 95% intervals."
    )
    columns = {**curves, "threshold, fixed": list(FIXED_THRESHOLDS)}
    context.picture("chen-5-thresholds", figure, caption, columns)
