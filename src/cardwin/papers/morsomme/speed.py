"""Whether matrices simulate hands faster than a loop over the hands (2.3.2 and 2.3.3).

Both compute the gains of all strategies against all others in the game of ten cards, in Python instead of R. The
claim is which one is faster, so the verdict follows from the ratio of times, as a power of two, over repetitions. Times
are in the text and not in the finding, so that a seed gives the same findings on every machine.
"""

from collections.abc import Iterator

import numpy as np

from cardwin.core.arrays import Floats
from cardwin.core.kernel import clock
from cardwin.games.small.onecard import OneCard
from cardwin.papers import Context
from cardwin.papers.morsomme import script
from cardwin.papers.morsomme.hands import one_card_game
from cardwin.papers.morsomme.r_random import RStream
from cardwin.papers.morsomme.script import Population
from cardwin.papers.sample import Sample, sample, spread

STRATEGIES, REPETITIONS = 30, 8
NAME = "hands simulated by matrices and by a loop"


def gains_by_loop(game: OneCard, population: Population) -> Floats:
    """Return A's average gain in each pair (B, A), computed hand by hand."""
    bets, calls = population.bets.tolist(), population.calls.tolist()
    table = np.zeros((len(calls), len(bets)))
    for row, answers in enumerate(calls):
        for column, amounts in enumerate(bets):
            total = 0
            for card, bet in enumerate(amounts):
                for other in range(game.cards):
                    if not answers[bet][other]:
                        total += game.ante
                    elif card != other:
                        total += (game.ante + game.bets[bet]) * (1 if card > other else -1)
            table[row, column] = total / game.cards**2
    return table


def speed(context: Context) -> Iterator[Sample]:
    """Compare the times of both ways, and check that they give the same gains."""
    game = one_card_game("onecard-10")
    population = script.first_population(game, RStream(1), STRATEGIES)
    ratios = [_ratio(game, population) for _ in range(REPETITIONS)]
    powers = spread(np.log2(ratios))
    equal = bool(np.allclose(gains_by_loop(game, population), script.fitness(game, population)))
    context.text(
        f"{STRATEGIES**2 * game.cards**2:,} hands by matrices and by a loop over the hands: the loop takes "
        f"{2**powers.mean:.0f} times as long, mean of {REPETITIONS} repetitions."
    )
    yield sample(NAME, "the same gains" if equal else "other gains", judged=powers)


def _ratio(game: OneCard, population: Population) -> float:
    start = clock()
    gains_by_loop(game, population)
    middle = clock()
    script.fitness(game, population)
    return (middle - start) / (clock() - middle)
