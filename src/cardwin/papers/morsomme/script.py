"""The script itself, with R's random numbers in its order: populations, fitness, children, generations (3 and 4).

1. Compute the average gain of every strategy against every other, all hands at once.
2. Choose the fittest as parents; ties keep their order. Sums are in extended precision, as in R's means.
3. Copy each element of a child from a parent drawn with weight exp(fitness).
4. Redraw some elements; for B twice as many, half of which change nothing. Clean B.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp

import numpy as np

from cardwin.core.arrays import Bools, Floats, Ints
from cardwin.games.small.onecard import OneCard
from cardwin.papers.morsomme.r_random import RStream


@dataclass(frozen=True)
class Population:
    """Both populations.

    Attributes:
        bets: A's bets as indices in the list of bets, (strategies, cards).
        calls: B's calls, (strategies, bets, cards).

    """

    bets: Ints
    calls: Bools


@dataclass(frozen=True)
class Sizes:
    """The number of strategies, the share of parents, and the rate at which an element of A's is redrawn."""

    strategies: int = 200
    parents: float = 2 / 3
    mutation_rate: float = 0.05


@dataclass(frozen=True)
class Offspring:
    """Children, step by step; arrays are (children, n) except for the outcomes.

    Attributes:
        origins: The parent of each element.
        crossed: The elements after crossover.
        mutated: Whether each element mutates.
        outcomes: The outcomes of the mutations in R's order, (mutations,).
        children: The result.

    """

    origins: Ints
    crossed: Ints
    mutated: Bools
    outcomes: Ints
    children: Ints


def first_population(game: OneCard, stream: RStream, strategies: int) -> Population:
    """Draw random strategies as R does, B's not cleaned yet."""
    n = game.cards * strategies
    bets = stream.indices(len(game.bets), n).reshape(strategies, game.cards)
    calls = stream.indices(2, n * len(game.bets)).reshape(strategies, len(game.bets), game.cards) == 0
    return Population(bets, calls)


def cleaned(game: OneCard, calls: Bools) -> Bools:
    """Return B's calls, with calls by the highest card and of a bet of zero added (3.2.1)."""
    calls = calls.copy()
    calls[:, :, -1] = True
    calls[:, game.bets.index(0)] = True
    return calls


def fitness(game: OneCard, population: Population) -> Floats:
    """Return A's average gain in each pair, rows B's strategies and columns A's (B, A).

    It is exact except for the last division.
    """
    cards = np.arange(game.cards)
    ahead = np.sign(cards[:, None] - cards[None, :])  # A's card, B's card
    calls = population.calls.astype(np.int64)
    stake = game.ante + np.array(game.bets)
    at_showdown = stake[None, :, None] * np.einsum("bkc,ac->bka", calls, ahead)
    gains = at_showdown + game.ante * (game.cards - calls.sum(axis=2))[:, :, None]  # (B, bets, A's cards)
    total = sum(gains[:, population.bets[:, card], card] for card in cards)
    return np.asarray(total / game.cards**2, dtype=np.float64)


def means(table: Floats, axis: int) -> Floats:
    """Return the means of a table (n, m) along an axis, summed sequentially in extended precision."""
    total = np.zeros(table.shape[1 - axis], np.longdouble)
    for line in np.moveaxis(table, axis, 0):
        total += line
    mean: Floats = (total / table.shape[axis]).astype(np.float64)
    return mean


def fittest(scores: Floats, parents: float) -> Ints:
    """Return the indices of the fittest, best first; ties keep their order, and a fractional number is truncated."""
    order: Ints = np.argsort(-scores, kind="stable")[: int(parents)]
    return order


def offspring(
    elements: Ints, scores: Floats, parents: float, size: int, rate: float, choices: int, stream: RStream
) -> Offspring:
    """Breed children.

    Args:
        elements: The elements of the strategies, each the index of a choice (strategies, n).
        scores: The fitness of the strategies, (strategies,).
        parents: The number of parents; a fraction is truncated.
        size: The number of children.
        rate: The probability that an element is redrawn.
        choices: The number of choices of an element.
        stream: R's random numbers.

    Returns:
        The children with all steps.

    """
    chosen, length = fittest(scores, parents), elements.shape[1]
    weights = np.array([exp(score) for score in scores[chosen].tolist()])
    origins = chosen[stream.weighted(weights, size * length)].reshape(size, length)
    mutated = stream.weighted(np.array([rate, 1 - rate]), size * length).reshape(size, length) == 0
    outcomes = stream.indices(choices, int(mutated.sum()))
    crossed = elements[origins, np.arange(length)]
    children = crossed.copy()
    children[mutated] = outcomes
    return Offspring(origins, crossed, mutated, outcomes, children)


def next_population(
    game: OneCard, population: Population, stream: RStream, sizes: Sizes, still_b: bool = False
) -> Population:
    """Breed the next generation of both populations, A's first; with `still_b` only A's."""
    table, size = fitness(game, population), sizes.strategies
    parents, rate = size * sizes.parents, sizes.mutation_rate
    bets = offspring(population.bets, means(table, 0), parents, size, rate, len(game.bets), stream).children
    if still_b:
        return Population(bets, population.calls)
    folds = (~population.calls).reshape(len(population.calls), -1).astype(np.int64)  # R lists "Call" first
    drawn = offspring(folds, means(-table, 1), parents, size, 2 * rate, 2, stream).children
    return Population(bets, cleaned(game, drawn.reshape(-1, *population.calls.shape[1:]) == 0))


def generations(
    game: OneCard,
    seed: int,
    last: int,
    sizes: Sizes | None = None,
    *,
    always_called: bool = False,
    rejection: bool = False,
) -> Iterator[Population]:
    """Run the script from a seed.

    Args:
        game: The game.
        seed: R's seed.
        last: The number of generations.
        sizes: The script's own by default.
        always_called: Whether B is one constant strategy that calls everything, so that no bluff pays.
        rejection: Whether R samples by rejection, as since 3.6.

    Yields:
        The populations of each generation.

    """
    sizes, stream = sizes or Sizes(), RStream(seed, rejection)
    population = first_population(game, stream, sizes.strategies)
    calls = np.ones_like(population.calls[:1]) if always_called else cleaned(game, population.calls)
    population = Population(population.bets, calls)
    yield population
    for _ in range(last - 1):
        population = next_population(game, population, stream, sizes, still_b=always_called)
        yield population
