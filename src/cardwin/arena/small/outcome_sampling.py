"""Games of a small tree whose ends are drawn at once, with their exact odds.

A game played move by move ends somewhere with a probability that follows from both plans. Drawing the end itself is
luck of exactly the same distribution, and a hundred times as quick against one opponent: the ends of many games are
one multinomial draw. Other luck than that of games played out, so the same seed gives other games.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from cardwin.core.kernel import kernel
from cardwin.core.rng import bits_at, child, generator_of
from cardwin.solvers.tree import Floats, Tree

BLOCK = 64  # rows whose odds against everybody stay in the cache


@dataclass(frozen=True)
class Outcomes:
    """The first seat's chips that a game may end with, rising (k,), and for each what leads there.

    leads: k sparse tables (first seat's sequences, second seat's sequences) of the deals' chances.
    """

    chips: Floats
    leads: tuple[csr_array, ...]


def outcomes_of(tree: Tree) -> Outcomes:
    """What the games of a tree may end with."""
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
    """Mean chips (n,) of plans (n, sequences) of a seat in so many games each against one plan (sequences,)."""
    sequences = [lead @ opponent if seat == 0 else lead.T @ opponent for lead in outcomes.leads]
    odds = np.maximum(plans @ np.stack(sequences, axis=1), 0.0)
    counts = generator_of(key).multinomial(games, odds / odds.sum(axis=1, keepdims=True))
    chips: Floats = counts @ outcomes.chips / games
    return chips if seat == 0 else -chips


@kernel
def _one_game_each(steps: Floats, below: Floats, key: int, start: int, won: Floats, lost: Floats) -> None:
    """Add up what both seats' games end with beyond the lowest outcome, for the rows from start on.

    steps: (k,) chips from each outcome to the next. below: (k, rows, m) the odds of that outcome or a lower one.
    Loops without a branch: they run in vectors.
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
    """Mean chips (n,) and (m,) of plans (n, sequences) and (m, sequences) when each meets each in one game.

    Both seats live through the same games.
    """
    won, lost = np.zeros(len(first)), np.zeros(len(second))
    towards = np.cumsum([(lead.T @ first.T).T for lead in outcomes.leads[:-1]], axis=0)
    for start in range(0, len(first), BLOCK):
        below = np.stack([rows[start : start + BLOCK] @ second.T for rows in towards])
        _one_game_each(np.diff(outcomes.chips), below, key, start, won, lost)
    return outcomes.chips[0] + won / len(second), -(outcomes.chips[0] + lost / len(first))
