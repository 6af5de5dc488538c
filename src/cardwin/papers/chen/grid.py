"""A grid over all settings that the document does not specify, fixed before any run: for tests 3, 4 and 5.

Seven quantities of the table and its robots, every combination: 432 settings. The length of a game, also unspecified,
is varied in the same games. Each setting has its own verdict, from Student's interval over its games; a claim has the
verdict of at least nine of ten settings, and is undecided otherwise: it depends on what was not published, or too few
games were played to tell. What is not shown in a setting is open there, and not the opposite.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.papers import Context, verdicts
from cardwin.papers.chen.conditions import ALWAYS, BY_ODDS, DOCUMENTS, OURS, STACK, WITH_GOOD_HANDS, Setting
from cardwin.papers.verdicts import Conclusion, Regions, Verdict, conclusion_of
from cardwin.stats.intervals import quantile

BLINDS = (50, 100, 200)  # stacks of 200, 100 and 50 blinds
ANTES = (0.1, 0.3, 0.5)  # of a blind
RAISES = (1, 3)  # of V1 and V2, in least bets
RERAISES = ("fold", "play")
CALLS = (5, 7)  # points of Standard's second group: wider and narrower than ours
SIMULATIONS = (OURS, DOCUMENTS)
REACTIONS = (BY_ODDS, WITH_GOOD_HANDS, ALWAYS)
ROUNDS = (100, 300, 500)
FEW = 16  # settings at the scale of seconds, a fixed random sample

AXES: dict[str, tuple[str | float, ...]] = {
    "blind": BLINDS, "ante": ANTES, "raise size": RAISES, "re-raises": RERAISES, "second group": CALLS,
    "simulation": SIMULATIONS, "Standard's calls": REACTIONS,
}  # fmt: skip


def settings_of(context: Context) -> list[Setting]:
    """Every combination, or at the smallest scale a sample of them; a hundred simulations a decision."""
    rollouts = context.pick(50, 100, 100, 1000)
    everywhere = [
        Setting(
            STACK, blind, round(ante * blind), max(ROUNDS), ROUNDS[1], size, rollouts, reraise, calls, way, reaction
        )
        for blind, ante, size, reraise, calls, way, reaction in product(
            BLINDS, ANTES, RAISES, RERAISES, CALLS, SIMULATIONS, REACTIONS
        )
    ]
    if context.scale != "seconds":
        return everywhere
    drawn = generator_of(key_of(0, "a few settings")).permutation(len(everywhere))[:FEW]
    return [everywhere[number] for number in sorted(drawn)]


def text_of(settings: Sequence[Setting], games: int, what: str = "games") -> str:
    """The grid in words."""
    return (
        f"The grid, fixed beforehand: {len(settings)} settings of blind, ante, V1's raise, re-raises, Standard's "
        f"second group and its calls of raises, way of simulating, {games} {what} in each, {settings[0].rollouts} "
        "simulations a decision."
    )


def intervals(gaps: Floats, bounds: tuple[float, float] = (-math.inf, math.inf)) -> Floats:
    """Of gaps (games, settings): Student's intervals of their means (2, settings), clipped to the bounds of a gap."""
    games = len(gaps)
    half = quantile(0.975, games - 1) * gaps.std(axis=0, ddof=1) / np.sqrt(games)
    ends: Floats = np.stack([gaps.mean(axis=0) - half, gaps.mean(axis=0) + half])
    return np.clip(ends, *bounds)


def verdicts_of(regions: Regions, ends: Floats) -> list[Verdict]:
    """The verdict of every setting, from its interval (2, settings)."""
    return [verdicts.judge(regions, (low, high)) for low, high in ends.T.tolist()]


def marks_of(each: Sequence[Verdict]) -> Floats:
    """1 for each setting in which the claim holds, otherwise 0 (settings,)."""
    return np.array([conclusion_of(one) == Conclusion.FOR for one in each], dtype=np.float64)


def by_axis(settings: Sequence[Setting], holds: Mapping[str, Floats]) -> list[list[str | float]]:
    """For each value of each quantity its number of settings and the share of each sign there: rows of a table.

    `holds` has for each name how far a sign holds in every setting (settings,), from 0 to 1.
    """
    rows: list[list[str | float]] = []
    for name, values in AXES.items():
        for value in values:
            chosen = np.array([read(setting)[name] == value for setting in settings])
            shares = [float(marks[chosen].mean()) for marks in holds.values()] if chosen.any() else []
            rows.append([f"{name} {_word(value)}", int(chosen.sum()), *shares])
    return rows


def read(setting: Setting) -> Mapping[str, str | float]:
    """A setting by the names of the axes."""
    return {
        "blind": setting.blind, "ante": setting.ante / setting.blind, "raise size": setting.raise_size,
        "re-raises": setting.reraise, "second group": setting.calls, "simulation": setting.simulation,
        "Standard's calls": setting.reaction,
    }  # fmt: skip


def _word(value: str | float) -> str:
    words = {OURS: "opponents dealt anew, ties shared", DOCUMENTS: "opponents dealt once, ties lost (the document)",
             BY_ODDS: "by the odds", WITH_GOOD_HANDS: "with good hands", ALWAYS: "always"}  # fmt: skip
    return words.get(value, value) if isinstance(value, str) else f"{value:g}"
