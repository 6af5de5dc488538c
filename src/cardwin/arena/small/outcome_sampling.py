"""Outcome sampling in small games: terminals are drawn directly, with their exact probabilities.

A game played move by move reaches each terminal with a probability that follows from both plans. Drawing the terminal
itself has exactly the same distribution and is a hundred times as fast against one opponent: the terminals of many
games are one multinomial draw. The random numbers differ from those of games played move by move.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, generator_of
from cardwin.solvers.tree import Floats, Tree

BLOCK = 16  # rows whose odds against all opponents fit into the cache


@dataclass(frozen=True)
class Outcomes:
    """The possible results of the first seat in chips, ascending (k,), and the sequences that lead to each.

    leads: k sparse tables (first seat's sequences, second seat's sequences) of the deals' probabilities.
    """

    chips: Floats
    leads: tuple[csr_array, ...]


def outcomes_of(tree: Tree) -> Outcomes:
    """The possible results of a tree's games."""
    chips = np.array(tree.terminals.chips, dtype=np.float64)
    chances = np.array([float(chance) for chance in tree.terminals.chances])
    shape = tree.sequences[0].count, tree.sequences[1].count
    found = np.unique(chips)
    leads = []
    for value in found:
        here = chips == value
        places = tree.terminals.sequences[here]
        leads.append(csr_array((chances[here], (places[:, 0], places[:, 1])), shape=shape))
    return Outcomes(found, tuple(leads))


def mean_of_draws(outcomes: Outcomes, seat: int, plans: Floats, opponent: Floats, games: int, key: int) -> Floats:
    """Mean chips (n,) of plans (n, sequences) of a seat in `games` games each against one plan (sequences,)."""
    sequences = [lead @ opponent if seat == 0 else lead.T @ opponent for lead in outcomes.leads]
    odds = np.maximum(plans @ np.stack(sequences, axis=1), 0.0)
    counts = generator_of(key).multinomial(games, odds / odds.sum(axis=1, keepdims=True))
    chips: Floats = counts @ outcomes.chips / games
    return chips if seat == 0 else -chips


@kernel
def _one_game_each(steps: Floats, below: Floats, key: int, start: int, won: Floats, lost: Floats) -> None:
    """Add up both seats' results above the lowest outcome, for the rows from start on.

    steps: (k,) chips from each outcome to the next. below: (k, rows, m) the cumulative probabilities of the outcomes.
    The loops have no branches, so that they are vectorised.
    """
    rows, rivals = below.shape[1], below.shape[2]
    points = np.empty(rivals)
    for row in range(rows):
        own = child(key, start + row)
        for rival in range(rivals):
            points[rival] = (bits_at(own, rival) >> 10) * 2.0**-53
        total = 0.0
        for outcome in range(len(steps)):
            step, odds = steps[outcome], below[outcome, row]
            for rival in range(rivals):
                more = step * (points[rival] >= odds[rival])
                total += more
                lost[rival] += more
        won[start + row] = total


def one_game_each(outcomes: Outcomes, first: Floats, second: Floats, key: int) -> tuple[Floats, Floats]:
    """Mean chips (n,) and (m,) of plans (n, sequences) and (m, sequences) in one game of every pair.

    Both seats play the same games.
    """
    won, lost = np.zeros(len(first)), np.zeros(len(second))
    towards = np.cumsum([(lead.T @ first.T).T for lead in outcomes.leads[:-1]], axis=0)
    rivals, steps = np.ascontiguousarray(second.T), np.diff(outcomes.chips)
    odds = np.empty((len(steps) * BLOCK, len(second)))
    for start in range(0, len(first), BLOCK):
        rows = towards[:, start : start + BLOCK]
        # One product for all outcomes of a block, into the same memory each time: half of the time went there.
        below = np.matmul(rows.reshape(-1, len(rivals)), rivals, out=odds[: len(steps) * rows.shape[1]])
        _one_game_each(steps, below.reshape(len(steps), rows.shape[1], -1), key, start, won, lost)
    return outcomes.chips[0] + won / len(second), -(outcomes.chips[0] + lost / len(first))
