"""Loki before the flop, after Papp (1998): an expert's thresholds for income rates.

1. Expected players = those who have put chips in by choice + 0.6 (others still in); their group (2, 3 or 4,
   5 or more) chooses the table of income rates and the row of thresholds.
2. threshold = base + increment x position, where the position is the number of players still in who act after us on
   later rounds: 0 on the button, most in the small blind.
3. Take the most aggressive strategy whose threshold our income rate reaches, and use it for the whole round.
"""

import numpy as np

from cardwin.core.arrays import Ints
from cardwin.core.kernel import kernel
from cardwin.games.holdem.rules import CALL, FOLD, RAISE
from cardwin.games.holdem.table import ACTIVE
from cardwin.games.holdem.view import BETS, BUTTON, CURRENT_BET, RAISES, SEAT, SEAT_COUNT, STARTS, STATUSES

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
_NO_THRESHOLDS = ((np.inf, 0.0),) * len(TIGHTNESSES)
# The same as numbers (groups, strategies, tightnesses, 2): no income rate reaches an infinite one.
THRESHOLDS = np.array(
    [[group.get(number, _NO_THRESHOLDS) for number in range(len(STRATEGIES))] for group in _THRESHOLDS], np.float64
)


@kernel(refcount=False)
def group_at(players: float) -> int:
    """Return the group of a number of players, which may be an expected number: its index in `GROUPS`."""
    return 0 if players < 2.5 else (1 if players < 4.5 else 2)


@kernel(refcount=False)
def expected_in(row: Ints) -> float:
    """Return the expected number of players from a view's row (VIEW_SIZE,).

    It is us, the players who have put chips in by choice, and a share of the others still in.
    """
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


@kernel(refcount=False)
def players_behind(row: Ints) -> int:
    """Return the number of players still in who act after us on later rounds, up to the button, from a view's row."""
    seat, count = row[SEAT], 0
    while seat != row[BUTTON]:
        seat = (seat + 1) % row[SEAT_COUNT]
        count += int(row[STATUSES + seat] == ACTIVE)
    return count


@kernel(refcount=False)
def choose(income: float, group: int, position: int, tightness: int) -> tuple[int, float]:
    """Return the most aggressive strategy that an income rate reaches, and its threshold."""
    for strategy in range(MAKE4, MAKE0, -1):
        threshold = THRESHOLDS[group, strategy, tightness, 0] + THRESHOLDS[group, strategy, tightness, 1] * position
        if income >= threshold:
            return strategy, threshold
    return MAKE0, 0.0


@kernel(refcount=False)
def follow(strategy: int, bets_made: int, bets_to_call: int, in_by_choice: bool) -> int:
    """Return the action of a strategy: FOLD (or check), CALL or RAISE (or bet). The big blind is the first bet."""
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
