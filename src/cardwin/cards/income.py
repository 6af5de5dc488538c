"""Income rates, after Papp (1998): the profit of a starting hand per 1000 chips bet if everybody calls to the end.

For n players, IR = 1000 (n E - 1), E the share of the pot that the hand wins against n - 1 random ones. The shares are
those of the shipped table before the flop (`preflop.npz`: exact for two players, two million deals for each class and
number otherwise); `python -m cardwin.cards.preflop` computes them again. Papp simulated a million deals each, for 2, 4
and 7 players, and used those for groups of players: 2, 3 or 4, and 5 or more.
"""

from functools import cache

import numpy as np

from cardwin.cards.deals import MOST_OPPONENTS
from cardwin.cards.holdings import CLASS_OF_HOLDING, Weights
from cardwin.cards.preflop import preflop, simulate
from cardwin.core.errors import InputError

GROUPS = (2, 4, 7)  # players of the tables that are used for 2, for 3 or 4, and for 5 or more


def income_of(share: Weights, players: int) -> Weights:
    """Income rates from shares of the pot, of any shape."""
    return 1000.0 * (players * share - 1.0)


def _check(players: int) -> None:
    if not 2 <= players <= MOST_OPPONENTS + 1:
        raise InputError(f"{players} players: income rates are known for 2 to {MOST_OPPONENTS + 1}")


@cache
def class_incomes(players: int) -> Weights:
    """The income rate of every class of holdings, (169,)."""
    _check(players)
    return income_of(preflop().equity[:, players - 2], players)


def income_errors(players: int) -> Weights:
    """The standard errors of `class_incomes`, (169,)."""
    _check(players)
    return 1000.0 * players * preflop().error[:, players - 2]


@cache
def holding_incomes(players: int) -> Weights:
    """The income rate of every holding, (1326,)."""
    rates: Weights = class_incomes(players)[CLASS_OF_HOLDING]
    return rates


@cache
def sorted_incomes(players: int) -> Weights:
    """All holdings' income rates, worst first, (1326,): the place of a rate is its percentile."""
    return np.sort(holding_incomes(players))


def group_of(players: float) -> int:
    """The table used for this number of players, which may be an expected number: its place in GROUPS."""
    return 0 if players < 2.5 else (1 if players < 4.5 else 2)


def simulated_incomes(players: int, deals: int) -> tuple[Weights, Weights]:
    """Income rates of all classes and their standard errors from this number of new deals each, (169,) both."""
    _check(players)
    incomes, errors = np.empty(169), np.empty(169)
    for number in range(169):
        _, _, share, error = simulate(number, deals)
        incomes[number] = income_of(share, players)[players - 2]
        errors[number] = 1000.0 * players * error[players - 2]
    return incomes, errors
