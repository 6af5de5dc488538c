"""Loki before the flop, after Papp (1998): an expert's thresholds for income rates.

1. Expected players = those who have put chips in by choice + 0.6 (others still in); their group (2, 3 or 4,
   5 or more) chooses the table of income rates and the row of thresholds.
2. threshold = base + increment x position, where the position is the number of players still in who act after us on
   later rounds: 0 on the button, most in the small blind.
3. Take the most aggressive strategy whose threshold our income rate reaches, and use it for the whole round.
"""

from dataclasses import dataclass

import numpy as np

from cardwin.cards.holdings import holding_index
from cardwin.cards.preflop import GROUPS, group_of, holding_incomes
from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import ACTIVE
from cardwin.games.holdem.view import (
    BETS,
    BUTTON,
    CURRENT_BET,
    RAISES,
    SEAT,
    SEAT_COUNT,
    STARTS,
    STATUSES,
    HoldemView,
)

STAY = 0.6  # the share of players yet to act that is expected to play
TIGHTNESSES = ("loose", "moderate", "tight")
STRATEGIES = ("Make0", "Call1", "Make1", "Call2", "Make2", "Make4")  # the most aggressive last
MAKE0, CALL1, MAKE1, CALL2, MAKE2, MAKE4 = range(6)

# (base, increment) by group and strategy, for loose, moderate and tight play; the others have no threshold.
_THRESHOLDS: tuple[dict[int, tuple[tuple[int, int], ...]], ...] = (
    {MAKE1: ((-50, 50),) * 3, MAKE2: ((0, 0), (50, 50), (150, 50)), MAKE4: ((300, 0),) * 3},
    {MAKE1: ((50, 10), (50, 25), (50, 50)), MAKE2: ((200, 10), (200, 25), (200, 50)), MAKE4: ((580, 0),) * 3},
    {MAKE1: ((0, 30), (0, 50), (0, 70)), MAKE2: ((450, 10), (450, 25), (450, 50)), MAKE4: ((900, 0),) * 3},
)
_NONE = ((np.inf, 0.0),) * len(TIGHTNESSES)
# The same as numbers (groups, strategies, tightnesses, 2): no income rate reaches an infinite one.
THRESHOLDS = np.array([[group.get(one, _NONE) for one in range(len(STRATEGIES))] for group in _THRESHOLDS], np.float64)


@dataclass(frozen=True, slots=True)
class Plan:
    """The strategy for the first round, and its reasons."""

    strategy: str
    income: float
    players: float
    position: int
    threshold: float


@kernel
def expected_in(row: Ints) -> float:
    """We, the players who have put chips in by choice, and a share of the others still in, from a view's row."""
    seats, first, second, dealt = row[SEAT_COUNT], -1, -1, 0
    for step in range(1, seats + 1):
        other = (row[BUTTON] + step) % seats
        if row[STARTS + other] > 0:
            first, second = other if dealt == 0 else first, other if dealt == 1 else second
            dealt += 1
    # The blinds are the first two after the button, heads-up button and other seat.
    small, big = (second, first) if dealt == 2 else (first, second)
    others, sure = 0, 0
    for other in range(seats):
        if row[STATUSES + other] == ACTIVE and other != row[SEAT]:
            others += 1
            bet = row[BETS + other]
            if other in (small, big):
                # A blind is in by choice if it has matched a larger bet than it posted.
                sure += int(bet == row[CURRENT_BET] and (row[RAISES] > 0 or other == small))
            else:
                sure += int(bet > 0)
    return 1 + sure + STAY * (others - sure)


@kernel
def players_behind(row: Ints) -> int:
    """The number of players still in who act after us on later rounds: those between us and the button, inclusive."""
    seat, found = row[SEAT], 0
    while seat != row[BUTTON]:
        seat = (seat + 1) % row[SEAT_COUNT]
        found += int(row[STATUSES + seat] == ACTIVE)
    return found


@kernel
def choose(income: float, group: int, position: int, tightness: int) -> tuple[int, float]:
    """The most aggressive strategy that an income rate reaches, and its threshold, by numbers."""
    for strategy in range(MAKE4, MAKE0, -1):
        threshold = THRESHOLDS[group, strategy, tightness, 0] + THRESHOLDS[group, strategy, tightness, 1] * position
        if income >= threshold:
            return strategy, threshold
    return MAKE0, 0.0


@kernel
def follow(strategy: int, bets_made: int, bets_to_call: int, in_by_choice: bool) -> int:
    """The action of a strategy: FOLD (or check), CALL or RAISE (or bet). The big blind is the first bet."""
    if strategy == MAKE0:
        return FOLD
    if strategy == MAKE4:
        return RAISE if bets_made < 4 else CALL
    if strategy == MAKE2:
        return RAISE if bets_made < 2 else CALL
    if strategy == CALL2:
        return CALL
    if strategy == MAKE1 and bets_made == 0:
        return RAISE
    return FOLD if bets_to_call >= 2 and not in_by_choice else CALL


def expected_players(view: HoldemView) -> float:
    """`expected_in` of a view."""
    return float(expected_in(np.array(view.row, np.int64)))


def position_of(view: HoldemView) -> int:
    """`players_behind` of a view."""
    return int(players_behind(np.array(view.row, np.int64)))


def choose_strategy(income: float, group: int, position: int, tightness: str) -> tuple[str, float]:
    """`choose` by names."""
    strategy, threshold = choose(float(income), group, position, TIGHTNESSES.index(tightness))
    return STRATEGIES[strategy], threshold


def plan_round(view: HoldemView, tightness: str) -> Plan:
    """Choose the strategy for the first round."""
    players = expected_players(view)
    group, position = group_of(players), position_of(view)
    income = float(holding_incomes(GROUPS[group])[holding_index(*view.hole)])
    strategy, threshold = choose_strategy(income, group, position, tightness)
    return Plan(strategy, income, players, position, threshold)


def follow_strategy(strategy: str, bets_made: int, bets_to_call: int, in_by_choice: bool) -> int:
    """`follow` by a strategy's name."""
    return follow(STRATEGIES.index(strategy), bets_made, bets_to_call, in_by_choice)
