"""Populations whose fitness is sampled by playing games, as in the papers.

Every member plays a number of games, the opponents taking turns; with `fair`, it plays every deal once against each.
A game's random stream belongs to the pair and the round, so that both seats of two populations play the same games.
"""

import numpy as np

from cardwin.arena.small.play import play_from
from cardwin.core.arrays import Floats, Ints
from cardwin.core.kernel import kernel
from cardwin.core.rng import child
from cardwin.games.base import CHANCE
from cardwin.solvers.tree import Nodes, Tree


@kernel
def _mean_chips(
    actor: Ints, first: Ints, count: Ints, sequence: Ints, chance: Floats, chips: Floats, deals: Ints, odds: Floats,
    seat: int, members: Floats, opponents: Floats, rounds: int, shared: bool, key: int, start: int, stop: int,
    out: Floats,
) -> None:  # fmt: skip
    rng = np.zeros(2, np.int64)
    for row in range(start, stop):
        total = 0.0
        for round_ in range(rounds):
            rival = round_ % len(opponents)
            pair = child(child(key, round_), row) if shared and seat == 1 else child(child(key, row), round_)
            for deal in range(len(deals)):
                rng[0], rng[1] = child(pair, deal), 0
                if seat == 0:
                    won = play_from(
                        deals[deal], actor, first, count, sequence, chance, chips, members[row], opponents[rival], rng
                    )
                else:
                    won = -play_from(
                        deals[deal], actor, first, count, sequence, chance, chips, opponents[rival], members[row], rng
                    )
                total += odds[deal] * won
        out[row] = total / rounds


def all_deals(nodes: Nodes) -> tuple[Ints, Floats]:
    """The positions after the first deal, and their probabilities."""
    places, odds = [0], [1.0]
    while any(nodes.actor[place] == CHANCE for place in places):
        below = [(p, o, nodes.first[p], nodes.count[p]) for p, o in zip(places, odds, strict=True)]
        places = [int(first + i) for _, _, first, count in below for i in range(count)]
        odds = [float(o * nodes.chance[first + i]) for _, o, first, count in below for i in range(count)]
    return np.array(places, dtype=np.int64), np.array(odds)


def mean_chips(
    tree: Tree, seat: int, members: Floats, opponents: Floats, rounds: int, fair: bool, shared: bool, key: int,
    start: int, stop: int, out: Floats,
) -> None:  # fmt: skip
    """Fill rows start..stop of out (n,) with the mean chips that behaviours (n, sequences) won in their games.

    opponents: behaviours (m, sequences) of the other seat. fair: each round is every deal once. shared: the
    opponents are a population whose members play the same games in the other seat.
    """
    nodes = tree.nodes
    deals, odds = all_deals(nodes) if fair else (np.zeros(1, np.int64), np.ones(1))
    _mean_chips(
        nodes.actor, nodes.first, nodes.count, nodes.sequence, nodes.chance, nodes.chips, deals, odds,
        seat, members, opponents, rounds, shared, key, start, stop, out,
    )  # fmt: skip
