"""Odds before the flop, and the income rates that follow from them.

The odds of 169 classes against 1 to 9 random hands ship as `preflop.npz`: exact against one, simulated with standard
errors below .0005 against more. `tools/shipped_tables.py` builds the file.

The income rate (Papp 1998) of a starting hand is its profit per 1000 chips bet if everybody calls to the end. For n
players, IR = 1000 (n E - 1), where E is the share of the pot that the hand wins against n - 1 random ones. Papp
simulated a million deals each, for 2, 4 and 7 players, and used those for groups of players: 2, 3 or 4, and 5 or more.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from cardwin.cards.deals import MAX_OPPONENTS, deal_many
from cardwin.cards.holdings import CLASS_OF_HOLDING, Weights
from cardwin.cards.holdings import HOLDING_CARDS as CARDS
from cardwin.cards.tables import load_shipped
from cardwin.core.arrays import Floats
from cardwin.core.errors import InputError
from cardwin.core.rng import key_of, stream_of


class Preflop(NamedTuple):
    """How often each class wins alone and ties, its mean share and that share's standard error; each (169, 9)."""

    win: Floats
    tie: Floats
    equity: Floats
    error: Floats


@cache
def preflop() -> Preflop:
    """Return the table that ships with the package: row a class, column opponents - 1."""
    arrays = load_shipped("preflop.npz")
    return Preflop(*(arrays[name] for name in Preflop._fields))


def simulate(number: int, deals: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Return wins, ties, shares and their standard errors (9,) of one class."""
    cards = CARDS[list(CLASS_OF_HOLDING).index(number)]
    tallies = np.zeros((4, MAX_OPPONENTS))
    deal_many(stream_of(key_of(1, "preflop", number)), cards, deals, tallies)
    win, tie, share, square = tallies / deals
    return win, tie, share, np.sqrt((square - share**2) / deals)


GROUPS = (2, 4, 7)  # players of the tables that are used for 2, for 3 or 4, and for 5 or more


def income_of(share: Weights, players: int) -> Weights:
    """Return income rates from shares of the pot, of any shape."""
    return 1000.0 * (players * share - 1.0)


def _check(players: int) -> None:
    if not 2 <= players <= MAX_OPPONENTS + 1:
        raise InputError(f"invalid number of players: expected 2 to {MAX_OPPONENTS + 1}, got {players}")


@cache
def class_incomes(players: int) -> Weights:
    """Return the income rate of every class of holdings, (169,)."""
    _check(players)
    return income_of(preflop().equity[:, players - 2], players)


def income_errors(players: int) -> Weights:
    """Return the standard errors of `class_incomes`, (169,)."""
    _check(players)
    return 1000.0 * players * preflop().error[:, players - 2]


@cache
def holding_incomes(players: int) -> Weights:
    """Return the income rate of every holding, (1326,)."""
    rates: Weights = class_incomes(players)[CLASS_OF_HOLDING]
    return rates


@cache
def sorted_incomes(players: int) -> Weights:
    """Return all holdings' income rates, worst first, (1326,): the index of a rate is its percentile."""
    return np.sort(holding_incomes(players))


def group_of(players: float) -> int:
    """Return the index in GROUPS of the table for a number of players, which may be an expected number."""
    return 0 if players < 2.5 else (1 if players < 4.5 else 2)


def simulated_incomes(players: int, deals: int) -> tuple[Weights, Weights]:
    """Return income rates of all classes and their standard errors, (169,) both, from a number of new deals each."""
    _check(players)
    incomes, errors = np.empty(169), np.empty(169)
    for number in range(169):
        _, _, share, error = simulate(number, deals)
        incomes[number] = income_of(share, players)[players - 2]
        errors[number] = 1000.0 * players * error[players - 2]
    return incomes, errors
