"""Validation of a game that was walked: what all solvers assume, and what a wrong rule most often breaks."""

import numpy as np

from cardwin.core.errors import InputError
from cardwin.games.base import CHANCE
from cardwin.solvers.walk import Walk

ROUNDING = 1e-9


def validate(name: str, walk: Walk) -> None:
    """Raise an InputError unless a game is zero-sum, its probabilities sum to 1, and its seats have perfect recall."""
    nodes = walk.nodes
    payoffs = walk.terminals.payoffs
    if len(wrong := np.flatnonzero(payoffs.sum(axis=1))):
        raise InputError(f"{name}: expected returns that sum to 0, got {tuple(payoffs[wrong[0]].tolist())}")
    chance = np.flatnonzero(nodes.actor == CHANCE)
    total = np.append(0.0, np.cumsum(nodes.chance))
    sums = total[nodes.first[chance] + nodes.count[chance]] - total[nodes.first[chance]]
    if len(wrong := np.flatnonzero(abs(sums - 1) > ROUNDING)):
        raise InputError(f"{name}: expected probabilities of outcomes that sum to 1, got {sums[wrong[0]]:g}")
    for seat, sets in enumerate(walk.infosets):
        at = np.flatnonzero(nodes.actor == seat)
        number = np.repeat(np.arange(len(sets.counts)), sets.counts)[nodes.sequence[at] - 1]
        if len(wrong := np.flatnonzero(nodes.count[at] != sets.counts[number])):
            text = sets.texts[number[wrong[0]]]
            raise InputError(f"{name}: expected the same legal actions wherever seat {seat + 1} knows {text!r}")
        if len(wrong := np.flatnonzero(walk.last[at, seat] != sets.parents[number])):
            text = sets.texts[number[wrong[0]]]
            raise InputError(
                f"{name}: expected perfect recall, got {text!r} after different actions of seat {seat + 1}"
            )
