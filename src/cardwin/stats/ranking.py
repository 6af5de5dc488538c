"""Ranking of players from the results of all pairs: a normal hierarchical model of the chips won.

1. The true result of player i against j, per hand, is skill i - skill j + their interaction. Skills and interactions
   are normal with unknown standard deviations (log-uniform prior), which are estimated from the results.
2. The measured result is that plus noise of known standard error, so that pairs with more hands weigh more.
3. Given the two standard deviations all is normal and the posterior is a matrix; they are summed over a grid.
4. A player's score is its mean over all opponents. Samples from the posterior give the probability of every rank.

Results are in chips, as measured; the order of the pairs does not matter. The model is the
paired comparison of Thurstone (1927) and Mosteller (1951) with an interaction and estimated variances (Gelman 2006).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.rng import generator_of, key_of
from cardwin.stats.intervals import Estimate, estimate

DRAWS = 4_000
SPREADS = np.geomspace(0.02, 5.0, 12)  # of skills and of interactions, relative to the results' root mean square


@dataclass(frozen=True, slots=True)
class PairResult:
    """The mean that the first of two players won from the second, with its standard error."""

    first: int
    second: int
    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores of players, probabilities (players, ranks) of each rank, and (players, players) of i above j."""

    scores: tuple[Estimate, ...]
    ranks: Floats
    above: Floats

    @property
    def order(self) -> list[int]:
        """The players from best to worst, by score."""
        return sorted(range(len(self.scores)), key=lambda player: -self.scores[player].mean)

    @property
    def surely_above(self) -> list[bool]:
        """For each rank but the last: whether its player is above all later ones, at 95% each."""
        order = self.order
        return [
            all(self.above[player, other] >= 0.95 for other in order[index + 1 :])
            for index, player in enumerate(order[:-1])
        ]


def rank_players(results: Sequence[PairResult], players: int) -> Ranking:
    """Return the posterior of players' scores and ranks.

    Args:
        results: the results of pairs.
        players: the number of players.

    """
    results = sorted(results, key=lambda result: (result.first, result.second))
    means = np.array([result.mean for result in results])
    errors = np.array([result.error for result in results])
    scale = max(math.sqrt(float((means**2).mean())), float(np.median(errors)), 1e-9)
    draws = scale * _draws(_incidence(results, players), means / scale, np.maximum(errors / scale, 1e-6))
    totals, count_opponents = np.zeros((DRAWS, players)), np.zeros(players)
    for column, result in enumerate(results):
        totals[:, result.first] += draws[:, column]
        totals[:, result.second] -= draws[:, column]
        count_opponents[[result.first, result.second]] += 1
    scores = totals / np.maximum(count_opponents, 1)
    ranks = (-scores).argsort(axis=1).argsort(axis=1)
    lows, highs = np.quantile(scores, [0.025, 0.975], axis=0)
    return Ranking(
        tuple(
            estimate(float(scores[:, i].mean()), float(lows[i]), float(highs[i]), int(count_opponents[i]), "model")
            for i in range(players)
        ),
        np.stack([(ranks == rank).mean(axis=0) for rank in range(players)], axis=1),
        np.stack([(scores[:, [i]] > scores).mean(axis=0) for i in range(players)]),
    )


def _incidence(results: Sequence[PairResult], players: int) -> Floats:
    """Return the incidence matrix (pairs, players) of differences of skills."""
    matrix = np.zeros((len(results), players))
    for row, result in enumerate(results):
        matrix[row, result.first], matrix[row, result.second] = 1.0, -1.0
    return matrix


def _draws(incidence: Floats, means: Floats, errors: Floats) -> Floats:
    """Draw samples (DRAWS, pairs) from the posterior of each pair's true result."""
    skills, pairs, noise = incidence @ incidence.T, np.eye(len(means)), np.diag(errors**2)
    posteriors, weights = [], []
    for skill in SPREADS:
        for interaction in SPREADS:
            prior = skill**2 * skills + interaction**2 * pairs
            factor = np.linalg.cholesky(prior + noise)
            half = np.linalg.solve(factor, means)
            gain = np.linalg.solve(factor, prior)
            weights.append(-0.5 * float(half @ half) - float(np.log(np.diag(factor)).sum()))
            posteriors.append((gain.T @ half, prior, gain))
    chances = np.exp(np.array(weights) - max(weights))
    draw = generator_of(key_of(0, "ranking", len(means)))
    draw_counts = draw.multinomial(DRAWS, chances / chances.sum())
    parts = []
    for count, (middle, prior, gain) in zip(draw_counts, posteriors, strict=True):
        if count:
            root = np.linalg.cholesky(prior - gain.T @ gain + 1e-12 * np.eye(len(means)))
            parts.append(middle + draw.standard_normal((count, len(means))) @ root.T)
    return np.concatenate(parts)
