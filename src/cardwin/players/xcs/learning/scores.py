"""Scores of a classifier system on a problem with a known answer."""

import numpy as np

from cardwin.players.xcs.learning.problems import WINDOW, Trials, XcsLearner


def share_right(trials: Trials, last: int) -> float:
    """The mean score of the last exploit trials."""
    return float(trials.exploited()[-last:].mean())


def explore_trials_to(learner: XcsLearner, share: float, within: int) -> int | None:
    """After how many explore trials a window of 200 exploit trials first reaches a share right, or None if never.

    The learner runs until it has explored `within` times.
    """
    explored, right, seen = np.zeros(0, np.int64), np.zeros(0, np.int64), 0
    while seen < within:
        trials = learner.live(1_000)
        explored, right = np.append(explored, trials.explored), np.append(right, trials.score)
        seen = int(explored.sum())
    at = np.flatnonzero(explored == 0)
    windows = np.convolve(right[at], np.ones(WINDOW), "valid")
    good = np.flatnonzero(windows >= share * WINDOW)
    if not len(good):
        return None
    needed = int(explored[: at[good[0] + WINDOW - 1]].sum())
    return needed if needed <= within else None
