"""A grid over all settings that the document does not specify, fixed before any run: for tests 3, 4 and 5.

Six quantities of the table and its robots, every combination: 144 settings. The length of a game, also unspecified, is
varied in the same games. A published sign that needs a certain setting is not a finding about the robots, so a claim
holds if its sign occurs in at least nine of ten settings, and is refuted if the opposite does; in between it depends on
what was not published. Signs are those of means over few games, which noise can only move towards a half.
"""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np

from cardwin.core.rng import generator_of, key_of
from cardwin.papers import Context
from cardwin.papers.chen.conditions import DOCUMENTS, OURS, STACK, Floats, Interval, Setting, resampled_share

BLINDS = (50, 100, 200)  # stacks of 200, 100 and 50 blinds
ANTES = (0.1, 0.3, 0.5)  # of a blind
RAISES = (1, 3)  # of V1 and V2, in least bets
RERAISES = ("fold", "play")
CALLS = (5, 7)  # points of Standard's second group: wider and narrower than ours
SIMULATIONS = (OURS, DOCUMENTS)
ROUNDS = (100, 300, 500)
SHARE = 0.9  # of the settings at which a claim holds, or fails
FEW = 16  # settings at the scale of seconds, a fixed random sample

AXES: dict[str, tuple[str | float, ...]] = {
    "blind": BLINDS, "ante": ANTES, "raise size": RAISES, "re-raises": RERAISES, "second group": CALLS,
    "simulation": SIMULATIONS,
}  # fmt: skip


def settings_of(context: Context) -> list[Setting]:
    """Every combination, or at the smallest scale a sample of them; a hundred simulations a decision."""
    rollouts = context.pick(50, 100, 100, 1000)
    everywhere = [
        Setting(STACK, blind, round(ante * blind), max(ROUNDS), ROUNDS[1], size, rollouts, reraise, calls, simulation)
        for blind, ante, size, reraise, calls, simulation in product(
            BLINDS, ANTES, RAISES, RERAISES, CALLS, SIMULATIONS
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
        f"second group and way of simulating, {games} {what} in each, {settings[0].rollouts} simulations a decision."
    )


def share_with_sign(gaps: Floats) -> tuple[float, int, Interval]:
    """Of gaps (games, settings): the share of settings whose mean is above zero, their number, and the interval."""

    def share(sample: Floats) -> float:
        return float((sample.mean(axis=0) > 0).mean())

    return share(gaps), int((gaps.mean(axis=0) > 0).sum()), resampled_share(share, gaps)


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
    }  # fmt: skip


def _word(value: str | float) -> str:
    words = {OURS: "as it should be", DOCUMENTS: "as the document did"}
    return words.get(value, value) if isinstance(value, str) else f"{value:g}"
