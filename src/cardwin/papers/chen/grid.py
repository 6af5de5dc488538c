"""The grid: every combination of what the document does not specify, fixed before any run, for tests 3, 4 and 5.

Seven quantities of the table and its robots give 432 settings. The length of a game, also unspecified, is varied in the
same games. Each setting has its own verdict, from Student's interval over its games. A claim has the verdict of at
least nine of ten settings and is undecided otherwise: it depends on what was not published, or on too few games. A
setting that does not show the claim is open, not evidence of the opposite.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.papers import Context, verdicts
from cardwin.papers.chen.game_settings import (
    ALWAYS,
    BY_ODDS,
    DOCUMENT_SIMULATION,
    OUR_SIMULATION,
    WITH_GOOD_HANDS,
    Setting,
)
from cardwin.papers.verdicts import Conclusion, Regions, Verdict, conclusion_of
from cardwin.stats.intervals import quantile

ROUNDS = (100, 300, 500)
SAMPLE_SIZE = 16  # settings at the scale of seconds, a fixed random sample

AXES: dict[str, tuple[str | float, ...]] = {
    "blind": (50, 100, 200),  # stacks of 200, 100 and 50 blinds
    "ante": (0.1, 0.3, 0.5),  # of a blind
    "raise size": (1, 3),  # of V1 and V2, in minimum bets
    "re-raises": ("fold", "play"),
    "second group": (5, 7),  # Standard's minimum points: wider and narrower than ours
    "simulation": (OUR_SIMULATION, DOCUMENT_SIMULATION),
    "Standard's calls": (BY_ODDS, WITH_GOOD_HANDS, ALWAYS),
}
WORDS = {
    OUR_SIMULATION: "opponents dealt anew, ties shared",
    DOCUMENT_SIMULATION: "opponents dealt once, ties lost (the document)",
    BY_ODDS: "by the odds",
    WITH_GOOD_HANDS: "with good hands",
    ALWAYS: "always",
}


def grid_settings(context: Context) -> list[Setting]:
    """Return every combination, or at the smallest scale a sample; with a hundred simulations per decision."""
    rollouts = context.pick(50, 100, 100, 1000)
    settings = [_setting(dict(zip(AXES, values, strict=True)), rollouts) for values in product(*AXES.values())]
    if context.scale != "seconds":
        return settings
    sampled = generator_of(key_of(0, "a few settings")).permutation(len(settings))[:SAMPLE_SIZE]
    return [settings[number] for number in sorted(sampled)]


def _setting(values: Mapping[str, Any], rollouts: int) -> Setting:
    """Return the setting with a value per axis."""
    return Setting(
        blind=values["blind"],
        ante=round(values["ante"] * values["blind"]),
        rounds=max(ROUNDS),
        final_rounds=ROUNDS[1],
        raise_size=values["raise size"],
        rollouts=rollouts,
        reraise=values["re-raises"],
        second_group=values["second group"],
        simulation=values["simulation"],
        raise_calls=values["Standard's calls"],
    )


def _axis_values(setting: Setting) -> Mapping[str, str | float]:
    """Return the value of a setting on every axis."""
    return {
        "blind": setting.blind,
        "ante": setting.ante / setting.blind,
        "raise size": setting.raise_size,
        "re-raises": setting.reraise,
        "second group": setting.second_group,
        "simulation": setting.simulation,
        "Standard's calls": setting.raise_calls,
    }


def describe(settings: Sequence[Setting], games: int, unit: str = "games") -> str:
    """Return the grid in words."""
    return (
        f"The grid, fixed beforehand: {len(settings)} settings of blind, ante, V1's raise, re-raises, Standard's "
        f"second group and its calls of raises, way of simulating, {games} {unit} in each, {settings[0].rollouts} "
        "simulations per decision."
    )


def mean_intervals(gaps: Floats, bounds: tuple[float, float] = (-math.inf, math.inf)) -> Floats:
    """Return Student's 95% intervals of means over games.

    Args:
        gaps: A number per game and setting (games, settings).
        bounds: The bounds of such a number, to which the intervals are clipped.

    Returns:
        Lower and upper ends (2, settings).

    """
    games = len(gaps)
    half = quantile(0.975, games - 1) * gaps.std(axis=0, ddof=1) / np.sqrt(games)
    ends: Floats = np.stack([gaps.mean(axis=0) - half, gaps.mean(axis=0) + half])
    return np.clip(ends, *bounds)


def judge_settings(regions: Regions, ends: Floats) -> list[Verdict]:
    """Return the verdict of every setting, from its interval (2, settings)."""
    return [verdicts.judge(regions, (low, high)) for low, high in ends.T.tolist()]


def marks_of(judged: Sequence[Verdict]) -> Floats:
    """Return 1 for each setting in which the claim holds, otherwise 0 (settings,)."""
    return np.array([conclusion_of(verdict) == Conclusion.FOR for verdict in judged], dtype=np.float64)


def rows_by_axis(settings: Sequence[Setting], marks: Mapping[str, Floats]) -> list[list[str | float]]:
    """Return the rows of a table: for each value on each axis, how often each claim holds.

    Args:
        settings: Settings of the grid.
        marks: For each claim, how far it holds in every setting (settings,), from 0 to 1.

    Returns:
        Rows of the value, its number of settings, and the share of each claim there.

    """
    rows: list[list[str | float]] = []
    for axis, values in AXES.items():
        for value in values:
            selected = np.array([_axis_values(setting)[axis] == value for setting in settings])
            shares = [float(column[selected].mean()) for column in marks.values()] if selected.any() else []
            text = WORDS.get(value, value) if isinstance(value, str) else f"{value:g}"
            rows.append([f"{axis} {text}", int(selected.sum()), *shares])
    return rows
