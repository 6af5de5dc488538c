"""Outcome sampling in small games: terminals are drawn directly, with their exact probabilities.

A game played move by move reaches each terminal with a probability that follows from both plans. Drawing the terminal
itself has exactly the same distribution and is a hundred times as fast against one opponent: the terminals of many
games are one multinomial draw. The random numbers differ from those of games played move by move.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, generator_of
from cardwin.solvers.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 256  # opponents whose plans fit into the cache


@dataclass(frozen=True)
class Outcomes:
    """The possible results of the first seat in chips, ascending (k,), and the sequences that lead to each.

    leads: k sparse tables (first seat's sequences, second seat's sequences) of the deals' probabilities.
    """

    chips: Floats
    leads: "tuple[csr_array, ...]"


def outcomes_of(tree: Tree) -> Outcomes:
    """The possible results of a tree's games."""
    from scipy.sparse import csr_array

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
def _one_game_each(
    steps: Floats, starts: Ints, columns: Ints, towards: Floats, rivals: Floats, key: int, won: Floats, lost: Floats
) -> None:
    """Add up both seats' results above the lowest outcome, won (n,) and lost (m,).

    steps: (k,) chips from each outcome to the next. Outcome i is reached by the second seat's sequences
    columns[starts[i] : starts[i + 1]]; towards: (n, columns) the first seat's share of the probability of each. rivals:
    (sequences, m). The inner loops have no branches and count in integers, so that they are vectorised.
    """
    points, below = np.empty(BLOCK), np.empty(BLOCK)
    for first in range(0, rivals.shape[1], BLOCK):
        size = min(BLOCK, rivals.shape[1] - first)
        theirs = lost[first : first + size]
        for row in range(len(towards)):
            own, total = child(key, row), 0.0
            for rival in range(size):
                points[rival] = (bits_at(own, first + rival) >> 10) * 2.0**-53
                below[rival] = 0.0
            for outcome in range(len(steps)):
                for place in range(starts[outcome], starts[outcome + 1]):
                    share = towards[row, place]
                    if share != 0.0:
                        plans = rivals[columns[place], first : first + size]
                        for rival in range(size):
                            below[rival] += share * plans[rival]
                step, count = steps[outcome], 0
                for rival in range(size):
                    above = points[rival] >= below[rival]
                    count += above
                    theirs[rival] += step * above
                total += step * count
            won[row] += total


def one_game_each(outcomes: Outcomes, first: Floats, second: Floats, key: int) -> tuple[Floats, Floats]:
    """Mean chips (n,) and (m,) of plans (n, sequences) and (m, sequences) in one game of every pair.

    Both seats play the same games. An outcome is reached by few of the second seat's sequences: only these are summed.
    """
    won, lost = np.zeros(len(first)), np.zeros(len(second))
    reached = [np.unique(lead.indices) for lead in outcomes.leads[:-1]]
    starts = np.cumsum([0, *map(len, reached)])
    towards = [(lead.T @ first.T).T[:, columns] for lead, columns in zip(outcomes.leads, reached, strict=False)]
    _one_game_each(
        np.diff(outcomes.chips), starts, np.concatenate(reached).astype(np.int64), np.concatenate(towards, axis=1),
        np.ascontiguousarray(second.T), key, won, lost,
    )  # fmt: skip
    return outcomes.chips[0] + won / len(second), -(outcomes.chips[0] + lost / len(first))
