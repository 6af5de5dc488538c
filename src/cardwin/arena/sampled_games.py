"""Sampled results of small games: games played move by move, and games whose outcomes are sampled directly.

**Move by move** (`mean_chips`), as in the papers: every member of a population plays a number of games, the opponents
taking turns; with `fair`, it plays every deal once against each. A game's random stream belongs to the pair and the
round, so that both seats of two populations play the same games.

**Outcome sampling** (`mean_of_draws`, `one_game_each`): a game reaches each terminal with a probability that follows
from both plans. Sampling the terminal itself has exactly the same distribution and is a hundred times as fast against
one opponent: the terminals of many games are one multinomial sample. The random numbers differ from those of games
played move by move.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import Stream, bits_at, child, draw_uniform, generator_of
from cardwin.games.base import CHANCE, NOBODY
from cardwin.solvers.tree import Nodes, Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_array

BLOCK = 256  # opponents whose plans fit into the cache


class Games(NamedTuple):
    """The games of a population: its members' seat, the rounds of each, and every round's first positions.

    shared: the opponents are a population whose members play the same games in the other seat. deals, odds: positions
    in which a round's games begin, and their probabilities.
    """

    seat: int
    rounds: int
    shared: bool
    key: int
    deals: Ints
    odds: Floats


@kernel
def play_from(node: int, nodes: Nodes, behaviour0: Floats, behaviour1: Floats, rng: Stream) -> float:
    """Return the first seat's chips in one hand that starts at a node."""
    actor, first, count, sequence = nodes.actor, nodes.first, nodes.children, nodes.sequence
    while actor[node] != NOBODY:
        point, choice, last = draw_uniform(rng), 0, count[node] - 1
        while choice < last:
            if actor[node] == CHANCE:
                point -= nodes.chance[first[node] + choice]
            elif actor[node] == 0:
                point -= behaviour0[sequence[node] + choice]
            else:
                point -= behaviour1[sequence[node] + choice]
            if point < 0:
                break
            choice += 1
        node = first[node] + choice
    return float(nodes.chips[node])


@kernel
def mean_chips(
    nodes: Nodes, games: Games, members: Floats, opponents: Floats, start: int, stop: int, out: Floats
) -> None:
    """Fill rows start..stop of out (n,) with the mean chips that members' behaviours (n, sequences) won in their games.

    opponents: behaviours (m, sequences) of the other seat.
    """
    rng, seat, key = np.zeros(2, np.int64), games.seat, games.key
    for row in range(start, stop):
        total = 0.0
        for round_ in range(games.rounds):
            rival = round_ % len(opponents)
            pair = child(child(key, round_), row) if games.shared and seat == 1 else child(child(key, row), round_)
            for deal in range(len(games.deals)):
                rng[0], rng[1] = child(pair, deal), 0
                if seat == 0:
                    won = play_from(games.deals[deal], nodes, members[row], opponents[rival], rng)
                else:
                    won = -play_from(games.deals[deal], nodes, opponents[rival], members[row], rng)
                total += games.odds[deal] * won
        out[row] = total / games.rounds


def all_deals(nodes: Nodes) -> tuple[Ints, Floats]:
    """Return the positions after the first deal, and their probabilities."""
    positions, odds = [0], [1.0]
    while any(nodes.actor[position] == CHANCE for position in positions):
        below = [(p, o, nodes.first[p], nodes.children[p]) for p, o in zip(positions, odds, strict=True)]
        positions = [int(first + i) for _, _, first, count in below for i in range(count)]
        odds = [float(o * nodes.chance[first + i]) for _, o, first, count in below for i in range(count)]
    return np.array(positions, dtype=np.int64), np.array(odds)


def games_of(nodes: Nodes, seat: int, rounds: int, key: int, fair: bool = False, shared: bool = False) -> Games:
    """Return the games of a seat's population; with `fair`, each round is every deal once."""
    deals, odds = all_deals(nodes) if fair else (np.zeros(1, np.int64), np.ones(1))
    return Games(seat, rounds, shared, key, deals, odds)


@dataclass(frozen=True)
class Outcomes:
    """The possible results of the first seat in chips, ascending (k,), and the sequences that lead to each.

    leads: k sparse tables (first seat's sequences, second seat's sequences) of the deals' probabilities.
    """

    chips: Floats
    leads: "tuple[csr_array, ...]"


def outcomes_of(tree: Tree) -> Outcomes:
    """Return the possible results of a tree's games."""
    from scipy.sparse import csr_array

    chips = np.array(tree.terminals.chips, dtype=np.float64)
    chances = np.array([float(chance) for chance in tree.terminals.chances])
    shape = tree.sequences[0].count, tree.sequences[1].count
    results = np.unique(chips)
    leads = []
    for result in results:
        reached = chips == result
        sequences = tree.terminals.sequences[reached]
        leads.append(csr_array((chances[reached], (sequences[:, 0], sequences[:, 1])), shape=shape))
    return Outcomes(results, tuple(leads))


def mean_of_draws(outcomes: Outcomes, seat: int, plans: Floats, opponent: Floats, games: int, key: int) -> Floats:
    """Return mean chips (n,) of plans (n, sequences) of a seat in `games` games each against one plan (sequences,)."""
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
            row_key, total = child(key, row), 0.0
            for rival in range(size):
                points[rival] = (bits_at(row_key, first + rival) >> 10) * 2.0**-53
                below[rival] = 0.0
            for outcome in range(len(steps)):
                for column in range(starts[outcome], starts[outcome + 1]):
                    share = towards[row, column]
                    if share != 0.0:
                        plans = rivals[columns[column], first : first + size]
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
    """Return mean chips (n,) and (m,) of plans (n, sequences) and (m, sequences) in one game of every pair.

    Both seats play the same games. An outcome is reached by few of the second seat's sequences: only these are summed.
    """
    won, lost = np.zeros(len(first)), np.zeros(len(second))
    reached = [np.unique(lead.indices) for lead in outcomes.leads[:-1]]
    starts = np.cumsum([0, *map(len, reached)])
    towards = [(lead.T @ first.T).T[:, columns] for lead, columns in zip(outcomes.leads, reached, strict=False)]
    _one_game_each(
        np.diff(outcomes.chips),
        starts,
        np.concatenate(reached).astype(np.int64),
        np.concatenate(towards, axis=1),
        np.ascontiguousarray(second.T),
        key,
        won,
        lost,
    )
    return outcomes.chips[0] + won / len(second), -(outcomes.chips[0] + lost / len(first))
