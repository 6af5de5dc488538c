"""Odds before the flop, 169 classes against 1 to 9 random hands, shipped as `preflop.npz`.

`python -m cardwin.cards.preflop` builds the file again, in two to five minutes:

1. Against one, exactly: all holdings on all river boards, each canonical board counted as often as it occurs.
2. Against more, by simulation: DEALS deals for each class, each counted for every number of opponents at once, which
   keeps all standard errors below .0005.

Income rates, after Papp (1998): the profit of a starting hand per 1000 chips bet if everybody calls to the end.

For n players, IR = 1000 (n E - 1), E the share of the pot that the hand wins against n - 1 random ones. The shares are
those of the shipped table before the flop (`preflop.npz`: exact for two players, two million deals for each class and
number otherwise); `python -m cardwin.cards.preflop` computes them again. Papp simulated a million deals each, for 2, 4
and 7 players, and used those for groups of players: 2, 3 or 4, and 5 or more.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from cardwin.cards.boards import canonical_boards
from cardwin.cards.deals import MAX_OPPONENTS, deal_many
from cardwin.cards.holdings import CLASS_OF_HOLDING, HOLDINGS, Weights
from cardwin.cards.holdings import HOLDING_CARDS as CARDS
from cardwin.cards.tables import load_shipped, write_shipped
from cardwin.cards.tables.win_odds_fill import river_counts
from cardwin.core.arrays import Floats, Ints
from cardwin.core.errors import InputError
from cardwin.core.kernel import kernel
from cardwin.core.rng import key_of, stream_of

DEALS = 2_000_000


class Preflop(NamedTuple):
    """How often each class wins alone, ties, its mean share and that share's standard error; each (169, 9)."""

    win: Floats
    tie: Floats
    equity: Floats
    error: Floats


@cache
def preflop() -> Preflop:
    """The table that ships with the package: row a class, column opponents - 1."""
    arrays = load_shipped("preflop.npz")
    return Preflop(*(arrays[name] for name in Preflop._fields))


@kernel
def _count_all(boards: Ints, weights: Ints, wins: Ints, ties: Ints, ways: Ints) -> None:
    """Add up, by class, the wins and ties of all holdings against one opponent, and the number of ways."""
    won, tied = np.empty(HOLDINGS, dtype=np.int64), np.empty(HOLDINGS, dtype=np.int64)
    for row in range(len(boards)):
        river_counts(boards[row], won, tied)
        board = (boards[row, 0], boards[row, 1], boards[row, 2], boards[row, 3], boards[row, 4])
        for holding in range(HOLDINGS):
            if CARDS[holding, 0] not in board and CARDS[holding, 1] not in board:
                number = CLASS_OF_HOLDING[holding]
                wins[number] += weights[row] * won[holding]
                ties[number] += weights[row] * tied[holding]
                ways[number] += weights[row] * 990


def simulate(number: int, deals: int) -> tuple[Floats, Floats, Floats, Floats]:
    """Wins, ties, shares and their standard errors (9,) of one class."""
    cards = CARDS[list(CLASS_OF_HOLDING).index(number)]
    tallies = np.zeros((4, MAX_OPPONENTS))
    deal_many(stream_of(key_of(1, "preflop", number)), cards, deals, tallies)
    win, tie, share, square = tallies / deals
    return win, tie, share, np.sqrt((square - share**2) / deals)


def build(deals: int = DEALS) -> Preflop:
    """Compute the whole table."""
    result = Preflop(*(np.zeros((169, MAX_OPPONENTS)) for _ in range(4)))
    wins, ties, ways = (np.zeros(169, dtype=np.int64) for _ in range(3))
    _count_all(*canonical_boards(5), wins, ties, ways)
    for number in range(169):
        parts = simulate(number, deals)
        for column, part in zip(result, parts, strict=True):
            column[number] = part
    result.win[:, 0], result.tie[:, 0] = wins / ways, ties / ways
    result.equity[:, 0], result.error[:, 0] = (2 * wins + ties) / (2 * ways), 0.0
    return result


GROUPS = (2, 4, 7)  # players of the tables that are used for 2, for 3 or 4, and for 5 or more


def income_of(share: Weights, players: int) -> Weights:
    """Income rates from shares of the pot, of any shape."""
    return 1000.0 * (players * share - 1.0)


def _check(players: int) -> None:
    if not 2 <= players <= MAX_OPPONENTS + 1:
        raise InputError(f"{players} players: income rates are known for 2 to {MAX_OPPONENTS + 1}")


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


if __name__ == "__main__":
    table = build()
    write_shipped("preflop.npz", table._asdict())
    print(f"standard errors up to {table.error.max():.6f}")
